"""Look-at: the head meets its target within limits, never snaps, and gives up through the front."""

from dataclasses import replace
from math import cos, degrees, isfinite, pi, radians, sin

import pytest
from mathutils import Quaternion, Vector
from support.layered import understood
from support.looking import (
    LOOK,
    UPRIGHT,
    around,
    at,
    eye_of,
    head_sways,
    looks,
    moment,
    rig_of,
    seen,
    steps,
    walking_looks,
)
from support.rigs import person_skeleton
from surefoot.core.control.intent import LayerInput, Spot
from surefoot.core.layers.layer import LayerSettings
from surefoot.core.layers.look_at import LookAt, LookAtConfig
from surefoot.core.layers.stack import Stack
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.skeleton import Bone, Skeleton

BODIES = ("person", "dog", "horse", "bird")
SET = LookAtConfig(bounds="SET")
ONE_SECOND = 60


def settled(rig, spot, config=LOOK, sway=None):
    """The head after a jump: all that chases and fades is where it is going."""
    return looks(rig, lambda _time: spot, 0.0, config=config, sway=sway)[0]


# --- still targets


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("target", [(0, 0, 3), (60, 10, 2), (-70, -30, 1), (40, 25, 0.7), (10, -35, 1.5)])
def test_after_a_second_the_head_is_on_a_still_target(name, target):
    rig = rig_of(name)
    spot = at(rig, *target)
    found = looks(rig, lambda time: spot if time > 0.5 else None, 1.5)
    assert found[ONE_SECOND // 2].angles == pytest.approx((0.0, 0.0), abs=0.1)
    assert found[-1].off(spot) < 0.5


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("target", [(60, 10, 2), (-70, -30, 1), (40, 25, 0.7), (20, -20, 0.4)])
def test_once_settled_it_is_on_the_target_exactly_though_turning_moves_the_eyes(name, target):
    rig = rig_of(name)
    spot = at(rig, *target)
    assert settled(rig, spot).off(spot) < 0.05


@pytest.mark.parametrize(("name", "speed"), [("person", 1.4), ("dog", 1.0), ("bird", 0.5)])
@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_while_it_walks_past_a_still_target_the_head_stays_on_it(name, speed, fps):
    spot = Spot(2.5, -6.0, 1.3 * rig_of(name).leg_length)
    found = walking_looks(name, lambda _time: spot, 2.5, fps, speed)
    assert max(look.off(spot) for look in found[round(fps) :]) < 0.5


def test_a_companion_who_walks_along_is_seen_without_lag():
    def path(time):
        return Spot(1.0, -1.5 - 1.4 * time, 1.6)

    found = walking_looks("person", path, 3.0, 24.0, 1.4)
    assert max(look.off(path(look.time)) for look in found[24:]) < 1.0


@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_the_clip_s_own_head_sway_is_replaced(fps):
    rig = rig_of("person")
    spot = at(rig, 30.0, 5.0, 2.0)
    found = looks(rig, lambda _time: spot, 3.0, fps, sway=head_sways(rig))
    assert max(look.off(spot) for look in found[round(1.5 * fps) :]) < 0.1
    free = looks(rig, lambda _time: None, 3.0, fps, sway=head_sways(rig), config=replace(LOOK, idle="POSE"))
    assert max(look.off(spot) for look in free) > 40.0


def test_a_thing_straight_ahead_leaves_the_rest_pose():
    rig = rig_of("person")
    look = settled(rig, at(rig, 0.0, 0.0, 3.0))
    rest = EditedPose.rest(rig.skeleton)
    turns = [look.pose.turn(i).rotation_difference(rest.turn(i)).angle for i in range(len(rig.skeleton))]
    assert max(map(degrees, turns)) < 0.1


# --- limits and shares


@pytest.mark.parametrize(
    ("target", "expected"),
    [((90, 0), (75, 0)), ((-100, 0), (-75, 0)), ((0, 60), (0, 29)), ((0, -60), (0, -40)), ((85, 50), (75, 29))],
)
def test_a_person_s_head_stops_at_its_limits(target, expected):
    rig = rig_of("person")
    assert settled(rig, at(rig, *target, 20.0)).angles == pytest.approx(expected, abs=0.2)


def test_limits_hold_for_the_final_pose_and_not_for_the_change_of_it():
    rig = rig_of("person")
    look = settled(rig, at(rig, 60.0, 0.0, 20.0), sway=head_sways(rig, radians(60.0), 0.0))
    assert look.angles[0] == pytest.approx(60.0, abs=0.5)
    beyond = settled(rig, at(rig, 100.0, 0.0, 20.0), sway=head_sways(rig, radians(60.0), 0.0))
    assert beyond.angles[0] == pytest.approx(75.0, abs=0.2)


def test_limits_are_told_against_the_chest_s_facing():
    rig = rig_of("person")

    def turned(pose, _time):
        pose.turn_by(rig.spine[0], Quaternion((0.0, 0.0, 1.0), radians(30.0)))

    assert settled(rig, at(rig, 130.0, 0.0, 20.0), sway=turned).angles[0] == pytest.approx(105.0, abs=0.5)


def test_a_body_that_leans_forward_still_looks_ahead():
    rig = rig_of("person")

    def leaning(pose, _time):
        pose.turn_by(rig.spine[0], Quaternion((1.0, 0.0, 0.0), radians(35.0)))

    look = settled(rig, at(rig, 0.0, 0.0, 40.0), sway=leaning)
    assert look.off(at(rig, 0.0, 0.0, 40.0)) < 0.1


@pytest.mark.parametrize("yaw", [60.0, -35.0])
def test_the_chest_makes_a_fifth_the_neck_a_third_of_the_rest_and_the_head_what_is_left(yaw):
    rig = rig_of("person")
    look = settled(rig, at(rig, yaw, 0.0, 50.0))
    rest = EditedPose.rest(rig.skeleton)
    bones = (rig.spine[-1], rig.neck[-1], rig.head)
    turned = [degrees(look.pose.turn(i).rotation_difference(rest.turn(i)).angle) / abs(yaw) for i in bones]
    assert turned == pytest.approx([0.2, 0.2 + 0.8 / 3.0, 1.0], abs=0.02)


@pytest.mark.parametrize(("chest", "neck"), [(0.0, 0.5), (0.4, 0.2), (0.3, 0.0)])
def test_shares_are_as_set(chest, neck):
    rig = rig_of("person")
    config = replace(SET, chest=chest, neck=neck)
    spot = at(rig, 50.0, 0.0, 50.0)
    look, rest = settled(rig, spot, config), EditedPose.rest(rig.skeleton)
    turned = [
        degrees(look.pose.turn(i).rotation_difference(rest.turn(i)).angle) / 50.0
        for i in (rig.spine[-1], rig.neck[-1], rig.head)
    ]
    assert turned == pytest.approx([chest, chest + (1.0 - chest) * neck, 1.0], abs=0.03)
    assert look.off(spot) < 0.05


def test_a_long_neck_makes_more_of_the_turn_and_its_upper_bones_more_than_its_lower():
    rig = rig_of("horse")
    look = settled(rig, at(rig, 60.0, 0.0, 50.0))
    rest = EditedPose.rest(rig.skeleton)
    turned = [degrees(look.pose.turn(i).rotation_difference(rest.turn(i)).angle) for i in (*rig.neck, rig.head)]
    own = [b - a for a, b in zip([0.0, *turned], turned, strict=False)]
    assert own[0] < own[1] < own[2]
    assert turned[2] > 0.55 * turned[3]


@pytest.mark.parametrize("name", ["dog", "horse"])
def test_no_bone_that_carries_legs_is_turned(name):
    rig = rig_of(name)
    driven = set(LookAt(rig, LOOK).driven()[0])
    carriers = {j for leg in rig.legs for j in rig.skeleton.ancestors(leg.bones[0])}
    assert driven.isdisjoint(carriers)


def test_a_dog_looks_at_its_food_on_the_ground():
    rig = rig_of("dog")
    eye = eye_of(rig)
    food = Spot(0.0, eye.y - 0.25, 0.0)
    look = settled(rig, food)
    assert look.off(food) < 0.05
    assert look.eye.z < eye.z - 0.1


# --- round and round


@pytest.mark.parametrize("name", [*BODIES, "spider"])
@pytest.mark.parametrize("radius", [1.0, 3.0])
@pytest.mark.parametrize("height", [0.3, 1.65, 2.6])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_no_step_is_over_four_degrees_while_a_target_circles(name, radius, height, sign):
    rig = rig_of(name)
    assert max(steps(looks(rig, around(rig, radius, height, 8.0, sign), 16.0))) < 4.0


@pytest.mark.parametrize("name", ["person", "dog"])
@pytest.mark.parametrize("height", [0.3, 1.65, 2.6])
def test_the_way_of_the_head_is_the_same_at_24_and_120_frames_a_second(name, height):
    rig = rig_of(name)
    path = around(rig, 1.0, height, 8.0)
    coarse, fine = looks(rig, path, 16.0, 24.0), looks(rig, path, 16.0, 120.0)[::5]
    apart = [degrees(a.facing.angle(b.facing, 0.0)) for a, b in zip(coarse, fine, strict=True)]
    assert max(apart) < 1.0


def test_a_target_that_circles_in_sixty_frames_is_let_go_and_met_again_through_the_front():
    rig = rig_of("person")
    found = looks(rig, around(rig, 1.0, 1.65, 2.5), 10.0, 24.0)
    yaws = [look.angles[0] for look in found]
    assert max(map(abs, yaws)) < 80.0
    assert max(steps(found)) < 15.0
    left = [n for n, yaw in enumerate(yaws) if yaw > 45.0]
    right = [n for n, yaw in enumerate(yaws) if yaw < -45.0]
    changes = [min(n for n in right if n > last) - last for last in left if last + 1 not in left and last < max(right)]
    assert changes
    assert min(changes) >= 10


def test_a_target_that_swings_about_behind_does_not_turn_the_head_from_side_to_side():
    rig = rig_of("person")
    config = replace(SET, give_up=pi)
    behind = Vector(eye_of(rig))

    def path(time):
        angle = radians(165.0) if time < 1.0 else pi + radians(12.0) * sin(9.0 * time)
        return Spot(behind.x + 2.0 * sin(angle), behind.y - 2.0 * cos(angle), behind.z)

    yaws = [look.angles[0] for look in looks(rig, path, 4.0, config=config)[ONE_SECOND:]]
    assert min(yaws) > 70.0


def test_what_is_too_far_round_is_let_go_and_said():
    rig = rig_of("person")
    spot = at(rig, 150.0, 0.0, 3.0)
    look = settled(rig, spot)
    assert "too far round" in look.reason
    assert look.angles == pytest.approx((0.0, 0.0), abs=0.1)


def test_when_a_target_is_taken_away_the_head_comes_back_to_the_pose_to_the_bit():
    rig = rig_of("person")
    spot = at(rig, 60.0, 10.0, 2.0)
    found = looks(rig, lambda time: spot if time < 1.0 else None, 4.0)
    assert max(steps(found)) < 4.0
    assert found[-1].pose.rotations == EditedPose.rest(rig.skeleton).rotations


def test_when_it_is_suspended_it_lets_go_smoothly_and_takes_up_again():
    rig = rig_of("person")
    spot = at(rig, 60.0, 10.0, 2.0)
    found = looks(rig, lambda _time: spot, 6.0, on=lambda time: not 1.5 < time < 4.0)
    assert max(steps(found)) < 4.0
    assert found[round(3.9 * 60)].angles == pytest.approx((0.0, 0.0), abs=0.1)
    assert found[-1].off(spot) < 0.1


@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_a_target_that_jumps_is_turned_to_without_a_snap(fps):
    rig = rig_of("person")
    one, two = at(rig, 70.0, 10.0, 2.0), at(rig, -70.0, -20.0, 2.0)
    found = looks(rig, lambda time: one if time < 2.0 else two, 3.5, fps)
    assert max(steps(found)) < 4.0 * 60.0 / fps
    assert found[-1].off(two) < 0.5


# --- places without a direction


@pytest.mark.parametrize("name", [*BODIES, "spider"])
@pytest.mark.parametrize("shift", [(0, 0, 0), (0, 0, 1e-6), (0, 0, 2), (0, 0, -0.3), (0, 1, 0), (0, 0.01, 0.01)])
def test_at_the_eyes_straight_above_below_and_behind_all_is_defined(name, shift):
    rig = rig_of(name)
    spot = Spot(*(eye_of(rig) + Vector(shift)))
    for look in looks(rig, lambda _time: spot, 0.5, 24.0):
        assert all(isfinite(number) for turn in look.pose.rotations for number in turn)


def test_a_target_that_passes_overhead_does_not_whirl_the_head_about():
    rig = rig_of("person")
    eye = eye_of(rig)
    found = looks(rig, lambda time: Spot(eye.x + 0.05, eye.y - 3.0 + 2.0 * time, eye.z + 1.5), 3.0)
    assert max(steps(found)) < 4.0
    assert max(abs(look.angles[0]) for look in found) < 30.0


def test_far_from_the_origin_it_is_as_exact():
    rig = rig_of("person")
    layer, far = LookAt(rig, LOOK), (40000.0, -70000.0, 300.0)
    ground = UPRIGHT._replace(x=far[0], y=far[1], z=far[2])
    spot = at(rig, 50.0, 10.0, 2.0)
    pose = EditedPose.rest(rig.skeleton)
    moved = Spot(*(a + b for a, b in zip(spot[:3], far, strict=True)))
    layer.apply(pose, layer.start(), moment(0.0, ground), LayerInput(spot=moved))
    assert seen(layer, pose).off(spot) < 0.05


# --- weights and rigs


@pytest.mark.parametrize("weight", [0.25, 0.5, 0.75])
def test_a_weight_makes_its_share_of_the_turn(weight):
    rig = rig_of("person")
    spot, pose = at(rig, 60.0, 0.0, 50.0), EditedPose.rest(rig.skeleton)
    stack = Stack(rig, [LayerSettings("LOOK_AT", LOOK)])
    stack.apply(pose, stack.start(), moment(0.0), [LayerInput(weight, spot=spot)])
    assert seen(LookAt(rig, LOOK), pose).angles[0] == pytest.approx(60.0 * weight, abs=1.0)


@pytest.mark.parametrize("mask", ["head", "neck", "upper_body -chest neck", "-neck head"])
def test_with_a_mask_over_part_of_the_chain_the_head_still_meets_its_target(mask):
    rig = rig_of("person")
    spot, pose = at(rig, 50.0, 10.0, 2.0), EditedPose.rest(rig.skeleton)
    stack = Stack(rig, [LayerSettings("LOOK_AT", LOOK, mask)])
    stack.apply(pose, stack.start(), moment(0.0), [LayerInput(spot=spot)])
    assert seen(LookAt(rig, LOOK), pose).off(spot) < 0.05


def odd_head(skeleton: Skeleton, turn: Quaternion) -> Skeleton:
    """The same skeleton with another bone direction and roll for its head."""
    index, bones = skeleton.index["head"], list(skeleton.bones)
    head = bones[index]
    rest = (head.rest.to_quaternion() @ turn).to_matrix().to_4x4()
    rest.translation = head.head
    bones[index] = Bone(head.name, head.parent, rest, head.length)
    return Skeleton(tuple(bones))


@pytest.mark.parametrize("target", [(0, 0), (60, 10), (-50, -30)])
def test_a_head_bone_that_is_rolled_and_tilted_at_rest_looks_as_well(target):
    tilted = Quaternion((0.0, 1.0, 0.0), radians(70.0)) @ Quaternion((1.0, 0.0, 0.0), radians(25.0))
    rig = understood(odd_head(person_skeleton(), tilted))
    spot = at(rig, *target, 3.0)
    look = settled(rig, spot)
    assert look.off(spot) < 0.1
    if target == (0, 0):
        assert (
            look.pose.turn(rig.head).rotation_difference(rig.skeleton.bones[rig.head].rest.to_quaternion()).angle < 1e-3
        )


def test_a_stiff_head_on_many_legs_turns_a_little():
    rig = rig_of("spider")
    assert settled(rig, at(rig, 60.0, 0.0, 20.0)).angles[0] == pytest.approx(30.0, abs=0.1)


def test_a_rig_without_neck_and_chest_looks_with_its_head_alone():
    rig = replace(rig_of("person"), spine=(), neck=())
    spot = at(rig, 40.0, 10.0, 3.0)
    assert LookAt(rig, LOOK).driven() == ((rig.head,), ())
    assert settled(rig, spot).off(spot) < 0.05


def test_a_rig_without_a_head_has_a_problem_with_a_remedy_and_stays_as_it_is():
    rig = replace(rig_of("person"), head=-1)
    layer, pose = LookAt(rig, LOOK), EditedPose.rest(rig.skeleton)
    assert "no head" in str(layer.problems[0])
    assert "role head" in layer.problems[0].remedy
    layer.apply(pose, layer.start(), moment(0.0), LayerInput(spot=Spot(1.0, -1.0, 1.0)))
    assert pose.rotations == EditedPose.rest(rig.skeleton).rotations


def test_a_face_bone_that_begins_where_its_skull_does_goes_along_with_it():
    skeleton = person_skeleton()
    head = skeleton.index["head"]
    face = Bone("face", head, skeleton.bones[head].rest.copy(), 0.5 * skeleton.bones[head].length)
    rig = understood(Skeleton((*skeleton.bones, face)))
    rig = replace(rig, neck=(*rig.neck, rig.skeleton.index["head"]), head=rig.skeleton.index["face"])
    assert LookAt(rig, LOOK).chain.bones[-1] == rig.skeleton.index["head"]
    assert rig.skeleton.index["face"] not in LookAt(rig, LOOK).driven()[0]
