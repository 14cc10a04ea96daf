"""A hand or a foot on a thing: there to 2 mm, held while both move, taken and let go without a jump."""

from __future__ import annotations

import re
from math import cos, degrees, hypot, radians, sin

import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector
from support.layered import understood
from support.reaching import in_world, reach, rotation_between, spot_at, stand_and_reach
from support.rigs import dog_skeleton, person_skeleton, snake_skeleton, spider_skeleton
from surefoot.core.control.intent import LayerInput, Place, Spot
from surefoot.core.layers.layer import LayerSettings, Moment
from surefoot.core.layers.reach import Reach, ReachConfig, suited_limb
from surefoot.core.layers.reaching import limbs_of
from surefoot.core.layers.stack import Stack
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.world.solids import Flat

NEAR = 0.002
# Places of the right hand that the arm alone reaches, the body at the origin and facing -Y.
WITHIN_REACH = [
    (x, y, z)
    for x in (-0.45, -0.25, -0.05)
    for y in (-0.45, -0.3)
    for z in (0.95, 1.2, 1.45, 1.65)
    if hypot(x + 0.17, y - 0.03, z - 1.4) < 0.58
]
FAR = (-0.6, -0.65, 1.5)


@pytest.fixture(scope="module")
def person() -> Rig:
    return understood(person_skeleton())


@pytest.fixture(scope="module")
def dog() -> Rig:
    return understood(dog_skeleton())


def ball(time, ground):
    """A ball that goes along with the body and about it, at up to walking pace."""
    return spot_at(
        ground, (-0.25 + 0.15 * sin(2.1 * time), -0.4 + 0.06 * cos(1.3 * time), 1.25 + 0.2 * sin(3.0 * time))
    )


@pytest.mark.parametrize("limb", ["hand.L", "hand.R"])
@pytest.mark.parametrize("match", [0.0, 1.0])
def test_a_hand_is_within_two_millimetres_of_a_target_in_reach(person, limb, match):
    for x, y, z in WITHIN_REACH:
        place = (x if limb == "hand.R" else -x, y, z)
        done = stand_and_reach(person, ReachConfig(limb=limb, match=match), place)
        assert done.errors()[0] <= NEAR
        assert done.reasons == [""]


def test_a_walking_hand_holds_a_moving_ball(person):
    done = reach(person, ReachConfig(offset=0.07), lambda t, g: LayerInput(1.0, True, ball(t, g)), 5.0, speed=1.4)
    held = done.errors()[24:]
    assert max(held) <= NEAR
    way = np.linalg.norm(np.diff(done.targets(), axis=0), axis=-1) * 24.0
    assert way[24:].max() > 1.4


def test_a_walking_hand_runs_along_a_rail_that_stands(person):
    """The target is still while the body walks by: from beside the chest to beside the back."""

    def rail(_time, _ground):
        return LayerInput(1.0, True, Spot(-0.45, -2.3, 1.1))

    done = reach(person, ReachConfig(), rail, 3.0, speed=1.4)
    near = [n for n, ground in enumerate(done.grounds) if abs(ground.y + 2.3) < 0.3]
    assert len(near) > 8
    assert max(done.errors()[near]) <= NEAR


def test_the_place_far_from_the_worlds_origin_makes_no_difference(person):
    place = Place(4000.0, -7000.0, 120.0, 2.1)
    done = reach(person, ReachConfig(), lambda t, g: LayerInput(1.0, True, ball(t, g)), 1.0, place=place)
    assert max(done.errors()[24:]) <= NEAR


def test_the_elbow_stays_within_its_limits_below_the_shoulder_and_out_of_the_trunk(person):
    config = ReachConfig()
    for place in WITHIN_REACH:
        done = stand_and_reach(person, config, place)
        shoulder, elbow, _ = done.joints()[0]
        assert degrees(config.elbow_low) - 0.1 <= done.elbows()[0] <= degrees(config.elbow_high) + 0.1
        assert place[2] > 1.4 or elbow.z < shoulder.z
        # Half of the chest is 17 cm wide and 12 cm deep.
        assert elbow.x < -0.17 or elbow.y < -0.1 or hypot(elbow.x / 0.17, elbow.y / 0.12) > 1.0


