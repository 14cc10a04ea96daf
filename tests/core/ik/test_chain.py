import math
from itertools import pairwise

import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector
from support.chains_of_points import COUNTS, CURLS, curled, length_error, lengths_of, plain_fabrik, tapered, targets
from surefoot.core.ik.chain import Bounds, Effort, solve_fabrik, swept
from surefoot.core.ik.chain_shape import Hints, toward
from surefoot.core.ik.swing import Reach

MILLIMETRE = 1e-3
KEEPS = (0.0, 0.5, 1.0)
COLLINEAR = [(0.0, 0.0, 40.0 * k) for k in range(4)]


def bulge(points):
    """The mean place of the joints, aside of the line from root to tip."""
    places = np.array(points)
    line = places[-1] - places[0]
    line /= np.linalg.norm(line)
    mean = places.mean(0) - places[0]
    return mean - line * (mean @ line)


def step(before, after):
    return max(math.dist(a, b) for a, b in zip(before, after, strict=True))


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("curl", CURLS.values(), ids=CURLS)
@pytest.mark.parametrize("count", COUNTS)
def test_up_to_nine_tenths_of_its_length_a_tip_is_on_its_target_within_a_millimetre(count, curl, keep):
    start = curled(count, curl)
    for target in targets(seed=count, count=60):
        answer = solve_fabrik(start, target, keep=keep)
        assert answer.error < MILLIMETRE
        assert math.dist(answer.points[-1], target) == answer.error
        assert answer.reach is Reach.EXACT
        assert answer.points[0] == start[0]
        assert length_error(answer.points, start) < 1e-12


@pytest.mark.parametrize("start", [tapered(12, 2.0), curled(12, 5.0, spiral=0.5)], ids=["tapered", "spiral"])
def test_unequal_and_winding_chains_meet_it_too(start):
    whole = sum(lengths_of(start))
    for target in targets(seed=5, count=100):
        answer = solve_fabrik(start, [n * whole for n in target])
        assert answer.error < MILLIMETRE
        assert length_error(answer.points, start) < 1e-12


@pytest.mark.parametrize("sweeps", [1, 2, 5])
def test_the_sweeps_are_those_of_the_plain_twin(sweeps):
    start = curled(20, 1.5)
    for target in targets(seed=2, count=20, low=0.3):
        fast, used = swept(start, lengths_of(start), target, Effort(sweeps, 0.0))
        np.testing.assert_allclose(fast, plain_fabrik(start, target, used), atol=1e-12)


