"""Reading the motion of real files, as Blender's importers leave them."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support.motions import read_heads
from support.real_rigs import SHARED_DATA, import_file

REAL = {
    "Walk1.bvh": 2,
    "humanoid3d_jump.bvh": 2,
    "cmu_007_03.bvh": 2,
    "quaternius_Male_Suit.fbx": 2,
    "proanimationbank_walk.fbx": 2,
    "ue_ThirdPersonRun.fbx": 2,
    "kaykit_Knight.glb": 2,
    "threevrm_test.vrma": 2,
    "fair1_zombie_walk.bvh": 2,
    "khronos_Fox.glb": 4,
}


@pytest.mark.parametrize("file", REAL, ids=str)
def test_imported_files_are_read_as_they_are_shown(file: str):
    path = next(iter(SHARED_DATA.rglob(file)), None)
    if path is None:
        pytest.skip(f"{file} is not beside this project")
    import_file(Path(path))
    from surefoot.addon.motion_source import read_motion

    armatures = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    if not armatures:
        armatures = [bpy.data.objects["hips"]]
    motion = read_motion(armatures[0])
    assert len(motion.clip.rig.legs) == REAL[file]
    last = len(motion.clip) - 1
    step = (motion.frame_end - motion.frame_start) / max(last, 1)
    names = [bone.name for bone in motion.clip.rig.skeleton.bones]
    read = read_heads(motion.clip, names)
    for k in (0, last // 2, last):
        time = motion.frame_start + k * step
        bpy.context.scene.frame_set(int(time // 1), subframe=time % 1.0)
        graph = bpy.context.evaluated_depsgraph_get()
        for i, name in enumerate(names):
            if armatures[0].type == "ARMATURE":
                shown = armatures[0].evaluated_get(graph)
                wanted = shown.matrix_world @ shown.pose.bones[name].head
            else:
                wanted = bpy.data.objects[name].evaluated_get(graph).matrix_world.translation
            assert (Vector(read[k, i].tolist()) - wanted).length < 1e-6 * max(1.0, float(np.abs(read).max())) + 2e-6


def test_a_file_imported_with_the_wrong_up_axis_is_the_same_motion_stood_up():
    path = next(iter(SHARED_DATA.rglob("fair1_zombie_walk.bvh")), None)
    if path is None:
        pytest.skip("fair1_zombie_walk.bvh is not beside this project")
    from surefoot.addon.motion_source import read_motion

    motions = []
    for axes in ({}, {"axis_forward": "Y", "axis_up": "Z"}):
        before = set(bpy.data.objects)
        bpy.ops.import_anim.bvh(filepath=str(path), **axes)
        motions.append(read_motion(next(obj for obj in bpy.data.objects if obj not in before)))
    lying, standing = motions
    assert "lies on its side" in " ".join(lying.problems)
    assert standing.problems == ()
    size = standing.clip.rig.leg_length
    assert np.abs(lying.clip.moved[..., :3, :3] - standing.clip.moved[..., :3, :3]).max() < 1e-4
    assert np.abs(lying.clip.body() - standing.clip.body()).max() < 1e-4 * size
