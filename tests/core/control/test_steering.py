"""From what is pressed to a course and a speed."""

from __future__ import annotations

from math import cos, degrees, pi, radians, sin

import pytest
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.directors import DirectorMemory, decide
from surefoot.core.control.intent import Inputs, Pad, Place, Travel
from surefoot.core.control.steering import SteeringConfig, SteeringMemory, steer
from surefoot.core.space.angles import turn_between

RATES = (24, 60, 144)
CONFIG = SteeringConfig()
SPEED = 4.0


def going(course: float, speed: float = SPEED) -> SteeringMemory:
    return SteeringMemory(course=course, speed=speed)


def after(memory: SteeringMemory, wanted: float | None, seconds: float, rate: int = 60, *, sprints: bool = False):
    for _ in range(round(seconds * rate)):
        steer(memory, wanted, SPEED, CONFIG, 1.0 / rate, sprints=sprints)
    return memory


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("sprints", "degrees_a_second"), [(False, 600.0), (True, 320.0)])
def test_the_course_turns_at_its_rate(rate: int, sprints: bool, degrees_a_second: float):
    memory = after(going(0.0), radians(170.0), 0.25, rate, sprints=sprints)
    assert degrees(memory.course) == pytest.approx(degrees_a_second * round(0.25 * rate) / rate)


def test_it_ends_on_the_wished_course_and_stays():
    memory = after(going(0.0), 0.5, 1.0)
    assert memory.course == pytest.approx(0.5)


@pytest.mark.parametrize("rate", RATES)
def test_it_speeds_up_at_its_rate_and_no_further(rate: int):
    memory = after(going(0.0, 0.0), 0.0, 0.125, rate)
    assert memory.speed == pytest.approx(min(SPEED, 14.0 * round(0.125 * rate) / rate))
    assert after(memory, 0.0, 1.0, rate).speed == SPEED


def test_it_settles_to_a_lower_speed_and_stops_at_once():
    memory = going(0.0, 6.0)
    steer(memory, 0.0, SPEED, CONFIG, 0.1, sprints=False)
    assert memory.speed == pytest.approx(6.0 - 0.9)
    steer(memory, None, SPEED, CONFIG, 0.01, sprints=False)
    assert memory.speed == 0.0


def test_in_a_sharp_turn_it_slows_to_its_share_and_is_quick_again_after_it():
    memory, slowest = going(0.0), SPEED
    for _ in range(60):
        steer(memory, radians(150.0), SPEED, SteeringConfig(course_rate=radians(120.0)), 1.0 / 60.0, sprints=False)
        slowest = min(slowest, memory.speed)
    assert slowest == pytest.approx(0.6 * SPEED)
    for _ in range(60):
        steer(memory, radians(150.0), SPEED, SteeringConfig(course_rate=radians(120.0)), 1.0 / 60.0, sprints=False)
    assert memory.speed == SPEED


@pytest.mark.parametrize("rate", RATES)
def test_a_reversal_whose_sign_flickers_keeps_its_side(rate: int):
    for side in (1.0, -1.0):
        memory = going(0.0)
        steer(memory, side * radians(30.0), SPEED, CONFIG, 1.0 / rate, sprints=False)
        start, turned = memory.course, []
        for k in range(8):
            before = memory.course
            steer(
                memory,
                start + pi + (1e-3 if k % 2 else -1e-3),
                SPEED,
                SteeringConfig(course_rate=1.0),
                1.0 / rate,
                sprints=False,
            )
            turned.append(turn_between(before, memory.course))
        assert all(turn * side > 0.0 for turn in turned)


def test_from_standing_it_goes_where_it_is_asked_to_without_a_turn():
    memory = after(going(0.0, 0.0), None, 1.0)
    steer(memory, radians(135.0), SPEED, CONFIG, 1.0 / 60.0, sprints=False)
    assert memory.course == pytest.approx(radians(135.0))


@pytest.mark.parametrize(("gap", "kept"), [(0.1, True), (0.3, False)])
def test_between_two_keys_the_speed_is_kept(gap: float, kept: bool):
    memory = after(going(0.0), None, gap)
    assert memory.speed == 0.0
    steer(memory, 0.0, SPEED, CONFIG, 1.0 / 60.0, sprints=False)
    assert (memory.speed == SPEED) == kept


def intents(pads: list[Pad], speed: float = 2.0):
    memory, travel = DirectorMemory(), Travel(Place(0.0, 0.0, 0.0, 0.0))
    return [decide("INPUT", memory, Inputs(speed, pad=pad), travel, ControlConfig(), 1.0 / 60.0) for pad in pads]


def test_a_direction_of_the_world_is_gone_and_faced_and_its_length_is_a_share_of_the_speed():
    for share in (0.25, 1.0):
        intent = intents([Pad(share * sin(0.5), -share * cos(0.5))] * 30)[-1]
        assert intent.velocity == pytest.approx((2.0 * share * sin(0.5), -2.0 * share * cos(0.5)))
        assert intent.facing == pytest.approx(0.5)


def test_a_jump_is_asked_for_on_the_press_and_not_while_it_is_held():
    held = [Pad(), Pad(jump=True), Pad(jump=True), Pad(), Pad(jump=True)]
    assert [intent.jump for intent in intents(held)] == [False, True, False, False, True]


def test_who_sprints_is_quicker_and_who_crouches_slower_also_when_both_are_pressed():
    def pace(**pressed: bool) -> float:
        return abs(intents([Pad(0.0, -1.0, **pressed)] * 60)[-1].velocity[1])

    assert pace(sprint=True) == pytest.approx(2.0 * 2.0)
    assert pace(crouch=True) == pytest.approx(0.5 * 2.0)
    assert pace(crouch=True, sprint=True) == pytest.approx(0.5 * 2.0)


def test_with_nothing_pressed_it_stands_and_faces_where_it_did():
    intent = intents([Pad(1.0, 0.0)] * 10 + [Pad()])[-1]
    assert intent.velocity == pytest.approx((0.0, 0.0))
    assert intent.facing == 0.0
