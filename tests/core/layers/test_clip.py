"""A clip over the base motion: replaced and added through masks, by the clock, by progress and in step."""

from __future__ import annotations

from dataclasses import replace
from math import radians, sin

import numpy as np
import pytest
from mathutils import Quaternion, Vector
from support.layered import BODIES, Body, nodding
from support.performers import SPEEDS, clip_of, rig_of
from support.walk import walk
from surefoot.core.character import Character, CharacterConfig, world_matrix
from surefoot.core.control.intent import Inputs, LayerInput, Place
from surefoot.core.layers.clip import ClipLayerConfig
from surefoot.core.layers.layer import LayerSettings
from surefoot.core.layers.legs import LegsConfig
from surefoot.core.layers.masks import add_pose, blend_poses_masked, bone_mask
from surefoot.core.layers.stack import Stack
from surefoot.core.motion.clip import Clip
from surefoot.core.motion.clip_pose import ClipPoses, clip_poses
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.world.solids import Flat, Ramp

X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))
FPS = 24.0


def turn(axis: Vector, angle: float) -> Quaternion:
    return Quaternion(axis, radians(angle))


@pytest.fixture
def person() -> Body:
    return BODIES["person"]()


def posed(body: Body, **turns: Quaternion) -> EditedPose:
    """The rest pose with these bones turned; `__` stands for the dot of a side."""
    pose = EditedPose.rest(body.rig.skeleton)
    for name, rotation in turns.items():
        pose.set_basis(body.rig.skeleton.index[name.replace("__", ".")], rotation)
    return pose


def angle_to(pose: EditedPose, body: Body, bone: str, expected: Quaternion) -> float:
    return pose.rotations[body.rig.skeleton.index[bone]].rotation_difference(expected).angle


# Blends and sums against poses worked out by hand.


def test_half_of_a_blend_is_half_the_turn_between_the_two(person: Body):
    """From 20 degrees about X to 80 degrees about X: half way is 50."""
    base, over = posed(person, head=turn(X, 20.0)), posed(person, head=turn(X, 80.0))
    blend_poses_masked(base, over, bone_mask(person.rig, ["head"]), 0.5)
    assert angle_to(base, person, "head", turn(X, 50.0)) < 1e-4


def test_a_blend_goes_the_shorter_way_whatever_the_signs(person: Body):
    """350 degrees is 10 back: half way from 10 is nothing."""
    base, over = posed(person, head=turn(X, 10.0)), posed(person, head=-turn(X, -10.0))
    blend_poses_masked(base, over, bone_mask(person.rig, ["head"]), 0.5)
    assert angle_to(base, person, "head", Quaternion()) < 1e-4


def test_a_blend_leaves_bones_outside_of_its_mask_to_the_bit(person: Body):
    base = posed(person, thigh__L=turn(X, 33.0), head=turn(X, 20.0))
    kept = base.rotations[person.rig.skeleton.index["thigh.L"]]
    blend_poses_masked(base, posed(person, thigh__L=turn(Z, 50.0)), bone_mask(person.rig, ["upper_body"]), 0.7)
    assert base.rotations[person.rig.skeleton.index["thigh.L"]] is kept
    assert angle_to(base, person, "head", turn(X, 0.3 * 20.0)) < 1e-4


def test_a_whole_blend_is_the_other_pose_and_none_is_the_first(person: Body):
    over = posed(person, head=turn(Z, 40.0))
    for weight, expected in ((1.0, turn(Z, 40.0)), (0.0, turn(X, 20.0))):
        base = posed(person, head=turn(X, 20.0))
        blend_poses_masked(base, over, bone_mask(person.rig, ["head"]), weight)
        assert angle_to(base, person, "head", expected) < 1e-6


def test_a_location_is_blended_on_a_straight_line(person: Body):
    base, over = posed(person), posed(person)
    base.set_basis(person.rig.body, Quaternion(), Vector((0.1, 0.0, 0.0)))
    over.set_basis(person.rig.body, Quaternion(), Vector((0.3, 0.0, 0.4)))
    blend_poses_masked(base, over, {person.rig.body}, 0.25)
    assert base.locations[person.rig.body][:] == pytest.approx((0.15, 0.0, 0.1), abs=1e-7)


