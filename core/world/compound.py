"""Grounds made of other grounds: several together, or one that moves."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin

from .solid import Contact, Solid

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

    def ray(
        self, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, distance: float
    ) -> Contact | None:
        """The first contact with any of the solids."""
        best = None
        for solid, first in zip(self.solids, self._first, strict=True):
            best = self._nearer(best, solid.ray(ox, oy, oz, dx, dy, dz, distance), first)
        return best

    def sphere(
        self, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, distance: float, radius: float
    ) -> Contact | None:
        """The first contact of a sphere with any of the solids."""
        best = None
        for solid, first in zip(self.solids, self._first, strict=True):
            best = self._nearer(best, solid.sphere(ox, oy, oz, dx, dy, dz, distance, radius), first)
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

    def placed(self, surface: int, x: float, y: float, z: float) -> tuple[float, float, float]:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.placed(own, x, y, z)

    def unplaced(self, surface: int, x: float, y: float, z: float) -> tuple[float, float, float]:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.unplaced(own, x, y, z)

    def turned(self, surface: int, x: float, y: float) -> tuple[float, float]:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.turned(own, x, y)

    def unturned(self, surface: int, x: float, y: float) -> tuple[float, float]:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.unturned(own, x, y)

    def velocity(self, surface: int, x: float, y: float, z: float) -> tuple[float, float, float]:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.velocity(own, x, y, z)

    def turn_of(self, surface: int) -> float:
        """As the surface's own solid says."""
        solid, own = self._owner[surface]
        return solid.turn_of(own)

    def set_time(self, time: float) -> None:
        """Move every moving solid to a time in seconds."""
        for solid in self.solids:
            if isinstance(solid, (Moving, Union)):
                solid.set_time(time)


class Moving(Solid):
    """A solid that is carried and turned about Z by a function of time: a lift, a turntable."""

    def __init__(self, solid: Solid, placement: Placement, time: float = 0.0) -> None:
        self.solid = solid
        self.placement = placement
        self.surface_count = solid.surface_count
        self._before = self._time = time
        self._place(time)

    def set_time(self, time: float) -> None:
        """Move to a time in seconds; the turn since the previous tick counts from the time set before."""
        self._before, self._time = self._time, time
        self._place(time)

    def _place(self, time: float) -> None:
        x, y, z, heading = self.placement(time)
        self._at = (x, y, z, cos(heading), sin(heading))

    def placed(self, surface: int, x: float, y: float, z: float) -> tuple[float, float, float]:
        """From the solid's frame to the world."""
        px, py, pz, c, s = self._at
        return px + c * x - s * y, py + s * x + c * y, pz + z

    def unplaced(self, surface: int, x: float, y: float, z: float) -> tuple[float, float, float]:
        """From the world to the solid's frame."""
        px, py, pz, c, s = self._at
        x, y = x - px, y - py
        return c * x + s * y, c * y - s * x, z - pz

    def turned(self, surface: int, x: float, y: float) -> tuple[float, float]:
        """A direction, from the solid's frame to the world."""
        _, _, _, c, s = self._at
        return c * x - s * y, s * x + c * y

    def unturned(self, surface: int, x: float, y: float) -> tuple[float, float]:
        """A direction, from the world to the solid's frame."""
        _, _, _, c, s = self._at
        return c * x + s * y, c * y - s * x

    def _outside(self, found: Contact | None) -> Contact | None:
        if found is None:
            return None
        place = self.placed(found.surface, found.x, found.y, found.z)
        normal = self.turned(found.surface, found.nx, found.ny)
        return Contact(found.distance, *place, *normal, found.nz, found.surface, found.face)

    def ray(
        self, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, distance: float
    ) -> Contact | None:
        """The solid's own answer, where it is now."""
        origin, (u, v) = self.unplaced(0, ox, oy, oz), self.unturned(0, dx, dy)
        return self._outside(self.solid.ray(*origin, u, v, dz, distance))

    def sphere(
        self, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, distance: float, radius: float
    ) -> Contact | None:
        """The solid's own answer, where it is now."""
        origin, (u, v) = self.unplaced(0, ox, oy, oz), self.unturned(0, dx, dy)
        return self._outside(self.solid.sphere(*origin, u, v, dz, distance, radius))

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The solid's own answer, where it is now."""
        return self._outside(self.solid.near(*self.unplaced(0, x, y, z), distance))

    def height(self, x: float, y: float) -> float | None:
        """The solid's own answer, where it is now."""
        u, v, _ = self.unplaced(0, x, y, 0.0)
        top = self.solid.height(u, v)
        return None if top is None else top + self._at[2]

    def velocity(self, surface: int, x: float, y: float, z: float) -> tuple[float, float, float]:
        """How fast the material at a place of the world moves now."""
        u, v, w = self.unplaced(surface, x, y, z)
        ahead = _carried(self.placement(self._time + INSTANT), u, v, w)
        behind = _carried(self.placement(self._time - INSTANT), u, v, w)
        span = 2.0 * INSTANT
        return (ahead[0] - behind[0]) / span, (ahead[1] - behind[1]) / span, (ahead[2] - behind[2]) / span

    def turn_of(self, surface: int) -> float:
        """The turn about Z between the last two times that were set."""
        return self.placement(self._time)[3] - self.placement(self._before)[3]


def _carried(place: tuple[float, float, float, float], x: float, y: float, z: float) -> tuple[float, float, float]:
    px, py, pz, heading = place
    c, s = cos(heading), sin(heading)
    return px + c * x - s * y, py + s * x + c * y, pz + z
