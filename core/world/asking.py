"""A world asked within bounds: what is asked is counted, and kept where somebody wants to see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import NamedTuple

from mathutils import Vector

from ..space.rigid import Triple
from ..space.triples import minus, scaled
from .probe import DOWN
from .world import Hit, World

MOST_RAYS = 30
MOST_CAPSULES = 4
"""So much may be asked in one look around."""


class Asked(NamedTuple):
    """One ray, or one capsule, as it was asked: from where to where, how thick, where it ended, whether it was free."""

    kind: str
    start: Triple
    end: Triple
    radius: float
    free: bool


@dataclass(slots=True)
class Asker:
    """The world as one look asks it. `kept` is a list for all that was asked, None where nobody wants to know."""

    world: World
    kept: list[Asked] | None = None
    rays: int = field(default=0)
    capsules: int = field(default=0)

    def ray(self, origin: Triple, direction: Triple, distance: float, radius: float = 0.0) -> Hit | None:
        """The first surface along a ray, or a small sphere; None where there is none, or no more may be asked."""
        if self.rays >= MOST_RAYS:
            return None
        self.rays += 1
        if radius > 0.0:
            hit = self.world.cast_sphere(Vector(origin), Vector(direction), distance, radius)
        else:
            hit = self.world.cast_ray(Vector(origin), Vector(direction), distance)
        if self.kept is not None:
            way = distance if hit is None else hit.distance
            x, y, z = (o + d * way for o, d in zip(origin, direction, strict=True))
            self.kept.append(Asked("RAY", origin, (x, y, z), radius, hit is None))
        return hit

    def down(self, x: float, y: float, top: float, bottom: float, radius: float = 0.0) -> Hit | None:
        """The first surface between two heights over a place."""
        return self.ray((x, y, top), (DOWN.x, DOWN.y, DOWN.z), top - bottom, radius)

    def fits(self, feet: Triple, height: float, radius: float) -> bool:
        """True where a body of a height has room over a floor: nothing over its lowest sphere, as floors are uneven."""
        x, y, z = feet
        high = z + max(height, 2.0 * radius) - radius
        return self.passes((x, y, min(z + 2.0 * radius, high)), (x, y, high), radius)

    def sweeps(self, start: Triple, end: Triple, radius: float) -> bool:
        """True where a sphere comes from one place to another without meeting anything, nor where it begins."""
        way = minus(end, start)
        length = hypot(*way)
        return length == 0.0 or self.ray(start, scaled(way, 1.0 / length), length, radius) is None

    def passes(self, low: Triple, high: Triple, radius: float) -> bool:
        """True where a capsule between two middles touches nothing; False where no more may be asked."""
        if self.capsules >= MOST_CAPSULES:
            return False
        self.capsules += 1
        free = self.world.capsule_fits(Vector(low), Vector(high), radius)
        if self.kept is not None:
            self.kept.append(Asked("CAPSULE", low, high, radius, free))
        return free
