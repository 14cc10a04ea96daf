"""How a runner's foot rolls off the ground: its heel is as high when it leaves as the leg will need it soon, and rises
in time, since no ankle snaps it up at the last moment.
"""

from __future__ import annotations

from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..control.intent import Travel
from .foot import UP, FootGeometry
from .memory import FootMemory, GaitMemory
from .patterns import Pattern
from .way import along

# The heel rises from this share of the stance on, by a power of what is left between these two: the sooner it has to be
# up, the sooner it begins.
RISES_FROM, LEAST_POWER, MOST_POWER = 0.1, 1.25, 3.0
# It turns by no more than so many radians a second, for a 0.9 m leg: what captured runners at 3 m/s reach.
# What its leg lacks when it has left it makes up at no more than the second of these.
FASTEST, CATCHES_UP = 14.3, 12.9
# Runners leave the ground with their heel up by this share of what it may be, whatever their leg needs.
NATURAL = 0.62
# Shares of the swing in which the body outruns a foot that has just left.
OUTRUN = tuple((s, along(s)) for s in (0.05, 0.1))


class RollOff(NamedTuple):
    """How a foot that stands will leave.

    push: how much the calf pushes, 0 not at all, 1 as in a full stride ahead. Of a runner's foot, hips: where its hip
    is seen from the foot then, and in the first moments of the swing (model space), each with how long after the
    lift-off that is; stance: how long it stands in all, both in seconds for a 0.9 m leg; quickest: its fastest turn,
    radians a second.
    """

    push: float
    hips: tuple[tuple[Vector, float], ...] = ()
    stance: float = 0.0
    quickest: float = 0.0


def runs(geometry: FootGeometry, pattern: Pattern) -> bool:
    """True for a foot with a heel in a gait that bounces, unless a performer says how it goes."""
    return geometry.shinned and pattern.wave == "SPRING" and pattern.performed is None


def roll_off(
    foot: FootMemory, memory: GaitMemory, hip: Vector, rise: float, travel: Travel, tempo: float, push: float
) -> RollOff:
    """The lift-off of a body that runs on as it runs, and whose hip rises by `rise` until then."""
    cycle, duty = memory.cycle / memory.hurry, foot.timing[1]
    velocity = Quaternion(UP, -travel.place.heading) @ Vector(travel.velocity)
    leaves = hip + velocity * (max(0.0, duty - foot.phase) * cycle)
    leaves.z += rise
    hips = [(leaves, 0.0)]
    for s, share in OUTRUN:
        later = (1.0 - duty) * s
        hips.append((leaves + velocity * ((later - share) * cycle), later * cycle / tempo))
    return RollOff(push, tuple(hips), duty * cycle / tempo, FASTEST / tempo)


def rolled_off(
    geometry: FootGeometry,
    coming: RollOff,
    known: tuple[Vector, Quaternion],
    share: float,
    reach: float,
    lifts: tuple[float, float],
) -> float:
    """The pitch at this share of its stance of a foot whose leg may be `reach` metres long when it has left; `lifts`
    are the gait's heel lift and the most that there is.
    """
    if share <= RISES_FROM:
        return 0.0
    needed = [geometry.pitch_to_reach(hip, *known, reach, lifts[1]) - FASTEST * later for hip, later in coming.hips]
    leaves, left = max(NATURAL * lifts[0], *needed), 1.0 - RISES_FROM
    power = min(MOST_POWER, max(LEAST_POWER, FASTEST * left * coming.stance / leaves))
    return coming.push * leaves * ((share - RISES_FROM) / left) ** power