@pytest.mark.parametrize(("low", "high"), [(-5.0, 10.0), (50.0, 70.0)])
def test_limits_set_by_the_user_hold(person, low, high):
    config = ReachConfig(elbow_low=radians(low), elbow_high=radians(high))
    for place in ((-0.3, -0.4, 1.2), (-0.4, -0.3, 1.0)):
        assert low - 0.1 <= stand_and_reach(person, config, place).elbows()[0] <= high + 0.1


def test_the_elbow_can_be_raised(person):
    place = (-0.3, -0.4, 1.2)
    plain = stand_and_reach(person, ReachConfig(), place)
    raised = stand_and_reach(person, ReachConfig(elbow=radians(30.0)), place)
    assert raised.elbows()[0] - plain.elbows()[0] == pytest.approx(30.0, abs=0.1)
    assert raised.joints()[0][1].z > plain.joints()[0][1].z + 0.03
    assert raised.errors()[0] <= NEAR


def test_shoulder_and_spine_stay_to_the_bit_while_the_arm_alone_reaches(person):
    index = person.skeleton.index
    for place in WITHIN_REACH:
        done = stand_and_reach(person, ReachConfig(lean=1.0), place)
        for bone in ("shoulder.R", "chest", "spine.001", "spine.002"):
            assert done.poses[0].rotations[index[bone]] == done.bases[0].rotations[index[bone]]


def test_the_shoulder_helps_first_then_the_spine_and_no_farther_than_they_may(person):
    shoulders, spines, errors = [], [], []
    for far in np.linspace(0.5, 0.85, 36):
        place = tuple(Vector((-0.172, 0.028, 1.4)) + Vector((-0.55, -0.8, 0.1)).normalized() * far)
        done = stand_and_reach(person, ReachConfig(lean=1.0), place)
        shoulders.append(done.turned("shoulder.R")[0])
        spines.append(sum(done.turned(bone)[0] for bone in ("spine.001", "spine.002", "chest")))
        errors.append(done.errors()[0])
    shoulders, spines = np.array(shoulders), np.array(spines)
    assert shoulders[0] == spines[0] == 0.0
    assert shoulders.max() <= 20.01
    assert spines.max() <= 15.01
    assert spines.max() > 10.0
    assert (shoulders[spines > 0.0] > 10.0).all()
    assert (shoulders[spines > 2.0] > 19.9).all()
    # Where they help, the hand arrives.
    assert np.array(errors)[spines < 14.9].max() <= NEAR
    assert np.abs(np.diff(shoulders)).max() < 12.0
    assert (np.diff(errors) > -1e-4).all()


def test_a_spine_that_may_not_lean_does_not(person):
    done = stand_and_reach(person, ReachConfig(lean=0.0), FAR)
    assert done.turned("chest")[0] == 0.0
    assert done.turned("shoulder.R")[0] == pytest.approx(20.0, abs=0.05)


def test_a_hand_that_does_not_reach_says_how_much_is_missing_and_points_there(person):
    done = stand_and_reach(person, ReachConfig(lean=0.0), (-0.5, -0.9, 1.4))
    said = re.fullmatch(r"The hand does not reach: (\d+) cm are missing \(hand.R\).", done.reasons[0])
    assert said
    assert int(said.group(1)) == pytest.approx(100.0 * done.errors()[0], abs=0.5)
    shoulder = done.joints()[0][0]
    palm, target = (Vector(row[0]) - shoulder for row in (done.touching(), done.targets()))
    assert palm.angle(target) < radians(1.0)


def test_nothing_to_reach_for_is_said(person):
    done = reach(person, ReachConfig(), lambda _t, _g: LayerInput(1.0, True, None), 0.0)
    assert done.reasons == ["hand.R has nothing to reach for. Give the layer a target."]
    assert done.poses[0].rotations == done.bases[0].rotations


@pytest.mark.parametrize("match", [0.0, 1.0])
def test_weight_moves_the_hand_on_a_straight_line_to_the_target(person, match):
    place = (-0.3, -0.45, 1.3)
    config = ReachConfig(match=match)
    start = stand_and_reach(person, config, place, 1e-9).touching()[0]
    for weight in np.linspace(0.05, 1.0, 20):
        there = stand_and_reach(person, config, place, weight).touching()[0]
        assert np.linalg.norm(there - (start + weight * (np.array(place) - start))) <= 1e-3


