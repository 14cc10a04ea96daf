"""Where a foot in the air will come down, if the clip knows it: on a place where all of its sole stands."""

from __future__ import annotations

from math import dist, hypot, inf, sqrt
from typing import NamedTuple

from mathutils import Vector

from ..rig.pose import Footing, Landing
from .legs_feet import FootParts
from .legs_ground import Sight
from .legs_hold import bounded
from .legs_memory import Flat, FootMemory, Triple

# A foothold is looked for in such steps along the foot, so far either way; metres for a 0.9 m leg, as all here.
STEP, FARTHEST = 0.02, 0.24
# Nor farther than this share of how far a foot is held from where the clip has it.
HELD = 0.9
# Ground is one piece if it is within so much of a straight line from before the heel to beyond the ball, so far out.
EVEN, MARGIN = 0.03, 0.015
SAMPLES, SAMPLES_FAR = 6, 18
# What a foothold costs: for every metre that it is off, for every metre that the body would come down over this.
LOW, DEEP = 0.08, 4.0
# Behind a heel that comes down over a step is so much room, or it costs this for every metre that it lacks.
ROOM, BRUSHES = 0.08, 2.5
# So much of its length a leg gets to.
RESERVE = 0.98
# So far up and down from a foot it is told on what slope that comes down.
SAME = 0.2
# Ground ahead may be so many times farther off the plane under the body than ground under a foot.
FAR = 2.0
# A landing that is found this far from where it was expected is looked at anew, but so many seconds before it comes.
ELSEWHERE, SETTLED = 0.02, 0.2


class Coming(NamedTuple):
    """A landing that is aimed at, model space: heel and ball on their ground, in `time` seconds; how far the hip would
    be too high for it if the body were not lowered; how high the ground there is over the plane under the body; and
    how far the hip would be too high when its heel leaves.
    """

    time: float
    heel: Vector
    ball: Vector
    short: float
    over: Flat
    later: float


def find_landing(sight: Sight, parts: FootParts, memory: FootMemory, planned: Footing | None) -> Coming | None:
    """Where the foot will come down; its memory keeps the aim until then. None where nothing is known of it."""
    landing = None if planned is None or sight.airborne or memory.down else planned.landing
    if landing is None or not parts.lies:
        memory.aim, memory.placed = None, memory.placed if memory.down else (0.0, 0.0)
        return None
    x, y = landing.ball[0] + sight.uphill[0], landing.ball[1] + sight.uphill[1]
    moved = hypot(x - memory.aimed[0], y - memory.aimed[1]) > ELSEWHERE * sight.scale
    if memory.aim is None or (moved and landing.time > SETTLED * sqrt(sight.scale)):
        memory.aim, memory.aimed, memory.slopes = _aim(sight, parts, landing), (x, y), None
        memory.placed = memory.aim[0] - sight.uphill[0], memory.aim[1] - sight.uphill[1]
        if memory.placed == (0.0, 0.0):
            memory.slopes = _slopes(sight, landing)
    if memory.slopes is not None:
        memory.aim = sight.uphill[0] * memory.slopes, sight.uphill[1] * memory.slopes
    return _coming(sight, parts, landing, sight.inward @ Vector((*memory.aim, 0.0)))


def _slopes(sight: Sight, landing: Landing) -> float:
    """How much of the slope under the body there is where a foot comes down, 0 to 1."""
    heel, ball = (_seen(sight, place) for place in (landing.heel, landing.ball))
    way = (sight.inward @ Vector((*sight.uphill, 0.0))).normalized() * (SAME * sight.scale)
    first, last = (0.5 * (heel + ball) + each for each in (-way, way))
    there = [_height(sight, place) for place in (first, last)]
    plane = sight.plane.at(last.x, last.y) - sight.plane.at(first.x, first.y)
    if there[0] is None or there[1] is None or abs(plane) < 1e-3 * sight.scale:
        return 1.0
    return max(0.0, min(1.0, (there[1] - there[0]) / plane))


def _aim(sight: Sight, parts: FootParts, landing: Landing) -> Flat:
    """How far from where the clip has it the foot goes to stand, world: little beside how far feet on this slope go,
    and so that all of it stands.
    """
    sole = Vector(landing.ball) - Vector(landing.heel)
    sole.z = 0.0
    usual = Vector((*sight.uphill, 0.0))
    if sole.length <= 1e-6:
        return sight.uphill
    way = sole.normalized()
    heel, ball = (_seen(sight, place) + sight.inward @ usual for place in (landing.heel, landing.ball))
    if _is_even(sight, heel, ball, FARTHEST, SAMPLES_FAR):
        return sight.uphill
    count = round(FARTHEST / STEP)
    shifts = [usual + way * (n * STEP * sight.scale) for n in sorted(range(-count, count + 1), key=abs)]
    bounds = HELD * sight.bounds[0], HELD * sight.bounds[1]
    shifts = [each for each in shifts if bounded((each.x, each.y), sight.moment, bounds) == (each.x, each.y)]
    found = [(shift, _foothold(sight, parts, landing, shift)) for shift in shifts]
    if all(coming is not None for _, coming in found):
        return sight.uphill
    best, least = usual, inf
    for shift, coming in found:
        if coming is None:
            continue
        deep = max(0.0, max(coming.short, coming.later) - LOW * sight.scale)
        cost = (shift - usual).length + DEEP * deep + BRUSHES * _brushes(sight, coming)
        if cost < least:
            best, least = shift, cost
    return best.x, best.y


