"""Wind that comes in gusts: the same for one seed and time, smooth, and never quite repeating."""

from __future__ import annotations

from math import pi, sin

from mathutils import Vector

from ..space.angles import facing

# Times a second at which gusts come and go, and how much of the whole each is. No two have a common period.
_GUSTS = ((0.137, 0.45), (0.311, 0.3), (0.773, 0.25))
# How far a gust veers to the side, radians.
_VEER = 0.35


def wind_at(speed: float, heading: float, gusts: float, seed: int, time: float) -> Vector:
    """The wind at a time, world space, metres a second, blowing to `heading`.

    `gusts` is the share of it that comes and goes.
    """
    lull = 0.5 - 0.5 * _wave(seed, time)
    fx, fy = facing(heading + _VEER * gusts * _wave(seed + 1, time))
    strength = speed * (1.0 - gusts * lull)
    return Vector((fx * strength, fy * strength, 0.0))


def _wave(seed: int, time: float) -> float:
    """A number from -1 to 1."""
    return sum(share * sin(2.0 * pi * rate * time + _phase(seed, k)) for k, (rate, share) in enumerate(_GUSTS))


def _phase(seed: int, k: int) -> float:
    """An angle that neighbouring seeds do not share: the seed's bits, well mixed."""
    mixed = (seed * 0x9E3779B1 + k * 0x85EBCA77) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
    return 2.0 * pi * (mixed ^ (mixed >> 12)) / 2.0**32
