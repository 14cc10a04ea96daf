"""How a body bears itself in the air: arms, trunk, head, and on four legs the whole body along its flight.

All are closed forms of the flight and of how it rises or falls, so that nothing has to be remembered; what follows them
is a spring.
"""

from __future__ import annotations

from math import pi, sin, tanh, tau
from typing import NamedTuple

from ..control.intent import Travel
from ..space.curves import share_of, smoothstep
from .bearing import Bearing
from .give_way import stay_of
from .memory import Flight
from .shape import BodyShape

# All times are seconds, speeds metres a second, of a body with legs of 0.9 m; angles are radians.
# The speed up or down at which it rises or falls all the way.
TURNS_AT = 2.2
# A fall is long between these speeds; arms go round so often a second then, this far forward and out.
LONG_FROM, LONG_AT, TURNS, MILLS_FORWARD, MILLS_OUT = 6.0, 12.0, 1.5, 0.75, 0.3
# Until when arms that swing up with a jump are all the way up, and how far: both from standing; in a running jump
# this far and so much to either side of it, the arm opposite the leading leg forward.
SWINGS_UP, BOTH_UP, RUNS_UP, OPPOSITE = 0.12, 2.3, 0.25, 0.95
# In the fall arms are forward by the first, in a running jump the opposite one by the second more; out to the side they
# are by the third while it rises, by the fourth more while it falls, a quarter less just before it lands.
FALLS_FORWARD, FALLS_OPPOSITE, OUT, FALLS_OUT, LANDS_IN = 0.35, 0.35, 0.2, 0.95, 0.25
# Elbows are bent by this, more where it falls, and in a running jump until it falls.
ELBOW, FALLS_ELBOW, RUNS_ELBOW = 0.35, 0.25, 0.7
# The trunk folds over the top of a running jump and in a fall, and is stretched back in a jump from standing.
FOLDS_OVER, FALLS_FOLDED, STRETCHED = 0.12, 0.1, 0.1
# The head looks down to where it will land, and up where it jumps to.
LOOKS_DOWN, LOOKS_UP = 0.42, 0.18
# It leans ahead while it gives way for a jump, falls, or rises in a running jump.
CROUCHED_LEAN, FALLS_LEANING, RISES_LEANING = 0.3, 0.1, 0.14
# Wings are spread by this share, further in a fall.
SPREAD, FALLS_SPREAD = 0.55, 0.35
# A body on four legs points up and down along its flight, curls up over the top and stretches at either end of it; its
# head stays more level than that.
NOSE_UP, NOSE_DOWN, CURLED, STRETCHED_OUT, HEAD_UP, HEAD_DOWN = 0.34, 0.3, 0.4, 0.2, 0.2, 0.25


class Arms(NamedTuple):
    """One arm in the air: how far it is raised forward and out, and bent."""

    forward: float
    out: float
    elbow: float


def rise_of(travel: Travel, tempo: float) -> float:
    """How much a body rises (1) or falls (-1)."""
    return tanh(travel.velocity[2] / (TURNS_AT * tempo))


def long_fall(travel: Travel, tempo: float) -> float:
    """How long a fall is by its speed, 0 to 1."""
    return share_of(-travel.velocity[2], LONG_FROM * tempo, LONG_AT * tempo)


def bearing_of_four(flight: Flight, travel: Travel, tempo: float) -> Bearing:
    """A trunk on four legs along its flight."""
    rise, share = rise_of(travel, tempo), flight.share
    up, down = max(0.0, rise), max(0.0, -rise)
    pitch = NOSE_DOWN * down * (1.0 - 0.5 * flight.near) - NOSE_UP * up
    fold = CURLED * (1.0 - abs(rise)) * (1.0 - flight.near) - STRETCHED_OUT * abs(rise)
    return Bearing(fold=share * fold, look=share * (HEAD_DOWN * down - HEAD_UP * up), pitch=share * pitch)


def bearing_of_two(flight: Flight, travel: Travel, shape: BodyShape, arms: float) -> Bearing:
    """Arms, trunk, head and wings of a body on two legs; `arms` is how much they do."""
    tempo, share, ahead = shape.tempo, flight.share, flight.ahead
    rise, swung = rise_of(travel, tempo), _swung(flight, tempo)
    up, down = max(0.0, rise), max(0.0, -rise)
    leads = 1.0 if shape.legs[flight.lead].side == "L" else -1.0
    left, right = (_arm(flight, travel, side, leads, tempo) for side in (1.0, -1.0))
    fold = share * (FOLDS_OVER * ahead * (1.0 - abs(rise)) + FALLS_FOLDED * down) - STRETCHED * up * swung * (1 - ahead)
    return Bearing(
        max(share, 0.8 * swung),
        arms * left.forward,
        arms * right.forward,
        arms * left.out,
        arms * right.out,
        left.elbow,
        right.elbow,
        fold,
        share * (LOOKS_DOWN * down - LOOKS_UP * up * (1.0 - ahead)),
        share * (SPREAD + FALLS_SPREAD * down),
    )


def lean_of_two(flight: Flight, travel: Travel, shape: BodyShape) -> float:
    """How far a body on two legs leans ahead."""
    rise, ahead = rise_of(travel, shape.tempo), flight.ahead
    lean = FALLS_LEANING * max(0.0, -rise) + RISES_LEANING * ahead * max(0.0, rise)
    if flight.elapsed < stay_of(flight.jump, shape.leg_length, shape.tempo):
        return flight.share * lean + CROUCHED_LEAN * (1.0 - ahead)
    return flight.share * lean


def _swung(flight: Flight, tempo: float) -> float:
    return smoothstep(flight.elapsed / (SWINGS_UP * tempo)) if flight.jump > 0.0 else 0.0


def _arm(flight: Flight, travel: Travel, side: float, leads: float, tempo: float) -> Arms:
    """The arm of one side (1 left, -1 right); `leads` is the side of the leading leg."""
    rise, ahead = rise_of(travel, tempo), flight.ahead
    up, down, opposite = max(0.0, rise), max(0.0, -rise), -side * leads
    long, turning = long_fall(travel, tempo) * flight.share, tau * TURNS * flight.elapsed / tempo
    # One arm is later than the other, or both would row.
    turns = sin(turning + (0.0 if side > 0.0 else 0.45 * pi)), sin(turning + 0.5 * pi)
    jumps = (1.0 - ahead) * BOTH_UP + ahead * (RUNS_UP + OPPOSITE * opposite)
    falls = FALLS_FORWARD + FALLS_OPPOSITE * ahead * opposite + MILLS_FORWARD * long * turns[0]
    out = (FALLS_OUT + MILLS_OUT * long * turns[1]) * down * (1.0 - LANDS_IN * flight.near)
    return Arms(
        _swung(flight, tempo) * jumps * (1.0 - down) + falls * down,
        OUT + 0.15 * ahead + out,
        ELBOW + RUNS_ELBOW * ahead * (1.0 - down) + FALLS_ELBOW * (1.0 - up),
    )
