"""Edges to hang from, felt by rays on any mesh: where a wall ends upward.

The wall is felt just under its top, the top just in from the face: a rim that nobody could stand on is an edge, too,
and so is a beam. All places world space, metres; normals point level out of the wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, hypot
from typing import NamedTuple

from mathutils import Vector

from ..space.rigid import Triple
from ..space.triples import minus, plus, scaled
from .probe import DOWN
from .world import Hit, World

STEEP = 0.7
"""A wall's normal points up or down no more than this."""
LEVEL_TOP = 0.6
"""A top that is less upright gives no hold."""
ALIKE = 0.5
"""Walls to both sides of a place whose normals agree this well (cosine) are one wall there."""
OVER = 0.02
"""A top is looked for from so far over the highest place where it may be, in metres for the size of a person."""
HALVINGS = 8


class Feel(NamedTuple):
    """How edges are felt: from how far out of the wall, how far under the top, how far in from the face the top may
    first be met, how much higher or lower it may be than where it was, how much further in the wall, and half the way
    between two hands.
    """

    out: float = 0.35
    below: float = 0.06
    insets: tuple[float, ...] = (0.03, 0.08, 0.16)
    step: float = 0.15
    give: float = 0.1
    apart: float = 0.2

    def sized(self, scale: float) -> Feel:
        """The same for a body of another size."""
        out, below, insets, step, give, apart = self
        return Feel(
            out * scale, below * scale, tuple(i * scale for i in insets), step * scale, give * scale, apart * scale
        )


class Edge(NamedTuple):
    """A place on a rim: over the wall's face, at the height of its top; the face's level normal, the face, the top."""

    place: Triple
    normal: Triple
    face: Hit
    top: Hit


def left_along(normal: Triple) -> Triple:
    """The level unit direction along a wall to the left of who faces it."""
    return normal[1], -normal[0], 0.0


def moved_along(place: Triple, normal: Triple, way: float) -> Triple:
    """A place so far to the left (negative: to the right) along a wall."""
    return plus(place, scaled(left_along(normal), way))


def edge_near(world: World, place: Triple, normal: Triple, feel: Feel) -> Edge | None:
    """The edge about where it is expected."""
    z = place[2]
    for under in (feel.below, feel.step + feel.below):
        face = _face(world, (place[0], place[1], z - under), normal, feel)
        if face is None:
            continue
        top = _top(world, face, normal, (z - feel.step, z + feel.step), feel)
        if top is not None:
            return _rim(world, face, top, normal, feel)
        return None
    return None


def edges_over(world: World, place: Triple, normal: Triple, heights: tuple[float, float], feel: Feel) -> Iterator[Edge]:
    """The edges of walls in front of a place, between two heights, from the lowest on. The wall is looked for from
    `feel.out` before the place to `feel.give` behind it.
    """
    low, high = heights
    rows = max(1, ceil((high - low) / feel.step))
    pitch = (high - low) / rows
    last = low - pitch
    for k in range(rows):
        row = low + k * pitch
        face = _face(world, (place[0], place[1], row - OVER * feel.step), normal, feel)
        if face is None:
            continue
        level = _level(face)
        top = None if level is None else _top(world, face, level, (row, row + pitch), feel)
        edge = None if top is None or level is None else _rim(world, face, top, level, feel)
        if edge is not None and edge.place[2] > last + OVER * feel.out:
            last = edge.place[2]
            yield edge


def squared(world: World, edge: Edge, feel: Feel) -> Edge:
    """The same edge with the normal that two hands feel: square to the line from the one to the other, so that it turns
    evenly over a curve that is made of flat faces.
    """
    sides = [edge_near(world, moved_along(edge.place, edge.normal, w), edge.normal, feel) for w in _both(feel)]
    left, right = (side if side is not None and alike(side.normal, edge.normal) else edge for side in sides)
    x, y, _ = minus(left.place, right.place)
    length = hypot(x, y)
    if length < 0.5 * feel.apart:
        return edge
    return edge._replace(normal=(-y / length, x / length, 0.0))


def alike(a: Triple, b: Triple) -> bool:
    """True for the normals of one wall."""
    return a[0] * b[0] + a[1] * b[1] > ALIKE


def room_along(world: World, edge: Edge, way: float, feel: Feel) -> tuple[float, Edge]:
    """How far an edge goes on to the left (negative way: to the right), at most `way`, and the edge at that end. Its
    top may rise and fall by a step between two places half an arm apart.
    """
    count = max(1, ceil(abs(way) / (0.5 * feel.apart)))
    pitch = way / count
    gone, here = 0.0, edge
    for _ in range(count):
        there = _next(world, here, pitch, feel)
        if there is None:
            short, there = _as_far_as_it_goes(world, here, pitch, feel)
            return abs(gone + short), there
        gone, here = gone + pitch, there
    return abs(gone), here


def _both(feel: Feel) -> tuple[float, float]:
    return feel.apart, -feel.apart


def _next(world: World, edge: Edge, way: float, feel: Feel) -> Edge | None:
    there = edge_near(world, moved_along(edge.place, edge.normal, way), edge.normal, feel)
    return there if there is not None and alike(there.normal, edge.normal) else None


def _as_far_as_it_goes(world: World, edge: Edge, way: float, feel: Feel) -> tuple[float, Edge]:
    """The last place before an end that lies within `way`."""
    low, high, last = 0.0, way, edge
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        there = _next(world, edge, middle, feel)
        if there is None:
            high = middle
        else:
            low, last = middle, there
    return low, last


def _face(world: World, place: Triple, normal: Triple, feel: Feel) -> Hit | None:
    """The wall about a place, looked for square to it."""
    start = Vector(plus(place, scaled(normal, feel.out)))
    face = world.cast_ray(start, Vector(scaled(normal, -1.0)), feel.out + feel.give)
    return None if face is None or face.back or abs(face.normal.z) > STEEP else face


def _level(face: Hit) -> Triple | None:
    x, y, _ = face.normal
    length = hypot(x, y)
    return (x / length, y / length, 0.0) if length > 0.0 else None


def _top(world: World, face: Hit, normal: Triple, heights: tuple[float, float], feel: Feel) -> Hit | None:
    """The top of a wall between two heights; None where it goes on above, or gives no hold."""
    low, high = heights
    over = OVER * feel.out
    for inset in feel.insets:
        x, y, _ = minus(triple_of(face), scaled(normal, inset))
        top = world.cast_ray(Vector((x, y, high + over)), DOWN, high - low + 2.0 * over)
        if top is None:
            continue
        if top.back:
            return None
        if top.normal.z >= LEVEL_TOP:
            return top
    return None


def triple_of(hit: Hit) -> Triple:
    """Where a hit is, as plain floats."""
    x, y, z = hit.position
    return x, y, z


def _rim(world: World, face: Hit, top: Hit, normal: Triple, feel: Feel) -> Edge | None:
    """The edge between a wall and its top: the wall is felt once more just under it."""
    x, y, _ = face.position
    z = top.position.z
    under = _face(world, (x, y, z - feel.below), normal, feel)
    level = None if under is None else _level(under)
    if under is None or level is None:
        return None
    return Edge((under.position.x, under.position.y, z), level, under, top)
