"""The way of a foot between two footholds."""

from itertools import pairwise
from math import radians

import pytest
from mathutils import Quaternion, Vector
from support.grid import rig_of
from support.walk import walk
from surefoot.core.gait.foot import Foothold, rotation_at
from surefoot.core.gait.swing import swing_foot
from surefoot.core.gait.way import (
    ARRIVES,
    LEAVES,
    OnWay,
    Way,
    along,
    arch,
    ball_on_way,
    carried_share,
    climbed,
    dropped,
    way_over,
)
from surefoot.core.world.solids import Extruded, Flat, Ramp, Solid, Stairs, Union

Place = tuple[float, float, float]
UP = (0.0, 0.0, 1.0)
STEP, HIGHEST = 0.06, 0.35
POINT = (0.0, 0.0)
STEPS = [step / 200.0 for step in range(201)]


def hold(y: float, z: float = 0.0) -> Foothold:
    """A foothold on the line along which these feet swing (-Y)."""
    return Foothold(0.0, y, z, 0.0, UP, None, True)


def way(ground: Solid, start: Foothold, end: Foothold, sole: tuple[float, float] = POINT) -> list[Place]:
    """The ball's places through a swing that clears the ground."""
    chosen = way_over(ground, start, end, STEP, HIGHEST, sole)
    return [ball_on_way(start, end, s, chosen) for s in STEPS]


def test_a_swing_begins_and_ends_on_its_footholds_exactly():
    start, end = hold(0.123), hold(-0.5, 0.17)
    for swing in (Way(0.1), Way(0.1, 0.4, 0.3), Way(0.1, 1.0, 0.1, 0.2, 1)):
        assert ball_on_way(start, end, 0.0, swing) == start[:3]
        assert ball_on_way(start, end, 1.0, swing) == pytest.approx(end[:3], abs=1e-12)


def test_a_foot_goes_forward_all_the_way():
    shares = [along(s) for s in STEPS]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("leave", LEAVES)
@pytest.mark.parametrize("arrive", ARRIVES)
def test_a_foot_that_waits_goes_forward_between_its_waits_only(leave: float, arrive: float):
    assert along(leave, leave, arrive) == 0.0
    assert along(1.0 - arrive, leave, arrive) == pytest.approx(1.0)
    shares = [along(s, leave, arrive) for s in STEPS]
    assert shares == sorted(shares)


@pytest.mark.parametrize("early", [0, 1, 2])
@pytest.mark.parametrize(("leave", "arrive"), [(0.0, 0.0), (0.3, 0.0), (0.0, 0.3)])
def test_a_foot_is_at_rest_where_it_leaves_and_where_it_lands(early: int, leave: float, arrive: float):
    step = 1e-4
    assert along(step, leave, arrive) / step < 0.05
    assert (1.0 - along(1.0 - step, leave, arrive)) / step < 0.05
    assert arch(step, early) / step < 0.2
    assert arch(1.0 - step, early) / step < 0.2


@pytest.mark.parametrize(("early", "peak"), [(0, 4 / 7), (1, 4 / 9), (2, 1 / 3)])
def test_the_arc_is_highest_past_the_middle_and_an_early_one_before_it(early: int, peak: float):
    heights = [arch(s, early) for s in STEPS]
    assert max(heights) == pytest.approx(1.0, abs=1e-3)
    assert STEPS[heights.index(max(heights))] == pytest.approx(peak, abs=STEPS[1] - STEPS[0])
    assert (heights[0], heights[-1]) == (0.0, 0.0)


def test_over_an_edge_a_foot_climbs_early_and_descends_late():
    assert climbed(0.5, 0.5, 0.2, 1.0) == 1.0
    assert climbed(0.25, 0.15, -0.2, 1.0) == 0.0


def test_a_drop_begins_and_ends_at_rest_and_brakes_for_longer_than_it_gathers_speed():
    heights = [dropped(t) for t in STEPS]
    speeds = [b - a for a, b in pairwise(heights)]
    assert heights == sorted(heights)
    assert (heights[0], heights[-1]) == (0.0, 1.0)
    assert speeds[0] < 0.02 * max(speeds)
    assert speeds[-1] < 0.01 * max(speeds)
    assert STEPS[speeds.index(max(speeds))] < 0.45


@pytest.mark.parametrize("rise", [0.2, -0.2])
def test_along_a_slope_a_foot_climbs_as_it_goes(rise: float):
    assert [climbed(s, along(s), rise, 0.0) for s in STEPS] == [along(s) for s in STEPS]


