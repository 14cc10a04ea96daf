from math import cos, radians, sin

import numpy as np
import pytest
from surefoot.core.measure.contacts import Span
from surefoot.core.measure.switches import LEAST_SPEED, bone_speeds, swing_lengths, switch_shares


def about_x(degrees: list[float]) -> np.ndarray:
    """One bone that turns about X, (F, 1, 4)."""
    return np.array([[[cos(radians(d) / 2.0), sin(radians(d) / 2.0), 0.0, 0.0]] for d in degrees])


def test_a_bone_s_speed_is_its_turn_per_frame_times_the_rate():
    speeds = bone_speeds(about_x([0.0, 3.0, 3.0, 93.0]), 24.0)
    np.testing.assert_allclose(np.degrees(speeds[:, 0]), [72.0, 0.0, 24.0 * 90.0], atol=1e-9)


def test_a_very_slow_turn_is_not_lost_in_rounding():
    assert np.degrees(bone_speeds(about_x([10.0, 10.0 + 1e-6]), 1.0)[0, 0]) == pytest.approx(1e-6, rel=1e-4)


def test_the_sign_of_a_quaternion_is_no_turn():
    rotations = about_x([40.0, 41.0])
    rotations[1] *= -1.0
    assert np.degrees(bone_speeds(rotations, 10.0)[0, 0]) == pytest.approx(10.0)


def test_a_switch_is_measured_against_the_faster_of_the_steady_motions():
    slow, fast = np.full((5, 2), 1.0), np.full((5, 2), 2.0)
    switch = np.array([[1.0, 3.0], [2.5, 0.0]])
    np.testing.assert_allclose(switch_shares(switch, [slow, fast]), [1.25, 1.5])


def test_a_bone_that_hardly_moves_is_measured_against_the_least_speed():
    still = np.zeros((5, 1))
    np.testing.assert_allclose(switch_shares(np.array([[LEAST_SPEED]]), [still]), [1.0])


def test_a_swing_lasts_from_one_contact_s_end_to_the_next_one_s_start():
    assert swing_lengths([Span(0.0, 10.5), Span(18.0, 30.0), Span(37.25, 50.0)]) == [7.5, 7.25]
    assert swing_lengths([Span(0.0, 10.5)]) == []
