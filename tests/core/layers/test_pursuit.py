"""Catching up with what moves: exact at any frame rate, and not late for what only the body does."""

from math import exp, hypot, log, radians

import pytest
from surefoot.core.layers.pursuit import chase, fade, follow, given_up, own_change

HALFLIFE = log(2.0) / 8.0
FAST = 100.0


def after(seconds, fps, change=0.0, offset=0.0, most=FAST):
    """Offset and speed after a time in which the goal goes by `change` a second."""
    offsets, speeds = (offset,), (0.0,)
    for _ in range(round(seconds * fps)):
        offsets, speeds = chase(offsets, speeds, (change / fps,), HALFLIFE, most, 1.0 / fps)
    return offsets[0], speeds[0]


@pytest.mark.parametrize("fps", [24, 60, 120])
def test_a_goal_of_constant_speed_is_followed_late_by_its_way_in_an_eighth_of_a_second(fps):
    offset, speed = after(3.0, fps, change=0.8)
    assert (offset, speed) == pytest.approx((-0.8 / 8.0, 0.8), abs=1e-6)


@pytest.mark.parametrize("fps", [24, 60, 120])
def test_the_way_to_a_goal_is_the_same_at_any_frame_rate(fps):
    offset, _ = after(0.25, fps, offset=1.0)
    assert offset == pytest.approx((1.0 + 16.0 * 0.25) * exp(-16.0 * 0.25), abs=1e-9)


def test_a_chase_of_several_angles_is_never_faster_than_allowed():
    offset, speed, dt = (-3.0, 1.0), (0.0, 0.0), 1.0 / 60.0
    for _ in range(120):
        before = offset
        offset, speed = chase(offset, speed, (0.0, 0.0), HALFLIFE, 2.0, dt)
        assert hypot(offset[0] - before[0], offset[1] - before[1]) <= 2.0 * dt + 1e-12
    assert hypot(*offset) < 0.1


@pytest.mark.parametrize("dt", [0.0, 1.0 / 60.0])
def test_without_a_halflife_or_after_a_jump_it_is_there_at_once(dt):
    assert chase((1.0,), (2.0,), (0.3,), 0.0 if dt else HALFLIFE, FAST, dt) == ((0.0,), (0.0,))


@pytest.mark.parametrize("fps", [24, 120])
def test_eyes_follow_late_by_their_halflife_over_the_logarithm_of_two(fps):
    offset = 0.0
    for _ in range(fps):
        offset = follow(offset, 0.5 / fps, 0.03, 1.0 / fps)
    assert offset == pytest.approx(-0.5 * 0.03 / log(2.0), abs=1e-6)


@pytest.mark.parametrize(
    ("in_scene", "against_body", "own"),
    [(0.0, 0.4, 0.0), (0.4, 0.0, 0.0), (0.4, 0.3, 0.3), (-0.2, -0.3, -0.2), (0.4, -0.3, 0.0)],
)
def test_a_change_is_the_target_s_own_only_as_far_as_scene_and_body_agree(in_scene, against_body, own):
    assert own_change(in_scene, against_body) == own


def test_a_fade_of_rate_four_is_over_ninety_nine_percent_after_a_second():
    weight, speed = 0.0, 0.0
    for _ in range(60):
        weight, speed = fade(weight, speed, on=True, angle=0.1, halflife=log(2.0) / 4.0, most=FAST, dt=1.0 / 60.0)
    assert weight == pytest.approx(1.0 - 9.0 * exp(-8.0), abs=1e-6)


def test_a_fade_ends_exactly():
    weight, speed = 1.0, 0.0
    for _ in range(180):
        weight, speed = fade(weight, speed, on=False, angle=0.1, halflife=log(2.0) / 4.0, most=FAST, dt=1.0 / 60.0)
    assert (weight, speed) == (0.0, 0.0)


def test_a_fade_turns_a_wide_angle_no_faster_than_allowed():
    weight, speed = 0.0, 0.0
    for _ in range(60):
        before = weight
        weight, speed = fade(weight, speed, on=True, angle=3.0, halflife=0.1, most=2.0, dt=1.0 / 60.0)
        assert (weight - before) * 3.0 <= 2.0 / 60.0 + 1e-12


def test_a_target_is_given_up_at_the_limit_and_taken_again_fifteen_degrees_nearer():
    limit = radians(110.0)
    assert not given_up(False, radians(109.0), -1.0, limit, 0.1).dropped
    assert given_up(False, radians(111.0), -1.0, limit, 0.1).dropped
    assert given_up(True, radians(96.0), -1.0, limit, 0.1).dropped
    assert not given_up(True, radians(94.0), -1.0, limit, 0.1).dropped


def test_the_moment_at_which_it_was_given_up_is_found_within_the_frame():
    dropped, since = given_up(False, radians(112.0), radians(104.0), radians(110.0), 0.04)
    assert dropped
    assert since == pytest.approx(0.01)


def test_what_was_beyond_the_limit_from_the_start_is_given_up_for_the_whole_frame():
    assert given_up(False, radians(140.0), -1.0, radians(110.0), 0.04) == (True, 0.04)
