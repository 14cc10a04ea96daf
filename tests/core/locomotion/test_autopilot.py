"""The autopilot: the way that it finds, the buttons that it presses, and that it is the same at every rate."""

from __future__ import annotations

from math import dist

import pytest
from support.piloted import Piloted, course
from support.surroundings import on_floor
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block

LANE, LEDGE = course("lane"), (0.0, -29.0, 2.1)
RATES = (15, 24, 60, 120)


def test_the_whole_lane_is_two_vaults_and_two_climbs_and_ends_in_the_same_place_at_every_rate():
    ends, runner = [], None
    for fps in RATES:
        runner = Piloted(LANE, LEDGE, fps=fps, like=runner).run(20.0)
        assert runner.moves == ["VAULTING", "VAULTING", "CLIMBING", "CLIMBING"], fps
        assert runner.arrived
        ends.append(runner.capsule.feet)
    assert max(dist(a, b) for a in ends for b in ends) < 0.05
    assert max(dist(end, LEDGE) for end in ends) < 0.05


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_half_or_twice_as_large_it_runs_a_lane_of_its_size(size: float):
    goal = tuple(size * value for value in LEDGE)
    runner = Piloted(course("lane", size), goal, size=size, speed=3.0 * size**0.5).run(20.0 * size**0.5)
    assert runner.moves == ["VAULTING", "VAULTING", "CLIMBING", "CLIMBING"]
    assert runner.off < 0.03 * size


def test_where_nothing_is_in_the_way_it_goes_straight_and_at_once():
    runner = Piloted(Flat(), (3.0, -4.0, 0.0)).run(6.0)
    assert runner.off < 0.03
    off_line = max(abs(4.0 * one.feet[0] + 3.0 * one.feet[1]) / 5.0 for one in runner.seen)
    assert off_line < 0.02
    assert runner.seen[5].feet[1] < 0.0


def test_around_a_wall_that_it_cannot_go_over_it_keeps_clear_of_it():
    runner = Piloted(on_floor(Block((-3.0, -3.5, 0.0), (3.0, -3.0, 9.0))), (0.0, -6.0, 0.0)).run(15.0)
    assert runner.moves == []
    assert runner.off < 0.03
    assert runner.reason == ""


@pytest.mark.parametrize(
    ("height", "moves"), [(1.0, ["VAULTING"]), (1.5, ["CLIMBING"]), (3.2, ["CLIMBING"]), (4.0, ["HANGING", "CLIMBING"])]
)
def test_it_goes_up_as_the_height_wants_it(height: float, moves: list[str]):
    deep = 0.1 if height <= 1.0 else 6.0
    goal = (0.0, -7.0, 0.0) if height <= 1.0 else (0.0, -6.0, height)
    runner = Piloted(on_floor(Block((-30.0, -4.0 - deep, 0.0), (30.0, -4.0, height))), goal).run(20.0)
    assert runner.moves == moves
    assert runner.off < 0.03


def test_it_lets_itself_down_and_jumps_gaps():
    down = on_floor(Block((-2.0, -3.0, 0.0), (2.0, 2.0, 2.0)))
    runner = Piloted(down, (0.0, -6.0, 0.0), (0.0, 0.0, 2.0)).run(15.0)
    assert runner.off < 0.03
    over = on_floor(Block((-2.0, -3.0, 0.0), (2.0, 2.0, 8.0)), Block((-2.0, -9.0, 0.0), (2.0, -5.5, 8.3)))
    runner = Piloted(over, (0.0, -8.0, 8.3), (0.0, 0.0, 8.0)).run(15.0)
    assert runner.off < 0.03
    assert min(one.feet[2] for one in runner.seen) > 7.9


def barred(low: float = 1.0, *beside: Block):
    """A wall across the way whose foot is open so high: it is only to be slid under."""
    return on_floor(Block((-9.0, -3.3, low), (9.0, -3.0, 9.0)), *beside)


@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize(
    ("start", "goal"),
    [
        pytest.param((0.0, 0.0, 0.0), (0.0, -8.0, 0.0), id="straight"),
        pytest.param((-2.0, 0.0, 0.0), (3.0, -6.0, 0.0), id="aslant"),
        pytest.param((0.0, -2.4, 0.0), (0.0, -6.0, 0.0), id="from before it"),
        pytest.param((0.0, 0.0, 0.0), (0.0, -4.2, 0.0), id="to a place close behind it"),
    ],
)
def test_it_slides_under_a_bar_wherever_it_comes_from(fps: int, start, goal):
    runner = Piloted(barred(), goal, start, fps=fps).run(8.0)
    assert runner.moves == ["SLIDING"]
    assert runner.off < 0.03


