"""A character sent somewhere from a frame on: keys of its goal, so that what was before stays as it was.

walk_to(obj, to)        to a place (world, Blender units) or to where an object is now
face(obj, to)           turn on the spot: to a heading (radians, 0 faces -Y), a place or an object
stop_walk(obj)          come to a stop
send(objects, place)    some of them, each with room of its own
follow_director(obj)    its director says again where to go
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

import bpy
from bpy.types import Object, Scene
from mathutils import Euler, Matrix, Vector

from ..core.control.intent import Travel
from ..core.gait.gait import ProceduralGait
from ..core.gait.patterns import speed_at
from ..core.space.angles import heading_of
from .frame_cache import Snapshot
from .grounds import ground_of
from .held_keys import edits_from
from .keyed_values import GAIT, setting_is_animated
from .performers import performers
from .refusal import RefusedError, why_not_character
from .route import SENT_PATH
from .saved_state import curves_of
from .scene_units import metres_per_unit
from .simulate import scene_of
from .texts import text

FAR = 1e4
"""How far a click reaches, metres."""
UPRIGHT = 0.3
"""The least upward share of the normal of what is taken for ground."""
ROOM = 1.2
"""How far apart those stand that are sent to one place, in legs."""
SIZE = 0.25
GAITS = {
    2: ("AUTO", "WALK", "RUN", "SPRINT"),
    4: ("AUTO", "WALK", "TROT", "GALLOP"),
    6: ("AUTO", "WAVE", "TRIPOD", "AUTO"),
}
"""How fast a gait is, from 0 (automatic) to 3, by the number of legs."""
FASTER_STILL = 1.5
"""How much faster the fastest level is than the one before, where there is no gait for it."""

Spot = tuple[float, float, float]


def walk_to(
    obj: Object, to: Spot | Object, *, heading: float | None = None, frame: int | None = None, gait: str | int = ""
) -> Object:
    """Let a character go to a place, or to where an object is at the shown frame; returns its goal, which is keyed.

    From `frame` on (not given: the shown one) it goes there whatever its director says, and stays; `heading` is where
    it faces then. `gait` is keyed there too, if one is named, or a level from 0 to 3 is.
    """
    scene = scene_to_change(obj)
    number = scene.frame_current if frame is None else frame
    place = Vector(_place_of(to))
    goal = _goal_of(obj, scene)
    with edits_from(obj, number, goal):
        _put(goal, place, heading or 0.0, number)
        if gait != "":
            key_choice(obj, GAIT, gait_of_level(obj, gait) if isinstance(gait, int) else gait, number)
        key_choice(obj, SENT_PATH, "GO" if heading is None else "FACE", number)
    return goal


def face(obj: Object, to: float | Spot | Object, *, frame: int | None = None) -> Object:
    """Let a character turn where it stands: to a heading, a place or an object; returns its goal."""
    number = scene_to_change(obj).frame_current if frame is None else frame
    here, _ = _standing(obj, number)
    if isinstance(to, (int, float)):
        return walk_to(obj, here, heading=float(to), frame=number)
    x, y, _ = _place_of(to)
    return walk_to(obj, here, heading=heading_of(x - here[0], y - here[1]), frame=number)


def stop_walk(obj: Object, *, frame: int | None = None) -> Object:
    """Let a character stop where it can, as quickly as it brakes; returns its goal."""
    number = scene_to_change(obj).frame_current if frame is None else frame
    (x, y, z), travel = _standing(obj, number)
    if travel is not None:
        vx, vy, _ = travel.velocity
        performer = performers.get(obj.session_uid)
        brake = performer.character.control.deceleration * 2.0 * metres_per_unit(scene_of(obj))
        seconds = hypot(vx, vy) / brake
        x, y = x + vx * seconds, y + vy * seconds
    return walk_to(obj, (x, y, z), frame=number)


def follow_director(obj: Object, *, frame: int | None = None) -> None:
    """From a frame on the director says again where to go."""
    scene = scene_to_change(obj)
    number = scene.frame_current if frame is None else frame
    with edits_from(obj, number):
        key_choice(obj, SENT_PATH, "NO", number)


def send(objects: Sequence[Object], place: Spot, *, frame: int | None = None, gait: str | int = "") -> list[Object]:
    """Send characters to a place on the ground, side by side around it if they are several; returns their goals."""
    for obj in objects:
        scene_to_change(obj)
    if len(objects) == 1:
        return [walk_to(objects[0], place, frame=frame, gait=gait)]
    x, y, z = place
    room = ROOM * max(_size(obj) for obj in objects)
    radius = 0.5 * room / sin(pi / len(objects))
    goals = []
    for k, obj in enumerate(sorted(objects, key=lambda item: item.name)):
        angle = 2.0 * pi * k / len(objects)
        spot = (x + radius * cos(angle), y + radius * sin(angle), z)
        goals.append(walk_to(obj, spot, frame=frame, gait=gait))
    return goals


def gait_of_level(obj: Object, level: int) -> str:
    """The gait of a level from 0 (automatic) to 3 (fastest) for a character's legs."""
    performer = performers.get(obj.session_uid)
    legs = 2 if performer is None else len(performer.reading.rig.legs)
    return GAITS[2 if legs <= 2 else 4 if legs == 4 else 6][level]


def pace_of_level(obj: Object, level: int) -> float:
    """The speed (metres a second) that is natural for the gait of a level from 1 to 3, the faster the higher; 0 where
    nothing is known of it.
    """
    performer = performers.get(obj.session_uid)
    gait = performer.character.gait if performer is not None and performer.character is not None else None
    if not isinstance(gait, ProceduralGait):
        return 0.0
    name = gait_of_level(obj, level)
    if name == "AUTO":
        return FASTER_STILL * pace_of_level(obj, level - 1)
    return speed_at(gait.auto.pace(name), gait.shape.leg_length)


