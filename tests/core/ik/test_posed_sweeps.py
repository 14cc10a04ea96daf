"""Posed limbs brought along whole ways of goals and poses: nothing jumps, no bend turns around."""

import math

import numpy as np
import pytest
from mathutils import Quaternion, Vector
from support.limbs import ALL, DOG_HIND, PERSON, STRAIGHT, total
from support.posed_limbs import array, bent
from surefoot.core.ik.posed import bring_tip


def test_the_end_of_the_reach_is_neared_softly():
    reached = []
    for share in np.linspace(0.85, 1.2, 36):
        pose, limb = bent(PERSON, 40.0)
        root = limb.joints(pose)[0]
        reached.append(bring_tip(pose, limb, root + Vector((0.0, -share * total(PERSON), 0.0)), softness=0.06))
    extensions = np.array([item.extension for item in reached])
    steps = np.diff(extensions)
    assert (steps > 0.0).all()
    assert extensions[-1] < 0.995
    assert np.abs(np.diff(steps)).max() < 0.4 * steps.max()


def test_a_knee_bent_backwards_by_a_hair_comes_forward_before_it_is_bent_far():
    forward = []
    for share in np.linspace(0.0, 0.3, 31):
        pose, limb = bent(STRAIGHT, -2.0)
        root, _, tip = limb.joints(pose)
        bring_tip(pose, limb, tip.lerp(root, share), most=1.0)
        joints = limb.joints(pose)
        forward.append(-(joints[1] - (joints[0] + joints[2]) * 0.5).y)
    assert forward[0] < 0.0
    assert forward[-1] > 0.2
    # It swings out on its way: no step throws it from one side to the other.
    assert np.abs(np.diff(forward)).max() < 0.12


def test_a_goal_that_passes_through_the_poles_direction_throws_the_knee_nowhere():
    knees, errors = [], []
    pole = Vector((0.0, -1.0, 0.0))
    for x in np.linspace(-0.35, 0.35, 121):
        pose, limb = bent(PERSON, 50.0)
        root = limb.joints(pose)[0]
        goal = root + Vector((x, -0.5, 0.02))
        errors.append(bring_tip(pose, limb, goal, pole=pole).error)
        knees.append(tuple(limb.joints(pose)[1]))
    assert max(errors) < 1e-3
    steps = np.linalg.norm(np.diff(knees, axis=0), axis=-1)
    assert steps.max() <= 3.0 * np.median(steps)


@pytest.mark.parametrize("degrees", [10.0, 50.0])
def test_a_goal_once_around_the_hip_never_turns_the_bend_and_never_throws_the_knee(degrees):
    signs, knees = [], []
    for angle in range(361):
        pose, limb = bent(PERSON, degrees)
        root = limb.joints(pose)[0]
        way = Quaternion((1.0, 0.0, 0.0), math.radians(angle)) @ Vector((0.0, 0.0, -0.8 * total(PERSON)))
        assert bring_tip(pose, limb, root + way).error < 1e-4
        joints = array(pose, limb)
        knees.append(joints[1])
        signs.append(np.cross(joints[1] - joints[0], joints[2] - joints[1])[0] > 0.0)
    assert len(set(signs)) == 1
    steps = np.linalg.norm(np.diff(knees, axis=0), axis=-1)
    assert steps.max() < 3.0 * np.median(steps)


@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_from_nine_tenths_to_eleven_and_back_no_joint_pops(places):
    shares = np.concatenate([np.linspace(0.9, 1.1, 41), np.linspace(1.1, 0.9, 41)[1:]])
    angles = []
    for share in shares:
        pose, limb = bent(places, 60.0)
        root = limb.joints(pose)[0]
        way = (limb.tip_of(pose) - root).normalized()
        bring_tip(pose, limb, root + way * (share * total(places)), softness=0.1)
        joints = array(pose, limb)
        upper, lower = joints[1] - joints[0], joints[2] - joints[1]
        angles.append(math.atan2(np.linalg.norm(np.cross(upper, lower)), upper @ lower))
    steps = np.abs(np.diff(angles))
    assert steps.max() <= 4.0 * steps.mean()


@pytest.mark.parametrize("places", [PERSON, DOG_HIND], ids=["person", "dog"])
def test_a_body_that_straightens_and_bends_with_noise_is_followed_without_a_jump(places):
    """A pose that goes through straight, as a clip's does, with the tip always a centimetre higher than its own."""
    knees = []
    for k in range(81):
        pose, limb = bent(STRAIGHT if places is PERSON else DOG_HIND, 20.0 * abs(1.0 - k / 40.0))
        bring_tip(pose, limb, limb.tip_of(pose) + Vector((0.0, 0.0, 0.01)), most=1.0)
        knees.append(tuple(limb.joints(pose)[1]))
    steps = np.linalg.norm(np.diff(knees, axis=0), axis=-1)
    assert steps.max() < 0.02