@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_a_hold_is_taken_and_let_go_step_by_step_and_without_a_wobble(person, fps):
    place = np.array((-0.3, -0.45, 1.3))
    done = reach(person, ReachConfig(), lambda t, _g: LayerInput(1.0, 0.2 <= t < 2.0, Spot(*place)), 4.0, fps)
    shares, half = np.array(done.holds), round(2.0 * fps)
    assert shares[half] == 1.0
    assert shares[-1] == 0.0
    assert (np.diff(shares[: half + 1]) >= 0.0).all()
    assert (np.diff(shares[half:]) <= 0.0).all()
    assert (np.diff(done.errors()[round(0.2 * fps) : half + 1]) < 1e-4).all()
    steps = np.linalg.norm(np.diff(done.touching(), axis=0), axis=-1) * fps
    # A hand that goes two thirds of a metre in two thirds of a second, not in one frame.
    assert steps.max() < 2.5
    assert done.poses[-1].rotations == done.bases[-1].rotations
    plain = done.touching(done.bases)
    straight = plain + shares[:, None] * (place - plain)
    assert np.linalg.norm(done.touching() - straight, axis=-1).max() < 1e-3


def test_it_takes_hold_alike_at_every_frame_rate(person):
    def wish(time, ground):
        return LayerInput(1.0, time >= 0.25, ball(time, ground))

    slow, fast = (reach(person, ReachConfig(), wish, 2.0, fps) for fps in (24.0, 120.0))
    ways = [done.touching() - np.array([in_world(g, Vector()) for g in done.grounds]) for done in (slow, fast)]
    assert np.linalg.norm(ways[0] - ways[1][::5], axis=-1).max() < NEAR


def test_a_target_that_jumps_is_gone_after_not_snapped_to(person):
    def jumping(time, ground):
        return LayerInput(1.0, True, spot_at(ground, (-0.35, -0.4, 1.0) if time < 1.0 else (-0.1, -0.4, 1.4)))

    done = reach(person, ReachConfig(), jumping, 2.5, 60.0)
    steps = np.linalg.norm(np.diff(done.touching(), axis=0), axis=-1)
    assert steps.max() < 0.06
    assert max(done.errors()[:60]) <= NEAR
    assert max(done.errors()[-30:]) <= NEAR
    assert (np.diff(done.errors()[60:]) < 1e-4).all()


def test_a_target_that_turns_over_turns_the_hand_in_its_own_time(person):
    def turning(time, ground):
        turn = Quaternion((0.0, 0.0, 1.0), 0.0 if time < 0.5 else radians(-60.0))
        return LayerInput(1.0, True, spot_at(ground, (-0.25, -0.35, 1.1), turn))

    done = reach(person, ReachConfig(match=1.0), turning, 2.0, 60.0)
    turns = [pose.turn(done.touch.bone) for pose in done.poses]
    steps = np.degrees([rotation_between(a, b) for a, b in zip(turns, turns[1:], strict=False)])
    assert steps.max() < 8.0
    assert degrees(rotation_between(turns[0], turns[-1])) > 30.0
    assert max(done.errors()) <= NEAR


def test_while_it_lets_go_of_what_is_gone_the_hand_keeps_to_where_that_was(person):
    def wish(time, _ground):
        return LayerInput(1.0, True, Spot(-0.3, -0.45, 1.3) if time < 1.0 else None)

    done = reach(person, ReachConfig(), wish, 3.0)
    steps = np.linalg.norm(np.diff(done.touching(), axis=0), axis=-1)
    assert steps.max() < 0.1
    assert done.poses[-1].rotations == done.bases[-1].rotations


def test_a_hand_that_matches_lies_on_its_target_as_on_a_table(person):
    for turn in (Quaternion(), Quaternion((0.0, 0.0, 1.0), radians(25.0)), Quaternion((1.0, 0.0, 0.0), radians(20.0))):
        done = stand_and_reach(person, ReachConfig(match=1.0), Spot(-0.25, -0.35, 1.1, tuple(turn)))
        hand = done.touch.bone
        pose, bone = done.poses[0], person.skeleton.bones[hand]
        fingers = (pose.tail(hand) - pose.head(hand)) / bone.length
        palm = pose.turn(hand) @ done.touch.normal
        assert fingers.angle(turn @ Vector((0.0, -1.0, 0.0))) < radians(1.0)
        assert palm.angle(turn @ Vector((0.0, 0.0, -1.0))) < radians(1.0)
        assert done.errors()[0] <= NEAR


