"""Retargeting: feet that stand, bones that follow and bones that do not."""

from __future__ import annotations

from math import degrees, radians
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Quaternion, Vector
from support.motions import (
    bare,
    curves_of,
    edit_rest,
    joints_at,
    swing,
    walk,
)
from support.retargeted import LIMBS, free, free_said, moved, rest_keyed
from support.stage import key


def test_feet_that_stand_on_the_source_stand_on_legs_of_another_length():
    source, target = walk(bare("Mocap"), frames=72), bare("Hero")

    def shorter(bones: Any) -> None:
        for bone in list(bones):
            bone.use_connect = False
        for side in "LR":
            hip = bones[f"thigh.{side}"].head.copy()
            for name in ("thigh", "shin"):
                bone = bones[f"{name}.{side}"]
                for end in ("head", "tail"):
                    point = getattr(bone, end).copy()
                    point.z = hip.z + 0.6667 * (point.z - hip.z)
                    setattr(bone, end, point)
            lift = bones[f"shin.{side}"].tail - bones[f"foot.{side}"].head
            for name in ("foot", "toe"):
                bones[f"{name}.{side}"].head += lift
                bones[f"{name}.{side}"].tail += lift

    edit_rest(target, shorter)
    result = moved(source, target)
    assert result.slide_before > 0.02
    assert result.slide_after < 0.003
    assert result.slide_after < 0.2 * result.slide_before
    theirs, ours = (joints_at(rig, 60)["pelvis"] - joints_at(rig, 10)["pelvis"] for rig in (source, target))
    assert ours[1] / theirs[1] == pytest.approx(result.ratio, rel=0.01)


def test_left_free_it_is_said_that_no_foot_was_planted():
    result = moved(walk(bare("Mocap")), bare("Hero"), config=free())
    assert (result.slide_before, result.slide_after) == (None, None)
    assert free_said() in result.notes


def test_a_target_without_legs_is_told_that_none_was_planted():
    target = bare("Hero")

    def legless(bones: Any) -> None:
        for name in [bone.name for bone in bones if bone.name.partition(".")[0] in LIMBS]:
            bones.remove(bones[name])

    edit_rest(target, legless)
    result = moved(walk(bare("Mocap")), target)
    assert "no foot was planted" in " ".join(result.notes)


def test_a_source_without_legs_says_why_no_foot_was_planted():
    source = swing(bare("Mocap"))

    def legless(bones: Any) -> None:
        for name in [bone.name for bone in bones if bone.name.partition(".")[0] in LIMBS]:
            bones.remove(bones[name])

    edit_rest(source, legless)
    assert "no foot can be planted" in " ".join(moved(source, bare("Hero")).problems)


def test_what_does_not_follow_is_counted_and_named():
    source, target = swing(bare("Mocap")), bare("Hero")

    def armless(bones: Any) -> None:
        for name in [bone.name for bone in bones if bone.name.partition(".")[0] in {"upper_arm", "forearm", "hand"}]:
            bones.remove(bones[name])

    edit_rest(source, armless)
    result = moved(source, target)
    follow, of = result.coverage
    said = " ".join(result.problems)
    assert of - follow >= 6
    assert f"Only {follow} of {of}" in said
    assert all(name in said for name in ("upper_arm.L", "forearm.R", "hand.L"))
    assert {"upper_arm.L", "forearm.R", "hand.L"} <= {item.bone for item in result.stayed}


def test_a_tail_keeps_its_own_animation():
    source, target = swing(bare("Mocap")), bare("Hero")

    def add_tail(bones: Any) -> None:
        above = bones["pelvis"]
        for k in range(3):
            bone = bones.new(f"tail.{k:03d}")
            bone.head, bone.tail = (0.0, 0.1 + 0.15 * k, 0.95), (0.0, 0.25 + 0.15 * k, 0.95)
            bone.parent, above = above, bone

    edit_rest(target, add_tail)
    target.pose.bones["tail.001"].rotation_mode = "XYZ"
    key(target, 'pose.bones["tail.001"].rotation_euler', {1: 0.0, 15: 1.0}, index=0)
    before = {path: keys for path, keys in curves_of(target).items() if "tail" in path[0]}
    moved(source, target)
    after = {path: keys for path, keys in curves_of(target).items() if "tail" in path[0]}
    assert before
    assert set(after) == set(before)
    assert all(np.array_equal(after[path], before[path]) for path in before)


