"""Rigs that others made, baked over meshes and measured on their evaluated bones: Rigify's and the shared folder's.

Rigify's are driven by their controls and measured on their ORG and DEF bones.
"""

from __future__ import annotations

import os
from math import pi
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support.baked_verdict import baked_findings
from support.baked_walk import Course, bake_walk
from support.extension import ROOT
from support.ground_meshes import add_floor
from support.ledger import worse
from support.real_rigs import data_files
from support.rig_truth import NO_ARMATURE, truth_of
from support.stage import channel_values
from support.walking_rigs import FILES, RIGIFY, add_rig, import_rigs
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.saved_state import curves_of
from surefoot.addon.setup import setup

BIPED = (("WALK", 0.07), ("WALK", 0.22))
QUADRUPED = (*BIPED, ("TROT", 0.7))
PACES = {
    "rigify wolf": QUADRUPED,
    "rigify horse": QUADRUPED,
    "rigify cat": QUADRUPED,
    "mesh2motion_spider.glb": (("WAVE", 0.07), ("TRIPOD", 0.3)),
}
GROUNDS = ("flat", "up 20", "down 20", "across 20", "stairs up", "stairs down", "hills")
QUICK = {"flat", "stairs up"}
FRAMES = 10

Shown = tuple[np.ndarray, list[Quaternion]]


def walks(rigs: tuple[str, ...]) -> list:
    """Every run: the last pace of each rig on two grounds. The long part: all paces on all grounds."""
    long = pytest.mark.grid
    return [
        pytest.param(rig, Course(gait, froude, ground), marks=[] if quick and ground in QUICK else [long])
        for rig in rigs
        for paces in [PACES.get(rig, BIPED)]
        for quick, (gait, froude) in zip([False] * (len(paces) - 1) + [True], paces, strict=True)
        for ground in GROUNDS
    ]


@pytest.mark.parametrize(("rig", "course"), walks(RIGIFY), ids=str)
def test_a_generated_control_rig_holds_all_limits(rig: str, course: Course):
    walk = bake_walk(add_rig(rig), course)
    assert worse(f"baked {rig} {course}", baked_findings(walk, flat=course.ground == "flat", gait=course.gait)) == []


@pytest.mark.parametrize(("rig", "course"), walks(FILES), ids=str)
def test_an_imported_rig_holds_all_limits(rig: str, course: Course, shared_data: Path):
    walk = bake_walk(add_rig(rig, shared_data), course)
    assert worse(f"baked {rig} {course}", baked_findings(walk, flat=course.ground == "flat", gait=course.gait)) == []


@pytest.mark.parametrize("kind", RIGIFY)
def test_preview_and_bake_of_a_control_rig_agree_on_every_channel_and_every_deform_bone(kind: str):
    for (channels, turns), (played, played_turns) in previewed_and_played(add_rig(kind)):
        assert np.abs(played - channels).max() <= 1e-5
        angles = [a.rotation_difference(b).angle for a, b in zip(turns, played_turns, strict=True)]
        assert max(min(angle, 2.0 * pi - angle) for angle in angles) <= 1e-4


@pytest.mark.parametrize("name", FILES)
def test_preview_and_bake_of_an_imported_rig_agree_on_every_channel(name: str, shared_data: Path):
    for (channels, _), (played, _) in previewed_and_played(add_rig(name, shared_data)):
        assert np.abs(played - channels).max() <= 1e-5


def previewed_and_played(rig: bpy.types.Object) -> list[tuple[Shown, Shown]]:
    """Per frame what the preview of a walk over flat ground shows, and what its bake then plays."""
    add_floor(rig)
    setup(rig, bpy.context.scene)
    rig.surefoot.preview = True
    previewed = shown_over(rig)
    bake(rig, BakeOptions(1, FRAMES))
    return list(zip(previewed, shown_over(rig), strict=True))


def shown_over(rig: bpy.types.Object) -> list[Shown]:
    """Per frame the evaluated channels, and how each deform bone is turned in the armature."""
    found = []
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        deforming = [bone.matrix.to_quaternion() for bone in shown.pose.bones if bone.bone.use_deform]
        found.append((channel_values(rig), deforming))
    return found


# One file of each kind: what importers leave behind differs (scale 0.01, turned by 90 degrees, NLA tracks, Actions).
KINDS = (
    "ue_ThirdPersonRun.fbx",
    "cmu_08_02_walk.fbx",
    "mh_vrm1_humanoid_names.vrm",
    "khronos_Fox.glb",
    "mesh2motion_snake.glb",
    "fair1_jumping.bvh",
    "proanimationbank_crossarms.fbx",
    "humanoid3d_walk.bvh",
)


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_set_up_previewed_and_baked_as_its_importer_leaves_it(name: str, shared_data: Path):
    path = next(path for path in data_files(shared_data) if path.name == name)
    assert walked(path) == legs_of(path)


def all_files() -> list:
    """Every file of the folder, none passed over; one that is skipped where there is no folder."""
    shared = Path(os.environ.get("SUREFOOT_SHARED", ROOT.parent / "shared"))
    return data_files(shared / "data") or [Path("no shared folder")]


@pytest.mark.grid
@pytest.mark.parametrize("path", all_files(), ids=lambda path: path.name)
def test_every_file_of_the_folder_is_set_up_previewed_and_baked(path: Path, shared_data: Path):
    assert walked(path) == legs_of(path)


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
