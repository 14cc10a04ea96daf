"""The gait chart in a corner of the 3D view: of the previewed characters that ask for it, around the current frame."""

from __future__ import annotations

from typing import Any

import blf
import bpy
import gpu
import numpy as np
from bpy.types import Context
from gpu_extras.batch import batch_for_shader

from ..core.measure.chart_image import Drawing, drawing
from ..core.measure.gait_chart import GaitChart
from ..core.measure.gait_chart import gait_chart as chart_of
from ..core.measure.track import FootTrack, Track
from .bake_record import planned
from .performers import Performer, performers
from .roster import roster

AROUND_FRAMES = 60
WIDTH, MARGIN, LETTER_HEIGHT = 760, 24, 12
LEAST_WIDTH = 360


class Handle:
    """The draw handler and its shader, made when first needed."""

    handle: Any = None
    shader: Any = None


def chart_around(performer: Performer, frame: int, fps: float) -> GaitChart | None:
    """The chart of the known frames around one; None where that one is not known or there are no legs.

    Where feet are is read from their footholds: legs count as crossing while they stand so.
    """
    cache = performer.cache
    if cache.get(frame) is None or not performer.reading.rig.legs:
        return None
    first = last = frame
    while first > frame - AROUND_FRAMES and cache.get(first - 1) is not None:
        first -= 1
    while last < frame + AROUND_FRAMES and cache.get(last + 1) is not None:
        last += 1
    frames = [cache.get(number).frame for number in range(first, last + 1)]
    feet = []
    for i, leg in enumerate(performer.reading.rig.legs):
        places = np.array([shown.feet[i].foothold for shown in frames])
        level = np.full(len(frames), np.nan)
        feet.append(FootTrack(leg.role, places, places, level, level, np.repeat(places[:, None], 2, axis=1)))
    track = Track(
        fps=fps,
        frames=np.arange(first, last + 1, dtype=float),
        feet=tuple(feet),
        body=np.array([(shown.ground.x, shown.ground.y, shown.ground.z) for shown in frames]),
        heading=np.array([shown.ground.heading for shown in frames]),
        leg_length=performer.reading.rig.leg_length,
    )
    return chart_of(track, planned([shown.feet for shown in frames], first, fps))


def draw() -> None:
    """The charts of all that this view shows, one over the other in its lower left corner."""
    context = bpy.context
    space, scene = context.space_data, context.scene
    if space is None or not space.overlay.show_overlays:
        return
    scale = context.preferences.system.ui_scale
    left, right = _free(context)
    bottom = MARGIN * scale
    for obj in roster.previewed(scene):
        performer = performers.get(obj.session_uid) if obj.surefoot.chart else None
        if performer is None or not obj.visible_in_viewport_get(space):
            continue
        chart = chart_around(performer, scene.frame_current, scene.render.fps / scene.render.fps_base)
        width = min(WIDTH, int((right - left) / scale) - 2 * MARGIN)
        if chart is not None and width >= LEAST_WIDTH:
            drawn = drawing(chart, width, scene.frame_current)
            _show(drawn, left + MARGIN * scale, bottom, scale)
            bottom += (drawn.height + 4) * scale


def _free(context: Context) -> tuple[float, float]:
    """The part of the view's width that neither its tool bar nor its sidebar covers."""
    widths = {region.type: region.width for region in context.area.regions if region.width > 1}
    if not context.preferences.system.use_region_overlap:
        return 0.0, float(context.region.width)
    return float(widths.get("TOOLS", 0)), float(context.region.width - widths.get("UI", 0))


def _show(drawn: Drawing, x: float, y: float, scale: float) -> None:
    if Handle.shader is None:
        Handle.shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    points, colours = [], []
    for shape in drawn.rectangles:
        a, b = (x + shape.x * scale, y + shape.y * scale)
        c, d = a + shape.width * scale, b + shape.height * scale
        points += [(a, b), (c, b), (c, d), (a, b), (c, d), (a, d)]
        colours += [shape.colour] * 6
    gpu.state.blend_set("ALPHA")
    batch_for_shader(Handle.shader, "TRIS", {"pos": points, "color": colours}).draw(Handle.shader)
    gpu.state.blend_set("NONE")
    blf.size(0, LETTER_HEIGHT * scale)
    for text in drawn.texts:
        blf.position(0, x + text.x * scale, y + text.y * scale, 0)
        blf.color(0, *text.colour)
        blf.draw(0, text.text)


def register() -> None:
    """Draw over every 3D view; not without a window."""
    if not bpy.app.background:
        Handle.handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_PIXEL")


def unregister() -> None:
    """Draw no more."""
    if Handle.handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(Handle.handle, "WINDOW")
    Handle.handle = Handle.shader = None
