"""Random levels, judged from the pose: a few of those that `benchmarks/random_levels.py` goes through."""

from __future__ import annotations

from functools import cache

import pytest
from support.grid import rig_of
from support.judged_run import DEEP, UNHELD, Verdict, run
from support.obstacle_field import judge_of
from support.random_levels import level
from support.random_walk import add_things


@cache
def verdict(seed: int) -> Verdict:
    built = level(seed)
    return run(rig_of("person"), add_things(built.things), judge_of(built.things), built, poses=2)


# By walking, out of a yard and onto a box, past a corner that a climb missed, beside a ramp that the body did not pass.
@pytest.mark.parametrize("seed", [0, 3, 35, 162])
def test_it_reaches_what_a_search_says_can_be_reached_and_ends_in_nothing(seed: int):
    one = verdict(seed)
    assert one.reachable
    assert one.reached, one
    assert not one.inside
    assert one.hung <= UNHELD


def test_every_other_goal_is_not_one_for_walking():
    assert level(3).high
    assert not verdict(3).walkable
    assert len(verdict(3).moves) >= 2


def test_on_foot_nothing_of_it_is_in_a_wall():
    assert verdict(0).deep <= DEEP


def test_in_its_moves_nothing_of_it_is_in_a_wall():
    assert verdict(3).deep <= DEEP
