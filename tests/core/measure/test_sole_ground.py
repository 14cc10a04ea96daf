import math

import numpy as np
import pytest
from surefoot.core.measure.sole_ground import ground_height, sole_ground, surface_ground
from surefoot.core.world.compound import Empty
from surefoot.core.world.extruded import Flat, Ramp, Stairs
from surefoot.core.world.rooms import Box

UNKNOWN = pytest.approx(math.nan, nan_ok=True)


def sole(middle, length=0.2, heel_height=0.0, ball_height=0.0):
    """Heel and ball along -Y, with its middle so far on."""
    ends = [(0.0, -(middle - length / 2), heel_height), (0.0, -(middle + length / 2), ball_height)]
    return np.array(ends[0]), np.array(ends[1])


def test_on_a_slope_both_ends_have_the_ground_below_them():
    slope = Ramp(math.radians(20.0))
    rise = math.tan(math.radians(20.0))
    heel, ball = sole_ground(slope, *sole(1.0, heel_height=0.9 * rise, ball_height=1.1 * rise))
    assert (heel, ball) == pytest.approx((0.9 * rise, 1.1 * rise), abs=1e-5)


@pytest.mark.parametrize("rise", [0.17, -0.17])
def test_an_end_that_hangs_over_a_treads_edge_has_no_ground(rise):
    upper = max(0.0, rise)
    ends = sole_ground(Stairs(rise=rise, start=1.0), *sole(1.0, heel_height=upper, ball_height=upper))
    hanging = 0 if rise > 0.0 else 1
    assert ends[hanging] == UNKNOWN
    assert ends[1 - hanging] == pytest.approx(upper, abs=1e-6)


def test_whole_on_one_tread_both_ends_have_its_height():
    assert sole_ground(Stairs(start=1.0), *sole(1.15, heel_height=0.17, ball_height=0.17)) == pytest.approx(
        (0.17, 0.17)
    )


def test_a_point_foot_has_one_ground_and_nothing_has_none():
    point = np.array([0.0, 0.0, 0.02])
    assert sole_ground(Flat(), point, point) == (0.0, 0.0)
    assert sole_ground(Empty(), point, point) == (UNKNOWN, UNKNOWN)


def test_ground_out_of_sight_is_none():
    assert ground_height(Flat(), 0.0, 0.0, 1.5) == pytest.approx(0.0)
    assert ground_height(Flat(), 0.0, 0.0, 2.5) == UNKNOWN
    assert ground_height(Flat(), 0.0, 0.0, -0.2) == UNKNOWN


ROOM = Box((-2.0, -2.0, 0.0), (2.0, 2.0, 3.0))


@pytest.mark.parametrize("out", [0.004, -0.004, 0.0])
@pytest.mark.parametrize(
    ("wall", "inward"), [((2.0, 0.3, 1.0), (-1, 0, 0)), ((0.4, -2.0, 1.0), (0, 1, 0)), ((0.1, 0.2, 3.0), (0, 0, -1))]
)
def test_of_a_foot_that_clings_the_ground_is_the_wall_with_its_normal_to_the_free_side(wall, inward, out: float):
    """A little over the wall or in it, the leg's joint tells on which side it is free."""
    ball, normal = np.array(wall) + out * np.array(inward), np.array(inward, dtype=float)
    found, grounds = surface_ground(ROOM, ball, ball, ball + 0.3 * normal, 0.5)
    assert found == pytest.approx(normal, abs=1e-6)
    assert normal @ ball - np.array(grounds) == pytest.approx((out, out), abs=1e-5)


def test_a_foot_that_clings_to_nothing_is_over_the_ground_below():
    point = np.array([0.0, 0.0, 1.5])
    found, grounds = surface_ground(ROOM, point, point, point + (0.0, 0.0, 0.3), 0.5)
    assert tuple(found) == (0.0, 0.0, 1.0)
    assert grounds == pytest.approx((0.0, 0.0))
