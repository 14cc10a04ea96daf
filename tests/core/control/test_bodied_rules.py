"""The rules by which a body with a shape is led: walls and wishes, facing and velocity, jumps after turns, drops."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, degrees, hypot, radians, sin

import pytest
from surefoot.core.control.bodied import added_to, move_bodied, stand_bodied
from surefoot.core.control.capsule_memory import CapsuleMemory
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.directors import DirectorMemory, decide
from surefoot.core.control.fields import ForceField
from surefoot.core.control.intent import Inputs, Intent, Pad, Place, Travel
from surefoot.core.control.movement import MovementConfig
from surefoot.core.space.angles import heading_of, turn_between
from surefoot.core.world.compound import Flowing, Union
from surefoot.core.world.extruded import Flat, Stairs
from surefoot.core.world.rooms import Block
from surefoot.core.world.world import World

RATE, SPEED = 60, 1.4
DT = 1.0 / RATE
WALL = Union(Flat(), Block((-40.0, -4.0, -1.0), (40.0, -3.0, 4.0)))
CONTROL = ControlConfig()


class Led:
    """One body in a world; each tick says what it is told."""

    def __init__(self, world: World, heading: float = 0.0, movement: MovementConfig | None = None) -> None:
        self.world, self.movement = world, movement or MovementConfig()
        self.travel, self.memory = stand_bodied(Place(0.0, 0.0, 0.0, heading), CONTROL, self.movement, world)
        self.director = DirectorMemory()
        self.seen: list[tuple[Travel, CapsuleMemory]] = []

    def tick(self, intent: Intent, added: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        if hasattr(self.world, "set_time"):
            self.world.set_time((len(self.seen) + 1) * DT)
        self.travel = move_bodied(
            self.travel, self.memory, intent, CONTROL, self.movement, self.world, DT, added
        )  # fmt: skip
        self.seen.append((self.travel, self.memory.copy()))

    def go(self, seconds: float, intent: Intent, added: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Led:
        for _ in range(round(seconds * RATE)):
            self.tick(intent, added)
        return self

    def driven(self, seconds: float, pads: Callable[[float], Pad], speed: float = 4.0) -> Led:
        for number in range(round(seconds * RATE)):
            inputs = Inputs(speed, pad=pads(number * DT))
            self.tick(decide("INPUT", self.director, inputs, self.travel, CONTROL, DT))
        return self


def at_an_angle(angle: float) -> Intent:
    """A wish that is so far from straight into the wall."""
    return Intent((SPEED * sin(angle), -SPEED * cos(angle)), angle, at_once=True)


@pytest.mark.parametrize("angle", [-19, -10, 0, 10, 19])
def test_a_wish_within_twenty_degrees_of_straight_into_a_wall_is_none_and_it_faces_it(angle: int):
    body = Led(WALL).go(6.0, at_an_angle(radians(angle)))
    (x, y, _), place = body.travel.velocity, body.travel.place
    assert (x, y) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert degrees(place.heading) == pytest.approx(angle, abs=0.1)
    # It stands where it feels the wall 0.2 m past its radius, not pressed against it.
    assert -3.0 + 0.35 < place.y < -3.0 + 0.35 + 0.2 + 0.05


@pytest.mark.parametrize("angle", [21, 30, 60, 80, -21, -60])
def test_any_other_wish_slides_along_the_wall_and_its_legs_get_what_is_left_of_the_speed(angle: int):
    along = SPEED * sin(radians(angle))
    body = Led(WALL).go(7.0 if abs(angle) < 80 else 12.0, at_an_angle(radians(angle)))
    assert body.travel.velocity[:2] == pytest.approx((along, 0.0), abs=1e-4)
    assert body.travel.place.y == pytest.approx(-3.0 + 0.37, abs=1e-3)


def test_what_the_legs_get_is_how_far_it_came_in_every_tick():
    body = Led(Union(WALL, Block((2.0, -9.0, -1.0), (3.0, 9.0, 4.0)))).go(5.0, at_an_angle(radians(40.0)))
    for (before, _), (after, _) in zip(body.seen, body.seen[1:], strict=False):
        came = ((after.place.x - before.place.x) / DT, (after.place.y - before.place.y) / DT)
        assert after.velocity[:2] == pytest.approx(came, abs=1e-6)
    assert hypot(*body.travel.velocity) < 1e-6


def test_on_a_conveyor_and_in_a_wind_the_legs_get_its_way_over_the_ground():
    belt = Flowing(Block((-50.0, -50.0, -1.0), (50.0, 50.0, 0.0)), lambda t: (0.6 * t, 0.0, 0.0))
    body = Led(belt).go(2.0, Intent((0.0, -1.0), 0.0, at_once=True), added=(0.0, 0.3, 0.0))
    assert body.travel.velocity[:2] == pytest.approx((0.0, -0.7), abs=1e-4)
    assert body.travel.place.x == pytest.approx(1.2, abs=1e-3)


def test_in_the_air_it_turns_to_where_it_means_to_go_while_it_flies_on():
    body = Led(Flat()).go(0.5, Intent((0.0, -3.0), 0.0, at_once=True))
    body.tick(Intent((0.0, -3.0), 0.0, jump=True, at_once=True))
    flies = body.memory.velocity
    for _ in range(25):
        body.tick(Intent((0.0, 0.0), radians(90.0), turn_rate=6.0, at_once=True))
    assert body.travel.aloft
    assert body.memory.velocity[:2] == pytest.approx(flies[:2])
    assert degrees(body.travel.place.heading) == pytest.approx(90.0, abs=3.0)


def test_a_wall_that_turns_its_flight_aside_does_not_turn_its_face():
    aside = radians(45.0)
    body = Led(Union(Flat(), Block((-40.0, -3.0, -1.0), (40.0, -1.0, 9.0))), aside)
    wish = Intent((3.0 * sin(aside), -3.0 * cos(aside)), aside, at_once=True)
    body.go(0.1, wish)
    body.tick(wish._replace(jump=True))
    body.go(0.6, wish)
    assert body.travel.aloft
    assert abs(body.memory.velocity[1]) < 1e-3 < body.memory.velocity[0]
    assert body.travel.place.heading == pytest.approx(aside)


@pytest.mark.parametrize("turn", [60.0, 90.0, 150.0, -120.0])
def test_a_jump_right_after_a_turn_goes_where_it_is_asked_to(turn: float):
    """The glue window: its course would need a while to come round."""
    asked = radians(turn)

    def pads(time: float) -> Pad:
        return Pad(0.0, -1.0) if time < 0.99 else Pad(sin(asked), -cos(asked), jump=True)

    body = Led(Flat()).driven(1.0 + 0.3, pads)
    flights = [memory.velocity for travel, memory in body.seen if travel.aloft]
    assert len(flights) > 10
    for x, y, _ in flights:
        assert degrees(turn_between(heading_of(x, y), asked)) == pytest.approx(0.0, abs=0.01)
    assert hypot(*flights[0][:2]) > 2.0


def test_without_a_jump_the_same_turn_takes_its_time():
    body = Led(Flat()).driven(1.02, lambda time: Pad(0.0, -1.0) if time < 0.99 else Pad(1.0, 0.0))
    assert 0.0 < degrees(heading_of(*body.memory.velocity[:2])) < 45.0


@pytest.mark.parametrize(("drop", "shows"), [(0.1, False), (0.2, False), (0.3, True), (0.45, True)])
def test_a_drop_of_up_to_a_quarter_metre_still_counts_as_walking(drop: float, shows: bool):
    world, movement = Stairs(-drop, 9.0, count=1, start=1.0), MovementConfig(stick=0.02)
    body = Led(world, movement=movement).go(2.0, Intent((0.0, -SPEED), 0.0, at_once=True))
    assert any(memory.state == "IN_AIR" for _, memory in body.seen)
    assert any(travel.aloft for travel, _ in body.seen) == shows
    assert (max(travel.impact for travel, _ in body.seen) > 0.0) == shows
    assert body.travel.place.z == pytest.approx(-drop, abs=1e-3)


def test_down_stairs_within_the_tier_its_shown_height_never_jumps():
    body = Led(Stairs(-0.2, 0.4, count=8, start=1.0), movement=MovementConfig(stick=0.02))
    body.go(4.0, Intent((0.0, -SPEED), 0.0, at_once=True))
    heights = [travel.place.z for travel, _ in body.seen]
    assert max(a - b for a, b in zip(heights, heights[1:], strict=False)) < 0.06
    assert not any(travel.aloft for travel, _ in body.seen)


def test_fields_are_felt_in_the_middle_of_the_body_and_add_to_what_is_set():
    memory = CapsuleMemory((1.0, 0.0, 0.0), 1.8, 1.8)
    force = ForceField("FORCE", (1.0, 0.0, 0.9 - 2.0), (0.0, 0.0, 1.0), 3.0)
    assert added_to(memory, Inputs(added=(0.5, 0.0, 0.0), fields=(force,))) == pytest.approx((0.5, 0.0, 3.0))
    assert added_to(memory, Inputs(added=(0.5, 0.0, 0.0))) == (0.5, 0.0, 0.0)


def test_what_drives_it_in_the_air_shows_in_its_velocity():
    body = Led(Flat()).go(0.1, Intent((0.0, 0.0), 0.0))
    body.tick(Intent((0.0, 0.0), 0.0, jump=True))
    x = body.travel.place.x
    body.go(0.2, Intent((0.0, 0.0), 0.0), added=(2.0, 0.0, 0.0))
    assert body.travel.velocity[0] == pytest.approx(2.0)
    assert body.travel.place.x - x == pytest.approx(0.4, abs=1e-6)
