"""Reading the motion of a hierarchy of empties."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from support.empties import hierarchy
from support.motions import read_heads


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
