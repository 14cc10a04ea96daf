"""A world seen by a body whose down is not the scene's: on a wall, under a ceiling, on a tilting deck.

The planner works in a frame in which its own up is Z. This wrapper turns every question into the scene's frame and
every answer back, so that nothing else has to know.
"""

from __future__ import annotations

from mathutils import Quaternion, Vector

from .probe import DOWN
from .world import Anchor, Hit, Line, Loose, World, walked_along


class Turned:
    """`world` as seen in a frame at `origin` that is turned by `rotation` (frame to scene)."""

    def __init__(self, world: World, rotation: Quaternion, origin: Vector) -> None:
        self.world = world
        self.rotation = rotation.copy()
        self.origin = origin.copy()
        self._back = rotation.inverted()

    def to_scene(self, point: Vector) -> Vector:
        """A place of this frame in the scene."""
        return self.origin + self.rotation @ point

    def from_scene(self, point: Vector) -> Vector:
        """A place of the scene in this frame."""
        return self._back @ (point - self.origin)

    def _seen(self, hit: Hit | None) -> Hit | None:
        if hit is None:
            return None
        return hit._replace(
            position=self.from_scene(hit.position), normal=self._back @ hit.normal, velocity=self._back @ hit.velocity
        )

    def _asked(self, hit: Hit) -> Hit:
        return hit._replace(
            position=self.to_scene(hit.position),
            normal=self.rotation @ hit.normal,
            velocity=self.rotation @ hit.velocity,
        )

    def cast_ray(self, origin: Vector, direction: Vector, distance: float) -> Hit | None:
        """The first surface along a ray of this frame."""
        return self._seen(self.world.cast_ray(self.to_scene(origin), self.rotation @ direction, distance))

    def height_below(self, x: float, y: float, z: float, depth: float) -> float | None:
        """The height of the first surface under a place of this frame."""
        hit = self.cast_ray(Vector((x, y, z)), DOWN, depth)
        return None if hit is None else hit.position.z

    def heights_along(self, line: Line) -> list[float | None]:
        """The heights below a line's places, side by side."""
        return walked_along(line, self.height_below)

    def cast_sphere(self, origin: Vector, direction: Vector, distance: float, radius: float) -> Hit | None:
        """The first surface that a sphere of this frame meets."""
        return self._seen(self.world.cast_sphere(self.to_scene(origin), self.rotation @ direction, distance, radius))

    def nearest(self, point: Vector, distance: float) -> Hit | None:
        """The closest surface."""
        return self._seen(self.world.nearest(self.to_scene(point), distance))

    def capsule_fits(self, low: Vector, high: Vector, radius: float) -> bool:
        """True where a capsule of this frame touches nothing."""
        return self.world.capsule_fits(self.to_scene(low), self.to_scene(high), radius)

    def anchor(self, hit: Hit) -> Anchor:
        """The hit's place in its surface's own frame."""
        return self.world.anchor(self._asked(hit))

    def locate(self, anchor: Anchor) -> Hit | None:
        """Where an anchor is now, in this frame."""
        return self._seen(self.world.locate(anchor))

    def signature(self) -> int:
        """As the scene says."""
        return self.world.signature()

    def moves(self, surface: int) -> bool:
        """As the scene says."""
        return self.world.moves(surface)

    def loose(self, surface: int) -> Loose | None:
        """As the world says."""
        return self.world.loose(surface)

    def turn_of(self, surface: int) -> float:
        """The surface's turn about this frame's own up, as far as it turns about the scene's."""
        return self.world.turn_of(surface) * (self.rotation @ Vector((0.0, 0.0, 1.0))).z