def test_on_level_ground_the_arc_is_the_gait_s_own():
    assert way_over(Flat(), hold(0.0), hold(-0.7), STEP, HIGHEST, POINT) == Way(STEP)


@pytest.mark.parametrize("angle", [-20.0, -10.0, 10.0, 20.0])
def test_along_a_slope_the_whole_way_is_above_it(angle: float):
    ground = Ramp(radians(angle))
    start, end = hold(0.0, ground.height(0.0, 0.0)), hold(-0.7, ground.height(0.0, -0.7))
    assert min(z - ground.height(x, y) for x, y, z in way(ground, start, end)) >= -1e-9


@pytest.mark.parametrize("angle", [-20.0, -10.0, 10.0, 20.0])
def test_an_even_slope_is_no_edge(angle: float):
    ground = Ramp(radians(angle))
    start, end = hold(0.0, ground.height(0.0, 0.0)), hold(-0.7, ground.height(0.0, -0.7))
    assert way_over(ground, start, end, STEP, HIGHEST, POINT).edge == 0.0


def test_a_riser_between_two_footholds_is_an_edge():
    assert way_over(Stairs(0.17, 0.3, count=1, start=0.2), hold(0.0), hold(-0.6, 0.17), STEP, HIGHEST, POINT).edge > 0.3


def wall(height: float, thickness: float = 0.05, at: float = 0.35) -> Union:
    """Level ground with a wall across the way."""
    top = Extruded(
        [(at, 0.0, at, height), (at, height, at + thickness, height), (at + thickness, height, at + thickness, 0.0)]
    )
    return Union(Flat(), top)


@pytest.mark.parametrize("height", [0.05, 0.1, 0.2])
@pytest.mark.parametrize("at", [0.28, 0.35, 0.42])
def test_a_wall_of_5_cm_between_two_footholds_is_cleared(height: float, at: float):
    ground, start, end = wall(height, at=at), hold(0.0), hold(-0.7)
    over = [z - height for _, y, z in way(ground, start, end) if at <= -y <= at + 0.05]
    assert over
    assert min(over) > 0.0


def test_a_heel_clears_what_the_ball_has_passed():
    ground, start, end = wall(0.1, at=0.2), hold(0.0), hold(-0.7)
    sole = (0.0, 0.17)
    over = [z - 0.1 for _, y, z in way(ground, start, end, sole) if 0.2 <= -(y + sole[1]) <= 0.25 or 0.2 <= -y <= 0.25]
    assert over
    assert min(over) > 0.0


@pytest.mark.parametrize("rise", [0.17, -0.17])
@pytest.mark.parametrize("treads", [1, 2])
def test_the_edges_of_stairs_are_cleared(rise: float, treads: int):
    ground = Stairs(rise, 0.3, count=10, start=0.15)
    start, end = hold(0.0), hold(-0.3 * treads, rise * treads)
    gaps = [z - ground.height(x, y) for x, y, z in way(ground, start, end)]
    assert min(gaps) > -1e-9


@pytest.mark.parametrize("beside", [0.005, 0.01, 0.02])
def test_a_foot_right_before_a_riser_goes_up_first(beside: float):
    ground, start, end = Stairs(0.17, 0.3, count=1, start=beside), hold(0.0), hold(-0.3, 0.17)
    assert min(z - ground.height(x, y) for x, y, z in way(ground, start, end)) > -1e-9
    assert way_over(ground, start, end, STEP, HIGHEST, POINT).leave > 0.0


def test_a_heel_that_lands_right_behind_an_edge_comes_down_last():
    """The heel's place is 1 cm before the riser that it comes down from."""
    ground, sole = Stairs(-0.17, 0.3, count=2, start=0.15), (0.0, 0.2)
    start, end = hold(0.0), hold(-0.66, -0.34)
    places = [(x, y + sole[1], z) for x, y, z in way(ground, start, end, sole)]
    assert min(z - ground.height(x, y) for x, y, z in places) > -1e-9
    assert way_over(ground, start, end, STEP, HIGHEST, sole).arrive > 0.0


def test_a_foot_on_its_way_keeps_its_waits_where_they_do():
    ground, start = Stairs(0.17, 0.3, count=1, start=0.02), hold(0.0)
    first = way_over(ground, start, hold(-0.3, 0.17), STEP, HIGHEST, POINT)
    later = way_over(Flat(), start, hold(-0.3, 0.05), STEP, HIGHEST, POINT, OnWay(first, 0.1, start[:3]))
    assert later[2:] == first[2:]