def ground_under(obj: Object, origin: Vector, direction: Vector) -> Vector | None:
    """Where a ray (Blender units) meets the ground of a character first; None for none, or a wall to one that does not
    walk on walls.
    """
    scene = scene_to_change(obj)
    metres = metres_per_unit(scene)
    hit = ground_of(obj, scene).cast_ray(origin * metres, direction.normalized(), FAR)
    if hit is None or (hit.normal.z < UPRIGHT and obj.surefoot.surfaces != "WALLS"):
        return None
    return hit.position / metres


def scene_to_change(obj: Object) -> Scene:
    """The scene of a character whose settings can be keyed, or a refusal."""
    reason = why_not_character(obj)
    if reason:
        raise RefusedError(reason)
    animation = obj.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise RefusedError(text("tweak_mode", name=obj.name))
    if animation is not None and animation.action is not None and not animation.action.is_editable:
        raise RefusedError(text("drive_linked", name=obj.name, action=animation.action.name))
    return scene_of(obj)


def _place_of(to: Spot | Object) -> Spot:
    """A place, or that of an object as it is shown; of a character the body's."""
    if not isinstance(to, Object):
        x, y, z = to
        return (x, y, z)
    performer = performers.get(to.session_uid)
    snapshot = None if performer is None else performer.cache.get(scene_of(to).frame_current)
    if snapshot is not None:
        return _feet(snapshot, to)
    shown = to.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return tuple(shown.matrix_world.translation)


def _feet(snapshot: Snapshot, obj: Object) -> Spot:
    metres = metres_per_unit(scene_of(obj))
    x, y, z = (value / metres for value in snapshot.frame.ground[:3])
    return (x, y, z)


def _standing(obj: Object, frame: int) -> tuple[Spot, Travel | None]:
    """Where a character is at a frame (Blender units), and how it travels there."""
    performer = performers.get(obj.session_uid)
    snapshot = None if performer is None else performer.cache.get(max(frame, obj.surefoot.frame_start))
    if snapshot is None or not obj.surefoot.preview:
        raise RefusedError(text("not_known_here", name=obj.name, frame=frame))
    # Of a body on a wall the travel is told along that.
    return _feet(snapshot, obj), None if snapshot.memory.grip is not None else snapshot.memory.travel


def _size(obj: Object) -> float:
    """The length that decides how much room a character needs, Blender units."""
    performer = performers.get(obj.session_uid)
    if performer is None:
        return max(obj.dimensions.xy)
    rig = performer.reading.rig
    return max(rig.leg_length, performer.character.control.span) / metres_per_unit(scene_of(obj))


def _goal_of(obj: Object, scene: Scene) -> Object:
    """The character's goal, made where it has none in the scene: an empty of its own."""
    goal = obj.surefoot.goal
    if goal is not None and scene.objects.get(goal.name) == goal:
        if not goal.is_editable:
            raise RefusedError(text("goal_linked", goal=goal.name, name=obj.name))
        return goal
    goal = bpy.data.objects.new(text("goal_name", name=obj.name), None)
    goal.empty_display_type, goal.empty_display_size = "ARROWS", SIZE / metres_per_unit(scene)
    scene.collection.objects.link(goal)
    obj.surefoot.goal = goal
    return goal


def _put(goal: Object, place: Vector, heading: float, frame: int) -> None:
    """Key the goal at a place; it jumps there, and stays."""
    goal.rotation_mode = "XYZ"
    goal.matrix_world = Matrix.LocRotScale(place, Euler((0.0, 0.0, heading)), None)
    for name in ("location", "rotation_euler"):
        goal.keyframe_insert(name, frame=frame)
    _hold(goal, ("location", "rotation_euler"), frame)


def _hold(data: Object, paths: Sequence[str], frame: int, kind: str = "CONSTANT") -> None:
    animation = data.animation_data
    for curve in curves_of(animation.action, animation.action_slot):
        if curve.data_path in paths:
            for point in curve.keyframe_points:
                if point.co.x == frame:
                    point.interpolation = kind
    animation.action.update_tag()


def key_choice(obj: Object, path: str, value: str, frame: int) -> None:
    """Key a choice of the settings from a frame on; what it was before is kept by a key of its own."""
    name = path.rpartition(".")[2]
    settings = obj.surefoot
    first = settings.frame_start
    if not setting_is_animated(obj, path) and first < frame:
        obj.keyframe_insert(path, frame=first)
    setattr(settings, name, value)
    obj.keyframe_insert(path, frame=frame)
    _hold(obj, (path,), frame)


def key_from(obj: Object, path: str, value: float, frame: int, over: int) -> None:
    """Key a number of the settings from a frame on; it goes there in `over` frames, and was what it was until then."""
    name, settings = path.rpartition(".")[2], obj.surefoot
    first = settings.frame_start
    if not setting_is_animated(obj, path) and first < frame:
        obj.keyframe_insert(path, frame=first)
        _hold(obj, (path,), first)
    if over > 0:
        animation = obj.animation_data
        curves = curves_of(animation.action, animation.action_slot) if animation is not None else ()
        curve = next((item for item in curves if item.data_path == path), None)
        setattr(settings, name, getattr(settings, name) if curve is None else curve.evaluate(frame))
        obj.keyframe_insert(path, frame=frame)
        _hold(obj, (path,), frame, "LINEAR")
    setattr(settings, name, value)
    obj.keyframe_insert(path, frame=frame + over)
    _hold(obj, (path,), frame + over)
