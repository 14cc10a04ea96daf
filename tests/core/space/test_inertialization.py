"""A cut between two motions is carried by an offset that dies out."""

from __future__ import annotations

from itertools import pairwise
from math import cos, exp, log, pi, radians, sin, tau

import pytest
from mathutils import Quaternion, Vector
from surefoot.core.space.inertialization import (
    Carry,
    carried_on,
    fade,
    fade_now,
    fade_vector,
    faded,
    rate_of_turn,
    rotation_cut,
    rotation_offset,
    sprung,
    vector_faded,
    vector_now,
    with_offset,
)

LN2 = log(2.0)


def over(state: object, seconds: float, count: int = 200) -> list[float]:
    return [fade_now(faded(state, seconds * k / count))[0] for k in range(count + 1)]


def test_an_offset_at_rest_takes_the_path_of_least_acceleration_at_its_start():
    # No speed and no acceleration at 0, all three zero at 1: 1 - 10 s^3 + 15 s^4 - 6 s^5.
    state = fade(2.0, 0.0, 0.4)
    for s in (0.0, 0.25, 0.5, 0.9):
        expected = 2.0 * (1.0 - 10.0 * s**3 + 15.0 * s**4 - 6.0 * s**5)
        assert fade_now(faded(state, 0.4 * s))[0] == pytest.approx(expected, abs=1e-12)


def test_it_begins_with_the_offset_and_the_speed_that_it_was_given():
    for offset, speed in ((0.3, -0.2), (-0.3, 0.2), (0.3, 0.8), (-0.3, -0.8), (1.0, -30.0)):
        assert fade_now(fade(offset, speed, 0.5)) == pytest.approx((offset, speed), abs=1e-12)


def test_it_ends_at_rest_in_zero():
    last, speed = fade_now(faded(fade(0.3, -0.2, 0.5), 0.5 - 1e-6))
    assert (last, speed) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert fade_now(faded(fade(0.3, -0.2, 0.5), 0.5)) == (0.0, 0.0)


@pytest.mark.parametrize("speed", [0.0, -0.1, -1.0, -2.5, -3.0, -4.0, -5.0, -8.0, -50.0])
def test_an_offset_that_closes_in_never_overshoots(speed: float):
    values = over(fade(1.0, speed, 1.0), 1.0)
    assert min(values) >= -1e-12
    assert all(later <= before + 1e-12 for before, later in pairwise(values))


def test_the_time_is_shortened_where_the_speed_would_carry_it_past_zero():
    # The fifth power of what is left of the time has five times its height as slope, and no jerk at its end.
    state = fade(1.0, -20.0, 1.0)
    assert state.seconds == pytest.approx(0.25)
    assert fade_now(faded(state, 0.1))[0] == pytest.approx((1.0 - 0.1 / 0.25) ** 5)


def test_an_offset_that_grows_turns_round_within_the_same_time():
    values = over(fade(1.0, 2.0, 0.5), 0.5)
    assert 1.0 < max(values) < 1.2
    assert values[-1] == 0.0
    assert min(values) >= 0.0


@pytest.mark.parametrize("state", [fade(0.0, 3.0, 1.0), fade(1.0, 3.0, 0.0), fade(0.0, 0.0, 0.0)])
def test_where_there_is_no_offset_or_no_time_there_is_nothing_to_carry(state: object):
    assert fade_now(state) == (0.0, 0.0)
    assert fade_now(faded(state, 0.1)) == (0.0, 0.0)


def test_two_half_steps_of_a_quintic_are_one_whole():
    state = fade(0.7, -0.9, 0.5)
    assert fade_now(faded(faded(state, 0.1), 0.1)) == fade_now(faded(state, 0.2))


def test_a_vector_dies_out_along_its_own_direction():
    state = fade_vector((3.0, 0.0, 4.0), (0.0, 7.0, 0.0), 0.5)
    x, y, z = vector_now(vector_faded(state, 0.2))
    assert (x / 3.0, y, z / 4.0) == pytest.approx((over(fade(5.0, 0.0, 0.5), 0.2)[-1] / 5.0, 0.0, x / 3.0))
    assert vector_now(state) == pytest.approx((3.0, 0.0, 4.0))


def test_a_vector_of_no_length_carries_nothing():
    assert vector_now(vector_faded(fade_vector((0.0, 0.0, 0.0), (1.0, 2.0, 3.0), 0.5), 0.1)) == (0.0, 0.0, 0.0)


def test_a_spring_at_rest_keeps_what_its_closed_form_says():
    # (1 + r t) exp(-r t) with r = 2 ln 2 / halflife.
    rate, t = 2.0 * LN2 / 0.1, 0.13
    assert sprung((1.0,), (0.0,), 0.1, t)[0][0] == pytest.approx((1.0 + rate * t) * exp(-rate * t))


def test_two_half_steps_of_springs_are_one_whole():
    once = sprung((1.0, -2.0), (3.0, 0.5), 0.1, 0.08)
    half = sprung((1.0, -2.0), (3.0, 0.5), 0.1, 0.04)
    assert sum(sprung(*half, 0.1, 0.04), ()) == pytest.approx(sum(once, ()), abs=1e-15)


def test_a_spring_without_halflife_keeps_nothing():
    assert sprung((1.0, 2.0), (3.0, 4.0), 0.0, 0.1) == ((0.0, 0.0), (0.0, 0.0))


def carried(sources: list[float], cuts: set[int], halflife: float = 0.1, dt: float = 1.0 / 60.0) -> list[Carry]:
    rows, carry = [], None
    for k, value in enumerate(sources):
        carry = carried_on(carry, (value,), halflife, dt, cut=k in cuts)
        rows.append(carry)
    return rows


