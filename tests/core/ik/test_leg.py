import math

import numpy as np
import pytest
from mathutils import Matrix, Vector
from support.limbs import (
    ALL,
    CARRIERS,
    DOG_HIND,
    FOLDS,
    FORWARD,
    INSECT,
    PERSON,
    STRAIGHT,
    bends,
    forward_kinematics,
    goal_at,
    total,
    vectors,
)
from surefoot.core.ik.leg import LegRest, solve
from surefoot.core.ik.swing import Reach

STILL = Matrix.Identity(4)
UP = Vector((0.0, 0.0, 1.0))


def leg_of(places, kind="FORWARD"):
    return LegRest.from_rest(vectors(places), FORWARD, kind)


def knee_offset(joints):
    """The first interior joint's offset from the line between root and tip."""
    root, mid, tip = joints[0], joints[1], joints[-1]
    line = (tip - root).normalized()
    return (mid - root) - line * (mid - root).dot(line)


def knee_angles(places, goals, **options):
    leg = leg_of(places)
    return np.array([bends(np.array(solve(leg, STILL, g, **options).joints), leg.axis)[0] for g in goals])


@pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS)
@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
@pytest.mark.parametrize("share", [0.5, 0.7, 0.85])
def test_the_tip_is_at_its_goal_and_no_segment_changes_length(places, carrier, share):
    goal = goal_at(places, carrier, share)
    answer = solve(leg_of(places), carrier, goal, carrier.to_3x3() @ Vector((0.3, -1.0, 0.0)))
    joints = forward_kinematics(places, carrier, answer.rotations)
    assert answer.reach is Reach.EXACT
    assert math.dist(joints[-1], goal) <= 1e-5 * total(places)
    np.testing.assert_allclose(joints, np.array(answer.joints), atol=2e-6)
    assert answer.extension == pytest.approx(share, abs=1e-5)
    lengths = np.linalg.norm(np.diff(joints, axis=0), axis=-1)
    np.testing.assert_allclose(lengths, np.linalg.norm(np.diff(np.array(places), axis=0), axis=-1), atol=1e-6)


@pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS)
@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_the_rest_goal_gives_the_rest_pose(places, carrier):
    leg, goal = leg_of(places), carrier @ Vector(places[-1])
    answer = solve(leg, carrier, goal, carrier.to_3x3() @ FORWARD, max_extension=1.0)
    for joint, place in zip(answer.joints, places, strict=True):
        assert (joint - carrier @ Vector(place)).length <= 3e-4 * total(places)


@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_a_goal_out_of_reach_clamps_on_the_line_to_it(places):
    goal = goal_at(places, STILL, 1.7)
    answer = solve(leg_of(places), STILL, goal)
    assert answer.reach is Reach.CLAMPED
    assert answer.extension == pytest.approx(0.995, abs=1e-5)
    missing = (goal - answer.joints[-1]).normalized()
    assert missing.dot((goal - answer.joints[0]).normalized()) == pytest.approx(1.0, abs=1e-6)


def test_the_greatest_extension_is_the_callers():
    answer = solve(leg_of(PERSON), STILL, goal_at(PERSON, STILL, 0.99), max_extension=0.98)
    assert (answer.reach, answer.extension) == (Reach.CLAMPED, pytest.approx(0.98, abs=1e-5))


@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_a_goal_nearer_than_the_leg_folds_clamps_on_the_line_to_it(places):
    goal = goal_at(places, STILL, 0.01)
    answer = solve(leg_of(places), STILL, goal)
    assert answer.reach is Reach.CLAMPED
    assert (answer.joints[-1] - answer.joints[0]).normalized().dot((goal - answer.joints[0]).normalized()) > 1.0 - 1e-5


@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_a_goal_at_the_root_is_degenerate_and_keeps_the_legs_line(places):
    answer = solve(leg_of(places), STILL, Vector(places[0]))
    assert answer.reach is Reach.DEGENERATE
    assert np.isfinite(np.array(answer.joints)).all()
    line = (answer.joints[-1] - answer.joints[0]).normalized()
    assert line.dot((Vector(places[-1]) - Vector(places[0])).normalized()) > 1.0 - 1e-5


def test_a_lower_leg_without_length_still_points_at_its_goal():
    places = (PERSON[0], PERSON[1], PERSON[1])
    goal = Vector((0.1, -2.0, 0.9))
    answer = solve(leg_of(places), STILL, goal)
    assert answer.reach is Reach.CLAMPED
    assert (answer.joints[-1] - answer.joints[0]).normalized().dot(-UP.cross(Vector((1.0, 0.0, 0.0)))) > 1.0 - 1e-5


def test_a_leg_of_no_length_answers_without_a_number_that_is_none():
    answer = solve(leg_of((PERSON[0],) * 3), STILL, Vector((0.0, 0.0, 0.0)))
    assert answer.extension == 0.0
    assert np.isfinite(np.array([tuple(q) for q in answer.rotations])).all()


