"""A whole character driven by hand does what its movement preset says, at every frame rate of a scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from math import degrees, hypot, pi, radians

import pytest
from support.grid import rig_of
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Inputs, Pad, Place
from surefoot.core.control.movement import MovementConfig
from surefoot.core.control.steering import SteeringConfig
from surefoot.core.movement_presets import movement_values
from surefoot.core.space.angles import facing, heading_of, turn_between
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.extruded import Flat

RATES = (24, 60, 144)
PRESETS = ("DIRECT", "WEIGHTY", "REAL")
SPEED = 2.0
AHEAD, LEFT = Pad(0.0, -1.0), Pad(1.0, 0.0)


class Driven:
    """One character on level ground; velocities by the tick."""

    def __init__(self, preset: str, fps: int) -> None:
        self.values = movement_values(preset)
        steering, movement = (
            config(**{item.name: self.values[item.name] for item in fields(config) if item.name in self.values})
            for config in (SteeringConfig, MovementConfig)
        )
        config = CharacterConfig(
            body="CAPSULE", director="INPUT", control=ControlConfig(steering=steering), movement=movement
        )
        self.character, self.world, self.fps = Character(rig_of("person"), config), Flat(), fps
        self.memory = self.character.start(Place(0.0, 0.0, 0.0, 0.0), Inputs(SPEED), self.world)
        self.count = ticks_per_frame(fps)
        self.dt = 1.0 / fps / self.count
        self.velocities: list[tuple[float, float]] = []
        self.heights: list[float] = []

    def press(self, seconds: float, pad: Pad | Callable[[int], Pad]) -> Driven:
        """So many seconds with this pressed, forgotten what was before."""
        self.velocities, self.heights = [], []
        for frame in range(round(seconds * self.fps)):
            inputs = Inputs(SPEED, pad=pad(frame) if callable(pad) else pad)
            for _ in range(self.count):
                self.character.tick(self.memory, inputs, self.world, self.dt)
                self.velocities.append(self.memory.travel.velocity[:2])
                self.heights.append(self.memory.capsule.feet[2])
        return self

    @property
    def speeds(self) -> list[float]:
        return [hypot(*velocity) for velocity in self.velocities]

    @property
    def courses(self) -> list[float]:
        return [heading_of(*velocity) for velocity in self.velocities]


@pytest.fixture(params=[(preset, fps) for preset in PRESETS for fps in RATES], ids=lambda value: "{}-{}".format(*value))
def driven(request: pytest.FixtureRequest) -> Driven:
    return Driven(*request.param)


def test_it_speeds_up_and_settles_at_the_rates_of_its_preset_and_goes_as_fast_as_it_is_told(driven: Driven):
    up, down = driven.values["speeding_up"], driven.values["settling"]
    for k, speed in enumerate(driven.press(1.5, AHEAD).speeds, 1):
        assert speed == pytest.approx(min(SPEED, up * k * driven.dt), abs=1e-5)
    fast = SPEED * driven.values["sprint_factor"]
    for k, speed in enumerate(driven.press(1.5, AHEAD._replace(sprint=True)).speeds, 1):
        assert speed == pytest.approx(min(fast, SPEED + up * k * driven.dt), abs=1e-5)
    for k, speed in enumerate(driven.press(1.0, AHEAD).speeds, 1):
        assert speed == pytest.approx(max(SPEED, fast - down * k * driven.dt), abs=1e-5)
    assert set(driven.press(0.2, Pad()).speeds) == {0.0}


@pytest.mark.parametrize("sprints", [False, True])
def test_its_direction_turns_at_the_rate_of_its_preset_and_ends_on_the_wish(driven: Driven, sprints: bool):
    rate = driven.values["sprint_course_rate" if sprints else "course_rate"]
    driven.press(1.5, AHEAD._replace(sprint=sprints))
    for k, course in enumerate(driven.press(1.0, LEFT._replace(sprint=sprints)).courses, 1):
        assert degrees(course) == pytest.approx(degrees(min(0.5 * pi, rate * k * driven.dt)), abs=0.01)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_reversal_that_wavers_about_right_back_turns_to_one_side_only(driven: Driven, side: float):
    driven.press(1.0, AHEAD)
    # A turn to this side first: the reversal goes on to it.
    driven.press(0.4, Pad(*facing(side * radians(30.0))))
    back = side * radians(30.0) + pi

    def wavering(frame: int) -> Pad:
        return Pad(*facing(back + radians(10.0 if frame % 2 else -10.0)))

    courses = driven.press(1.2, wavering).courses
    turns = [turn_between(a, b) for a, b in zip(courses, courses[1:], strict=False)]
    arrived = next(k for k, course in enumerate(courses) if abs(turn_between(course, back)) < radians(15.0))
    assert all(turn * side > 0.0 for turn in turns[:arrived])
    assert arrived > 1


def test_its_jump_is_as_high_as_its_preset_says_for_its_legs(driven: Driven):
    scale = driven.character.rig.leg_length / 0.9
    gravity = driven.values["gravity"]
    told = driven.values["jump_height"] or driven.values["jump_speed"] ** 2 / (2.0 * gravity)
    driven.press(0.1, Pad())
    heights = driven.press(1.2, Pad(jump=True)).heights
    # Between two ticks the parabola is higher by no more than this.
    assert told * scale - gravity * driven.dt**2 / 8.0 - 1e-5 <= max(heights) <= told * scale + 1e-5


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_keys_lead_to_the_same_place_at_every_frame_rate(preset: str):
    places = []
    for fps in RATES:
        run = Driven(preset, fps)
        run.press(1.5, AHEAD).press(1.0, LEFT).press(1.0, Pad(0.0, 1.0))
        places.append(run.memory.capsule.feet)
    for place in places[1:]:
        # They went 6 metres; what is told by the tick begins and ends up to one tick apart.
        assert place == pytest.approx(places[0], abs=3.0 * SPEED / 48.0)
