"""A rotation in the numbers of a bone's own mode, in the form nearest to the row before it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mathutils import Quaternion

from ..core.space.angles import FULL_TURN

AXES = {"X": 0, "Y": 1, "Z": 2}
STILL = 1e-7  # radians; below it an axis means nothing


def euler_numbers(rotation: Quaternion, order: str, before: Sequence[float]) -> tuple[float, float, float]:
    """Euler angles (x, y, z) in `order`, whole turns and the second form chosen so that they continue `before`.

    The second form of (a, b, c) is (a + pi, pi - b, c + pi) with b about the middle axis of the order. A form that
    is less than a half turn away in sum is always the nearer one.
    """
    direct = rotation.to_euler(order)
    first, distance = _nearest(direct.x, direct.y, direct.z, before)
    if distance < math.pi:
        return first
    middle = AXES[order[1]]
    x, y, z = (math.pi - a if axis == middle else a + math.pi for axis, a in enumerate(direct))
    second, other_distance = _nearest(x, y, z, before)
    return first if distance <= other_distance else second


def axis_angle_numbers(rotation: Quaternion, before: Sequence[float]) -> tuple[float, float, float, float]:
    """Angle and axis (angle, x, y, z); the axis keeps its side and the angle its turns from `before` on."""
    sine = math.sqrt(rotation.x**2 + rotation.y**2 + rotation.z**2)
    angle = 2.0 * math.atan2(sine, rotation.w)
    if sine < STILL:
        return round(before[0] / FULL_TURN) * FULL_TURN, before[1], before[2], before[3]
    axis = (rotation.x / sine, rotation.y / sine, rotation.z / sine)
    if sum(a * b for a, b in zip(axis, before[1:], strict=True)) < 0.0:
        axis, angle = (-axis[0], -axis[1], -axis[2]), -angle
    angle += round((before[0] - angle) / FULL_TURN) * FULL_TURN
    return angle, *axis


def _nearest(x: float, y: float, z: float, before: Sequence[float]) -> tuple[tuple[float, float, float], float]:
    """The angles brought nearest to `before` by whole turns, and how far they are from it in sum."""
    a, b, c = before
    x += round((a - x) / FULL_TURN) * FULL_TURN
    y += round((b - y) / FULL_TURN) * FULL_TURN
    z += round((c - z) / FULL_TURN) * FULL_TURN
    return (x, y, z), abs(x - a) + abs(y - b) + abs(z - c)
