"""Angles and headings in radians.

Heading 0 faces -Y, +90 degrees faces +X: a turn about +Z by the heading, from a character's rest facing.
"""

from __future__ import annotations

import math

FULL_TURN = 2.0 * math.pi


def wrapped(angle: float) -> float:
    """`angle` brought into (-pi, pi]."""
    return math.pi - (math.pi - angle) % FULL_TURN


def turn_between(start: float, end: float) -> float:
    """The shortest turn from one angle to another, in (-pi, pi]."""
    return wrapped(end - start)


def heading_of(x: float, y: float) -> float:
    """The heading of a horizontal direction (0 for none)."""
    return math.atan2(x, -y) if x or y else 0.0


def facing(heading: float) -> tuple[float, float]:
    """The horizontal unit direction (x, y) that a heading faces."""
    return math.sin(heading), -math.cos(heading)


def left_of(heading: float) -> tuple[float, float]:
    """The horizontal unit direction (x, y) to the left of a heading."""
    return math.cos(heading), math.sin(heading)