def test_what_is_added_turns_on_from_what_is_there_in_the_bone_s_own_axes(person: Body):
    """The base turns 90 degrees about Z; a flinch of 30 degrees about X against a reference of 10 adds 20 after it."""
    pose = posed(person, head=turn(Z, 90.0))
    add_pose(pose, posed(person, head=turn(X, 30.0)), posed(person, head=turn(X, 10.0)), 1.0)
    assert angle_to(pose, person, "head", turn(Z, 90.0) @ turn(X, 20.0)) < 1e-4


def test_half_of_what_is_added_is_half_its_turn(person: Body):
    pose = posed(person, head=turn(Z, 90.0))
    add_pose(pose, posed(person, head=turn(X, 30.0)), posed(person, head=turn(X, 10.0)), 0.5)
    assert angle_to(pose, person, "head", turn(Z, 90.0) @ turn(X, 10.0)) < 1e-4


def test_adding_the_reference_changes_nothing_to_the_bit(person: Body):
    pose, same = posed(person, head=turn(Z, 90.0)), posed(person, head=turn(X, 10.0))
    before = list(pose.rotations)
    add_pose(pose, same, posed(person, head=turn(X, 10.0)), 1.0)
    assert all(now is was for now, was in zip(pose.rotations, before, strict=True))


def test_what_is_added_shifts_by_the_difference_of_the_two(person: Body):
    body = person.rig.body
    pose, over, reference = posed(person), posed(person), posed(person)
    pose.set_basis(body, Quaternion(), Vector((1.0, 0.0, 0.0)))
    over.set_basis(body, Quaternion(), Vector((0.0, 0.0, 0.5)))
    reference.set_basis(body, Quaternion(), Vector((0.0, 0.2, 0.1)))
    add_pose(pose, over, reference, 0.5)
    assert pose.locations[body][:] == pytest.approx((1.0, -0.1, 0.2), abs=1e-6)


# The layer.


def nod(body: Body, frames: int = 25, *, closed: bool = False) -> ClipPoses:
    """The head goes down 40 degrees in a second at 24 frames, evenly; `closed`: and as far up and back, in a sine."""
    moved, head = [], body.rig.skeleton.index["head"]
    for n in range(frames):
        pose = EditedPose.rest(body.rig.skeleton)
        share = n / (frames - 1)
        pose.set_basis(head, turn(X, 40.0 * (sin(6.283185307 * share) if closed else share)))
        moved.append([[list(row) for row in pose.moved(i)] for i in range(len(pose.rotations))])
    return clip_poses(Clip(body.rig, FPS, np.array(moved)), floors=(body.rig.floor,))


def run(
    body: Body, config: ClipLayerConfig, seconds: float, wishes: object = None, fps: float = FPS, mask: str = "",
    base: Quaternion | None = None,
) -> list[EditedPose]:  # fmt: skip
    """The poses of a body at rest, its head turned by `base`, with the layer on it. `wishes`: by the time."""
    stack = Stack(body.rig, [LayerSettings("CLIP", config, mask)])
    memories, poses = stack.start(), []
    for n in range(round(seconds * fps) + 1):
        pose = posed(body, **({} if base is None else {"head": base}))
        moment = replace(body.moment(n), dt=0.0 if n == 0 else 1.0 / fps)
        wish = LayerInput() if wishes is None else wishes(n / fps)
        stack.apply(pose, memories, moment, [wish])
        poses.append(pose)
    return poses


def head_angles(body: Body, poses: list[EditedPose]) -> np.ndarray:
    """Degrees that the head is turned about X."""
    head = body.rig.skeleton.index["head"]
    return np.degrees([2.0 * np.arctan2(pose.rotations[head].x, pose.rotations[head].w) for pose in poses])


def test_by_the_clock_it_plays_at_its_own_speed(person: Body):
    angles = head_angles(person, run(person, ClipLayerConfig(poses=nod(person), repeat="HOLD"), 1.5))
    assert angles[:25] == pytest.approx(40.0 * np.arange(25) / 24.0, abs=0.01)
    assert angles[25:] == pytest.approx(np.full(12, 40.0), abs=0.01)


@pytest.mark.parametrize("fps", [12.0, 24.0, 60.0, 120.0])
def test_at_any_frame_rate_it_is_as_far_after_the_same_time(person: Body, fps: float):
    angles = head_angles(person, run(person, ClipLayerConfig(poses=nod(person), repeat="HOLD"), 1.0, fps=fps))
    assert angles == pytest.approx(40.0 * np.arange(len(angles)) / fps, abs=0.01)


