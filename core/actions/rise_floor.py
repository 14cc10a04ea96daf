"""The floor under a body that gets up, felt once when it begins and kept as plain numbers.

Where the floor is a plane, three numbers are all. Else it is a grid of heights, and not of the floor itself: of a board
of the length of a tread that is laid over it, in any direction. Over stairs that is the slope through their nosings, so
that what is kept over it goes through no step, and nothing jumps where a limb passes an edge. What is planted goes down
to the floor itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, sin
from typing import NamedTuple

import numpy as np
from mathutils import Vector

from ..world.world import World

# In legs: half of what is felt about a body, how far apart, and how far a floor may be off a plane to be one.
HALF, CELL, FLAT = 1.5, 0.09, 0.006
COARSE = 7
ABOVE, DEPTH = 1.6, 4.0
SIDE = int(2 * HALF / CELL) + 1
# Each cell is felt at so many places along a side; a board is so long, in legs.
FINE, BOARD = 3, 0.4


class Floor(NamedTuple):
    """Heights over the frame in which a body rises (its ground at 0), by places in that frame, metres; none is
    under the floor itself.

    `plane`: height at the origin, rise along x and y; `low` is another one, to which it goes `down` by that share.
    `grid` (SIDE rows of y with SIDE numbers of x each) is empty where the plane is all; `cell` is how far apart its
    places are, the first at -`half`. `over` is how far the grid is over the plane at most.
    """

    plane: tuple[float, float, float] = (0.0, 0.0, 0.0)
    grid: tuple[float, ...] = ()
    cell: float = 0.0
    half: float = 0.0
    low: tuple[float, float, float] = (0.0, 0.0, 0.0)
    down: float = 0.0
    over: float = inf

    def lowered(self, plane: tuple[float, float, float], down: float) -> Floor:
        """A floor that goes so much of the way down to a plane: that of a place on which something is planted."""
        return self._replace(low=plane, down=down) if self.grid and down > 0.0 else self

    def height(self, x: float, y: float) -> float:
        """The height at a place."""
        if not self.grid:
            level, a, b = self.plane
            return level + a * x + b * y
        last = SIDE - 1 - 1e-6
        u, v, grid = (x + self.half) / self.cell, (y + self.half) / self.cell, self.grid
        # Asked for by the million: held within the grid by hand.
        u = 0.0 if u < 0.0 else last if u > last else u
        v = 0.0 if v < 0.0 else last if v > last else v
        i, j = int(u), int(v)
        u, v = u - i, v - j
        k = j * SIDE + i
        near = grid[k] + (grid[k + 1] - grid[k]) * u
        far = grid[k + SIDE] + (grid[k + SIDE + 1] - grid[k + SIDE]) * u
        height = near + (far - near) * v
        if self.down > 0.0:
            level, a, b = self.low
            height += (level + a * x + b * y - height) * self.down
        return height

    def is_near_plane(self, x: float, y: float, around: float) -> bool:
        """True where no place that is nearer than so much (metres, in the plan) is more than `over` the plane."""
        most = self.half - around
        return self.down == 0.0 and -most <= x <= most and -most <= y <= most

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
    count = FINE * (SIDE - 1) + 1
    cell = 2.0 * half / (count - 1)
    # A place more on each side, so that an edge between two places is where the nearer one of them is.
    fine = np.array([[at(-half + i * cell, -half + j * cell) for i in range(-1, count + 1)]
                     for j in range(-1, count + 1)])  # fmt: skip
    high = np.max([fine[j : j + count, i : i + count] for j in range(3) for i in range(3)], axis=0)
    grid = _over(_boarded(high, max(1, round(BOARD * leg / cell))))
    level, a, b = plane
    line = -half + FINE * cell * np.arange(len(grid))
    over = float((grid - level - a * line - b * line[:, None]).max())
    return Floor(plane, tuple(grid.ravel().tolist()), FINE * cell, half, over=over)


def _boarded(high: np.ndarray, length: int) -> np.ndarray:
    """Heights (rows, columns) with boards of so many places laid over them, along rows, columns and both diagonals."""
    found = high
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        reach = round(length / (down + abs(right)) ** 0.5)
        edge = np.pad(high, reach, mode="edge")
        best = high.copy()
        for back in range(1, reach):
            for ahead in range(1, reach - back + 1):
                a, b = (
                    _moved(edge, reach, -back * down, -back * right),
                    _moved(edge, reach, ahead * down, ahead * right),
                )
                best = np.maximum(best, (a * ahead + b * back) / (back + ahead))
        found = np.maximum(found, best)
    return found


def _moved(edge: np.ndarray, reach: int, rows: int, columns: int) -> np.ndarray:
    """What is so many rows and columns on, of heights with an edge of `reach` places on each side."""
    height, width = edge.shape[0] - 2 * reach, edge.shape[1] - 2 * reach
    return edge[reach + rows : reach + rows + height, reach + columns : reach + columns + width]


def _over(fine: np.ndarray) -> np.ndarray:
    """A coarser grid, every FINE-th place of a fine one, raised where what is between its places would be over it."""
    grid = fine[::FINE, ::FINE].copy()
    side = grid.shape[0] - 1
    for j in range(side):
        for i in range(side):
            corner = [grid[j + b, i + a] for b in (0, 1) for a in (0, 1)]
            block = fine[FINE * j : FINE * (j + 1) + 1, FINE * i : FINE * (i + 1) + 1]
            share = np.linspace(0.0, 1.0, FINE + 1)
            flat = np.outer(1.0 - share, (1.0 - share) * corner[0] + share * corner[1])
            flat += np.outer(share, (1.0 - share) * corner[2] + share * corner[3])
            lacks = float((block - flat).max())
            if lacks > 0.0:
                grid[j : j + 2, i : i + 2] += lacks
    return grid


def _plane(places: Sequence[Vector]) -> tuple[tuple[float, float, float], float]:
    """The plane through places about the origin (which lie evenly about it), and how far one is off it at most."""
    count = len(places)
    level = sum(p.z for p in places) / count
    square = sum(p.x * p.x for p in places)
    a, b = sum(p.x * p.z for p in places) / square, sum(p.y * p.z for p in places) / square
    off = max(abs(p.z - level - a * p.x - b * p.y) for p in places)
    return (level, a, b), off
