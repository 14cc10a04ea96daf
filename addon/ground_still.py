"""Still ground in small meshes, merged into one search tree in world space: one cast asks them all."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

import numpy as np

from .ground_mesh import Triangles
from .ground_surface import NOTHING, Touch


def _nothing(*_question: object) -> Touch:
    return NOTHING


class StillGround:
    """The merged tree, and whose each of its triangles is. `ray` and `nearest` are the tree's own."""

    def __init__(self, parts: list[tuple[int, Triangles]]) -> None:
        """`parts`: each surface's number with its triangles in the world."""
        self.numbers = [number for number, _ in parts]
        self.starts: list[int] = []
        places, corners = [], []
        vertex_count = triangle_count = 0
        for _, part in parts:
            self.starts.append(triangle_count)
            places.append(part.places)
            corners.append(part.corners + vertex_count)
            vertex_count += len(part.places)
            triangle_count += len(part.corners)
        tree = None
        if triangle_count:
            tree = Triangles(np.concatenate(places), np.concatenate(corners)).tree()
        self.ray: Callable[..., Touch] = tree.ray_cast if tree is not None else _nothing
        self.nearest: Callable[..., Touch] = tree.find_nearest if tree is not None else _nothing

    def owner(self, face: int) -> tuple[int, int]:
        """The surface that a triangle belongs to, and the triangle's number in it."""
        k = bisect_right(self.starts, face) - 1
        return self.numbers[k], face - self.starts[k]
