import math

import numpy as np
import pytest
from mathutils import Euler, Matrix
from surefoot.core.space import angles


@pytest.mark.parametrize(
    ("angle", "expected"),
    [
        (0.0, 0.0),
        (math.pi, math.pi),
        (-math.pi, math.pi),
        (3.0 * math.pi / 2.0, -math.pi / 2.0),
        (7.0, 7.0 - 2.0 * math.pi),
    ],
)
def test_an_angle_is_wrapped_above_minus_pi_up_to_pi(angle, expected):
    assert angles.wrapped(angle) == pytest.approx(expected, abs=1e-12)


def test_the_shortest_turn_crosses_the_seam():
    assert angles.turn_between(math.radians(170), math.radians(-170)) == pytest.approx(math.radians(20))
    assert angles.turn_between(math.radians(-170), math.radians(170)) == pytest.approx(math.radians(-20))


def test_heading_zero_faces_minus_y_and_a_quarter_turn_faces_plus_x():
    assert angles.facing(0.0) == pytest.approx((0.0, -1.0))
    assert angles.facing(math.pi / 2.0) == pytest.approx((1.0, 0.0))
    assert angles.left_of(0.0) == pytest.approx((1.0, 0.0))


@pytest.mark.parametrize("degrees", range(-179, 181, 17))
def test_a_heading_is_a_turn_about_z_from_the_rest_facing(degrees):
    heading = math.radians(degrees)
    turn = Matrix.Rotation(heading, 2)
    assert angles.facing(heading) == pytest.approx(tuple(turn @ Matrix.Identity(2).col[1] * -1.0), abs=1e-6)
    assert angles.left_of(heading) == pytest.approx(tuple(turn.col[0]), abs=1e-6)
    assert angles.heading_of(*angles.facing(heading)) == pytest.approx(heading)


def test_no_direction_has_heading_zero():
    assert angles.heading_of(0.0, 0.0) == 0.0


def test_unwrapped_quaternions_turn_on_without_a_sign_flip():
    half = np.linspace(0.0, 3.0 * math.pi, 100)
    smooth = np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=-1)[:, None]
    flipped = smooth * np.where(np.arange(100) % 3 == 1, -1.0, 1.0)[:, None, None]
    np.testing.assert_array_equal(angles.unwrap_quaternions(flipped), smooth)


def test_each_bone_keeps_its_own_sign():
    rotations = np.array([[[1.0, 0, 0, 0], [1.0, 0, 0, 0]], [[-1.0, 0, 0, 0], [1.0, 0, 0, 0]]])
    np.testing.assert_array_equal(angles.unwrap_quaternions(rotations)[1, :, 0], [1.0, 1.0])


def test_unwrapped_eulers_are_the_same_rotations_without_jumps():
    steady = np.stack([np.linspace(0.0, 4.0, 80), np.linspace(0.2, 2.4, 80), np.linspace(-1.0, -5.0, 80)], axis=-1)
    read = np.array([tuple(Euler(row).to_matrix().to_euler()) for row in steady])
    assert np.abs(np.diff(read, axis=0)).max() > 1.0, "the read angles jump, or this test shows nothing"
    np.testing.assert_allclose(angles.unwrap_eulers(read), steady, atol=1e-4)


def test_one_frame_is_returned_as_it_is():
    one = np.array([[[0.0, -1.0, 0.0, 0.0]]])
    np.testing.assert_array_equal(angles.unwrap_quaternions(one), one)
