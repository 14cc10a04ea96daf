"""Aim: an axis of a chain's last bone points at its target, however the chain shares the turn."""

from dataclasses import replace
from math import acos, degrees, isfinite, pi, radians, sin

import pytest
from mathutils import Vector
from support.looking import moment, rig_of
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, LayerInput, Place, Spot
from surefoot.core.layers.aim import Aim, AimConfig
from surefoot.core.layers.layer import LayerSettings
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.solids import Flat

ARM = AimConfig()
SPINE = AimConfig(first="spine", axis="FACING", balance=0.0)
AHEAD = [(0.0, -3.0, 1.2), (-1.0, -2.0, 1.5), (0.8, -1.6, 0.9), (-2.0, -0.5, 1.9)]


def off(aim, pose, spot):
    """How far the axis is from its target, degrees."""
    last = pose.model(aim.bones[-1])
    return degrees((last.to_quaternion() @ aim.axis).angle(Vector(spot[:3]) - last.to_translation(), 0.0))


def aimed(aim, rig, path, seconds=0.0, fps=60.0):
    """The poses of a standing body, from a first frame with nothing to aim at on; at once for no time."""
    memory, poses = aim.start(), []
    for n in range(round(seconds * fps) + 1):
        pose = EditedPose.rest(rig.skeleton)
        spot = path(n / fps) if n or not seconds else None
        aim.apply(pose, memory, moment(1.0 / fps if n else 0.0), LayerInput(spot=spot))
        poses.append(pose)
    return poses, memory


@pytest.mark.parametrize("target", AHEAD)
@pytest.mark.parametrize("balance", [-1.0, -0.5, 0.0, 1.0])
def test_an_arm_points_at_its_target_wherever_in_it_the_turn_is_made(target, balance):
    rig = rig_of("person")
    aim = Aim(rig, replace(ARM, balance=balance))
    (pose,), _ = aimed(aim, rig, lambda _time: Spot(*target))
    assert off(aim, pose, target) < 0.1


@pytest.mark.parametrize("target", AHEAD)
def test_after_a_second_it_points_there_within_half_a_degree(target):
    rig = rig_of("person")
    aim = Aim(rig, SPINE)
    poses, _ = aimed(aim, rig, lambda _time: Spot(*target), 1.0)
    assert off(aim, poses[-1], target) < 0.5


def test_with_all_of_the_turn_at_the_first_bone_the_elbow_keeps_its_bend():
    rig = rig_of("person")
    aim = Aim(rig, ARM)
    (pose,), _ = aimed(aim, rig, lambda _time: Spot(-0.5, -2.0, 1.4))
    rest = EditedPose.rest(rig.skeleton)
    for bone in aim.bones[1:]:
        assert pose.rotations[bone].rotation_difference(rest.rotations[bone]).angle < 1e-3


def test_evenly_shared_each_bone_turns_as_much():
    rig = rig_of("person")
    aim = Aim(rig, SPINE)
    (pose,), _ = aimed(aim, rig, lambda _time: Spot(1.5, -1.5, 1.35))
    turned = [0.0, *(pose.moved(i).to_quaternion().angle for i in aim.bones)]
    own = [b - a for a, b in zip(turned, turned[1:], strict=False)]
    assert own == pytest.approx([own[0]] * 3, rel=0.02)


@pytest.mark.parametrize("axis", ["X", "Y", "Z", "-X", "-Y", "-Z"])
def test_any_axis_can_point(axis):
    rig = rig_of("person")
    aim = Aim(rig, replace(ARM, axis=axis, limit=radians(180.0), give_up=radians(180.0)))
    spot = Spot(-0.6, -2.0, 1.4)
    (pose,), _ = aimed(aim, rig, lambda _time: spot)
    bone = pose.turn(aim.bones[-1]).to_matrix().col["XYZ".index(axis[-1])]
    line = (Vector(spot[:3]) - pose.head(aim.bones[-1])).normalized()
    assert bone.dot(line) * (-1.0 if axis.startswith("-") else 1.0) == pytest.approx(1.0, abs=1e-4)


def test_a_bone_that_an_arm_carries_is_aimed_as_its_weapon():
    rig = rig_of("person")
    aim = Aim(rig, replace(ARM, first="shoulder.R", last="hand.R"))
    assert [rig.skeleton.bones[i].name for i in aim.bones] == ["shoulder.R", "upper_arm.R", "forearm.R", "hand.R"]


