"""The legs of a clip on the ground: what each part of the layer does, on poses made by hand and walks of our own."""

from functools import lru_cache
from math import degrees, hypot, radians

import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from support.bent_knees import lifted_heels, standing
from support.carried_clips import Carried, carriable, carry, posed_clip
from support.on_ground import knees, offsets
from support.performers import clip_of, rig_of
from support.rigs import person_skeleton
from surefoot.core.control.intent import LayerInput
from surefoot.core.ik.posed import PosedLimb, bring_tip
from surefoot.core.layers.layer import Moment
from surefoot.core.layers.legs import GAIT_WALKS, Legs, LegsConfig
from surefoot.core.measure.slide import point_slide
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.world.solids import Box, Empty, Extruded, Flat, Gap, Hills, Moving, Ramp, Stairs, Union

FLAT = Flat()


def layer(rig: Rig, **settings) -> Legs:
    return Legs(rig, LegsConfig(**settings))


def numbers(pose: EditedPose) -> tuple:
    return [turn[:] for turn in pose.rotations], {i: place[:] for i, place in pose.locations.items()}


@lru_cache
def walk_of(who: str):
    return carriable(clip_of(who))


@lru_cache
def plain_walk_of(who: str) -> Carried:
    return carry(walk_of(who), FLAT)


def test_on_level_ground_a_pose_stays_as_it_is_to_the_bit():
    source = walk_of("person")
    run = carry(source, FLAT, Legs(source.clip.rig, LegsConfig(hold=False, learn_floor=False)))
    for pose, held in zip(run.poses, source.poses, strict=True):
        plain = EditedPose(source.clip.rig.skeleton, *held)
        for a, b in zip(pose.rotations, plain.rotations, strict=True):
            assert a.rotation_difference(b).angle < 1e-4
        assert (pose.head(source.clip.rig.body) - plain.head(source.clip.rig.body)).length < 1e-5


def test_an_idle_with_bent_knees_keeps_them_within_half_a_degree():
    rig = rig_of("person")
    run = carry(posed_clip(rig, [standing(rig)] * 90), FLAT, layer(rig))
    plain = standing(rig)
    for leg in rig.legs:
        for i in (*leg.bones, leg.foot):
            turned = run.poses[-1].turn(i).rotation_difference(plain.turn(i)).angle
            assert degrees(turned) < 0.5


@pytest.mark.parametrize("angle", [15.0, 25.0, -15.0, -25.0])
def test_on_a_slope_planted_soles_are_within_a_centimetre_of_it(angle):
    source = walk_of("person")
    run = carry(source, Ramp(radians(angle), start=0.5), layer(source.clip.rig, learn_floor=False))
    assert np.abs(offsets(run, plain_walk_of("person"))).max() < 0.01


@pytest.mark.parametrize(
    ("world", "share"),
    [(Hills(0.3, 4.0), 1.0), (Stairs(0.12, 0.4, start=0.7), 0.99), (Stairs(-0.12, 0.4, start=0.7), 0.93)],
    ids=["hills", "up", "down"],
)
def test_on_hills_and_stairs_planted_soles_are_within_a_centimetre_of_the_ground(world, share):
    """Down stairs a foot that came down on a tread with its heel has its ball over the next one as it rolls off."""
    source = walk_of("person")
    run = carry(source, world, layer(source.clip.rig, learn_floor=False))
    assert np.mean(np.abs(offsets(run, plain_walk_of("person"))) < 0.01) >= share


def test_the_sole_is_laid_along_the_slope_and_the_clip_s_own_angle_kept_on_top():
    rig = rig_of("person")
    slope = radians(20.0)
    run = carry(posed_clip(rig, [standing(rig, 0.05)] * 30), Ramp(slope, start=None), layer(rig))
    for leg in rig.legs:
        pose, foot = run.poses[-1], leg.foot
        turn = pose.turn(foot) @ standing(rig, 0.05).turn(foot).inverted()
        assert degrees(turn.angle) == pytest.approx(20.0, abs=0.2)
        # Toes up: it climbs along -Y.
        assert (turn @ Vector((0.0, -1.0, 0.0))).z == pytest.approx(np.sin(slope), abs=0.01)


def test_a_sole_is_laid_no_steeper_than_the_limit():
    rig = rig_of("person")
    run = carry(posed_clip(rig, [standing(rig, 0.1)] * 30), Ramp(radians(35.0)), layer(rig, most_tilt=radians(12.0)))
    turn = run.poses[-1].turn(rig.legs[0].foot) @ standing(rig, 0.1).turn(rig.legs[0].foot).inverted()
    assert degrees(turn.angle) == pytest.approx(12.0, abs=0.1)


