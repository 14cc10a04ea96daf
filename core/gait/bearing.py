"""What trunk, head, arms and wings do beside the gait: in the air, landing, crouched. Springs towards a goal each."""

from __future__ import annotations

from typing import NamedTuple

from ..control.intent import Travel
from ..space.dampers import spring
from .give_way import BY_LEGS
from .memory import BodyMemory, GaitMemory
from .shape import BodyShape

OVER = 1e-6
# Legs that give way by this share of their length are all down.
ALL_DOWN = 0.42


class Bearing(NamedTuple):
    """How a body bears itself, radians; all 0: as its gait has it.

    `arms` is how much (0 to 1) of the gait's arms these are instead: raised forward and out by so much as seen from an
    upright body, and bent. `fold` bends the spine forward over the pelvis, or flexes a trunk on four legs, `look` turns
    the head down, `wings` is how far they are spread (0 to 1). `pitch` is the body's own, nose down.
    """

    arms: float = 0.0
    left_forward: float = 0.0
    right_forward: float = 0.0
    left_out: float = 0.0
    right_out: float = 0.0
    left_elbow: float = 0.0
    right_elbow: float = 0.0
    fold: float = 0.0
    look: float = 0.0
    wings: float = 0.0
    pitch: float = 0.0


EASY = Bearing()
_COUNT = len(EASY)


def bearing_of(body: BodyMemory) -> Bearing:
    """The bearing of this moment."""
    return Bearing(*body.bearing[:_COUNT]) if body.bearing else EASY


def bear(body: BodyMemory, goal: Bearing, halflife: float, dt: float) -> None:
    """One tick towards a bearing; one that is as the gait has it is forgotten."""
    if not body.bearing:
        if goal == EASY:
            return
        body.bearing = (0.0,) * (2 * _COUNT)
    sprung = [
        spring(value, speed, wanted, halflife, dt)
        for value, speed, wanted in zip(body.bearing[:_COUNT], body.bearing[_COUNT:], goal, strict=True)
    ]
    row = (*(value for value, _ in sprung), *(speed for _, speed in sprung))
    body.bearing = () if goal == EASY and max(map(abs, row)) < OVER else row


def on_ground(memory: GaitMemory, travel: Travel, shape: BodyShape) -> Bearing:
    """How a body bears itself that gives way for a landing, is held by one, or crouches."""
    body, leg = memory.body, shape.leg_length
    low = BY_LEGS * travel.lower
    if body.squat == 0.0 and low == 0.0:
        return EASY
    crouch = min(1.0, low / (ALL_DOWN * leg))
    flight = memory.flight
    gives = max(0.0, min(1.0, (body.squat - low) / (ALL_DOWN * leg))) if flight is not None else 0.0
    if flight is not None and travel.held <= 0.0:
        gives *= 1.0 - 0.75 * flight.ahead
    held = 1.0 if travel.held > 0.0 else 0.0
    if shape.pairs > 1:
        return Bearing(fold=0.2 * gives + 0.12 * crouch, look=0.3 * gives + 0.5 * crouch)
    easy = 1.0 - held
    weight = min(1.0, 0.7 * crouch + 2.5 * gives)
    if weight <= 0.0 and held <= 0.0:
        return EASY
    forward = easy * (0.6 - 0.35 * crouch) + held * 0.2
    out = easy * (0.35 - 0.2 * crouch) + held * 0.18
    elbow = easy * (0.5 + 0.5 * crouch) + held * 0.12
    fold = shape.erect**2 * (0.2 * crouch + 0.35 * gives * easy + 0.75 * held)
    look = -0.12 * crouch + 0.2 * gives
    return Bearing(max(weight, held), forward, forward, out, out, elbow, elbow, fold, look, 0.5 * gives)
