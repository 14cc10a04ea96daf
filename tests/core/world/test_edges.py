"""Edges, as rays feel them: what is one, where it is, how far it goes on."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from support.ledges import FACE, TOP, Turned, block, column, turned
from surefoot.core.world.compound import Union
from surefoot.core.world.edges import Feel, edge_near, edges_over, room_along, squared
from surefoot.core.world.extruded import Extruded, Flat
from surefoot.core.world.solid import Solid

FEEL = Feel()
OUT = (0.0, 1.0, 0.0)
SPOT = (0.0, FACE, TOP)


def near(world: Solid, place=SPOT, normal=OUT, feel: Feel = FEEL):
    return edge_near(world, place, normal, feel)


def test_an_edge_is_over_the_face_at_the_height_of_the_top():
    edge = near(block(2.0, -2.0))
    assert edge.place == pytest.approx((0.0, FACE, TOP), abs=1e-6)
    assert edge.normal == pytest.approx(OUT, abs=1e-6)


@pytest.mark.parametrize("depth", [0.04, 0.1, 0.2, 5.0])
def test_a_top_that_is_too_thin_to_stand_on_is_an_edge_too(depth: float):
    assert near(block(2.0, -2.0, depth=depth)).place == pytest.approx(SPOT, abs=1e-6)


@pytest.mark.parametrize("thick", [0.1, 0.3, TOP])
def test_so_is_a_beam(thick: float):
    assert near(block(2.0, -2.0, low=TOP - thick)).place == pytest.approx(SPOT, abs=1e-6)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, -2.9])
def test_walls_that_stand_askew_have_edges(angle: float):
    world = Turned(block(2.0, -2.0), angle)
    edge = near(world, (*turned(0.0, FACE, angle), TOP), (*turned(0.0, 1.0, angle), 0.0))
    assert edge.normal == pytest.approx((*turned(0.0, 1.0, angle), 0.0), abs=1e-6)


def test_the_normal_is_the_wall_s_where_another_was_expected():
    assert near(block(2.0, -2.0), normal=(sin(0.4), cos(0.4), 0.0)).normal == pytest.approx(OUT, abs=1e-6)


@pytest.mark.parametrize(("rise", "found"), [(0.0, True), (0.14, True), (-0.14, True), (0.2, False), (-0.2, False)])
def test_it_may_be_a_step_higher_or_lower_than_expected(rise: float, found: bool):
    edge = near(block(2.0, -2.0, TOP + rise))
    assert (edge is not None) is found
    assert edge is None or edge.place[2] == pytest.approx(TOP + rise, abs=1e-6)


@pytest.mark.parametrize(("back", "found"), [(0.09, True), (0.11, False), (-0.3, True)])
def test_the_wall_may_be_a_little_further_in_or_stand_out(back: float, found: bool):
    assert (near(block(2.0, -2.0, face=FACE - back)) is not None) is found


def test_a_wall_that_goes_on_above_has_no_edge():
    assert near(block(2.0, -2.0, TOP + 2.0)) is None


def test_where_there_is_no_wall_there_is_no_edge():
    assert near(Flat()) is None


def test_a_bevelled_rim_is_felt_further_in():
    # The profile leads along -Y: the face, a bevel of 6 cm, the top.
    s = -FACE
    bevelled = Extruded([(s, 0.0, s, TOP - 0.06), (s, TOP - 0.06, s + 0.06, TOP), (s + 0.06, TOP, s + 3.0, TOP)])
    assert near(bevelled).place == pytest.approx(SPOT, abs=0.061)


def test_a_steep_top_gives_no_hold():
    s = -FACE
    roof = Extruded([(s, 0.0, s, TOP - 0.02), (s, TOP - 0.02, s + 1.0, TOP + 1.5)])
    assert near(roof) is None


def test_a_floor_has_no_edge_to_hang_from():
    assert near(block(2.0, -2.0, TOP, face=3.0, depth=8.0)) is None


def test_edges_over_a_place_come_from_the_lowest_on():
    shelf = (block(2.0, -2.0, 2.0, depth=0.3, low=1.9), block(2.0, -2.0, 2.7, depth=0.3, low=2.5))
    found = list(edges_over(Union(*shelf), (0.0, FACE, 0.0), OUT, (1.5, 3.0), FEEL))
    assert [edge.place[2] for edge in found] == pytest.approx([2.0, 2.7], abs=1e-6)
    assert list(edges_over(Union(*shelf), (0.0, FACE, 0.0), OUT, (2.8, 3.5), FEEL)) == []


def test_every_height_of_an_edge_within_the_window_is_found():
    for k in range(86):
        top = 1.5 + 0.01 * k
        found = list(edges_over(block(2.0, -2.0, top + 1e-4), (0.0, FACE, 0.0), OUT, (1.5, 2.36), FEEL))
        assert [edge.place[2] for edge in found] == pytest.approx([top + 1e-4], abs=1e-5), top


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_how_far_it_goes_on_is_found_to_millimetres(side: float):
    world = block(1.234, -1.234)
    edge = near(world)
    gone, last = room_along(world, edge, side * 3.0, FEEL)
    assert gone == pytest.approx(1.234, abs=2e-3)
    assert last.place == pytest.approx((side * 1.234, FACE, TOP), abs=2e-3)
    assert room_along(world, edge, side * 0.5, FEEL)[0] == pytest.approx(0.5)


def test_it_goes_on_over_steps_but_not_over_high_ones():
    world = Union(block(0.5, -2.0), block(1.0, 0.5, TOP + 0.1), block(2.0, 1.0, TOP + 0.3))
    assert room_along(world, near(world), 3.0, FEEL)[0] == pytest.approx(1.0, abs=2e-3)


def test_it_goes_on_around_a_column():
    radius = 1.5
    world = column(radius)
    gone, last = room_along(world, near(world), 1.0, FEEL)
    assert gone == pytest.approx(1.0)
    angle = 1.0 / radius
    place = (radius * sin(angle), FACE - radius + radius * cos(angle), TOP)
    assert last.place == pytest.approx(place, abs=0.01)


def test_two_hands_feel_the_mean_of_two_faces():
    turn = pi / 12.0
    flat, bent = block(0.0, -3.0, depth=1.0), Turned(block(3.0, 0.0, face=0.0, depth=1.0), -turn, (0.0, FACE, 0.0))
    world = Union(flat, bent)
    edge = squared(world, near(world), FEEL)
    assert edge.normal == pytest.approx((sin(0.5 * turn), cos(0.5 * turn), 0.0), abs=0.02)


def test_a_body_of_double_size_feels_with_double_reach():
    assert FEEL.sized(2.0) == Feel(0.7, 0.12, (0.06, 0.16, 0.32), 0.3, 0.2, 0.4)