def test_the_wrist_bends_no_farther_than_it_may_and_the_palm_is_there_all_the_same(person):
    for angle in np.linspace(-180.0, 180.0, 25):
        turn = Quaternion((1.0, 0.0, 0.0), radians(angle))
        done = stand_and_reach(person, ReachConfig(match=1.0), Spot(-0.25, -0.35, 1.1, tuple(turn)))
        _, elbow, wrist = done.joints()[0]
        hand = done.touch.bone
        fingers = done.poses[0].tail(hand) - done.poses[0].head(hand)
        # Shoulder and spine are not in what the limit is told from, and the hand is 10 degrees off the forearm at rest.
        assert (wrist - elbow).angle(fingers) < radians(70.0 + 12.0)
        assert done.errors()[0] <= NEAR


def test_offset_and_grip_say_what_touches(person):
    place = (-0.25, -0.4, 1.2)
    hand = person.arms[1].hand
    for offset in (0.0, 0.07):
        done = stand_and_reach(person, ReachConfig(offset=offset, match=1.0), place)
        skin = done.poses[0].model(hand) @ done.touch.point
        assert (skin - Vector(place)).length == pytest.approx(offset, abs=NEAR)
        assert skin.z >= place[2] + offset - NEAR
    wrist = stand_and_reach(person, ReachConfig(grip=0.0), place)
    assert (wrist.poses[0].head(hand) - Vector(place)).length < 0.02
    tips = stand_and_reach(person, ReachConfig(grip=1.0), place)
    assert (tips.poses[0].tail(hand) - Vector(place)).length < 0.02


@pytest.mark.parametrize("limb", ["front_foot.L", "hind_foot.R"])
def test_a_dogs_paw_comes_onto_a_block_as_it_stood(dog, limb):
    config = ReachConfig(limb=limb)
    sole = stand_and_reach(dog, config, (0.0, 0.0, 0.0), 1e-9).touching()[0]
    block = tuple(sole + np.array([0.02, -0.1, 0.12]))
    done = stand_and_reach(dog, config, block)
    foot = done.touch.bone
    assert done.errors()[0] <= NEAR
    assert degrees(rotation_between(done.poses[0].turn(foot), done.bases[0].turn(foot))) < 0.01
    assert done.reasons == [""]
    untouched = set(range(len(dog.skeleton))) - set(Reach(dog, config).driven()[0])
    assert all(done.poses[0].rotations[i] == done.bases[0].rotations[i] for i in untouched)


def test_a_foot_that_matches_lies_on_a_slope(person):
    slope = Quaternion((1.0, 0.0, 0.0), radians(-20.0))
    config = ReachConfig(limb="foot.R", match=1.0)
    done = stand_and_reach(person, config, Spot(-0.1, -0.25, 0.3, tuple(slope)))
    foot = done.touch.bone
    turned = done.poses[0].turn(foot) @ person.skeleton.bones[foot].rest.to_quaternion().inverted()
    assert degrees(rotation_between(turned, slope)) < 0.05
    assert done.errors()[0] <= NEAR


def test_a_spiders_claw_reaches_too():
    spider = understood(spider_skeleton())
    config = ReachConfig(limb="foot1.L")
    claw = stand_and_reach(spider, config, (0.0, 0.0, 0.0), 1e-9).touching()[0]
    done = stand_and_reach(spider, config, tuple(claw + np.array([0.02, -0.03, 0.06])))
    assert done.errors()[0] <= NEAR


