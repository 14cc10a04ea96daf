"""The damped harmonic oscillator in closed form: exact for any time step, whether it swings, just returns, or creeps.

x'' = -square * x - 2 * decay * x', solved over a step as one linear map of value and speed.
Sources: the textbook solution of the linear oscillator; D. Holden, "Spring-It-On: The Game Developer's
Spring-Roll-Call" (2021), for a halflife as the measure of damping.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, cosh, exp, expm1, log, pi, sin, sinh, sqrt
from typing import NamedTuple

LN2 = log(2.0)
# Nearer to critical than this the two roots are one: their difference would be of rounding alone.
_CRITICAL = 1e-4
# Beyond this the growing half of the creeping solution leaves the range of floats; it is then taken by itself.
_LARGE = 300.0


class Step(NamedTuple):
    """One step: value' = keep * value + gain * speed; speed' = back * value + slow * speed. Any vectors do as well."""

    keep: float
    gain: float
    back: float
    slow: float


def swinging(frequency: float, halflife: float) -> tuple[float, float]:
    """Square and decay of what is seen to swing `frequency` times a second while its swing halves each halflife.

    With a frequency of 0 it returns without swinging, as quickly as that halflife allows (critically damped).
    """
    decay = LN2 / halflife
    return (2.0 * pi * frequency) ** 2 + decay * decay, decay


def sprung(frequency: float, halflife: float) -> tuple[float, float]:
    """Square and decay of a spring that would swing so often without damping, and is damped to that halflife.

    With a halflife under ln 2 / (2 pi frequency) it is over-damped: it creeps back.
    """
    return (2.0 * pi * frequency) ** 2, LN2 / halflife


@lru_cache(maxsize=1024)
def step(square: float, decay: float, dt: float) -> Step:
    """The map over `dt` seconds of x'' = -square * x - 2 * decay * x'.

    Stable for every step and stiffness: what swings out of sight between two steps is damped all the same.
    """
    inside = square - decay * decay
    if abs(inside) * dt * dt < _CRITICAL * _CRITICAL or (abs(inside) < 1e-12 * square):
        kept = exp(-decay * dt)
        cosine, sine = kept, kept * dt
    elif inside > 0.0:
        rate, kept = sqrt(inside), exp(-decay * dt)
        cosine, sine = kept * cos(rate * dt), kept * sin(rate * dt) / rate
    else:
        rate = sqrt(-inside)
        cosine, sine = _creeping(rate, decay, dt)
    return Step(cosine + decay * sine, sine, -square * sine, cosine - decay * sine)


def _creeping(rate: float, decay: float, dt: float) -> tuple[float, float]:
    """exp(-decay dt) times cosh(rate dt), and times sinh(rate dt) / rate, also where these alone are too large."""
    if rate * dt < _LARGE:
        kept = exp(-decay * dt)
        return kept * cosh(rate * dt), kept * sinh(rate * dt) / rate
    half = 0.5 * exp((rate - decay) * dt)
    return half, -half * expm1(-2.0 * rate * dt) / rate
