"""What a body pushes away, and how quickly."""

from __future__ import annotations

import pytest
from support.body import Body
from surefoot.core.control.bodied import move_bodied, stand_bodied
from surefoot.core.control.capsule_memory import Wish
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Intent, Place
from surefoot.core.control.movement import MovementConfig
from surefoot.core.control.pushing import can_push, pusher_after
from surefoot.core.world.compound import Moving, Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block
from surefoot.core.world.world import Loose

RADIUS, PADDING, FRAME = 0.35, 0.02, 1.0 / 24.0
CONFIG = MovementConfig()


def crate(mass: float, *, at: float = 1.0, goes: float = 0.0, height: float = 1.0) -> Moving:
    block = Block((-0.5, -at - 1.0, 0.0), (0.5, -at, height))
    return Moving(block, lambda t: (0.0, -goes * t, 0.0, 0.0), loose=Loose(mass))


def leaning(mass: float, seconds: float = 2.0, config: MovementConfig = CONFIG, **more: float) -> Body:
    """A body that has come to a crate 1 m ahead and goes on wishing to go there."""
    return Body(Union(Flat(), crate(mass, **more)), config=config).go(seconds, (0.0, -1.4))


def ahead_of(body: Body) -> float:
    """How far ahead of the body its pusher goes in a frame."""
    return body.y - pusher_after(body.memory, body.config, body.world, FRAME)[1]


@pytest.mark.parametrize(("mass", "pushed"), [(1.0, True), (40.0, True), (41.0, False), (1e4, False)])
def test_a_hundred_newton_move_forty_kilograms_on_usual_ground(mass: float, pushed: bool):
    # The friction of a quarter of its weight: 100 / (0.25 * 9.81) = 40.8 kg.
    assert can_push(Loose(mass), CONFIG) == pushed
    assert (ahead_of(leaning(mass)) > 1e-5) == pushed


def test_on_ice_all_is_pushed_and_what_stands_never_is():
    assert can_push(Loose(1e4, friction=0.0), CONFIG)
    assert not can_push(None, CONFIG)
    body = Body(Union(Flat(), Block((-1.0, -3.0, 0.0), (1.0, -1.0, 2.0)))).go(2.0, (0.0, -1.4))
    assert ahead_of(body) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("mass", [20.0, 30.0, 40.0])
def test_from_rest_it_gives_it_what_its_strength_leaves_after_friction(mass: float):
    body = leaning(mass)
    gains = (100.0 / mass - 0.25 * 9.81) * FRAME
    assert ahead_of(body) == pytest.approx(gains * FRAME, abs=1e-5)


def test_strength_is_a_setting():
    assert ahead_of(leaning(60.0, config=MovementConfig(strength=400.0))) > 1e-3
    assert ahead_of(leaning(5.0, config=MovementConfig(strength=0.0))) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("mass", [20.0, 80.0, 320.0])
def test_running_against_it_a_share_of_its_run_goes_over_by_its_mass(mass: float):
    config = MovementConfig(mass=mass)
    body = Body(Union(Flat(), crate(30.0)), config=config)
    for _ in range(200):
        before = body.memory.copy()
        body.tick(Wish((0.0, -1.4)))
        if body.y < -1.0 + RADIUS + PADDING + 0.01:
            break
    body.memory = before
    free = body.y + 1.0 - RADIUS - PADDING
    gains = 1.4 * mass / (mass + 30.0) + (100.0 / 30.0 - 0.25 * 9.81) * FRAME
    assert ahead_of(body) == pytest.approx(free + gains * (FRAME - free / 1.4), abs=1e-4)


def test_what_goes_ahead_as_fast_as_it_is_not_pushed_on():
    body = Body(Union(Flat(), crate(10.0, at=0.4, goes=1.4))).go(1.0, (0.0, -1.4))
    assert ahead_of(body) == pytest.approx(1.4 * FRAME, abs=2e-3)


def test_with_nothing_ahead_its_pusher_goes_along_and_stops_short_of_a_wall():
    body = Body(Flat()).go(1.0, (0.0, -1.4))
    assert ahead_of(body) == pytest.approx(1.4 * FRAME)
    near = Body(Union(Flat(), Block((-1.0, -9.0, 0.0), (1.0, -1.0, 2.0))))
    near.go(1.0, (0.0, -1.4), until=lambda body: body.y < -0.6)
    assert ahead_of(near) == pytest.approx(near.y + 1.0 - RADIUS - PADDING, abs=1e-3)


def test_in_the_air_its_pusher_flies_on_with_it():
    body = Body(Flat()).go(0.2, (1.0, 0.0)).jump((1.0, 0.0))
    x, _, z = pusher_after(body.memory, body.config, body.world, FRAME)
    assert x - body.x == pytest.approx(FRAME)
    assert z - body.z == pytest.approx(body.memory.velocity[2] * FRAME - 0.5 * 18.0 * FRAME**2)


@pytest.mark.parametrize(("strength", "wishes"), [(100.0, True), (0.0, False)])
def test_who_can_push_it_keeps_wishing_and_who_cannot_stands_before_it_as_before_a_wall(strength: float, wishes: bool):
    world, movement = Union(Flat(), crate(10.0)), MovementConfig(strength=strength)
    config = ControlConfig()
    travel, memory = stand_bodied(Place(0.0, 0.0, 0.0, 0.0), config, movement, world)
    for _ in range(120):
        travel = move_bodied(travel, memory, Intent((0.0, -1.4), 0.0), config, movement, world, 1.0 / 60.0)
    assert (memory.wished != (0.0, 0.0)) == wishes
    assert travel.place.y > -1.0 + RADIUS