def _foothold(sight: Sight, parts: FootParts, landing: Landing, shift: Vector) -> Coming | None:
    """The landing with a shift (world), None where there is not one piece of ground under all of its sole."""
    moved = sight.inward @ shift
    coming = _coming(sight, parts, landing, moved)
    if coming is None or not _is_even(sight, coming.heel, coming.ball):
        return None
    heel, ball = (_seen(sight, place) + moved for place in landing.down)
    return coming if _is_even(sight, heel, ball) else None


def _coming(sight: Sight, parts: FootParts, landing: Landing, shift: Vector) -> Coming | None:
    """The landing with a shift (model space)."""
    heel, ball, tip, hip = (_seen(sight, place) for place in (landing.heel, landing.ball, landing.tip, landing.hip))
    heights = [each for each in (_height(sight, end + shift) for end in (heel, ball)) if each is not None]
    if len(heights) < 2:
        return None
    ends = [Vector((end.x + shift.x, end.y + shift.y, z)) for end, z in zip((heel, ball), heights, strict=True)]
    # The body goes on up or down as it does; a foot stands on the higher of what is under its ends.
    height = max(heights) - sight.floor
    hip.z += sight.moment.velocity[2] * landing.time
    short = _short(parts, (landing.hip, landing.tip), hip, tip + shift, height)
    # Until its heel leaves the body goes on as the ground goes.
    last, gone = (_seen(sight, place) for place in landing.leaves)
    rise = hip.z - landing.hip[2] + sight.plane.at(gone.x, gone.y) - sight.plane.at(hip.x, hip.y)
    later = _short(parts, landing.leaves, gone + Vector((0.0, 0.0, rise)), last + shift, height)
    over = [end.z - sight.plane.at(end.x, end.y) for end in ends]
    return Coming(landing.time, ends[0], ends[1], short, (over[0], over[1]), later)


def _short(parts: FootParts, own: tuple[Triple, Triple], hip: Vector, tip: Vector, height: float) -> float:
    """How far a hip is too high for a foot whose ground is so high over the floor, if its leg gets no longer than in
    the clip, or than its length less a reserve.
    """
    away = hypot(hip.x - tip.x, hip.y - tip.y)
    reach = max(RESERVE * parts.reach, dist(*own))
    return hip.z - tip.z - height - (sqrt(reach * reach - away * away) if away < reach else 0.0)


def _seen(sight: Sight, place: tuple[float, float, float]) -> Vector:
    """A place of a landing in model space."""
    seen = sight.moment.to_model @ Vector((place[0], place[1], 0.0))
    return Vector((seen.x, seen.y, place[2]))


def _height(sight: Sight, place: Vector) -> float | None:
    """How high the ground is at a place, model space, near the plane under the body, which ends somewhere."""
    expected = sight.plane.at(place.x, place.y)
    point = sight.moment.to_world @ Vector((place.x, place.y, expected))
    up, down = FAR * sight.probe.up_reach, FAR * sight.probe.down_reach
    height = sight.moment.world.height_below(point.x, point.y, point.z + up, up + down)
    return None if height is None else height - sight.moment.ground.z


def _brushes(sight: Sight, coming: Coming) -> float:
    """How much the heel lacks of its room to come down behind a step, metres."""
    sole = coming.ball - coming.heel
    back = Vector((sole.x, sole.y, 0.0)).normalized() * (-ROOM * sight.scale)
    for n in (1, 2, 3, 4):
        height = _height(sight, coming.heel + back * (0.25 * n))
        if height is not None and height > coming.heel.z + EVEN * sight.scale:
            return ROOM * sight.scale * (1.0 - 0.25 * (n - 1))
    return 0.0


def _is_even(sight: Sight, heel: Vector, ball: Vector, margin: float = MARGIN, samples: int = SAMPLES) -> bool:
    """Whether the ground under a sole is one piece, from so far before the heel to so far beyond the ball."""
    sole = ball - heel
    sole.z = 0.0
    out = sole.normalized() * (margin * sight.scale)
    first, last = heel - out, ball + out
    heights = []
    for n in range(samples):
        height = _height(sight, first.lerp(last, n / (samples - 1)))
        if height is None:
            return False
        heights.append(height)
    line = [heights[0] + (heights[-1] - heights[0]) * n / (samples - 1) for n in range(samples)]
    rise = abs(heights[-1] - heights[0])
    off = max(abs(a - b) for a, b in zip(heights, line, strict=True))
    return off <= EVEN * sight.scale and rise <= (last - first).xy.length
