"""Every number of a movement is read by something: what each does as it ships, and what it does when it is changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from math import cos, degrees, pi, radians, sqrt

import pytest
from support.body import Body
from surefoot.core.control.bodied import move_bodied, stand_bodied
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.directors import DirectorMemory, decide
from surefoot.core.control.intent import Inputs, Intent, Pad, Place, Travel
from surefoot.core.control.movement import MovementConfig
from surefoot.core.control.pushing import can_push, pusher_after
from surefoot.core.control.steering import SteeringConfig, SteeringMemory, steer
from surefoot.core.movement_presets import movement_values
from surefoot.core.world.compound import Empty, Moving, Union
from surefoot.core.world.extruded import Flat, Gap, Ramp, Stairs
from surefoot.core.world.rooms import Block
from surefoot.core.world.world import Loose

DT, AHEAD = 1.0 / 60.0, (0.0, -1.4)


def before_a_wall(config: MovementConfig) -> float:
    body = Body(Union(Flat(), Block((-3.0, -5.0, -1.0), (3.0, -3.0, 4.0))), config=config)
    return round(3.0 + body.go(4.0, AHEAD).y, 3)


def under_a_beam(config: MovementConfig, *, crouch: bool, clear: float) -> bool:
    body = Body(Union(Flat(), Block((-3.0, -3.0, clear), (3.0, -2.0, 4.0))), config=config)
    return body.go(4.0, AHEAD, crouch=crouch).y < -3.5


def upright(config: MovementConfig) -> bool:
    return under_a_beam(config, crouch=False, clear=1.6)


def crouched(config: MovementConfig) -> bool:
    return under_a_beam(config, crouch=True, clear=0.9)


def on_fifty_degrees(config: MovementConfig) -> str:
    angle = radians(50.0)
    start = (0.0, 0.0, config.radius * (1.0 / cos(angle) - 1.0))
    return Body(Ramp(angle), start, config=config).go(0.2).memory.state


def up_a_step(config: MovementConfig) -> float:
    return round(Body(Stairs(0.6, 9.0, count=1, start=1.0), config=config).go(3.0, AHEAD).z, 2)


def off_a_drop(config: MovementConfig) -> bool:
    return "IN_AIR" in Body(Stairs(-0.4, 9.0, count=1, start=1.0), config=config).go(2.0, AHEAD).states


def shows_a_fall(config: MovementConfig) -> bool:
    """Over a drop of 0.2 m where it is not pulled down to floors: whether it shows that it is in the air."""
    config, world, control = replace(config, stick=0.02), Stairs(-0.2, 9.0, count=1, start=1.0), ControlConfig()
    travel, memory = stand_bodied(Place(0.0, 0.0, 0.0, 0.0), control, config, world)
    was_aloft, shown = False, False
    for _ in range(120):
        travel = move_bodied(travel, memory, Intent(AHEAD, 0.0, at_once=True), control, config, world, DT)
        was_aloft, shown = was_aloft or memory.state == "IN_AIR", shown or travel.aloft
    assert was_aloft
    return shown


def crate(mass: float) -> Moving:
    return Moving(Block((-0.5, -2.0, 0.0), (0.5, -1.0, 1.0)), lambda _: (0.0,) * 4, loose=Loose(mass))


def shoved(config: MovementConfig) -> float:
    """The speed of 80 kg on ice after a run of 1.4 m/s against them, without any strength."""
    body = Body(Union(Flat(), crate(80.0)), (0.0, -1.0 + config.radius + config.padding, 0.0), config=config)
    body.world.solids[1]._loose = Loose(80.0, 0.0)
    body.memory.flat = body.memory.wished = AHEAD
    weak = replace(config, strength=1e-9)
    return round((body.y - pusher_after(body.memory, weak, body.world, 0.01)[1]) / 0.01, 2)


def moves_forty_kilograms(config: MovementConfig) -> bool:
    return can_push(Loose(40.0), config)


def carried(config: MovementConfig) -> float:
    raft = Moving(Block((-2.0, -2.0, -1.0), (2.0, 2.0, 0.0)), lambda t: (0.5 * t, 0.0, 0.0, 0.0), loose=Loose(25.0))
    return round(Body(Union(Flat(-9.0), raft), config=config).go(1.0).x, 2)


def out_of_a_wall(config: MovementConfig) -> float:
    """The share of its depth that is left after a sixtieth of a second."""
    body = Body(Union(Flat(), Block((-1.0, -4.0, -1.0), (1.0, 4.0, 3.0))), (1.1, 0.0, 0.0), config=config)
    deep = 1.0 + config.radius + config.padding - body.x
    body.tick()
    return round((1.0 + config.radius + config.padding - body.x) / deep, 1)


def fall_of_a_second(config: MovementConfig) -> float:
    return round(Body(Empty(), config=config, aloft=True).go(1.0).z, 3)


def highest_jump(config: MovementConfig) -> float:
    body, top = Body(Flat(), rate=600, config=config).jump(), 0.0
    while body.memory.state != "ON_GROUND":
        top = max(top, body.z)
        body.tick()
    return round(top, 2)


def steered_in_the_air(config: MovementConfig) -> float:
    return round(Body(Empty(), config=config, aloft=True).go(0.1, (9.0, 0.0)).memory.velocity[0], 3)


def steered_to(config: MovementConfig) -> float:
    return round(Body(Empty(), config=config, aloft=True).go(2.0, (9.0, 0.0)).memory.velocity[0], 3)


def lower_after_a_tenth(config: MovementConfig) -> float:
    return round(Body(Flat(), config=config).go(0.1, crouch=True).memory.shown, 2)


def after_an_edge(config: MovementConfig) -> bool:
    body = Body(Gap(10.0, start=1.0), rate=120, config=config)
    body.go(4.0, (0.0, -3.0), until=lambda body: body.memory.state == "IN_AIR")
    return body.go(0.1, (0.0, -3.0)).jump((0.0, -3.0)).memory.velocity[2] > 0.0


def before_landing(config: MovementConfig) -> bool:
    body = Body(Flat(), (0.0, 0.0, 1.0), 120, config, aloft=True)
    body.go(sqrt(2.0 / config.gravity) - 0.1).jump().go(0.15)
    return body.memory.velocity[2] > 0.0


def held_after(config: MovementConfig, fall: float) -> float:
    """For how long a landing after a fall from so high holds it, seconds."""
    control, world, held = ControlConfig(), Flat(), 0.0
    travel, memory = stand_bodied(Place(0.0, 0.0, 0.0, 0.0), control, config, world)
    memory.feet, memory.state, travel.aloft = (0.0, 0.0, fall), "IN_AIR", True
    for _ in range(90):
        travel = move_bodied(travel, memory, Intent((0.0, 0.0), 0.0), control, config, world, DT)
        held = max(held, travel.held)
    return round(held, 3)


def held_after_two_metres(config: MovementConfig) -> float:
    return held_after(config, 2.0)


def held_after_five_metres(config: MovementConfig) -> float:
    return held_after(config, 5.0)


Case = tuple[Callable[[MovementConfig], object], object, float, object]
MOVEMENT: dict[str, Case] = {
    "radius": (before_a_wall, 0.37, 0.5, 0.52),
    "standing_height": (upright, False, 1.5, True),
    "crouch_height": (crouched, False, 0.8, True),
    "slope_limit": (on_fifty_degrees, "ON_STEEP_GROUND", radians(55.0), "ON_GROUND"),
    "highest_step": (up_a_step, 0.0, 0.65, 0.6),
    "stick": (off_a_drop, False, 0.3, True),
    "floor_tier": (shows_a_fall, False, 0.1, True),
    "mass": (shoved, 0.7, 20.0, 0.28),
    "strength": (moves_forty_kilograms, True, 90.0, False),
    "carrier_mass": (carried, 0.5, 30.0, 0.0),
    "padding": (before_a_wall, 0.37, 0.1, 0.45),
    "recovery": (out_of_a_wall, 0.5, 0.0, 1.0),
    "gravity": (fall_of_a_second, -9.0, 9.81, -4.905),
    "jump_speed": (highest_jump, 1.78, 6.0, 1.0),
    "jump_height": (highest_jump, 1.78, 0.5, 0.5),
    "air_control": (steered_in_the_air, 0.5, 2.0, 0.2),
    "air_speed": (steered_to, 1.6, 3.0, 3.0),
    "heavy_landing": (held_after_two_metres, 0.0, 6.0, MovementConfig().landing_hold),
    "landing_hold": (held_after_five_metres, MovementConfig().landing_hold, 0.6, 0.6),
    "crouch_rate": (lower_after_a_tenth, 1.29, 1000.0, 1.0),
    "coyote_time": (after_an_edge, True, 0.05, False),
    "jump_buffer": (before_landing, True, 0.05, False),
}


@pytest.mark.parametrize("name", [item.name for item in fields(MovementConfig)])
def test_a_number_of_the_movement_does_what_it_says_and_another_value_something_else(name: str):
    measure, usual, value, other = MOVEMENT[name]
    assert measure(MovementConfig()) == usual
    assert measure(replace(MovementConfig(), **{name: value})) == other


def turned(config: SteeringConfig, *, sprints: bool) -> float:
    memory = SteeringMemory(0.0, 2.0)
    for _ in range(6):
        steer(memory, radians(150.0), 2.0, config, DT, sprints=sprints)
    return round(degrees(memory.course), 3)


def faced(config: SteeringConfig) -> float:
    """Degrees a second at which it turns to where it is driven, once it does."""
    control, movement, world = ControlConfig(steering=config), MovementConfig(), Flat()
    travel, memory = stand_bodied(Place(0.0, 0.0, 0.0, 0.0), control, movement, world)
    own = DirectorMemory()
    for _ in range(20):
        before = travel.place.heading
        intent = decide("INPUT", own, Inputs(1.0, pad=Pad(0.0, 1.0)), travel, control, DT)
        travel = move_bodied(travel, memory, intent, control, movement, world, DT)
    return round(abs(travel.place.heading - before) / DT, 1)


def slowest_in_a_turn(config: SteeringConfig) -> float:
    memory, slowest = SteeringMemory(0.0, 2.0), 2.0
    for _ in range(60):
        steer(memory, radians(150.0), 2.0, replace(config, course_rate=radians(90.0)), DT, sprints=False)
        slowest = min(slowest, memory.speed)
    return round(slowest, 3)


def keeps_its_side(config: SteeringConfig) -> bool:
    """Asked to turn right about, 10 degrees to the other side of it than it has turned last."""
    memory = SteeringMemory(0.0, 2.0, side=1.0)
    steer(memory, -(pi - radians(10.0)), 2.0, config, DT, sprints=False)
    return memory.course > 0.0


def speed_after_a_tenth(config: SteeringConfig) -> float:
    memory = SteeringMemory(0.0, 0.0)
    steer(memory, 0.0, 9.0, config, 0.1, sprints=False)
    return round(memory.speed, 3)


def settled_after_a_tenth(config: SteeringConfig) -> float:
    memory = SteeringMemory(0.0, 9.0)
    steer(memory, 0.0, 2.0, config, 0.1, sprints=False)
    return round(memory.speed, 3)


def speed_after_a_gap(config: SteeringConfig) -> float:
    memory = SteeringMemory(0.0, 5.0)
    steer(memory, None, 5.0, config, 0.15, sprints=False)
    steer(memory, 0.0, 5.0, config, 1e-6, sprints=False)
    return round(memory.speed, 3)


def pace(config: SteeringConfig, **pressed: bool) -> float:
    memory, control, travel = DirectorMemory(), ControlConfig(steering=config), Travel(Place(0.0, 0.0, 0.0, 0.0))
    for _ in range(60):
        intent = decide("INPUT", memory, Inputs(1.0, pad=Pad(0.0, -1.0, **pressed)), travel, control, DT)
    return round(-intent.velocity[1], 3)


STEERING: dict[str, tuple[Callable[[SteeringConfig], object], object, float, object]] = {
    "course_rate": (lambda config: turned(config, sprints=False), 60.0, radians(300.0), 30.0),
    "sprint_course_rate": (lambda config: turned(config, sprints=True), 32.0, radians(160.0), 16.0),
    "facing_rate": (faced, 6.0, 4.0, 4.0),
    "sharp": (slowest_in_a_turn, 1.2, 0.8, 1.6),
    "reversal": (keeps_its_side, True, radians(5.0), False),
    "speeding_up": (speed_after_a_tenth, 1.4, 7.0, 0.7),
    "settling": (settled_after_a_tenth, 8.1, 5.0, 8.5),
    "key_gap": (speed_after_a_gap, 5.0, 0.1, 0.0),
    "sprint_factor": (lambda config: pace(config, sprint=True), 2.0, 3.0, 3.0),
    "crouch_factor": (lambda config: pace(config, crouch=True), 0.5, 0.8, 0.8),
}


@pytest.mark.parametrize("name", [item.name for item in fields(SteeringConfig)])
def test_a_number_of_the_steering_does_what_it_says_and_another_value_something_else(name: str):
    measure, usual, value, other = STEERING[name]
    assert measure(SteeringConfig()) == usual
    assert measure(replace(SteeringConfig(), **{name: value})) == other


USUAL = {
    "radius": 0.35, "standing_height": 1.8, "crouch_height": 1.0, "slope_limit": radians(45.0), "highest_step": 0.55,
    "stick": 0.5, "floor_tier": 0.25, "mass": 80.0, "strength": 100.0, "carrier_mass": 20.0, "padding": 0.02,
    "recovery": 0.5, "crouch_rate": 10.0, "coyote_time": 0.12, "jump_buffer": 0.15, "reversal": radians(12.0),
    "course_rate": radians(600.0), "sprint_course_rate": radians(320.0), "facing_rate": 6.0, "sharp": 0.6,
    "speeding_up": 14.0, "settling": 9.0, "air_control": 5.0, "air_speed": 1.6, "key_gap": 0.2, "gravity": 18.0,
    "jump_speed": 8.0,
}  # fmt: skip


def test_the_direct_movement_has_the_usual_numbers():
    values = movement_values("DIRECT")
    assert {name: values[name] for name in USUAL} == pytest.approx(USUAL)


def test_the_weighty_and_the_real_movement_fall_and_jump_as_they_are_called():
    weighty, real = movement_values("WEIGHTY"), movement_values("REAL")
    assert (weighty["gravity"], weighty["jump_speed"]) == (24.0, 5.5)
    assert real["gravity"] == 9.81
    assert real["jump_height"] > 0.0
    assert {4.0 <= movement_values(name)["facing_rate"] <= 6.0 for name in ("DIRECT", "WEIGHTY", "REAL")} == {True}


def test_for_a_smaller_body_lengths_speeds_and_masses_go_along():
    half = MovementConfig().sized(0.45)
    assert (half.radius, half.floor_tier) == pytest.approx((0.175, 0.125))
    assert half.jump_speed == pytest.approx(8.0 * sqrt(0.5))
    assert (half.mass, half.strength, half.carrier_mass) == pytest.approx((10.0, 12.5, 2.5))


def test_a_wish_that_ends_stops_it_at_once():
    memory = SteeringMemory(0.0, 5.0)
    steer(memory, None, 5.0, SteeringConfig(), DT, sprints=False)
    assert memory.speed == 0.0
