"""The oscillator against the analytic solution and against itself in other steps."""

from math import cos, exp, log, pi, sin, sqrt

import pytest
from surefoot.core.space.oscillator import sprung, step, swinging


def run(square, decay, dt, steps, value=1.0, speed=0.0):
    values = [(value, speed)]
    for _ in range(steps):
        m = step(square, decay, dt)
        value, speed = m.keep * value + m.gain * speed, m.back * value + m.slow * speed
        values.append((value, speed))
    return values


def analytic(square, decay, t, value, speed):
    """Value and speed by the two roots of r^2 + 2 decay r + square, complex where it swings."""
    root = (decay * decay - square + 0j) ** 0.5
    a, b = -decay + root, -decay - root
    p = (speed - b * value) / (a - b)
    q = value - p
    grown, shrunk = p * exp_of(a * t), q * exp_of(b * t)
    return (grown + shrunk).real, (a * grown + b * shrunk).real


def exp_of(z):
    return exp(z.real) * (cos(z.imag) + 1j * sin(z.imag))


@pytest.mark.parametrize("fps", [24, 30, 60, 120, 240])
@pytest.mark.parametrize(("frequency", "halflife"), [(2.0, 0.4), (0.5, 2.0), (8.0, 0.1), (2.0, 0.02), (1.0, 0.01)])
def test_it_follows_the_analytic_solution_at_every_frame_rate(frequency, halflife, fps):
    square, decay = sprung(frequency, halflife)
    for n, (value, speed) in enumerate(run(square, decay, 1.0 / fps, 2 * fps, 0.7, -3.0)):
        expected = analytic(square, decay, n / fps, 0.7, -3.0)
        assert value == pytest.approx(expected[0], abs=1e-9)
        assert speed == pytest.approx(expected[1], abs=1e-8)


@pytest.mark.parametrize("rate", [1.0, 12.0])
def test_critically_damped_it_is_value_times_one_plus_rate_t(rate):
    for n, (value, speed) in enumerate(run(rate * rate, rate, 0.05, 40, 0.3, 0.5)):
        t = 0.05 * n
        drive = 0.5 + 0.3 * rate
        assert value == pytest.approx(exp(-rate * t) * (0.3 + drive * t), abs=1e-12)
        assert speed == pytest.approx(exp(-rate * t) * (0.5 - drive * rate * t), abs=1e-11)


def test_next_to_critical_the_solution_goes_over_without_a_step():
    rate = 10.0
    middle = step(rate * rate, rate, 0.04)
    for share in (1e-14, 1e-11, 1e-9, 1e-7):
        for sign in (-1.0, 1.0):
            beside = step(rate * rate * (1.0 + sign * share), rate, 0.04)
            assert beside == pytest.approx(middle, rel=2.0 * share + 1e-8, abs=1e-8)


@pytest.mark.parametrize("fps", [24, 60, 240])
def test_what_is_said_is_what_is_seen_swings_a_second_and_halves_a_halflife(fps):
    frequency, halflife = 1.7, 0.3
    square, decay = swinging(frequency, halflife)
    # Let go at the height of a swing of the pure form exp(-decay t) cos(2 pi f t).
    values = run(square, decay, 1.0 / fps, 3 * fps, 1.0, -decay)
    for n, (value, _) in enumerate(values):
        t = n / fps
        assert value == pytest.approx(0.5 ** (t / halflife) * cos(2.0 * pi * frequency * t), abs=1e-12)


def test_without_a_frequency_it_comes_back_without_swinging_over():
    square, decay = swinging(0.0, 0.2)
    assert all(value > 0.0 for value, _ in run(square, decay, 1.0 / 60.0, 240))


def test_one_long_step_is_as_many_short_ones():
    square, decay = sprung(3.0, 0.2)
    long = run(square, decay, 0.5, 1, 1.0, 2.0)[-1]
    assert run(square, decay, 0.5 / 4096, 4096, 1.0, 2.0)[-1] == pytest.approx(long, abs=1e-10)


@pytest.mark.parametrize("dt", [1e-6, 1e-3, 0.04, 1.0, 1e3, 1e6])
@pytest.mark.parametrize(
    ("frequency", "halflife"), [(1000.0, 1e-3), (1000.0, 10.0), (0.01, 1e-6), (0.0, 1.0), (1e-9, 1e-9)]
)
def test_no_stiffness_and_no_step_is_too_large_for_it(frequency, halflife, dt):
    square, decay = sprung(frequency, halflife)
    value, speed = 1.0, 0.0
    for _ in range(10):
        m = step(square, decay, dt)
        value, speed = m.keep * value + m.gain * speed, m.back * value + m.slow * speed
        energy = sqrt(square * value * value + speed * speed)
        assert energy <= sqrt(square) * (1.0 + 1e-9)


def test_an_hour_without_any_growth():
    square, decay = swinging(2.0, 10.0)
    values = run(square, decay, 1.0 / 24.0, 24 * 3600)
    assert abs(values[-1][0]) < 1e-60
    assert log(2.0) / decay == pytest.approx(10.0)
