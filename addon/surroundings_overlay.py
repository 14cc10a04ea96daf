"""What a body sees ahead, drawn into the 3D view: rays, face, top, room, and the verdict with its reason."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import blf
import bpy
import gpu
from bpy.types import Context, Object, Scene
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader
from mathutils import Vector

from ..core.seeing import seen_ahead
from ..core.world.asking import Asked
from ..core.world.surroundings import Surroundings
from .grounds import worlds
from .overlay import Colour, Point, Strokes
from .performers import Performer, performers
from .roster import roster
from .scene_units import metres_per_unit
from .texts import text

FREE, MET, FACE, TOP, ROOM, NO_ROOM, LANDING = (
    (0.55, 0.75, 1.0, 0.35), (0.25, 0.60, 1.0, 0.85), (1.0, 0.75, 0.1, 0.95), (0.2, 0.9, 0.4, 0.95),
    (0.2, 0.9, 0.4, 0.5), (1.0, 0.25, 0.2, 0.8), (0.9, 0.4, 1.0, 0.95),
)  # fmt: skip
ARROW, CROSS, SIDES = 0.3, 0.12, 12
"""How long a face's normal and a mark are drawn, metres for a leg of 0.9 m; corners of a capsule's rings."""
LETTERS, OVER_EDGE, LINE_WIDTH = 12, 0.15, 1.5


class Handle:
    """The draw handlers and the shader, made when first needed; what was seen last, by character."""

    lines: Any = None
    words: Any = None
    shader: Any = None
    seen: dict[int, tuple[int, Any, Surroundings | None]] = {}


def seen_at(obj: Object, scene: Scene, performer: Performer, frame: int) -> Surroundings | None:
    """What a character sees at a known frame. It is looked at once, and only where the ground is at that frame."""
    snapshot = performer.cache.get(frame)
    if snapshot is None:
        return None
    kept = Handle.seen.get(performer.uid)
    if kept is not None and kept[0] == frame and kept[1] is snapshot:
        return kept[2]
    world = worlds.get(scene, obj.surefoot.ground)
    if world.is_moving and world.frame != frame:
        return None
    world.set_time(1.0)
    found = seen_ahead(performer.character, snapshot.memory, snapshot.inputs, world)
    Handle.seen[performer.uid] = (frame, snapshot, found)
    return found


def strokes_of_look(seen: Surroundings, size: float) -> Strokes:
    """All lines of a look, metres; `size` is the body's against a person's."""
    strokes = Strokes([], [])
    for asked in seen.asked:
        if asked.kind == "RAY":
            strokes.add([asked.start, asked.end], FREE if asked.free else MET)
        else:
            strokes.add(_capsule(asked), ROOM if asked.free else NO_ROOM)
    if seen.face is not None:
        x, y, z = seen.face.place
        nx, ny, nz = (part * ARROW * size for part in seen.face.normal)
        strokes.add([(x, y, z), (x + nx, y + ny, z + nz)], FACE)
    if seen.top is not None and seen.face is not None:
        nx, ny, _ = seen.face.normal
        strokes.add(_across(seen.top.edge, nx, ny, size), TOP)
        crossing = seen.crossing
        if crossing is not None:
            strokes.add([seen.top.edge, crossing.far], TOP)
            strokes.add(_across(crossing.far, nx, ny, size), TOP)
            for spot in (crossing.landing, crossing.stand):
                strokes.add(_mark(spot.place, size) if spot is not None else [], LANDING)
    return strokes


def _across(place: Point, nx: float, ny: float, size: float) -> list[Point]:
    x, y, z = place
    half = ARROW * size
    return [(x - ny * half, y + nx * half, z), (x + ny * half, y - nx * half, z)]


def _mark(place: Point, size: float) -> list[Point]:
    x, y, z = place
    half = CROSS * size
    return [(x - half, y, z), (x + half, y, z), (x, y - half, z), (x, y + half, z)]


def _capsule(asked: Asked) -> list[Point]:
    """Its rings and four lines along it."""
    points: list[Point] = []
    corners = [(cos(2.0 * pi * k / SIDES), sin(2.0 * pi * k / SIDES)) for k in range(SIDES + 1)]
    for x, y, z in (asked.start, asked.end):
        ring = [(x + c * asked.radius, y + s * asked.radius, z) for c, s in corners]
        for a, b in zip(ring, ring[1:], strict=False):
            points += [a, b]
    for c, s in corners[:-1:3]:
        points += [(x + c * asked.radius, y + s * asked.radius, z) for x, y, z in (asked.start, asked.end)]
    return points


def words_of_look(seen: Surroundings) -> str:
    """The verdict, with the reason where it was refused, and how much was asked for it."""
    reason = f": {seen.reason}" if seen.reason else ""
    said = text(f"verdict_{seen.verdict.lower()}")
    return text("seen_ahead", verdict=said, reason=reason, rays=seen.rays, capsules=seen.capsules)


def _shown(context: Context) -> list[tuple[Surroundings, float]]:
    """What is to be drawn in this view, with each body's size."""
    space, scene = context.space_data, context.scene
    if space is None or not space.overlay.show_overlays:
        return []
    found = []
    for obj in roster.previewed(scene):
        performer = performers.get(obj.session_uid) if obj.surefoot.surroundings else None
        if performer is None or not obj.visible_in_viewport_get(space):
            continue
        seen = seen_at(obj, scene, performer, scene.frame_current)
        if seen is not None:
            found.append((seen, performer.character.rig.leg_length / 0.9))
    return found


