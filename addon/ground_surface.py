"""One surface that is asked by itself: a large mesh, or one that moves or bends between two frames.

Its tree stands in a frame that is a turn, a place and an even scale; uneven scale, shear and mirroring are built into
the tree, so that distances and normals in the tree are true.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2
from typing import Any, NamedTuple

from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree
from mathutils.geometry import barycentric_transform, closest_point_on_tri

from .ground_mesh import Fingerprint, Triangles

UNIT_CORNERS = (Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0)))
CLOSE = 1e-5


@dataclass(frozen=True)
class Shape:
    """A mesh's tree with what it was read from; `triangles` where faces are triangles read by us."""

    tree: BVHTree
    triangles: Triangles | None
    key: tuple[Fingerprint, tuple[float, ...]]
    low: tuple[float, float, float]
    high: tuple[float, float, float]


class State(NamedTuple):
    """A surface at a whole frame: where its tree stands, what is built into the tree, and the tree.

    `come` is how far it has gone along on itself, metres along its axes, None for one that does not.
    """

    frame: Matrix
    stretch: Matrix
    shape: Shape
    come: tuple[float, float, float] | None = None


Touch = tuple[Any, Any, Any, Any]
"""As a BVHTree answers: world place, normal (either side), face of the tree, distance to the asker; or four Nones."""

NOTHING: Touch = (None, None, None, None)


def split_matrix(matrix: Matrix, known: Matrix | None = None) -> tuple[Matrix, Matrix]:
    """A world matrix as (frame, stretch): matrix = frame @ stretch, stretch the identity if the scale is even.

    `known` is the stretch of the frame before; it is taken again if it still fits, so that its tree is, too.
    """
    place, turn, scale = matrix.decompose()
    rigid = Matrix.LocRotScale(place, turn, None)
    stretch = rigid.inverted() @ matrix
    size = scale.x
    even = rigid @ Matrix.Scale(size, 4)
    if size > 0.0 and _close(stretch, Matrix.Scale(size, 4), size):
        return even, Matrix.Identity(4)
    if known is not None and _close(stretch, known, max(map(abs, scale))):
        return rigid, known
    return rigid, stretch


def _close(a: Matrix, b: Matrix, size: float) -> bool:
    return all(
        abs(p - q) <= CLOSE * size for row, other in zip(a, b, strict=True) for p, q in zip(row, other, strict=True)
    )


