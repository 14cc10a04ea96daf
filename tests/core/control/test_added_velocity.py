"""What moves a body besides its own wish: wind, currents, conveyors; and what of it carries over."""

from __future__ import annotations

from math import cos, radians

import pytest
from support.body import RATES, Body
from surefoot.core.control.capsule_memory import Wish
from surefoot.core.control.movement import MovementConfig
from surefoot.core.world.compound import Empty, Flowing, Moving, Union
from surefoot.core.world.extruded import Flat, Ramp
from surefoot.core.world.rooms import Block
from surefoot.core.world.world import Loose

WALK, RADIUS, PADDING, GRAVITY = 1.4, 0.35, 0.02, 18.0
PLATE = Block((-2.0, -2.0, -1.0), (2.0, 2.0, 0.0))


def blown(body: Body, seconds: float, added: tuple[float, float, float], velocity=(0.0, 0.0)) -> Body:
    for _ in range(round(seconds * body.rate)):
        body.tick(Wish(velocity, added=added))
    return body


@pytest.mark.parametrize("rate", RATES)
def test_on_the_ground_what_is_added_pushes_it_along_on_top_of_its_wish(rate: int):
    body = blown(Body(Flat(), rate=rate), 2.0, (0.5, 0.25, 0.0), (0.0, -WALK))
    assert body.feet == pytest.approx((1.0, 0.5 - 2.0 * WALK, 0.0), abs=1e-6)
    assert set(body.states) == {"ON_GROUND"}


@pytest.mark.parametrize("rate", RATES)
def test_in_the_air_it_is_carried_and_falls_as_ever(rate: int):
    body = blown(Body(Empty(), rate=rate, aloft=True), 1.0, (3.0, 0.0, 2.0))
    assert body.feet == pytest.approx((3.0, 0.0, 2.0 - 0.5 * GRAVITY), abs=1e-6)


def test_it_counts_along_a_slope_as_a_wish_does():
    angle = radians(30.0)
    body = blown(Body(Ramp(angle), (0.0, 0.0, RADIUS * (1.0 / cos(angle) - 1.0))), 1.0, (0.0, -1.0, 0.0))
    assert body.y == pytest.approx(-cos(angle), abs=1e-4)


def test_on_the_ground_it_does_not_lift():
    assert blown(Body(Flat()), 1.0, (0.0, 0.0, 5.0)).z == 0.0


@pytest.mark.parametrize("aloft", [False, True])
def test_it_is_none_of_its_own_speed_and_gone_when_it_ends(aloft: bool):
    body = blown(Body(Empty() if aloft else Flat(), aloft=aloft), 0.5, (3.0, 0.0, 0.0))
    assert body.memory.velocity[:2] == pytest.approx((0.0, 0.0), abs=1e-6)
    assert body.memory.flat == pytest.approx((0.0, 0.0), abs=1e-6)
    x = body.x
    body.go(0.2)
    assert body.x == pytest.approx(x, abs=1e-6)


def test_a_wall_keeps_it_from_being_blown_on_and_nothing_throws_it_back():
    wall = Block((-9.0, -3.0, -1.0), (9.0, -2.0, 3.0))
    body = blown(Body(Union(Flat(), wall)), 3.0, (0.0, -2.0, 0.0))
    assert body.y == pytest.approx(-2.0 + RADIUS + PADDING, abs=1e-3)
    assert body.memory.velocity[:2] == pytest.approx((0.0, 0.0), abs=1e-6)


def test_walking_off_an_edge_in_a_wind_it_is_not_thrown_by_it_twice():
    body = Body(Union(Flat(-30.0), Block((-1.0, -9.0, -1.0), (1.0, 9.0, 0.0))))
    for _ in range(180):
        body.tick(Wish((0.5, 0.0), added=(0.5, 0.0, 0.0)))
        if body.memory.state == "IN_AIR":
            break
    x = body.x
    blown(body, 0.5, (0.5, 0.0, 0.0))
    assert body.x - x == pytest.approx(0.5 * (0.5 + 0.5), abs=1e-3)


@pytest.mark.parametrize("rate", RATES)
def test_a_conveyor_carries_who_stands_on_it_and_lets_go_at_its_end(rate: int):
    belt = Flowing(Block((-5.0, -2.0, -1.0), (5.0, 2.0, 0.0)), lambda t: (0.0, -0.8 * t, 0.0))
    body = Body(Union(belt, Block((-5.0, -9.0, -1.0), (5.0, -2.0, 0.0))), rate=rate).go(2.0)
    assert body.feet == pytest.approx((0.0, -1.6, 0.0), abs=1e-4)
    assert body.memory.rode[1] * rate == pytest.approx(-0.8, abs=1e-4)
    body.go(3.0)
    # Its lowest sphere touches the still floor as soon as its middle is over it.
    assert body.y == pytest.approx(-2.0, abs=0.8 / rate + 1e-3)
    assert set(body.states) == {"ON_GROUND"}


def test_against_a_conveyor_it_walks_on_the_spot():
    belt = Flowing(Block((-5.0, -9.0, -1.0), (5.0, 9.0, 0.0)), lambda t: (0.0, WALK * t, 0.0))
    body = Body(belt).go(3.0, (0.0, -WALK))
    assert body.feet == pytest.approx((0.0, 0.0, 0.0), abs=1e-3)
    assert body.memory.flat == pytest.approx((0.0, -WALK), abs=1e-4)


def test_it_jumps_off_a_conveyor_with_its_velocity():
    belt = Flowing(Block((-5.0, -9.0, -1.0), (5.0, 9.0, 0.0)), lambda t: (2.0 * t, 0.0, 0.0))
    body = Body(belt).go(0.5).jump()
    assert body.memory.velocity[0] == pytest.approx(2.0, abs=1e-4)


def loose_plate(mass: float) -> Moving:
    return Moving(PLATE, lambda t: (0.5 * t, 0.0, 0.1 * t, 0.0), loose=Loose(mass))


@pytest.mark.parametrize(("mass", "carried"), [(20.0, True), (19.9, False), (500.0, True), (1.0, False)])
def test_a_rigid_body_of_twenty_kilograms_and_more_carries_it_and_a_lighter_one_does_not(mass: float, carried: bool):
    body = Body(Union(Flat(-9.0), loose_plate(mass))).go(2.0)
    assert body.x == pytest.approx(1.0 if carried else 0.0, abs=1e-3)
    # Either way it stands on it.
    assert body.z == pytest.approx(0.2, abs=1e-3)
    assert set(body.states) == {"ON_GROUND"}
    body.jump()
    assert body.memory.velocity[0] == pytest.approx(0.5 if carried else 0.0, abs=1e-3)


def test_from_under_who_is_not_carried_a_light_body_may_slip_away():
    body = Body(Union(Flat(-9.0), loose_plate(5.0))).go(6.0)
    assert body.x == pytest.approx(0.0, abs=0.05)
    assert body.z < -1.0


def test_the_mass_that_carries_is_a_setting():
    body = Body(Union(Flat(-9.0), loose_plate(5.0)), config=MovementConfig(carrier_mass=5.0)).go(2.0)
    assert body.x == pytest.approx(1.0, abs=1e-3)
