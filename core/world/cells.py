"""Where a body can stand and walk, cell by cell: heights by rays, room by capsules. A level needs nothing marked.

Cells are squares of the plan. A place on one is a floor over its middle, so that one cell has as many places as it has
floors. All is asked when it is needed and kept, and follows from the world alone: whoever asks the same again, in
whatever order, is told the same. What moves is no floor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, hypot
from typing import NamedTuple

from mathutils import Vector

from ..space.rigid import Triple
from .probe import DOWN
from .world import Hit, World

CHEST = 0.5
"""The way to a place is looked along so high, of the body's height."""
HEAD = 0.15
"""So far over a step a floor is looked for from, of the radius: never from above what is overhead."""
NARROW = 0.95
"""Room is asked for a body of this share of its radius: it comes as near to a wall as its radius."""
MEETS = 0.1
"""Floors no further apart than this are one, metres."""


class Body(NamedTuple):
    """Who walks: radius and height, the highest step, how far down it keeps to the floor, how upright floor is."""

    radius: float
    height: float
    step: float
    stick: float
    upright: float


class Cell(NamedTuple):
    """One square of the plan, on one of its floors (their number is that of a height, in steps of MEETS)."""

    i: int
    j: int
    level: int


@dataclass(slots=True)
class Cells:
    """The places of a world for one body."""

    world: World
    body: Body
    size: float
    most: int = 200_000
    _known: dict[Triple, bool] = field(default_factory=dict)
    _steps: dict[tuple[Cell, int, int], Triple | None] = field(default_factory=dict)

    def cell_of(self, place: Triple) -> Cell:
        """The cell that a place is in."""
        x, y, z = place
        return Cell(round(x / self.size), round(y / self.size), round(z / MEETS))

    def middle(self, i: int, j: int) -> tuple[float, float]:
        """The middle of a square."""
        return i * self.size, j * self.size

    def floor(self, x: float, y: float, top: float, bottom: float) -> Hit | None:
        """The first floor to stand on between two heights; None where there is none, or what is there moves or is
        steep.
        """
        hit = self.world.cast_ray(Vector((x, y, top)), DOWN, top - bottom)
        if hit is None or hit.back or hit.normal.z < self.body.upright or self.world.moves(hit.surface):
            return None
        return hit

    def fits(self, place: Triple) -> bool:
        """True where the body has room over a floor. What is lower than a step is stepped over."""
        x, y, z = place
        body = self.body
        radius = NARROW * body.radius
        high = z + max(body.height, 2.0 * body.radius) - body.radius
        low = min(z + body.step + body.radius, high)
        return self.world.capsule_fits(Vector((x, y, low)), Vector((x, y, high)), radius)

    def stands(self, x: float, y: float, top: float, bottom: float) -> Triple | None:
        """The place to stand between two heights, with room."""
        hit = self.floor(x, y, top, bottom)
        if hit is None:
            return None
        place = (x, y, hit.position.z)
        if place not in self._known:
            if len(self._known) >= self.most:
                self._known.clear()
            self._known[place] = self.fits(place)
        return place if self._known[place] else None

    def step(self, place: Triple, cell: Cell, di: int, dj: int) -> Triple | None:
        """The place in a square beside a cell that is walked to from it; None where no way leads there."""
        key = (cell, di, dj)
        if key not in self._steps:
            if len(self._steps) >= self.most:
                self._steps.clear()
            self._steps[key] = self.walked(place, *self.middle(cell.i + di, cell.j + dj))
        return self._steps[key]

    def walked(self, place: Triple, x: float, y: float) -> Triple | None:
        """Where a body comes to that walks from a place to a near spot of the plan, None where it gets not there."""
        px, py, pz = place
        way = hypot(x - px, y - py)
        if way == 0.0:
            return place
        start = Vector((px, py, pz + CHEST * self.body.height))
        if self.world.cast_ray(start, Vector(((x - px) / way, (y - py) / way, 0.0)), way) is not None:
            return None
        top = pz + self.body.step + HEAD * self.body.radius
        return self.stands(x, y, top, pz - max(self.body.stick, way))

    def straight(self, start: Triple, end: Triple) -> bool:
        """True where a straight way is free: it is walked in steps of a cell."""
        way = hypot(end[0] - start[0], end[1] - start[1])
        count = max(1, ceil(way / self.size))
        here: Triple | None = start
        for k in range(1, count + 1):
            share = k / count
            assert here is not None
            x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            here = self.walked(here, x, y)
            if here is None:
                return False
        assert here is not None
        return abs(here[2] - end[2]) <= self.body.step

    def sees(self, a: Triple, b: Triple) -> bool:
        """True where nothing is between two places, at the height of the chest over the higher one."""
        height = max(a[2], b[2]) + CHEST * self.body.height
        way = hypot(b[0] - a[0], b[1] - a[1])
        if way == 0.0:
            return True
        ahead = Vector(((b[0] - a[0]) / way, (b[1] - a[1]) / way, 0.0))
        return self.world.cast_ray(Vector((a[0], a[1], height)), ahead, way) is None

    def near(self, place: Triple, rings: int = 2) -> tuple[Cell, Triple] | None:
        """The cell with a place to stand that is nearest to a place, within so many rings of squares."""
        x, y, z = place
        i, j, _ = self.cell_of(place)
        best: tuple[float, Cell, Triple] | None = None
        for di in range(-rings, rings + 1):
            for dj in range(-rings, rings + 1):
                cx, cy = self.middle(i + di, j + dj)
                found = self.stands(cx, cy, z + self.body.step, z - self.body.step - self.body.stick)
                if found is None or not self.sees(place, found):
                    continue
                far = hypot(cx - x, cy - y) + abs(found[2] - z)
                if best is None or far < best[0]:
                    best = far, self.cell_of(found), found
        return None if best is None else best[1:]
