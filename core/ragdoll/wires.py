"""Solids and joint limits as lines to be drawn: points, and which of them are joined."""

from __future__ import annotations

from math import ceil, cos, pi, radians, sin
from typing import NamedTuple

from ..space.rigid import Triple
from .plan import Joint, Shape

SIDES = 12
# A line of a limit's outline has a point at least every so many degrees.
STEP = radians(8.0)
# A joint that goes aside by less than this is drawn as one arc.
THIN = radians(12.0)
# Where twist is drawn: how far along the bone, and how far from it, shares of the radius.
TWIST_AT, TWIST_RADIUS = 0.55, 0.3


class Wire(NamedTuple):
    """Points, and the lines between them by their places."""

    points: list[Triple]
    edges: list[tuple[int, int]]

    def add(self, line: list[Triple], *, closed: bool = False) -> None:
        """A line through these points."""
        first = len(self.points)
        self.points.extend(line)
        self.edges.extend((first + k, first + k + 1) for k in range(len(line) - 1))
        if closed:
            self.edges.append((first + len(line) - 1, first))


def solid_wire(shape: Shape, size: Triple) -> Wire:
    """The outline of a solid in its own axes, about its middle, metres."""
    return _box(size) if shape == "BOX" else _capsule(size)


def _box(size: Triple) -> Wire:
    x, y, z = (0.5 * length for length in size)
    corners = [(i * x, j * y, k * z) for k in (-1, 1) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    edges = [(k + i, k + (i + 1) % 4) for k in (0, 4) for i in range(4)] + [(i, i + 4) for i in range(4)]
    return Wire(corners, edges)


def _capsule(size: Triple) -> Wire:
    """A ring at each end of its line, four lines along, and two half circles over each cap."""
    radius = 0.5 * max(size[0], size[1])
    half = max(0.0, 0.5 * size[2] - radius)
    wire = Wire([], [])
    for end in (-half, half):
        turns = [2.0 * pi * k / SIDES for k in range(SIDES)]
        wire.add([(radius * cos(t), radius * sin(t), end) for t in turns], closed=True)
    for sign, end in ((-1.0, -half), (1.0, half)):
        halves = [pi * k / SIDES for k in range(SIDES + 1)]
        wire.add([(radius * cos(t), 0.0, end + sign * radius * sin(t)) for t in halves])
        wire.add([(0.0, radius * cos(t), end + sign * radius * sin(t)) for t in halves])
    quarter = SIDES // 4
    wire.edges.extend((k, SIDES + k) for k in range(0, SIDES, quarter))
    return wire


def limit_wire(joint: Joint, radius: float) -> Wire:
    """How far a joint goes, in its frame on the parent: where the bone's far end may be, and how far it may twist.

    The outline is what turns of X and Y between their limits make of a point `radius` along Z; spokes lead to its
    corners. Twist is an arc about Z.
    """
    (x_low, y_low, z_low), (x_high, y_high, z_high) = joint.low, joint.high
    wire = Wire([], [])
    if y_high - y_low < THIN:
        middle = 0.5 * (y_low + y_high)
        arc = [_far(x, middle, radius) for x in _between(x_low, x_high)]
        wire.add([(0.0, 0.0, 0.0), *arc], closed=True)
    else:
        outline = [_far(x, y_low, radius) for x in _between(x_low, x_high)]
        outline += [_far(x_high, y, radius) for y in _between(y_low, y_high)][1:]
        outline += [_far(x, y_high, radius) for x in _between(x_high, x_low)][1:]
        outline += [_far(x_low, y, radius) for y in _between(y_high, y_low)][1:-1]
        wire.add(outline, closed=True)
        for x, y in ((x_low, y_low), (x_high, y_low), (x_high, y_high), (x_low, y_high)):
            wire.add([(0.0, 0.0, 0.0), _far(x, y, radius)])
    along, out = TWIST_AT * radius, TWIST_RADIUS * radius
    twist = [(out * cos(z), out * sin(z), along) for z in _between(z_low, z_high)]
    wire.add([(0.0, 0.0, along), *twist], closed=True)
    return wire


def _far(x: float, y: float, radius: float) -> Triple:
    """A point of Z after a turn of y about Y and then of x about X."""
    return radius * sin(y), -radius * sin(x) * cos(y), radius * cos(x) * cos(y)


def _between(a: float, b: float) -> list[float]:
    count = max(1, ceil(abs(b - a) / STEP))
    return [a + (b - a) * k / count for k in range(count + 1)]
