"""Limbs solved as whole arrays: the same as one at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mathutils import Quaternion, Vector
from support.limbs import PERSON, STRAIGHT
from support.posed_limbs import array, bent, posed, rig_of
from surefoot.core.ik.hinge import LimbLimits, LimbPose, RestHinge, solve_limb_with
from surefoot.core.ik.limbs_array import CLAMPED, DEGENERATE, EXACT, LimbArrays, bring_tips, solve_limbs
from surefoot.core.ik.posed import bring_tip
from surefoot.core.ik.swing import Reach
from surefoot.core.space.quaternions import turned

VERDICTS = {EXACT: Reach.EXACT, CLAMPED: Reach.CLAMPED, DEGENERATE: Reach.DEGENERATE}


def some_limbs(count=200, seed=4):
    """Limbs bent and turned at random, with hinges that are not all square to them, and goals near and far."""
    chance = np.random.default_rng(seed)
    upper, lower = chance.normal(size=(count, 3)), chance.normal(size=(count, 3))
    upper *= (chance.uniform(0.3, 0.5, count) / np.linalg.norm(upper, axis=-1))[:, None]
    lower *= (chance.uniform(0.3, 0.5, count) / np.linalg.norm(lower, axis=-1))[:, None]
    root = chance.normal(size=(count, 3))
    axis = np.cross(upper, lower) + 0.05 * chance.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    goal = chance.normal(size=(count, 3))
    goal *= (chance.uniform(0.1, 1.2, count) / np.linalg.norm(goal, axis=-1))[:, None]
    rows = (root, root + upper, root + upper + lower, axis, root + goal)
    return tuple(np.float32(row).astype(np.float64) for row in rows)


@pytest.mark.parametrize("softness", [0.0, 0.05])
@pytest.mark.parametrize(("least", "greatest"), [(0.0, math.radians(170.0)), (0.1, 1.9)])
def test_hinges_are_solved_as_they_are_one_at_a_time(least, greatest, softness):
    root, mid, tip, axis, goal = some_limbs()
    solved = solve_limbs(LimbArrays(root, mid, tip, axis), goal, least, greatest, softness)
    new_mid = root + turned(solved.upper, mid - root)
    new_tip = new_mid + turned(solved.lower, tip - mid)
    for k in range(len(root)):
        pose = LimbPose(Vector(root[k]), Vector(mid[k]), Vector(tip[k]), Quaternion())
        limits = LimbLimits(least, greatest, softness)
        plain = solve_limb_with(pose, RestHinge(Vector(axis[k])), Vector(goal[k]), limits)
        assert VERDICTS[int(solved.reach[k])] is plain.reach
        assert np.abs(new_tip[k] - np.array(plain.tip_after(pose))).max() <= 1e-6
        # A knee stands off its line by the root of the bend: single precision tells it as well where it is bent.
        expected = np.array(pose.root + plain.root_swing @ (pose.mid - pose.root))
        straight = np.linalg.norm(new_tip[k] - root[k]) > 0.999 * (
            np.linalg.norm(mid[k] - root[k]) + np.linalg.norm(tip[k] - mid[k])
        )
        assert np.abs(new_mid[k] - expected).max() <= (1e-4 if straight else 1e-6)


def test_an_exact_solve_is_at_its_goal_in_double_precision():
    root, mid, tip, axis, goal = some_limbs()
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    solved = solve_limbs(LimbArrays(root, mid, tip, axis), goal)
    reached = root + turned(solved.upper, mid - root) + turned(solved.lower, tip - mid)
    exact = solved.reach == EXACT
    assert exact.sum() > 50
    assert np.abs(reached - goal)[exact].max() <= 1e-12


def test_goals_in_the_joint_and_limbs_without_length_are_no_exception():
    zero = np.zeros((1, 3))
    axis = np.array([[1.0, 0.0, 0.0]])
    straight = LimbArrays(zero, zero + [0.0, 0.0, -0.4], zero + [0.0, 0.0, -0.8], axis)
    nothing = LimbArrays(zero, zero, zero, axis)
    for limbs, goal in ((straight, zero), (nothing, zero), (nothing, zero + 1.0), (straight, zero + [0.0, 0.0, 0.8])):
        for solved in (solve_limbs(limbs, goal), bring_tips(limbs, goal, 1.0)):
            assert all(np.isfinite(part).all() for part in solved)
    assert solve_limbs(straight, zero).reach[0] == DEGENERATE


POSES = [*(posed(rig_of(PERSON), seed, amount) for seed in range(5) for amount in (0.1, 0.6))]
POSES += [bent(places, degrees) for places in (PERSON, STRAIGHT) for degrees in (-30.0, -5.0, 2.0, 9.0, 40.0)]


@pytest.mark.parametrize("k", range(len(POSES)))
@pytest.mark.parametrize("share", [0.4, 0.8, 0.97])
def test_posed_limbs_are_brought_as_they_are_one_at_a_time(k, share):
    pose, limb = POSES[k]
    pose = pose.copy() if hasattr(pose, "copy") else pose
    joints = array(pose, limb)
    total = np.linalg.norm(np.diff(joints, axis=0), axis=-1).sum()
    own = np.linalg.norm(joints[2] - joints[0])
    axis = np.array(pose.turn(limb.bones[0]) @ limb.axes[0])
    goal = np.float32(joints[0] + total * share * np.array([0.28, -0.48, -0.83])).astype(np.float64)
    longest = max(0.995 * total, own)
    limbs = LimbArrays(*(joints[i][None] for i in range(3)), axis[None])
    solved = bring_tips(limbs, goal[None], longest, limb.side)
    mid = joints[0] + turned(solved.upper, joints[None, 1] - joints[0])[0]
    tip = mid + turned(solved.lower, joints[None, 2] - joints[1])[0]
    bring_tip(pose, limb, Vector(goal))
    after = array(pose, limb)
    assert np.abs(tip - after[2]).max() <= 3e-6
    assert np.abs(mid - after[1]).max() <= 2e-5
    assert np.linalg.norm(tip - goal) <= 1e-9 + max(0.0, share * total - longest)


def test_a_limb_in_its_place_is_not_turned():
    joints = array(*POSES[3])
    limbs = LimbArrays(*(joints[i][None] for i in range(3)), np.array([[1.0, 0.0, 0.0]]))
    own = np.linalg.norm(joints[2] - joints[0])
    solved = bring_tips(limbs, joints[2][None], own)
    for turn in (solved.upper, solved.lower):
        assert np.abs(turn - [1.0, 0.0, 0.0, 0.0]).max() <= 1e-7
