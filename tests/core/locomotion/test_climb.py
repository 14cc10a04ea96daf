"""Climbing: from the ground and from the air, up what height, along which way, onto the top."""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, sin

import pytest
from support.runner import AHEAD, Runner, past, pressing
from support.surroundings import box, on_floor, profile, turned
from surefoot.core.control.intent import NO_PAD, Pad
from surefoot.core.locomotion.climb import ClimbConfig
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.locomotion.machine import request_of
from surefoot.core.world.compound import Moving
from surefoot.core.world.rooms import Block
from surefoot.core.world.solid import Solid

IN_REACH = past(-0.6)


def block(height: float) -> Solid:
    return on_floor(box(height, gap=1.2))


def climbed(world: Solid, *, pad: Pad = AHEAD, seconds: float = 2.2, **more) -> Runner:
    return Runner(world, **more).go(seconds, pressing(IN_REACH, pad), until=_up)


def _up(runner: Runner) -> bool:
    return "CLIMBING" in runner.states and runner.memory.state != "CLIMBING"


@pytest.mark.parametrize("height", [0.8, 1.2, 1.6, 1.88])
def test_a_press_before_a_top_within_reach_climbs_it_and_stands_on_it(height: float):
    runner = climbed(block(height))
    assert runner.moves == ["CLIMBING"]
    assert runner.memory.state == "GROUNDED"
    assert runner.capsule.feet[2] == pytest.approx(height, abs=1e-5)
    assert runner.capsule.feet[1] < -1.5


def test_what_is_out_of_reach_is_jumped_at():
    runner = Runner(block(3.0)).go(0.5, pressing(IN_REACH))
    assert runner.states == ["GROUNDED", "AIRBORNE"]
    assert runner.memory.reason == "It is too tall."


def test_two_metres_ten_are_climbed_from_a_sprint_alone():
    world = on_floor(box(2.1, gap=2.2))
    sprint = Pad(0.0, -1.0, sprint=True)
    assert Runner(world).go(1.0, pressing(past(-1.6))).states[-1] == "AIRBORNE"
    assert Runner(world).go(1.0, pressing(past(-1.2), sprint)).states[-1] == "CLIMBING"


def test_its_way_is_up_the_wall_to_the_edge_and_then_over_it():
    runner = climbed(block(1.5), fps=120)
    for one in runner.of("CLIMBING"):
        # The capsule never enters wall or top: before the wall until its feet are as high as the edge.
        assert one.feet[1] >= -1.2 + 0.35 or one.feet[2] >= 1.5 - 1e-6
    heights = [one.feet[2] for one in runner.of("CLIMBING")]
    assert heights == sorted(heights)
    places = [one.feet[1] for one in runner.of("CLIMBING")]
    assert places == sorted(places, reverse=True)


def test_a_leaning_wall_is_gone_up_as_it_leans():
    lean = profile((1.1, 0.0), (1.64, 1.5), (6.0, 1.5))
    runner = climbed(lean, fps=120, seconds=2.5)
    assert runner.moves == ["CLIMBING"]
    assert runner.capsule.feet[2] == pytest.approx(1.5, abs=1e-4)
    for one in runner.of("CLIMBING"):
        wall = 1.1 + 0.54 * min(1.0, one.feet[2] / 1.5)
        assert -one.feet[1] <= wall + 0.02 or one.feet[2] > 1.49


def test_it_takes_its_time_by_the_height_and_the_way_over():
    numbers = ClimbConfig()
    for height in (1.0, 1.8):
        runner = climbed(block(height))
        assert len(runner.of("CLIMBING")) * runner.dt == pytest.approx(height / numbers.speed + numbers.over, abs=0.02)


def test_momentum_is_handed_back_as_far_as_the_edge_lets_it():
    slow, fast = (climbed(block(1.0), speed=speed) for speed in (1.0, 5.0))
    assert hypot(*slow.capsule.flat) == pytest.approx(0.9, rel=0.05)
    assert 1.0 < hypot(*fast.capsule.flat) < 5.0
    # Its speed does not jump where the capsule takes over.
    last = fast.of("CLIMBING")[-1]
    assert hypot(*last.velocity[:2]) == pytest.approx(hypot(*fast.capsule.flat), rel=0.1)


@pytest.mark.parametrize("heading", [0.8, -2.0])
def test_met_at_any_angle_of_the_world_it_ends_square_on_the_top(heading: float):
    world = on_floor(turned(box(1.5, gap=1.2), heading))
    runner = Runner(world, heading=heading)
    pad = Pad(sin(heading), -cos(heading))
    runner.go(2.2, pressing(lambda one: hypot(*one.capsule.feet[:2]) > 0.6, pad), until=_up)
    assert runner.moves == ["CLIMBING"]
    assert runner.capsule.feet[2] == pytest.approx(1.5, abs=1e-4)
    assert runner.travel.place.heading == pytest.approx(heading, abs=1e-4)


