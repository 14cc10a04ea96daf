"""The pose adjustment in Blender: taken by hand, laid on preview and bake, kept in the file."""

from __future__ import annotations

from math import radians
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support.stage import add_ground, add_person, pose_at, previewed_person
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.performers import config_of

TURN = Quaternion((1.0, 0.0, 0.0), radians(12.0))


def bone_turn(rig: bpy.types.Object, name: str) -> Quaternion:
    """A bone's turn under its parent, evaluated."""
    shown = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
    bone = shown.pose.bones[name]
    return (bone.parent.matrix.inverted() @ bone.matrix).to_quaternion()


def take(rig: bpy.types.Object) -> set[str]:
    bpy.context.view_layer.objects.active = rig
    return bpy.ops.surefoot.adjustment_take()


def turned_head(rig: bpy.types.Object) -> None:
    rig.pose.bones["head"].rotation_quaternion = TURN @ rig.pose.bones["head"].rotation_quaternion


def test_a_bone_turned_at_rest_is_turned_in_every_frame_of_the_walk():
    rig = previewed_person()
    plain = []
    for frame in (1, 20, 45):
        bpy.context.scene.frame_set(frame)
        plain.append(bone_turn(rig, "head"))
    rig.surefoot.preview = False
    turned_head(rig)
    assert take(rig) == {"FINISHED"}
    rig.pose.bones["head"].rotation_quaternion = Quaternion()
    rig.surefoot.preview = True
    rest = rig.data.bones["head"].parent.matrix_local.inverted() @ rig.data.bones["head"].matrix_local
    rest = rest.to_quaternion()
    for frame, before in zip((1, 20, 45), plain, strict=True):
        bpy.context.scene.frame_set(frame)
        wanted = rest @ TURN @ rest.inverted() @ before
        assert bone_turn(rig, "head").rotation_difference(wanted).angle < 1e-4


def test_a_bone_turned_over_the_shown_walk_stays_so_turned():
    rig = previewed_person()
    bpy.context.scene.frame_set(20)
    turned_head(rig)
    bpy.context.view_layer.update()
    wanted = bone_turn(rig, "head")
    take(rig)
    bpy.context.scene.frame_set(19)
    bpy.context.scene.frame_set(20)
    assert bone_turn(rig, "head").rotation_difference(wanted).angle < 1e-4
    assert [line.bone for line in rig.surefoot.adjustment] == ["head"]


def test_taken_twice_it_is_laid_once():
    rig = previewed_person()
    bpy.context.scene.frame_set(20)
    turned_head(rig)
    take(rig)
    once = pose_at(rig, 20)
    with pytest.raises(RuntimeError, match="posed as before"):
        take(rig)
    assert np.array_equal(pose_at(rig, 20), once)


def test_all_that_was_turned_is_kept_whatever_is_selected():
    rig = previewed_person()
    bpy.context.scene.frame_set(20)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.select_all(action="DESELECT")
    bpy.context.view_layer.update()
    for name in ("head", "hand.L"):
        rig.pose.bones[name].rotation_quaternion = TURN @ rig.pose.bones[name].rotation_quaternion
    bpy.ops.surefoot.adjustment_take()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert {line.bone for line in rig.surefoot.adjustment} == {"head", "hand.L"}


def test_what_is_baked_is_what_was_shown():
    rig = previewed_person()
    rig.surefoot.preview = False
    turned_head(rig)
    rig.pose.bones["pelvis"].location.z -= 0.02
    take(rig)
    rig.surefoot.preview = True
    shown = [pose_at(rig, frame) for frame in (1, 12, 24)]
    bake(rig, BakeOptions(1, 24))
    for frame, wanted in zip((1, 12, 24), shown, strict=True):
        assert pose_at(rig, frame) == pytest.approx(wanted, abs=1e-5)


def test_cleared_it_walks_as_before():
    rig = previewed_person()
    before = pose_at(rig, 20)
    turned_head(rig)
    take(rig)
    bpy.ops.surefoot.adjustment_clear()
    assert len(rig.surefoot.adjustment) == 0
    assert np.array_equal(pose_at(rig, 20), before)


def test_it_is_in_the_file(tmp_path: Path):
    rig = previewed_person()
    bpy.context.scene.frame_set(20)
    turned_head(rig)
    take(rig)
    wanted, name = pose_at(rig, 20), rig.name
    config = config_of(rig).adjustment
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"))
    rig = bpy.data.objects[name]
    assert config_of(rig).adjustment == config
    assert pose_at(rig, 20) == pytest.approx(wanted, abs=1e-6)


def test_a_bone_that_was_renamed_is_listed_among_the_problems():
    add_ground()
    rig = add_person()
    line = rig.surefoot.adjustment.add()
    line.bone, line.turn = "Beak", TURN
    bpy.ops.surefoot.setup()
    assert any("Beak" in problem.text for problem in rig.surefoot.problems)
