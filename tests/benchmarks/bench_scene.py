"""Asking a scene for its ground, against asking a bare tree."""

from __future__ import annotations

import statistics
import time

import bpy
from mathutils import Vector
from mathutils.bvhtree import BVHTree
from support.bench_stage import DOWN, hills, milliseconds

CASTS = 10_000


def bench_casts() -> dict[str, float]:
    """A vertical cast through the scene's world: about three bare ones at most."""
    from surefoot.addon.grounds import worlds

    ground = hills()
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    world = worlds.get(scene, None)
    tree = BVHTree.FromObject(ground, bpy.context.evaluated_depsgraph_get())
    bare, through = _cast_time(tree.ray_cast), _cast_time(world.cast_ray)
    return {"bare cast, us": bare, "cast through the scene, us": through, "ratio (at most about 3)": through / bare}


def bench_two_million_triangles() -> dict[str, float]:
    """Looking at a large ground for the first time, and again when nothing has changed."""
    from surefoot.addon.scene_world import SceneWorld

    hills(cells=1000)
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    world = SceneWorld()
    first = milliseconds(lambda: world.refresh(depsgraph, 1))
    again = milliseconds(lambda: world.refresh(depsgraph, 2, ()), 5)
    return {"first look, ms": first, "next frame, nothing touched, ms": again}


def _cast_time(cast: object) -> float:
    times = []
    for k in range(CASTS):
        origin = Vector((0.003 * (k % 1000), 0.007 * (k % 700), 0.5))
        began = time.perf_counter_ns()
        cast(origin, DOWN, 1.0)
        times.append((time.perf_counter_ns() - began) / 1000.0)
    return statistics.median(times)
