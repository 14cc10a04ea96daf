"""Asking for ground: under one foot, and as a slope under a whole body.

All places world space, metres. A foot's probe is one ray in the common case; where that ray misses, falls deep or meets
something steep, three pairs of opposite rays around it tell a seam or a narrow gap from an edge.
"""

from __future__ import annotations

from math import cos, inf, pi, sin
from operator import mul
from typing import NamedTuple, cast

from mathutils import Vector

from ..space.angles import left_of
from .world import Hit, Line, World

DOWN = Vector((0.0, 0.0, -1.0))
PAIRS = tuple((cos(a), sin(a)) for a in (pi / 9.0, pi / 9.0 + pi / 3.0, pi / 9.0 + 2.0 * pi / 3.0))
"""Directions of the three pairs. Where two gaps cross at right angles, one pair still stands on the tiles."""

ALONG = 7
"""Probes to each side along the heading for a slope; across, there are ACROSS."""
ACROSS = 2


WAYS = {count: (tuple(range(1, count + 1)), tuple(range(-1, -count - 1, -1))) for count in (ALONG, ACROSS)}
"""The numbers of the probes ahead and behind, or left and right, from the first outward."""


class Moments(NamedTuple):
    """What the probes of a slope count, in the order in which they are asked: w, w k and w k k of each number k."""

    shares: tuple[tuple[float, float, float], ...]
    plain: tuple[float, ...]
    times: tuple[float, ...]
    total: float
    first: float
    second: float

    @classmethod
    def of(cls, count: int) -> Moments:
        """Those of `count` probes to each side."""
        ahead, behind = WAYS[count]
        weights = [(0.5 + 0.5 * cos(pi * k / (count + 1)), k) for k in (0, *ahead, *behind)]
        return cls.summed(tuple((w, w * k, w * k * k) for w, k in weights))

    @classmethod
    def summed(cls, shares: tuple[tuple[float, float, float], ...]) -> Moments:
        """Those of so many probes, with their sums."""
        total = first = second = 0.0
        for w, wk, wkk in shares:
            total += w
            first += wk
            second += wkk
        return cls(shares, tuple(w for w, _, _ in shares), tuple(wk for _, wk, _ in shares), total, first, second)


MOMENTS = {count: Moments.of(count) for count in (ALONG, ACROSS)}


class GroundProbe(NamedTuple):
    """What counts as ground for a foot: at most so far over it and under it, at least so upright; gaps up to 2 radii.

    A hit's normal must be at least `walkable` upright (0.7 is a slope of 45 degrees). A probe starts `start` over the
    foot (never lower than `up_reach`): what it meets above `up_reach` is an obstacle, and what lies under that is
    hidden, not ground.
    """

    up_reach: float = 0.35
    down_reach: float = 0.5
    walkable: float = 0.7
    radius: float = 0.03
    start: float = 0.0


A_PERSON_S = GroundProbe()


class GroundFit(NamedTuple):
    """A plane through the ground around a body: height below it, rise per metre ahead and to the left.

    `under` is the hit straight below, None over a gap that the plane bridges.
    """

    height: float
    slope: float
    cross_slope: float
    under: Hit | None


def find_ground(world: World, x: float, y: float, foot_z: float, probe: GroundProbe = A_PERSON_S) -> Hit | None:
    """The ground for a foot at (x, y) whose sole is at `foot_z`, or would be if the ground were as expected.

    Over a seam or narrow gap the hit lies at (x, y), at the height of the rims. Beside a lone edge it is what the ray
    met; over nothing, or on a steep bevel, a rim within the radius, where it is.
    """
    hit = _look_down(world, x, y, foot_z, probe)
    upright = hit is not None and hit.normal.z >= probe.walkable
    if hit is not None and upright and hit.position.z >= foot_z - probe.radius:
        return hit
    floor = -inf if hit is None else hit.position.z + probe.radius
    bridge = _over_a_gap(world, (x, y, foot_z), floor, probe)
    if bridge is not None or upright:
        return bridge or hit
    rims = [
        rim
        for dx, dy in PAIRS
        for side in (probe.radius, -probe.radius)
        if (rim := _look_down(world, x + dx * side, y + dy * side, foot_z, probe)) is not None
        and rim.normal.z >= probe.walkable
        and (hit is None or abs(rim.position.z - hit.position.z) <= 2.0 * probe.radius)
    ]
    return min(rims, key=lambda rim: abs(rim.position.z - foot_z), default=None)


