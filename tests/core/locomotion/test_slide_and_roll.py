"""Sliding under bars and rolling after falls: when, how long, how low, and with what speed it goes on."""

from __future__ import annotations

from dataclasses import replace
from math import hypot, sqrt

import pytest
from support.runner import AHEAD, Runner, past, pressing
from support.surroundings import box, on_floor
from surefoot.core.control.intent import NO_PAD, Pad
from surefoot.core.control.movement import MovementConfig
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.locomotion.roll import RollConfig
from surefoot.core.locomotion.slide import SlideConfig
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat, Ramp
from surefoot.core.world.rooms import Block

BAR = on_floor(box(3.0, 0.3, low=1.0, gap=1.2))
CROUCHED = Pad(0.0, -1.0, crouch=True)


def running(world=None, speed: float = 3.0, fps: int = 60, config: ParkourConfig | None = None) -> Runner:
    """Somebody who runs by now."""
    start = (0.0, 2.0, 0.0)
    return Runner(world or Flat(), start, speed=speed, fps=fps, config=config).go(0.6, AHEAD)


def _over(state: str):
    return lambda runner: state in runner.states and runner.memory.state != state


def test_going_up_at_a_bar_that_can_only_be_gone_under_slides_under_it():
    runner = running(BAR).go(2.0, pressing(past(-0.6)))
    assert runner.moves == ["SLIDING"]
    assert runner.capsule.feet[1] < -3.0
    assert runner.memory.state == "GROUNDED"


def test_crouching_at_a_run_slides_also_where_there_is_no_bar():
    runner = running().go(0.1, CROUCHED)
    assert runner.memory.state == "SLIDING"


def test_crouching_at_a_walk_only_crouches():
    runner = running(speed=2.0).go(0.3, CROUCHED)
    assert runner.moves == []
    assert runner.memory.state == "CROUCHED"


def test_held_crouched_it_slides_once():
    assert running().go(1.5, CROUCHED).moves == ["SLIDING"]


@pytest.mark.parametrize(("speed", "seconds"), [(2.6, 0.511), (4.25, 0.7), (6.0, 0.9), (8.0, 0.9)])
def test_it_takes_half_a_second_to_nine_tenths_by_its_speed(speed: float, seconds: float):
    runner = running(speed=speed).go(1.3, CROUCHED, until=_over("SLIDING"))
    assert len(runner.of("SLIDING")) * runner.dt == pytest.approx(seconds, abs=0.02)


def test_ninety_percent_of_its_speed_are_left_at_its_end():
    runner = running(speed=4.0).go(1.3, CROUCHED, until=_over("SLIDING"))
    slid = runner.of("SLIDING")
    assert hypot(*slid[0].velocity[:2]) == pytest.approx(4.0, rel=0.01)
    assert hypot(*slid[-1].velocity[:2]) == pytest.approx(3.6, rel=0.01)


def test_it_keeps_its_way_whatever_is_pressed():
    runner = running().go(0.1, CROUCHED).go(0.3, Pad(1.0, 0.0))
    assert runner.memory.state == "SLIDING"
    assert runner.travel.velocity[0] == pytest.approx(0.0, abs=1e-6)


def test_its_capsule_is_low_as_long_as_it_slides_and_upright_behind_the_bar():
    runner = running(BAR).go(2.0, pressing(past(-0.6)), until=lambda one: one.memory.state == "SLIDING")
    assert runner.capsule.height == pytest.approx(0.75)
    runner.go(1.5, AHEAD)
    assert runner.capsule.height == pytest.approx(1.8)


def test_under_a_long_ceiling_it_stays_low_until_there_is_room():
    runner = running(on_floor(box(3.0, 4.0, low=1.0, gap=1.2))).go(1.2, pressing(past(-0.6)))
    assert runner.moves == ["SLIDING"]
    assert -5.2 < runner.capsule.feet[1] < -2.0
    assert runner.memory.state == "CROUCHED"
    runner.go(3.0, AHEAD)
    assert runner.memory.state == "GROUNDED"


def test_a_wall_ends_it():
    runner = running(on_floor(box(3.0, gap=1.0))).go(0.7, CROUCHED)
    assert runner.moves == ["SLIDING"]
    assert runner.memory.state == "CROUCHED"
    assert runner.capsule.feet[1] >= -1.0 + 0.35


