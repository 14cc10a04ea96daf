"""What all feet of a body share in a tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, sin
from typing import NamedTuple

from mathutils import Vector

from ..control.intent import Place, Travel
from ..space.angles import turn_between
from ..world.world import World
from .foot import Foothold
from .memory import GaitMemory
from .patterns import Pattern
from .stride import Stride

Predict = Callable[[float], Place]

# A body that stops brings its feet together to so many leg lengths of their places, if it can in so many cycles.
TOGETHER, TOGETHER_IN = 0.035, 1.5


class Step(NamedTuple):
    """What all feet of one tick share. `given` are footholds by leg role that need no asking.

    `slope` is the ground's rise per metre of world x and y, `direction` the unit direction of travel (0, 0 standing).
    """

    travel: Travel
    predict: Predict
    world: World
    stride: Stride
    pattern: Pattern
    walking: bool
    dt: float
    hurry: float
    given: Mapping[str, Foothold]
    slope: Vector
    direction: tuple[float, float]


def together(memory: GaitMemory, resettle: float) -> float:
    """How far, in leg lengths, a standing foot may be from its place before it steps there."""
    return min(resettle, TOGETHER) if memory.stepping and memory.rest < TOGETHER_IN * memory.cycle else resettle


def direction_at(place: Place, step: Step) -> tuple[float, float]:
    """The unit direction of travel at a place that the body will come to: it turns with the body on the way there."""
    turned, (dx, dy) = turn_between(step.travel.place.heading, place.heading), step.direction
    c, s = cos(turned), sin(turned)
    return c * dx - s * dy, s * dx + c * dy
