"""A pose becomes channel values of a plain skeleton, is shown and taken back."""

from __future__ import annotations

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from support.armatures import (
    WALKER,
    BonePlan,
    build_armature,
    evaluated,
    random_pose,
    read_armature,
)
from support.written_poses import (
    MODES,
    ON_ITS_FACE,
    TURNED,
    rows_of,
    shown_error,
    writer_for,
    yawing_pose,
)
from surefoot.core.rig.pose import Ground


def test_a_shown_row_puts_every_bone_where_the_core_has_it_whatever_the_rotation_mode():
    rig = build_armature(WALKER)
    for name, mode in zip(TURNED, MODES, strict=True):
        rig.pose.bones[name].rotation_mode = mode
    reading = read_armature(rig)
    writer = writer_for(rig, reading)
    for seed in range(5):
        pose = random_pose(reading.rig.skeleton, seed, located=("pelvis",))
        writer.apply(rig, writer.row(pose, None))
        assert shown_error(rig, reading, pose, pose.ground) < 2e-6
    assert [rig.pose.bones[name].rotation_mode for name in TURNED] == list(MODES)


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_a_rig_imported_lying_down_and_scaled_shows_the_same_pose_in_metres(scale):
    rig = build_armature(WALKER, turn=ON_ITS_FACE, scale=scale)
    reading = read_armature(rig, turn=ON_ITS_FACE, scale=scale)
    pose = random_pose(reading.rig.skeleton, 3, located=("pelvis",))
    writer = writer_for(rig, reading)
    writer.apply(rig, writer.row(pose, None))
    assert shown_error(rig, reading, pose, pose.ground) < 5e-6


def test_a_location_in_the_parents_axes_is_written_in_those_axes():
    for parent in ("root", ""):
        plans = tuple(plan._replace(parent=parent) if plan.name == "pelvis" else plan for plan in WALKER)
        rig = build_armature(plans, turn=ON_ITS_FACE, scale=0.01)
        rig.data.bones["pelvis"].use_local_location = False
        reading = read_armature(rig, turn=ON_ITS_FACE, scale=0.01)
        turned = ("root", *TURNED)
        pose = random_pose(reading.rig.skeleton, 4, turned=turned, located=("pelvis",))
        writer = writer_for(rig, reading, turned)
        writer.apply(rig, writer.row(pose, None))
        assert shown_error(rig, reading, pose, pose.ground) < 5e-6
        bpy.data.objects.remove(rig)


def test_bones_that_are_not_driven_keep_their_values():
    rig = build_armature(WALKER)
    rig.pose.bones["face"].rotation_quaternion = (0.6, 0.8, 0.0, 0.0)
    rig.pose.bones["face"].scale = (1.0, 1.2, 1.0)
    before = rig.pose.bones["face"].matrix_basis.copy()
    writer = writer_for(rig, read_armature(rig))
    writer.apply(rig, writer.row(random_pose(read_armature(rig).rig.skeleton, 2, located=("pelvis",)), None))
    assert rig.pose.bones["face"].matrix_basis == before


def test_a_driven_bone_that_a_clip_has_moved_and_stretched_is_held_at_rest_and_given_back():
    rig = build_armature(WALKER)
    chest = rig.pose.bones["chest"]
    chest.scale, chest.location = (1.0, 1.2, 1.0), (0.0, 0.1, 0.0)
    writer = writer_for(rig, read_armature(rig))
    saved = writer.capture(rig)
    writer.apply(rig, writer.row(random_pose(read_armature(rig).rig.skeleton, 2, located=("pelvis",)), None))
    assert tuple(chest.scale) == (1.0, 1.0, 1.0)
    assert tuple(chest.location) == (0.0, 0.0, 0.0)
    writer.restore(rig, saved)
    assert tuple(chest.scale) == tuple(Vector((1.0, 1.2, 1.0)))
    assert tuple(chest.location) == tuple(Vector((0.0, 0.1, 0.0)))


def test_neighbouring_quaternions_never_change_sign():
    rig = build_armature(WALKER)
    reading = read_armature(rig)
    poses = [yawing_pose(reading, degrees) for degrees in range(0, 721, 30)]
    for pose in poses[::2]:
        pose.rotations[:] = -pose.rotations
    writer = writer_for(rig, reading, ("pelvis",), ())
    rows = rows_of(writer, poses)
    assert (np.sum(rows[1:] * rows[:-1], axis=1) > 0.0).all()
    assert rows[0][0] == pytest.approx(1.0)


@pytest.mark.parametrize("mode", ["XYZ", "ZXY", "YZX"])
def test_euler_angles_go_on_past_half_turns(mode):
    rig = build_armature(WALKER)
    rig.pose.bones["pelvis"].rotation_mode = mode
    reading = read_armature(rig)
    writer = writer_for(rig, reading, ("pelvis",), ())
    degrees = np.arange(0.0, 901.0, 10.0)
    rows = rows_of(writer, [yawing_pose(reading, angle) for angle in degrees])
    assert rows[:, 2] == pytest.approx(np.radians(degrees), abs=1e-4)
    assert np.abs(rows[:, :2]).max() < 1e-4


def test_an_axis_angle_bone_goes_on_past_half_turns_about_the_same_axis():
    rig = build_armature(WALKER)
    rig.pose.bones["pelvis"].rotation_mode = "AXIS_ANGLE"
    reading = read_armature(rig)
    writer = writer_for(rig, reading, ("pelvis",), ())
    degrees = np.arange(10.0, 901.0, 10.0)
    rows = rows_of(writer, [yawing_pose(reading, angle) for angle in degrees])
    assert rows[:, 0] == pytest.approx(np.radians(degrees), abs=1e-4)
    assert rows[:, 3] == pytest.approx(np.ones(len(degrees)), abs=1e-6)


