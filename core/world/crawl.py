"""Along a surface as a crawling thing goes: up walls that it meets, over edges that it comes to.

A trail is walked in short straight pieces by two rays each: one ahead, a little over the surface, that meets walls; one
down, that keeps to the surface. Where there is nothing below, a third ray looks back under the edge for the face on
which it goes on. Where two flat faces meet is worked out from their planes, so that trails change evenly with place.
"""

from __future__ import annotations

from typing import NamedTuple

from mathutils import Vector

from .world import Hit, World

# Shares of a feeler's rise at which an edge is looked under, the first for thin plates.
DIPS = (0.25, 1.5)
# How far over a corner a trail goes on, and how level two faces are that count as one.
OVER, SAME = 1e-3, 0.99999
MOST_PIECES = 60


class Feeler(NamedTuple):
    """How a trail is felt, metres: pieces of `step`, rays ahead `rise` over the surface, at most `depth` below it."""

    step: float
    rise: float
    depth: float


class Piece(NamedTuple):
    """A part of a trail on one face: from and to so many metres of it, and the face's normal."""

    start: float
    end: float
    normal: Vector


class Trail(NamedTuple):
    """Where a trail ended: place, normal and direction there, how long it was, and its pieces.

    It is shorter than asked where the surface ends and no other face goes on. `marks` are places on it, with how far
    along each is: its corners among them.
    """

    position: Vector
    normal: Vector
    direction: Vector
    length: float
    pieces: list[Piece]
    marks: list[tuple[float, Vector]]


class _Crawler:
    """One trail in the making."""

    def __init__(self, world: World, start: Vector, normal: Vector, direction: Vector, feeler: Feeler) -> None:
        self.world, self.feeler = world, feeler
        self.position, self.normal, self.direction = start, normal, direction
        self.gone = self.begun = 0.0
        self.pieces: list[Piece] = []
        self.marks: list[tuple[float, Vector]] = []

    def go(self, way: float) -> None:
        self.position = self.position + self.direction * way
        self.gone += way
        self.marks.append((self.gone, self.position))

    def turn_onto(self, normal: Vector) -> None:
        """Go on along another face."""
        if self.gone > self.begun:
            self.pieces.append(Piece(self.begun, self.gone, self.normal))
        self.begun = self.gone
        ahead = self.normal.rotation_difference(normal) @ self.direction
        self.normal = normal
        self.direction = (ahead - normal * ahead.dot(normal)).normalized()

    def step(self, way: float) -> bool:
        """One piece of at most `way` metres; False where the surface ends."""
        rise, depth = self.feeler.rise, self.feeler.depth
        here, up, ahead = self.position, self.normal, self.direction
        over = here + up * rise
        wall = self.world.cast_ray(over, ahead, way)
        if wall is not None and wall.normal.dot(ahead) < -1e-3:
            self._corner(wall, way)
            return True
        below = self.world.cast_ray(over + ahead * way, -up, rise + depth)
        if below is None:
            return self._edge(way)
        if below.normal.dot(up) > SAME:
            self.go(way)
            self.position = self.position + up * (below.position - self.position).dot(up)
            return True
        facing = ahead.dot(below.normal)
        corner = (below.position - here).dot(below.normal) / facing if abs(facing) > 1e-6 else 0.5 * way
        corner = min(max(corner, 0.0), way)
        self.go(corner)
        self.turn_onto(below.normal)
        self.go(way - corner)
        self.position = self.position + self.normal * (below.position - self.position).dot(self.normal)
        return True

    def _corner(self, face: Hit, way: float, least: float = 0.0) -> None:
        """To the line where the present face meets another one, and a little over it; no further than `way`."""
        facing = self.direction.dot(face.normal)
        corner = max((face.position - self.position).dot(face.normal) / facing, least)
        if corner >= way:
            self.go(way)
            return
        self.go(corner)
        self.turn_onto(face.normal)
        self.go(min(OVER * self.feeler.rise, way - corner))

    def _edge(self, way: float) -> bool:
        for dip in DIPS:
            under = self.position + self.direction * way - self.normal * (dip * self.feeler.rise)
            side = self.world.cast_ray(under, -self.direction, way + self.feeler.rise)
            if side is not None and side.normal.dot(self.direction) > 1e-3:
                self._corner(side, way)
                return True
        return False


def crawl(world: World, start: Vector, normal: Vector, direction: Vector, length: float, feeler: Feeler) -> Trail:
    """The trail of `length` metres from a place on a surface (unit normal) in a unit direction along it."""
    crawler = _Crawler(world, start, normal, direction, feeler)
    for _ in range(MOST_PIECES):
        left = length - crawler.gone
        if left <= 1e-9 or not crawler.step(min(feeler.step, left)):
            break
    crawler.pieces.append(Piece(crawler.begun, max(crawler.gone, crawler.begun), crawler.normal))
    return Trail(crawler.position, crawler.normal, crawler.direction, crawler.gone, crawler.pieces, crawler.marks)


def touched(world: World, trail: Trail, feeler: Feeler) -> Hit | None:
    """What the end of a trail stands on."""
    over = trail.position + trail.normal * feeler.rise
    return world.cast_ray(over, -trail.normal, feeler.rise + feeler.depth)


def mean_normal(trails: list[Trail], length: float) -> Vector:
    """The normal of the surface around a place, from trails of `length` metres out of it.

    What is far away counts less, and each face exactly to where it meets the next: so the answer is even in the place.
    """
    total = Vector()
    for trail in trails:
        for piece in trail.pieces:
            end = length if piece is trail.pieces[-1] else piece.end
            total += piece.normal * (_share(end / length) - _share(piece.start / length))
    return total.normalized() if total.length > 1e-6 else trails[0].pieces[0].normal


def highest(trails: list[Trail], origin: Vector, up: Vector, length: float) -> float:
    """How far the surface sticks out of the plane through `origin`, at least 0: what is further away counts less."""
    most = 0.0
    for trail in trails:
        for gone, place in trail.marks:
            most = max(most, (place - origin).dot(up) * max(0.0, 1.0 - (gone / length) ** 4))
    return most


def _share(s: float) -> float:
    """The part of all weights, 1 - s^4 each, that is nearer than the share `s` of the length."""
    s = min(s, 1.0)
    return 1.25 * (s - 0.2 * s**5)
