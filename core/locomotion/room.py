"""Whether an upright body has room: a capsule tested by a few closest surfaces instead of a swept sphere.

What is nearest to a place on the axis leaves a ball empty, and the ball holds the capsule as far as it is wider: along
a wall that is nearly touched that is much further than a sphere that is swept may advance. Behind a sheet is no inside.
"""

from __future__ import annotations

from math import sqrt

from mathutils import Vector

from ..control.capsule import FAR
from ..control.touching import is_inside
from ..space.rigid import Triple
from ..world.world import World

SEES = 2.0
"""Surfaces are looked for within so many radii."""
LEAST = 0.1
"""Places on the axis are at least so many radii apart: what is missed between them is less than a hundredth of one."""


def is_free(world: World, feet: Triple, height: float, radius: float) -> bool:
    """True where nothing is within `radius` of the axis of an upright capsule whose lowest point is at `feet`."""
    x, y, z = feet
    at, end = z + radius, max(z + radius, z + height - radius)
    while True:
        hit = world.nearest(Vector((x, y, at)), SEES * radius)
        if hit is not None and (hit.distance < radius or (hit.back and is_inside(world, (x, y, at), FAR))):
            return False
        if at >= end:
            return True
        empty = SEES * radius if hit is None else hit.distance
        at = min(end, at + max(LEAST * radius, sqrt(empty * empty - radius * radius)))