def test_off_an_edge_it_falls():
    runner = running(Block((-9.0, -0.5, -9.0), (9.0, 9.0, 0.0))).go(0.6, CROUCHED)
    assert runner.states[-1] == "AIRBORNE"


def test_it_slides_along_a_slope():
    slope = Ramp(-0.3)
    runner = running(slope).go(0.4, CROUCHED)
    assert runner.memory.state == "SLIDING"
    slid = [one.feet for one in runner.of("SLIDING")]
    assert slid[-1][2] < slid[0][2] - 0.25
    # Its lowest sphere lies on it.
    assert slid[-1][2] - slope.height(*slid[-1][:2]) == pytest.approx(slid[0][2] - slope.height(*slid[0][:2]), abs=1e-3)


# Rolling.


def fallen(height: float, pad: Pad = AHEAD, speed: float = 3.0, config=None, movement=None) -> Runner:
    """Off a block of a height, at a run."""
    ground = Union(Flat(), Block((-9.0, 0.0, -1.0), (9.0, 9.0, height)))
    runner = Runner(ground, (0.0, 0.7, height), speed=speed, config=config, movement=movement).go(0.5, AHEAD)
    return runner.go(sqrt(2.0 * height / runner.movement.gravity) + 0.5, pad)


@pytest.mark.parametrize(("height", "rolls"), [(2.3, False), (2.8, True)])
def test_from_two_metres_fifty_on_it_rolls(height: float, rolls: bool):
    assert ("ROLLING" in fallen(height).moves) is rolls


def test_the_height_says_it_and_not_the_speed_so_that_any_gravity_does():
    weak = MovementConfig(gravity=5.0)
    assert "ROLLING" in fallen(2.8, movement=weak).moves
    assert "ROLLING" not in fallen(2.3, movement=weak).moves


def test_a_jump_on_the_spot_or_a_run_s_ends_in_no_roll():
    runner = Runner(Flat()).go(0.4, AHEAD).go(1.5, AHEAD._replace(jump=True))
    assert runner.moves == []


def test_without_a_direction_held_it_stands_where_it_came_down():
    assert fallen(3.5, NO_PAD).moves == []


def test_it_takes_point_six_seconds_and_keeps_ninety_percent_of_the_speed():
    runner = fallen(3.5).go(1.0, AHEAD)
    rolled = runner.of("ROLLING")
    assert len(rolled) * runner.dt == pytest.approx(0.6, abs=0.02)
    assert hypot(*rolled[0].velocity[:2]) == pytest.approx(3.0, rel=0.01)
    assert hypot(*rolled[-1].velocity[:2]) == pytest.approx(2.7, rel=0.01)
    assert runner.pace == pytest.approx(3.0, rel=0.01)


def test_a_roll_under_something_low_stays_low():
    ceiling = Block((-9.0, -9.0, 0.9), (9.0, -2.6, 6.0))
    ground = Union(Flat(), Block((-9.0, 0.0, -1.0), (9.0, 9.0, 3.5)), ceiling)
    runner = Runner(ground, (0.0, 0.7, 3.5), speed=3.0).go(1.7, AHEAD)
    assert "ROLLING" in runner.moves
    assert runner.capsule.height <= 0.8


# The presets' numbers are what they do.


def test_the_numbers_of_a_slide_and_a_roll_are_what_they_do():
    slide = SlideConfig(starts_from=1.0, fast=2.0, shortest=1.0, longest=1.5, keeps=0.5, height=0.9)
    config = replace(ParkourConfig(), slide=slide, roll=RollConfig(from_height=1.0, lasts=1.0, keeps=0.5, height=0.9))
    runner = running(speed=2.0, config=config).go(0.1, CROUCHED)
    assert runner.capsule.height == pytest.approx(0.9)
    runner.go(2.0, CROUCHED, until=_over("SLIDING"))
    slid = runner.of("SLIDING")
    assert len(slid) * runner.dt == pytest.approx(1.5, abs=0.02)
    assert hypot(*slid[-1].velocity[:2]) == pytest.approx(1.0, rel=0.02)
    rolled = fallen(1.6, config=config).go(1.0, AHEAD).of("ROLLING")
    assert len(rolled) / 60.0 == pytest.approx(1.0, abs=0.02)
    assert hypot(*rolled[-1].velocity[:2]) == pytest.approx(1.5, rel=0.02)
    slow = replace(config, roll=replace(config.roll, slowest=4.0))
    assert fallen(1.6, config=slow).moves == []
