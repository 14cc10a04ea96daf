"""What a character may ask of a scene. All places are world space, metres, at the time of the asking tick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from mathutils import Vector


class Hit(NamedTuple):
    """A touched surface: place, unit normal (towards the asker), the surface's identity, face and velocity there.

    `back` is True where the asker is behind the face: inside of a closed mesh, or of a plane that is turned over.
    """

    position: Vector
    normal: Vector
    distance: float
    surface: int
    face: int
    velocity: Vector
    back: bool = False


class Anchor(NamedTuple):
    """A place kept in a surface's own frame, so that it rides with the surface and bends with its faces.

    Plain numbers only: an Anchor lives in a character's Memory. `weights` are the shares of the corners of `face`
    (a triangle); where the face is gone or unknown (-1), `local` in the surface's object space is used.
    """

    surface: int
    face: int
    local: tuple[float, float, float]
    normal: tuple[float, float, float]
    weights: tuple[float, float, float]


class Loose(NamedTuple):
    """A body that physics moves: its mass (kg), and the share of its weight that it takes to move it on the floor."""

    mass: float
    friction: float = 0.25


class Line(NamedTuple):
    """Places in rows over the ground, to this and that side of x, y: from there on by `dx`, `dy` times each number.

    The first of a side is looked for from `up` above z, every other from `up` above the height that the one before met;
    none deeper than `reach`.
    """

    x: float
    y: float
    z: float
    dx: float
    dy: float
    sides: tuple[Sequence[int], ...]
    up: float
    reach: float


class World(Protocol):
    """A scene, or a solid built for a test."""

    def cast_ray(self, origin: Vector, direction: Vector, distance: float) -> Hit | None:
        """The first surface along a ray (`direction` is a unit vector)."""

    def height_below(self, x: float, y: float, z: float, depth: float) -> float | None:
        """The height of the first surface under a place, as a ray straight down meets it: the quick half of a Hit."""

    def heights_along(self, line: Line) -> list[float | None]:
        """The heights below a line's places, side by side, None where there is nothing: 18 a tick feel a slope."""

    def cast_sphere(self, origin: Vector, direction: Vector, distance: float, radius: float) -> Hit | None:
        """The first surface that a small sphere meets: a seam or a narrow gap is no hole."""

    def nearest(self, point: Vector, distance: float) -> Hit | None:
        """The closest surface within `distance`."""

    def capsule_fits(self, low: Vector, high: Vector, radius: float) -> bool:
        """True where a capsule between two centres touches nothing."""

    def anchor(self, hit: Hit) -> Anchor:
        """The hit's place in its surface's own frame."""

    def locate(self, anchor: Anchor) -> Hit | None:
        """Where an anchor is now, with normal and velocity; None where its surface is gone."""

    def signature(self) -> int:
        """A number that is another one when what stands still has changed: what was worked out of it is out of date."""

    def moves(self, surface: int) -> bool:
        """True for a surface that moves, turns or bends with time."""

    def loose(self, surface: int) -> Loose | None:
        """What a surface is that can be pushed away; None for all that stands or goes its own way."""

    def turn_of(self, surface: int) -> float:
        """The surface's turn about Z since the previous tick, radians (0 for still ground)."""


def walked_along(line: Line, height_below: Callable[[float, float, float, float], float | None]) -> list[float | None]:
    """`heights_along` by one question after the other."""
    x, y, z, dx, dy, sides, up, reach = line
    heights = []
    for side in sides:
        top = z + up
        for k in side:
            height = height_below(x + dx * k, y + dy * k, top, reach)
            if height is not None:
                top = height + up
            heights.append(height)
    return heights
