"""What every limb solve shares: its verdict, aiming a limb at its goal, turning its plane, easing near full length."""

from __future__ import annotations

import math
from enum import StrEnum

from mathutils import Quaternion, Vector

from ..space.curves import share_of, smoothstep
from ..space.vectors import cross

# Under this share of a limb's length two points are one, and a tip is at its goal.
TOLERANCE = 1e-5
# Within 0.8 degrees of straight backwards a smallest turn is any turn.
OPPOSITE = -0.9999
# Sines of the angle to the limb's line under which a wanted direction says nothing, and over which it says all.
FAINT, CLEAR = 0.1, 0.3


class Reach(StrEnum):
    """A solve's verdict: the tip is at its goal, as near as the limb allows, or the goal or limb has no direction."""

    EXACT = "EXACT"
    CLAMPED = "CLAMPED"
    DEGENERATE = "DEGENERATE"


def aim(start: Vector, end: Vector, side: Vector) -> Quaternion:
    """The smallest rotation from one unit vector to another; opposite ones turn about `side`."""
    cosine = start.dot(end)
    if cosine > OPPOSITE:
        axis = cross(start, end)
        turn = Quaternion((1.0 + cosine, axis.x, axis.y, axis.z))
        turn.normalize()
        return turn
    axis = side - start * side.dot(start)
    axis = (axis if axis.length > TOLERANCE else start.orthogonal()).normalized()
    half_turn = Quaternion((0.0, axis.x, axis.y, axis.z))
    return aim(half_turn @ start, end, side) @ half_turn


def twist(line: Vector, reference: Vector, wanted: Vector) -> Quaternion | None:
    """The turn about the unit vector `line` that brings `reference` over `wanted`, as seen along the line.

    A reference or wish along the line gives no direction: within 17 degrees of it the turn fades out, so that a
    wish that passes through the line moves the limb without a jump. None where there is nothing to turn.
    """
    across = reference - line * reference.dot(line)
    wish = wanted - line * wanted.dot(line)
    across_length, wish_length = across.length, wish.length
    wanted_length = wanted.length
    if across_length < TOLERANCE or wish_length < TOLERANCE:
        return None
    sine = min(across_length / reference.length, wish_length / wanted_length)
    angle = math.atan2(line.dot(cross(across, wish)), across.dot(wish))
    if sine < CLEAR:
        angle *= smoothstep(share_of(sine, FAINT, CLEAR))
    return Quaternion(line, angle)


def soft_distance(distance: float, limit: float, softness: float) -> float:
    """`distance` held under `limit`; with softness (a share of the limit) it eases towards it without a kink.

    Up to the last `softness` of the limit the distance is kept, from there it nears the limit exponentially, so
    that a knee neither snaps straight nor pops when it comes back.
    """
    start = limit * (1.0 - softness)
    if distance <= start:
        return distance
    if softness <= 0.0:
        return limit
    zone = limit - start
    return start + zone * (1.0 - math.exp((start - distance) / zone))
