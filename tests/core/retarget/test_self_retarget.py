"""A clip moved to its own rig, or to the same body with other axes, sizes and poses at rest, is the clip again."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.reshaped import scaled
from support.retargeting import (
    arms_at,
    direction_errors,
    joints,
    rig_of_skeleton,
    rolled,
    still_clip,
    wild_clip,
    with_twist_bones,
    without_axes,
)
from support.rigs import person_skeleton
from surefoot.core.retarget.clean_feet import contacts_of, floor_of
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.retarget import retarget_clip

FREE, FOLLOW = RetargetConfig(feet="FREE"), RetargetConfig(feet="FOLLOW")
PERSON = rig_of_skeleton(person_skeleton())


@pytest.mark.parametrize("options", [FREE, FOLLOW, RetargetConfig(rests="MATCH", feet="FREE")])
def test_on_its_own_rig_a_clip_is_itself(options):
    clip = wild_clip(PERSON)
    done = retarget_clip(clip, PERSON, options)
    assert np.abs(done.clip.moved - clip.moved).max() <= 1e-5
    assert done.report.stayed == ()
    assert done.report.ratio == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("factor", [0.01, 0.6, 100.0])
@pytest.mark.parametrize("options", [FREE, FOLLOW])
def test_on_a_body_of_another_size_all_is_scaled(factor, options):
    clip = wild_clip(PERSON)
    done = retarget_clip(clip, rig_of_skeleton(scaled(person_skeleton(), factor)), options)
    assert done.report.ratio == pytest.approx(factor, rel=1e-6)
    # About the floor that the source was found on, which other units scale, too.
    floor, ground = floor_of(clip, contacts_of(clip)), done.report.floor
    assert ground == pytest.approx(floor if factor == 0.6 else floor * factor)
    expected = factor * (joints(clip) - [0.0, 0.0, floor]) + [0.0, 0.0, ground]
    assert np.abs(joints(done.clip) - expected)[:, 1:].max() <= 1e-4 * factor
    # The root stands where its own rest has it, on no floor.
    assert np.abs(joints(done.clip)[:, 0] - factor * joints(clip)[:, 0]).max() <= 1e-6 * factor
    assert np.abs(done.clip.moved[..., :3, :3] - clip.moved[..., :3, :3]).max() <= 1e-4


@pytest.mark.parametrize("change", [rolled, without_axes])
def test_rolled_bones_and_bones_without_directions_change_no_joint(change):
    clip = wild_clip(PERSON)
    done = retarget_clip(clip, rig_of_skeleton(change(person_skeleton())), FREE)
    assert np.abs(joints(done.clip) - joints(clip)).max() <= 1e-4
    assert np.abs(done.clip.moved[..., :3, :3] - clip.moved[..., :3, :3]).max() <= 1e-4


def test_a_body_that_rests_with_other_arms_is_in_the_same_pose():
    clip = wild_clip(PERSON)
    lowered = rig_of_skeleton(arms_at(person_skeleton(), -0.5))
    done = retarget_clip(clip, lowered, FREE)
    assert np.abs(joints(done.clip) - joints(clip)).max() <= 1e-4


def test_there_and_back_over_another_rest_is_the_clip_with_all_its_twists():
    clip = wild_clip(PERSON)
    other = rig_of_skeleton(rolled(arms_at(person_skeleton(), 0.6)))
    back = retarget_clip(retarget_clip(clip, other, FREE).clip, PERSON, FREE)
    assert np.abs(back.clip.moved - clip.moved).max() <= 1e-4


@pytest.mark.parametrize("rests", ["DIRECTIONS", "MATCH"])
@pytest.mark.parametrize("change", [lambda s: s, rolled, lambda s: scaled(s, 1.7), without_axes])
def test_a_source_at_rest_puts_a_target_of_the_same_rest_at_rest(change, rests):
    target = rig_of_skeleton(change(person_skeleton()))
    done = retarget_clip(still_clip(PERSON), target, RetargetConfig(rests=rests))
    assert np.abs(done.channels.rotations - [1.0, 0.0, 0.0, 0.0]).max() <= 1e-6
    assert np.abs(done.channels.locations).max() <= 1e-6
    assert np.abs(done.clip.moved - np.eye(4)).max() <= 2e-6


def test_rest_becomes_rest_whatever_both_look_like_where_that_is_asked_for():
    target = rig_of_skeleton(rolled(scaled(arms_at(person_skeleton(), 0.7), 1.2)))
    done = retarget_clip(still_clip(PERSON), target, RetargetConfig(rests="MATCH"))
    assert np.abs(done.channels.rotations - [1.0, 0.0, 0.0, 0.0]).max() <= 1e-6
    assert np.abs(done.channels.locations).max() <= 1e-6


@pytest.mark.parametrize("angle", [-0.5, 0.9])
def test_a_source_at_rest_puts_a_target_of_another_rest_into_the_sources(angle):
    target = rig_of_skeleton(arms_at(person_skeleton(), angle))
    done = retarget_clip(still_clip(PERSON), target)
    assert direction_errors(still_clip(PERSON), done.clip).max() <= 1e-4
    apart = direction_errors(still_clip(PERSON), still_clip(target)).max()
    assert apart == pytest.approx(math.degrees(abs(angle)), abs=0.1)


def test_bones_between_joints_keep_their_rest_and_change_nothing():
    clip = wild_clip(PERSON)
    names = [bone.name for bone in person_skeleton().bones]
    target = rig_of_skeleton(with_twist_bones(person_skeleton(), "thigh.L", "thigh.R", "upper_arm.L", "forearm.L"))
    done = retarget_clip(clip, target, FREE)
    assert np.abs(joints(done.clip, names) - joints(clip)).max() <= 1e-4
    stayed = {item.bone for item in done.report.stayed}
    assert stayed == {"thigh_twist.L", "thigh_twist.R", "upper_arm_twist.L", "forearm_twist.L"}
    index = target.skeleton.index
    assert np.abs(done.channels.rotations[:, [index[name] for name in stayed], 1:]).max() == 0.0
