"""The ground that the feet of a clip keep to: what is under heel and ball, gone to no faster than a foot climbs."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt

from mathutils import Vector

from .legs_ground import AHEAD, Sight, Under, ground_under, highest_ahead
from .legs_landing import Coming
from .legs_memory import FootMemory

# How fast a foot goes up and down to ground that lies off the slope under the body (m/s), for a 0.9 m leg.
CLIMB = 3.0
# One that is known to come down lower goes there as fast as it must, at most so fast (m/s).
FASTEST_FALL = 6.0
# The ground under a foot that stands is the same from frame to frame up to a step of EDGE (metres, for a 0.9 m leg),
# from when it was reached within SETTLED on.
EDGE, SETTLED = 0.03, 0.002
# A foot that moves slower than this (m/s, for a 0.9 m leg) is not on its way.
LEAST_SPEED = 0.5


def grounds(
    sight: Sight,
    memory: FootMemory,
    probed: tuple[Vector, Vector],
    velocities: tuple[Vector, Vector] | None,
    coming: Coming | None = None,
) -> tuple[Under, Under]:
    """The ground that heel and ball keep to: that under them, gone to no faster than a foot climbs.

    A foot on its way begins to climb before it is there; where it is known to come down, it does so in time. In the
    air it keeps to the pose, and so goes with the body.
    """
    base, climb = sight.moment.ground.z, CLIMB * sqrt(sight.scale)
    seen = [_seen(sight, memory, k, probed[k], velocities) for k in (0, 1)]
    stands = _stands_on(sight, memory, seen)
    heights, over, settled = [], [], []
    for k, (place, (level, way, was, under)) in enumerate(zip(probed, seen, strict=True)):
        wanted = under.height
        if velocities is not None:
            if not memory.down and not sight.airborne and hypot(way.x, way.y) >= LEAST_SPEED * sqrt(sight.scale):
                at = Vector((place.x, place.y, was))
                times = AHEAD if coming is None else _times(place, way, coming, k)
                wanted = max(wanted, highest_ahead(sight.moment, sight.plane, at, way, sight.probe, climb, times))
            if stands[k] and abs(wanted - was) > EDGE * sight.scale:
                wanted = was
            step = climb * sight.dt
            fall = step if coming is None else _fall(was - level - coming.over[k], step, coming, sight)
            wanted = min(was + step, max(was - fall, wanted))
        settled.append(memory.down and (stands[k] or abs(wanted - under.height) < SETTLED * sight.scale))
        over.append(wanted - level)
        heights.append(wanted + base)
    found = [under for _, _, _, under in seen]
    memory.over, memory.ground, memory.settled = (over[0], over[1]), (heights[0], heights[1]), (settled[0], settled[1])
    under = found[0 if memory.on_heel else 1]
    memory.rise, hit = under.slope, under.hit
    memory.carried = (0.0, 0.0) if hit is None else (hit.velocity.x, hit.velocity.y)
    return found[0], found[1]


def _times(place: Vector, way: Vector, coming: Coming, k: int) -> tuple[float, ...]:
    """The times ahead at which an end looks for what is in its way: none beyond the place where it comes down."""
    left = (coming.heel, coming.ball)[k] - place
    speed = hypot(way.x, way.y)
    last = max(0.0, (left.x * way.x + left.y * way.y) / (speed * speed))
    return tuple(min(time, last) for time in AHEAD)


def _fall(height: float, step: float, coming: Coming, sight: Sight) -> float:
    """How far an end comes down at most at a frame: so that it is down in time, however low it has to go."""
    if height < EDGE * sight.scale:
        return step
    return min(height / max(1.0, coming.time / sight.dt), FASTEST_FALL * sqrt(sight.scale) * sight.dt)


def _seen(
    sight: Sight, memory: FootMemory, k: int, place: Vector, velocities: tuple[Vector, Vector] | None
) -> tuple[float, Vector, float, Under]:
    """For one end: the height of the plane, how fast it goes (model space), where its ground was, and what is under."""
    level = sight.plane.at(place.x, place.y)
    way = Vector() if velocities is None else sight.inward @ velocities[k]
    was = _ground_before(sight, memory, k, level, way, known=velocities is not None)
    under = Under(level, sight.plane.slope, None)
    if not sight.airborne:
        under = ground_under(sight.moment, sight.plane, place, was, sight.probe)
    if velocities is not None and under.hit is not None:
        was += under.hit.velocity.z * sight.dt
    return level, way, was, under


def _stands_on(
    sight: Sight, memory: FootMemory, seen: Sequence[tuple[float, Vector, float, Under]]
) -> tuple[bool, bool]:
    """Whether each end stands on the ground that it came down on.

    Over a step by now it does as long as the other end holds it there.
    """
    off = [abs(under.height - was) > EDGE * sight.scale for _, _, was, under in seen]

    def kept(k: int) -> bool:
        held = not off[1 - k] and seen[1 - k][2] > seen[k][2] - EDGE * sight.scale
        return memory.down and memory.settled[k] and (held or not off[k])

    return kept(0), kept(1)


def _ground_before(sight: Sight, memory: FootMemory, k: int, level: float, way: Vector, *, known: bool) -> float:
    """Where the ground under an end would be if it went on as before: along the slope, or in the air with the body."""
    if not known:
        return level
    if sight.airborne:
        return memory.ground[k] - sight.moment.ground.z if sight.landed else level + memory.over[k]
    rise = (sight.plane.slope[0] * way.x + sight.plane.slope[1] * way.y) * sight.dt
    return memory.ground[k] - sight.moment.ground.z + rise
