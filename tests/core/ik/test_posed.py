"""Posed limbs brought elsewhere: exact, with the least change, without a jump, whatever the bones' axes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion, Vector
from support.extension import ROOT
from support.limbs import ALL, DOG_HIND, INSECT, PERSON, STRAIGHT, total
from support.posed_limbs import array, bent, limb_of, posed, rig_of, rotations, turned
from support.reshaped import mirrored, scaled
from support.rigs import dog_skeleton, person_skeleton, spider_skeleton
from surefoot.core.ik.posed import PosedLimb, bring_tip
from surefoot.core.ik.swing import Reach
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
PLACES = {**ALL, "straight": STRAIGHT}
DIRECTIONS = ((0.1, -0.3, -1.0), (0.8, 0.2, -0.4), (-0.3, 0.9, 0.1), (0.2, -0.7, 0.7))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_the_tip_comes_to_its_goal_and_no_segment_changes_length(places, share, direction):
    pose, limb = posed(rig_of(places))
    before = array(pose, limb)
    goal = Vector(before[0]) + Vector(direction).normalized() * (share * total(places))
    brought = bring_tip(pose, limb, goal)
    after = array(pose, limb)
    assert brought.reach is Reach.EXACT
    assert math.dist(after[-1], goal) <= 2e-5 * total(places)
    assert brought.error == pytest.approx(math.dist(after[-1], goal), abs=1e-7)
    assert brought.extension == pytest.approx(share, abs=3e-5)
    np.testing.assert_allclose(after[0], before[0], atol=1e-6)
    lengths = [np.linalg.norm(np.diff(joints, axis=0), axis=-1) for joints in (before, after)]
    np.testing.assert_allclose(lengths[1], lengths[0], atol=2e-6)


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_a_tip_at_its_goal_leaves_the_pose_to_the_bit(places):
    pose, limb = posed(rig_of(places))
    before = rotations(pose)
    bring_tip(pose, limb, limb.tip_of(pose))
    assert rotations(pose) == before


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("amount", [0.01, 0.5])
def test_a_goal_a_tenth_of_a_millimetre_off_hardly_changes_the_pose(places, amount):
    pose, limb = posed(rig_of(places), amount=amount)
    before = array(pose, limb)
    bring_tip(pose, limb, limb.tip_of(pose) + Vector((0.3, -0.4, 0.87)) * 1e-4, most=1.0)
    # A straight limb's middle gives way by the root of what its ends come nearer.
    assert np.abs(array(pose, limb) - before).max() <= math.sqrt(1e-4 * total(places))


@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_bringing_a_limb_twice_is_bringing_it_once(places):
    pose, limb = posed(rig_of(places))
    goal = limb.joints(pose)[0] + Vector((0.2, -0.3, -0.5)) * total(places)
    bring_tip(pose, limb, goal)
    once = array(pose, limb)
    bring_tip(pose, limb, goal)
    np.testing.assert_allclose(array(pose, limb), once, atol=2e-5 * total(places))


@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_there_and_back_again_is_the_pose_that_was(places):
    pose, limb = bent(places, 30.0)
    before, tip = array(pose, limb), limb.tip_of(pose)
    bring_tip(pose, limb, limb.joints(pose)[0] + (tip - limb.joints(pose)[0]) * 0.9)
    assert np.abs(array(pose, limb) - before).max() > 0.01 * total(places)
    bring_tip(pose, limb, tip, most=1.0)
    np.testing.assert_allclose(array(pose, limb), before, atol=2e-4 * total(places))


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_a_goal_out_of_reach_is_pointed_at_with_all_but_the_last_half_percent(places):
    pose, limb = posed(rig_of(places))
    root = limb.joints(pose)[0]
    goal = root + Vector((0.3, -1.0, -0.2)) * (2.0 * total(places))
    own = (limb.tip_of(pose) - root).length / total(places)
    brought = bring_tip(pose, limb, goal)
    assert brought.reach is Reach.CLAMPED
    assert brought.extension == pytest.approx(max(0.995, own), abs=1e-4)
    assert (limb.tip_of(pose) - root).normalized().dot((goal - root).normalized()) > 1.0 - 1e-6


def test_a_pose_that_is_straighter_than_the_limit_may_stay_so():
    pose, limb = bent(STRAIGHT, 0.0)
    root = limb.joints(pose)[0]
    brought = bring_tip(pose, limb, root + Vector((0.0, -0.8, 0.0)), most=0.9)
    assert (brought.reach, brought.extension) == (Reach.EXACT, pytest.approx(1.0, abs=1e-5))


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("amount", [0.0, 0.5])
def test_a_goal_at_the_root_or_hardly_off_it_keeps_every_number_finite(places, amount):
    for off in (Vector(), Vector((1e-7, 0.0, 0.0)), Vector((0.0, 1e-3, 0.0))):
        pose, limb = posed(rig_of(places), amount=amount)
        brought = bring_tip(pose, limb, limb.joints(pose)[0] + off)
        assert np.isfinite(array(pose, limb)).all()
        assert brought.reach is not Reach.EXACT


@pytest.mark.parametrize("places", [(PERSON[0],) * 3, (PERSON[0],) * 4], ids=["two", "three"])
def test_a_limb_of_no_length_stays_as_it_is(places):
    pose, limb = posed(rig_of(places))
    before = rotations(pose)
    brought = bring_tip(pose, limb, Vector((1.0, 2.0, 3.0)))
    assert brought.reach is Reach.DEGENERATE
    assert rotations(pose) == before


@pytest.mark.parametrize("gone", range(3))
def test_a_segment_of_no_length_leaves_the_others_to_point(gone):
    places = list(DOG_HIND)
    places[gone + 1] = places[gone]
    pose, limb = posed(rig_of(places))
    root = limb.joints(pose)[0]
    goal = root + Vector((0.1, -1.0, 0.2))
    bring_tip(pose, limb, goal)
    tip = limb.tip_of(pose)
    assert np.isfinite(array(pose, limb)).all()
    assert (tip - root).normalized().dot((goal - root).normalized()) > 1.0 - 1e-5


def test_one_segment_points_at_its_goal():
    pose, limb = posed(rig_of(PERSON[:2]))
    root = limb.joints(pose)[0]
    brought = bring_tip(pose, limb, root + Vector((1.0, 0.0, 0.0)))
    assert brought.reach is Reach.CLAMPED
    length = math.dist(PERSON[0], PERSON[1])
    assert tuple(limb.tip_of(pose) - root) == pytest.approx((length, 0.0, 0.0), abs=1e-5)


@pytest.mark.parametrize("behind", [0.0, 1e-4])
def test_a_straight_rest_leg_bends_its_knee_forward_also_while_the_body_leans_back(behind):
    hip, knee, ankle = STRAIGHT
    places = (hip, (knee[0], behind, knee[2]), ankle)
    for lean in (0.0, -60.0):
        rig = rig_of(places)
        pose, limb = EditedPose.rest(rig.skeleton), limb_of(rig)
        pose.turn_by(0, Quaternion((1.0, 0.0, 0.0), math.radians(lean)))
        root, _, tip = limb.joints(pose)
        bring_tip(pose, limb, tip.lerp(root, 0.3))
        forward = pose.moved(0).to_quaternion() @ Vector((0.0, -1.0, 0.0))
        joints = limb.joints(pose)
        middle = joints[1] - (joints[0] + joints[2]) * 0.5
        assert middle.normalized().dot(forward) > 0.99


def test_a_hinge_bent_about_another_axis_than_the_rests_keeps_its_own():
    pose, limb = bent(PERSON, 50.0, axis=(0.0, 1.0, 0.0))
    before = array(pose, limb)
    normal = np.cross(before[1] - before[0], before[2] - before[1])
    goal = Vector(before[2]).lerp(Vector(before[0]), 0.3)
    bring_tip(pose, limb, goal)
    after = array(pose, limb)
    turned_normal = np.cross(after[1] - after[0], after[2] - after[1])
    cosine = normal @ turned_normal / np.linalg.norm(normal) / np.linalg.norm(turned_normal)
    assert cosine > 1.0 - 1e-5


@pytest.mark.parametrize("places", [DOG_HIND, INSECT], ids=["dog", "insect"])
def test_every_joint_shares_the_change_and_none_turns_its_bend_around(places):
    for share in np.linspace(0.45, 0.95, 11):
        pose, limb = posed(rig_of(places), amount=0.2)
        before = array(pose, limb)
        bring_tip(pose, limb, Vector(before[0]) + Vector((0.0, 0.2, -1.0)).normalized() * (share * total(places)))
        after = array(pose, limb)
        ratios = []
        for k in range(1, len(places) - 1):
            angles = []
            for joints in (before, after):
                upper, lower = joints[k] - joints[k - 1], joints[k + 1] - joints[k]
                angles.append(math.atan2(np.linalg.norm(np.cross(upper, lower)), upper @ lower))
            ratios.append(angles[1] / angles[0])
        assert min(ratios) > 0.0
        assert max(ratios) == pytest.approx(min(ratios), rel=2e-3)


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_the_smallest_swing_leaves_a_goal_on_the_limbs_line_without_any(places):
    pose, limb = posed(rig_of(places))
    before = array(pose, limb)
    axis = (before[-1] - before[0]) / np.linalg.norm(before[-1] - before[0])
    share = 0.8 * np.linalg.norm(before[-1] - before[0])
    bring_tip(pose, limb, Vector(before[0] + axis * share))
    after = array(pose, limb)
    np.testing.assert_allclose(after[-1], before[0] + axis * share, atol=2e-5 * total(places))
    normals = [np.cross(joints[1] - joints[0], axis) for joints in (before, after)]
    if places is not STRAIGHT:
        assert normals[0] @ normals[1] > 0.0


def test_a_pole_turns_the_middle_and_leaves_the_tip():
    pose, limb = bent(PERSON, 50.0)
    root = limb.joints(pose)[0]
    goal = root + Vector((0.0, -0.2, -0.6))
    bring_tip(pose, limb, goal, pole=Vector((1.0, 0.0, 0.0)))
    joints = limb.joints(pose)
    line = (goal - root).normalized()
    middle = joints[1] - root
    middle = (middle - line * middle.dot(line)).normalized()
    assert middle.dot(Vector((1.0, 0.0, 0.0))) > 1.0 - 1e-5
    assert (joints[2] - goal).length < 2e-5


def test_a_swing_turns_the_middle_right_handed_about_the_line_to_the_goal():
    middles = []
    for swing in (0.0, 0.7):
        pose, limb = bent(PERSON, 50.0)
        root = limb.joints(pose)[0]
        goal = root + Vector((0.0, -0.2, -0.6))
        bring_tip(pose, limb, goal, swing=swing)
        assert (limb.tip_of(pose) - goal).length < 2e-5
        line = (goal - root).normalized()
        middle = limb.joints(pose)[1] - root
        middles.append((middle - line * middle.dot(line)).normalized())
    angle = math.atan2(middles[0].cross(middles[1]).dot(line), middles[0].dot(middles[1]))
    assert angle == pytest.approx(0.7, abs=1e-4)


@pytest.mark.parametrize("places", [PERSON, DOG_HIND, STRAIGHT], ids=["person", "dog", "straight"])
def test_the_roll_of_the_bones_makes_no_difference(places):
    answers = []
    for roll in (0.0, 45.0, 90.0, -170.0):
        rig = rig_of(places, rolls=(math.radians(roll),) * 4)
        pose, limb = EditedPose.rest(rig.skeleton), limb_of(rig)
        turned(pose, limb, amount=0.3)
        root = limb.joints(pose)[0]
        bring_tip(pose, limb, root + Vector((0.2, -0.4, -0.5)) * total(places), pole=Vector((0.5, -1.0, 0.0)))
        answers.append([*array(pose, limb), *(np.array(pose.moved(i).to_quaternion()) for i in limb.bones)])
    for answer in answers[1:]:
        for one, other in zip(answers[0], answer, strict=True):
            np.testing.assert_allclose(np.abs(other), np.abs(one), atol=1e-4)


def test_a_bone_that_stands_off_its_parent_keeps_its_place_and_its_location():
    rig = rig_of(PERSON, gap=(0.0, 0.0, 0.12))
    pose, limb = posed(rig)
    pose.set_basis(2, pose.rotations[2], Vector((0.01, 0.02, 0.0)))
    held, root = dict(pose.locations), limb.joints(pose)[0]
    lengths = np.linalg.norm(np.diff(array(pose, limb), axis=0), axis=-1)
    bring_tip(pose, limb, root + Vector((0.3, -0.3, -0.3)))
    assert pose.locations == held
    assert limb.joints(pose)[0] == root
    np.testing.assert_allclose(np.linalg.norm(np.diff(array(pose, limb), axis=0), axis=-1), lengths, atol=1e-6)


def test_bones_that_do_not_turn_with_their_parents_come_along_too():
    rig = rig_of(PERSON)
    bones = list(rig.skeleton.bones)
    bones[2] = replace(bones[2], inherit_rotation=False)
    rig = replace(rig, skeleton=Skeleton(tuple(bones)))
    pose, limb = posed(rig)
    goal = limb.joints(pose)[0] + Vector((0.2, -0.4, -0.4))
    assert bring_tip(pose, limb, goal).error < 2e-5


def turn_of(angle):
    return Matrix.Translation((1.0, -2.0, 0.5)) @ Euler((0.4, -0.7, angle)).to_matrix().to_4x4()


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_a_body_that_is_moved_and_turned_takes_the_whole_answer_along(places):
    answers = []
    for where in (Matrix(), turn_of(2.0)):
        rig = rig_of(places)
        pose, limb = EditedPose.rest(rig.skeleton), limb_of(rig)
        turned(pose, limb, amount=0.1)
        goal = limb.joints(pose)[0] + Vector((0.2, -0.4, -0.5)) * total(places)
        pose.set_model(0, where @ pose.model(0))
        bring_tip(pose, limb, where @ goal)
        answers.append([where.inverted() @ joint for joint in limb.joints(pose)])
    for one, other in zip(*answers, strict=True):
        assert (one - other).length < 2e-5 * total(places)


@pytest.mark.parametrize("make", [person_skeleton, dog_skeleton, spider_skeleton])
def test_a_body_of_another_size_and_its_mirror_image_answer_alike(make):
    plain = understand(make(), CONVENTIONS).rig
    large = understand(scaled(make(), 10.0), CONVENTIONS).rig
    image = understand(mirrored(make()), CONVENTIONS).rig
    for leg in plain.legs:
        limb = PosedLimb.of_leg(plain, leg)
        pose = EditedPose.rest(plain.skeleton)
        goal = limb.tip_of(pose).lerp(limb.joints(pose)[0], 0.25) + Vector((0.03, -0.1, 0.02)) * plain.leg_length
        bring_tip(pose, limb, goal)
        here = limb.joints(pose)
        other = PosedLimb.of_leg(large, large.leg(leg.role))
        pose = EditedPose.rest(large.skeleton)
        bring_tip(pose, other, goal * 10.0)
        for one, far in zip(here, other.joints(pose), strict=True):
            assert (one * 10.0 - far).length < 2e-4 * large.leg_length
        swapped = leg.role.replace(".L", ".X").replace(".R", ".L").replace(".X", ".R")
        other = PosedLimb.of_leg(image, image.leg(swapped))
        pose = EditedPose.rest(image.skeleton)
        bring_tip(pose, other, Vector((-goal.x, goal.y, goal.z)))
        for one, far in zip(here, other.joints(pose), strict=True):
            assert (Vector((-one.x, one.y, one.z)) - far).length < 1e-4 * plain.leg_length


def test_two_arms_are_brought_in_any_order_and_neither_minds_the_other():
    rig = understand(person_skeleton(), CONVENTIONS).rig
    limbs = [PosedLimb.of_arm(rig, arm) for arm in rig.arms]
    assert {limb.role for limb in limbs} == {"hand.L", "hand.R"}
    goals = {limb.role: limb.tip_of(EditedPose.rest(rig.skeleton)) + Vector((0.0, -0.25, 0.2)) for limb in limbs}
    poses = []
    for order in (limbs, limbs[::-1]):
        pose = EditedPose.rest(rig.skeleton)
        for limb in order:
            assert bring_tip(pose, limb, goals[limb.role]).error < 2e-5
        poses.append(rotations(pose))
    assert poses[0] == poses[1]


def test_a_straight_arm_bends_its_elbow_backwards():
    rig = understand(person_skeleton("T"), CONVENTIONS).rig
    limb = PosedLimb.of_arm(rig, rig.arms[0])
    pose = EditedPose.rest(rig.skeleton)
    root, elbow, tip = limb.joints(pose)
    pose.turn_by(limb.bones[1], (tip - elbow).rotation_difference(elbow - root))
    root, _, tip = limb.joints(pose)
    bring_tip(pose, limb, tip.lerp(root, 0.3))
    joints = limb.joints(pose)
    assert (joints[1] - (joints[0] + joints[2]) * 0.5).normalized().y > 0.8