def test_a_straight_chain_bends_to_a_target_between_its_joints_always_the_same_way():
    answer = solve_fabrik(COLLINEAR, (0.0, 0.0, 100.0), hints=Hints((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    assert answer.error < MILLIMETRE
    x, y, _ = bulge(answer.points)
    assert x > 5.0
    assert abs(y) < 1e-6
    assert solve_fabrik(COLLINEAR, (0.0, 0.0, 100.0), hints=Hints((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))) == answer


@pytest.mark.parametrize("keep", KEEPS)
def test_a_straight_chain_whose_first_hint_lies_along_it_bends_by_the_second(keep):
    answer = solve_fabrik(COLLINEAR, (0.0, 0.0, 100.0), keep=keep, hints=Hints((0.0, 0.0, 1.0), (0.0, -1.0, 0.0)))
    assert answer.error < MILLIMETRE
    assert bulge(answer.points)[1] < -5.0


@pytest.mark.parametrize("target", [(0.3, 0.2, 0.4), (0.0, 0.0, 0.0), (0.0, 0.4, 0.0)])
@pytest.mark.parametrize("curl", CURLS.values(), ids=CURLS)
def test_with_no_tolerance_it_returns_within_its_effort(curl, target):
    answer = solve_fabrik(curled(10, curl), target, Effort(iterations=49, tolerance=0.0))
    assert answer.iterations < 50
    assert answer.error < MILLIMETRE


def test_a_target_out_of_reach_is_met_straight_and_told():
    answer = solve_fabrik(curled(10, 2.0), (0.0, 0.0, 3.0))
    assert answer.reach is Reach.CLAMPED
    assert answer.error == pytest.approx(2.0)
    np.testing.assert_allclose(answer.points, [(0.0, 0.0, 0.1 * k) for k in range(11)], atol=1e-9)


@pytest.mark.parametrize(("share", "distance"), [(0.1, 0.25), (0.5, 0.5), (0.95, 0.8), (4.0, 0.8)])
def test_a_tip_stays_between_its_inner_and_outer_limit(share, distance):
    answer = solve_fabrik(curled(10, 2.0), (0.0, share, 0.0), bounds=Bounds(0.25, 0.8))
    assert math.hypot(*answer.points[-1]) == pytest.approx(distance, abs=2e-4)
    assert answer.reach is (Reach.EXACT if share == 0.5 else Reach.CLAMPED)
    assert answer.error == pytest.approx(abs(share - distance), abs=2e-4)


def test_a_segment_longer_than_all_others_keeps_the_tip_away_from_the_root():
    answer = solve_fabrik([(0, 0, 0), (0, 0.6, 0), (0, 0.8, 0), (0, 1.0, 0)], (0.0, 0.1, 0.0))
    assert answer.reach is Reach.CLAMPED
    assert math.hypot(*answer.points[-1]) == pytest.approx(0.2, abs=2e-3)


@pytest.mark.parametrize("share", [0.3, 0.7, 0.9])
@pytest.mark.parametrize("pole", [(1.0, 0.0, 0.0), (0.0, 0.0, -3.0), (-1.0, 0.2, 1.0)])
def test_a_chain_bulges_to_its_pole(pole, share):
    answer = solve_fabrik(curled(8, 1.5), (0.0, share, 0.0), pole=pole)
    aside = bulge(answer.points)
    wanted = np.array([pole[0], 0.0, pole[2]])
    assert answer.error < MILLIMETRE
    assert aside @ wanted / np.linalg.norm(aside) / np.linalg.norm(wanted) > math.cos(math.radians(2.0))


def test_a_pole_through_which_the_target_passes_makes_no_jump():
    start, before = curled(8, 1.5), None
    for k in range(241):
        angle = math.radians(k - 120.0)
        target = (0.7 * math.sin(angle), 0.7 * math.cos(angle), 0.1)
        now = solve_fabrik(start, target, pole=(0.0, 1.0, 0.1)).points
        assert before is None or step(before, now) < 10.0 * 0.7 * math.radians(1.0)
        before = now


@pytest.mark.parametrize("keep", KEEPS)
def test_a_slowly_moved_target_never_makes_a_chain_jump_whether_it_starts_from_the_pose_or_the_last_frame(keep):
    rest = curled(12, 1.0)
    posed = warm = solve_fabrik(rest, (0.3, 0.6, 0.2), keep=keep).points
    for k in range(1, 400):
        angle = 0.01 * k
        target = (0.3 * math.cos(angle), 0.6, 0.2 + 0.3 * math.sin(2.0 * angle))
        before = (0.3 * math.cos(angle - 0.01), 0.6, 0.2 + 0.3 * math.sin(2.0 * angle - 0.02))
        moved = math.dist(target, before)
        from_pose = solve_fabrik(rest, target, keep=keep)
        from_last = solve_fabrik(warm, target, keep=keep)
        assert from_pose.error < MILLIMETRE
        assert from_last.error < MILLIMETRE
        assert step(posed, from_pose.points) < 4.0 * moved + MILLIMETRE
        assert step(warm, from_last.points) < 4.0 * moved + MILLIMETRE
        posed, warm = from_pose.points, from_last.points


def test_at_full_length_a_soft_limit_eases_the_bend_in_and_keeps_its_side():
    start, bounds = curled(2, 0.6), Bounds(softness=0.1)
    shares = [0.9 + 0.2 * (1.0 - abs(k / 20.0 - 1.0)) for k in range(41)]
    bends = []
    for share in shares:
        answer = solve_fabrik(start, (0.0, share, 0.0), bounds=bounds, keep=1.0)
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = answer.points
        bends.append(math.atan2(cz - bz, cy - by) - math.atan2(bz - az, by - ay))
        assert abs(cx) + abs(cz) < 1e-4
    steps = [abs(b - a) for a, b in pairwise(bends)]
    assert min(bends) > 0.0
    assert max(steps) < 4.0 * sum(steps) / len(steps)


MOVES = {
    "moved": Matrix.Translation((3.0, -2.0, 5.0)),
    "turned": Euler((0.4, -1.1, 2.0)).to_matrix().to_4x4(),
    "scaled": Matrix.Scale(2.5, 4),
    "mirrored": Matrix.Scale(-1.0, 4, (1.0, 0.0, 0.0)),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
@pytest.mark.parametrize("curl", [0.0, 1.5, 4.0])
def test_moved_turned_scaled_and_mirrored_it_is_solved_the_same(curl, move):
    turn = move.to_3x3()
    start, pole = curled(10, curl, spiral=0.3 if curl else 0.0), (0.5, 0.5, 2.0)
    hints = Hints(*(tuple((turn @ Vector(hint)).normalized()) for hint in Hints()))
    for target in targets(seed=9, count=30, low=0.1):
        for at in (None, pole):
            plain = solve_fabrik(start, target, pole=at)
            moved = solve_fabrik(
                [move @ Vector(p) for p in start],
                move @ Vector(target),
                Effort(tolerance=2.5e-4 if turn.determinant() > 2.0 else 1e-4),
                at and move @ Vector(at),
                hints=hints,
            )
            expected = [move @ Vector(p) for p in plain.points]
            assert max((Vector(a) - b).length for a, b in zip(moved.points, expected, strict=True)) < 2e-3


@pytest.mark.parametrize("where", ["start", "target"])
def test_numbers_that_are_none_give_back_the_points(where):
    start, target = curled(5, 1.0), (0.2, 0.3, 0.1)
    if where == "start":
        start = [*start[:2], (math.nan, 0.0, 0.0), *start[3:]]
    else:
        target = (math.inf, 0.0, 0.0)
    answer = solve_fabrik(start, target)
    assert answer.reach is Reach.DEGENERATE
    assert repr(answer.points) == repr(tuple(start))


@pytest.mark.parametrize("points", [[], [(0.0, 0.0, 0.0)], [(1.0, 2.0, 3.0)] * 4])
def test_a_chain_without_length_stays_as_it_is(points):
    answer = solve_fabrik(points, (1.0, 0.0, 0.0))
    assert answer.reach is Reach.DEGENERATE
    assert answer.points == tuple(points)


def test_segments_without_length_stay_so_and_the_others_reach():
    start = [(0, 0, 0), (0, 0.3, 0), (0, 0.3, 0), (0, 0.6, 0.1), (0, 0.6, 0.1), (0, 0.8, 0.3)]
    for target in targets(seed=3, count=30, high=0.7):
        answer = solve_fabrik(start, target)
        assert answer.error < MILLIMETRE
        assert length_error(answer.points, start) < 1e-12


def test_one_segment_points_at_its_target():
    answer = solve_fabrik([(0, 0, 0), (0, 1, 0)], (3.0, 0.0, 0.0))
    assert answer.points[-1] == pytest.approx((1.0, 0.0, 0.0))
    assert answer.reach is Reach.CLAMPED
    assert solve_fabrik([(0, 0, 0), (0, 1, 0)], (0.0, 0.0, -1.0)).reach is Reach.EXACT


def test_two_joints_in_one_place_and_a_target_on_a_joint_have_an_answer():
    start = [(0, 0, 0), (0, 0.4, 0), (0, 0, 0), (0, 0.4, 0), (0, 0, 0)]
    for target in [(0, 0, 0), (0, 0.4, 0), (0, -0.4, 0), (0.3, 0.3, 0.3)]:
        answer = solve_fabrik(start, target)
        assert answer.error < MILLIMETRE
        assert length_error(answer.points, start) < 1e-12


def test_an_arc_that_goes_as_a_whole_stays_an_arc():
    start = curled(20, 1.5)
    for share in (0.2, 0.5, 0.9):
        found = toward(start, lengths_of(start), (0.0, share, 0.0), 1.0, Hints(), 1e-6)
        bends = [
            Vector(np.subtract(b, a)).angle(Vector(np.subtract(c, b)))
            for a, b, c in zip(found, found[1:], found[2:], strict=False)
        ]
        assert max(bends) < 1.6 * min(bends)
