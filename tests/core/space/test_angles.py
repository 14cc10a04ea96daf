import math

import pytest
from mathutils import Matrix
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