def test_a_foot_that_hangs_under_the_root_is_moved_along():
    bones = list(person_skeleton().bones)
    index = person_skeleton().index
    for side in "LR":
        i = index[f"foot.{side}"]
        bones[i] = bones[i].__class__(f"foot.{side}", index["root"], bones[i].rest, bones[i].length)
    rig = understood(Skeleton(tuple(bones)))
    assert rig.legs[0].detached
    done = stand_and_reach(rig, ReachConfig(limb="foot.R"), (-0.12, -0.25, 0.3))
    leg = rig.leg("leg.R")
    assert done.errors()[0] <= NEAR
    assert (done.poses[0].head(leg.foot) - done.poses[0].tail(leg.bones[-1])).length < 1e-3
    assert Reach(rig, ReachConfig(limb="foot.R")).driven()[1] == (leg.foot,)


def test_a_limb_that_is_not_there_is_refused_with_those_that_are(dog):
    layer = Reach(dog, ReachConfig(limb="hand.R"))
    assert [str(problem) for problem in layer.problems] == [
        "There is no 'hand.R' on this rig to reach with. "
        "Choose one of front_foot.L, front_foot.R, hind_foot.L, hind_foot.R."
    ]
    assert layer.driven() == ((), ())


def test_the_names_of_limbs_are_those_of_hands_and_feet(person):
    assert list(limbs_of(person)) == ["hand.L", "hand.R", "foot.L", "foot.R"]
    assert "foot4.R" in limbs_of(understood(spider_skeleton()))


def test_two_hands_hold_their_own_and_neither_minds_the_other(person):
    limbs = {"hand.L": Spot(0.3, -0.4, 1.2), "hand.R": Spot(-0.2, -0.45, 1.0)}
    poses = []
    for order in (("hand.L", "hand.R"), ("hand.R", "hand.L"), ("hand.L",), ("hand.R",)):
        stack = Stack(person, [LayerSettings("REACH", ReachConfig(limb=limb)) for limb in order])
        pose = EditedPose.rest(person.skeleton)
        moment = Moment(0.0, Ground(0.0, 0.0, 0.0, 0.0), Matrix(), Matrix(), Flat())
        stack.apply(pose, stack.start(), moment, [LayerInput(1.0, True, limbs[limb]) for limb in order])
        poses.append(pose)
    both, turned_round, left, right = (pose.rotations for pose in poses)
    assert both == turned_round
    for arm, alone in zip(person.arms, (left, right), strict=True):
        assert all(both[i] == alone[i] for i in (*arm.bones, arm.hand))


def test_a_weight_that_fades_while_walking_goes_one_way(person):
    """Seen from the body and from where the walk has the hand, the way to the ball shortens and lengthens steadily."""

    def wish(time, ground):
        return LayerInput(min(1.0, max(0.0, min(time - 0.5, 3.5 - time))), True, ball(0.0, ground))

    done = reach(person, ReachConfig(ease=0.0), wish, 4.0, speed=1.2)
    plain = done.touching(done.bases)
    ways = np.linalg.norm(done.touching() - plain, axis=-1) / np.linalg.norm(done.targets() - plain, axis=-1)
    assert ways == pytest.approx([said.weight for said in done.wishes], abs=2e-3)
    assert done.poses[-1].rotations == done.bases[-1].rotations


def test_from_frame_to_frame_no_joint_jumps_while_the_hand_goes_round(person):
    worst = 0.0
    for match in (0.0, 1.0):
        before = None
        for n in range(241):
            angle = radians(1.5 * n)
            place = (-0.15 + 0.3 * cos(angle), -0.38, 1.25 + 0.3 * sin(angle))
            done = stand_and_reach(person, ReachConfig(match=match), place)
            arm = [done.poses[0].turn(i) for i in (*person.arms[1].bones, person.arms[1].hand)]
            if before:
                worst = max(worst, *(degrees(rotation_between(a, b)) for a, b in zip(before, arm, strict=True)))
            before = arm
    # The target goes by 7.9 mm a step, 1.1 degrees as seen from an elbow that is 40 cm away.
    assert worst < 5.0


@pytest.mark.parametrize(
    ("make", "limb"),
    [(person_skeleton, "hand.R"), (dog_skeleton, "front_foot.R"), (spider_skeleton, "foot1.R"), (snake_skeleton, "")],
)
def test_with_nothing_named_the_right_hand_or_the_foremost_right_foot_reaches(make, limb):
    rig = understood(make())
    assert suited_limb(rig) == limb
    assert bool(Reach(rig, ReachConfig()).problems) == (not limb)
