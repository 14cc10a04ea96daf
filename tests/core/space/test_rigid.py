"""Turns and frames in plain floats."""

from __future__ import annotations

from math import pi, sqrt

import pytest
from mathutils import Quaternion, Vector
from surefoot.core.space.rigid import NO_TURN, Frame, after, between, turned, undone

HALF = sqrt(0.5)
QUARTER = (HALF, 0.0, 0.0, HALF)
PLACE = (1.0, 2.0, 3.0)


def test_a_quarter_turn_about_z_takes_x_to_y():
    assert turned(QUARTER, (1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))


def test_turns_multiply_as_mathutils_multiplies_them():
    a, b = Quaternion((1.0, 2.0, 3.0), 0.7), Quaternion((-2.0, 0.5, 1.0), 1.9)
    assert after(tuple(a), tuple(b)) == pytest.approx(tuple(a @ b), abs=1e-6)
    assert turned(tuple(a), PLACE) == pytest.approx(tuple(a @ Vector(PLACE)), abs=1e-5)


def test_a_turn_and_the_turn_back_are_none():
    assert after(undone(QUARTER), QUARTER) == pytest.approx(NO_TURN)


@pytest.mark.parametrize("to", [(0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (0.6, 0.0, 0.8)])
def test_the_turn_between_two_directions_takes_one_to_the_other(to: tuple[float, float, float]):
    assert turned(between((0.0, 0.0, 1.0), to), (0.0, 0.0, 1.0)) == pytest.approx(to, abs=1e-12)


def test_a_place_told_in_a_moving_frame_comes_back_after_ten_thousand_moves():
    place, frame = PLACE, Frame((0.0, 0.0, 0.0), NO_TURN)
    small = after((1.0, 1e-3, 2e-3, -1e-3), NO_TURN)
    for _ in range(10000):
        scene = frame.to_scene(place)
        frame = Frame((frame.origin[0] + 1e-3, frame.origin[1], frame.origin[2]), after(small, frame.turn))
        place = frame.from_scene(scene)
    assert frame.to_scene(place) == pytest.approx(PLACE, abs=1e-10)
    assert pi * frame.origin[0] == pytest.approx(10.0 * pi)
