"""Turns and frames in plain floats, for what adds up over a whole run: mathutils would lose digits tick by tick."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Triple = tuple[float, float, float]
Turn = tuple[float, float, float, float]
"""A unit quaternion w, x, y, z."""

NO_TURN: Turn = (1.0, 0.0, 0.0, 0.0)


def turned(turn: Turn, v: Triple) -> Triple:
    """A vector after a turn."""
    w, x, y, z = turn
    vx, vy, vz = v
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return (
        vx + w * tx + (y * tz - z * ty),
        vy + w * ty + (z * tx - x * tz),
        vz + w * tz + (x * ty - y * tx),
    )


def after(second: Turn, first: Turn) -> Turn:
    """One turn after another, of length 1 again."""
    a, b, c, d = second
    w, x, y, z = first
    p = a * w - b * x - c * y - d * z
    q = a * x + b * w + c * z - d * y
    r = a * y - b * z + c * w + d * x
    s = a * z + b * y - c * x + d * w
    # Added up one by one: `sum` adds in other ways from one Python to the next.
    length = sqrt(p * p + q * q + r * r + s * s)
    return p / length, q / length, r / length, s / length


def undone(turn: Turn) -> Turn:
    """The turn back."""
    w, x, y, z = turn
    return w, -x, -y, -z


def between(a: Triple, b: Triple) -> Turn:
    """The shortest turn from one unit vector to another; for opposite ones about an axis square to the first."""
    w = 1.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    if w < 1e-9:
        axis = (0.0, -a[2], a[1]) if abs(a[0]) < 0.9 else (a[2], 0.0, -a[0])
        return after((0.0, *axis), NO_TURN)
    return after((w, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]), NO_TURN)


class Frame(NamedTuple):
    """A frame in the scene: where its origin is, and its turn (frame to scene)."""

    origin: Triple
    turn: Turn

    def to_scene(self, p: Triple) -> Triple:
        """A place of this frame in the scene."""
        x, y, z = turned(self.turn, p)
        return x + self.origin[0], y + self.origin[1], z + self.origin[2]

    def from_scene(self, p: Triple) -> Triple:
        """A place of the scene in this frame."""
        ox, oy, oz = self.origin
        return turned(undone(self.turn), (p[0] - ox, p[1] - oy, p[2] - oz))
