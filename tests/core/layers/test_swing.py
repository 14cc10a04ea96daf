"""One swinging bone: turns between directions, limits that are neared softly, and being stopped."""

from math import pi, radians

import pytest
from mathutils import Quaternion, Vector
from surefoot.core.layers.swing import STILL, Swing, bend, eased, stopped, swung, turn_vector, uneased
from surefoot.core.space.oscillator import step, swinging

X, Y, Z = (Vector(axis) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))


def at_rest(goal):
    return Swing(goal, goal, STILL, STILL, STILL, goal)


@pytest.mark.parametrize("angle", [0.0, 1e-5, 1e-3, 0.1, 0.142, 0.15, 1.0, 2.0, pi - 1e-3])
def test_the_turn_between_two_directions_is_their_angle_about_their_normal(angle):
    turn = turn_vector(X, Quaternion(Z, angle) @ X)
    assert turn.length == pytest.approx(angle, abs=3e-4 if angle > 3.0 else 2e-6)
    assert turn.x == pytest.approx(0.0, abs=1e-6)
    assert turn.z == pytest.approx(turn.length, abs=1e-6)


def test_between_opposite_directions_there_is_no_turn_rather_than_any():
    assert turn_vector(X, -X).length < 1e-6


def test_a_small_angle_shows_as_it_is_and_a_large_one_nears_its_limit():
    limit = radians(50.0)
    assert eased(radians(20.0), limit) == radians(20.0)
    shown = [eased(radians(angle), limit) for angle in range(0, 180, 5)]
    assert shown == sorted(shown)
    assert shown[-1] < limit
    assert shown[-1] == pytest.approx(limit, rel=0.01)


def test_nearing_the_limit_begins_without_a_kink():
    limit, free, step_of = 1.0, 0.6, 1e-5
    before = (eased(free, limit) - eased(free - step_of, limit)) / step_of
    after = (eased(free + step_of, limit) - eased(free, limit)) / step_of
    assert after == pytest.approx(before, rel=1e-4)


@pytest.mark.parametrize("angle", [0.0, 0.3, 0.61, 1.0, 1.8])
def test_the_way_back_from_what_is_shown_is_exact(angle):
    assert uneased(eased(angle, 1.0), 1.0) == pytest.approx(angle, abs=1e-9)


def test_at_the_limit_itself_the_way_back_ends():
    assert uneased(1.0, 1.0) < 4.0


@pytest.mark.parametrize("dt", [1e-4, 1.0 / 24.0, 0.5])
def test_a_bone_at_rest_under_a_pose_at_rest_stays(dt):
    assert swung(at_rest(Y), Y, Y, STILL, 1.0, (step(*swinging(2.0, 0.2), dt), dt)) == (STILL, STILL, STILL)


def test_a_spring_without_stiffness_leaves_the_bone_where_it_was_in_the_world():
    dt = 0.1
    goal = Quaternion(Z, 0.3) @ Y
    lean, rate, turning = swung(at_rest(Y), goal, goal, STILL, 1.0, (step(0.0, 0.0, dt), dt))
    assert tuple(lean) == pytest.approx((0.0, 0.0, -0.3), abs=1e-6)
    assert tuple(rate) == pytest.approx((0.0, 0.0, 0.0), abs=1e-5)
    assert tuple(turning) == pytest.approx((0.0, 0.0, 3.0), abs=1e-5)
    assert tuple(Quaternion(lean) @ goal) == pytest.approx(tuple(Y), abs=1e-6)


def test_what_is_not_felt_carries_the_bone_along():
    dt = 0.1
    goal = Quaternion(Z, 0.3) @ Y
    lean, rate, _ = swung(at_rest(Y), goal, goal, STILL, 0.0, (step(0.0, 0.0, dt), dt))
    assert lean.length < 1e-6
    assert tuple(rate) == pytest.approx((0.0, 0.0, 3.0), abs=1e-5)


def test_a_push_turns_the_bone_the_way_it_goes():
    dt = 0.01
    lean, rate, _ = swung(at_rest(Y), Y, Y, Vector((2.0, 5.0, 0.0)), 1.0, (step(0.0, 0.0, dt), dt))
    # 2 m/s to +X at 1 m along +Y is 2 radians a second about -Z; what goes along the bone does not turn it.
    assert tuple(rate) == pytest.approx((0.0, 0.0, -2.0))
    assert tuple(lean) == pytest.approx((0.0, 0.0, -0.02))


def test_a_stopped_bone_keeps_what_leads_out_and_along_and_loses_what_leads_in():
    along = Quaternion(Z, 0.2) @ Y
    swing = Swing(Y, Y, Vector((0, 0, 0.5)), Vector((1.0, 0.0, 3.0)), STILL, along)
    # Out is to +X, which is about -Z.
    out = (X - along * X.dot(along)).normalized()
    held = stopped(swing, out, 2.0)
    assert tuple(held.lean) == pytest.approx((0.0, 0.0, 0.2), abs=1e-6)
    assert held.rate.z == pytest.approx(0.0, abs=1e-6)
    assert held.rate.x == pytest.approx(1.0, abs=1e-6)
    assert tuple(stopped(swing, -out, 2.0).rate) == tuple(swing.rate)


def test_a_stopped_bone_near_its_limit_shows_where_it_was_stopped():
    limit = radians(50.0)
    along = Quaternion(Z, radians(45.0)) @ Y
    held = stopped(Swing(Y, Y, STILL, STILL, STILL, along), X, limit)
    assert tuple(Quaternion(bend(held.lean, Y, Y, limit)) @ Y) == pytest.approx(tuple(along), abs=1e-5)
