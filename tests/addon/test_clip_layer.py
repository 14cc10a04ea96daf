"""An Action laid over the walk: in step, keyed in, on top; shown and baked alike."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support.stage import add_ground, add_person, key, pose_at
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.layers import layer_add
from surefoot.addon.performers import performers
from surefoot.addon.preview import failure_of
from surefoot.addon.refusal import RefusedError


def wave(rig: bpy.types.Object, bone: str = "upper_arm.L", frames: tuple[int, ...] = (1, 13, 25)) -> bpy.types.Action:
    """An Action in which one bone goes up and down by 60 degrees; it is taken off the rig again."""
    for frame, angle in zip(frames, (0.0, 1.047, 0.0), strict=True):
        rig.pose.bones[bone].rotation_quaternion = Quaternion((1.0, 0.0, 0.0), angle)
        rig.pose.bones[bone].keyframe_insert("rotation_quaternion", frame=frame)
    action = rig.animation_data.action
    rig.animation_data.action = None
    rig.pose.bones[bone].rotation_quaternion = (1.0, 0.0, 0.0, 0.0)
    return action


@pytest.fixture
def rig() -> bpy.types.Object:
    """A person on flat ground that walks."""
    add_ground()
    return add_person()


def walk_poses(rig: bpy.types.Object, frames: range) -> np.ndarray:
    rig.surefoot.preview = True
    return np.array([pose_at(rig, frame) for frame in frames])


def bone(rig: bpy.types.Object, name: str) -> int:
    """Where a bone's matrix is in a pose."""
    return 1 + list(rig.pose.bones.keys()).index(name)


def test_its_bones_do_what_the_action_does_and_the_others_walk_on(rig: bpy.types.Object):
    plain = walk_poses(rig, range(1, 40))
    action = wave(rig)
    layer_add(rig, "CLIP", action=action, repeat="HOLD", fade=0.0)
    layered = walk_poses(rig, range(1, 40))
    assert not failure_of(rig.session_uid)
    arm, head, foot = (bone(rig, name) for name in ("upper_arm.L", "head", "foot.R"))
    assert np.abs(layered[12, arm] - plain[12, arm]).max() > 0.3
    assert np.array_equal(layered[:, head], plain[:, head])
    assert np.array_equal(layered[:, foot], plain[:, foot])
    rotation = rig.pose.bones["upper_arm.L"]
    pose_at(rig, 13)
    assert Quaternion(rotation.rotation_quaternion).angle == pytest.approx(1.047, abs=1e-3)


def test_what_is_shown_is_baked(rig: bpy.types.Object):
    layer_add(rig, "CLIP", action=wave(rig), mask="arms", repeat="LOOP")
    shown = walk_poses(rig, range(1, 61))
    bake(rig, BakeOptions(1, 60))
    assert np.abs(np.array([pose_at(rig, frame) for frame in range(1, 61)]) - shown).max() < 1e-5


def test_its_weight_can_be_keyed_and_starts_it(rig: bpy.types.Object):
    plain = walk_poses(rig, range(1, 80))
    layer_add(rig, "CLIP", action=wave(rig), mode="ADD", repeat="ONCE", fade=0.0)
    key(rig, "surefoot.layers[0].weight", {1: 0.0, 29: 0.0, 30: 1.0, 79: 1.0})
    layered = walk_poses(rig, range(1, 80))
    arm = bone(rig, "upper_arm.L")
    change = np.abs(layered[:, arm, :3, :3] - plain[:, arm, :3, :3]).max(axis=(1, 2))
    assert change[:29].max() == 0.0
    assert np.argmax(change) + 1 == pytest.approx(42, abs=2)
    assert change[60:].max() < 1e-6


def test_its_progress_can_be_keyed(rig: bpy.types.Object):
    layer_add(rig, "CLIP", action=wave(rig), timing="PROGRESS")
    key(rig, "surefoot.layers[0].progress", {1: 0.0, 21: 0.5})
    walk_poses(rig, range(1, 22))
    assert Quaternion(rig.pose.bones["upper_arm.L"].rotation_quaternion).angle == pytest.approx(1.047, abs=1e-3)


def test_an_edited_action_shows_in_the_layer(rig: bpy.types.Object):
    action = wave(rig)
    layer_add(rig, "CLIP", action=action, repeat="HOLD", fade=0.0)
    walk_poses(rig, range(1, 14))
    bag = action.layers[0].strips[0].channelbag(action.slots[0])
    for curve in bag.fcurves:
        for point in curve.keyframe_points:
            point.co[1] = 1.0 if curve.array_index == 0 else 0.0
        curve.update()
    rig.surefoot.preview = False
    walk_poses(rig, range(1, 14))
    assert Quaternion(rig.pose.bones["upper_arm.L"].rotation_quaternion).angle == pytest.approx(0.0, abs=1e-4)


def test_in_step_with_the_gait_an_action_of_a_walk_keeps_its_legs(rig: bpy.types.Object):
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, 97))
    action = rig.animation_data.action
    rig.animation_data.action = None
    plain = walk_poses(rig, range(1, 97))
    layer_add(rig, "CLIP", action=action, mask="upper_body", timing="STRIDE")
    layered = walk_poses(rig, range(1, 97))
    assert performers.get(rig.session_uid).character.problems == ()
    legs = [bone(rig, name) for name in ("thigh.L", "shin.R", "foot.L", "pelvis")]
    assert np.array_equal(layered[:, legs], plain[:, legs])
    arms = [bone(rig, f"upper_arm.{side}") for side in "LR"]
    apart = np.abs(layered[60:, arms, :3, :3] - plain[60:, arms, :3, :3]).max()
    swing = np.ptp(plain[60:, arms, :3, :3], axis=0).max()
    assert swing > 0.2
    assert apart < 0.3 * swing


def test_an_action_of_another_armature_is_refused(rig: bpy.types.Object):
    layer_add(rig, "CLIP", action=bpy.data.actions.new("Empty"))
    rig.surefoot.preview = True
    assert "moves no bone of Person" in failure_of(rig.session_uid)
    with pytest.raises(RefusedError, match="moves no bone"):
        bake(rig, BakeOptions(1, 10))


def test_without_an_action_it_changes_nothing_and_says_so(rig: bpy.types.Object):
    plain = walk_poses(rig, range(1, 20))
    layer_add(rig, "CLIP")
    assert np.array_equal(walk_poses(rig, range(1, 20)), plain)
    assert "no clip" in str(performers.get(rig.session_uid).character.problems[0])
