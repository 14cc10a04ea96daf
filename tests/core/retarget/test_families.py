"""Rigs of every family of names lead a Mixamo rig and follow one: limbs, fingers, and nothing by chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.families import families
from support.retargeting import direction_errors, rig_of_skeleton, wild_clip
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.retarget import retarget_clip
from surefoot.core.rig.fingers import is_finger
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Skeleton

FREE = RetargetConfig(feet="FREE")
RIGS = {title: rig_of_skeleton(family.skeleton) for title, family in families().items()}
MIXAMO = RIGS["Mixamo / Ready Player Me"]


def fingers(rig: Rig) -> set[str]:
    return {role for role in rig.roles if is_finger(role.partition(".")[0])}


@pytest.mark.parametrize("title", RIGS)
@pytest.mark.parametrize("way", ["leads", "follows"])
def test_limbs_point_where_the_sources_do_whatever_lies_between_their_joints(title, way):
    source, target = (RIGS[title], MIXAMO) if way == "leads" else (MIXAMO, RIGS[title])
    clip = wild_clip(source, frames=20, amount=0.3)
    done = retarget_clip(clip, target, FREE)
    errors = direction_errors(clip, done.clip)
    assert errors.shape[1] == 8
    assert errors.max() <= 1e-3


@pytest.mark.parametrize("title", RIGS)
@pytest.mark.parametrize("way", ["leads", "follows"])
def test_each_finger_that_both_have_follows_by_its_name(title, way):
    source, target = (RIGS[title], MIXAMO) if way == "leads" else (MIXAMO, RIGS[title])
    done = retarget_clip(wild_clip(source, frames=2), target, FREE)
    matched = {line.role: line.source[0] for line in done.report.matched if is_finger(line.role.partition(".")[0])}
    assert matched == {role: source.roles[role][0] for role in fingers(source) & fingers(target)}


@pytest.mark.parametrize("title", RIGS)
def test_twist_bones_and_helpers_stay_with_the_bone_that_carries_them(title):
    target = RIGS[title]
    done = retarget_clip(wild_clip(MIXAMO, frames=5), target, FREE)
    known = {bone for bones in target.roles.values() for bone in bones}
    names = {bone.name for bone in MIXAMO.skeleton.bones}
    for i, bone in enumerate(target.skeleton.bones):
        if bone.name not in known | names and bone.parent >= 0:
            turn = done.clip.moved[:, i, :3, :3] - done.clip.moved[:, bone.parent, :3, :3]
            assert np.abs(turn).max() <= 1e-6, bone.name


@pytest.mark.parametrize("title", ["Mixamo / Ready Player Me", "MMD", "Xsens MVN"])
def test_a_source_with_its_right_limbs_first_gives_the_same_motion(title):
    rig = RIGS[title]
    order: list[int] = []
    waiting = [i for i, bone in enumerate(rig.skeleton.bones) if bone.parent < 0]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(rig.skeleton.children[order[-1]])
    place = {old: new for new, old in enumerate(order)}
    bones = (rig.skeleton.bones[i] for i in order)
    other = rig_of_skeleton(Skeleton(tuple(replace(bone, parent=place.get(bone.parent, -1)) for bone in bones)))
    clip = wild_clip(rig, frames=20, amount=0.3)
    turned = replace(clip, rig=other, moved=np.ascontiguousarray(clip.moved[:, order]))
    first, second = (retarget_clip(each, MIXAMO, FREE).clip.moved for each in (clip, turned))
    assert np.abs(first - second).max() <= 1e-9
