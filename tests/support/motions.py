"""Armatures that are no characters, with a motion; and where a clip has their joints."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector
from support.stage import add_person
from surefoot.addon.saved_state import channelbag_of
from surefoot.core.motion.clip import Clip


def person(name: str = "Mocap", **place: object) -> bpy.types.Object:
    """An armature that is no character, with nothing on it."""
    from surefoot.addon.setup import remove

    rig = add_person()
    remove(rig)
    rig.animation_data_clear()
    rig.name = name
    for key_, value in place.items():
        setattr(rig, key_, value)
    bpy.context.view_layer.update()
    return rig


def swing(rig: bpy.types.Object, first: int = 1, last: int = 21) -> bpy.types.Object:
    """A few bones that turn and a pelvis that travels."""
    for name, angle in (("thigh.L", 0.7), ("shin.L", -0.5), ("upper_arm.R", 1.1), ("spine.001", 0.2)):
        bone = rig.pose.bones[name]
        bone.rotation_mode = "QUATERNION"
        for frame, share in ((first, 0.0), (last, 1.0)):
            bone.rotation_quaternion = Euler((share * angle, 0.3 * share, 0.0)).to_quaternion()
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    body = rig.pose.bones["pelvis"]
    for frame, share in ((first, 0.0), (last, 1.0)):
        body.location = (0.1 * share, 0.2 * share, -0.5 * share)
        body.keyframe_insert("location", frame=frame)
    animation = rig.animation_data
    for curve in channelbag_of(animation.action, animation.action_slot).fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    return rig


def read_heads(clip: Clip, names: list[str]) -> np.ndarray:
    bones = clip.rig.skeleton
    return np.stack([clip.place(bones.index[name], bones.bones[bones.index[name]].head) for name in names], axis=1)


def bare(name: str, **place: object) -> bpy.types.Object:
    """A person without a skin, so that its rest pose can be edited."""
    rig = person(name, **place)
    for child in list(rig.children):
        bpy.data.objects.remove(child)
    return rig


def edit_rest(rig: bpy.types.Object, change: Callable[[bpy.types.ArmatureEditBones], None]) -> bpy.types.Object:
    """Change an armature's rest pose."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    change(rig.data.edit_bones)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    return rig


def turn_rest(rig: bpy.types.Object, name: str, turn: Matrix) -> None:
    """Turn a bone, and all below it, about its head in the rest pose; `turn` in armature space."""

    def change(bones: bpy.types.ArmatureEditBones) -> None:
        pivot = bones[name].head.copy()
        about = Matrix.Translation(pivot) @ turn @ Matrix.Translation(-pivot)
        for bone in (bones[name], *bones[name].children_recursive):
            bone.matrix = about @ bone.matrix

    edit_rest(rig, change)


def arms_to(rig: bpy.types.Object, angle: float) -> bpy.types.Object:
    """Rest with straight arms at an angle over the horizon (0: a T, negative: down)."""
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for name in ("upper_arm", "forearm", "hand"):
            bone = rig.data.bones[f"{name}.{side}"]
            way = bone.tail_local - bone.head_local
            wanted = Vector((sign * cos(angle), 0.0, sin(angle)))
            turn_rest(rig, bone.name, way.rotation_difference(wanted).to_matrix().to_4x4())
    return rig


def rest_bytes(rig: bpy.types.Object) -> bytes:
    """All of an armature's rest pose, byte for byte."""
    rows = [np.array([*bone.matrix_local, [bone.length] * 4], dtype=np.float64) for bone in rig.data.bones]
    return b"".join(row.tobytes() for row in rows)


def joints_at(rig: bpy.types.Object, frame: float) -> dict[str, np.ndarray]:
    """Where every bone's head is shown in the world at a frame; after a bone's name and ".tail" where it ends."""
    bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1.0)
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = {bone.name: np.array(shown.matrix_world @ bone.head) for bone in shown.pose.bones}
    return found | {f"{bone.name}.tail": np.array(shown.matrix_world @ bone.tail) for bone in shown.pose.bones}


def direction(joints: dict[str, np.ndarray], start: str, end: str) -> np.ndarray:
    """The direction from one joint to another."""
    way = joints[end] - joints[start]
    return np.asarray(way / np.linalg.norm(way))


def degrees_between(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.degrees(2.0 * np.arcsin(min(1.0, 0.5 * float(np.linalg.norm(first - second))))))


def curves_of(rig: bpy.types.Object) -> dict[tuple[str, int], np.ndarray]:
    """The keys of the Action that is on a rig: (K, 2) by path and index."""
    animation = rig.animation_data
    bag = channelbag_of(animation.action, animation.action_slot)
    found = {}
    for curve in bag.fcurves:
        flat = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", flat)
        found[curve.data_path, curve.array_index] = flat.reshape(-1, 2)
    return found


def walk(rig: bpy.types.Object, first: int = 1, frames: int = 48, stride: float = 1.2) -> bpy.types.Object:
    """Four steps, keyed at every frame: feet that stand exactly, made by the core's own gait on the same rig."""
    from surefoot.addon.bake import BakeOptions, bake
    from surefoot.addon.setup import remove, setup

    setup(rig, bpy.context.scene)
    rig.surefoot.speed, rig.surefoot.frame_start, rig.surefoot.travel = stride, first, "ROOT_BONE"
    rig.surefoot.variation = 0.0
    rig.surefoot.preview = True
    bake(rig, BakeOptions(first, first + frames))
    remove(rig)
    return rig
