"""What retargets are reported to break on: axes of single bones, crouches, spins, cartoon bodies, push-offs."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from mathutils import Matrix
from support.performers import clip_of
from support.reshaped import scaled
from support.retargeting import (
    about_point,
    arms_at,
    joints,
    laid_leg,
    posed_at_rest,
    rig_of_skeleton,
    rolled,
    still_clip,
    wild_clip,
    with_legs,
    without_axes,
)
from support.rigs import person_skeleton
from surefoot.core.motion.clip import Clip
from surefoot.core.retarget.clean_feet import clean_feet, contacts_of
from surefoot.core.retarget.config import RetargetConfig
from surefoot.core.retarget.retarget import retarget_clip
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.space.quaternions import continuous, mixed, to_matrices

FREE, FOLLOW = RetargetConfig(feet="FREE"), RetargetConfig(feet="FOLLOW")
PERSON = rig_of_skeleton(person_skeleton())


def rolled_bones(skeleton: Skeleton, angles: dict[str, float]) -> Skeleton:
    """Single bones rolled about themselves, radians."""
    return Skeleton(
        tuple(
            replace(bone, rest=bone.rest @ Matrix.Rotation(angles.get(bone.name, 0.0), 4, "Y"))
            for bone in skeleton.bones
        )
    )


@lru_cache
def walk() -> Clip:
    clip = clip_of("person")
    return replace(clip, moved=clip.moved[: round(3.0 * clip.fps)])


@lru_cache
def held_walk() -> Clip:
    return clean_feet(walk())[0]


def knees(clip: Clip, leg) -> np.ndarray:
    places = clip.joints(leg)
    a, b = places[:, 1] - places[:, 0], places[:, -1] - places[:, -2]
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1)))


def test_legs_rolled_by_a_right_angle_and_a_shin_turned_about_bend_no_other_way():
    quarter, half = math.pi / 2.0, math.pi
    angles = {"thigh.L": quarter, "thigh.R": quarter, "shin.L": quarter, "shin.R": half}
    clip = wild_clip(PERSON)
    done = retarget_clip(clip, rig_of_skeleton(rolled_bones(person_skeleton(), angles)), FREE)
    assert np.abs(joints(done.clip) - joints(clip)).max() <= 1e-3


def test_a_foot_rolled_by_45_degrees_stays_at_rest_while_the_source_does():
    angles = {"foot.L": math.pi / 4.0, "foot.R": -math.pi / 4.0, "hand.L": math.pi / 4.0}
    done = retarget_clip(still_clip(PERSON), rig_of_skeleton(rolled_bones(person_skeleton(), angles)))
    assert np.abs(done.channels.rotations - [1.0, 0.0, 0.0, 0.0]).max() <= 1e-6
    assert np.abs(done.channels.locations).max() <= 1e-6


def test_a_t_pose_is_one_on_a_body_that_rests_with_its_arms_45_degrees_down():
    arm = PERSON.skeleton.bones[PERSON.skeleton.index["upper_arm.L"]]
    down = math.asin((arm.head - arm.tail).normalized().z)
    level = rig_of_skeleton(arms_at(person_skeleton(), down))
    target = rig_of_skeleton(arms_at(person_skeleton(), down - math.pi / 4.0))
    done = retarget_clip(still_clip(level), target)
    for side in "LR":
        i = target.skeleton.index[f"upper_arm.{side}"]
        bone = target.skeleton.bones[i]
        line = done.clip.rotation(i)[0] @ np.array((bone.tail - bone.head).normalized())
        assert abs(math.degrees(math.asin(line[2]))) <= 1.0


@pytest.mark.parametrize("feet", ["FREE", "FOLLOW", "HOLD"])
@pytest.mark.parametrize(
    "change",
    [
        lambda s: s,
        rolled,
        without_axes,
        lambda s: arms_at(s, -0.6),
        lambda s: arms_at(s, -0.75),
        lambda s: posed_at_rest(arms_at(s, 1.2), {"head": ("X", -0.2)}),
    ],
    ids=["itself", "rolled", "no axes", "A-pose", "arms down", "arms up"],
)
def test_a_walk_with_feet_that_stand_is_itself_on_its_own_body(change, feet):
    clip = held_walk()
    done = retarget_clip(clip, rig_of_skeleton(change(person_skeleton())), RetargetConfig(feet=feet))
    assert np.abs(joints(done.clip) - joints(clip)).max() <= 1e-4


@pytest.mark.parametrize("factor", [0.01, 0.7, 100.0])
def test_a_walk_with_feet_that_stand_is_itself_on_a_body_of_another_size(factor):
    clip = held_walk()
    done = retarget_clip(clip, rig_of_skeleton(scaled(person_skeleton(), factor)))
    assert np.abs(joints(done.clip)[:, 1:] / factor - joints(clip)[:, 1:]).max() <= 1e-4


def crouching(travel: float) -> Clip:
    """Somebody who crouches and gets up again over his feet, while all of it is carried ahead."""
    clip = still_clip(PERSON, 120)
    clip.moved[:, 1:, 2, 3] -= 0.2 * np.sin(np.linspace(0.0, np.pi, 120))[:, None] ** 2
    for leg in PERSON.legs:
        clip.moved[:, [leg.foot, *PERSON.skeleton.below[leg.foot]]] = np.eye(4)
        laid_leg(clip, leg, clip.place(leg.foot, leg.tip))
    clip.moved[:, :, 1, 3] -= np.linspace(0.0, travel, 120)[:, None]
    return clip


def test_how_far_a_crouch_travels_does_not_change_how_deep_it_is():
    target = rig_of_skeleton(with_legs(person_skeleton(), 0.9, 1.2))
    near, far = (retarget_clip(crouching(travel), target, FOLLOW) for travel in (0.08, 3.0))
    heights = [done.clip.body()[:, 2] for done in (near, far)]
    assert np.ptp(heights[0]) >= 0.15
    assert np.abs(heights[0] - heights[1]).max() <= 0.005
    for done in (near, far):
        for leg in target.legs:
            assert np.abs(done.clip.ball(leg)[:, 2] - leg.sole.ball.z + target.floor).max() <= 0.01


def test_longer_arms_stay_as_long_and_only_the_body_leaves_its_place():
    longer = []
    skeleton = person_skeleton()
    for bone in skeleton.bones:
        side = bone.name[-1] if bone.name[-2:] in (".L", ".R") else ""
        rest = bone.rest.copy()
        if side and any(part in bone.name for part in ("forearm", "hand")):
            above = skeleton.bones[skeleton.index[f"upper_arm.{side}"]]
            rest.translation = above.head + 1.3 * (bone.head - above.head)
        length = 1.3 * bone.length if "arm" in bone.name else bone.length
        longer.append(replace(bone, rest=rest, length=length))
    target = rig_of_skeleton(Skeleton(tuple(longer)))
    done = retarget_clip(wild_clip(PERSON, amount=0.3), target)
    assert set(done.channels.located) <= {target.root, target.body}
    for i, bone in enumerate(target.skeleton.bones):
        if bone.parent >= 0 and i not in done.channels.located:
            at = [done.clip.place(j, bone.head) for j in (i, bone.parent)]
            assert np.abs(at[0] - at[1]).max() <= 1e-5, bone.name
    rotations = done.clip.moved[..., :3, :3]
    assert np.abs(rotations @ rotations.transpose(0, 1, 3, 2) - np.eye(3)).max() <= 1e-6


@pytest.mark.parametrize("axis", ["Z", "Y"], ids=["spin", "cartwheel"])
def test_every_second_frame_of_two_whole_turns_tells_the_frames_between(axis):
    angles = np.linspace(0.0, 4.0 * np.pi, 241)
    line = np.array([0.0, 0.0, 1.0]) if axis == "Z" else np.array([0.0, 1.0, 0.0])
    turn = about_point(np.outer(angles, line), np.array([0.0, 0.0, 1.0]))
    clip = still_clip(PERSON, len(angles))
    target = rig_of_skeleton(rolled(person_skeleton()))
    done = retarget_clip(replace(clip, moved=turn[:, None] @ clip.moved), target, FREE)
    turns = continuous(done.channels.rotations[::2])
    assert np.sum(turns[1:] * turns[:-1], axis=-1).min() >= 0.0
    between = to_matrices(mixed(turns[:-1], turns[1:], 0.5))
    true = to_matrices(done.channels.rotations[1::2])
    trace = np.einsum("fbij,fbij->fb", between, true)
    assert np.degrees(np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0))).max() <= 3.0


@lru_cache
def cartoon() -> Clip:
    """The walk on a body with short wide legs."""
    body = rig_of_skeleton(with_legs(person_skeleton(), 0.55, 0.45, 1.5))
    return retarget_clip(walk(), body).clip


def test_feet_of_a_cartoon_body_are_held_once_for_all():
    once, _ = clean_feet(cartoon())
    again, _ = clean_feet(once)
    assert np.abs(again.moved - once.moved).max() <= 1e-5


def test_knees_of_a_cartoon_body_move_no_faster_where_a_hold_begins_or_ends():
    for leg, each in zip(cartoon().rig.legs, contacts_of(cartoon()), strict=True):
        steps = np.abs(np.diff(knees(cartoon(), leg)))
        edges = np.zeros(len(steps), dtype=bool)
        for span in each.foot:
            for frame in (span.start, span.end):
                edges[max(0, int(frame) - 2) : int(frame) + 3] = 0.0 < frame < len(steps)
        assert steps[edges].max() <= 1.5 * steps[~edges].max()


def test_a_foot_that_glides_at_the_height_of_its_sole_does_not_stand_and_jumps_move_no_floor():
    clip = still_clip(PERSON, 60)
    seconds = np.clip(np.arange(60) - 19, 0, 20) / clip.fps
    clip.moved[:, :, 1, 3] -= seconds[:, None]
    clip.moved[40:, :, 2, 3] += 0.5 * np.sin(np.linspace(0.0, np.pi, 21))[1:, None]
    contacts = contacts_of(clip)
    for each in contacts:
        assert len(each.foot) == 1
        assert each.foot[0].start == 0.0
        assert each.foot[0].end == pytest.approx(19.0, abs=1.0)
    _, report = clean_feet(clip)
    assert report.floor == pytest.approx(PERSON.floor, abs=0.005)


def push_off() -> Clip:
    """Both heels rise by 40 degrees about balls that stand, within 8 frames, while the hips get 15 cm ahead."""
    clip = still_clip(PERSON, 24)
    share = np.clip((np.arange(24) - 8) / 8.0, 0.0, 1.0)
    skeleton = PERSON.skeleton
    moved = clip.moved
    moved[:, :, 1, 3] -= 0.15 * share[:, None]
    for leg in PERSON.legs:
        joint = np.array(skeleton.bones[leg.toes[0]].head)
        moved[:, [leg.foot, *skeleton.below[leg.foot]]] = np.eye(4)
        turn = about_point(np.outer(math.radians(40.0) * share, [1.0, 0.0, 0.0]), joint)
        moved[:, leg.foot] = turn
        ankle = clip.place(leg.foot, leg.tip)
        laid_leg(clip, leg, ankle)
    return clip


@pytest.mark.parametrize("body", ["itself", "other legs"])
def test_in_push_off_the_toe_stays_the_ankle_follows_and_no_leg_snaps_straight(body):
    clip = push_off()
    target = PERSON if body == "itself" else rig_of_skeleton(with_legs(person_skeleton(), 1.1, 0.95))
    done = retarget_clip(clip, target)
    for theirs, ours in zip(PERSON.legs, target.legs, strict=True):
        ball = done.clip.ball(ours)
        assert np.ptp(ball[:, :2], axis=0).max() <= 0.002
        shares = []
        for each, leg in ((clip, theirs), (done.clip, ours)):
            places = each.joints(leg)
            shares.append(np.linalg.norm(places[:, -1] - places[:, 0], axis=-1) / sum(leg.lengths))
        assert (shares[1] <= 1.01 * shares[0] + 1e-6).all()
        ankle = done.clip.joints(ours)[:, -1, 2]
        assert ankle[-1] - ankle[0] >= 0.04