def test_its_rate_makes_it_faster(person: Body):
    config = ClipLayerConfig(poses=nod(person), repeat="HOLD", rate=2.0)
    assert head_angles(person, run(person, config, 0.4))[6] == pytest.approx(20.0, abs=0.01)


def test_before_its_delay_is_over_nothing_changes_to_the_bit(person: Body):
    config = ClipLayerConfig(poses=nod(person), repeat="HOLD", delay=0.5, fade=0.0)
    poses = run(person, config, 1.0)
    assert all(pose.rotations == posed(person).rotations for pose in poses[:12])
    assert head_angles(person, poses)[18] == pytest.approx(40.0 * 6 / 24, abs=0.01)


def test_played_once_it_lets_go_in_the_end(person: Body):
    angles = head_angles(person, run(person, ClipLayerConfig(poses=nod(person), fade=0.25), 2.0))
    assert angles[12] == pytest.approx(20.0, abs=0.01)
    assert np.abs(np.diff(angles)).max() < 13.0
    assert angles[25:] == pytest.approx(np.zeros(24), abs=1e-6)


def test_a_clip_that_closes_is_played_over_and_over(person: Body):
    clip = nod(person, 25, closed=True)
    assert clip.closed
    angles = head_angles(person, run(person, ClipLayerConfig(poses=clip), 3.0))
    assert angles[:24] == pytest.approx(angles[24:48], abs=0.01)
    assert angles[6] == pytest.approx(40.0, abs=0.05)


def test_progress_says_where_in_it_the_pose_is(person: Body):
    config = ClipLayerConfig(poses=nod(person), timing="PROGRESS")
    poses = run(person, config, 1.0, lambda time: LayerInput(progress=1.0 - time))
    assert head_angles(person, poses) == pytest.approx(40.0 * (1.0 - np.arange(25) / 24.0), abs=0.01)


def test_half_its_weight_is_half_of_it(person: Body):
    config = ClipLayerConfig(poses=nod(person), timing="PROGRESS")
    poses = run(person, config, 0.2, lambda _: LayerInput(weight=0.5, progress=1.0), base=turn(X, -20.0))
    assert head_angles(person, poses) == pytest.approx(np.full(6, 10.0), abs=0.01)


def test_an_additive_flinch_comes_on_top_once_and_leaves_the_pose_as_it_was(person: Body):
    """The head is turned 30 degrees to the side; the flinch nods it by up to 40 degrees in its own axes."""
    config = ClipLayerConfig(mode="ADD", repeat="ONCE", delay=0.5, fade=0.1, poses=nod(person))
    poses = run(person, config, 2.5, base=turn(Z, 30.0))
    head = person.rig.skeleton.index["head"]
    assert angle_to(poses[12], person, "head", turn(Z, 30.0)) < 1e-4
    assert angle_to(poses[24], person, "head", turn(Z, 30.0) @ turn(X, 20.0)) < 1e-3
    assert poses[40].rotations[head] == poses[0].rotations[head]
    steps = [
        a.rotations[head].rotation_difference(b.rotations[head]).angle for a, b in zip(poses, poses[1:], strict=False)
    ]
    assert max(steps) < radians(25.0)


def test_the_reference_can_be_any_moment_of_the_clip(person: Body):
    config = ClipLayerConfig(mode="ADD", timing="PROGRESS", reference=0.5, poses=nod(person))
    poses = run(person, config, 0.1, lambda _: LayerInput(progress=1.0), base=turn(X, 5.0))
    assert head_angles(person, poses)[-1] == pytest.approx(25.0, abs=0.01)


def test_switched_off_it_goes_in_its_own_time_and_on_again_it_begins_anew(person: Body):
    config = ClipLayerConfig(poses=nod(person), repeat="HOLD", fade=0.25)
    poses = run(person, config, 4.0, lambda time: LayerInput(on=not 1.0 <= time < 2.0))
    angles = head_angles(person, poses)
    assert 5.0 < angles[26] < 35.0
    assert angles[36:48] == pytest.approx(np.zeros(12), abs=1e-6)
    assert angles[60] == pytest.approx(20.0, abs=2.0)


def test_a_weight_that_comes_from_nothing_starts_the_clip(person: Body):
    config = ClipLayerConfig(mode="ADD", repeat="HOLD", fade=0.0, poses=nod(person))
    poses = run(person, config, 2.0, lambda time: LayerInput(weight=0.0 if time < 1.0 else 1.0))
    angles = head_angles(person, poses)
    assert angles[24 + 12] == pytest.approx(20.0, abs=0.1)