@pytest.mark.parametrize(("distance", "reach"), [(0.4, Reach.CLAMPED), (0.8, Reach.EXACT), (1.2, Reach.CLAMPED)])
def test_one_segment_points_at_its_goal(distance, reach):
    places = ((0.0, 0.0, 1.0), (0.0, 0.0, 0.2))
    answer = solve(leg_of(places), STILL, Vector((distance, 0.0, 1.0)))
    assert answer.reach is reach
    assert tuple(answer.joints[-1]) == pytest.approx((0.8, 0.0, 1.0), abs=1e-6)


@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_a_leg_twice_as_large_turns_alike(places):
    goal = goal_at(places, STILL, 0.8)
    twice = tuple(tuple(2.0 * x for x in place) for place in places)
    first, second = solve(leg_of(places), STILL, goal), solve(leg_of(twice), STILL, goal * 2.0)
    np.testing.assert_allclose(np.array(second.joints), 2.0 * np.array(first.joints), atol=1e-4)


@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_the_mirrored_leg_moves_as_the_mirror_image(places):
    goal, knee = goal_at(places, STILL, 0.8, (0.3, -0.3, -1.0)), Vector((0.4, -1.0, 0.0))
    mirror = np.array([-1.0, 1.0, 1.0])
    left = solve(leg_of(places), STILL, goal, knee)
    right = solve(leg_of([mirror * place for place in places]), STILL, Vector(mirror * goal), Vector(mirror * knee))
    np.testing.assert_allclose(np.array(right.joints), mirror * np.array(left.joints), atol=2e-5)


@pytest.mark.parametrize("places", [PERSON, STRAIGHT, DOG_HIND], ids=["person", "straight", "dog hind"])
def test_a_full_circle_of_goals_never_flips_the_knee(places):
    leg = leg_of(places)
    root, reach = Vector(places[0]), 0.8 * total(places)
    knees, signs = [], []
    for degree in range(361):
        angle = math.radians(degree)
        goal = root + Vector((0.0, math.sin(angle), -math.cos(angle))) * reach
        answer = solve(leg, STILL, goal)
        assert (answer.joints[-1] - goal).length <= 1e-5 * total(places)
        knees.append(np.array(answer.joints[1]))
        signs.append(np.sign(bends(np.array(answer.joints), answer.rotations[0] @ leg.axis)[0]))
    moves = np.linalg.norm(np.diff(knees, axis=0), axis=-1)
    assert set(signs) == {1.0}
    assert moves.max() < 3.0 * np.median(moves)
    np.testing.assert_allclose(knees[0], knees[-1], atol=1e-5)


@pytest.mark.parametrize("places", [PERSON, DOG_HIND], ids=["person", "dog hind"])
def test_a_goal_that_passes_through_the_knee_direction_does_not_flip_the_knee(places):
    leg = leg_of(places)
    root, reach = Vector(places[0]), total(places)
    knees = []
    for height in np.linspace(-0.6, 0.6, 61):
        goal = root + Vector((0.0, -0.6, float(height))) * reach
        answer = solve(leg, STILL, goal, FORWARD)
        assert (answer.joints[-1] - goal).length < 1e-3
        knees.append(np.array(answer.joints[1]))
    moves = np.linalg.norm(np.diff(knees, axis=0), axis=-1)
    assert moves.max() <= 3.0 * np.median(moves)


@pytest.mark.parametrize("behind", [0.0, 0.0001, 0.005, 0.015])
@pytest.mark.parametrize("pitch", [0.0, -60.0])
def test_a_straight_knee_bends_forward(behind, pitch):
    places = (STRAIGHT[0], (0.1, behind, 0.5), STRAIGHT[2])
    carrier = Matrix.Rotation(math.radians(pitch), 4, "X")
    goal = carrier @ (Vector(places[2]) + Vector((0.0, 0.0, 0.24)))
    answer = solve(leg_of(places), carrier, goal)
    assert answer.reach is Reach.EXACT
    assert knee_offset(answer.joints).normalized().dot(carrier.to_3x3() @ FORWARD) > 0.99
    assert 0.0 < bends(np.array(answer.joints), answer.rotations[0] @ leg_of(places).axis)[0] < math.radians(160.0)


def test_a_knee_modelled_a_little_to_the_side_bends_forward_and_a_clearly_bent_one_as_it_is():
    for aside, towards in ((0.02, FORWARD), (0.1, Vector((1.0, 0.0, 0.0)))):
        places = (STRAIGHT[0], (0.1 + aside, 0.0, 0.5), STRAIGHT[2])
        moved = knee_offset(solve(leg_of(places), STILL, Vector((0.1, 0.0, 0.4))).joints)
        moved -= knee_offset(vectors(places))
        assert moved.normalized().dot(towards) > 0.95


@pytest.mark.parametrize(("kind", "towards"), [("FORWARD", (0, -1, 0)), ("BACK", (0, 1, 0))])
def test_a_straight_limbs_role_says_where_its_middle_goes(kind, towards):
    answer = solve(leg_of(STRAIGHT, kind), STILL, Vector((0.1, 0.0, 0.3)))
    assert knee_offset(answer.joints).normalized().dot(Vector(towards)) > 0.999


