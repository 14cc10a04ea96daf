"""What each number of the autopilot changes."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

import pytest
from support.piloted import Piloted
from support.surroundings import on_floor
from surefoot.core.control.intent import Place
from surefoot.core.locomotion.autopilot import THINKING, TOO_FAR
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block

FENCE = on_floor(Block((-4.0, -3.1, 0.0), (1.0, -3.0, 1.0)))
WALL = on_floor(Block((-2.0, -3.4, 0.0), (2.0, -3.0, 9.0)))
BEHIND = (0.0, -6.0, 0.0)


def numbers(**changed: float) -> ParkourConfig:
    usual = ParkourConfig()
    return replace(usual, autopilot=replace(usual.autopilot, **changed))


def thinks(runner: Piloted) -> int:
    """Ticks until it has a way."""
    count = 0
    while count < 2000:
        runner.run(1.0 / runner.fps)
        count += 1
        if runner.reason != THINKING:
            return count
    raise AssertionError


def test_more_cells_a_tick_are_fewer_ticks_of_thinking():
    slow = thinks(Piloted(WALL, BEHIND, config=numbers(cells_a_tick=10.0)))
    quick = thinks(Piloted(WALL, BEHIND, config=numbers(cells_a_tick=100.0)))
    assert slow > 5 * quick


def test_wider_squares_are_fewer():
    fine = thinks(Piloted(WALL, BEHIND, config=numbers(cell=0.15, cells_a_tick=10.0)))
    wide = thinks(Piloted(WALL, BEHIND, config=numbers(cell=0.6, cells_a_tick=10.0)))
    assert fine > 3 * wide


def test_after_so_many_cells_it_goes_as_near_as_it_has_seen():
    runner = Piloted(WALL, BEHIND, config=numbers(most_cells=30.0)).run(6.0)
    runner.run(0.1)
    assert runner.reason == TOO_FAR
    assert -3.0 < runner.capsule.feet[1] < -2.0


def test_it_sprints_where_there_is_so_much_of_a_straight_way():
    speeds = [
        max(
            hypot(*one.velocity[:2])
            for one in Piloted(Flat(), (0.0, -4.0, 0.0), config=numbers(runs_from=way)).run(4.0).seen
        )
        for way in (2.5, 100.0)
    ]
    assert speeds == pytest.approx([6.0, 3.0], abs=0.3)


@pytest.mark.parametrize("near", [0.02, 0.3])
def test_so_near_its_goal_it_stops(near: float):
    runner = Piloted(Flat(), (0.0, -4.0, 0.0), config=numbers(there=near)).run(4.0)
    assert 0.5 * near < runner.off <= near


@pytest.mark.parametrize(("moved", "goes"), [(0.3, False), (0.7, True)])
def test_it_follows_a_goal_that_has_moved_so_far(moved: float, goes: bool):
    runner = Piloted(Flat(), (0.0, -2.0, 0.0)).run(4.0)
    runner.goal = Place(moved, -2.0, 0.0, 0.0)
    for _ in range(10):
        runner.run(0.2)
    assert (runner.off < 0.03) == goes


def test_it_gives_up_a_way_on_which_it_does_not_get_on():
    # What it takes for free is not: a wall comes down behind it as soon as it goes.
    open_yard = Flat()
    for seconds in (0.5, 2.0):
        runner = Piloted(open_yard, BEHIND, config=numbers(gives_up=seconds))
        runner.run(0.2)
        runner.world = Union(Flat(), Block((-2.0, -3.4, 0.0), (2.0, -3.0, 9.0)))
        before = runner.time
        runner.run(5.0, until=lambda one: bool(one.pilot.failed))
        stood = sum(one.time > before and abs(one.velocity[1]) < 1e-3 for one in runner.seen) / 60.0
        assert stood == pytest.approx(seconds, abs=0.15)


@pytest.mark.parametrize(("deepest", "moves"), [(4.0, True), (1.5, False)])
def test_no_deeper_than_told_it_lets_itself_down(deepest: float, moves: bool):
    block = Union(Block((-9.0, -9.0, -1.0), (9.0, 9.0, 0.0)), Block((-2.0, -3.0, -1.0), (2.0, 2.0, 2.0)))
    runner = Piloted(block, BEHIND, (0.0, 0.0, 2.0), config=numbers(deepest=deepest)).run(10.0)
    assert (runner.off < 0.03) == moves


@pytest.mark.parametrize(("name", "world", "goal", "move"), [
    ("vault_costs", FENCE, (0.0, -6.0, 0.0), "VAULTING"),
    ("slide_costs", on_floor(Block((-6.0, -3.3, 1.0), (3.0, -3.0, 9.0))), (0.0, -6.0, 0.0), "SLIDING"),
    ("climb_costs", on_floor(Block((-4.0, -6.0, 0.0), (1.0, -3.0, 1.4)), Block((1.0, -6.0, 0.0), (1.6, -5.0, 0.45)),
                             Block((1.0, -6.0, 0.0), (1.6, -5.5, 0.9))), (-1.0, -4.0, 1.4), "CLIMBING"),
])  # fmt: skip
def test_a_dear_move_is_gone_around(name: str, world, goal: tuple[float, float, float], move: str):
    cheap = Piloted(world, goal, config=numbers(**{name: 0.1})).run(12.0)
    dear = Piloted(world, goal, config=numbers(**{name: 30.0})).run(12.0)
    assert cheap.moves == [move]
    assert dear.moves == []
    assert cheap.off < 0.03
    assert dear.off < 0.03


def legs_of(world, start: tuple[float, float, float], goal: tuple[float, float, float], **changed: float) -> set[str]:
    """What the legs of a way are."""
    runner = Piloted(world, goal, start, config=numbers(**changed))
    thinks(runner)
    return {leg.kind for leg in runner.pilot.legs}


def test_a_dear_drop_is_gone_around_by_the_stairs():
    steps = [Block((6.0, -1.0 - 0.5 * k, -1.0), (8.0, 2.0, 2.0 - 0.4 * k)) for k in range(5)]
    block = on_floor(Block((-3.0, -1.0, -1.0), (8.0, 2.0, 2.0)), *steps)
    assert "DROP" in legs_of(block, (0.0, 0.0, 2.0), (0.0, -6.0, 0.0), drop_costs=0.1)
    assert "DROP" not in legs_of(block, (0.0, 0.0, 2.0), (0.0, -6.0, 0.0), drop_costs=50.0, jump_costs=50.0)


def test_a_dear_jump_is_gone_around_by_the_bridge():
    banks = Union(Block((-6.0, -3.0, -9.0), (6.0, 2.0, 0.0)), Block((-6.0, -9.0, -9.0), (6.0, -5.0, 0.0)))
    bridged = Union(banks, Block((4.0, -5.0, -9.0), (6.0, -3.0, 0.0)))
    assert "JUMP" in legs_of(bridged, (0.0, 0.0, 0.0), (0.0, -7.0, 0.0), jump_costs=0.1)
    assert "JUMP" not in legs_of(bridged, (0.0, 0.0, 0.0), (0.0, -7.0, 0.0), jump_costs=50.0)


def test_a_dear_grab_is_gone_around_by_the_step():
    ledge = on_floor(Block((-4.0, -7.0, 0.0), (4.0, -3.0, 3.0)), Block((4.0, -7.0, 0.0), (6.0, -3.0, 1.5)))
    goal = (0.0, -5.0, 3.0)
    assert "GRAB" in legs_of(ledge, (0.0, 0.0, 0.0), goal, grab_costs=0.1)
    assert "GRAB" not in legs_of(ledge, (0.0, 0.0, 0.0), goal, grab_costs=50.0)