@pytest.mark.parametrize("fps", RATES)
@pytest.mark.parametrize(("left", "right", "x"), [(2.5, 4.0, 0.0), (-0.75, 0.75, 2.0), (2.5, 4.0, 2.8)])
def test_it_finds_to_a_gate_with_a_bar_from_the_side(fps: int, left: float, right: float, x: float):
    beside = (Block((-40.0, -3.3, -1.0), (left, -3.0, 9.0)), Block((right, -3.3, -1.0), (40.0, -3.0, 9.0)))
    runner = Piloted(barred(1.0, *beside), (0.0, -6.0, 0.0), (x, 0.0, 0.0), fps=fps).run(10.0)
    assert runner.moves == ["SLIDING"]
    assert runner.off < 0.03


def test_it_does_not_slide_to_where_it_could_not_stand_up():
    """A ceiling as low as the bar, farther than a slide leads, over all of the floor."""
    tunnel = Union(Block((-3.0, -20.0, -1.0), (3.0, 2.0, 0.0)), Block((-3.0, -20.0, 1.0), (3.0, -3.0, 9.0)))
    runner = Piloted(tunnel, (0.0, -18.0, 0.0)).run(12.0)
    assert runner.moves == []
    assert runner.pilot.ends == "There is no way to the goal that it can go: it is as near as it gets."


@pytest.mark.parametrize("size", [0.5, 2.0])
def test_half_or_twice_as_large_it_slides_under_a_bar_of_its_size(size: float):
    low, high = (-9.0 * size, -3.3 * size, 1.0 * size), (9.0 * size, -3.0 * size, 9.0 * size)
    goal = (0.0, -8.0 * size, 0.0)
    runner = Piloted(on_floor(Block(low, high)), goal, size=size, speed=3.0 * size**0.5).run(8.0 * size**0.5)
    assert runner.moves == ["SLIDING"]
    assert runner.off < 0.03 * size


def test_to_a_goal_that_cannot_be_reached_it_goes_as_near_as_it_can_and_says_why():
    tower = Union(Block((-6.0, -9.0, -1.0), (6.0, 2.0, 0.0)), Block((-1.0, -6.0, -1.0), (1.0, -4.0, 12.0)))
    runner = Piloted(tower, (0.0, -5.0, 12.0)).run(60.0)
    runner.run(0.1)
    assert runner.reason == "There is no way to the goal that it can go: it is as near as it gets."
    assert dist(runner.capsule.feet[:2], (0.0, -5.0)) < 2.0
    assert runner.pace == 0.0


def test_a_goal_too_near_a_wall_it_comes_as_near_to_as_its_body_lets_it_and_says_so():
    room = on_floor(Block((-4.0, -4.0, 0.0), (4.0, -3.0, 9.0)))
    runner = Piloted(room, (0.0, -2.9, 0.0)).run(10.0)
    runner.run(0.1)
    assert runner.arrived
    assert runner.reason != ""
    assert -3.0 < runner.capsule.feet[1] < -2.3


def test_carried_away_from_its_goal_it_goes_back():
    runner = Piloted(Flat(), (0.0, -2.0, 0.0)).run(4.0)
    runner.capsule.feet = (1.5, -2.0, 0.0)
    runner.run(0.1)
    runner.run(3.0)
    assert runner.off < 0.03


def test_a_body_that_does_not_read_the_level_only_walks_and_jumps():
    wall = on_floor(Block((-3.0, -3.1, 0.0), (3.0, -3.0, 1.0)))
    assert Piloted(wall, (0.0, -6.0, 0.0), reads=False).run(15.0).moves == []


def test_its_memory_keeps_no_more_than_a_few_legs_of_the_longest_way():
    walls = [
        Block((-9.0 + 2.0 * (k % 2), -3.0 * k - 3.3, 0.0), (7.0 + 2.0 * (k % 2), -3.0 * k - 3.0, 9.0)) for k in range(9)
    ]
    runner = Piloted(on_floor(*walls), (0.0, -33.0, 0.0), speed=6.0, fps=24)
    most = 0
    for _ in range(120):
        runner.run(0.5)
        most = max(most, len(runner.pilot.legs))
        if runner.arrived:
            break
    assert runner.off < 0.03
    assert 4 < most <= 12
