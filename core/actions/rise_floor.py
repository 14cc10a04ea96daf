"""The floor under a body that gets up, felt once when it begins and kept as plain numbers.

Where the floor is a plane, three numbers are all. Else it is a grid of heights, each the highest about its place: what
is kept over it is over the floor itself, and nothing jumps where a limb passes the edge of a stair.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from typing import NamedTuple

from mathutils import Vector

from ..world.world import World

# In legs: half of what is felt about a body, how far apart, and how far a floor may be off a plane to be one.
HALF, CELL, FLAT = 1.5, 0.09, 0.006
COARSE = 7
ABOVE, DEPTH = 1.6, 4.0
SIDE = int(2 * HALF / CELL) + 1


class Floor(NamedTuple):
    """Heights over the frame in which a body rises (its ground at 0), by places in that frame, metres.

    `plane`: height at the origin, rise along x and y. `grid` (SIDE rows of y with SIDE numbers of x each) is empty
    where the plane is all; `cell` is how far apart its places are, the first at -`half`.
    """

    plane: tuple[float, float, float] = (0.0, 0.0, 0.0)
    grid: tuple[float, ...] = ()
    cell: float = 0.0
    half: float = 0.0

    def height(self, x: float, y: float) -> float:
        """The floor's height at a place, or a little more beside an edge."""
        if not self.grid:
            level, a, b = self.plane
            return level + a * x + b * y
        last = SIDE - 1
        u = min(max((x + self.half) / self.cell, 0.0), last - 1e-6)
        v = min(max((y + self.half) / self.cell, 0.0), last - 1e-6)
        i, j = int(u), int(v)
        u, v = u - i, v - j
        k = j * SIDE + i
        low = self.grid[k] + (self.grid[k + 1] - self.grid[k]) * u
        high = self.grid[k + SIDE] + (self.grid[k + SIDE + 1] - self.grid[k + SIDE]) * u
        return low + (high - low) * v

    @property
    def normal(self) -> Vector:
        """Which way all of it faces, steps smoothed over."""
        return Vector((-self.plane[1], -self.plane[2], 1.0)).normalized()


def felt(world: World, frame: tuple[float, float, float, float], leg: float, least: float) -> Floor:
    """The floor about a place (x, y, z, heading), for a leg of some length; places without any are at `least`."""
    x, y, z, heading = frame
    c, s = cos(heading), sin(heading)
    half, top, depth = HALF * leg, ABOVE * leg, DEPTH * leg

    def at(u: float, v: float) -> float:
        found = world.height_below(x + c * u - s * v, y + s * u + c * v, z + top, depth)
        return (found - z) if found is not None else least

    step = 2.0 * half / (COARSE - 1)
    rows = [(-half + i * step, -half + j * step) for j in range(COARSE) for i in range(COARSE)]
    plane, off = _plane([Vector((u, v, at(u, v))) for u, v in rows])
    if off <= FLAT * leg:
        return Floor(plane)
    cell = 2.0 * half / (SIDE - 1)
    # Half a cell on each side is looked at as well, so that no edge between two places is missed.
    fine = [[at(-half + 0.5 * i * cell, -half + 0.5 * j * cell) for i in range(-1, 2 * SIDE)]
            for j in range(-1, 2 * SIDE)]  # fmt: skip
    grid = [
        max(fine[2 * j + b][2 * i + a] for b in range(3) for a in range(3)) for j in range(SIDE) for i in range(SIDE)
    ]
    return Floor(plane, tuple(grid), cell, half)


def _plane(places: Sequence[Vector]) -> tuple[tuple[float, float, float], float]:
    """The plane through places about the origin (which lie evenly about it), and how far one is off it at most."""
    count = len(places)
    level = sum(p.z for p in places) / count
    square = sum(p.x * p.x for p in places)
    a, b = sum(p.x * p.z for p in places) / square, sum(p.y * p.z for p in places) / square
    off = max(abs(p.z - level - a * p.x - b * p.y) for p in places)
    return (level, a, b), off