def test_the_pelvis_comes_down_as_far_as_the_lower_foot_needs_and_no_farther():
    rig = rig_of("person")
    sunk = Union(Box((-2.0, -2.0, -1.0), (0.0, 2.0, 0.0)), Box((0.0, -2.0, -1.0), (2.0, 2.0, -0.1)))
    plain = standing(rig, 0.02)
    run = carry(posed_clip(rig, [plain] * 60), sunk, layer(rig))
    low = next(k for k, leg in enumerate(rig.legs) if leg.side == "L")
    foot = run.track.feet[low]
    assert foot.clearance("ball")[-1] == pytest.approx(0.0, abs=1e-3)
    length = sum(rig.legs[low].lengths)
    reached = float(np.linalg.norm(foot.joints[-1, -1] - foot.joints[-1, 0]))
    own = (PosedLimb.of_leg(rig, rig.legs[low]).tip_of(plain) - plain.head(rig.legs[low].bones[0])).length
    assert own < 0.99 * length
    # As long as its length less the reserve; a foot that stands gets a little more, before the pelvis comes for it.
    assert 0.98 * length - 0.001 <= reached <= 0.99 * length


def test_the_pelvis_comes_down_no_farther_than_its_limit():
    rig = rig_of("person")
    deep = Union(Box((-2.0, -2.0, -1.0), (0.0, 2.0, 0.0)), Box((0.0, -2.0, -1.0), (2.0, 2.0, -0.4)))
    run = carry(posed_clip(rig, [standing(rig)] * 60), deep, layer(rig))
    fallen = standing(rig).head(rig.body).z - run.poses[-1].head(rig.body).z
    assert fallen <= 0.15 * rig.leg_length / 0.9 + 1e-4


def test_a_foot_that_is_held_stays_while_the_pelvis_moves_on_and_slides_without_the_hold():
    rig = rig_of("person")
    sway = [standing(rig, 0.13, (0.1 * min(n, 30) / 30.0, 0.0, 0.0)) for n in range(40)]
    for pose in sway:
        # The feet go along with the pelvis, as in a clip that slides.
        for leg in rig.legs:
            away = pose.head(rig.body) - standing(rig, 0.13).head(rig.body)
            bring_tip(pose, PosedLimb.of_leg(rig, leg), leg.tip + away)
    slides = {}
    for hold in (True, False):
        run = carry(posed_clip(rig, sway), FLAT, layer(rig, hold=hold))
        slides[hold] = max(point_slide(foot.ball[2:, :2], 60.0).distance for foot in run.track.feet)
    assert slides[True] < 0.001
    assert slides[False] > 0.09


@pytest.mark.parametrize("angle", [25.0, -25.0])
def test_a_foot_that_is_not_held_slides_as_far_along_a_slope_as_in_the_clip(angle):
    rig = rig_of("person")
    glide = [standing(rig, 0.13, (0.0, -0.003 * n, 0.0)) for n in range(40)]
    for n, pose in enumerate(glide):
        for leg in rig.legs:
            turn = pose.turn(leg.foot)
            bring_tip(pose, PosedLimb.of_leg(rig, leg), leg.tip + Vector((0.0, -0.003 * n, 0.0)))
            pose.set_turn(leg.foot, turn)
    run = carry(posed_clip(rig, glide), Ramp(radians(angle), start=None), layer(rig, hold=False))
    for foot in run.track.feet:
        assert np.linalg.norm(foot.ball[-1] - foot.ball[2]) == pytest.approx(37 * 0.003, abs=0.001)


@pytest.mark.parametrize("angle", [25.0, -25.0])
def test_across_the_foot_of_a_slope_neither_end_of_a_held_sole_slides_3_mm_for_a_heel_that_is_lifted_a_little(angle):
    """The sole lies on neither slope: lifted square to it by 12 mm, a heel alone would go 3.3 to 4.2 mm along."""
    rig = rig_of("person")
    heel, ball = rig.legs[0].sole.heel.y, rig.legs[0].sole.ball.y
    poses = [lifted_heels(rig, 0.012 * min(1.0, max(0.0, (n - 20) / 30))) for n in range(60)]
    world = Ramp(radians(angle), start=-(heel + 0.3 * (ball - heel)))
    foot = carry(posed_clip(rig, poses), world, layer(rig, learn_floor=False)).track.feet[0]
    assert np.ptp(foot.heel[10:, 1]) < 0.002
    assert np.ptp(foot.ball[10:, 1]) < 0.002
    assert foot.clearance("heel")[-1] - foot.clearance("heel")[10] > 0.008


