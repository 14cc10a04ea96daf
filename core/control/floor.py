"""Where a capsule's lowest sphere comes to rest: told by the place alone, so that stairs are the same at any rate."""

from __future__ import annotations

from typing import NamedTuple

from mathutils import Vector

from ..space.rigid import Triple
from ..space.triples import scaled
from ..space.vectors import triple
from ..world.probe import DOWN
from ..world.world import Hit, World
from .movement import MovementConfig
from .touching import floor_at

SLACK = 0.05
"""So far from where it is looked for the floor's nearest place may be, metres."""
TOUCHING = 1e-4
NEWTON = 4
"""Steps of Newton's method towards touching: smooth ground takes two."""
LEANING = 0.3
"""A touch whose normal is less upright is a wall's."""
SAME = 0.9999


class Rest(NamedTuple):
    """Where the body comes to rest from above: its feet, the floor's normal (None: too steep to stand), the touch.

    Not `free`: something is in the way at whatever height it is let down from; the touch is with that.
    """

    feet: Triple
    normal: Triple | None
    hit: Hit
    free: bool = True


def rest_under(world: World, feet: Triple, up: float, config: MovementConfig) -> Rest | None:
    """Where the lowest sphere comes to rest under a place; None where that is further down than it sticks to floors."""
    return _rest_on_slope(world, feet, up, config) or _rest_from_above(world, feet, up, config)


def _rest_on_slope(world: World, feet: Triple, up: float, config: MovementConfig) -> Rest | None:
    """The same, quickly, where the sphere touches the floor about where its middle is over it: nearly everywhere."""
    x, y, z = feet
    radius = config.radius
    under = world.cast_ray(Vector((x, y, z + radius + up)), DOWN, up + radius + config.stick)
    if under is None or under.back or under.normal.z < config.upright:
        return None
    height = under.position.z + radius * (1.0 / under.normal.z - 1.0)
    for _ in range(NEWTON):
        near = world.nearest(Vector((x, y, height + radius)), radius + SLACK)
        if near is None:
            return None
        px, py, pz = near.position
        nx, ny, nz = (x - px) / near.distance, (y - py) / near.distance, (height + radius - pz) / near.distance
        gap = near.distance - radius
        if near.back or (nz < LEANING and gap < -TOUCHING):
            return None
        if nz < LEANING:
            # Only a wall is as near: the floor's plane says it all.
            return Rest((x, y, height), triple(under.normal), under)
        if abs(gap) <= TOUCHING:
            flat = nx * under.normal.x + ny * under.normal.y + nz * under.normal.z > SAME
            normal = triple(under.normal) if flat else floor_at(world, (nx, ny, nz), (px, py, pz), config)
            return Rest((x, y, height), normal, near)
        height -= gap / nz
    return None


def _rest_from_above(world: World, feet: Triple, up: float, config: MovementConfig) -> Rest | None:
    """The same for edges, steps and what is between them: let down from a place that is at most `up` over the last one;
    where that is inside of something, from as high as a step and the ceiling allow.
    """
    x, y, z = feet
    radius = config.radius
    for rise in (min(up, config.highest_step), config.highest_step, None):
        height = _headroom(world, feet, config) if rise is None else rise
        start = Vector((x, y, z + radius + height))
        met = world.cast_sphere(start, DOWN, height + config.stick, radius)
        if met is None:
            return None
        hit = met
        if hit.distance > TOUCHING:
            break
    else:
        return Rest(feet, None, hit, free=False)
    px, py, pz = hit.position
    at = (x, y, z + height - hit.distance)
    away = (x - px, y - py, at[2] + radius - pz)
    normal = floor_at(world, scaled(away, 1.0 / radius), (px, py, pz), config)
    return Rest(at, normal, hit)


def _headroom(world: World, feet: Triple, config: MovementConfig) -> float:
    """How far up the lowest sphere may go, at most a step."""
    x, y, z = feet
    start = Vector((x, y, z + config.radius + config.padding))
    hit = world.cast_sphere(start, -DOWN, config.highest_step, config.radius)
    return config.highest_step if hit is None else max(0.0, hit.distance + config.padding - TOUCHING)
