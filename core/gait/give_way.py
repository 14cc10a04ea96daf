"""Legs that give way: for a crouch as long as it lasts, for a landing the more the harder it was."""

from __future__ import annotations

from math import e, log

from ..control.intent import Travel
from ..space.dampers import spring
from .memory import GaitMemory

# A body gives way for so long (s) at the speed that it came down with, no further than this share of its legs, and has
# come half up again after this many seconds, for a 0.9 m leg.
GIVES, DEEPEST, COMES_UP = 0.08, 0.38, 0.11
# Of how much lower a crouched body is its legs take this share, its back the rest.
BY_LEGS = 0.5


def give_way(memory: GaitMemory, travel: Travel, leg: float, tempo: float, dt: float) -> None:
    """One tick of the spring that the legs are for what the body is lowered by, and comes down with."""
    body, halflife = memory.body, COMES_UP * tempo
    if travel.impact > 0.0:
        # A critically damped spring of rate w that is pushed at a speed gives way by speed / (e w).
        rate = 2.0 * log(2.0) / halflife
        body.squat_speed += e * rate * min(GIVES * travel.impact * tempo, DEEPEST * leg)
    body.squat, body.squat_speed = spring(body.squat, body.squat_speed, BY_LEGS * travel.lower, halflife, dt)
