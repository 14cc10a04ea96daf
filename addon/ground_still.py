"""Still ground in small meshes, merged into one search tree in world space: one cast asks them all."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from .ground_mesh import Triangles
from .ground_surface import Touch


class StillGround:
    """The merged tree, and whose each of its triangles is."""

    def __init__(self, parts: list[tuple[int, Triangles]]) -> None:
        """`parts`: each surface's number with its triangles in the world."""
        self.numbers = [number for number, _ in parts]
        self.starts: list[int] = []
        self.tree: BVHTree | None = None
        places, corners = [], []
        vertex_count = triangle_count = 0
        for _, part in parts:
            self.starts.append(triangle_count)
            places.append(part.places)
            corners.append(part.corners + vertex_count)
            vertex_count += len(part.places)
            triangle_count += len(part.corners)
        if triangle_count:
            self.tree = Triangles(np.concatenate(places), np.concatenate(corners)).tree()

    def ray(self, origin: Vector, direction: Vector, distance: float) -> Touch | None:
        """The first touch of a ray."""
        if self.tree is None:
            return None
        place, normal, face, far = self.tree.ray_cast(origin, direction, distance)
        return None if place is None else Touch(place, normal, far, face)

    def nearest(self, point: Vector, distance: float) -> Touch | None:
        """The closest place."""
        if self.tree is None:
            return None
        place, normal, face, far = self.tree.find_nearest(point, distance)
        return None if place is None else Touch(place, normal, far, face)

    def owner(self, face: int) -> tuple[int, int]:
        """The surface that a triangle belongs to, and the triangle's number in it."""
        k = bisect_right(self.starts, face) - 1
        return self.numbers[k], face - self.starts[k]