def test_with_a_mask_over_part_of_the_chain_it_still_meets_its_target():
    rig = rig_of("person")
    aim = Aim(rig, SPINE).within(frozenset({rig.spine[-1]}))
    spot = Spot(1.0, -2.0, 1.5)
    (pose,), _ = aimed(aim, rig, lambda _time: spot)
    assert aim.driven()[0] == (rig.spine[-1],)
    assert off(aim, pose, spot) < 0.1


def test_a_dog_s_tail_aims_behind():
    rig = rig_of("dog")
    aim = Aim(rig, replace(ARM, first="tail", balance=0.0))
    spot = Spot(0.6, 2.0, 0.9)
    (pose,), _ = aimed(aim, rig, lambda _time: spot)
    assert off(aim, pose, spot) < 0.1


def test_beyond_its_limit_it_goes_as_far_as_that():
    rig = rig_of("person")
    aim = Aim(rig, replace(SPINE, limit=radians(30.0)))
    (pose,), _ = aimed(aim, rig, lambda _time: Spot(20.0, 0.0, 1.35))
    assert degrees(pose.moved(aim.bones[-1]).to_quaternion().angle) == pytest.approx(30.0, abs=0.1)


def test_what_is_too_far_round_is_let_go_and_said():
    rig = rig_of("person")
    (pose,), memory = aimed(Aim(rig, SPINE), rig, lambda _time: Spot(0.5, 5.0, 1.3))
    assert "too far round" in memory.reason
    assert pose.rotations == EditedPose.rest(rig.skeleton).rotations


@pytest.mark.parametrize("target", [(0, 0, 0), (0.01, 0, 0), (0, 0.1, 0), (-0.2, 0, 0.1)])
def test_at_the_joint_and_within_the_chain_all_is_defined(target):
    rig = rig_of("person")
    for config in (ARM, replace(ARM, balance=0.0), SPINE):
        aim = Aim(rig, config)
        for bone in aim.bones:
            spot = Spot(*(rig.skeleton.bones[bone].head + Vector(target)))
            poses, _ = aimed(aim, rig, lambda _time, spot=spot: spot, 0.2)
            assert all(isfinite(number) for pose in poses for turn in pose.rotations for number in turn)


def test_the_way_of_an_aim_is_the_same_at_24_and_120_frames_a_second():
    rig = rig_of("person")
    aim = Aim(rig, SPINE)

    def path(time):
        return Spot(2.0 * sin(1.5 * time), -2.0, 1.3 + 0.4 * sin(2.5 * time))

    coarse, fine = (aimed(aim, rig, path, 4.0, fps)[0] for fps in (24.0, 120.0))
    last = aim.bones[-1]
    apart = [a.turn(last).rotation_difference(b.turn(last)).angle for a, b in zip(coarse, fine[::5], strict=True)]
    assert degrees(max(apart[24:])) < 1.0


def test_letting_go_ends_in_the_pose_to_the_bit():
    rig = rig_of("person")
    poses, _ = aimed(Aim(rig, ARM), rig, lambda time: Spot(-0.5, -2.0, 1.4) if time < 1.0 else None, 4.0)
    assert poses[-1].rotations == EditedPose.rest(rig.skeleton).rotations
    assert poses[60].rotations != poses[-1].rotations


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("flipper", "", "'flipper'"),
        ("arm.R", "flipper", "'flipper'"),
        ("hand.L", "head", "does not hang on hand.L"),
    ],
)
def test_a_chain_that_is_none_is_a_problem_with_a_remedy(first, last, said):
    rig = rig_of("person")
    aim = Aim(rig, replace(ARM, first=first, last=last))
    assert said in str(aim.problems[0])
    assert aim.problems[0].remedy
    (pose,), _ = aimed(aim, rig, lambda _time: Spot(0.0, -2.0, 1.0))
    assert pose.rotations == EditedPose.rest(rig.skeleton).rotations


def test_bones_that_carry_legs_are_left_out_and_said():
    rig = rig_of("person")
    aim = Aim(rig, replace(SPINE, first="pelvis", last="head"))
    assert rig.pelvis not in aim.bones
    assert "pelvis" in str(aim.problems[0])


