"""Ground is found where a foot can stand: over seams and gaps, not on walls, not out of reach."""

from math import cos, pi, radians, tan

import pytest
from surefoot.core.world.probe import GroundProbe, find_ground, slope_under
from surefoot.core.world.solids import Empty, Extruded, Flat, Gap, Hills, Hole, Moving, Ramp, Stairs, Union
from surefoot.core.world.world import walked_along

UP, DOWN = 0.35, 0.5


class Tiles:
    """Tiles at 0 with gaps along both axes that meet at the origin; every other way down ends 0.4 m lower."""

    def __init__(self, gap: float, turn: float) -> None:
        self.first = Gap(gap, heading=turn, start=-gap / 2)
        self.second = Gap(gap, heading=turn + pi / 2, start=-gap / 2)
        self.floor = Flat(-0.4)

    def cast_ray(self, origin, direction, distance):
        first, second = (s.cast_ray(origin, direction, distance) for s in (self.first, self.second))
        return first if first and second else self.floor.cast_ray(origin, direction, distance)


class Counted:
    """A world that counts its rays."""

    def __init__(self, world) -> None:
        self.world, self.rays = world, 0

    def cast_ray(self, *question):
        self.rays += 1
        return self.world.cast_ray(*question)

    def height_below(self, *question):
        self.rays += 1
        return self.world.height_below(*question)

    def heights_along(self, line):
        return walked_along(line, self.height_below)


def test_level_ground_costs_one_ray():
    world = Counted(Flat(0.1))
    assert find_ground(world, 0.3, 0.4, 0.0).position.z == pytest.approx(0.1)
    assert world.rays == 1


@pytest.mark.parametrize("turn", [radians(7.0 * k) for k in range(13)])
@pytest.mark.parametrize("offset", [-0.009, 0.0, 0.009])
def test_a_gap_of_2_cm_is_no_hole(turn, offset):
    hit = find_ground(Gap(0.02, heading=turn, start=offset - 0.01), 0.0, 0.0, 0.0)
    assert tuple(hit.position) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize("turn", [radians(5.0 * k) for k in range(18)])
def test_a_crossing_of_two_gaps_is_no_hole(turn):
    assert find_ground(Tiles(0.02, turn), 0.0, 0.0, 0.0).position.z == pytest.approx(0.0, abs=1e-6)


def test_a_gap_between_treads_of_different_height_keeps_the_nearer_tread():
    # Stairs whose treads stop 2 cm short of the next riser: what is below the gap is no ground.
    pieces = [(-9.0, 0.0, 0.98, 0.0), (1.0, 0.17, 1.28, 0.17), (1.3, 0.34, 9.0, 0.34)]
    hit = find_ground(Extruded(pieces), 0.0, -0.99, 0.0)
    assert hit.position.z in (pytest.approx(0.0), pytest.approx(0.17))


def test_on_stairs_each_place_gives_its_own_tread():
    stairs = Stairs(rise=0.17, tread=0.30, count=5, start=1.0)
    for s in [0.003 + 0.01 * k for k in range(250)]:
        height = stairs.height(0.0, -s)
        for foot_z in (height, height + 0.17, height - 0.17):
            hit = find_ground(stairs, 0.0, -s, foot_z)
            assert hit.position.z == pytest.approx(height, abs=1e-6)
            assert hit.normal.z == pytest.approx(1.0)


def test_a_foot_just_past_the_edge_of_a_table_finds_the_rim():
    table = Extruded([(-9.0, 0.7, 1.0, 0.7)])
    hit = find_ground(table, 0.0, -1.01, 0.7)
    assert hit.position.z == pytest.approx(0.7)
    assert -1.0 <= hit.position.y <= -1.0 + 0.03
    assert find_ground(table, 0.0, -1.05, 0.7) is None


@pytest.mark.parametrize(
    ("over", "found"), [(UP - 0.001, True), (UP + 0.001, False), (-DOWN + 0.001, True), (-DOWN - 0.001, False)]
)
def test_ground_is_found_only_within_reach(over, found):
    assert (find_ground(Flat(over), 0.0, 0.0, 0.0) is not None) == found


def test_under_a_low_roof_the_floor_is_found():
    assert find_ground(Union(Flat(0.0), Flat(1.2)), 0.0, 0.0, 0.0).position.z == pytest.approx(0.0)


