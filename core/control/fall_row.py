"""What was recorded of a body that physics has, at one frame: plain numbers, as a director's inputs are."""

from __future__ import annotations

from typing import Literal, NamedTuple

FallState = Literal["ANIMATED", "ACTIVE", "FALLEN", "GETTING_UP"]


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
