"""A course to try bodies on: labelled meshes in a collection of their own, some of them keyed to move."""

from __future__ import annotations

from math import pi, tau

import bpy
from bpy.types import Action, Collection, Context, Object
from mathutils import Vector

from ..core.course import Motion, Piece, Shape, read_course
from .refusal import RefusedError
from .scene_units import metres_per_unit
from .texts import text

LABEL_SIZE = 0.22
LABEL_BEFORE = 0.5
"""How far before its piece a label lies, metres."""


def add_course(context: Context, location: Vector, name: str = "basic") -> Collection:
    """Add a course to the scene at a place (scene units); its collection, which can be a character's Ground."""
    if context.mode != "OBJECT":
        raise RefusedError(text("object_mode"))
    scale = 1.0 / metres_per_unit(context.scene)
    collection = bpy.data.collections.new(text("course_name"))
    context.scene.collection.children.link(collection)
    fps = context.scene.render.fps / context.scene.render.fps_base
    for piece in read_course(name):
        for shape in piece.shapes:
            obj = _solid(piece, shape, scale, location)
            collection.objects.link(obj)
            if shape.motion is not None:
                _set_going(obj, shape.motion, scale, fps)
        if piece.label:
            collection.objects.link(_label(piece, scale, location))
    return collection


def _solid(piece: Piece, shape: Shape, scale: float, location: Vector) -> Object:
    name = piece.label or text("course_floor")
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([Vector(corner) * scale for corner in shape.corners], [], shape.faces)
    obj = bpy.data.objects.new(name, mesh)
    obj.location = Vector(shape.origin) * scale + location
    return obj


def _label(piece: Piece, scale: float, location: Vector) -> Object:
    """The piece's name, flat on the floor before it, to be read on the way there."""
    curve = bpy.data.curves.new(piece.label, "FONT")
    curve.body, curve.size, curve.align_x = piece.label, LABEL_SIZE * scale, "CENTER"
    obj = bpy.data.objects.new(piece.label, curve)
    x, y, z = piece.at
    obj.location = Vector((x, y + LABEL_BEFORE, z + 0.01)) * scale + location
    obj.rotation_euler.z = pi
    return obj


def _set_going(obj: Object, motion: Motion, scale: float, fps: float) -> None:
    """Keys of one round, and curves that go on with it for ever."""
    action = bpy.data.actions.new(obj.name)
    last = 1.0 + motion.seconds * fps
    if motion.turns:
        _curve(obj, action, "rotation_euler", 2, {1.0: 0.0, last: tau}, "LINEAR", "REPEAT_OFFSET")
    ways = {1: -motion.slide * scale, 2: motion.lift * scale}
    for axis, way in ways.items():
        if way != 0.0:
            start = obj.location[axis]
            keys = {1.0: start, 0.5 * (1.0 + last): start + way, last: start}
            _curve(obj, action, "location", axis, keys, "SINE", "REPEAT")


def _curve(
    obj: Object, action: Action, path: str, index: int, keys: dict[float, float], way: str, repeats: str
) -> None:
    animation = obj.animation_data or obj.animation_data_create()
    if not action.slots:
        slot = action.slots.new("OBJECT", obj.name)
        action.layers.new(text("layer_name")).strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
        animation.action, animation.action_slot = action, slot
    bag = action.layers[0].strips[0].channelbag(action.slots[0])
    curve = bag.fcurves.new(path, index=index)
    for frame, value in keys.items():
        point = curve.keyframe_points.insert(frame, value)
        point.interpolation, point.easing = way, "EASE_IN_OUT"
    cycles = curve.modifiers.new("CYCLES")
    cycles.mode_before = cycles.mode_after = repeats
    curve.update()
