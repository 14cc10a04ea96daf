"""A tick of the walking capsule in ray casts' worth, on ground of different density, among walls."""

from __future__ import annotations

import statistics
import time
from math import cos, sin, sqrt

import bpy
from mathutils import Vector
from mathutils.bvhtree import BVHTree
from support.bench_stage import DOWN, hills

DENSITIES = {20: 100, 500: 150, 8000: 300}
"""Triangles a square metre, and how many rays a tick may cost in the median."""
SIZE, TICKS, RATE, SPEED = 12.0, 1200, 60, 1.4
WALLS = 6


def bench_capsule() -> dict[str, float]:
    """A walk of 20 seconds that turns every two thirds of a second; processor time, so that others do not count."""
    found: dict[str, float] = {}
    for density, most in DENSITIES.items():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        median, late = _walked(density)
        found[f"{density} triangles a m2, rays in the median (at most {most})"] = median
        found[f"{density} triangles a m2, rays at the 99th percentile"] = late
    return found


def _walked(density: int) -> tuple[float, float]:
    from surefoot.addon.scene_world import SceneWorld
    from surefoot.core.control.capsule import move, put
    from surefoot.core.control.capsule_memory import Wish
    from surefoot.core.control.movement import MovementConfig

    ground = hills(SIZE, int(SIZE * sqrt(density / 2)))
    for k in range(WALLS):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=(2.0 * k - 4.9, k - 2.0, 0.5))
        bpy.context.object.scale = (0.2, 2.0, 3.0)
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    world, config = SceneWorld(), MovementConfig()
    world.refresh(depsgraph, 1)
    memory, ticks, places = put((0.0, 0.0, 0.2), config, world), [], []
    for tick in range(TICKS):
        heading = 0.7 * (tick - tick % 40)
        began = time.thread_time_ns()
        move(memory, Wish((SPEED * cos(heading), SPEED * sin(heading))), config, world, 1.0 / RATE)
        ticks.append(time.thread_time_ns() - began)
        places.append(memory.feet)
    ray = _ray(BVHTree.FromObject(ground, depsgraph), places)
    ticks.sort()
    return statistics.median(ticks) / ray, ticks[int(0.99 * len(ticks))] / ray


def _ray(tree: BVHTree, places: list[tuple[float, float, float]]) -> float:
    """A ray straight down at the walk's own places, nanoseconds."""
    times = []
    for x, y, z in places * 8:
        origin = Vector((x, y, z + 1.0))
        began = time.thread_time_ns()
        tree.ray_cast(origin, DOWN, 3.0)
        times.append(time.thread_time_ns() - began)
    return statistics.median(times)
