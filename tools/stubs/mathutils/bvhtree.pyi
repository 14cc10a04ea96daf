from collections.abc import Sequence
from typing import Any, Self

from . import Vector, _Floats

class BVHTree:
    @classmethod
    def FromPolygons(
        cls,
        vertices: Sequence[_Floats],
        polygons: Sequence[Sequence[int]],
        all_triangles: bool = ...,
        epsilon: float = ...,
    ) -> Self: ...
    @classmethod
    def FromObject(cls, object: Any, depsgraph: Any, *, cage: bool = ..., epsilon: float = ...) -> Self: ...
    @classmethod
    def FromBMesh(cls, bmesh: Any, *, epsilon: float = ...) -> Self: ...
    def ray_cast(
        self, origin: _Floats, direction: _Floats, distance: float = ..., /
    ) -> tuple[Any, Any, Any, Any]: ...
    def find_nearest(
        self, origin: _Floats, distance: float = ..., /
    ) -> tuple[Any, Any, Any, Any]: ...
    def find_nearest_range(
        self, origin: _Floats, distance: float = ..., /
    ) -> list[tuple[Vector, Vector, int, float]]: ...
    def overlap(self, other_tree: BVHTree) -> list[tuple[int, int]]: ...