def test_a_held_foot_yields_at_its_bounds():
    rig = rig_of("person")
    source = posed_clip(rig, [standing(rig, 0.1)] * 100, velocity=(0.0, -0.14))
    run = carry(source, FLAT, layer(rig))
    for own in run.memories[-1].feet:
        assert hypot(*own.shift) <= 0.3 * rig.leg_length + 1e-6
    assert hypot(*run.memories[-1].feet[0].shift) > 0.1


def test_what_a_hold_kept_is_given_up_in_its_time_after_the_foot_has_left():
    rig = rig_of("person")
    poses = []
    for n in range(60):
        pose = standing(rig, 0.04)
        turns = [pose.turn(leg.foot) for leg in rig.legs]
        for leg, turn in zip(rig.legs, turns, strict=True):
            slid = Vector((0.0, 0.04 * min(1.0, n / 20.0), 0.0))
            lift = 0.15 if leg.side == "L" and n >= 30 else 0.0
            bring_tip(pose, PosedLimb.of_leg(rig, leg), leg.tip + slid + Vector((0.0, 0.0, lift)))
            pose.set_turn(leg.foot, turn)
        poses.append(pose)
    run = carry(posed_clip(rig, poses), FLAT, layer(rig))
    left = next(k for k, leg in enumerate(rig.legs) if leg.side == "L")
    shifts = [hypot(*memory.feet[left].shift) for memory in run.memories]
    assert shifts[29] > 0.03
    assert shifts[30 + 6] < 1e-4
    assert np.abs(np.diff(shifts[29:38])).max() < 0.015


def test_in_push_off_the_ball_stays_and_the_leg_gets_no_longer_than_in_the_clip():
    rig = rig_of("person")
    poses = []
    for n in range(24):
        share = max(0.0, min(1.0, (n - 10) / 8.0))
        pose = standing(rig, 0.05, (0.0, -0.1 * share, 0.02 * share))
        for leg in rig.legs:
            roll = Quaternion((1.0, 0.0, 0.0), radians(40.0) * share)
            # The clip's own ball slides back by 3 cm.
            ball = leg.sole.ball + Vector((0.0, 0.03 * share, 0.0))
            bring_tip(pose, PosedLimb.of_leg(rig, leg), ball + roll @ (leg.tip - leg.sole.ball))
            pose.set_turn(leg.foot, roll @ rig.skeleton.bones[leg.foot].rest.to_quaternion())
            for toe in leg.toes:
                pose.set_turn(toe, rig.skeleton.bones[toe].rest.to_quaternion())
        poses.append(pose)
    source = posed_clip(rig, poses)
    run, plain = carry(source, FLAT, layer(rig)), carry(source, FLAT)
    for foot, own in zip(run.track.feet, plain.track.feet, strict=True):
        assert point_slide(foot.ball[2:, :2], 60.0).distance < 0.002
        assert point_slide(own.ball[2:, :2], 60.0).distance > 0.01
        reach, before = (np.linalg.norm(f.joints[:, -1] - f.joints[:, 0], axis=-1) for f in (foot, own))
        assert (reach <= before * 1.01 + 1e-4).all()


def test_a_foot_swung_into_a_wall_follows_the_pose():
    rig = rig_of("person")
    forward = standing(rig, 0.05)
    leg = rig.legs[0]
    bring_tip(forward, PosedLimb.of_leg(rig, leg), leg.tip + Vector((0.0, -0.3, 0.1)))
    wall = Union(FLAT, Box((-3.0, -3.0, 0.0), (3.0, -0.25, 3.0)))
    run = carry(posed_clip(rig, [forward] * 20), wall, layer(rig, learn_floor=False))
    for pose in run.poses:
        assert (PosedLimb.of_leg(rig, leg).tip_of(pose) - PosedLimb.of_leg(rig, leg).tip_of(forward)).length < 1e-4


def test_over_a_pit_without_a_floor_feet_keep_their_height():
    rig = rig_of("person")
    run = carry(posed_clip(rig, [standing(rig)] * 120, velocity=(0.0, -1.0)), Gap(0.9, start=0.6), layer(rig))
    for foot in run.track.feet:
        assert np.abs(foot.ball[:, 2]).max() < 0.005


def test_on_a_box_soles_are_on_its_top():
    rig = rig_of("person")
    world = Union(FLAT, Box((-1.0, -1.0, 0.0), (1.0, 1.0, 0.2)))
    run = carry(posed_clip(rig, [standing(rig)] * 20), world, layer(rig))
    for foot in run.track.feet:
        assert foot.ball[-1, 2] == pytest.approx(0.2, abs=0.005)


