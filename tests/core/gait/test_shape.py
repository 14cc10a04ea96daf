"""What the planner knows of a body, from four numbers or from a rig."""

from dataclasses import replace
from math import dist, pi, sqrt

import pytest
from mathutils import Matrix
from support.grid import rig_of
from support.layered import understood
from support.rigs import person_skeleton
from surefoot.core.gait.shape import SPRINGY, make_legs, shape_of


@pytest.mark.parametrize("count", [2, 4, 6, 8, 12])
def test_legs_are_made_front_to_back_and_left_before_right(count: int):
    legs = make_legs(count, 0.8, 0.3, 0.5).legs
    assert [leg.side for leg in legs] == ["L", "R"] * (count // 2)
    assert [leg.order for leg in legs] == [i // 2 for i in range(count)]
    ys = [leg.hip[1] for leg in legs[::2]]
    assert ys == sorted(ys)


def test_front_is_minus_y_and_left_is_plus_x():
    front_left, _, _, hind_right = make_legs(4, 0.8, 0.3, 0.5).legs
    assert front_left.hip == (0.15, -0.4, 0.5)
    assert hind_right.hip == (-0.15, 0.4, 0.5)


@pytest.mark.parametrize(
    ("count", "first", "last"),
    [
        (2, "leg.L", "leg.R"),
        (4, "front_leg.L", "hind_leg.R"),
        (6, "front_leg.L", "hind_leg.R"),
        (8, "leg1.L", "leg4.R"),
    ],
)
def test_made_legs_have_the_roles_of_their_number(count: int, first: str, last: str):
    legs = make_legs(count, 0.8, 0.3, 0.5).legs
    assert (legs[0].role, legs[-1].role) == (first, last)
    assert len({leg.role for leg in legs}) == count


@pytest.mark.parametrize("count", [2, 4, 8])
def test_a_made_leg_is_long_enough_to_stand(count: int):
    for leg in make_legs(count, 0.8, 0.3, 0.5).legs:
        assert dist(leg.hip, leg.tip) < leg.length


def test_the_two_legs_of_a_body_without_length_stand_side_by_side():
    left, right = make_legs(2, 0.8, 0.3, 0.9).legs
    assert left.hip[1] == right.hip[1] == 0.0
    assert left.rolls
    assert right.rolls


@pytest.mark.parametrize("count", [0, 1, 3, 7, -2])
def test_legs_that_are_no_pairs_are_refused(count: int):
    with pytest.raises(ValueError, match="pairs"):
        make_legs(count, 0.8, 0.3, 0.5)


@pytest.mark.parametrize(("length", "width", "height"), [(-0.1, 0.3, 0.5), (0.8, 0.0, 0.5), (0.8, 0.3, 0.0)])
def test_a_body_without_extent_is_refused(length: float, width: float, height: float):
    with pytest.raises(ValueError, match="positive"):
        make_legs(4, length, width, height)


def test_the_span_is_the_longer_side_of_the_feet():
    assert make_legs(4, 0.8, 0.3, 0.5).span == pytest.approx(0.8)
    assert make_legs(4, 0.2, 0.3, 0.5).span == pytest.approx(0.3)


def test_a_leg_that_stands_on_its_whole_sole_and_rests_bent_keeps_two_fifths_of_its_bend():
    leg = make_legs(2, 0.8, 0.3, 0.5).legs[0]
    rest = dist(leg.hip, leg.tip) / leg.length
    assert leg.cap(1.0) == pytest.approx(1.0 - 0.4 * (1.0 - rest))
    assert leg.cap(0.9) == 0.9


def test_a_leg_that_stands_on_its_tip_or_its_toes_is_never_straight():
    assert make_legs(4, 0.8, 0.3, 0.5).legs[0].cap(1.0) == SPRINGY < 0.99


def test_sprawling_legs_measure_steps_by_half_a_leg_not_by_their_low_hips():
    spider = shape_of(rig_of("spider"))
    assert spider.stature == pytest.approx(0.5 * sum(leg.length for leg in spider.legs) / 8)
    assert spider.stature > spider.leg_length


@pytest.mark.parametrize("who", ["person", "dog", "spider", "hexapod"])
def test_a_rig_s_shape_stands_on_the_ground(who: str):
    for leg in shape_of(rig_of(who)).legs:
        assert min(leg.heel[2], leg.ball[2]) == pytest.approx(0.0, abs=0.002)


@pytest.mark.parametrize(("who", "rolls"), [("person", True), ("spider", False)])
def test_a_foot_with_heel_and_ball_rolls_and_a_point_does_not(who: str, rolls: bool):
    assert {leg.rolls for leg in shape_of(rig_of(who)).legs} == {rolls}


def test_left_and_right_of_a_rig_are_mirror_images():
    for who in ("person", "dog", "spider"):
        legs = shape_of(rig_of(who)).legs
        for left, right in zip(legs[::2], legs[1::2], strict=True):
            for name in ("hip", "tip", "pivot", "heel", "ball"):
                x, y, z = getattr(left, name)
                assert getattr(right, name) == pytest.approx((-x, y, z), abs=1e-5)


def test_a_body_with_its_feet_over_its_hips_takes_its_pace_from_its_legs():
    shape = shape_of(understood(person_skeleton().moved(Matrix.Rotation(pi, 4, "X"))))
    assert shape.leg_length < 0.0
    assert shape.tempo == pytest.approx(sqrt(0.5 * shape.legs[0].length / 0.9), rel=0.01)


def test_a_body_without_any_length_has_a_pace():
    assert replace(make_legs(2, 0.8, 0.3, 0.9), legs=(), leg_length=0.0).tempo > 0.0
