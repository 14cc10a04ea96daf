"""A curve as something to walk along: by arc length on the ground plan, with a heading that turns evenly.

Arc lengths are horizontal: how high a curve was drawn does not matter, the ground says how far a metre of plan is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from math import dist, hypot

from ..space.angles import heading_of, turn_between, wrapped
from .intent import PathLine, Place

SAME_SPOT = 1e-4
"""Points closer than this on the ground plan are one: a curve that closes misses its start by rounding."""
CORNER = 0.25
"""Metres before and after a corner over which the heading turns."""


def path_line(points: Iterable[tuple[float, float, float]], *, closed: bool = False) -> PathLine:
    """A PathLine through points (world, metres). A closed one ends with its first point; doubled points are dropped."""
    kept: list[tuple[float, float, float]] = []
    space: list[tuple[float, float, float]] = []
    for x, y, z in points:
        if not space or dist(space[-1], (x, y, z)) > SAME_SPOT:
            space.append((float(x), float(y), float(z)))
        if not kept or hypot(x - kept[-1][0], y - kept[-1][1]) > SAME_SPOT:
            kept.append((float(x), float(y), float(z)))
    if closed and len(kept) > 1:
        if hypot(kept[0][0] - kept[-1][0], kept[0][1] - kept[-1][1]) <= SAME_SPOT:
            kept[-1] = kept[0]
        else:
            kept.append(kept[0])
    lengths = [0.0]
    for (x0, y0, _), (x1, y1, _) in pairwise(kept):
        lengths.append(lengths[-1] + hypot(x1 - x0, y1 - y0))
    if closed and len(space) > 1 and dist(space[0], space[-1]) > SAME_SPOT:
        space.append(space[0])
    return PathLine(tuple(kept), tuple(lengths[: len(kept)]), closed and len(kept) > 2, tuple(space))


def length_of(path: PathLine) -> float:
    """The whole horizontal length, 0 for an empty curve."""
    return path.lengths[-1] if path.lengths else 0.0


def wrapped_length(path: PathLine, s: float) -> float:
    """An arc length on the curve: around again on a closed one, held at the ends of an open one."""
    whole = length_of(path)
    if path.closed:
        return s % whole
    return min(max(s, 0.0), whole)


def place_on(path: PathLine, s: float) -> Place:
    """The place at arc length `s`, facing along the curve. Needs at least two points."""
    s = wrapped_length(path, s)
    i = min(bisect_right(path.lengths, s), len(path.lengths) - 1) - 1
    (x0, y0, z0), (x1, y1, z1) = path.points[i], path.points[i + 1]
    done, left = s - path.lengths[i], path.lengths[i + 1] - s
    t = done / (done + left)
    heading = own = _piece_heading(path, i)
    corner = min(CORNER, 0.5 * (done + left))
    if min(done, left) < corner:
        nearest = _corner_heading(path, i if done < left else i + 1)
        heading = nearest + turn_between(nearest, own) * min(done, left) / corner
    return Place(x0 + t * (x1 - x0), y0 + t * (y1 - y0), z0 + t * (z1 - z0), wrapped(heading))


def _corner_heading(path: PathLine, i: int) -> float:
    """The heading at a point: halfway between the pieces that meet there."""
    last = len(path.points) - 1
    if path.closed and i in (0, last):
        before, after = last - 1, 0
    else:
        before, after = max(i - 1, 0), min(i, last - 1)
    start, end = _piece_heading(path, before), _piece_heading(path, after)
    return start + 0.5 * turn_between(start, end)


def _piece_heading(path: PathLine, i: int) -> float:
    (x0, y0, _), (x1, y1, _) = path.points[i], path.points[i + 1]
    return heading_of(x1 - x0, y1 - y0)


def nearest_length(path: PathLine, x: float, y: float) -> float:
    """The arc length of the place on the curve that is closest on the ground plan."""
    best, at = float("inf"), 0.0
    for (x0, y0, _), (x1, y1, _), start, end in zip(
        path.points, path.points[1:], path.lengths, path.lengths[1:], strict=False
    ):
        length = end - start
        t = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / (length * length)
        t = min(1.0, max(0.0, t))
        gap = hypot(x0 + t * (x1 - x0) - x, y0 + t * (y1 - y0) - y)
        if gap < best:
            best, at = gap, start + t * length
    return at
