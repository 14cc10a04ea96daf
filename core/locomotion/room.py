"""Whether an upright body has room: a capsule tested by a few closest surfaces instead of a swept sphere.

What is nearest to a place on the axis leaves a ball empty, and the ball holds the capsule as far as it is wider: along
a wall that is nearly touched that is much further than a sphere that is swept may advance. Behind a sheet is no inside.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

from mathutils import Vector

from ..control.touching import is_buried
from ..space.rigid import Triple
from ..space.triples import unit
from ..world.world import World

SEES = 2.0
"""Surfaces are looked for within so many radii."""
LEAST = 0.1
"""Places on the axis are at least so many radii apart: what is missed between them is less than a hundredth of one."""


class Overlap(NamedTuple):
    """How deep a capsule is in something, and from where it would be pushed: a unit vector out of it."""

    depth: float
    out: Triple


INSIDE = Overlap(inf, (0.0, 0.0, 0.0))


def overlap(world: World, feet: Triple, height: float, radius: float) -> Overlap | None:
    """The deepest touch of an upright capsule whose lowest point is at `feet`, None where it has room."""
    x, y, z = feet
    at, end = z + radius, max(z + radius, z + height - radius)
    deepest: Overlap | None = None
    while True:
        hit = world.nearest(Vector((x, y, at)), SEES * radius)
        if hit is not None and hit.back and is_buried(world, (x, y, at), radius):
            return INSIDE
        if hit is not None and hit.distance < radius:
            depth = radius - hit.distance
            if deepest is None or depth > deepest.depth:
                px, py, pz = hit.position
                deepest = Overlap(depth, unit((x - px, y - py, at - pz), (0.0, 0.0, 0.0)))
        if at >= end:
            return deepest
        empty = SEES * radius if hit is None else max(radius, hit.distance)
        at = min(end, at + max(LEAST * radius, sqrt(empty * empty - radius * radius)))


def is_free(world: World, feet: Triple, height: float, radius: float) -> bool:
    """True where nothing is within `radius` of the axis of an upright capsule whose lowest point is at `feet`."""
    return overlap(world, feet, height, radius) is None
