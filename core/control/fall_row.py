"""What was recorded of a body that physics has, at one frame: plain numbers, as a director's inputs are."""

from __future__ import annotations

from typing import Literal, NamedTuple

from mathutils import Quaternion

FallState = Literal["ANIMATED", "ACTIVE", "FALLEN", "GETTING_UP"]
NUMBERS = 7
"""So many numbers tell where a body is (3) and how it is turned (4)."""


class FallRow(NamedTuple):
    """One frame of a record. `state` is the state machine's; `since` is how long it has been in it, seconds.

    `bodies` are seven numbers a body in the order of its plan: where its middle is and its turn (w, x, y, z), world
    space, metres. Empty where physics has nothing of it (ANIMATED, GETTING_UP). `weights` is how much of each body
    physics has, from 0 (animated) to 1; empty: all of all. `events` is what happened in this frame: `hit`, `fell`,
    `stood_up`, `recovered`. `push` is the speed of the last hit's part that is still to be caught, world, m/s; it leads
    the steps. `begins` counts the runs of physics: another number is another run.
    """

    state: FallState
    since: float = 0.0
    bodies: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()
    events: tuple[str, ...] = ()
    push: tuple[float, float, float] = (0.0, 0.0, 0.0)
    begins: int = 0


class Blow(NamedTuple):
    """A hit that physics has nothing of, in the frame in which it comes: the speed that it gives (world, m/s), and the
    role of the body that it hits, empty for the trunk.
    """

    velocity: tuple[float, float, float]
    role: str = ""


def fall_between(before: FallRow | None, after: FallRow | None, share: float) -> FallRow | None:
    """The row at a share of the way from one frame to the next: places on straight ways, turns on the shortest.

    All else is the later frame's; what happened in it is told at its end. From a frame of which physics has nothing,
    nothing is known on the way.
    """
    if share >= 1.0 or before is None or after is None:
        return after if share >= 1.0 else None
    if len(before.bodies) != len(after.bodies):
        return after._replace(events=())
    bodies: list[float] = []
    for i in range(0, len(after.bodies), NUMBERS):
        was, now = before.bodies[i : i + NUMBERS], after.bodies[i : i + NUMBERS]
        bodies += [a + (b - a) * share for a, b in zip(was[:3], now[:3], strict=True)]
        bodies.extend(Quaternion(was[3:]).slerp(Quaternion(now[3:]), share))
    weights = after.weights
    if len(before.weights) == len(weights):
        weights = tuple(a + (b - a) * share for a, b in zip(before.weights, weights, strict=True))
    return after._replace(bodies=tuple(bodies), weights=weights, events=())
