"""How a gaze goes after what it looks at: it catches up with jumps, and is not late for what only the body does.

A chased angle is kept as its offset from where it should be, on a critically damped spring. A thing that stands still
while the body passes it, and one that goes along with the body, are seen without any lag: only what a target does
both in the scene and against the body is caught up with.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, radians
from typing import NamedTuple

from ..space.dampers import LN2, kept_share, spring

# Radians, and radians a second, that are none any more.
NOTHING = 1e-5
# A target that was given up is taken again this much before the angle at which it was let go.
AGAIN = radians(15.0)


def own_change(in_scene: float, against_body: float) -> float:
    """How much of an angle's change is the target's own: the smaller of both, none where they disagree."""
    if in_scene * against_body <= 0.0:
        return 0.0
    return in_scene if abs(in_scene) < abs(against_body) else against_body


def chase(
    offset: Sequence[float], speed: Sequence[float], change: Sequence[float], halflife: float, most: float, dt: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Offsets from the goal, and speeds, after a frame in which the goal moved evenly by `change`; of angles together.

    Exact for a goal of constant speed, which they follow late by the halflife over ln 2. `most` is the highest speed of
    all in one, radians a second.
    """
    still = (0.0,) * len(offset)
    if dt <= 0.0 or halflife <= 0.0:
        return still, still
    after, speeds, way = [], [], []
    for far, fast, moved in zip(offset, speed, change, strict=True):
        goal_speed = moved / dt
        late = goal_speed * halflife / LN2
        left, slow = spring(far + late, fast - goal_speed, 0.0, halflife, dt)
        after.append(left - late)
        speeds.append(slow + goal_speed)
        way.append(left - late + moved - far)
    went, room = hypot(*way), most * dt
    if went > room:
        share = room / went
        held = tuple(far + share * step - moved for far, step, moved in zip(offset, way, change, strict=True))
        return held, tuple(share * step / dt for step in way)
    if max(map(abs, (*change, *after, *speeds))) < NOTHING:
        return still, still
    return tuple(after), tuple(speeds)


def follow(offset: float, change: float, halflife: float, dt: float) -> float:
    """Offset from the goal after a frame in which the goal moved evenly by `change`, closing in without a spring."""
    if dt <= 0.0 or halflife <= 0.0:
        return 0.0
    late = change / dt * halflife / LN2
    return (offset + late) * kept_share(halflife, dt) - late


class Held(NamedTuple):
    """Whether a target is given up, and for how long of this frame that is so, seconds."""

    dropped: bool
    since: float


def given_up(dropped: bool, far: float, before: float, limit: float, dt: float) -> Held:
    """A target is given up beyond a limit (radians), and taken again a little nearer to the front.

    `before` is how far round it was at the last frame (-1: nothing was). When it passed the limit within the frame is
    found from there, so that coarse and fine frames do the same.
    """
    limit -= AGAIN if dropped else 0.0
    drops = far > limit
    passed = drops != dropped and before >= 0.0 and (before > limit) == dropped
    return Held(drops, dt * (far - limit) / (far - before) if passed else dt)


def fade(
    weight: float, speed: float, *, on: bool, angle: float, halflife: float, most: float, dt: float
) -> tuple[float, float]:
    """A weight that comes or goes smoothly, without turning what it weighs by more than `most` radians a second.

    `angle` is the turn that the whole weight makes.
    """
    goal = 1.0 if on else 0.0
    if dt <= 0.0 or halflife <= 0.0:
        return goal, 0.0
    after, speed_after = spring(weight, speed, goal, halflife, dt)
    way, room = after - weight, most * dt / max(angle, 1e-6)
    if abs(way) > room:
        held = room if way > 0.0 else -room
        after, speed_after = weight + held, held / dt
    if abs(after - goal) < 1e-4 and abs(speed_after) < 1e-3:
        return goal, 0.0
    return min(1.0, max(0.0, after)), speed_after
