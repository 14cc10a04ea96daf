"""Force fields that move a body, in closed form."""

from __future__ import annotations

from math import hypot, inf

import pytest
from surefoot.core.control.fields import Falloff, ForceField, driven_by, fields_between

UP, ORIGIN = (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


def test_a_wind_without_falloff_is_the_same_everywhere():
    wind = ForceField("WIND", (3.0, 1.0, 0.0), (0.0, -1.0, 0.0), 2.5)
    for place in (ORIGIN, (9.0, -40.0, 3.0)):
        assert driven_by([wind], place) == pytest.approx((0.0, -2.5, 0.0))


def test_a_force_goes_away_from_its_place_and_a_negative_one_towards_it():
    place = (3.0, 4.0, 0.0)
    assert driven_by([ForceField("FORCE", ORIGIN, UP, 10.0)], place) == pytest.approx((6.0, 8.0, 0.0))
    assert driven_by([ForceField("FORCE", ORIGIN, UP, -10.0)], place) == pytest.approx((-6.0, -8.0, 0.0))


def test_a_vortex_goes_around_its_axis_the_faster_the_further_out():
    vortex = ForceField("VORTEX", ORIGIN, UP, 2.0)
    assert driven_by([vortex], (3.0, 0.0, 0.0)) == pytest.approx((0.0, 6.0, 0.0))
    assert driven_by([vortex], (0.0, 1.0, 0.0)) == pytest.approx((-2.0, 0.0, 0.0))


def test_fields_add_up():
    fields = [ForceField("WIND", ORIGIN, (1.0, 0.0, 0.0), 1.0), ForceField("WIND", ORIGIN, UP, 2.0)]
    assert driven_by(fields, (5.0, 5.0, 5.0)) == pytest.approx((1.0, 0.0, 2.0))


@pytest.mark.parametrize(
    ("falloff", "distance", "share"),
    [
        (Falloff(1.0), 3.0, 0.25),
        (Falloff(2.0), 1.0, 0.25),
        (Falloff(1.0, least=2.0), 1.0, 1.0),
        (Falloff(1.0, least=2.0), 3.0, 0.5),
        (Falloff(0.0, most=2.0), 2.0, 1.0),
        (Falloff(0.0, most=2.0), 2.01, 0.0),
        (Falloff(0.0), 1e6, 1.0),
    ],
)
def test_a_strength_falls_by_its_power_between_its_limits(falloff: Falloff, distance: float, share: float):
    assert falloff.at(distance) == pytest.approx(share)


def test_in_a_tube_it_falls_along_the_axis_and_away_from_it():
    tube = ForceField("WIND", ORIGIN, UP, 8.0, shape="TUBE", along=Falloff(1.0), radial=Falloff(0.0, most=2.0))
    assert driven_by([tube], (1.0, 0.0, 3.0)) == pytest.approx((0.0, 0.0, 2.0))
    assert driven_by([tube], (2.1, 0.0, 3.0)) == pytest.approx((0.0, 0.0, 0.0))


def test_in_a_cone_what_is_too_far_off_the_axis_gets_nothing():
    cone = ForceField("WIND", ORIGIN, UP, 8.0, shape="CONE", radial=Falloff(0.0, most=30.0))
    assert driven_by([cone], (1.0, 0.0, 2.0)) == pytest.approx((0.0, 0.0, 8.0))
    assert driven_by([cone], (2.0, 0.0, 1.0)) == pytest.approx((0.0, 0.0, 0.0))


def test_from_a_plane_it_is_the_height_over_it_that_counts():
    force = ForceField("FORCE", ORIGIN, UP, 3.0, plane=True, along=Falloff(1.0))
    assert driven_by([force], (50.0, 0.0, 2.0)) == pytest.approx((0.0, 0.0, 1.0))
    assert driven_by([force], (50.0, 0.0, -2.0)) == pytest.approx((0.0, 0.0, -1.0))


@pytest.mark.parametrize(("side", "before", "behind"), [(0, 1.0, 1.0), (1, 1.0, 0.0), (-1, 0.0, 1.0)])
def test_a_field_may_be_on_one_side_alone(side: int, before: float, behind: float):
    wind = ForceField("WIND", ORIGIN, UP, 1.0, side=side)
    assert driven_by([wind], (0.0, 0.0, 2.0))[2] == before
    assert driven_by([wind], (0.0, 0.0, -2.0))[2] == behind


def test_as_gravity_it_falls_with_the_square_of_the_distance_and_is_nothing_in_its_middle():
    force = ForceField("FORCE", ORIGIN, UP, 8.0, inverse_square=True)
    assert hypot(*driven_by([force], (2.0, 0.0, 0.0))) == pytest.approx(2.0)
    assert driven_by([force], ORIGIN) == (0.0, 0.0, 0.0)


def test_between_two_frames_place_direction_and_strength_go_over():
    before = ForceField("WIND", ORIGIN, (1.0, 0.0, 0.0), 1.0)
    after = before._replace(place=(2.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0), strength=3.0)
    (half,) = fields_between((before,), (after,), 0.5)
    assert half.place == (1.0, 0.0, 0.0)
    assert half.axis == pytest.approx((0.5**0.5, 0.5**0.5, 0.0))
    assert half.strength == 2.0
    assert fields_between((before,), (after,), 1.0) == (after,)
    assert fields_between((before,), (), 0.5) == ()


def test_limits_are_off_unless_set():
    assert Falloff().most == inf
