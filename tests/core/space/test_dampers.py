import math

import pytest
from surefoot.core.space.dampers import damp, kept_share, spring


def test_half_of_the_difference_is_left_after_one_halflife():
    assert damp(10.0, 2.0, halflife=0.3, dt=0.3) == pytest.approx(6.0)


def test_two_half_steps_are_one_step():
    once = damp(1.0, 0.0, 0.2, 0.1)
    assert damp(damp(1.0, 0.0, 0.2, 0.05), 0.0, 0.2, 0.05) == pytest.approx(once, abs=1e-15)
    whole = spring(1.0, -3.0, 0.5, 0.2, 0.1)
    assert spring(*spring(1.0, -3.0, 0.5, 0.2, 0.04), 0.5, 0.2, 0.06) == pytest.approx(whole, abs=1e-14)


def test_a_halflife_of_zero_is_there_at_once():
    assert kept_share(0.0, 0.01) == 0.0
    assert damp(5.0, 1.0, 0.0, 0.01) == 1.0
    assert spring(5.0, 9.0, 1.0, 0.0, 0.01) == (1.0, 0.0)


def test_the_spring_obeys_its_equation():
    halflife, dt = 0.25, 1e-5
    rate = 2.0 * math.log(2.0) / halflife
    value, speed = spring(2.0, 1.0, 0.5, halflife, dt)
    assert value == pytest.approx(2.0 + 1.0 * dt, abs=1e-8)
    assert (speed - 1.0) / dt == pytest.approx(-rate * rate * 1.5 - 2.0 * rate * 1.0, rel=1e-3)


def test_the_spring_does_not_overshoot_from_rest():
    value, speed, lowest = 1.0, 0.0, 1.0
    for _ in range(500):
        value, speed = spring(value, speed, 0.0, 0.1, 0.01)
        lowest = min(lowest, value)
    assert lowest >= 0.0
    assert value == pytest.approx(0.0, abs=1e-9)
