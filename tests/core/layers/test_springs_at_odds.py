"""Springs on what is folded, without length, without anything that hangs: there is always an answer."""

from dataclasses import replace
from math import isfinite, pi

import numpy as np
import pytest
from mathutils import Euler, Vector
from support.rigs import dog_skeleton, person_skeleton, with_bones
from support.springs import (
    BARE,
    TAIL,
    dog,
    moment_at,
    ride,
    rig_of,
    same,
    stay,
    stop,
    sway,
    turned,
    with_chain,
)
from surefoot.core.control.intent import LayerInput
from surefoot.core.layers.springs import Springs
from surefoot.core.layers.springs_config import SpringsConfig
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.world.solids import Hills


@pytest.mark.parametrize("bend", [(0.0, 0.0, 0.0), (pi, 0.0, 0.0), (pi - 1e-4, 0.0, 1e-4), (0.0, 0.0, pi)], ids=str)
def test_straight_or_folded_there_is_a_number_for_everything(bend):
    def fold(pose, _time):
        for bone in TAIL:
            turned(pose, bone, Euler(bend).to_quaternion())

    after = ride(dog(), SpringsConfig(gravity=1.0, wind=3.0), 24.0, 2.0, sway, world=Hills(), posed=fold)
    assert all(isfinite(value) for pose in after.poses for turn in pose.rotations for value in turn)


@pytest.mark.parametrize("lengths", [(0.0,), (0.0, 0.0, 0.0), (0.1, 0.0, 0.1), (1e-7, 1e-7)])
def test_bones_without_a_length_do_no_harm(lengths):
    skeleton = with_chain(person_skeleton(), "tail", "pelvis", Vector((0, 0.1, 0.95)), Vector((0, 1, 0)), lengths)
    after = ride(rig_of(skeleton), SpringsConfig(gravity=1.0), 24.0, 2.0, sway, world=Hills())
    assert after.springs.driven()[0]
    assert all(isfinite(value) for pose in after.poses for turn in pose.rotations for value in turn)


def test_a_tail_that_stands_straight_up_against_gravity_has_a_place_to_be():
    skeleton = with_chain(person_skeleton(), "tail", "pelvis", Vector((0, 0.1, 0.95)), Vector((0, 0, 1)), (0.1, 0.1))
    for gravity in (0.3, 1.0, 4.0):
        after = ride(rig_of(skeleton), replace(BARE, gravity=gravity, frequency=0.8), 24.0, 1.0, stay)
        assert all(isfinite(value) for turn in after.poses[-1].rotations for value in turn)


def test_a_frame_of_any_length_is_survived():
    springs = Springs(dog(), SpringsConfig(gravity=0.5))
    memory = springs.start()
    for n, dt in enumerate((0.0, 1e-9, 1e3, 1.0 / 24.0, 0.0, 1e-6)):
        pose = EditedPose.rest(dog().skeleton)
        springs.apply(pose, memory, moment_at(sway(0.1 * n), dt, Hills()), LayerInput())
        assert all(isfinite(value) for turn in pose.rotations for value in turn)


def test_a_rig_on_which_nothing_hangs_says_so_and_stays_as_it_is():
    after = ride(rig_of(person_skeleton()), SpringsConfig(), 24.0, 0.2, sway)
    (problem,) = after.springs.problems
    assert "hangs" in problem.reason
    assert problem.remedy
    assert same(after.poses[-1], EditedPose.rest(person_skeleton()))


def test_chains_have_one_order_whatever_the_words_are():
    one, two = (Springs(dog(), SpringsConfig(bones=text)) for text in ("tails ears", "ears, tail"))
    assert one._bones == two._bones


def test_what_hangs_on_what_hangs_is_carried_by_it_once():
    skeleton = with_chain(dog_skeleton(), "ribbon", "tail.002", Vector((0, 0.5, 0.6)), Vector((0, 0, -1)), (0.05, 0.05))
    rig = rig_of(skeleton)
    after = ride(rig, SpringsConfig(gravity=0.5, ground=False), 24.0, 2.0, sway)
    assert len(after.springs.driven()[0]) == len(set(after.springs.driven()[0]))
    i = rig.skeleton.index["ribbon.000"]
    parent = rig.skeleton.index["tail.002"]
    for pose in after.poses:
        held = (pose.moved(parent) @ rig.skeleton.bones[i].head) - pose.head(i)
        assert held.length < 1e-5


def test_a_bone_that_does_not_turn_with_its_parent_swings_all_the_same():
    bones = [replace(bone, inherit_rotation=bone.name != "tail.003") for bone in dog_skeleton().bones]
    parents = [bones[bone.parent].name if bone.parent >= 0 else "" for bone in bones]
    rig = rig_of(with_bones([bone.name for bone in bones], bones, parents))
    plain = ride(dog(), replace(BARE, gravity=0.4), 24.0, 2.0, stop())
    other = ride(rig, replace(BARE, gravity=0.4), 24.0, 2.0, stop())
    for bone in TAIL:
        assert np.abs(plain.lean(bone) - other.lean(bone)).max() < 1e-4
