"""A scene with a person on flat ground, set up by the same calls that a script makes."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector
from surefoot.addon.add_character import add_character
from surefoot.addon.setup import setup


def add_ground(size: float = 40.0, name: str = "Ground") -> bpy.types.Object:
    """A flat square mesh at z = 0, in the scene's collection."""
    half = 0.5 * size
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)], [], [(0, 1, 2, 3)])
    ground = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(ground)
    return ground


def add_person(preset: str = "PERSON", place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    """A character of the presets, set up, travelling on its object, preview off."""
    rig = add_character(bpy.context, preset, Vector(place))
    setup(rig, bpy.context.scene)
    rig.surefoot.preview = False
    rig.surefoot.travel = "OBJECT"
    return rig


def add_face(rig: bpy.types.Object) -> None:
    """A bone on the head that no walk drives, and a number on the rig: what an animator keys beside the walk."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    head = rig.data.edit_bones["head"]
    face = rig.data.edit_bones.new("face")
    face.head, face.tail, face.parent = head.tail, head.tail + Vector((0.0, -0.05, 0.0)), head
    face.use_deform = False
    bpy.ops.object.mode_set(mode="OBJECT")
    rig["smile"] = 0.0


def move_into_collection(rig: bpy.types.Object, name: str) -> None:
    """The character and its meshes out of the scene's collection into a new one below it."""
    collection = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(collection)
    for obj in (rig, *rig.children):
        collection.objects.link(obj)
        bpy.context.scene.collection.objects.unlink(obj)


def previewed_person(**arguments: Any) -> bpy.types.Object:
    """A person on flat ground whose preview is on."""
    add_ground()
    rig = add_person(**arguments)
    rig.surefoot.preview = True
    return rig


def pose_at(rig: bpy.types.Object, frame: int, subframe: float = 0.0) -> np.ndarray:
    """Go to a frame and read the evaluated rig: the object's matrix and all bones' matrices, as bytes compare."""
    bpy.context.scene.frame_set(frame, subframe=subframe)
    return shown_pose(rig)


def shown_pose(rig: bpy.types.Object) -> np.ndarray:
    """The evaluated rig now: (1 + bones, 4, 4)."""
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([shown.matrix_world, *(bone.matrix for bone in shown.pose.bones)], dtype=np.float64)


def channel_values(rig: bpy.types.Object) -> np.ndarray:
    """Every bone's and the object's own channels, evaluated: what an Action would key."""
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    values = [*shown.location, *shown.rotation_quaternion, *shown.rotation_euler]
    for bone in shown.pose.bones:
        values += [*bone.location, *bone.rotation_quaternion, *bone.rotation_euler]
    return np.array(values)


def original_values(rig: bpy.types.Object) -> list[float]:
    """What the file would hold: the original object's and bones' own channels."""
    values = [*rig.location, *rig.rotation_quaternion, *rig.rotation_euler]
    for bone in rig.pose.bones:
        values += [*bone.location, *bone.rotation_quaternion, *bone.rotation_euler]
    return values


def key(rig: bpy.types.Object, path: str, values: dict[int, float], index: int = -1) -> None:
    """Key one number of a rig at frames, straight between them."""
    owner_path, _, name = path.rpartition(".")
    owner = rig.path_resolve(owner_path) if owner_path else rig
    for frame, value in values.items():
        if index >= 0:
            getattr(owner, name)[index] = value
        else:
            setattr(owner, name, value)
        owner.keyframe_insert(name, index=index, frame=frame)
    from surefoot.addon.saved_state import curves_of

    animation = rig.animation_data
    for curve in curves_of(animation.action, animation.action_slot):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def place_of(rig: bpy.types.Object) -> Vector:
    """Where the evaluated object stands."""
    return rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.to_translation()


def is_close(first: Matrix, second: Matrix) -> bool:
    """True where two matrices agree to a float's worth."""
    return bool(np.abs(np.array(first) - np.array(second)).max() < 1e-6)
