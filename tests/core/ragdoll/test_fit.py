"""Limits that are widened by what a character does anyway."""

from math import degrees, radians

import pytest
from mathutils import Matrix, Quaternion
from support.ragdolls import our_plan, our_rig, worst_beyond
from surefoot.core.ragdoll.bodies_pose import bodies_of
from surefoot.core.ragdoll.fit import holding_poses
from surefoot.core.rig.edited_pose import EditedPose


def bent(bone: str, axis: tuple[int, int, int], angle: float) -> EditedPose:
    rig = our_rig("person")
    pose = EditedPose.rest(rig.skeleton)
    pose.turn_by(rig.skeleton.index[bone], Quaternion(axis, radians(angle)))
    return pose


def test_poses_within_the_limits_change_nothing():
    plan = our_plan("person")
    assert holding_poses(plan, [bent("shin.L", (1, 0, 0), 60.0)]) is plan


def test_a_pose_past_a_limit_is_within_afterwards_and_other_joints_stay():
    plan, pose = our_plan("person"), bent("chest", (1, 0, 0), 38.0)
    assert worst_beyond(plan, bodies_of(plan, pose, Matrix())) == (pytest.approx(13.0, abs=1.0), "chest")
    wide = holding_poses(plan, [pose])
    assert worst_beyond(wide, bodies_of(wide, pose, Matrix()))[0] == 0.0
    changed = [body.role for body, plain in zip(wide.bodies, plan.bodies, strict=True) if body != plain]
    assert changed == ["chest"]


def test_several_poses_are_held_together():
    plan = our_plan("person")
    wide = holding_poses(plan, [bent("chest", (1, 0, 0), 38.0), bent("chest", (1, 0, 0), -30.0)])
    joint = wide.bodies[wide.place_of("chest")].joint
    assert degrees(joint.high[0]) == pytest.approx(41.0, abs=1.0)
    assert degrees(joint.low[0]) == pytest.approx(-33.0, abs=1.0)


def test_limits_that_were_set_by_hand_stay():
    plan = our_plan("person")
    assert holding_poses(plan, [bent("chest", (1, 0, 0), 38.0)], {"chest"}) is plan


def test_what_no_joint_does_does_not_free_it():
    plan = our_plan("person")
    assert holding_poses(plan, [bent("shin.L", (1, 0, 0), -120.0)]) is plan
