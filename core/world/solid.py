"""What every solid for tests shares: plain-float casts inside, the World protocol outside.

A solid is exact: its casts come from closed forms (or from a root solved to machine precision), so that a test can
state the number that a foot or a body must arrive at. World space, metres, seconds.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from mathutils import Vector

from .world import Anchor, Hit

TOUCHING = 1e-7
MARCH_STEPS = 200
"""A centre that has not arrived after this many steps is gliding along the surface without touching it."""


class Contact(NamedTuple):
    """A Hit in plain floats: distance, place, unit normal towards the asker, surface, face."""

    distance: float
    x: float
    y: float
    z: float
    nx: float
    ny: float
    nz: float
    surface: int
    face: int


class Solid:
    """A test ground. A subclass answers `ray`, `near` and `height`; the World protocol is answered from those."""

    surface_count = 1

    def ray(
        self, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, distance: float
    ) -> Contact | None:
        """The first contact of a ray with unit direction."""
        raise NotImplementedError

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The closest place within `distance`."""
        raise NotImplementedError

    def height(self, x: float, y: float) -> float | None:
        """The topmost surface at a place, or None over nothing."""
        raise NotImplementedError

    def sphere(
        self, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, distance: float, radius: float
    ) -> Contact | None:
        """The first contact of a sphere: the centre advances by its clearance, which never oversteps (Hart 1996)."""
        travelled = 0.0
        for _ in range(MARCH_STEPS):
            found = self.near(ox + dx * travelled, oy + dy * travelled, oz + dz * travelled, inf)
            if found is None:
                return None
            clearance = found.distance - radius
            if clearance <= TOUCHING:
                return found._replace(distance=travelled)
            travelled += clearance
            if travelled > distance:
                return None
        return None

    def placed(self, surface: int, x: float, y: float, z: float) -> tuple[float, float, float]:
        """A place of the surface's own frame in the world now."""
        return x, y, z

    def unplaced(self, surface: int, x: float, y: float, z: float) -> tuple[float, float, float]:
        """A place of the world in the surface's own frame now."""
        return x, y, z

    def turned(self, surface: int, x: float, y: float) -> tuple[float, float]:
        """A direction of the surface's own frame in the world now (solids only ever turn about Z)."""
        return x, y

    def unturned(self, surface: int, x: float, y: float) -> tuple[float, float]:
        """A direction of the world in the surface's own frame now."""
        return x, y

    def velocity(self, surface: int, x: float, y: float, z: float) -> tuple[float, float, float]:
        """The surface's velocity at a place of the world."""
        return 0.0, 0.0, 0.0

    def turn_of(self, surface: int) -> float:
        """The surface's turn about Z since the previous tick."""
        return 0.0

    def cast_ray(self, origin: Vector, direction: Vector, distance: float) -> Hit | None:
        """The first surface along a ray."""
        ox, oy, oz = origin
        dx, dy, dz = direction
        return self._hit(self.ray(ox, oy, oz, dx, dy, dz, distance))

    def cast_sphere(self, origin: Vector, direction: Vector, distance: float, radius: float) -> Hit | None:
        """The first surface that a sphere meets; `distance` of the hit is the way of its centre."""
        ox, oy, oz = origin
        dx, dy, dz = direction
        return self._hit(self.sphere(ox, oy, oz, dx, dy, dz, distance, radius))

    def nearest(self, point: Vector, distance: float) -> Hit | None:
        """The closest surface within `distance`."""
        x, y, z = point
        return self._hit(self.near(x, y, z, distance))

    def capsule_fits(self, low: Vector, high: Vector, radius: float) -> bool:
        """True where the capsule touches nothing: its sphere fits at the low end and sweeps freely to the high end."""
        top = self.height(low.x, low.y)
        if top is not None and low.z < top and self.ray(low.x, low.y, low.z, 0.0, 0.0, 1.0, inf) is None:
            return False
        at_low = self.near(low.x, low.y, low.z, radius)
        if at_low is not None and at_low.distance < radius:
            return False
        way = high - low
        length = way.length
        if length == 0.0:
            return True
        return self.cast_sphere(low, way / length, length, radius) is None

    def anchor(self, hit: Hit) -> Anchor:
        """The hit's place in its surface's own frame."""
        local = self.unplaced(hit.surface, *hit.position)
        normal = (*self.unturned(hit.surface, hit.normal.x, hit.normal.y), hit.normal.z)
        return Anchor(hit.surface, hit.face, local, normal, (0.0, 0.0, 0.0))

    def locate(self, anchor: Anchor) -> Hit | None:
        """Where an anchor is now; None where the solid has no such surface."""
        if not 0 <= anchor.surface < self.surface_count:
            return None
        place = self.placed(anchor.surface, *anchor.local)
        nx, ny, nz = anchor.normal
        normal = Vector((*self.turned(anchor.surface, nx, ny), nz))
        velocity = Vector(self.velocity(anchor.surface, *place))
        return Hit(Vector(place), normal, 0.0, anchor.surface, anchor.face, velocity)

    def _hit(self, contact: Contact | None) -> Hit | None:
        if contact is None:
            return None
        distance, x, y, z, nx, ny, nz, surface, face = contact
        velocity = Vector(self.velocity(surface, x, y, z))
        return Hit(Vector((x, y, z)), Vector((nx, ny, nz)), distance, surface, face, velocity)


class Empty(Solid):
    """No ground at all."""

    surface_count = 0

    def ray(
        self, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, distance: float
    ) -> Contact | None:
        """Nothing."""
        return None

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """Nothing."""
        return None

    def height(self, x: float, y: float) -> float | None:
        """Nothing."""
        return None
