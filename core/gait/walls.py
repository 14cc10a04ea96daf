"""What stops a body's capsule stops its feet too: they stand and hang before it.

A wall is what rises from the ground before it by more than the body steps up. It is looked for level, from the middle
of the body, which is always free.
"""

from __future__ import annotations

from math import cos, hypot, inf, sin

from mathutils import Vector

from ..control.intent import Place
from ..control.movement import MovementConfig
from ..control.pushing import can_push
from ..world.probe import DOWN
from ..world.world import Hit, World
from .shape import LegShape

# Feet stay so far (shares of a leg) off a wall; how far before and past its face its height is asked.
OFF, BESIDE = 0.012, 0.01
LEVEL = 1e-6


class Walls:
    """Keeps the feet of one body before what stops it. Immutable; nothing stops a body without a shape (None)."""

    def __init__(self, movement: MovementConfig | None = None) -> None:
        self.movement = movement

    @property
    def step(self) -> float:
        """How high a step is at most that the body gets onto and that is no wall, metres; 0 of one without a shape."""
        return 0.0 if self.movement is None else self.movement.highest_step

    def shift(
        self, world: World, leg: LegShape, body: Place, place: Place, shift: tuple[float, float], slope: Vector
    ) -> tuple[float, float]:
        """What moves a foot from its place at rest under a body at `place` (world x, y): `shift`, and back before a
        wall that its toes would be in. `body` is where the body is now.
        """
        movement = self.movement
        if movement is None:
            return shift
        c, s = cos(place.heading), sin(place.heading)
        x, y = leg.ball[0], leg.ball[1]
        x, y = place.x + c * x - s * y + shift[0], place.y + s * x + c * y + shift[1]
        along = place.heading + leg.toe_out
        toe = leg.toe if leg.rolls else 0.0
        tip = (x + toe * sin(along), y - toe * cos(along))
        start = Vector((body.x, body.y, body.z + movement.highest_step))
        end = Vector((*tip, place.z + slope.x * (x - place.x) + slope.y * (y - place.y) + movement.highest_step))
        wall = self._between(world, start, end, OFF * leg.length)
        if wall is None or not self._stops(world, wall, movement):
            return shift
        dx, dy = pushed_out(wall, tip, OFF * leg.length - self._pushed_ahead(world, wall, body, movement))
        return shift[0] + dx, shift[1] + dy

    def before(self, world: World, body: Place, end: Vector, off: float = 0.0) -> Hit | None:
        """What stands up between the middle of a body and a place at the height of that."""
        return self._between(world, Vector((body.x, body.y, end.z)), end, off)

    def height_over(self, world: World, wall: Hit, most: float) -> float:
        """How much higher what was met is than where it was met, inf where that is more than `most`."""
        into = _out_of(wall) * (-BESIDE * most)
        over = world.cast_ray(wall.position + into + Vector((0.0, 0.0, most)), DOWN, most)
        return inf if over is None or over.back else over.position.z - wall.position.z

    def _between(self, world: World, start: Vector, end: Vector, off: float) -> Hit | None:
        movement, way = self.movement, end - start
        far = way.length
        if movement is None or far <= LEVEL:
            return None
        hit = world.cast_ray(start, way / far, far + off)
        steep = hit is not None and not hit.back and hit.normal.z < movement.upright
        return hit if steep and hit is not None and hypot(hit.normal.x, hit.normal.y) > LEVEL else None

    def _stops(self, world: World, wall: Hit, movement: MovementConfig) -> bool:
        """Whether what was met at the height of a step stops a foot: it is no step up."""
        step = movement.highest_step
        x, y, z = wall.position + _out_of(wall) * (BESIDE * step)
        floor = world.height_below(x, y, z, 2.0 * step)
        return floor is None or z + self.height_over(world, wall, step) - floor > step

    def _pushed_ahead(self, world: World, wall: Hit, body: Place, movement: MovementConfig) -> float:
        """How far the face of what is pushed away has gone before a body that touches it; 0 of what is not."""
        loose = world.loose(wall.surface)
        if loose is None or not can_push(loose, movement):
            return 0.0
        out = _out_of(wall)
        off = (body.x - wall.position.x) * out.x + (body.y - wall.position.y) * out.y
        return max(0.0, movement.radius - off)


def _out_of(wall: Hit) -> Vector:
    """The level unit direction out of a face."""
    return Vector((wall.normal.x, wall.normal.y, 0.0)).normalized()


def pushed_out(wall: Hit, end: tuple[float, float], off: float) -> tuple[float, float]:
    """How far a place (world x, y) moves level to be so far before the face that was met."""
    nx, ny, _ = _out_of(wall)
    into = off - (end[0] - wall.position.x) * nx - (end[1] - wall.position.y) * ny
    return max(0.0, into) * nx, max(0.0, into) * ny
