"""The motion that comes nearest to a wished one and enters nothing: collide and slide without a speed gain.

Each touched surface allows what lies before a plane. Of all motions that every plane allows, the nearest to the wish is
taken: along one wall it is the wish without its part into the wall, in a corner what is left along the crease, between
three surfaces nothing. A nearest point of a convex set is never longer than the wish where staying is allowed.
"""

from __future__ import annotations

from itertools import combinations
from math import inf
from typing import NamedTuple

from ..space.rigid import Triple
from ..space.triples import dot, minus, plus, product, scaled

Motion = Triple
STILL: Motion = (0.0, 0.0, 0.0)
# What a plane may be overstepped by for a motion to count as allowed, metres: rounding only.
ROUNDING = 1e-9
# Two planes whose normals are this near to each other (sine of the angle between them) have no crease.
PARALLEL = 1e-6
# Two planes whose normals are this near to each other (cosine) face the same way.
SAME = 1.0 - 1e-7
MOST_PLANES = 8
FURTHEST = 8.0
"""Out of what is overstepped leads no motion that is so many times as long: walls that are all but parallel and face
each other meet far away, where nobody is pushed to.
"""


class Plane(NamedTuple):
    """Motions d with normal * d >= least are allowed; `normal` is a unit vector."""

    normal: Motion
    least: float


def slid(wish: Motion, planes: list[Plane]) -> Motion:
    """The allowed motion that is nearest to the wish. Where no motion is allowed at all: the one that oversteps least.

    At most MOST_PLANES planes are looked at, those that the wish oversteps most: so many touch a convex body rarely.
    """
    if all(dot(plane.normal, wish) >= plane.least - ROUNDING for plane in planes):
        return wish
    planes = _strictest(planes)
    if len(planes) > MOST_PLANES:
        planes = sorted(planes, key=lambda plane: dot(plane.normal, wish) - plane.least)[:MOST_PLANES]
    best, nearest = None, _too_far(wish, planes)
    for motion in _candidates(wish, planes):
        if all(dot(plane.normal, motion) >= plane.least - ROUNDING for plane in planes):
            away = _square(motion, wish)
            if away < nearest:
                best, nearest = motion, away
    return _least_overstepping(wish, planes) if best is None else best


def _strictest(planes: list[Plane]) -> list[Plane]:
    """One plane for each way that they face: a wall that was met at many heights must not crowd out another."""
    kept: list[Plane] = []
    for plane in planes:
        k = next((k for k, other in enumerate(kept) if dot(plane.normal, other.normal) > SAME), -1)
        if k < 0:
            kept.append(plane)
        elif plane.least > kept[k].least:
            kept[k] = plane
    return kept


def _candidates(wish: Motion, planes: list[Plane]) -> list[Motion]:
    """The wish laid on each plane, on each crease of two, and each corner of three."""
    found = [_on_plane(wish, plane) for plane in planes]
    for pair in combinations(planes, 2):
        motion = _on_crease(wish, *pair)
        if motion is not None:
            found.append(motion)
    for three in combinations(planes, 3):
        motion = _corner(*three)
        if motion is not None:
            found.append(motion)
    return found


def _on_plane(wish: Motion, plane: Plane) -> Motion:
    normal, least = plane
    return plus(wish, scaled(normal, least - dot(normal, wish)))


def _on_crease(wish: Motion, first: Plane, second: Plane) -> Motion | None:
    """The wish laid on the line where both planes are just held."""
    between = dot(first.normal, second.normal)
    square = 1.0 - between * between
    if square < PARALLEL * PARALLEL:
        return None
    a, b = (plane.least - dot(plane.normal, wish) for plane in (first, second))
    towards = plus(scaled(first.normal, (a - between * b) / square), scaled(second.normal, (b - between * a) / square))
    return plus(wish, towards)


def _corner(first: Plane, second: Plane, third: Plane) -> Motion | None:
    """The motion that just holds three planes."""
    a, b, c = first.normal, second.normal, third.normal
    ab, bc, ca = product(a, b), product(b, c), product(c, a)
    volume = dot(a, bc)
    if abs(volume) < PARALLEL:
        return None
    motion = plus(plus(scaled(bc, first.least), scaled(ca, second.least)), scaled(ab, third.least))
    return scaled(motion, 1.0 / volume)


def _least_overstepping(wish: Motion, planes: list[Plane]) -> Motion:
    """Between surfaces that leave no room: the least of the worst oversteps, near where they meet."""
    best, least, too_far = STILL, inf, _too_far(wish, planes)
    for motion in (STILL, *(near for near in _candidates(wish, planes) if _square(near, wish) < too_far)):
        worst = max(plane.least - dot(plane.normal, motion) for plane in planes)
        if worst < least - ROUNDING:
            best, least = motion, worst
    return best


def _too_far(wish: Motion, planes: list[Plane]) -> float:
    """The square of how far a motion may be from the wish."""
    worst = max(plane.least - dot(plane.normal, wish) for plane in planes)
    return (FURTHEST * worst) ** 2


def _square(a: Motion, b: Motion) -> float:
    way = minus(a, b)
    return dot(way, way)
