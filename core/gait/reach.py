"""How far a leg reaches from its place under the body, and the angles at which its foot may land."""

from __future__ import annotations

from functools import lru_cache
from math import asin, dist, sqrt
from typing import Literal

from mathutils import Quaternion, Vector

from ..space.vectors import triple
from .foot import FootGeometry, rotation_at
from .patterns import Pattern
from .shape import BodyShape, LegShape, Point
from .way import along

# Landing on the heel lifts the ankle by no more than this share of the leg.
HEEL_RISE = 0.045
# A foot that goes backward lands on its toes, its heel up by so much (radians).
TOE_STRIKE = 0.5
# Going within about 45 degrees of the facing, or of its opposite, is going ahead, or back.
COURSE = 0.7

# Which way a body goes, seen from itself.
Course = Literal["AHEAD", "ASIDE", "BACK"]


def course_of(ahead: float, speed: float) -> Course:
    """The course of a body that goes so much ahead (1) or back (-1) of where it faces; one that stands is ahead."""
    if speed < 1e-6 or ahead > COURSE:
        return "AHEAD"
    return "BACK" if ahead < -COURSE else "ASIDE"


def heel_strike(leg: LegShape, pattern: Pattern) -> float:
    """The angle at which a foot lands on its heel: less for a long heel, which would lift the whole leg."""
    if not leg.rolls or leg.stance != "PLANTIGRADE":
        return 0.0
    return _strike(leg.heel, leg.tip, leg.length, pattern.landing_pitch)


def toe_strike(leg: LegShape) -> float:
    """The angle, heel up, at which a foot that goes backward lands on its toes."""
    return TOE_STRIKE if leg.rolls and leg.stance == "PLANTIGRADE" else 0.0


@lru_cache(maxsize=256)
def _strike(heel: Point, tip: Point, length: float, pitch: float) -> float:
    """The angle for an ankle at `tip` over a `heel`: asked for every foot in the air, the same each time."""
    arm = dist(heel[:2], tip[:2])
    most = asin(min(1.0, HEEL_RISE * length / arm)) if arm > 1e-6 else pitch
    return min(pitch, most)


def standing_drop(shape: BodyShape, extension: float) -> float:
    """How far the hips must sink for all legs to stand at their rest places with no more than this extension."""
    drop = 0.0
    for leg in shape.legs:
        across = (leg.hip[0] - leg.tip[0]) ** 2 + (leg.hip[1] - leg.tip[1]) ** 2
        reach = extension * leg.length
        height = sqrt(max(reach * reach - across, 0.0))
        drop = max(drop, leg.hip[2] - leg.tip[2] - height)
    return drop


def farthest(
    geometry: FootGeometry,
    leg: LegShape,
    sink: float,
    slope: float,
    pitch: float,
    reach: float,
    way: tuple[float, float],
    *,
    lies: bool = False,
) -> float:
    """The largest distance from the rest place along `way` (model x and y) at which the leg is in reach; `slope` is the
    rise per metre of going forward.

    Under a body that `lies` along the slope, what a foot stands ahead of its hip or behind is measured along it too.
    """
    normal = Vector((0.0, slope, 1.0)).normalized()
    rotation = rotation_at(0.0, triple(normal)) if geometry.rolls else Quaternion()
    hip = Vector(leg.hip)
    hip.z -= sink
    share = 1.0 / sqrt(1.0 + slope * slope) if lies else 1.0
    rest_y = leg.hip[1] + (leg.ball[1] - leg.hip[1]) * share

    def reachable(distance: float) -> bool:
        x, y = leg.ball[0] + way[0] * distance, rest_y + way[1] * distance
        ball = Vector((x, y, leg.ball[2] + slope * (leg.hip[1] - y)))
        at = hip + leg.blade.shift(leg.blade.turn(hip, ball)) if leg.blade is not None else hip
        return (geometry.tip(ball, rotation, pitch) - at).length <= reach

    low, high = 0.0, 1.2 * leg.length
    if not reachable(low):
        return 0.0
    for _ in range(24):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if reachable(middle) else (low, middle)
    return low


@lru_cache(maxsize=64)
def outrun(duty: float) -> float:
    """How far a foot that leaves the ground falls behind its body at first, as a share of the stride."""
    return max((1.0 - duty) * s - along(s) for s in (0.01 * k for k in range(60)))