@pytest.mark.parametrize(("angle", "found"), [(44.0, True), (46.0, False)])
def test_a_slope_over_45_degrees_is_no_ground(angle, found):
    probe = GroundProbe(walkable=cos(radians(45.0)))
    assert (find_ground(Ramp(radians(angle)), 0.0, 0.0, 0.0, probe) is not None) == found


def test_a_steep_bevel_of_2_cm_at_a_step_s_edge_gives_a_tread_beside_it():
    bevelled = Extruded(
        [(-9.0, 0.0, 1.0, 0.0), (1.0, 0.0, 1.0, 0.02), (1.0, 0.02, 1.01, 0.04), (1.01, 0.04, 9.0, 0.04)]
    )
    hit = find_ground(bevelled, 0.0, -1.005, 0.0)
    assert hit.normal.z == pytest.approx(1.0)
    assert hit.position.z in (pytest.approx(0.0), pytest.approx(0.04))


def test_no_ground_is_none():
    assert find_ground(Empty(), 0.0, 0.0, 0.0) is None
    assert slope_under(Empty(), (0.0, 0.0, 0.0, 0.0), 0.9) is None


@pytest.mark.parametrize("heading", [0.0, 0.6, 2.0, -1.7, pi])
def test_a_plane_is_fitted_exactly_whatever_the_heading(heading):
    slope = tan(radians(20.0))
    x, y = 0.7, -1.3
    fit = slope_under(Ramp(radians(20.0), heading=0.4), (x, y, 0.9, heading), 0.9)
    height = Ramp(radians(20.0), heading=0.4).height(x, y)
    expected = (height, slope * cos(heading - 0.4), slope * cos(heading + pi / 2 - 0.4))
    assert fit[:3] == pytest.approx(expected, abs=1e-5)


def test_a_45_degree_ramp_is_followed_from_a_step_over_it():
    assert slope_under(Ramp(radians(45.0)), (0.0, 0.0, 0.2, 0.0), 0.9).slope == pytest.approx(1.0, abs=1e-5)


def test_stairs_are_a_slope_from_tread_to_tread():
    stairs = Stairs(rise=0.17, tread=0.30, count=40, start=0.0)
    for s in [3.0 + 0.013 * k for k in range(100)]:
        fit = slope_under(stairs, (0.0, -s, stairs.height(0.0, -s), 0.0), 0.9)
        # The line through the middles of the treads: one rise, less half a one, over each tread's start.
        assert fit.height == pytest.approx(0.17 / 0.30 * s + 0.085, abs=0.025)
        assert fit.slope == pytest.approx(0.17 / 0.30, abs=0.06)


def test_a_hill_s_slope_is_that_of_the_hill_within_the_window():
    hills = Hills()
    for y in [-0.1 * k for k in range(40)]:
        fit = slope_under(hills, (0.0, y, hills.height(0.0, y), 0.0), 0.9)
        assert fit.slope == pytest.approx(-hills.gradient(0.0, y)[1], abs=0.02)
        assert fit.height == pytest.approx(hills.height(0.0, y), abs=0.015)


def test_a_hole_narrower_than_the_window_is_bridged():
    fit = slope_under(Hole(0.0, 0.0, 2.0, 0.5, height=0.3), (0.0, 0.0, 0.3, 0.0), 0.9)
    assert fit[:3] == pytest.approx((0.3, 0.0, 0.0))
    assert fit.under is None


def test_past_the_last_edge_there_is_no_ground():
    assert slope_under(Extruded([(-9.0, 0.0, 1.0, 0.0)]), (0.0, -1.01, 0.0, 0.0), 0.9) is None


def test_a_table_beside_the_body_is_not_climbed():
    world = Union(Flat(), Moving(Extruded([(0.2, 0.7, 1.0, 0.7)]), lambda _: (0.0, 0.0, 0.0, 0.0)))
    assert slope_under(world, (0.0, 0.0, 0.0, 0.0), 0.9).slope == pytest.approx(0.0)


def test_a_slope_costs_19_rays():
    world = Counted(Flat())
    slope_under(world, (0.0, 0.0, 0.0, 0.0), 0.9)
    assert world.rays == 19
