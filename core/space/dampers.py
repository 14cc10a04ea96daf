"""Dampers that are exact for any time step, each set by one halflife in seconds.

Source: D. Holden, "Spring-It-On: The Game Developer's Spring-Roll-Call" (2021).
"""

from __future__ import annotations

from math import exp, log

LN2 = log(2.0)


def kept_share(halflife: float, dt: float) -> float:
    """The share of a difference that is left after `dt`: one half per halflife, none for a halflife of zero."""
    return exp(-LN2 * dt / halflife) if halflife > 0.0 else 0.0


def damp(value: float, goal: float, halflife: float, dt: float) -> float:
    """`value` after closing in on `goal` exponentially for `dt` seconds."""
    kept = exp(-LN2 * dt / halflife) if halflife > 0.0 else 0.0
    return goal + (value - goal) * kept


def spring(value: float, speed: float, goal: float, halflife: float, dt: float) -> tuple[float, float]:
    """Value and speed of a critically damped spring after `dt` seconds: no overshoot from rest, no jump of speed.

    The halflife is that of the plain damper whose rate the spring's two equal roots have in sum.
    """
    if halflife <= 0.0:
        return goal, 0.0
    rate = 2.0 * LN2 / halflife
    offset = value - goal
    drive = speed + offset * rate
    kept = exp(-rate * dt)
    return goal + kept * (offset + drive * dt), kept * (speed - drive * rate * dt)
