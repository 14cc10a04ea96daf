"""The longest cycle that a body may take: low over its legs, turning on the spot, going sideways."""

from __future__ import annotations

from math import hypot, inf, sqrt, tau

from ..control.intent import Travel
from .give_way import BY_LEGS
from .memory import GaitMemory
from .patterns import GRAVITY, Pattern, froude
from .shape import BodyShape
from .stride import HASTIEST

# Crouched low, steps keep at least the rest of this share of their time: of two legs, and of four.
MOST_CROUCHED, CROUCHED_ON_FOUR = 0.5, 0.2
# Two feet on the spot turn by no more than this (radians) in a cycle, while the gait is quick enough; slower than this
# Froude number is on the spot.
MOST_TURN, CREEPS = 0.9, 0.005
# In a stride it goes to one side by no more than this share of a leg.
MOST_ASIDE = 0.5


def low_share(memory: GaitMemory, travel: Travel, shape: BodyShape) -> float:
    """The share of its longest cycle that a body has which is low over its legs: knees of two would touch, and four
    that crouch, but not those that give way for a moment, take short steps.
    """
    low = max(0.0, memory.body.squat) / shape.leg_length
    if shape.pairs == 1:
        return 1.0 - min(MOST_CROUCHED, low)
    return 1.0 - min(CROUCHED_ON_FOUR, low, BY_LEGS * travel.lower / shape.leg_length) if shape.pairs == 2 else 1.0


def longest_turning(travel: Travel, pattern: Pattern, shape: BodyShape) -> float:
    """The longest cycle of feet that turn on the spot."""
    rate = abs(travel.turn_rate)
    if shape.pairs > 1 or not rate or froude(hypot(*travel.velocity), shape.leg_length) > CREEPS:
        return inf
    return max(MOST_TURN / rate, pattern.cycle_fast * tau * sqrt(shape.stature / GRAVITY))


def longest_sideways(speed: float, pattern: Pattern, shape: BodyShape) -> float:
    """The longest cycle of a body on two legs with this part of its speed to one side: its legs would cross."""
    if shape.pairs > 1 or speed < 1e-6:
        return inf
    return max(MOST_ASIDE * shape.stature / speed, HASTIEST * pattern.cycle_fast * tau * sqrt(shape.stature / GRAVITY))
