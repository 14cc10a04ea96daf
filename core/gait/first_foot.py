"""With which foot a body on two legs sets out: with the one that the other would have to cross later."""

from __future__ import annotations

from math import hypot

from ..control.intent import Travel
from ..space.angles import turn_between
from .frame import split_velocity
from .memory import GaitMemory
from .patterns import Side
from .step import Predict

# With this share of its way to one side it begins with the foot on that side.
SIDEWAYS = 0.3
# One that sets out and turns by more than the first (radians), as foreseen for so many cycles, begins with the foot on
# the outside; one that nearly faces about steps on the spot first.
SETS_OUT_TURNING, ABOUT_FACE, FORESEEN = 0.25, 2.3, 5.0


def first_side(memory: GaitMemory, travel: Travel, predict: Predict, stature: float) -> Side:
    """The side whose foot sets out; none where it goes straight ahead. `stature` is the body's, metres.

    Who turns on the spot or goes sideways begins with the foot on that side. Who turns as it sets out begins with the
    other, which has the longer way around: left behind, it would have to cross.
    """
    place, goes = travel.place, travel.velocity != (0.0, 0.0, 0.0)
    across = split_velocity(travel)[1] if goes else travel.turn_rate
    inner: Side = ""
    if abs(across) > (SIDEWAYS if goes else 0.0):
        inner = "LEFT" if across > 0.0 else "RIGHT"
        if goes:
            return inner
    there = predict(FORESEEN * memory.cycle)
    turns = turn_between(place.heading, there.heading)
    leaves = hypot(there.x - place.x, there.y - place.y) > stature
    if leaves and SETS_OUT_TURNING < abs(turns) < ABOUT_FACE:
        return "RIGHT" if turns > 0.0 else "LEFT"
    return inner
