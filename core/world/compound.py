"""Grounds made of other grounds: several together, or one that moves."""

from __future__ import annotations

from collections.abc import Callable

from .solid import Contact, Frame, Place, Ray, Solid
from .world import Loose

Placement = Callable[[float], tuple[float, float, float, float]]
"""Where a moving solid's origin is at a time in seconds: x, y, z, heading (its turn about Z)."""

INSTANT = 1e-3
"""Velocities are differences over this many seconds to both sides."""


class Union(Solid):
    """Several solids as one world; the surfaces are numbered in the order of the solids."""

    def __init__(self, *solids: Solid) -> None:
        self.solids = solids
        self.surface_count = sum(s.surface_count for s in solids)
        self._owner = [(s, i) for s in solids for i in range(s.surface_count)]
        self._first = [sum(s.surface_count for s in solids[:k]) for k in range(len(solids))]

    def _nearer(self, best: Contact | None, found: Contact | None, first: int) -> Contact | None:
        if found is None or (best is not None and best.distance <= found.distance):
            return best
        return found._replace(surface=found.surface + first)

    def ray(self, ray: Ray) -> Contact | None:
        """The first contact with any of the solids."""
        best = None
        for solid, first in zip(self.solids, self._first, strict=True):
            best = self._nearer(best, solid.ray(ray), first)
        return best

    def sphere(self, ray: Ray, radius: float) -> Contact | None:
        """The first contact of a sphere with any of the solids."""
        best = None
        for solid, first in zip(self.solids, self._first, strict=True):
            best = self._nearer(best, solid.sphere(ray, radius), first)
        return best

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The closest place of all solids."""
        best = None
        for solid, first in zip(self.solids, self._first, strict=True):
            best = self._nearer(best, solid.near(x, y, z, distance), first)
        return best

    def height(self, x: float, y: float) -> float | None:
        """The topmost of all."""
        tops = [z for z in (solid.height(x, y) for solid in self.solids) if z is not None]
        return max(tops) if tops else None

    def is_inside(self, x: float, y: float, z: float) -> bool:
        """True within any of them."""
        return any(solid.is_inside(x, y, z) for solid in self.solids)

    def frame(self, surface: int) -> Frame:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.frame(own)

    def velocity(self, surface: int, place: Place) -> Place:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.velocity(own, place)

    def moves(self, surface: int) -> bool:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.moves(own)

    def turn_of(self, surface: int) -> float:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.turn_of(own)

    def loose(self, surface: int) -> Loose | None:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.loose(own)

    def set_time(self, time: float) -> None:
        """Move every moving solid to a time in seconds."""
        for solid in self.solids:
            if isinstance(solid, (Moving, Flowing, Union)):
                solid.set_time(time)


class Empty(Union):
    """No ground at all."""

    def __init__(self) -> None:
        super().__init__()


class Moving(Solid):
    """A solid that is carried and turned about Z by a function of time: a lift, a turntable."""

    def __init__(self, solid: Solid, placement: Placement, time: float = 0.0, loose: Loose | None = None) -> None:
        self.solid, self._loose = solid, loose
        self.placement = placement
        self.surface_count = solid.surface_count
        self._before = self._time = time
        self._frame = Frame.at(*placement(time))

    def set_time(self, time: float) -> None:
        """Move to a time in seconds; the turn since the previous tick counts from the time set before."""
        self._before, self._time = self._time, time
        self._frame = Frame.at(*self.placement(time))

    def frame(self, _surface: int) -> Frame:
        """Where the solid is now."""
        return self._frame

    def _own_ray(self, ray: Ray) -> Ray:
        place = self._frame.own_place(ray.ox, ray.oy, ray.oz)
        return Ray(*place, *self._frame.own_direction(ray.dx, ray.dy), ray.dz, ray.distance)

    def _outside(self, found: Contact | None) -> Contact | None:
        if found is None:
            return None
        place = self._frame.place(found.x, found.y, found.z)
        normal = self._frame.direction(found.nx, found.ny)
        return Contact(found.distance, *place, *normal, found.nz, found.surface, found.face)

    def ray(self, ray: Ray) -> Contact | None:
        """The solid's own answer, where it is now."""
        return self._outside(self.solid.ray(self._own_ray(ray)))

    def sphere(self, ray: Ray, radius: float) -> Contact | None:
        """The solid's own answer, where it is now."""
        return self._outside(self.solid.sphere(self._own_ray(ray), radius))

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The solid's own answer, where it is now."""
        return self._outside(self.solid.near(*self._frame.own_place(x, y, z), distance))

    def is_inside(self, x: float, y: float, z: float) -> bool:
        """The solid's own answer, where it is now."""
        return self.solid.is_inside(*self._frame.own_place(x, y, z))

    def height(self, x: float, y: float) -> float | None:
        """The solid's own answer, where it is now."""
        u, v, _ = self._frame.own_place(x, y, 0.0)
        top = self.solid.height(u, v)
        return None if top is None else top + self._frame.z

    def velocity(self, _surface: int, place: Place) -> Place:
        """How fast the material at a place of the world moves now."""
        own = self._frame.own_place(*place)
        ahead = Frame.at(*self.placement(self._time + INSTANT)).place(*own)
        behind = Frame.at(*self.placement(self._time - INSTANT)).place(*own)
        x, y, z = ((a - b) / (2.0 * INSTANT) for a, b in zip(ahead, behind, strict=True))
        return x, y, z

    def moves(self, _surface: int) -> bool:
        """True."""
        return True

    def turn_of(self, _surface: int) -> float:
        """The turn about Z between the last two times that were set."""
        return self.placement(self._time)[3] - self.placement(self._before)[3]

    def loose(self, _surface: int) -> Loose | None:
        """As it was made: None for what goes its own way."""
        return self._loose


class Flowing(Solid):
    """A solid that stands still while its surface goes along: a conveyor, whose belt has come so far at a time."""

    def __init__(self, solid: Solid, come: Callable[[float], Place]) -> None:
        self.solid, self.come = solid, come
        self.surface_count = solid.surface_count
        self._time = 0.0
        self._frame = Frame(*come(0.0))

    def set_time(self, time: float) -> None:
        """Move the belt to a time in seconds."""
        self._time, self._frame = time, Frame(*self.come(time))

    def frame(self, _surface: int) -> Frame:
        """How far the belt has come."""
        return self._frame

    def ray(self, ray: Ray) -> Contact | None:
        """The solid's own answer."""
        return self.solid.ray(ray)

    def sphere(self, ray: Ray, radius: float) -> Contact | None:
        """The solid's own answer."""
        return self.solid.sphere(ray, radius)

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The solid's own answer."""
        return self.solid.near(x, y, z, distance)

    def is_inside(self, x: float, y: float, z: float) -> bool:
        """The solid's own answer."""
        return self.solid.is_inside(x, y, z)

    def height(self, x: float, y: float) -> float | None:
        """The solid's own answer."""
        return self.solid.height(x, y)

    def velocity(self, _surface: int, _place: Place) -> Place:
        """How fast the belt goes."""
        ahead, behind = self.come(self._time + INSTANT), self.come(self._time - INSTANT)
        x, y, z = ((a - b) / (2.0 * INSTANT) for a, b in zip(ahead, behind, strict=True))
        return x, y, z

    def moves(self, _surface: int) -> bool:
        """True."""
        return True
