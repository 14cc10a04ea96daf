"""The ground under a sole: what lies below each end, as far as the foot is over the piece that it stands on.

Of a foot that clings to a wall, below is towards the wall.
"""

from __future__ import annotations

import numpy as np
from mathutils import Vector

from ..world.turned import Turned
from ..world.world import World

SAMPLES = 8
# Between two samples, ground steeper than this (rise per metre) is an edge, not a slope.
EDGE = 2.5
ABOVE, BELOW = 0.1, 2.0
DOWN = Vector((0.0, 0.0, -1.0))
UP = Vector((0.0, 0.0, 1.0))


def ground_height(world: World, x: float, y: float, z: float) -> float:
    """The height of the ground below a sole point at height z, NaN where there is none."""
    hit = world.cast_ray(Vector((x, y, z + ABOVE)), DOWN, ABOVE + BELOW)
    return float("nan") if hit is None else hit.position.z


def sole_ground(world: World, heel: np.ndarray, ball: np.ndarray) -> tuple[float, float]:
    """Heights under heel and ball (3,), world. An end that hangs over an edge of the other's ground gets NaN.

    The end that is nearer to its ground is the one that stands.
    """
    ends = [ground_height(world, *point) for point in (heel, ball)]
    apart = float(np.linalg.norm((ball - heel)[:2]))
    if apart < 1e-6 or np.isnan(ends).any() or abs(ends[0] - ends[1]) < 0.02 * apart:
        return ends[0], ends[1]
    shares = np.linspace(0.0, 1.0, SAMPLES)
    line = [ground_height(world, *(heel + (ball - heel) * share)) for share in shares]
    steps = np.abs(np.diff(line))
    if np.isnan(steps).any() or steps.max() > EDGE * apart / (SAMPLES - 1):
        over = abs(heel[2] - ends[0]) > abs(ball[2] - ends[1])
        return (float("nan"), ends[1]) if over else (ends[0], float("nan"))
    return ends[0], ends[1]


def surface_ground(
    world: World, heel: np.ndarray, ball: np.ndarray, above: np.ndarray, reach: float
) -> tuple[np.ndarray, tuple[float, float]]:
    """For a foot that clings: the normal (3,) of the surface nearest to its ball, and how far along it that surface is
    under heel and ball, from the world's origin. `above` (3,) is a joint of its leg: that is on the free side.

    Without a surface within `reach` metres it is as over the ground below.
    """
    hit = world.nearest(Vector(ball.tolist()), reach)
    if hit is None:
        return np.array(UP), sole_ground(world, heel, ball)
    normal = hit.normal if hit.normal.dot(Vector(above.tolist()) - hit.position) >= 0.0 else -hit.normal
    seen = Turned(world, UP.rotation_difference(normal), Vector())
    ends = (np.array(seen.from_scene(Vector(end.tolist()))) for end in (heel, ball))
    return np.array(normal), sole_ground(seen, *ends)