def test_its_mask_keeps_the_rest_of_the_body_out(person: Body):
    config = ClipLayerConfig(poses=nodding(person), timing="PROGRESS")
    pose = run(person, config, 0.1, lambda _: LayerInput(progress=0.4), mask="upper_body")[-1]
    upper = bone_mask(person.rig, ["upper_body"])
    expected = nodding(person).at(0.4 * (len(nodding(person)) - 1))
    for i, rotation in enumerate(pose.rotations):
        wanted = expected.rotations[i] if i in upper else Quaternion()
        assert rotation.rotation_difference(wanted).angle < 1e-4


# In step.


def striding(**changes: object) -> tuple[CharacterConfig, ClipPoses]:
    """A walk with the arms and the torso of a clip of the same person, in step."""
    poses = clip_poses(clip_of("person"))
    layer = ClipLayerConfig(timing="STRIDE", poses=poses)
    return CharacterConfig(layers=(LayerSettings("CLIP", layer, "upper_body"),), **changes), poses


def layered_walk(config: CharacterConfig, speed: float, seconds: float, fps: float = 60.0) -> tuple[list, list]:
    """Frames with their layers, and memories."""
    rig = rig_of("person")
    character, world, inputs = Character(rig, config), Flat(), Inputs(speed=speed)
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world)
    frames, memories = [character.frame(memory, inputs, world, 0.0)], [memory.copy()]
    for _ in range(round(seconds * fps)):
        character.tick(memory, inputs, world, 1.0 / fps)
        frames.append(character.frame(memory, inputs, world, 1.0 / fps))
        memories.append(memory.copy())
    return frames, memories


def test_in_step_arms_swing_as_the_gait_s_own_do_where_the_clip_is_of_that_gait():
    """A clip of our own walk at 1.3 m/s over our own walk at 1.3 m/s: the arms are where they are without it."""
    config, _ = striding()
    frames, _ = layered_walk(config, 1.3, 8.0)
    plain = walk(rig_of("person"), Flat(), 1.3, 8.0, 60.0).frames
    arm = rig_of("person").arms[0].bones[0]
    apart = [
        Quaternion(a.rotations[arm]).rotation_difference(Quaternion(b.rotations[arm])).angle
        for a, b in zip(frames[240:], plain[240:], strict=True)
    ]
    swing = [
        Quaternion(b.rotations[arm]).rotation_difference(Quaternion(plain[240].rotations[arm])).angle
        for b in plain[240:]
    ]
    assert max(swing) > radians(20.0)
    assert max(apart) < 0.15 * max(swing)


@pytest.mark.parametrize("speed", [0.9, 1.7])
def test_in_step_the_stride_of_the_clip_takes_as_long_as_the_gait_s(speed: float):
    config, poses = striding()
    frames, memories = layered_walk(config, speed, 8.0)
    arm = rig_of("person").arms[0].bones[0]
    cycle = memories[-1].gait.cycle
    period = round(cycle * 60.0)
    rows = np.array([frame.rotations[arm] for frame in frames[240:]])
    assert np.abs(rows[: len(rows) - period] - rows[period:]).max() < 0.05
    assert np.ptp(rows, axis=0).max() > 0.1


def test_in_step_legs_are_the_gait_s_to_the_bit():
    config, _ = striding()
    frames, _ = layered_walk(config, 1.3, 3.0)
    plain = walk(rig_of("person"), Flat(), 1.3, 3.0, 60.0).frames
    lower = sorted(bone_mask(rig_of("person"), ["lower_body"], below=False))
    for frame, other in zip(frames, plain, strict=True):
        assert np.array_equal(frame.rotations[lower], other.rotations[lower])


@pytest.mark.parametrize("who", ["dog", "spider"])
def test_in_step_on_many_legs_a_clip_of_the_same_gait_changes_little(who: str):
    """The hindmost left foot's landing is the start of the clip's stride and of the gait's."""
    rig, world, inputs = rig_of(who), Flat(), Inputs(speed=SPEEDS[who])
    layer = ClipLayerConfig(timing="STRIDE", poses=clip_poses(clip_of(who)))
    character = Character(rig, CharacterConfig(layers=(LayerSettings("CLIP", layer),)))
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world)
    worst, swing, first = 0.0, 0.0, None
    for n in range(360):
        character.tick(memory, inputs, world, 1.0 / 60.0)
        layered, plain = character.frame(memory, inputs, world, 1.0 / 60.0), character.pose(memory)
        if n >= 240:
            bones = [bone for leg in rig.legs for bone in leg.bones]
            first = plain.rotations[bones] if first is None else first
            worst = max(worst, np.abs(layered.rotations[bones] - plain.rotations[bones]).max())
            swing = max(swing, np.abs(plain.rotations[bones] - first).max())
    assert character.problems == ()
    assert worst < 0.5 * swing


