"""Armatures that are no characters, with a motion; and where a clip has their joints."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Euler
from support.stage import add_person
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
    return rig


def read_heads(clip: Clip, names: list[str]) -> np.ndarray:
    bones = clip.rig.skeleton
    return np.stack([clip.place(bones.index[name], bones.bones[bones.index[name]].head) for name in names], axis=1)