def walked_past(spot, frames, speed=1.4):
    """Whether a walking person's arm has given its target up, at each of some frames; 24 a second."""
    character, world = Character(rig_of("person"), CharacterConfig(layers=(LayerSettings("AIM", ARM),))), Flat()
    inputs, ticks = Inputs(speed=speed, layers=(LayerInput(spot=spot),)), ticks_per_frame(24.0)
    memory, dropped = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world), []
    for n in range(frames):
        for _ in range(ticks if n else 0):
            character.tick(memory, inputs, world, 1.0 / 24.0 / ticks)
        character.frame(memory, inputs, world, 1.0 / 24.0 if n else 0.0)
        dropped.append("too far round" in memory.layers[0].reason)
    return dropped


@pytest.mark.parametrize("spot", [Spot(-0.5, -2.0, 1.5), Spot(0.4, -2.0, 1.2), Spot(-1.0, -2.5, 2.2)])
def test_what_a_walking_person_passes_is_given_up_once_and_not_with_each_step(spot):
    dropped = walked_past(spot, 120)
    assert not dropped[0]
    assert dropped[-1]
    assert sum(a != b for a, b in zip(dropped, dropped[1:], strict=False)) == 1


def test_opposite_to_the_pose_an_aim_does_not_swap_sides():
    rig = rig_of("person")
    aim = Aim(rig, replace(ARM, give_up=radians(180.0)))
    last = aim.bones[-1]
    hand = rig.skeleton.bones[last]
    along = hand.rest.to_quaternion() @ aim.axis
    turns = []
    for aside in (-0.02, 0.02):
        spot = Spot(*(hand.head - 3.0 * along + Vector((0.0, aside, 0.0))))
        (pose,), _ = aimed(aim, rig, lambda _time, spot=spot: spot)
        turns.append(pose.turn(last))
    assert degrees(turns[0].rotation_difference(turns[1]).angle) < 5.0


@pytest.mark.parametrize(
    ("name", "first"), [("person", "upper_arm.R"), ("dog", "neck.001"), ("spider", "head"), ("snake", "spine.013")]
)
def test_with_nothing_named_what_suits_the_body_aims(name, first):
    rig = rig_of(name)
    aim = Aim(rig, AimConfig())
    assert rig.skeleton.bones[aim.bones[0]].name == first
    assert aim.problems == ()


def test_with_only_its_last_bone_named_the_arm_aims_that_carries_it():
    rig = rig_of("person")
    aim = Aim(rig, AimConfig(last="hand.L"))
    assert rig.skeleton.bones[aim.bones[0]].name == "upper_arm.L"


@pytest.mark.parametrize("balance", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("way", [(0.2, -1.0, 0.3), (-0.6, -0.7, -0.4), (0.1, -0.5, 0.9), (-0.9, -0.3, 0.1)])
@pytest.mark.parametrize("near", [0.4, 0.7, 0.95, 1.05])
def test_what_is_within_its_own_reach_is_aimed_at_by_the_last_bone(near, way, balance):
    """An arm that turns as one about its shoulder has its hand beyond what is nearer than that."""
    rig = rig_of("person")
    aim = Aim(rig, replace(ARM, balance=balance, limit=pi, give_up=pi))
    rest = EditedPose.rest(rig.skeleton)
    first, last = rest.head(aim.bones[0]), rest.model(aim.bones[-1]).to_translation()
    target = first + Vector(way).normalized() * (near * (last - first).length)
    (pose,), memory = aimed(aim, rig, lambda _time: Spot(*target))
    assert off(aim, pose, target) < 0.5
    assert memory.reason == ""


def test_a_target_that_comes_in_to_the_shoulder_and_goes_out_again_does_not_turn_an_arm_over():
    rig = rig_of("person")
    aim = Aim(rig, replace(ARM, limit=pi, give_up=pi))
    poses, _ = aimed(aim, rig, lambda time: Spot(-0.25, -0.15 - 1.2 * abs(1.0 - time), 1.35), 2.0)
    dots = [abs(a.turn(i).dot(b.turn(i))) for a, b in zip(poses[60:], poses[61:], strict=False) for i in aim.bones]
    assert degrees(2.0 * acos(min(1.0, min(dots)))) < 20.0
