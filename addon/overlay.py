"""Drawing into the 3D view: where feet stand and will stand, and the path ahead. Nothing in background."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import bpy
import gpu
from gpu_extras.batch import batch_for_shader

from .frame_cache import Snapshot
from .performers import performers
from .roster import roster

AHEAD_FRAMES = 48
PLANTED = (0.15, 0.75, 0.35, 1.0)
SWINGING = (1.0, 0.6, 0.1, 1.0)
AHEAD = (0.3, 0.6, 1.0, 0.9)
SIZE = 0.07
LIFT = 0.004
LINE_WIDTH = 2.0
SIDES = 16

Point = tuple[float, float, float]


class Drawing:
    """The draw handler's handle and the shader, both made when first needed."""

    handle: Any = None
    shader: Any = None


def rings(snapshot: Snapshot, size: float) -> tuple[list[Point], list[Point]]:
    """Line segments (pairs of points) of a ring at each foothold: of planted feet, then of swinging ones."""
    planted: list[Point] = []
    swinging: list[Point] = []
    for footing in snapshot.frame.feet:
        (planted if footing.planted else swinging).extend(ring(footing.foothold, footing.normal, size))
    return planted, swinging


def ring(center: Point, normal: Point, size: float) -> list[Point]:
    """Line segments of a circle about `normal`, a little over the ground."""
    nx, ny, nz = normal
    ax, ay, az = (1.0, 0.0, -nx / nz) if abs(nz) > 0.5 else (0.0, 0.0, 1.0)
    length = (ax * ax + ay * ay + az * az) ** 0.5
    ax, ay, az = ax / length, ay / length, az / length
    bx, by, bz = ny * az - nz * ay, nz * ax - nx * az, nx * ay - ny * ax
    cx, cy, cz = (c + LIFT * n for c, n in zip(center, normal, strict=True))
    points = []
    for i in range(SIDES + 1):
        u, v = size * cos(2 * pi * i / SIDES), size * sin(2 * pi * i / SIDES)
        points.append((cx + u * ax + v * bx, cy + u * ay + v * by, cz + u * az + v * bz))
    return [point for pair in zip(points, points[1:], strict=False) for point in pair]


def path_ahead(cache: Any, frame: int) -> list[Point]:
    """Line segments along the body's places in the known frames ahead."""
    places = []
    for number in range(frame, frame + AHEAD_FRAMES + 1):
        snapshot = cache.get(number)
        if snapshot is None:
            break
        ground = snapshot.frame.ground
        places.append((ground.x, ground.y, ground.z + LIFT))
    return [point for pair in zip(places, places[1:], strict=False) for point in pair]


def draw() -> None:
    """All previewed characters of the scene."""
    context = bpy.context
    if context.space_data is None or not context.space_data.overlay.show_overlays:
        return
    scene = context.scene
    for obj in roster.previewed(scene):
        performer = performers.get(obj.session_uid)
        snapshot = None if performer is None else performer.cache.get(scene.frame_current)
        if performer is None or snapshot is None:
            continue
        size = SIZE * performer.reading.rig.leg_length
        planted, swinging = rings(snapshot, size)
        _lines(context, planted, PLANTED)
        _lines(context, swinging, SWINGING)
        _lines(context, path_ahead(performer.cache, scene.frame_current), AHEAD)


def _lines(context: bpy.types.Context, points: list[Point], colour: tuple[float, ...]) -> None:
    if not points:
        return
    if Drawing.shader is None:
        Drawing.shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    shader = Drawing.shader
    batch = batch_for_shader(shader, "LINES", {"pos": points})
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.blend_set("ALPHA")
    shader.bind()
    shader.uniform_float("viewportSize", (context.region.width, context.region.height))
    shader.uniform_float("lineWidth", LINE_WIDTH)
    shader.uniform_float("color", colour)
    batch.draw(shader)
    gpu.state.blend_set("NONE")
    gpu.state.depth_test_set("NONE")


def register() -> None:
    """Draw after the scene in every 3D view; not without a window."""
    if not bpy.app.background:
        Drawing.handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")


def unregister() -> None:
    """Draw no more."""
    if Drawing.handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(Drawing.handle, "WINDOW")
    Drawing.handle = Drawing.shader = None
