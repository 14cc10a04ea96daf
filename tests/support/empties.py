"""A person of nothing but empties, as Blender makes of files whose joints carry no skin."""

from __future__ import annotations

from math import radians

import bpy


def hierarchy(prefix: str = "", turned: float = 0.0) -> list[bpy.types.Object]:
    """A person as empties, walking on the spot with one leg and travelling along the way it faces."""
    joints = {
        "Hips": ("", (0.0, 0.0, 0.95)),
        "Spine": ("Hips", (0.0, 0.0, 0.15)),
        "Chest": ("Spine", (0.0, 0.0, 0.25)),
        "Neck": ("Chest", (0.0, 0.0, 0.15)),
        "Head": ("Neck", (0.0, 0.0, 0.1)),
    }
    for side, x in (("Left", 1.0), ("Right", -1.0)):
        joints |= {
            f"{side}UpLeg": ("Hips", (0.1 * x, 0.0, -0.05)),
            f"{side}Leg": (f"{side}UpLeg", (0.0, -0.01, -0.42)),
            f"{side}Foot": (f"{side}Leg", (0.0, 0.01, -0.4)),
            f"{side}ToeBase": (f"{side}Foot", (0.0, -0.13, -0.07)),
            f"{side}Arm": ("Chest", (0.18 * x, 0.0, 0.1)),
            f"{side}ForeArm": (f"{side}Arm", (0.28 * x, 0.0, 0.0)),
            f"{side}Hand": (f"{side}ForeArm", (0.25 * x, 0.0, 0.0)),
        }
    top = bpy.data.objects.new(f"{prefix}Clip", None)
    top.rotation_euler.z = turned
    top.location = (3.0, 1.0, 0.0)
    made = {"": top}
    bpy.context.scene.collection.objects.link(top)
    for name, (parent, place) in joints.items():
        obj = bpy.data.objects.new(prefix + name, None)
        bpy.context.scene.collection.objects.link(obj)
        obj.parent, obj.location = made[parent], place
        made[name] = obj
    for frame in (1, 11, 21):
        share = (frame - 1) / 20.0
        made["Hips"].location = (0.0, -1.5 * share, 0.95)
        made["Hips"].keyframe_insert("location", frame=frame)
        made["LeftUpLeg"].rotation_euler.x = radians(-50.0) * share
        made["LeftUpLeg"].keyframe_insert("rotation_euler", frame=frame)
    return [top, *(made[name] for name in joints)]
