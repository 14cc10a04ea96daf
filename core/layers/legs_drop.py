"""What the body does for its feet: it is lowered as far as the lowest foot needs, and laid on the slope if it has many.

A leg may be as long as the pose itself has it, or as its length less a reserve, whichever is longer: what a clip does
by itself is no reason to lower it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, ceil, copysign, cos, hypot, inf, pi, radians, sqrt
from typing import NamedTuple

from mathutils import Vector

from ..space.dampers import LN2, kept_share, spring
from .legs_feet import FootParts, PosedFoot
from .legs_ground import Plane, Slope
from .legs_memory import FootMemory, LegsMemory
from .legs_place import Goal

# A slope counts by how the feet stand off the plane under the body only as far as they are this far apart (legs).
SPREAD = 0.3
# A shortage is not expected to grow or to go faster than this, metres a second.
FASTEST = 0.8
# One that rolls off asks for more and more until it leaves: what it asks for goes no faster than this.
ROLLING = 0.3
# So much further (radians) a knee is bent at most by what a hold asks of the body; where the body is lowered anyway, by
# as much for every ALREADY of it (a share of the leg).
FURTHER, ALREADY = radians(3.8), 0.012
# How fast the body comes down for what only a hold asks for, m/s: a foot that leaves asks for more and more.
HELD_RATE = 0.5
# The body is pushed up and down for its feet by at most so much, m/s², in steps no longer than so many seconds.
PUSH, STEP = 14.0, 1.0 / 240.0
# Where it is late by LATE (metres, for a 0.9 m leg), for a foot that comes down over an edge, it is pushed by as much
# again, and at most by HURRY times as much.
LATE, HURRY = 0.03, 2.0
# For a foot that is known to come down on lower ground the body is pushed down and stopped by so much, m/s².
EVENLY = 8.0


Line = tuple[float, float]
"""A number as it goes on: its value now, and how much it grows a second."""


class Shortage(NamedTuple):
    """How far a hip must come down for its leg to reach its goal, metres (below 0: there is room); the same without
    what a hold asks for; for where the pose itself has it, which is never more than 0; and how far it may come down
    before its knee shows it.
    """

    now: float
    free: float
    own: float
    spare: float


def shortage(
    parts: FootParts,
    foot: PosedFoot,
    hip: Vector,
    goal: Goal,
    reach: float,
    drop: float,
    placed: Vector,
    *,
    on_heel: bool,
) -> Shortage:
    """How far one leg is from reaching its goal, if it gets no longer than `reach`.

    The body is lowered by `drop` anyway, whatever is held. A foot stands so far from where the clip has it by choice
    as it was `placed`: that is no hold.
    """
    shift = goal.stands - foot.end(on_heel=on_heel) - placed
    asked = _above(hip, goal.tip, reach)
    free = min(asked, _above(hip, goal.tip - Vector((shift.x, shift.y, 0.0)), reach))
    own = _above(foot.hip, foot.tip, max(reach, foot.own))
    now = (hip - Vector((0.0, 0.0, drop)) - goal.tip).length
    lowered = FURTHER * drop / (ALREADY * parts.length) if parts.length > 0.0 else 0.0
    bent = min(_bent(parts, max(now, foot.own), FURTHER + lowered), _bent(parts, now, lowered))
    return Shortage(asked, free, own, _above(hip, goal.tip, bent))


def _bent(parts: FootParts, distance: float, further: float) -> float:
    """From hip to tip if the knee of a leg that spans a distance is bent further (radians), as two equal segments."""
    if parts.length <= 0.0:
        return 0.0
    return parts.length * cos(min(0.5 * pi, 0.5 * further + acos(min(1.0, distance / parts.length))))


def _above(hip: Vector, tip: Vector, reach: float) -> float:
    away = hypot(hip.x - tip.x, hip.y - tip.y)
    return hip.z - tip.z - sqrt(reach * reach - away * away) if away < reach else -reach


def lower(
    memory: LegsMemory,
    short: Sequence[Shortage],
    most: tuple[float, float, float],
    dt: float,
    halflives: tuple[float, float],
    coming: Sequence[Line] = (),
) -> float:
    """The drop after a frame, for what each leg is short of: smoothly and in time.

    `most` are the most of it, the most for what only a hold asks for, and how far it is lowered anyway (metres);
    `halflives` those of coming down and up (seconds).
    A spring comes late by what its goal is ahead: where each shortage will be by then, without what the clip's own legs
    will be short of. A foot that stands gets all that it needs at once, and what it got on top is soon given back.
    `coming` are shortages that will be there at once, and the seconds until then.
    """
    feet = memory.feet
    (most_drop, for_hold, anyway), (down, up) = most, halflives
    held = _held(short, feet, for_hold, anyway)
    if dt <= 0.0:
        memory.drop = min(most_drop, max(0.0, *(each.now for each in short)))
        memory.drop_speed = memory.more = memory.more_speed = 0.0
    else:
        drop = memory.drop + memory.more
        needed = [min(each, max(one.free, drop) + HELD_RATE * dt) for each, one in zip(held, short, strict=True)]
        kept = [max(one.free, min(each, drop)) for each, one in zip(held, short, strict=True)]
        asked = _asked(short, kept, feet, most_drop, dt)
        ahead = [(min(most_drop, each), time) for each, time in coming]
        memory.drop, memory.drop_speed = _follow(memory, asked, (down, up), dt, ahead)
        memory.drop = min(most_drop, memory.drop)
        least = max((each for each, foot in zip(needed, feet, strict=True) if foot.down), default=0.0)
        more, speed = spring(memory.more, memory.more_speed, 0.0, down, dt)
        before, memory.more = memory.more, max(0.0, min(most_drop - memory.drop, max(least - memory.drop, more)))
        memory.more_speed = speed if memory.more == more else min(0.0, (memory.more - before) / dt)
    for foot, each in zip(feet, short, strict=True):
        foot.short = (each.free, each.own)
    return memory.drop + memory.more


def let_rise(memory: LegsMemory, halflife: float, dt: float) -> float:
    """The drop after a frame in the air, where no foot asks for any."""
    if dt <= 0.0:
        memory.drop = memory.drop_speed = memory.more = memory.more_speed = 0.0
    memory.drop, memory.drop_speed = spring(memory.drop, memory.drop_speed, 0.0, halflife, dt)
    memory.more, memory.more_speed = spring(memory.more, memory.more_speed, 0.0, halflife, dt)
    memory.drop, memory.more = max(0.0, memory.drop), max(0.0, memory.more)
    for foot in memory.feet:
        foot.short = (0.0, 0.0)
    return memory.drop + memory.more


def _held(short: Sequence[Shortage], feet: Sequence[FootMemory], most: float, anyway: float) -> list[float]:
    """What each foot asks for with its hold: at most so much more than without, and no more than knees show.

    The more the body is lowered anyway, the less the knee of a leg in the air counts.
    """
    rows = zip(short, feet, strict=True)
    knees = min((each.spare + (0.0 if foot.down else anyway) for each, foot in rows), default=0.0)
    return [
        min(each.now, max(each.free, min(knees, max(0.0, each.free) + most))) if foot.down else each.free
        for each, foot in zip(short, feet, strict=True)
    ]


def _asked(
    short: Sequence[Shortage], values: Sequence[float], feet: Sequence[FootMemory], most: float, dt: float
) -> list[tuple[Line, Line]]:
    """What each foot asks of the body as its shortage goes now: the lower of two lines from its `values` on.

    What the clip's own leg is short of is left out: the second line is what is asked once that is more than nothing.
    What a hold asked for until now is no speed.
    """
    asked = [((0.0, 0.0), (0.0, 0.0))]
    for each, value, foot in zip(short, values, feet, strict=True):
        fastest = FASTEST + (ROLLING - FASTEST) * foot.leaving
        rate, own = (
            0.0 if foot.left else min(fastest, max(-FASTEST, (new - old) / dt))
            for new, old in zip((each.free, each.own), foot.short, strict=True)
        )
        lines = (value, rate), (value - each.own, rate - own)
        first, second = ((level, speed) if level < most else (most, 0.0) for level, speed in lines)
        asked.append((first, second))
    return asked


def _follow(
    memory: LegsMemory,
    asked: Sequence[tuple[Line, Line]],
    halflives: tuple[float, float],
    dt: float,
    coming: Sequence[Line],
) -> tuple[float, float]:
    """The drop and its speed after a frame: it comes to the most of what is asked with no more than so much push.

    As fast as it can still be stopped in time, for each of what is asked as if it went on as it goes now.
    """
    drop, speed = memory.drop, memory.drop_speed
    count = max(1, ceil(dt / STEP - 1e-6))
    step = dt / count
    for n in range(count):
        left = dt - (n + 1) * step
        wanted = max(
            min(rate + _closing(value - rate * left - drop, halflives) for value, rate in lines) for lines in asked
        )
        wanted = max(wanted, max((_in_time(each - drop, time + left) for each, time in coming), default=wanted))
        late = max(min(value - rate * left for value, rate in lines) for lines in asked) - drop
        push = PUSH * step * (1.0 + min(HURRY, max(0.0, late / LATE)))
        speed += min(push, max(-push, wanted - speed))
        drop += speed * step
        if drop < 0.0:
            drop, speed = 0.0, max(0.0, speed)
    return drop, speed


def _in_time(off: float, time: float) -> float:
    """How fast to go for something that will be `off` (metres) in so long: not before it must, evenly pushed."""
    if off <= 0.0 or time * time > 4.0 * off / EVENLY:
        return -inf
    return max(off / max(time, STEP), sqrt(2.0 * EVENLY * off))


def _closing(off: float, halflives: tuple[float, float]) -> float:
    """How fast to go for something that is `off` (metres), so that PUSH still stops it there."""
    slack = PUSH * halflives[0 if off > 0.0 else 1] / LN2
    return copysign(sqrt(2.0 * PUSH * abs(off) + slack * slack) - slack, off)


def _needed(short: Sequence[Shortage], feet: Sequence[FootMemory], for_hold: float) -> float:
    """What the feet that stand need at this moment: for a hold at most so much more, and no more than knees show."""
    knees = max(0.0, min((each.spare for each in short), default=0.0))
    needed = [0.0]
    for each, foot in zip(short, feet, strict=True):
        if foot.down:
            free = max(0.0, each.free)
            needed.append(min(each.now, max(free, min(knees, free + for_hold))))
    return max(needed)


def lie(memory: LegsMemory, goals: Sequence[Goal], plane: Plane, leg: float, halflife: float, dt: float) -> Slope:
    """How the ground lies under a body on many legs: as the plane there, and as it is off that under the feet."""
    more = _off_plane(memory, goals, leg)
    wanted = (plane.slope[0] + more[0], plane.slope[1] + more[1])
    kept = kept_share(halflife, dt) if dt > 0.0 else 0.0
    memory.slope = (
        wanted[0] + (memory.slope[0] - wanted[0]) * kept,
        wanted[1] + (memory.slope[1] - wanted[1]) * kept,
    )
    return memory.slope


def _off_plane(memory: LegsMemory, goals: Sequence[Goal], leg: float) -> Slope:
    """The slope of what the ground under the feet is off the plane; feet that are close together say little."""
    heights = [0.5 * (foot.over[0] + foot.over[1]) for foot in memory.feet]
    count = len(goals)
    mx, my = (sum(goal.pivot[k] for goal in goals) / count for k in (0, 1))
    mean = sum(heights) / count
    xx = yy = 0.25 * count * (SPREAD * leg) ** 2
    xy = xz = yz = 0.0
    for goal, height in zip(goals, heights, strict=True):
        x, y, z = goal.pivot.x - mx, goal.pivot.y - my, height - mean
        xx, yy, xy, xz, yz = xx + x * x, yy + y * y, xy + x * y, xz + x * z, yz + y * z
    whole = xx * yy - xy * xy
    return (xz * yy - yz * xy) / whole, (yz * xx - xz * xy) / whole
