"""What a body does that only stands: it breathes, and now and then it takes its weight from one leg to the other.

All of it is a fixed function of one time that always runs, eased in while the body stands and out when it walks, so
that a frame is the same however it is reached. Feet take no part. On more than two legs it is calmer.
"""

from __future__ import annotations

from math import cos, pi, sqrt
from typing import NamedTuple

from ..space.curves import smootherstep
from ..space.dampers import spring
from .config import GaitConfig
from .memory import BodyMemory
from .shape import BodyShape

# Seconds for a 0.9 m leg. Adults at rest breathe 12 to 16 times a minute and take 40 % of it to breathe in.
BREATH, INHALES = 60.0 / 14.0, 0.4
# Weight is shifted once in so many seconds, and takes so many of them to go over.
SHIFT_EVERY, SHIFT_TAKES = 7.0, 1.9
COMES, GOES = 0.3, 0.08
# The least of a shift, as a share of the largest.
LEAST_SHIFT = 0.65
# In shares of a leg: sideways on two legs and on more, ahead on more, and how far a breath lifts the front of a body.
SIDEWAYS, SIDEWAYS_LEVEL, AHEAD_LEVEL, LIFTS = 0.036, 0.014, 0.008, 0.007
# On two legs: the free side of the pelvis drops and comes ahead, the chest leans back over the feet (radians).
LISTS, TWISTS, LEANS = 0.036, 0.03, 0.035
# Legs that stand straight give in by this share, or a turn of the pelvis would lift a heel.
SPARE = 0.002
# How far a breath turns the chest back (radians).
CHEST = 0.065
GOLDEN, SILVER = 0.6180339887498949, 0.4142135623730951
HEAD_START = 600.0
OVER = 1e-6


class Idle(NamedTuple):
    """What standing adds to the body: metres to the left and ahead, turns of the pelvis, how far girdles sink."""

    sideways: float
    ahead: float
    twist: float
    lists: float
    sinks: tuple[float, ...]


class IdleMotion:
    """Standing, of one body. Immutable: what changes is in the BodyMemory."""

    def __init__(self, shape: BodyShape, config: GaitConfig) -> None:
        self.config = config
        self.tempo = shape.tempo
        self.leg_length = shape.leg_length
        self.two_legs = shape.pairs == 1
        self.girdles = shape.pairs
        self.legs = [(leg.hip[0], leg.hip[0] - leg.tip[0], leg.hip[2] - leg.tip[2]) for leg in shape.legs]

    def tick(self, body: BodyMemory, dt: float, *, rests: bool) -> None:
        """Let time pass; ease in while the body rests on all its feet."""
        body.time += dt
        if rests or body.calm > 0.0:
            halflife = (COMES if rests else GOES) * self.tempo
            body.calm, body.calm_speed = spring(body.calm, body.calm_speed, float(rests), halflife, dt)
            if not rests and body.calm < OVER:
                body.calm = body.calm_speed = 0.0

    def now(self, body: BodyMemory) -> Idle:
        """What standing adds to the body at this moment."""
        x = self.weight(body)
        if self.two_legs:
            sideways, lists = SIDEWAYS * self.leg_length * x, LISTS * x
            spare = SPARE * self.leg_length * body.calm
            return Idle(sideways, 0.0, -TWISTS * x, lists, (self._sink(sideways, lists) + spare,))
        exhaled = LIFTS * self.leg_length * self.config.breath * body.calm * (1.0 - breath(body.time / self.tempo))
        sinks = tuple(exhaled if girdle == 0 else 0.3 * exhaled for girdle in range(self.girdles))
        ahead = AHEAD_LEVEL * self.leg_length * self._scale(body) * shifted(0.6 * body.time / self.tempo + 100.0)
        return Idle(SIDEWAYS_LEVEL * self.leg_length * x, ahead, 0.0, 0.0, sinks)

    def weight(self, body: BodyMemory) -> float:
        """Where the weight is: from -1, all on the right, to 1, all on the left."""
        return self._scale(body) * shifted(body.time / self.tempo)

    def chest(self, body: BodyMemory) -> float:
        """How far the chest is turned back by this breath, radians."""
        return CHEST * self.config.breath * body.calm * (breath(body.time / self.tempo) - 0.5)

    def _scale(self, body: BodyMemory) -> float:
        return self.config.idle_shift * body.calm

    def _sink(self, sideways: float, lists: float) -> float:
        """How far hips that go sideways and tip must sink so that no leg becomes longer than it was."""
        most = 0.0
        for hip, across, height in self.legs:
            now = across + sideways
            most = max(most, height - sqrt(max(height * height + across * across - now * now, 0.0)) + lists * hip)
        return most


def head_start(seed: int) -> float:
    """The time at which a body of this seed begins."""
    return HEAD_START * (seed * GOLDEN % 1.0)


def breath(time: float) -> float:
    """How full the lungs are, 0 to 1; `time` in seconds of a 0.9 m leg."""
    phase = (time / BREATH) % 1.0
    if phase < INHALES:
        return 0.5 - 0.5 * cos(pi * phase / INHALES)
    return 0.5 + 0.5 * cos(pi * (phase - INHALES) / (1.0 - INHALES))


def shifted(time: float) -> float:
    """Which leg carries, from -1 (right) to 1 (left); `time` in seconds of a 0.9 m leg. No two shifts are alike."""
    count = int(time / SHIFT_EVERY)
    begins = (count * SILVER % 1.0) * (SHIFT_EVERY - SHIFT_TAKES)
    over = smootherstep((time - count * SHIFT_EVERY - begins) / SHIFT_TAKES)
    first, second = _stays(count), _stays(count + 1)
    return first + (second - first) * over


def _stays(count: int) -> float:
    """Where the weight stays after so many shifts."""
    if count == 0:
        return 0.0
    far = LEAST_SHIFT + (1.0 - LEAST_SHIFT) * (count * GOLDEN % 1.0)
    return far if count % 2 else -far