def test_euler_angles_pass_the_pole_without_a_jump():
    rig = build_armature(WALKER)
    rig.pose.bones["pelvis"].rotation_mode = "XYZ"
    reading = read_armature(rig)
    writer = writer_for(rig, reading, ("pelvis",), ())
    poses = []
    for degrees in np.arange(0.0, 181.0, 4.0):
        pose = yawing_pose(reading, 0.0)
        lean = Quaternion((0.0, 1.0, 0.0), radians(degrees)) @ Quaternion((1.0, 0.0, 0.0), 0.01)
        pose.rotations[reading.rig.skeleton.index["pelvis"]] = tuple(lean)
        poses.append(pose)
    rows = rows_of(writer, poses)
    assert np.degrees(np.abs(np.diff(rows, axis=0))).max() < 30.0


def test_locked_components_are_neither_written_nor_keyed_and_the_loss_is_said():
    rig = build_armature(WALKER)
    shin = rig.pose.bones["shin.L"]
    shin.rotation_mode, shin.lock_rotation = "XYZ", (False, True, True)
    shin.rotation_euler = (0.1, 0.2, 0.3)
    thigh = rig.pose.bones["thigh.L"]
    thigh.lock_rotation_w = True
    held = (shin.rotation_euler.y, shin.rotation_euler.z, thigh.rotation_quaternion.w)
    reading = read_armature(rig)
    writer = writer_for(rig, reading)
    writer.apply(rig, writer.row(random_pose(reading.rig.skeleton, 7, located=("pelvis",)), None))
    assert (shin.rotation_euler.y, shin.rotation_euler.z, thigh.rotation_quaternion.w) == held
    written = {(channel.group, channel.index) for channel in writer.channels if "rotation" in channel.data_path}
    assert {pair for pair in written if pair[0] == "shin.L"} == {("shin.L", 0)}
    assert {pair for pair in written if pair[0] == "thigh.L"} == {("thigh.L", i) for i in (1, 2, 3)}
    assert {problem.bone for problem in writer.problems} == {"shin.L", "thigh.L"}


def test_a_bone_with_a_driver_is_left_alone_and_named():
    rig = build_armature(WALKER)
    rig.pose.bones["chest"].driver_add("rotation_quaternion", 1)
    writer = writer_for(rig, read_armature(rig))
    assert "chest" not in {channel.group for channel in writer.channels}
    assert [problem.bone for problem in writer.problems] == ["chest"]


def test_a_connected_bone_that_needs_its_location_is_a_blocking_problem():
    plans = (BonePlan("root", "", (0, 0, 0), (0, 0, 0.9)), WALKER[1]._replace(connected=True), *WALKER[2:])
    rig = build_armature(plans)
    problems = writer_for(rig, read_armature(rig)).problems
    assert [(problem.bone, problem.blocking) for problem in problems] == [("pelvis", True)]


def test_a_constraint_on_a_driven_bone_is_said():
    rig = build_armature(WALKER)
    rig.pose.bones["chest"].constraints.new("LIMIT_ROTATION")
    muted = rig.pose.bones["shin.L"].constraints.new("COPY_ROTATION")
    muted.mute = True
    assert [problem.bone for problem in writer_for(rig, read_armature(rig)).problems] == ["chest"]


def test_shown_is_true_for_the_row_on_show_and_for_no_other():
    rig = build_armature(WALKER)
    reading = read_armature(rig)
    writer = writer_for(rig, reading, travel="OBJECT")
    row = writer.row(random_pose(reading.rig.skeleton, 1, ground=Ground(1.0, 2.0, 3.0, 0.5)), None)
    other = row.copy()
    other[-1] = np.nextafter(other[-1], np.float32(2.0))
    writer.apply(rig, row)
    assert writer.shown(evaluated(rig), row)
    assert not writer.shown(evaluated(rig), other)


def test_restore_gives_back_what_capture_found_to_the_bit():
    rig = build_armature(WALKER)
    for bone in rig.pose.bones:
        bone.rotation_quaternion = (0.3, 0.1, -0.7, 0.2)
        bone.location = (0.01, 0.02, 0.03)
    rig.location, rig.rotation_quaternion = (5.0, 6.0, 7.0), (0.6, 0.0, 0.8, 0.0)
    reading = read_armature(rig)
    writer = writer_for(rig, reading, travel="OBJECT")

    def everything():
        return [[tuple(bone.rotation_quaternion), tuple(bone.location)] for bone in rig.pose.bones] + [
            tuple(rig.location),
            tuple(rig.rotation_quaternion),
        ]

    before = everything()
    saved = writer.capture(rig)
    writer.apply(rig, writer.row(random_pose(reading.rig.skeleton, 9, located=("pelvis",)), None))
    assert everything() != before
    writer.restore(rig, saved)
    assert everything() == before


def test_rows_land_on_their_bones_after_bones_were_added():
    rig = build_armature(WALKER)
    reading = read_armature(rig)
    writer = writer_for(rig, reading)
    pose = random_pose(reading.rig.skeleton, 2)
    writer.apply(rig, writer.row(pose, None))
    bpy.ops.object.mode_set(mode="EDIT")
    extra = rig.data.edit_bones.new("aaa")
    extra.tail = (0.0, 0.0, 1.0)
    extra.parent = rig.data.edit_bones["root"]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in rig.pose.bones:
        bone.matrix_basis = Matrix()
    writer.apply(rig, writer.row(pose, None))
    assert shown_error(rig, reading, pose, pose.ground) < 2e-6
    assert rig.pose.bones["aaa"].matrix_basis == Matrix()
