"""An Action as a clip: read without a trace, from its curves where they say all, else as Blender evaluates it."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support.file_contents import contents, differences
from support.played_clips import play, problem_of, walked
from support.stage import add_ground, add_person, pose_at
from surefoot.addon import action_curves, clip_reading
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.clip_reading import clip_poses_of
from surefoot.addon.performers import performers, reading_of
from surefoot.addon.preview import failure_of
from surefoot.addon.refusal import RefusedError
from surefoot.addon.rig_reading import read_rig


@pytest.mark.parametrize("preview", [False, True])
def test_reading_it_leaves_nothing_changed_in_the_file(preview: bool):
    rig = walked()
    action = rig.animation_data.action
    other = bpy.data.actions.new("Other")
    rig.animation_data.action = other
    rig.pose.bones[3].rotation_quaternion = (0.9, 0.1, 0.2, 0.3)
    rig.location = (1.0, 2.0, 3.0)
    rig.surefoot.preview = preview
    bpy.context.scene.frame_set(33)
    reading = reading_of(rig, bpy.context.evaluated_depsgraph_get())
    before = contents()
    clip_poses_of(rig, reading, action)
    assert differences(before, contents()) == []
    clip_reading.clips.clear()
    original = action_curves.is_plain
    clip_reading.is_plain = lambda _obj, _bag: False
    try:
        clip_poses_of(rig, reading, action)
    finally:
        clip_reading.is_plain = original
    assert differences(before, contents()) == []


def evaluated_and_read(rig: bpy.types.Object, action: bpy.types.Action) -> tuple[object, object]:
    """The clip as Blender evaluates the rig, and as its curves say."""
    reading = read_rig(rig)
    found = []
    for plain in (False, True):
        clip_reading.clips.clear()
        original = action_curves.is_plain
        if not plain:
            clip_reading.is_plain = lambda _obj, _bag: False
        try:
            found.append(clip_poses_of(rig, reading, action))
        finally:
            clip_reading.is_plain = original
    return found[0], found[1]


def same(one: object, two: object) -> bool:
    """Whether two clips are alike to single precision."""
    pairs = ((one.rotations, two.rotations), (one.locations, two.locations), (one.track, two.track))
    return all(np.abs(a - b).max() < 2e-5 for a, b in pairs)


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZXY", "YZX", "AXIS_ANGLE"])
def test_curves_alone_say_what_blender_shows_in_any_rotation_mode(mode: str):
    add_ground()
    rig = add_person()
    for n, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = mode
        for frame in (1, 9, 20):
            turn = Quaternion((1.0, 0.3, 0.2 * n), 0.1 * frame)
            if mode == "QUATERNION":
                bone.rotation_quaternion = turn
                bone.keyframe_insert("rotation_quaternion", frame=frame)
            elif mode == "AXIS_ANGLE":
                axis, angle = turn.to_axis_angle()
                bone.rotation_axis_angle = (angle, *axis)
                bone.keyframe_insert("rotation_axis_angle", frame=frame)
            else:
                bone.rotation_euler = turn.to_euler(mode)
                bone.keyframe_insert("rotation_euler", frame=frame)
    rig.pose.bones["pelvis"].location = (0.1, 0.2, 0.3)
    rig.pose.bones["pelvis"].keyframe_insert("location", frame=5)
    action = rig.animation_data.action
    assert action_curves.is_plain(rig, clip_reading.channelbag_of(action, action.slots[0]))
    assert same(*evaluated_and_read(rig, action))


def test_curves_alone_say_how_an_object_is_carried():
    rig = walked()
    action = rig.animation_data.action
    assert action_curves.is_plain(rig, clip_reading.channelbag_of(action, action.slots[0]))
    assert same(*evaluated_and_read(rig, action))


def test_a_rig_with_constraints_is_read_as_blender_evaluates_it():
    rig = walked()
    action = rig.animation_data.action
    limit = rig.pose.bones["head"].constraints.new("LIMIT_ROTATION")
    limit.use_limit_x, limit.min_x, limit.max_x, limit.owner_space = True, 0.3, 0.3, "LOCAL"
    assert not action_curves.is_plain(rig, clip_reading.channelbag_of(action, action.slots[0]))
    poses = clip_poses_of(rig, read_rig(rig), action)
    head = poses.skeleton.index["head"]
    assert 2.0 * np.arcsin(np.abs(poses.rotations[10, head, 1])) == pytest.approx(0.3, abs=0.05)


def test_while_previewing_what_it_does_not_animate_is_at_rest():
    """The preview holds the arms; the Action keys the head alone."""
    add_ground()
    rig = add_person()
    for frame, angle in ((1, 0.0), (13, 0.5)):
        rig.pose.bones["head"].rotation_quaternion = Quaternion((1.0, 0.0, 0.0), angle)
        rig.pose.bones["head"].keyframe_insert("rotation_quaternion", frame=frame)
    action = rig.animation_data.action
    rig.animation_data.action = None
    rig.surefoot.preview = True
    before = pose_at(rig, 30)
    for plain in (True, False):
        clip_reading.clips.clear()
        if not plain:
            rig.pose.bones["head"].constraints.new("LIMIT_SCALE")
        poses = clip_poses_of(rig, performers.get(rig.session_uid).reading, action)
        assert [poses.skeleton.bones[i].name for i in poses.rotated] == ["head"]
    assert np.abs(pose_at(rig, 30) - before).max() < 1e-6


def test_an_edited_action_is_read_again():
    rig = walked()
    action = rig.animation_data.action
    play(rig, action, clip_repeat="HOLD")
    before = pose_at(rig, 40)
    bag = clip_reading.channelbag_of(action, action.slots[0])
    curve = bag.fcurves.find('pose.bones["upper_arm.L"].rotation_quaternion', index=1)
    for point in curve.keyframe_points:
        point.co[1] += 0.4
    curve.update()
    rig.surefoot.preview = False
    rig.surefoot.preview = True
    after = pose_at(rig, 40)
    arm = 1 + list(rig.pose.bones.keys()).index("upper_arm.L")
    assert np.abs(after[arm] - before[arm]).max() > 0.1
    assert np.abs(after[1] - before[1]).max() < 1e-6


def test_a_clip_that_was_read_is_kept_while_nothing_changes(monkeypatch: pytest.MonkeyPatch):
    rig = walked()
    play(rig, rig.animation_data.action)
    pose_at(rig, 10)
    monkeypatch.setattr(clip_reading, "clip_poses", None)
    rig.surefoot.clip_rate = 2.0
    pose_at(rig, 20)
    assert not failure_of(rig.session_uid)


def test_an_action_of_another_armature_is_refused_in_a_sentence():
    rig = walked()
    action = bpy.data.actions.new("Empty")
    play(rig, action)
    assert "moves no bone of Person" in problem_of(rig)
    with pytest.raises(RefusedError, match="moves no bone of Person"):
        bake(rig, BakeOptions(1, 10))
    rig.surefoot.clip = next(item for item in bpy.data.actions if item != action)
    assert problem_of(rig) == ""


def test_of_several_slots_the_one_that_moves_its_bones_is_played_or_the_one_named():
    rig = walked()
    action = rig.animation_data.action
    other = action.slots.new("OBJECT", "Camera")
    bag = action.layers[0].strips[0].channelbag(other, ensure=True)
    curve = bag.fcurves.new("location", index=0)
    curve.keyframe_points.insert(1, 5.0)
    play(rig, action)
    assert problem_of(rig) == ""
    rig.surefoot.clip_slot = other.identifier
    assert "moves no bone" in problem_of(rig)
    rig.surefoot.clip_slot = "OBNobody"
    assert "has no slot OBNobody" in problem_of(rig)
