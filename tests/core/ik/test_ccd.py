import math
from itertools import pairwise

import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion, Vector
from support.chains_of_points import COUNTS, CURLS, curled, length_error, targets
from surefoot.core.ik.ccd import Cone, Hinge, Hung, carried, solve_ccd, within
from surefoot.core.ik.chain import Bounds, Effort
from surefoot.core.ik.chain_shape import Hints
from surefoot.core.ik.swing import Reach

MILLIMETRE = 1e-3
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def own_turns(answer, carrier=None):
    """Each joint's own rotation from rest."""
    turns = (carrier or Quaternion(), *answer.turns)
    return [a.inverted() @ b for a, b in pairwise(turns)]


def lean_and_twist(turn, along):
    """How far a rotation leans a direction (radians), and how far it turns about it: from matrices, by numpy."""
    moved = np.array(turn.to_matrix()) @ along
    lean = math.acos(np.clip(moved @ along, -1.0, 1.0))
    back = Vector(moved).rotation_difference(Vector(along))
    left = np.array((back @ turn).to_matrix())
    return lean, math.acos(np.clip((np.trace(left) - 1.0) / 2.0, -1.0, 1.0))


@pytest.mark.parametrize("keep", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("curl", CURLS.values(), ids=CURLS)
@pytest.mark.parametrize("count", COUNTS)
def test_without_limits_a_tip_is_on_its_target_within_a_millimetre(count, curl, keep):
    start = curled(count, curl)
    for target in targets(seed=count, count=10):
        answer = solve_ccd(start, target, keep=keep)
        assert answer.error < MILLIMETRE
        assert answer.points[0] == start[0]
        assert length_error(answer.points, start) < 1e-6


@pytest.mark.parametrize("count", [5, 12, 30])
def test_within_wide_limits_a_target_that_moves_is_met_from_the_frame_before(count):
    rest = curled(count, 0.5)
    limits = [Cone(math.pi, 0.5), *[Cone(6.0 / count, 0.3)] * (count - 1)]
    hung, points = None, rest
    for k in range(120):
        angle = 0.05 * k
        share = 0.6 + 0.3 * math.sin(0.7 * angle)
        target = (share * math.sin(angle), share * math.cos(angle), 0.3 * share * math.sin(2.0 * angle))
        target = [0.9 * n / max(1.0, math.hypot(*target)) for n in target]
        answer = solve_ccd(points, target, limits=limits, hung=hung)
        hung, points = Hung(answer.turns, Quaternion()), answer.points
        assert answer.error < MILLIMETRE
        assert length_error(answer.points, rest) < 1e-5


@pytest.mark.parametrize("keep", [0.0, 1.0])
@pytest.mark.parametrize("curl", CURLS.values(), ids=CURLS)
def test_no_joint_leaves_its_cone(curl, keep):
    rest, start = curled(8, 0.0), curled(8, curl)
    limits = [Cone(0.8, 0.2), *[Cone(0.3, 0.1)] * 7]
    hung = Hung.from_rest(rest, start)
    for target in targets(seed=4, count=25):
        answer = solve_ccd(start, target, limits=limits, hung=hung, keep=keep)
        for turn, limit in zip(own_turns(answer), limits, strict=True):
            lean, twist = lean_and_twist(turn, np.array(Y))
            assert lean < limit.swing + 2e-3
            assert twist < limit.twist + 2e-3
        assert length_error(answer.points, start) < 1e-6
        assert (answer.reach is Reach.EXACT) == (answer.error <= 1e-4)


def test_hinges_bend_one_way_only_and_in_their_plane():
    rest = curled(4, 0.0)
    limits = [Hinge(X, 0.0, 1.2)] * 4
    for target in [(0.0, 0.5, 0.5), (0.0, 0.2, 0.7), (0.0, 0.5, -0.5), (0.4, 0.5, 0.3)]:
        answer = solve_ccd(rest, target, Effort(60), limits)
        for turn in own_turns(answer):
            axis, angle = turn.to_axis_angle()
            bend = (angle + math.pi) % (2.0 * math.pi) - math.pi
            assert abs(bend) < 1e-3 or abs(axis.x) > 1.0 - 1e-5
            assert -1e-3 < bend * math.copysign(1.0, axis.x) < 1.2 + 1e-3
        assert max(abs(x) for x, _, _ in answer.points) < 1e-5
        assert (answer.error < MILLIMETRE) == (target[0] == 0.0 and target[2] > 0.0)


def test_a_joint_comes_back_within_its_limits_by_the_shorter_way():
    along = Vector(Y)
    turn = Quaternion(X, 1.0) @ Quaternion(Y, -0.8)
    lean, twist = lean_and_twist(within(turn, Cone(0.4, 0.3), along), np.array(Y))
    assert (lean, twist) == pytest.approx((0.4, 0.3), abs=1e-3)
    assert within(turn, Cone(1.1, 0.9), along).rotation_difference(turn).angle < 1e-3
    assert within(Quaternion(X, 2.0), Hinge(X, -0.5, 0.7), along).angle == pytest.approx(0.7, abs=1e-5)
    assert within(turn, None, along) is turn


def test_a_straight_chain_bends_to_a_target_between_its_joints():
    points = [(0.0, 0.0, 40.0 * k) for k in range(4)]
    for limits in ([], [Cone(2.0, 0.1)] * 3):
        answer = solve_ccd(points, (0.0, 0.0, 100.0), limits=limits)
        assert answer.error < 0.01
        assert answer == solve_ccd(points, (0.0, 0.0, 100.0), limits=limits)


def test_out_of_reach_it_stretches_to_its_target_and_tells():
    answer = solve_ccd(curled(10, 2.0), (0.0, 0.0, 3.0))
    assert answer.reach is Reach.CLAMPED
    assert answer.error == pytest.approx(2.0, abs=5e-3)


def test_outer_and_inner_limits_hold():
    for share, distance in ((0.1, 0.25), (4.0, 0.8)):
        answer = solve_ccd(curled(10, 2.0), (0.0, share, 0.0), bounds=Bounds(0.25, 0.8))
        assert math.hypot(*answer.points[-1]) == pytest.approx(distance, abs=1e-3)
        assert answer.reach is Reach.CLAMPED


def test_it_returns_within_its_effort():
    for target in [(0.3, 0.2, 0.4), (0.0, 0.0, 0.0)]:
        answer = solve_ccd(curled(10, 1.0), target, Effort(49, 0.0), [Cone(0.1, 0.1)] * 10)
        assert answer.iterations < 50


def test_bones_are_turned_no_more_about_themselves_than_they_must():
    start = curled(6, 1.0)
    turns = [Quaternion(X, 0.3 * k) for k in range(6)]
    swing = Quaternion(Vector(start[1]).orthogonal(), 0.7)
    found = carried(turns, start, [tuple(swing @ Vector(p)) for p in start])
    for before, after in zip(turns, found, strict=True):
        assert after.rotation_difference(swing @ before).angle < 1e-3


@pytest.mark.parametrize(
    "points", [[(0, 0, 0), (math.nan, 0, 0), (0, 1, 0)], [(0, 0, 0)] * 3, [(0, 0, 0)]], ids=["nan", "no length", "one"]
)
def test_what_has_no_solve_is_given_back(points):
    answer = solve_ccd(points, (1.0, 0.0, 0.0))
    assert answer.reach is Reach.DEGENERATE
    assert repr(answer.points) == repr(tuple(tuple(map(float, p)) for p in points))
    assert len(answer.turns) == len(points) - 1


@pytest.mark.parametrize("limits", [[], [Cone(1.0, 0.3)] * 8])
def test_moved_turned_and_mirrored_it_is_solved_the_same(limits):
    start = curled(8, 1.0, spiral=0.2)
    for move in (
        Matrix.Translation((3.0, -2.0, 5.0)) @ Euler((0.4, -1.1, 2.0)).to_matrix().to_4x4(),
        Matrix.Scale(-1.0, 4, X),
    ):
        turn = move.to_3x3()
        hints = Hints(*(tuple(turn @ Vector(hint)) for hint in Hints()))
        for target in targets(seed=11, count=10, low=0.3):
            plain = solve_ccd(start, target, limits=limits)
            moved = solve_ccd([move @ Vector(p) for p in start], move @ Vector(target), limits=limits, hints=hints)
            for a, b in zip(moved.points, plain.points, strict=True):
                assert (Vector(a) - move @ Vector(b)).length < 2e-3
