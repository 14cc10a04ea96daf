"""Rigs that others made, baked over meshes and measured on their evaluated bones: Rigify's and the shared folder's.

Rigify's are driven by their controls and measured on their ORG and DEF bones.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np
import pytest
from support.baked_verdict import baked_findings
from support.baked_walk import Course, bake_walk
from support.ground_meshes import add_floor
from support.real_rigs import data_files
from support.rig_truth import NO_ARMATURE, truth_of
from support.verdict import broken
from support.walking_rigs import FILES, RIGIFY, add_rig, import_rigs
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.saved_state import curves_of
from surefoot.addon.setup import setup

BIPED = (("WALK", 0.07), ("WALK", 0.22))
PACES = {
    "rigify wolf": (*BIPED, ("TROT", 0.7)),
    "mesh2motion_spider.glb": (("WAVE", 0.07), ("TRIPOD", 0.3)),
}
GROUNDS = ("flat", "up 20", "down 20", "across 20", "stairs up", "stairs down", "hills")
QUICK = {"flat", "stairs up"}
FRAMES = 10


def walks(rigs: tuple[str, ...]) -> list:
    """Every run: the last pace of each rig on two grounds. The long part: all paces on all grounds."""
    return [
        pytest.param(rig, Course(gait, froude, ground), marks=[] if quick and ground in QUICK else [pytest.mark.grid])
        for rig in rigs
        for paces in [PACES.get(rig, BIPED)]
        for quick, (gait, froude) in zip([False] * (len(paces) - 1) + [True], paces, strict=True)
        for ground in GROUNDS
    ]


@pytest.mark.parametrize(("rig", "course"), walks(RIGIFY), ids=str)
def test_a_generated_control_rig_holds_all_limits(rig: str, course: Course):
    walk = bake_walk(add_rig(rig), course)
    assert broken(baked_findings(walk, flat=course.ground == "flat")) == []


@pytest.mark.parametrize(("rig", "course"), walks(FILES), ids=str)
def test_an_imported_rig_holds_all_limits(rig: str, course: Course, shared_data: Path):
    walk = bake_walk(add_rig(rig, shared_data), course)
    assert broken(baked_findings(walk, flat=course.ground == "flat")) == []


# One file of each kind: what its importer leaves behind differs (scale 0.01, a turn of 90 degrees, NLA tracks, Actions).
KINDS = (
    "ue_ThirdPersonRun.fbx",
    "cmu_08_02_walk.fbx",
    "mh_vrm1_humanoid_names.vrm",
    "khronos_Fox.glb",
    "mesh2motion_snake.glb",
    "fair1_jumping.bvh",
    "humanoid3d_walk.bvh",
)


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_set_up_previewed_and_baked_as_its_importer_leaves_it(name: str, shared_data: Path):
    path = next(path for path in data_files(shared_data) if path.name == name)
    assert walked(path) == legs_of(path)


@pytest.mark.grid
def test_every_file_of_the_folder_is_set_up_previewed_and_baked(shared_data: Path):
    files = data_files(shared_data)
    assert len(files) >= len(FILES)
    wrong = {}
    for path in files:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        found, wanted = walked(path), legs_of(path)
        if found != wanted:
            wrong[path.name] = f"walks on {found} legs, has {wanted}"
    assert wrong == {}


def legs_of(path: Path) -> int | None:
    """How many legs the file's rig has by eye; None for a file without an armature."""
    if path.name in NO_ARMATURE:
        return None
    truth = truth_of(path.name)
    return 0 if truth is None else 2 * len(truth.shins)


def walked(path: Path) -> int | None:
    """On how many legs the file's first rig walks, previewed and baked; None without an armature."""
    rigs = import_rigs(path)
    if not rigs:
        return None
    rig, scene = rigs[0], bpy.context.scene
    found = setup(rig, scene)
    if not found.ready:
        assert found.problems, f"{rig.name} is refused without a reason."
        return 0
    add_floor(rig)
    rig.surefoot.preview = True
    places = []
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
        shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places.append(np.array([shown.matrix_world @ bone.matrix for bone in shown.pose.bones]))
    assert np.isfinite(places).all()
    assert np.abs(places[-1] - places[0]).max() > 1e-3, f"{rig.name} stands still."
    bake(rig, BakeOptions(1, FRAMES))
    animation = rig.animation_data
    assert len(curves_of(animation.action, animation.action_slot)) > 0
    for frame, wanted in zip(range(1, FRAMES + 1), places, strict=True):
        scene.frame_set(frame)
        shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        got = np.array([shown.matrix_world @ bone.matrix for bone in shown.pose.bones])
        assert np.abs(got - wanted).max() <= 1e-4 * max(1.0, float(np.abs(wanted).max())), (path.name, frame)
    return found.legs
