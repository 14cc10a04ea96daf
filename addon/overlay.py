"""Drawing into the 3D view: where feet stand and will stand, and the path ahead. Nothing in background."""

from __future__ import annotations

from math import atan2, cos, pi, sin
from typing import Any, NamedTuple

import bpy
import gpu
from bpy.types import Context, Scene
from gpu_extras.batch import batch_for_shader
from mathutils import Vector

from ..core.gait.foot import Foothold, rotation_at
from ..core.gait.shape import LegShape
from .frame_cache import FrameCache
from .performers import Performer, performers
from .roster import roster

AHEAD_FRAMES = 48
# Colours that hold on light and on dark themes; the alpha of what lies ahead fades with its frame.
PLANTED = (0.20, 0.80, 0.40, 0.95)
SWINGING = (1.0, 0.60, 0.10, 0.95)
UPCOMING = (0.85, 0.85, 0.85, 0.60)
PATH = (0.25, 0.60, 1.0, 0.85)
FAINTEST = 0.15
# Radius of a footprint's ends in leg lengths, and how far over the ground it is drawn, in metres for a 0.9 m leg.
SIZE = 0.055
LIFT = 0.006
LINE_WIDTH = 1.5
SIDES = 10

Point = tuple[float, float, float]
Colour = tuple[float, float, float, float]


class Strokes(NamedTuple):
    """Line segments to draw: pairs of points (world, Blender units), a colour for each point."""

    points: list[Point]
    colours: list[Colour]

    def add(self, points: list[Point], colour: Colour) -> None:
        """Segments of one colour."""
        self.points.extend(points)
        self.colours.extend([colour] * len(points))


class Drawing:
    """The draw handler's handle and the shader, both made when first needed."""

    handle: Any = None
    shader: Any = None


def strokes_of(performer: Performer, frame: int) -> Strokes:
    """All that is drawn of one character at a frame; empty where the frame is not known."""
    found = Strokes([], [])
    cache, snapshot = performer.cache, performer.cache.get(frame)
    if snapshot is None:
        return found
    shape = performer.character.gait.shape
    size, lift = SIZE * shape.leg_length, LIFT * shape.leg_length / 0.9
    _add_path(found, cache, frame, lift)
    for leg, number, foothold in upcoming(performer, frame):
        found.add(_in_scene(cache, number, footprint(leg, foothold, size, lift)), faded(UPCOMING, number - frame))
    # A body that plays a clip plans no feet.
    for leg, foot in zip(shape.legs, snapshot.memory.gait.feet, strict=False):
        if foot.planted:
            found.add(_in_scene(cache, frame, footprint(leg, foot.hold, size, lift)), PLANTED)
        elif foot.target is not None:
            found.add(_in_scene(cache, frame, footprint(leg, foot.target, size, lift)), SWINGING)
    unit = 1.0 / performer.reading.metres
    if unit != 1.0:
        found.points[:] = [(x * unit, y * unit, z * unit) for x, y, z in found.points]
    return found


def upcoming(performer: Performer, frame: int) -> list[tuple[LegShape, int, Foothold]]:
    """The footholds of the known frames ahead with the frame in which each is stood on first."""
    found: list[tuple[LegShape, int, Foothold]] = []
    if not performer.cache.get(frame).memory.gait.feet:
        return found
    for place, leg in enumerate(performer.character.gait.shape.legs):
        # A foot stays where it is through many frames: only a landing gives a new foothold.
        planted = _foot(performer.cache, frame, place).planted
        skip = not planted
        for number in range(frame + 1, frame + AHEAD_FRAMES + 1):
            if performer.cache.get(number) is None:
                break
            foot = _foot(performer.cache, number, place)
            if foot.planted and not planted and not skip:
                found.append((leg, number, foot.hold))
            skip = skip and not foot.planted
            planted = foot.planted
    return found


def footprint(leg: LegShape, foothold: Foothold, size: float, lift: float) -> list[Point]:
    """Line segments around heel and ball of a standing foot, `size` wide to each side, a little over the ground."""
    turn = rotation_at(foothold.heading, foothold.normal)
    ball = Vector((foothold.x, foothold.y, foothold.z)) + lift * Vector(foothold.normal)
    back = Vector((leg.heel[0] - leg.ball[0], leg.heel[1] - leg.ball[1], 0.0))
    begin = atan2(back.y, back.x) + 0.5 * pi
    outline = []
    for centre, first in ((back, begin - pi), (Vector((0.0, 0.0, 0.0)), begin)):
        for i in range(SIDES + 1):
            angle = first + pi * i / SIDES
            outline.append(ball + turn @ (centre + Vector((size * cos(angle), size * sin(angle), 0.0))))
    corners = [(point.x, point.y, point.z) for point in outline]
    return [point for pair in zip(corners, [*corners[1:], corners[0]], strict=True) for point in pair]


def _in_scene(cache: FrameCache, frame: int, points: list[Point]) -> list[Point]:
    """Points of a body's own frame at a frame: of one that clings to a wall it is another than the scene's."""
    snapshot = cache.get(frame)
    grip = None if snapshot is None else snapshot.memory.grip
    return points if grip is None else [grip.frame.to_scene(point) for point in points]


def faded(colour: Colour, frames: int) -> Colour:
    """The colour of what is `frames` away."""
    share = min(1.0, frames / AHEAD_FRAMES)
    return (*colour[:3], colour[3] + (FAINTEST - colour[3]) * share)


def draw() -> None:
    """All previewed characters of the scene that this view shows."""
    context = bpy.context
    space, scene = context.space_data, context.scene
    if space is None or not space.overlay.show_overlays:
        return
    strokes = Strokes([], [])
    for obj in roster.previewed(scene):
        performer = performers.get(obj.session_uid)
        if performer is not None and obj.visible_in_viewport_get(space):
            for known, new in zip(strokes, strokes_of(performer, scene.frame_current), strict=True):
                known.extend(new)
    if strokes.points:
        _draw_lines(context, strokes)


def frames_ahead(scene: Scene) -> int:
    """The last frame that an overlay would like to be known: not past the scene's range."""
    return max(scene.frame_current, min(scene.frame_current + AHEAD_FRAMES, scene.frame_end))


def _add_path(strokes: Strokes, cache: FrameCache, frame: int, lift: float) -> None:
    """The places of the body in the known frames ahead."""
    before: Point | None = None
    for number in range(frame, frame + AHEAD_FRAMES + 1):
        snapshot = cache.get(number)
        if snapshot is None:
            return
        ground = snapshot.frame.ground
        place = (ground.x, ground.y, ground.z + lift)
        if before is not None:
            strokes.add([before, place], faded(PATH, number - frame))
        before = place


def _foot(cache: FrameCache, frame: int, place: int) -> Any:
    return cache.get(frame).memory.gait.feet[place]


def _draw_lines(context: Context, strokes: Strokes) -> None:
    if Drawing.shader is None:
        Drawing.shader = gpu.shader.from_builtin("POLYLINE_SMOOTH_COLOR")
    shader = Drawing.shader
    batch = batch_for_shader(shader, "LINES", {"pos": strokes.points, "color": strokes.colours})
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.blend_set("ALPHA")
    shader.bind()
    shader.uniform_float("viewportSize", (context.region.width, context.region.height))
    shader.uniform_float("lineWidth", LINE_WIDTH * context.preferences.system.ui_scale)
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
