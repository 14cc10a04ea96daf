"""The nearest motion that enters nothing."""

from __future__ import annotations

from math import cos, hypot, radians, sin

import numpy as np
import pytest
from surefoot.core.control.slide import STILL, Plane, slid


def test_a_motion_that_enters_nothing_is_left_as_it_is():
    wish = (0.3, -0.2, 0.1)
    assert slid(wish, [Plane((0.0, 0.0, 1.0), 0.0), Plane((1.0, 0.0, 0.0), -1.0)]) is wish


@pytest.mark.parametrize("angle", range(0, 90, 15))
def test_along_one_wall_what_goes_into_it_is_taken_away(angle: int):
    wish = (sin(radians(angle)), -cos(radians(angle)), 0.0)
    assert slid(wish, [Plane((0.0, 1.0, 0.0), 0.0)]) == pytest.approx((wish[0], 0.0, 0.0))


def test_up_to_a_wall_some_way_off_it_goes_the_way_that_is_left():
    assert slid((0.0, -1.0, 0.0), [Plane((0.0, 1.0, 0.0), -0.3)]) == pytest.approx((0.0, -0.3, 0.0))


def test_between_two_walls_it_goes_along_their_crease():
    planes = [Plane((1.0, 0.0, 0.0), 0.0), Plane((0.0, 1.0, 0.0), 0.0)]
    assert slid((-1.0, -2.0, 0.5), planes) == pytest.approx((0.0, 0.0, 0.5))


def test_in_a_corner_of_three_it_stays():
    planes = [Plane((1.0, 0.0, 0.0), 0.0), Plane((0.0, 1.0, 0.0), 0.0), Plane((0.0, 0.0, 1.0), 0.0)]
    assert slid((-1.0, -2.0, -0.5), planes) == pytest.approx((0.0, 0.0, 0.0))


def test_what_stands_in_a_wall_is_brought_out_of_it():
    assert slid(STILL, [Plane((0.0, 1.0, 0.0), 0.1)]) == pytest.approx((0.0, 0.1, 0.0))


def test_between_walls_that_leave_no_room_neither_is_entered_more_than_the_other():
    x, y, z = slid((0.0, -1.0, 0.0), [Plane((0.0, 1.0, 0.0), 0.1), Plane((0.0, -1.0, 0.0), 0.1)])
    assert hypot(x, z) == pytest.approx(0.0)
    assert abs(y) <= 0.1 + 1e-9


def test_it_is_never_longer_than_the_wish_where_staying_is_allowed_and_always_allowed():
    chance = np.random.default_rng(5)
    for _ in range(500):
        count = int(chance.integers(1, 7))
        normals = chance.normal(size=(count, 3))
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        planes = [Plane(tuple(n), -float(chance.uniform(0.0, 0.2))) for n in normals.tolist()]
        wish = tuple(chance.normal(size=3).tolist())
        motion = slid(wish, planes)
        assert hypot(*motion) <= hypot(*wish) + 1e-9
        for plane in planes:
            assert float(np.dot(plane.normal, motion)) >= plane.least - 1e-6


def test_of_all_allowed_motions_it_is_the_nearest():
    chance = np.random.default_rng(7)
    for _ in range(50):
        normals = chance.normal(size=(3, 3))
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        planes = [Plane(tuple(n), -0.1) for n in normals.tolist()]
        wish = chance.normal(size=3)
        motion = np.array(slid(tuple(wish.tolist()), planes))
        tries = motion + chance.normal(size=(2000, 3)) * 0.3
        allowed = tries[(tries @ normals.T >= -0.1).all(axis=1)]
        assert (np.linalg.norm(allowed - wish, axis=1) >= np.linalg.norm(motion - wish) - 1e-9).all()


def test_between_walls_that_are_all_but_parallel_nobody_is_pushed_to_where_they_meet():
    # As single precision has them: their crease is ten kilometres away.
    one, other = (1.346418858558623e-06, -0.9999999999990936, 0.0), (4.6095856119703006e-08, 0.999999999999999, 0.0)
    motion = slid((-0.0005, -0.0013, -0.0025), [Plane(one, 0.005931751), Plane(other, 0.008031327)])
    assert max(map(abs, motion)) < 0.02


def test_a_wall_that_is_met_many_times_does_not_hide_another():
    wall, other = Plane((-1.0, 0.0, 0.0), -0.01), Plane((0.0, -1.0, 0.0), -0.02)
    # The wish oversteps the one ten times over and hardly the other.
    motion = slid((0.5, 0.03, 0.0), [*[wall._replace(least=-0.01 + 1e-9 * k) for k in range(10)], other])
    assert motion == pytest.approx((0.01, 0.02, 0.0), abs=1e-6)