def test_bones_between_joints_change_nothing_below_them():
    source, plain, twisted = swing(bare("Mocap")), bare("Plain"), bare("Hero")

    def twist(bones: Any) -> None:
        for name, below in (("thigh", "shin"), ("upper_arm", "forearm")):
            for side in "LR":
                bone, child = bones[f"{name}.{side}"], bones[f"{below}.{side}"]
                child.use_connect = False
                half = bones.new(f"{name}_twist.{side}")
                half.head, half.tail = bone.head.lerp(bone.tail, 0.5), bone.tail
                half.parent, child.parent = bone, half

    edit_rest(twisted, twist)
    moved(source, plain)
    moved(source, twisted)
    for frame in (1, 11, 21):
        first, second = joints_at(plain, frame), joints_at(twisted, frame)
        assert max(np.abs(first[name] - second[name]).max() for name in first) < 1e-3


@pytest.mark.parametrize("rename", ["mixamorig:{}", "mixamorig7:{}", "Char01|{}", "ns:sub:{}", "{}.001"])
def test_prefixes_and_numbers_in_names_change_nothing(rename: str):
    source, target = swing(bare("Mocap")), bare("Hero")
    plain = moved(source, target)
    first = joints_at(target, 17)
    named = swing(bare("Named"))
    for bone in named.data.bones:
        bone.name = rename.format(bone.name)
    second = bare("Other")
    result = moved(named, second)
    assert result.coverage == plain.coverage
    assert max(np.abs(first[name] - at).max() for name, at in joints_at(second, 17).items()) < 1e-4


def test_the_order_of_bones_changes_nothing():
    from support.armatures import BonePlan, build_armature

    model = bare("Model")
    plans = [
        BonePlan(
            bone.name, bone.parent.name if bone.parent else "", tuple(bone.head_local), tuple(bone.tail_local)
        )
        for bone in model.data.bones
    ]
    right_first = sorted(plans, key=lambda plan: (plan.name.endswith(".L"), plans.index(plan)))
    shown = []
    for order in (plans, right_first):
        source = swing(build_armature(tuple(order), name="Mocap"))
        target = bare("Hero")
        moved(source, target)
        shown.append(joints_at(target, 21))
    assert max(np.abs(shown[0][name] - shown[1][name]).max() for name in shown[0]) < 1e-4


def with_fingers(rig: bpy.types.Object, joints: int, ends: tuple[str, ...] = ()) -> bpy.types.Object:
    """An index and a middle finger on the left hand, 8 cm each, of so many bones; the named ones end in an `_end`."""

    def add(bones: Any) -> None:
        hand = bones["hand.L"]
        way = (hand.tail - hand.head).normalized()
        for k, finger in enumerate(("index", "middle")):
            above, start = hand, hand.tail + Vector((0.0, 0.02 * k, 0.0))
            names = [f"{finger}.{joint + 1:02d}.L" for joint in range(joints)]
            for joint, name in enumerate([*names, *([f"{finger}_end.L"] if finger in ends else [])]):
                bone = bones.new(name)
                length = 0.08 / joints if joint < joints else 0.01
                bone.head, bone.tail = start, start + way * length
                bone.parent, above, start = above, bone, bone.tail.copy()

    return edit_rest(rig, add)


@pytest.mark.parametrize("joints", [3, 4], ids=["as many", "one more"])
def test_the_curl_of_a_finger_goes_over_to_one_of_other_joints(joints: int):
    source = with_fingers(rest_keyed(bare("Mocap"), 11), 3)
    target = with_fingers(bare("Hero"), joints, ("middle",))
    for finger in ("index", "middle"):
        for joint in (1, 2, 3):
            bone = source.pose.bones[f"{finger}.{joint:02d}.L"]
            across = bone.bone.matrix_local.to_3x3().inverted() @ Vector((0.0, 1.0, 0.0))
            bone.rotation_mode = "QUATERNION"
            for frame, angle in ((1, 0.0), (11, radians(20.0))):
                bone.rotation_quaternion = Quaternion(across, angle)
                bone.keyframe_insert("rotation_quaternion", frame=frame)
    result = moved(source, target, config=free())
    bpy.context.scene.frame_set(11)
    shown = target.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    for finger in ("index", "middle"):
        curl = 0.0
        for joint in range(1, joints + 1):
            curl += shown[f"{finger}.{joint:02d}.L"].matrix_basis.to_quaternion().angle
        assert degrees(curl) == pytest.approx(60.0, abs=3.0)
    end = shown["middle_end.L"].matrix_basis
    assert np.abs(np.array(end) - np.identity(4)).max() < 1e-5
    assert "middle_end.L" in {item.bone for item in result.stayed}
