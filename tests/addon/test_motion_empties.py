"""Reading the motion of a hierarchy of empties."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from support.motions import read_heads


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


@pytest.mark.parametrize("chosen", [0, 1, 9], ids=["topmost", "hips", "a joint"])
@pytest.mark.parametrize("prefix", ["", "mixamorig:"], ids=["plain", "namespace"])
def test_empties_are_read_as_the_joints_of_a_person(chosen: int, prefix: str):
    from surefoot.addon.motion_source import read_motion

    joints = hierarchy(prefix, turned=0.6)
    motion = read_motion(joints[chosen])
    assert motion.name == joints[0].name
    assert [leg.role for leg in motion.clip.rig.legs] == ["leg.L", "leg.R"]
    assert motion.clip.rig.head >= 0
    assert len(motion.clip.rig.arms) == 2
    assert motion.start == pytest.approx((3.0, 1.0, 0.0, 0.6), abs=1e-5)
    assert "no rest pose" in " ".join(motion.problems)
    bpy.context.scene.frame_set(17)
    graph = bpy.context.evaluated_depsgraph_get()
    wanted = np.array([joint.evaluated_get(graph).matrix_world.translation for joint in joints])
    assert np.abs(read_heads(motion.clip, [joint.name for joint in joints])[16] - wanted).max() < 1e-5


def test_empties_that_nothing_animates_are_refused():
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.refusal import RefusedError

    joints = hierarchy()
    for joint in joints:
        joint.animation_data_clear()
    with pytest.raises(RefusedError, match="Nothing animates Clip"):
        read_motion(joints[0])


def test_what_is_neither_armature_nor_empty_is_refused():
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.refusal import RefusedError

    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.scene.collection.objects.link(lamp)
    with pytest.raises(RefusedError, match="neither an armature nor an empty"):
        read_motion(lamp)