def test_a_lying_foot_s_heel_is_where_its_slope_has_it():
    """Up a slope of 20 degrees a heel behind the ball is lower than it: nothing is asked for."""
    ground, sole = Ramp(radians(20.0)), (0.0, 0.2)
    normal = (0.0, -ground.height(0.0, -1.0), 1.0)
    start, end = (hold(y, ground.height(0.0, y))._replace(normal=normal) for y in (0.0, -0.7))
    level = way_over(ground, start, end, STEP, HIGHEST, POINT)
    assert way_over(ground, start, end, STEP, HIGHEST, sole).height == pytest.approx(level.height, abs=1e-3)


@pytest.mark.parametrize("highest", [0.08, 0.12])
def test_an_arc_goes_no_higher_than_a_leg_can_fold(highest: float):
    assert way_over(wall(0.2, at=0.3), hold(0.0), hold(-0.7), STEP, highest, POINT).height <= highest


def test_how_high_a_foot_goes_over_a_crest_is_up_to_its_leg_and_not_to_how_high_its_gait_lifts_it():
    """A spider's hips are low, so that its gait lifts its feet little; its legs are long all the same."""
    ground = Extruded([(-1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.35, 0.2), (0.35, 0.2, 0.7, 0.0), (0.7, 0.0, 3.0, 0.0)])
    start, end, least = hold(0.0), hold(-0.7), 0.02
    chosen = way_over(ground, start, end, least, HIGHEST, POINT)
    places = [ball_on_way(start, end, s, chosen) for s in STEPS]
    assert min(z - ground.height(x, y) for x, y, z in places) >= -1e-9


def test_what_lies_deep_between_two_footholds_asks_for_no_arc():
    ditch = Extruded([(-9.0, 0.0, 0.2, 0.0), (0.5, 0.0, 9.0, 0.0)])
    assert way_over(ditch, hold(0.0), hold(-0.7), STEP, HIGHEST, POINT) == Way(STEP)


def test_a_foot_that_steps_on_the_spot_asks_the_ground_nothing():
    assert way_over(wall(0.3, at=0.0), hold(0.0), hold(-0.005), STEP, HIGHEST, POINT) == Way(STEP)


@pytest.mark.parametrize("progress", [0.3, 0.55, 0.8])
def test_a_foot_turns_from_slope_to_slope_as_it_goes_on_so_that_its_heel_is_where_its_way_was_measured(progress: float):
    """Over a crest, from ground that rises by 0.3 to ground that falls by 0.3: a heel half a metre behind the ball
    comes up from 0.15 m under it to 0.15 m over it, in the shares in which the ball goes on.
    """
    foot = walk(rig_of("person"), Flat(), seconds=0.1).memories[-1].gait.feet[0]
    rises, falls = (tuple(Vector((0.0, tilt, 1.0)).normalized()) for tilt in (0.3, -0.3))
    foot.hold, foot.target = hold(0.0)._replace(normal=rises), hold(-3.0)._replace(normal=falls)
    foot.way, foot.progress = Way(STEP, leave=0.1), progress
    swing_foot(foot, rotation_at(0.0, falls), rotation_at(0.0, rises), 0.0)
    heel = Quaternion(foot.rotation) @ Vector((0.0, 0.5, 0.0))
    assert heel.z == pytest.approx(-0.15 + 0.3 * along(progress, 0.1), abs=0.005)


def test_the_way_is_the_same_wherever_it_is_in_the_scene():
    near = ball_on_way(hold(0.0), hold(-0.7), 0.3, Way(STEP))
    far = ball_on_way(hold(5.0e4), hold(5.0e4 - 0.7), 0.3, Way(STEP))
    assert (far[1] - 5.0e4, far[2]) == pytest.approx((near[1], near[2]), abs=1e-9)


def test_what_a_foot_is_off_a_new_way_is_counted_in():
    """A foot that is still low and behind when its aim moves a tread farther must not be drawn over the edge."""
    ground, sole = Stairs(-0.17, 0.3, count=9, start=0.15), (0.0, 0.17)
    start, end, progress = hold(0.0), hold(-0.64, -0.34), 0.4
    before = ball_on_way(start, hold(-0.34, -0.17), progress, Way(0.1))
    chosen = way_over(ground, start, end, STEP, HIGHEST, sole, OnWay(Way(0.1), progress, before))
    new = ball_on_way(start, end, progress, chosen)
    gaps = []
    for s in (step for step in STEPS if step >= progress):
        left = carried_share(s, progress)
        x, y, z = (w + (b - n) * left for w, b, n in zip(ball_on_way(start, end, s, chosen), before, new, strict=True))
        gaps.append(z - max(ground.height(x, y), ground.height(x, y + sole[1])))
    assert min(gaps) > -1e-9