def test_a_straight_insect_leg_lifts_its_knee_and_arches():
    places = tuple((0.1 + 0.2 * k, 0.0, 0.2) for k in range(4))
    answer = solve(leg_of(places, "UP"), STILL, Vector((0.5, 0.0, 0.1)))
    assert answer.reach is Reach.EXACT
    assert knee_offset(answer.joints).normalized().dot(UP) > 0.9
    assert (bends(np.array(answer.joints), (0.0, 1.0, 0.0)) > 0.1).all()


def test_a_straight_hind_leg_folds_as_a_zigzag():
    places = tuple((0.0, 0.0, 0.9 - 0.3 * k) for k in range(4))
    answer = solve(leg_of(places), STILL, Vector((0.0, 0.0, 0.2)))
    first, second = bends(np.array(answer.joints), (1.0, 0.0, 0.0))
    assert first > 0.1
    assert second == pytest.approx(-first, abs=1e-4)


@pytest.mark.parametrize("yaw", [-40.0, -15.0, 40.0])
def test_the_knee_heads_where_it_is_told_while_the_pelvis_yaws(yaw):
    carrier = Matrix.Rotation(math.radians(yaw), 4, "Z")
    goal = Vector(PERSON[2]) + Vector((0.0, -0.1, 0.08))
    told = knee_offset(solve(leg_of(PERSON), carrier, goal, FORWARD).joints)
    hanging = knee_offset(solve(leg_of(PERSON), carrier, goal).joints)
    assert abs(math.degrees(math.atan2(told.x, -told.y))) < 10.0
    assert math.degrees(math.atan2(hanging.x, -hanging.y)) == pytest.approx(yaw, abs=10.0)


def test_a_knee_direction_straight_down_the_leg_changes_nothing():
    goal = goal_at(PERSON, STILL, 0.8)
    leg = leg_of(PERSON)
    assert solve(leg, STILL, goal, leg.line).rotations == solve(leg, STILL, goal).rotations


def test_a_knee_direction_that_passes_through_the_legs_line_does_not_jump():
    leg, goal = leg_of(PERSON), goal_at(PERSON, STILL, 0.8)
    across = leg.axis.cross(leg.line)
    turns = [math.radians(0.1 * i) for i in range(-450, 451)]
    directions = [leg.line * math.cos(turn) + across * math.sin(turn) for turn in turns]
    knees = np.array([solve(leg, STILL, goal, direction).joints[1] for direction in directions])
    assert np.linalg.norm(knees[0] - knees[-1]) > 0.4, "the knee is asked from one side to the other"
    assert np.linalg.norm(np.diff(knees, axis=0), axis=-1).max() < 0.02


def test_the_leg_eases_into_full_length_and_keeps_its_knee():
    shares = np.concatenate([np.linspace(0.9, 1.1, 20), np.linspace(1.1, 0.9, 20)])
    goals = [goal_at(PERSON, STILL, float(share)) for share in shares]
    speeds = np.abs(np.diff(knee_angles(PERSON, goals, softness=0.06)))
    assert speeds.max() <= 4.0 * speeds.mean()
    assert (knee_angles(PERSON, goals, softness=0.06) > 0.0).all()


def test_without_softness_a_goal_in_reach_is_met_up_to_the_greatest_extension():
    goal = goal_at(PERSON, STILL, 0.9949)
    assert solve(leg_of(PERSON), STILL, goal).reach is Reach.EXACT
    assert solve(leg_of(PERSON), STILL, goal, softness=0.05).reach is Reach.CLAMPED


@pytest.mark.parametrize("places", ALL.values(), ids=ALL)
def test_a_solve_does_not_depend_on_another(places):
    leg, carrier = leg_of(places), CARRIERS["moved and turned"]
    goals = [goal_at(places, carrier, 0.5 + 0.01 * i) for i in range(40)]
    forth = [solve(leg, carrier, goal).rotations for goal in goals]
    back = [solve(leg_of(places), carrier, goal).rotations for goal in reversed(goals)]
    assert forth == back[::-1]


@pytest.mark.parametrize("places", FOLDS.values(), ids=FOLDS)
def test_the_fold_follows_its_goal_without_a_jump(places):
    leg = leg_of(places)
    shares = np.linspace(0.55, 0.99, 200)
    joints = np.array([solve(leg, STILL, goal_at(places, STILL, float(s))).joints for s in shares])
    moves = np.linalg.norm(np.diff(joints, axis=0), axis=-1).max(axis=-1)
    # Straightening, the speed grows as 1 / sqrt(1 - extension), and nowhere faster from step to step.
    assert (moves[1:] < 1.6 * moves[:-1] + 1e-4 * total(places)).all()


def test_an_insect_leg_is_measured_from_its_rest_not_its_kind():
    first = solve(leg_of(INSECT, "UP"), STILL, goal_at(INSECT, STILL, 0.6, (1.0, 0.0, -0.3)))
    second = solve(leg_of(INSECT, "BACK"), STILL, goal_at(INSECT, STILL, 0.6, (1.0, 0.0, -0.3)))
    np.testing.assert_allclose(np.array(first.joints), np.array(second.joints), atol=1e-6)