class Surface:
    """A surface between two whole frames. `set_time` moves it; then it answers as it is there."""

    def __init__(self, number: int, state: State, *, moves: bool) -> None:
        self.number = number
        self.moves = moves
        self.before = self.now = state
        self.fps = 24.0
        self.set_time(1.0)

    def show(self, state: State, *, follows: bool) -> None:
        """Take a frame's state: as the next one after `now` (`follows`), or anew with no motion."""
        self.before = self.now if follows else state
        self.now = state

    def replace(self, state: State) -> None:
        """The same frame again, changed by an edit."""
        self.now = state

    def set_time(self, fraction: float) -> None:
        """Go to a share of the way from the frame before to this one."""
        self.fraction = fraction
        self.bends = self.before.shape is not self.now.shape
        still = self.before.frame == self.now.frame
        self.place = (
            self.now.frame if still or fraction >= 1.0 else _between(self.before.frame, self.now.frame, fraction)
        )
        self.inverse = self.place.inverted()
        self.turn = self.place.to_3x3()
        self.inverse_turn = self.turn.inverted()
        self.scale = self.inverse_turn.col[0].length
        self.motion = (self.now.frame - self.before.frame) * self.fps @ self.inverse
        self.shape = self.before.shape if self.bends and fraction < 0.5 else self.now.shape
        self._between = self.bends and 0.0 < fraction < 1.0
        self.come, self._flow = self._gone_along(fraction)
        self._upright = self.place == Matrix.Identity(4) and not self._between

    def _gone_along(self, fraction: float) -> tuple[tuple[float, float, float] | None, Vector]:
        """How far the surface has gone along on itself, and how fast it goes (a second), in the tree's frame."""
        first, last = self.before.come, self.now.come
        if last is None:
            return None, Vector()
        first = last if first is None else first
        steps = [(b - a) * self.scale for a, b in zip(first, last, strict=True)]
        x, y, z = (a * self.scale + step * fraction for a, step in zip(first, steps, strict=True))
        return (x, y, z), Vector(steps) * self.fps

    def bounds(self) -> tuple[Vector, Vector]:
        """The world box that holds the surface from the frame before to this one."""
        corners = [state.frame @ corner for state in (self.before, self.now) for corner in _box(state.shape)]
        low = Vector(min(c[k] for c in corners) for k in range(3))
        high = Vector(max(c[k] for c in corners) for k in range(3))
        # A turn between the frames may swing a corner out of both boxes.
        swing = 0.1 * (high - low).length if self.before.frame != self.now.frame else 1e-4
        return low - Vector((swing,) * 3), high + Vector((swing,) * 3)

    def ray(self, origin: Vector, direction: Vector, distance: float) -> Touch:
        """The first touch of a ray."""
        if self._upright:
            return self.shape.tree.ray_cast(origin, direction, distance)
        start, way = self.inverse @ origin, self.inverse_turn @ direction
        if self._between:
            return self._ray_between(origin, direction, distance, (start, way))
        touch: Touch = self.shape.tree.ray_cast(start, way, distance * self.scale)
        place, normal, face, far = touch
        if place is None:
            return NOTHING
        far /= self.scale
        return origin + direction * far, (self.turn @ normal).normalized(), face, far

    def _ray_between(self, origin: Vector, direction: Vector, distance: float, own_ray: tuple[Vector, Vector]) -> Touch:
        """While the shape is between two, a ray's distance is between those to the two."""
        first: Touch = self.before.shape.tree.ray_cast(*own_ray, distance * self.scale * 2.0)
        last: Touch = self.now.shape.tree.ray_cast(*own_ray, distance * self.scale * 2.0)
        if first[0] is None or last[0] is None:
            return NOTHING
        t = self.fraction
        far = (first[3] * (1.0 - t) + last[3] * t) / self.scale
        if far > distance:
            return NOTHING
        normal = first[1].lerp(last[1] if last[1].dot(first[1]) >= 0.0 else -last[1], t)
        face = first[2] if self.shape is self.before.shape else last[2]
        return origin + direction * far, (self.turn @ normal).normalized(), face, far

    def nearest(self, point: Vector, distance: float) -> Touch:
        """The closest place (between two shapes: on the one that is nearer in time)."""
        touch: Touch = self.shape.tree.find_nearest(self.inverse @ point, distance * self.scale)
        place, normal, face, far = touch
        if place is None:
            return NOTHING
        return self.place @ place, (self.turn @ normal).normalized(), face, far / self.scale

    def weights(self, place: Vector, face: int) -> tuple[float, float, float]:
        """The shares of a triangle's corners in a world place; zeros where the faces are no triangles of ours."""
        triangles = self.shape.triangles
        if triangles is None or not 0 <= face < len(triangles.corners):
            return 0.0, 0.0, 0.0
        a, b, c = self._corners(face)
        point = closest_point_on_tri(self.inverse @ place, a, b, c)
        u, v, w = barycentric_transform(point, a, b, c, *UNIT_CORNERS)
        return u, v, w

    def anchored(self, face: int, local: tuple[float, float, float], weights: tuple[float, float, float]) -> Vector:
        """The world place of an anchor: by its triangle's corners where the shape bends, else by its local place."""
        if self.come is not None:
            return self.place @ Vector(a + b for a, b in zip(local, self.come, strict=True))
        return self.place @ self._own_place(face, local, weights)

    def own_place(self, place: Vector) -> tuple[float, float, float]:
        """A world place as an anchor keeps it: where the surface stands, less how far it has gone along on itself.

        The latter grows for ever, hence plain floats.
        """
        x, y, z = self.inverse @ place
        if self.come is None:
            return x, y, z
        return x - self.come[0], y - self.come[1], z - self.come[2]

    def _own_place(self, face: int, local: tuple[float, float, float], weights: tuple[float, float, float]) -> Vector:
        if not self._keeps(face) or not any(weights):
            return Vector(local)
        a, b, c = self._corners(face)
        return a * weights[0] + b * weights[1] + c * weights[2]

    def _keeps(self, face: int) -> bool:
        """True where the face is a triangle in both shapes."""
        first, last = self.before.shape.triangles, self.now.shape.triangles
        return first is not None and last is not None and 0 <= face < min(len(first.corners), len(last.corners))

    def _corners(self, face: int) -> tuple[Vector, Vector, Vector]:
        shown = self.shape.triangles
        if not self._between or not self._keeps(face):
            return shown.corner_places(face)
        first = self.before.shape.triangles.corner_places(face)
        last = self.now.shape.triangles.corner_places(face)
        a, b, c = (p.lerp(q, self.fraction) for p, q in zip(first, last, strict=True))
        return a, b, c

    def velocity(self, place: Vector, face: int) -> Vector:
        """How fast the material at a world place moves, metres a second."""
        if not (self.bends and self._keeps(face)):
            return self.motion @ place + self.turn @ self._flow
        shares = self.weights(place, face)
        start, end = (
            sum((corner * share for corner, share in zip(corners, shares, strict=True)), Vector())
            for corners in (
                self.before.shape.triangles.corner_places(face),
                self.now.shape.triangles.corner_places(face),
            )
        )
        return (self.now.frame @ end - self.before.frame @ start) * self.fps

    def normal_of(self, face: int, normal: tuple[float, float, float]) -> Vector:
        """The world normal of an anchor: its triangle's as it is now where the shape bends, on the side it had."""
        kept = Vector(normal)
        if self.shape.triangles is not None and self.bends and self._keeps(face):
            a, b, c = self._corners(face)
            fresh = (b - a).cross(c - a)
            if fresh.length_squared > 0.0:
                kept = fresh if fresh.dot(kept) >= 0.0 else -fresh
        return (self.turn @ kept).normalized()

    def whole_turn(self) -> float:
        """The turn about Z from the frame before to this one."""
        if self.before.frame == self.now.frame:
            return 0.0
        turn = self.now.frame.to_3x3() @ self.before.frame.to_3x3().inverted()
        return atan2(turn[1][0], turn[0][0])


def _between(first: Matrix, last: Matrix, t: float) -> Matrix:
    """Between two frames: places and sizes evenly, turns the short way.

    For small turns slerp, and Matrix.lerp with it, leaves the quaternion too short: 1e-5 rad if not normalized.
    """
    (place, turn, size), (end_place, end_turn, end_size) = first.decompose(), last.decompose()
    return Matrix.LocRotScale(place.lerp(end_place, t), turn.slerp(end_turn, t).normalized(), size.lerp(end_size, t))


def _box(shape: Shape) -> list[Vector]:
    (x0, y0, z0), (x1, y1, z1) = shape.low, shape.high
    return [Vector((x, y, z)) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)]
