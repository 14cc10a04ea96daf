"""What every solid for tests shares: plain-float casts inside, the World protocol outside.

A solid is exact: its casts come from closed forms (or from a root solved to machine precision), so that a test can
state the number that a foot or a body must arrive at. World space, metres, seconds.
"""

from __future__ import annotations

from math import cos, inf, sin
from typing import NamedTuple

from mathutils import Vector

from .probe import DOWN
from .world import Anchor, Hit, Line, Loose, walked_along

TOUCHING = 1e-7
MARCH_STEPS = 200
"""A centre that has not arrived after this many steps is gliding along the surface without touching it."""


class Ray(NamedTuple):
    """A question in plain floats: origin, unit direction, how far."""

    ox: float
    oy: float
    oz: float
    dx: float
    dy: float
    dz: float
    distance: float


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


class Frame(NamedTuple):
    """Where a surface's own frame stands: place, and cosine and sine of its turn about Z."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    cos: float = 1.0
    sin: float = 0.0

    @classmethod
    def at(cls, x: float, y: float, z: float, heading: float) -> Frame:
        """The frame at a place with a turn about Z."""
        return cls(x, y, z, cos(heading), sin(heading))

    def place(self, x: float, y: float, z: float) -> Place:
        """A place of this frame, in the world."""
        return self.x + self.cos * x - self.sin * y, self.y + self.sin * x + self.cos * y, self.z + z

    def own_place(self, x: float, y: float, z: float) -> Place:
        """A place of the world, in this frame."""
        x, y = x - self.x, y - self.y
        return self.cos * x + self.sin * y, self.cos * y - self.sin * x, z - self.z

    def direction(self, x: float, y: float) -> tuple[float, float]:
        """A direction of this frame, in the world."""
        return self.cos * x - self.sin * y, self.sin * x + self.cos * y

    def own_direction(self, x: float, y: float) -> tuple[float, float]:
        """A direction of the world, in this frame."""
        return self.cos * x + self.sin * y, self.cos * y - self.sin * x


Place = tuple[float, float, float]
STILL = Frame()


def _ray(origin: Vector, direction: Vector, distance: float) -> Ray:
    (ox, oy, oz), (dx, dy, dz) = origin, direction
    return Ray(ox, oy, oz, dx, dy, dz, distance)


class Solid:
    """A test ground. A subclass answers `ray`, `near` and `height`; the World protocol is answered from those."""

    surface_count = 1

    def ray(self, ray: Ray) -> Contact | None:
        """The first contact of a ray with unit direction."""
        raise NotImplementedError

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The closest place within `distance`."""
        raise NotImplementedError

    def height(self, x: float, y: float) -> float | None:
        """The topmost surface at a place, or None over nothing."""
        raise NotImplementedError

    def sphere(self, ray: Ray, radius: float) -> Contact | None:
        """The first contact of a sphere: the centre advances by its clearance, which never oversteps (Hart 1996)."""
        ox, oy, oz, dx, dy, dz, distance = ray
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

    def frame(self, _surface: int) -> Frame:
        """The surface's own frame now."""
        return STILL

    def velocity(self, _surface: int, _place: Place) -> Place:
        """The surface's velocity at a place of the world."""
        return 0.0, 0.0, 0.0

    def signature(self) -> int:
        """A solid never changes."""
        return 0

    def moves(self, _surface: int) -> bool:
        """False: a solid stands still unless it says otherwise."""
        return False

    def turn_of(self, _surface: int) -> float:
        """The surface's turn about Z since the previous tick."""
        return 0.0

    def loose(self, _surface: int) -> Loose | None:
        """None: nothing pushes a solid away unless it says otherwise."""
        return None

    def cast_ray(self, origin: Vector, direction: Vector, distance: float) -> Hit | None:
        """The first surface along a ray."""
        hit = self._hit(self.ray(_ray(origin, direction, distance)))
        return hit._replace(back=True) if hit is not None and self.is_inside(*origin) else hit

    def height_below(self, x: float, y: float, z: float, depth: float) -> float | None:
        """The height of the first surface under a place."""
        hit = self.cast_ray(Vector((x, y, z)), DOWN, depth)
        return None if hit is None else hit.position.z

    def heights_along(self, line: Line) -> list[float | None]:
        """The heights below a line's places, side by side."""
        return walked_along(line, self.height_below)

    def cast_sphere(self, origin: Vector, direction: Vector, distance: float, radius: float) -> Hit | None:
        """The first surface that a sphere meets; `distance` of the hit is the way of its centre."""
        return self._hit(self.sphere(_ray(origin, direction, distance), radius))

    def nearest(self, point: Vector, distance: float) -> Hit | None:
        """The closest surface within `distance`."""
        x, y, z = point
        hit = self._hit(self.near(x, y, z, distance))
        return hit._replace(back=True) if hit is not None and self.is_inside(x, y, z) else hit

    def is_inside(self, _x: float, _y: float, _z: float) -> bool:
        """True behind all surfaces; False for a ground that is nothing but surfaces."""
        return False

    def capsule_fits(self, low: Vector, high: Vector, radius: float) -> bool:
        """True where the capsule touches nothing: its sphere fits at the low end and sweeps freely to the high end."""
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
        frame = self.frame(hit.surface)
        normal = (*frame.own_direction(hit.normal.x, hit.normal.y), hit.normal.z)
        return Anchor(hit.surface, hit.face, frame.own_place(*hit.position), normal, (0.0, 0.0, 0.0))

    def locate(self, anchor: Anchor) -> Hit | None:
        """Where an anchor is now; None where the solid has no such surface."""
        if not 0 <= anchor.surface < self.surface_count:
            return None
        frame = self.frame(anchor.surface)
        place = frame.place(*anchor.local)
        nx, ny, nz = anchor.normal
        normal = Vector((*frame.direction(nx, ny), nz))
        velocity = Vector(self.velocity(anchor.surface, place))
        return Hit(Vector(place), normal, 0.0, anchor.surface, anchor.face, velocity)

    def _hit(self, contact: Contact | None) -> Hit | None:
        if contact is None:
            return None
        distance, x, y, z, nx, ny, nz, surface, face = contact
        velocity = Vector(self.velocity(surface, (x, y, z)))
        return Hit(Vector((x, y, z)), Vector((nx, ny, nz)), distance, surface, face, velocity)