def _over_a_gap(world: World, foot: tuple[float, float, float], floor: float, probe: GroundProbe) -> Hit | None:
    """The ground between two opposite rims that are both above `floor` and about as high, None at a lone edge."""
    x, y, foot_z = foot
    for dx, dy in PAIRS:
        sx, sy = dx * probe.radius, dy * probe.radius
        first = _look_down(world, x + sx, y + sy, foot_z, probe)
        if first is None or first.normal.z < probe.walkable or first.position.z <= floor:
            continue
        second = _look_down(world, x - sx, y - sy, foot_z, probe)
        if second is None or second.normal.z < probe.walkable or second.position.z <= floor:
            continue
        if abs(first.position.z - second.position.z) <= 2.0 * probe.radius:
            height = 0.5 * (first.position.z + second.position.z)
            return first._replace(position=Vector((x, y, height)))
    return None


def _look_down(world: World, x: float, y: float, foot_z: float, probe: GroundProbe) -> Hit | None:
    up_reach, down_reach, _, _, start = probe
    start = max(start, up_reach)
    hit = world.cast_ray(Vector((x, y, foot_z + start)), DOWN, start + down_reach)
    return None if hit is None or hit.position.z > foot_z + up_reach else hit


def slope_under(
    world: World, place: tuple[float, float, float, float], length: float, probe: GroundProbe = A_PERSON_S
) -> GroundFit | None:
    """The plane that a body at `place` (x, y, z, heading) walks on, fitted over `length` metres fore and aft together.

    Least squares with weights that fade out to the ends (raised cosine), so that treads come and go unnoticed. Each
    probe starts from the height that the one before found, as far as a step goes up or down: a steep slope is
    followed, a table is not climbed. None where there is ground neither below nor both before and behind.
    """
    x, y, z, heading = place
    under = _look_down(world, x, y, z, probe)
    if under is not None:
        z = under.position.z
    step = length / (2.0 * ALONG)
    lx, ly = left_of(heading)
    dx, dy = ly * step, -lx * step
    up, reach = probe.up_reach, probe.up_reach + probe.down_reach
    fore_and_aft = world.heights_along(Line(x, y, z, dx, dy, WAYS[ALONG], up, reach))
    if under is None and not (_met(fore_and_aft[:ALONG]) and _met(fore_and_aft[ALONG:])):
        return None
    middle = None if under is None else z
    height, rise = _line([middle, *fore_and_aft], ALONG)
    sideways = world.heights_along(Line(x, y, z, lx * step, ly * step, WAYS[ACROSS], up, reach))
    _, cross = _line([middle, *sideways], ACROSS)
    return GroundFit(height, rise / step, cross / step, under)


def _met(heights: list[float | None]) -> bool:
    return any(height is not None for height in heights)


def _line(heights: list[float | None], count: int) -> tuple[float, float]:
    """Height at 0 and rise per step of the line through the heights of all probes, weighted by a raised cosine."""
    moments = MOMENTS[count]
    if None not in heights:
        return _weighed(moments, cast("list[float]", heights))
    met = [(share, z) for share, z in zip(moments.shares, heights, strict=True) if z is not None]
    return _weighed(Moments.summed(tuple(share for share, _ in met)), [z for _, z in met])


def _weighed(moments: Moments, heights: list[float]) -> tuple[float, float]:
    _, plain, times, total, first, second = moments
    sum_z, sum_kz = sum(map(mul, plain, heights)), sum(map(mul, times, heights))
    spread = total * second - first * first
    if spread <= 0.0:
        return (sum_z / total if total else 0.0), 0.0
    rise = (total * sum_kz - first * sum_z) / spread
    return (sum_z - rise * first) / total, rise
