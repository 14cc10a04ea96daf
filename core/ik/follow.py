"""A chain laid along a curve: a snake's body, a tentacle or a tail on its way along a path.

The curve is a line through points. Each joint is where the curve first leaves the sphere of one bone's length about the
joint before, so that bones keep their lengths to the last digit while joints stay on the curve. Everything adds up in
plain floats: a curve may lie far from the origin.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import dist, sqrt
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..space.rigid import Triple
from ..space.vectors import cross
from .swing import TOLERANCE, aim, twist

BEHIND: Triple = (0.0, 1.0, 0.0)
"""Which way a curve goes on that is one point."""


class Joint(NamedTuple):
    """A joint on a curve: where it is, and how far along (metres of arc; outside the ends of the curve too)."""

    place: Triple
    along: float


def lay_along(curve: Sequence[Sequence[float]], lengths: Sequence[float], start: float = 0.0) -> list[Vector]:
    """The joints of a chain on a curve, one more than `lengths` (metres): neighbours are exactly one length apart.

    The first joint is `start` metres of arc along the curve, the others follow in its direction. Before its first point
    and past its last one the curve goes straight on; one of a single point goes on along +Y.
    """
    return [Vector(joint.place) for joint in joints_along(curve, lengths, start)]


def joints_along(curve: Sequence[Sequence[float]], lengths: Sequence[float], start: float = 0.0) -> list[Joint]:
    """As `lay_along`, in plain floats and with each joint's arc length."""
    line = _Line(curve)
    joint = line.at(start)
    joints = [joint]
    for length in lengths:
        joint = line.leaves(joint, length)
        joints.append(joint)
    return joints


def turns_along(
    joints: Sequence[Vector], ups: Vector | Sequence[Vector], start: Quaternion | None = None
) -> list[Quaternion]:
    """The model rotations of bones between `joints` (Y along the bone), each turned so that its Z looks to its up.

    `ups` is one direction for all, or one a bone. From bone to bone the axes are carried by the smallest turn, and only
    then rolled towards up: where a bone runs along its up, which says nothing there, it keeps the roll of the one
    before. `start` is a rotation from which the first bone is turned by the smallest turn.
    """
    wishes = [ups] * (len(joints) - 1) if isinstance(ups, Vector) else list(ups)
    carried = start
    turns: list[Quaternion] = []
    for (a, b), up in zip(pairwise(joints), wishes, strict=True):
        line = b - a
        if carried is None:
            carried = _first(line, up)
        if line.length > TOLERANCE * TOLERANCE:
            line.normalize()
            side = carried @ Vector((1.0, 0.0, 0.0))
            carried = aim(carried @ Vector((0.0, 1.0, 0.0)), line, side) @ carried
            roll = twist(line, carried @ Vector((0.0, 0.0, 1.0)), up)
            carried = (roll @ carried if roll else carried).normalized()
        turns.append(carried)
    return turns


def _first(line: Vector, up: Vector) -> Quaternion:
    """Axes of a bone along `line` whose Z looks to `up`; without a line it lies behind."""
    y = line.normalized() if line.length > 0.0 else Vector(BEHIND)
    z = up - y * up.dot(y)
    z = (z if z.length > TOLERANCE * up.length else y.orthogonal()).normalized()
    return Matrix((cross(y, z), y, z)).transposed().to_quaternion()


class _Line:
    """A line through points, without its doubled ones, and their arc lengths."""

    def __init__(self, curve: Sequence[Sequence[float]]) -> None:
        points: list[Triple] = []
        arcs: list[float] = []
        for x, y, z in curve:
            point = (float(x), float(y), float(z))
            step = dist(points[-1], point) if points else 0.0
            if not points or step > 0.0:
                arcs.append(arcs[-1] + step if arcs else 0.0)
                points.append(point)
        if not points:
            raise ValueError("The curve has no point; give it at least one.")
        self.points, self.arcs = points, arcs
        self.directions = [
            ((bx - ax) / (t - s), (by - ay) / (t - s), (bz - az) / (t - s))
            for ((ax, ay, az), (bx, by, bz)), (s, t) in zip(pairwise(points), pairwise(arcs), strict=True)
        ] or [BEHIND]

    def at(self, along: float) -> Joint:
        """The place at an arc length."""
        k = min(max(bisect_right(self.arcs, along) - 1, 0), len(self.directions) - 1)
        return self._on(k, along - self.arcs[k])

    def leaves(self, joint: Joint, length: float) -> Joint:
        """Where the curve, from `joint` on, first is `length` away from it."""
        px, py, pz = joint.place
        last = len(self.directions) - 1
        k = min(max(bisect_right(self.arcs, joint.along) - 1, 0), last)
        while k < last and dist(self.points[k + 1], joint.place) < length:
            k += 1
        (ax, ay, az), (dx, dy, dz) = self.points[k], self.directions[k]
        x, y, z = ax - px, ay - py, az - pz
        along = x * dx + y * dy + z * dz
        across = x * x + y * y + z * z - along * along
        return self._on(k, sqrt(max(length * length - across, 0.0)) - along)

    def _on(self, k: int, t: float) -> Joint:
        """The place `t` metres along piece `k`."""
        (ax, ay, az), (dx, dy, dz) = self.points[k], self.directions[k]
        return Joint((ax + t * dx, ay + t * dy, az + t * dz), self.arcs[k] + t)