def test_where_nobody_walks_a_clip_in_step_lets_go():
    config, _ = striding()
    frames, _ = layered_walk(config, 0.0, 1.0)
    plain = walk(rig_of("person"), Flat(), 0.0, 1.0, 60.0).frames
    assert np.array_equal(frames[-1].rotations, plain[-1].rotations)


def test_a_clip_without_a_stride_goes_over_one_whole_and_says_so(person: Body):
    stack = Stack(person.rig, [LayerSettings("CLIP", ClipLayerConfig(timing="STRIDE", poses=nod(person)))])
    assert "No stride" in stack.problems[0].reason


def test_without_a_clip_and_with_one_of_another_rig_it_says_so_and_changes_nothing(person: Body):
    dog = nodding(BODIES["dog"]())
    for poses, said in ((None, "no clip"), (dog, "another rig")):
        stack = Stack(person.rig, [LayerSettings("CLIP", ClipLayerConfig(poses=poses))])
        assert said in stack.problems[0].reason
        assert stack.driven() == (set(), set())


def test_settings_are_compared_by_what_their_clips_hold(person: Body):
    assert ClipLayerConfig(poses=nod(person)) == ClipLayerConfig(poses=nod(person))
    assert hash(ClipLayerConfig(poses=nod(person))) == hash(ClipLayerConfig(poses=nod(person)))
    assert ClipLayerConfig(poses=nod(person)) != ClipLayerConfig(poses=nod(person, 30))


def soles_over(world, layers: tuple[LayerSettings, ...], weight: float = 1.0, seconds: float = 6.0) -> np.ndarray:
    """How high the lower end of the lowest sole is over the ground, metres, a frame of a settled walk."""
    rig, inputs = rig_of("person"), Inputs(speed=1.3, layers=(LayerInput(weight), LayerInput()))
    character = Character(rig, CharacterConfig(layers=layers))
    memory, heights = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world), []
    for n in range(round(seconds * 60.0)):
        character.tick(memory, inputs, world, 1.0 / 60.0)
        frame = character.frame(memory, inputs, world, 1.0 / 60.0)
        pose, to_world = EditedPose.of_frame(rig.skeleton, frame), world_matrix(character.pose(memory).ground)
        if n >= 180:
            ends = [pose.moved(leg.sole.heel_bone) @ leg.sole.heel for leg in rig.legs]
            ends += [pose.moved(leg.sole.ball_bone) @ leg.sole.ball for leg in rig.legs]
            places = [to_world @ end for end in ends]
            heights.append(min(place.z - world.height_below(place.x, place.y, 50.0, 100.0) for place in places))
    return np.array(heights)


def test_legs_of_a_clip_over_a_gait_are_put_on_the_ground():
    """A march of the flat over the whole body, up 15 degrees: without the layer its feet are up to 7 cm in the ground.

    The gait's own feet are left to the gait; those of the clip are not on its ground by themselves.
    """
    march = LayerSettings("CLIP", ClipLayerConfig(timing="STRIDE", poses=clip_poses(clip_of("person"))))
    legs = LayerSettings("LEGS", LegsConfig(learn_floor=False))
    ramp = Ramp(radians(15.0), start=1.0)
    assert soles_over(ramp, (march,)).min() < -0.05
    assert np.abs(soles_over(ramp, (march, legs))).max() < 0.02


def test_where_no_clip_has_the_legs_they_are_the_gait_s_to_the_bit():
    ramp, legs = Ramp(radians(15.0), start=1.0), LayerSettings("LEGS", LegsConfig())
    nod = LayerSettings("CLIP", ClipLayerConfig(timing="STRIDE", poses=clip_poses(clip_of("person"))), "upper_body")
    assert np.array_equal(soles_over(ramp, (nod, legs), seconds=4.0), soles_over(ramp, (nod,), seconds=4.0))
