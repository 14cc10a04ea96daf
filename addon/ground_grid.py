"""A broad phase: which surfaces may lie above or below a place. A grid over the ground plan of their boxes."""

from __future__ import annotations

from math import floor, inf

from mathutils import Vector

from .ground_surface import Surface

CELLS = 32
"""Cells along the longer side of the ground plan."""

Box = tuple[Vector, Vector]


class GroundGrid:
    """Surfaces by ground plan; answers in the order in which they were given."""

    def __init__(self, surfaces: list[Surface]) -> None:
        self.boxes: list[tuple[Surface, Box]] = [(surface, surface.bounds()) for surface in surfaces]
        low_x = min((low.x for _, (low, _) in self.boxes), default=0.0)
        low_y = min((low.y for _, (low, _) in self.boxes), default=0.0)
        span = max((max(high.x - low_x, high.y - low_y) for _, (_, high) in self.boxes), default=0.0)
        self.cell = max(span / CELLS, 1e-3)
        self.cells: dict[tuple[int, int], list[tuple[Surface, Box]]] = {}
        for entry in self.boxes:
            low, high = entry[1]
            for i in range(floor(low.x / self.cell), floor(high.x / self.cell) + 1):
                for j in range(floor(low.y / self.cell), floor(high.y / self.cell) + 1):
                    self.cells.setdefault((i, j), []).append(entry)

    def column(self, x: float, y: float) -> list[tuple[Surface, Box]]:
        """The surfaces that may lie above or below a place."""
        return self.cells.get((floor(x / self.cell), floor(y / self.cell)), [])

    def along(self, origin: Vector, direction: Vector, distance: float) -> list[Surface]:
        """The surfaces whose box a ray passes."""
        if direction.x == 0.0 and direction.y == 0.0:
            end = origin.z + direction.z * distance
            bottom, top = (end, origin.z) if end < origin.z else (origin.z, end)
            return [s for s, (low, high) in self.column(origin.x, origin.y) if low.z <= top and high.z >= bottom]
        return [s for s, box in self.boxes if _passes(box, origin, direction, distance)]

    def around(self, point: Vector, distance: float) -> list[Surface]:
        """The surfaces whose box comes within a distance."""
        return [s for s, box in self.boxes if _gap(box, point) <= distance]


def _passes(box: Box, origin: Vector, direction: Vector, distance: float) -> bool:
    enter, leave = 0.0, distance
    for low, high, o, d in zip(*box, origin, direction, strict=True):
        if d == 0.0:
            if not low <= o <= high:
                return False
            continue
        near, far = (low - o) / d, (high - o) / d
        enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
    return enter <= leave


def _gap(box: Box, point: Vector) -> float:
    if not box:
        return inf
    low, high = box
    closest = Vector(min(max(p, a), b) for p, a, b in zip(point, low, high, strict=True))
    return (closest - point).length