def test_on_a_lift_and_on_a_turntable_feet_stay_where_they_stand():
    rig = rig_of("person")
    lift = Moving(FLAT, lambda time: (0.0, 0.0, time, 0.0))
    run = carry(posed_clip(rig, [standing(rig)] * 60), lift, layer(rig))
    over = np.arange(60) / 60.0
    for foot in run.track.feet:
        assert np.abs(foot.ball[:, 2] - over)[10:].max() < 0.02
        assert point_slide(foot.ball * [1.0, 1.0, 0.0], 60.0).distance < 0.002


def test_in_the_air_it_lets_go_and_on_landing_it_takes_hold_again():
    rig = rig_of("person")
    source = posed_clip(rig, [standing(rig, 0.06)] * 90)
    run = carry(source, Ramp(radians(20.0)), layer(rig), airborne=lambda n: 30 <= n < 60)
    plain = standing(rig, 0.06)
    for leg in rig.legs:
        limb = PosedLimb.of_leg(rig, leg)
        assert (limb.tip_of(run.poses[28]) - limb.tip_of(plain)).length > 0.005
        assert (limb.tip_of(run.poses[58]) - limb.tip_of(plain)).length < 0.002
        assert (limb.tip_of(run.poses[88]) - limb.tip_of(run.poses[28])).length < 0.002
    steps = [(a.head(rig.body) - b.head(rig.body)).length for a, b in zip(run.poses, run.poses[1:], strict=False)]
    assert max(steps) < 0.03


def test_in_a_jump_of_the_clip_it_lets_go_and_the_body_does_not_jerk():
    rig = rig_of("person")
    poses = []
    for n in range(90):
        pose = standing(rig, 0.03)
        time = (n - 30) / 60.0
        height = max(0.0, 2.5 * time - 4.905 * time * time)
        pose.set_model(rig.body, Matrix.Translation((0.0, 0.0, height)) @ pose.model(rig.body))
        poses.append(pose)
    source = posed_clip(rig, poses)
    deep = Union(Box((-2.0, -2.0, -1.0), (0.0, 2.0, 0.0)), Box((0.0, -2.0, -1.0), (2.0, 2.0, -0.1)))
    run, plain = carry(source, deep, layer(rig, learn_floor=False)), carry(source, FLAT)
    assert run.memories[29].drop > 0.02
    top = 30 + round(60.0 * 2.5 / 9.81)
    assert run.memories[top].airborne
    assert run.memories[top].drop < 0.1 * run.memories[29].drop
    for leg in rig.legs:
        limb = PosedLimb.of_leg(rig, leg)
        assert (limb.tip_of(run.poses[top]) - limb.tip_of(plain.poses[top])).length < 0.005
        assert limb.tip_of(run.poses[-1]).z == pytest.approx(limb.tip_of(run.poses[28]).z, abs=0.002)
    drops = np.array([memory.drop + memory.more for memory in run.memories])
    assert np.abs(np.diff(drops)).max() < 0.025


def test_suspended_it_lets_go_as_in_the_air():
    rig = rig_of("person")
    source = posed_clip(rig, [standing(rig, 0.06)] * 60)
    run = carry(source, Ramp(radians(20.0)), layer(rig), wish=LayerInput(1.0, on=False))
    assert np.allclose(numbers(run.poses[-1])[0], numbers(standing(rig, 0.06))[0], atol=1e-5)


@pytest.mark.parametrize("height", [0.03, -0.02])
def test_a_clip_s_own_floor_is_found_and_the_whole_pose_set_down_on_it(height):
    rig = rig_of("person")
    pose = standing(rig, 0.05)
    pose.set_model(rig.body, Matrix.Translation((0.0, 0.0, height)) @ pose.model(rig.body))
    run = carry(posed_clip(rig, [pose] * 240), FLAT, layer(rig))
    assert run.memories[-1].floor == pytest.approx(height, abs=0.003)
    for foot in run.track.feet:
        assert foot.clearance("ball")[-1] == pytest.approx(0.0, abs=0.003)
    assert np.abs(knees(run)[:, -1] - knees(run)[:, 0]).max() < 0.5


def test_no_more_of_a_floor_is_learned_than_a_tenth_of_a_metre():
    rig = rig_of("person")
    pose = standing(rig, 0.05)
    pose.set_model(rig.body, Matrix.Translation((0.0, 0.0, 0.3)) @ pose.model(rig.body))
    run = carry(posed_clip(rig, [pose] * 120), FLAT, layer(rig))
    assert abs(run.memories[-1].floor) < 1e-6


