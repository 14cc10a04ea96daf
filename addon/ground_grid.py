"""A broad phase: which surfaces may lie above or below a place. A grid over the ground plan of their boxes."""

from __future__ import annotations

from mathutils import Vector

from .ground_surface import Surface

CELLS = 32
"""Cells along the longer side of the ground plan."""


NONE: list[Surface] = []


class GroundGrid:
    """Surfaces by ground plan; answers in the order in which they were given."""

    def __init__(self, surfaces: list[Surface]) -> None:
        self.boxes = [(surface, *surface.bounds()) for surface in surfaces]
        low_x = min((low.x for _, low, _ in self.boxes), default=0.0)
        low_y = min((low.y for _, low, _ in self.boxes), default=0.0)
        span = max((max(high.x - low_x, high.y - low_y) for _, _, high in self.boxes), default=0.0)
        self.cell = max(span / CELLS, 1e-3)
        self.cells: dict[tuple[float, float], list[Surface]] = {}
        for surface, low, high in self.boxes:
            for i in range(int(low.x // self.cell), int(high.x // self.cell) + 1):
                for j in range(int(low.y // self.cell), int(high.y // self.cell) + 1):
                    self.cells.setdefault((i, j), []).append(surface)

    def along(self, origin: Vector, direction: Vector, distance: float) -> list[Surface]:
        """The surfaces whose box a ray passes; for an upright ray those in its column, higher and lower ones too."""
        if direction.x == 0.0 and direction.y == 0.0:
            return self.cells.get((origin.x // self.cell, origin.y // self.cell), NONE)
        return [surface for surface, low, high in self.boxes if _passes(low, high, origin, direction, distance)]

    def around(self, point: Vector, distance: float) -> list[Surface]:
        """The surfaces whose box comes within a distance."""
        return [surface for surface, low, high in self.boxes if _gap(low, high, point) <= distance]


def _passes(low: Vector, high: Vector, origin: Vector, direction: Vector, distance: float) -> bool:
    enter, leave = 0.0, distance
    for bottom, top, o, d in zip(low, high, origin, direction, strict=True):
        if d == 0.0:
            if not bottom <= o <= top:
                return False
            continue
        near, far = (bottom - o) / d, (top - o) / d
        enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
    return enter <= leave


def _gap(low: Vector, high: Vector, point: Vector) -> float:
    closest = Vector([min(max(p, a), b) for p, a, b in zip(point, low, high, strict=True)])
    return (closest - point).length
