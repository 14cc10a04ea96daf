"""Feet around corners: which foothold a leg can stand on while its body goes by, and how a foot gets over an edge.

On one face the stride says where a foot lands. Where faces meet, the same place along the surface may be behind an
edge, too far from the hip, or so close to it that the leg folds up: then places beside it are tried.
"""

from __future__ import annotations

from functools import lru_cache
from math import dist, hypot, inf

from mathutils import Vector

from ..control.clinging import Unrolled
from ..control.intent import Place
from ..space.angles import facing
from ..space.rigid import Triple
from ..space.vectors import triple
from ..world.world import Hit, World
from .foot import UP, Foothold
from .shape import LegShape
from .way import Way, along, arch

# How far ahead and aside (shares of the leg) other footholds are tried, and what that costs.
FURTHER = 0.1
ASIDES = sorted(
    (FURTHER * hypot(0.1 * ahead, 0.15 * aside), -0.1 * ahead, 0.15 * aside)
    for ahead in range(-8, 9)
    for aside in range(-2, 3)
)
# A leg stretches to this share of its length and folds to this one of its length at rest, stands on no face that it
# sees flatter than this sine, and has to see its foothold over this share of the way to it.
REACH, FOLDED, LENGTH_COSTS = 0.93, 0.58, 3.0
LEAST_RISE, FLAT_COSTS = 0.15, 2.0
SEEN, HIDDEN_COSTS = 0.97, 1.0
# What is wrong when a foot leaves counts less: it may leave early.
LATER = 0.5
# A foot that is on its way goes elsewhere only for so much.
KEEPS = 0.1
# Over an edge a body may sink by this share of its legs' height; from a wall before or behind it, it keeps away by so
# much of what that stands out.
SAG, LIFT = 0.25, 1.5
# A foot that goes over an edge passes it by this share of a step's height.
SPARE = 0.4
MOMENTS = tuple(0.1 + 0.04 * k for k in range(21))
# Faces that differ by less than this in the cosine are one to a swinging foot.
ONE_FACE = 0.9998


def least_heave(sticks_out: float, height: float) -> float:
    """How far a body with hips at `height` at least rises over its frame, where the surface sticks out so far."""
    return LIFT * sticks_out - SAG * height


@lru_cache(maxsize=256)
def most_folded(leg: LegShape) -> float:
    """The share of its length to which a leg folds without touching itself."""
    return FOLDED * dist(leg.hip, leg.tip) / leg.length


def hip_of(world: Unrolled, leg: LegShape, height: float, place: Place) -> Vector:
    """The hip of a body that stands at a place of the unrolled surroundings, in this frame."""
    at, turn, sticks_out = world.body_at(place)
    x, y, z = leg.hip
    return at + turn @ Vector((x, y, z + max(0.0, least_heave(sticks_out, height))))


def best_beside(
    world: Unrolled, leg: LegShape, hips: tuple[Vector, Vector], goal: tuple[float, float], way: tuple[float, float]
) -> tuple[Hit | None, float]:
    """The foothold near `goal` (x, y on the unrolled surface) that suits both hips best, and how badly it does.

    `way` is the body's direction.
    """
    best, worst = None, inf
    (x, y), (ax, ay) = goal, way
    for cost, ahead, aside in ASIDES:
        if cost >= worst:
            break
        dx, dy = (ax * ahead - ay * aside) * leg.length, (ay * ahead + ax * aside) * leg.length
        hit = world.at(x + dx, y + dy)[0]
        wrong = inf if hit is None else cost + misfit(world, leg, hips, hit.position, hit.normal)
        if wrong < worst:
            best, worst = hit, wrong
    return best, worst


def misfit(world: World, leg: LegShape, hips: tuple[Vector, Vector], place: Vector, normal: Vector) -> float:
    """How badly a foothold suits a leg while it stands there, 0 well: too far for it; too near, seen too flat or behind
    something when it lands and, less, when it leaves.
    """
    first, last = (_seen_from(world, leg, hip, place, normal) for hip in hips)
    return max(first[0], last[0], first[1], LATER * last[1])


def _seen_from(world: World, leg: LegShape, hip: Vector, place: Vector, normal: Vector) -> tuple[float, float]:
    """How much too far a foothold is for a hip, and what else is wrong with it."""
    way = place - hip
    far = max(way.length, 1e-9)
    way /= far
    rises, length = -way.dot(normal), far / leg.length
    wrong = LENGTH_COSTS * max(0.0, most_folded(leg) - length) + FLAT_COSTS * max(0.0, LEAST_RISE - rises)
    if rises > 0.0 and world.cast_ray(hip, way, far * SEEN) is not None:
        wrong += HIDDEN_COSTS
    return LENGTH_COSTS * max(0.0, length - REACH), wrong


def way_of(stance: tuple[Place, Place]) -> tuple[float, float]:
    """The direction in which a body goes through a stance; the facing of one that stands."""
    first, last = stance
    x, y = last.x - first.x, last.y - first.y
    length = hypot(x, y)
    return (x / length, y / length) if length > 1e-6 else facing(first.heading)


def way_between(start: Foothold, end: Foothold, least: float, highest: float) -> Way:
    """The way of a foot that is lifted away from the faces at both its ends, over the edge where one is between."""
    (ax, ay, az), (bx, by, bz) = start.normal, end.normal
    upright = Vector((ax + bx, ay + by, az + bz))
    # From one side of a plate to the other there is no middle: up, where the body is.
    up = triple(upright.normalized() if upright.length > 0.1 else UP)
    height = least
    if _dot(start.normal, end.normal) < ONE_FACE:
        way = (end.x - start.x, end.y - start.y, end.z - start.z)
        height = max(height, _over_edge(way, start.normal, end.normal, up, SPARE * least))
    return Way(min(height, highest), up=up)


def _over_edge(way: Triple, first: Triple, last: Triple, up: Triple, clear: float) -> float:
    """The arc's height that passes the edge between two faces, 0 where none sticks out between.

    Outside of the solid is what is over one of its faces at least: the nearer one is passed at each moment.
    """
    under_first, under_last = _dot(way, first), -_dot(way, last)
    if under_first >= 0.0 or under_last >= 0.0:
        return 0.0
    away_first, away_last = max(_dot(up, first), 0.1), max(_dot(up, last), 0.1)
    height = 0.0
    for s in MOMENTS:
        share = along(s)
        needs = (clear - share * under_first) / away_first, (clear - (1.0 - share) * under_last) / away_last
        height = max(height, min(needs) / arch(s))
    return height


def _dot(a: Triple, b: Triple) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