def draw_lines() -> None:
    """The lines, over what they are behind too."""
    context = bpy.context
    strokes = Strokes([], [])
    for seen, size in _shown(context):
        for known, new in zip(strokes, strokes_of_look(seen, size), strict=True):
            known.extend(new)
    if not strokes.points:
        return
    if Handle.shader is None:
        Handle.shader = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
    unit = 1.0 / metres_per_unit(context.scene)
    places = [(x * unit, y * unit, z * unit) for x, y, z in strokes.points]
    colours: list[Colour] = strokes.colours
    batch = batch_for_shader(Handle.shader, "LINES", {"pos": places, "color": colours})
    gpu.state.blend_set("ALPHA")
    Handle.shader.bind()
    Handle.shader.uniform_float("viewportSize", (context.region.width, context.region.height))
    Handle.shader.uniform_float("lineWidth", LINE_WIDTH * context.preferences.system.ui_scale)
    batch.draw(Handle.shader)
    gpu.state.blend_set("NONE")


def draw_words() -> None:
    """The verdicts, over the edges they are about, else over who looks."""
    context = bpy.context
    unit, scale = 1.0 / metres_per_unit(context.scene), context.preferences.system.ui_scale
    for seen, size in _shown(context):
        place = seen.top.edge if seen.top is not None else seen.asked[0].start
        over = Vector((place[0], place[1], place[2] + OVER_EDGE * size)) * unit
        at = location_3d_to_region_2d(context.region, context.region_data, over)
        if at is None:
            continue
        blf.size(0, LETTERS * scale)
        blf.color(0, 1.0, 1.0, 1.0, 1.0)
        blf.position(0, at.x, at.y, 0.0)
        blf.draw(0, words_of_look(seen))


def register() -> None:
    """Draw over every 3D view; not without a window."""
    if not bpy.app.background:
        add = bpy.types.SpaceView3D.draw_handler_add
        Handle.lines = add(draw_lines, (), "WINDOW", "POST_VIEW")
        Handle.words = add(draw_words, (), "WINDOW", "POST_PIXEL")


def unregister() -> None:
    """Draw no more."""
    for handle in (Handle.lines, Handle.words):
        if handle is not None:
            bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    Handle.lines = Handle.words = Handle.shader = None
    Handle.seen.clear()
