"""Retargeting between rest poses that differ, and from poses that were set to be alike."""

from __future__ import annotations

from math import pi, radians
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Quaternion
from support.motions import (
    arms_to,
    bare,
    degrees_between,
    direction,
    edit_rest,
    joints_at,
    rest_bytes,
    swing,
    turn_rest,
)
from support.retargeted import ARMS, LEGS, free, free_said, moved, rest_keyed


def test_a_t_pose_stays_one_on_a_target_that_rests_in_an_a_pose():
    source, target = rest_keyed(arms_to(bare("Mocap"), 0.0)), arms_to(bare("Hero"), radians(-45.0))
    before = rest_bytes(source), rest_bytes(target)
    moved(source, target)
    shown = joints_at(target, 5)
    for first, last in ARMS:
        aside = np.array([1.0 if ".L" in first else -1.0, 0.0, 0.0])
        assert degrees_between(direction(shown, first, last), aside) < 1.0
    assert (rest_bytes(source), rest_bytes(target)) == before


def test_what_the_source_does_is_shown_by_the_target_limb_for_limb():
    source, target = swing(bare("Mocap")), arms_to(bare("Hero"), radians(-20.0))
    moved(source, target, config=free())
    for frame in (1, 11, 21):
        theirs, ours = joints_at(source, frame), joints_at(target, frame)
        for first, last in (*ARMS, *LEGS):
            assert degrees_between(direction(theirs, first, last), direction(ours, first, last)) < 1.0


def test_bones_with_other_rolls_rest_where_the_source_rests():
    source, target = rest_keyed(bare("Mocap")), bare("Hero")

    def roll(bones: Any) -> None:
        for k, bone in enumerate(bones):
            bone.roll += (0.8, -1.6, 3.0)[k % 3]

    edit_rest(target, roll)
    moved(source, target, config=free())
    bpy.context.scene.frame_set(5)
    shown = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    for bone in shown.pose.bones:
        assert np.abs(np.array(bone.matrix_basis) - np.identity(4)).max() < 2e-5, bone.name


def test_leg_bones_with_other_axes_take_the_legs_to_the_same_places():
    source, clean, odd = swing(bare("Mocap")), bare("Clean"), bare("Odd")

    def other_axes(bones: Any) -> None:
        for name, roll in (("thigh.L", pi / 2), ("shin.L", pi / 2), ("thigh.R", pi), ("shin.R", -pi / 2)):
            bones[name].roll += roll

    edit_rest(odd, other_axes)
    moved(source, clean)
    moved(source, odd)
    for frame in (1, 11, 21):
        first, second = joints_at(clean, frame), joints_at(odd, frame)
        for name in ("shin.L", "foot.L", "toe.L", "shin.R", "foot.R", "toe.R"):
            assert np.abs(first[name] - second[name]).max() < 1e-3


def test_equal_names_with_other_rests_are_converted_and_said():
    source, target = swing(bare("Mocap")), bare("Hero")
    for side, sign in (("L", 1.0), ("R", -1.0)):
        turn_rest(target, f"upper_arm.{side}", Matrix.Rotation(sign * radians(30.0), 4, "Y"))
    result = moved(source, target, config=free())
    said = " ".join(result.notes)
    assert "by 30 degrees" in said
    assert "rest differently" in said
    for frame in (1, 11, 21):
        theirs, ours = joints_at(source, frame), joints_at(target, frame)
        for name in ("forearm.L", "hand.L", "forearm.R", "hand.R", "foot.L", "head"):
            assert np.abs(theirs[name] - ours[name]).max() < 1e-3


def test_equal_rigs_get_the_same_motion_and_nothing_is_said_of_rests():
    source, target = swing(bare("Mocap")), bare("Hero")
    result = moved(source, target, config=free(), travel="PELVIS")
    assert result.notes == (free_said(),)
    for frame in (1, 11, 21):
        theirs, ours = joints_at(source, frame), joints_at(target, frame)
        assert max(np.abs(theirs[name] - ours[name]).max() for name in theirs) < 1e-4


def test_poses_that_were_set_to_be_alike_are_taken_as_such():
    source, target = swing(bare("Mocap")), bare("Hero")
    bpy.context.scene.frame_set(15)
    hand = {"upper_arm.L": (0.4, 0.2, 0.9), "thigh.R": (-0.5, 0.1, 0.2), "head": (0.1, 0.6, 0.0)}
    for name, angles in hand.items():
        target.pose.bones[name].rotation_mode = "XYZ"
        target.pose.bones[name].rotation_euler = angles
    bpy.context.view_layer.update()
    wanted = {bone.name: bone.matrix.to_quaternion() for bone in target.pose.bones}
    moved(source, target, reference="CURRENT_POSE", config=free())
    bpy.context.scene.frame_set(15)
    shown = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    for name, turn in wanted.items():
        off = turn.rotation_difference(shown.pose.bones[name].matrix.to_quaternion()).angle
        assert min(off, 2.0 * pi - off) < radians(0.1), name
    # A later frame differs by what the source does meanwhile.
    change = source_turn(source, "upper_arm.R", 21) @ source_turn(source, "upper_arm.R", 15).inverted()
    bpy.context.scene.frame_set(21)
    after = target.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["upper_arm.R"].matrix.to_quaternion()
    assert (change @ wanted["upper_arm.R"]).rotation_difference(after).angle < radians(0.2)


def source_turn(rig: bpy.types.Object, name: str, frame: int) -> Quaternion:
    bpy.context.scene.frame_set(frame)
    return rig.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[name].matrix.to_quaternion()