def test_a_body_on_four_legs_lies_on_the_slope_and_keeps_its_height_over_it():
    rig = rig_of("dog")
    pose = EditedPose.rest(rig.skeleton)
    run = carry(posed_clip(rig, [pose] * 60), Ramp(radians(20.0)), layer(rig))
    turn = run.poses[-1].turn(rig.body) @ pose.turn(rig.body).inverted()
    assert degrees(turn.angle) == pytest.approx(20.0, abs=1.0)
    for foot in run.track.feet:
        assert foot.clearance("ball")[-1] == pytest.approx(0.0, abs=0.005)
    level = carry(posed_clip(rig, [pose] * 60), Ramp(radians(20.0)), layer(rig, lean=0.0))
    turn = level.poses[-1].turn(rig.body) @ pose.turn(rig.body).inverted()
    assert degrees(turn.angle) < 0.1


@pytest.mark.parametrize("who", ["dog", "spider"])
def test_many_legs_walk_over_hills_on_their_soles(who):
    source = walk_of(who)
    size = source.clip.rig.leg_length / 0.9
    run = carry(source, Hills(0.25 * size, 5.0 * max(size, 0.5)), layer(source.clip.rig, learn_floor=False))
    assert np.mean(np.abs(offsets(run, plain_walk_of(who))) < 0.01) > 0.97


def test_frame_rates_agree():
    """Sampled at a fifth of the frames, it ends on the same pose within a degree and half a centimetre."""
    rig = rig_of("person")
    ends = []
    for fps in (24.0, 120.0):
        count = round(2.0 * fps)
        source = posed_clip(rig, [standing(rig, 0.06)] * count, fps, velocity=(0.0, -0.5))
        run = carry(source, Ramp(radians(15.0), start=0.3), layer(rig, hold=False))
        ends.append(run.poses[-1])
    for leg in rig.legs:
        for i in (*leg.bones, leg.foot):
            assert degrees(ends[0].turn(i).rotation_difference(ends[1].turn(i)).angle) < 1.0
    assert (ends[0].head(rig.body) - ends[1].head(rig.body)).length < 0.005


def test_over_a_gait_it_does_nothing_and_says_why():
    rig = rig_of("person")
    legs, pose = layer(rig), standing(rig)
    before = numbers(pose)
    memory = legs.start()
    identity = Matrix.Identity(4)
    moment = Moment(0.04, Ground(0.0, 0.0, 0.0, 0.0), identity, identity, Ramp(radians(20.0)), placed=True)
    legs.apply(pose, memory, moment, LayerInput())
    assert numbers(pose) == before
    assert memory.reason == GAIT_WALKS


def test_without_ground_the_pose_is_kept():
    rig = rig_of("person")
    run = carry(posed_clip(rig, [standing(rig)] * 10), Empty(), layer(rig))
    assert np.allclose(numbers(run.poses[-1])[0], numbers(standing(rig))[0], atol=1e-6)


def test_a_rig_without_legs_has_a_problem_with_a_remedy():
    skeleton = person_skeleton()
    rig = Rig(Skeleton(skeleton.bones[:1]), (), -1, -1, -1, (), (), -1, (), (), {}, "", 0.0, 0.9)
    legs = layer(rig)
    assert legs.driven() == ((), ())
    assert legs.problems[0].remedy
    pose = EditedPose.rest(rig.skeleton)
    identity = Matrix.Identity(4)
    legs.apply(pose, legs.start(), Moment(0.0, Ground(0.0, 0.0, 0.0, 0.0), identity, identity, FLAT), LayerInput())


def test_half_a_foot_over_an_edge_stays_level_on_what_it_stands_on():
    rig = rig_of("person")
    leg = rig.legs[0]
    edge = -0.5 * (leg.sole.heel.y + leg.sole.ball.y)
    ledge = Extruded([(-50.0, 0.0, edge, 0.0), (edge, 0.0, edge, -0.3), (edge, -0.3, 50.0, -0.3)])
    run = carry(posed_clip(rig, [standing(rig)] * 20), ledge, layer(rig))
    turn = run.poses[-1].turn(leg.foot) @ standing(rig).turn(leg.foot).inverted()
    assert degrees(turn.angle) < 0.5
    assert run.track.feet[0].heel[-1, 2] - run.track.feet[0].heel_ground[-1] == pytest.approx(0.0, abs=0.005)