def test_a_row_that_is_never_cut_is_shown_as_it_is():
    sources = [sin(0.3 * k) for k in range(50)]
    rows = carried(sources, set())
    assert [row.shown[0] for row in rows] == sources
    assert rows[-1].offsets == ()


def test_a_cut_row_goes_on_with_its_place_and_speed_and_arrives_at_the_new_source():
    dt = 1.0 / 240.0
    sources = [2.0 * k * dt if k < 60 else 5.0 - 1.0 * k * dt for k in range(600)]
    shown = [row.shown[0] for row in carried(sources, {60}, 0.1, dt)]
    speeds = [(b - a) / dt for a, b in pairwise(shown)]
    assert shown[60] == pytest.approx(2.0 * 60 * dt)
    # From a difference in speed of 3 m/s and in place of 4.5 m the spring pulls by no more than r^2 x + 2 r v.
    rate = 2.0 * LN2 / 0.1
    assert max(abs(b - a) / dt for a, b in pairwise(speeds)) < 4.5 * rate * rate + 2.0 * 3.0 * rate
    assert shown[-1] == pytest.approx(sources[-1], abs=1e-6)


def test_a_second_cut_before_the_first_has_died_out_is_carried_too():
    sources = [0.0] * 30 + [1.0] * 4 + [-1.0] * 200
    shown = [row.shown[0] for row in carried(sources, {30, 34}, 0.1)]
    assert max(abs(b - a) for a, b in pairwise(shown)) < 0.25
    assert shown[-1] == pytest.approx(-1.0, abs=1e-6)


def test_what_is_left_of_a_cut_ends_at_all():
    rows = carried([0.0] * 5 + [1.0] * 300, {5})
    assert rows[-1].offsets == () and rows[-1].shown == (1.0,)


def turn(axis: tuple[float, float, float], degrees: float) -> Quaternion:
    return Quaternion(Vector(axis).normalized(), radians(degrees))


def test_a_rotation_s_offset_is_its_axis_times_its_angle():
    offset = rotation_offset(turn((0, 0, 1), 70.0), turn((0, 0, 1), 10.0))
    assert offset == pytest.approx((0.0, 0.0, radians(60.0)), abs=1e-6)


def test_an_offset_takes_the_short_way_round_whatever_the_signs():
    before, after = turn((1, 2, 3), 170.0), turn((1, 2, 3), -170.0)
    for sign in (1.0, -1.0):
        assert Vector(rotation_offset(sign * before, after)).length == pytest.approx(radians(20.0), abs=1e-6)


@pytest.mark.parametrize("degrees", [0.0, 1e-4, 1.0, 90.0, 179.9, 180.0])
def test_an_offset_on_the_new_rotation_is_the_old_one(degrees: float):
    after = turn((1, -1, 2), 40.0)
    before = turn((2, 1, -1), degrees) @ after
    back = with_offset(after, rotation_offset(before, after))
    assert abs(back.dot(before)) == pytest.approx(1.0, abs=1e-6)


def test_no_offset_between_equal_rotations():
    assert Vector(rotation_offset(turn((1, 2, 3), 33.0), turn((1, 2, 3), 33.0))).length < 1e-6


@pytest.mark.parametrize("degrees", [0.0, 0.3, 40.0, 120.0, 180.0])
def test_the_rate_of_an_offset_is_the_spin_of_its_turn(degrees: float):
    offset = tuple(radians(degrees) * x for x in Vector((1.0, 2.0, -0.5)).normalized())
    spin = (0.4, -1.1, 0.7)
    step = 1e-2
    rate = rate_of_turn(offset, spin)
    ahead = with_offset(Quaternion(), tuple(o + r * step for o, r in zip(offset, rate, strict=True)))
    behind = with_offset(Quaternion(), tuple(o - r * step for o, r in zip(offset, rate, strict=True)))
    found = [x / (2.0 * step) for x in rotation_offset(ahead, behind)]
    assert found == pytest.approx(spin, abs=2e-3)


def test_a_carried_rotation_starts_with_the_old_place_and_the_old_angular_velocity():
    dt, spin_before, spin_after = 1e-2, (0.0, 0.0, 3.0), (1.0, -2.0, 0.0)
    before, after = turn((0, 0, 1), 60.0), turn((1, 0, 0), 80.0)
    offset, rate = rotation_cut(before, spin_before, after, spin_after)
    later = with_offset(Quaternion(), tuple(s * dt for s in spin_after)) @ after
    left, _ = sprung(offset, rate, 10.0, dt)
    shown = with_offset(later, left)
    found = [x / dt for x in rotation_offset(shown, before)]
    assert found == pytest.approx(spin_before, abs=0.05)


def test_a_row_may_be_cut_in_its_first_tick():
    assert carried_on(None, (1.0, 2.0), 0.1, 0.02, cut=True) == Carry((1.0, 2.0), (0.0, 0.0))


def test_a_wave_that_changes_its_beat_is_carried_without_a_step_in_speed():
    dt = 1.0 / 60.0
    sources = [cos(tau * k * dt) if k < 40 else 2.0 * cos(tau * 1.5 * k * dt + pi) for k in range(200)]
    shown = [row.shown[0] for row in carried(sources, {40}, 0.1, dt)]
    fastest = max(abs(b - a) for part in (sources[:40], sources[40:]) for a, b in pairwise(part))
    assert max(abs(b - a) for a, b in pairwise(shown)) < 1.5 * fastest
