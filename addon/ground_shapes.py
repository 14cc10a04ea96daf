"""The search trees that are kept: one for each shape, for as long as some ground has it."""

from __future__ import annotations

from collections.abc import Collection

import bpy
import numpy as np
from mathutils import Matrix
from mathutils.bvhtree import BVHTree

from .ground_mesh import (
    SMALL,
    Fingerprint,
    Triangles,
    fingerprint,
    large_tree,
    triangle_count,
    triangles_of,
    vertex_places,
)
from .ground_set import GroundItem
from .ground_surface import Shape


class ShapeStore:
    """Fingerprints, triangles and trees of the ground's meshes. `builds` counts the trees made so far."""

    def __init__(self) -> None:
        self.builds = 0
        self._prints: dict[int, Fingerprint] = {}
        self._triangles: dict[Fingerprint, Triangles] = {}
        self._shapes: dict[tuple[Fingerprint, tuple[float, ...]], Shape] = {}

    def take_prints(self, items: list[GroundItem], touched: Collection[int] | None) -> dict[int, Fingerprint]:
        """Each surface's shape; only what bends, was touched or is new is looked at, or all if `touched` is None."""
        seen: dict[int, Fingerprint] = {}
        prints = {}
        for item in items:
            known = self._prints.get(item.surface)
            if known is None or touched is None or item.bends or any(uid in touched for uid in item.uids):
                pointer = item.mesh.as_pointer()
                if pointer not in seen:
                    seen[pointer] = fingerprint(item.mesh)
                known = seen[pointer]
            prints[item.surface] = known
        self._prints = prints
        return prints

    def print_of(self, surface: int) -> Fingerprint:
        """The shape that a surface had when shapes were taken last."""
        return self._prints[surface]

    def triangles(self, item: GroundItem, key: Fingerprint) -> Triangles:
        """The triangles of a shape, in its mesh's own space."""
        known = self._triangles.get(key)
        if known is None:
            known = self._triangles[key] = triangles_of(item.mesh)
        return known

    def shape(self, item: GroundItem, key: Fingerprint, stretch: Matrix, depsgraph: bpy.types.Depsgraph) -> Shape:
        """The tree of a shape with a stretch built in."""
        whole_key = (key, tuple(value for row in stretch for value in row))
        known = self._shapes.get(whole_key)
        if known is None:
            known = self._shapes[whole_key] = self._build(item, key, stretch, depsgraph)
        return known

    def _build(self, item: GroundItem, key: Fingerprint, stretch: Matrix, depsgraph: bpy.types.Depsgraph) -> Shape:
        self.builds += 1
        whole_key = (key, tuple(value for row in stretch for value in row))
        if item.bends or triangle_count(item.mesh) <= SMALL:
            triangles = self.triangles(item, key).moved(stretch)
            low, high = triangles.places.min(axis=0), triangles.places.max(axis=0)
            return Shape(triangles.tree(), triangles, whole_key, tuple(low.tolist()), tuple(high.tolist()))
        if item.source is not None and stretch == Matrix.Identity(4):
            tree = BVHTree.FromObject(item.source.original, depsgraph)
        else:
            tree = large_tree(item.mesh, stretch)
        m = np.array(stretch)
        places = vertex_places(item.mesh).reshape(-1, 3) @ m[:3, :3].T + m[:3, 3]
        low, high = places.min(axis=0), places.max(axis=0)
        return Shape(tree, None, whole_key, tuple(low.tolist()), tuple(high.tolist()))

    def forget_all_but(self, shapes: list[Shape]) -> None:
        """Drop what no ground has any more."""
        kept = {shape.key for shape in shapes}
        prints = set(self._prints.values())
        self._shapes = {key: shape for key, shape in self._shapes.items() if key in kept}
        self._triangles = {key: item for key, item in self._triangles.items() if key in prints}
