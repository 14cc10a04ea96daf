"""Angles and headings in radians, and rotation channels that do not jump from frame to frame.

Heading 0 faces -Y, +90 degrees faces +X: a turn about +Z by the heading, from a character's rest facing.
"""

from __future__ import annotations

import math

import numpy as np

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


def unwrap_quaternions(rotations: np.ndarray) -> np.ndarray:
    """Quaternions (frames, ..., 4) with signs chosen so that no frame is over a half turn from the one before."""
    rotations = np.asarray(rotations, dtype=np.float64)
    if len(rotations) < 2:
        return rotations.copy()
    opposed = np.sum(rotations[1:] * rotations[:-1], axis=-1) < 0.0
    flips = np.cumsum(opposed, axis=0) % 2
    signs = np.concatenate([np.ones_like(flips[:1]), 1 - 2 * flips])
    return rotations * signs[..., None]


def unwrap_eulers(angles: np.ndarray) -> np.ndarray:
    """Euler angles (frames, ..., 3) of any axis order, each frame in the form nearest to the frame before.

    The same rotation has two Euler forms: (a, b, c) and (a + pi, pi - b, c + pi), each up to whole turns. `b` is
    the middle axis of the order, so the angles must come in the order in which they are applied.
    """
    angles = np.array(angles, dtype=np.float64)
    for i in range(1, len(angles)):
        before = angles[i - 1]
        direct = angles[i]
        other = direct * np.array([1.0, -1.0, 1.0]) + math.pi
        forms = np.stack([direct, other])
        forms += np.round((before - forms) / FULL_TURN) * FULL_TURN
        distances = np.sum(np.abs(forms - before), axis=-1)
        angles[i] = np.where((distances[0] <= distances[1])[..., None], forms[0], forms[1])
    return angles