def test_on_a_platform_that_moves_it_comes_up_where_that_has_gone():
    lift = Moving(Block((-2.0, -5.0, -1.0), (2.0, -1.2, 1.2)), lambda t: (0.4 * t, 0.0, 0.3 * t, 0.0))
    runner = Runner(on_floor(lift)).go(2.2, pressing(IN_REACH), until=_up)
    assert runner.moves == ["CLIMBING"]
    assert runner.capsule.feet[2] == pytest.approx(1.2 + 0.3 * runner.time, abs=0.01)


# From the air.


def jumped_at(height: float, *, held: bool, seconds: float = 1.2) -> Runner:
    """A plain jump from close to a wall, steering into it, with going up held or not."""
    runner = Runner(on_floor(box(height, gap=0.55)))
    runner.go(1.0 / 60.0, Pad(0.0, -1.0, jump=True))
    return runner.go(seconds, Pad(0.0, -1.0, jump=True, go_up=held), until=_up)


def test_from_the_air_it_climbs_while_going_up_is_held():
    runner = jumped_at(3.4, held=True)
    assert "CLIMBING" in runner.moves
    assert runner.capsule.feet[2] == pytest.approx(3.4, abs=1e-4)
    begun = next(one for one in runner.seen if one.state == "CLIMBING")
    assert 3.4 - begun.feet[2] <= 2.1


def test_from_the_air_it_climbs_by_itself_where_the_top_is_less_than_a_metre_fifty_over_its_feet():
    runner = jumped_at(2.6, held=False)
    assert runner.moves[0] == "CLIMBING"
    begun = next(k for k, one in enumerate(runner.seen) if one.state == "CLIMBING")
    assert 2.6 - runner.seen[begun - 1].feet[2] < 1.5
    # Higher up it did not: the jump peaks at 1.78 m, so that this edge is never so near.
    assert "CLIMBING" not in jumped_at(3.4, held=False, seconds=0.7).moves


def test_rising_quickly_it_takes_hold_of_nothing():
    runner = jumped_at(2.6, held=True)
    begun = next(k for k, one in enumerate(runner.seen) if one.state == "CLIMBING")
    assert runner.seen[begun - 1].velocity[2] <= 1.5
    assert runner.seen[begun - 1].velocity[2] > 1.0


def test_without_steering_at_it_it_climbs_nothing():
    runner = Runner(on_floor(box(2.6, gap=0.55)))
    runner.go(1.0 / 60.0, Pad(jump=True))
    assert runner.go(0.8, NO_PAD).moves == []


# What it asks of the pose.


def test_both_hands_are_on_the_edge_shoulder_width_apart_until_it_is_over():
    told = []

    def watch(one: Runner) -> Pad:
        move = request_of(one.memory, one.travel, one.config, one.world).move
        if move is not None:
            told.append(move)
        return AHEAD._replace(go_up=one.capsule.feet[1] < -0.6)

    Runner(block(1.5), fps=120).go(1.8, watch)
    firm = [move for move in told if move.contacts and move.contacts[0].weight > 0.999]
    assert firm[0].progress < 0.02
    assert firm[-1].progress == pytest.approx(0.75, abs=0.02)
    for move in firm:
        left, right = (contact for contact in move.contacts if contact.limb.startswith("hand"))
        assert (left.limb, right.limb) == ("hand.L", "hand.R")
        assert left.place == pytest.approx((0.2, -1.26, 1.5), abs=1e-5)
        assert right.place == pytest.approx((-0.2, -1.26, 1.5), abs=1e-5)


@pytest.mark.parametrize(("height", "variant"), [(1.58, "LOW"), (1.62, "HIGH")])
def test_its_pose_changes_at_a_metre_sixty(height: float, variant: str):
    runner = Runner(block(height)).go(1.0, pressing(IN_REACH), until=lambda one: one.memory.state == "CLIMBING")
    assert request_of(runner.memory, runner.travel, runner.config, runner.world).move.variant == variant


def test_the_numbers_of_a_preset_are_what_it_does():
    numbers = ClimbConfig(speed=1.0, over=1.0, keeps=0.2, by_itself=0.5, hands_to=0.2, low=1.0)
    config = replace(ParkourConfig(), climb=numbers)
    runner = Runner(block(1.5), config=config).go(4.0, pressing(IN_REACH), until=_up)
    assert len(runner.of("CLIMBING")) * runner.dt == pytest.approx(2.5, abs=0.02)
    assert hypot(*runner.capsule.flat) == pytest.approx(0.6, rel=0.01)
