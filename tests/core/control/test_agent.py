"""The director that another program writes: where it goes, where it faces, from what it runs."""

from __future__ import annotations

from math import hypot, nan, pi

import pytest
from support.acting import FPS, act
from surefoot.core.character import world_matrix
from surefoot.core.control.agent import AgentMemory, act_on
from surefoot.core.control.config import ControlConfig, FleeConfig
from surefoot.core.control.intent import AgentWish, Inputs, Place, Travel
from surefoot.core.world.solids import Box, Flat, Union

CONFIG = ControlConfig()
DT = 1.0 / 60.0
HERE = Travel(Place(0.0, 0.0, 0.0, 0.0))


def intent(wish: AgentWish | None, travel: Travel = HERE, speed: float = 1.0, config: ControlConfig = CONFIG):
    return act_on(AgentMemory(), Inputs(speed=speed, agent=wish), travel, config, DT)


def speeds(run) -> list[float]:
    return [FPS * hypot(b.x - a.x, b.y - a.y) for a, b in zip(run.places, run.places[1:], strict=False)]


def test_with_a_velocity_it_goes_so_fast_that_way_and_faces_there():
    run = act("dog", AgentWish(velocity=(1.2, 0.0)), 4.0, ticks=2)
    assert speeds(run)[-1] == pytest.approx(1.2, rel=1e-3)
    assert run.places[-1].heading == pytest.approx(pi / 2, abs=1e-3)


def test_a_velocity_with_a_heading_of_its_own_is_gone_sideways():
    wish = AgentWish(velocity=(0.5, 0.0), turns=True, place=Place(9.0, 9.0, 0.0, 0.0))
    run = act("person", wish, 3.0, ticks=2)
    assert run.places[-1].heading == pytest.approx(0.0, abs=1e-3)
    assert run.places[-1].x > 1.0
    assert abs(run.places[-1].y) < 1e-3


def test_to_a_place_it_walks_at_its_speed_and_stands_there_turned_as_told():
    wish = AgentWish(moves="PLACE", place=Place(1.0, -1.0, 0.0, pi / 2), turns=True)
    run = act("dog", wish, 5.0, ticks=2)
    place = run.places[-1]
    assert hypot(place.x - 1.0, place.y + 1.0) < 0.01
    assert place.heading == pytest.approx(pi / 2, abs=0.02)
    assert max(speeds(run)) <= 1.2 + 1e-3


def test_carried_it_is_at_the_very_place_and_faces_where_that_goes():
    run = act("dog", lambda time: AgentWish(moves="CARRIED", place=Place(0.8 * time, 0.0, 0.0, 0.0)), 3.0, ticks=2)
    assert run.places[-1].x == pytest.approx(2.4, abs=1e-6)
    assert run.places[-1].heading == pytest.approx(pi / 2, abs=0.02)


def test_carried_far_at_once_it_is_put_there():
    far = Place(20.0, 0.0, 0.0, 0.0)
    assert intent(AgentWish(moves="CARRIED", place=far)).jumped
    assert not intent(AgentWish(moves="CARRIED", place=far._replace(x=0.01))).jumped


@pytest.mark.parametrize("body", ["POINT", "CAPSULE"])
def test_in_flight_it_runs_straight_away_at_its_sprint_and_stands_at_the_safe_distance(body: str):
    wish = AgentWish(activity="FLEE", flee_from=Place(0.0, -2.0, 0.0, 0.0))
    run = act("dog", wish, 7.0, speed=1.5, body=body, ticks=2)
    assert max(speeds(run)) == pytest.approx(1.5 * CONFIG.steering.sprint_factor, rel=0.05)
    assert run.places[-1].y + 2.0 == pytest.approx(FleeConfig().safe_distance, abs=0.05)
    assert abs(run.places[-1].x) < 1.0
    assert speeds(run)[-1] < 1e-3


def test_who_is_safe_runs_again_only_when_what_it_fled_from_comes_near():
    memory, wish = AgentMemory(safe=True), AgentWish(activity="FLEE", flee_from=Place(0.0, -7.0, 0.0, 0.0))
    config = ControlConfig(fleeing=FleeConfig(8.0))
    assert act_on(memory, Inputs(speed=1.0, agent=wish), HERE, config, DT).velocity == (0.0, 0.0)
    nearer = wish._replace(flee_from=Place(0.0, -6.0, 0.0, 0.0))
    away = Travel(Place(0.0, 0.0, 0.0, pi))
    assert act_on(memory, Inputs(speed=1.0, agent=nearer), away, config, DT).velocity[1] > 0.5


def test_on_the_very_spot_of_what_it_flees_from_it_runs_ahead():
    wanted = intent(AgentWish(activity="FLEE", flee_from=Place(0.0, 0.0, 0.0, 0.0)))
    assert wanted.velocity[1] < -1.0
    assert wanted.facing == 0.0


def test_a_wall_stops_a_body_with_a_shape_that_flees():
    world = Union(Flat(), Box((-4.0, 3.0, 0.0), (4.0, 3.2, 2.0)))
    wish = AgentWish(activity="FLEE", flee_from=Place(0.0, -1.0, 0.0, 0.0))
    run = act("dog", wish, 4.0, world, body="CAPSULE", ticks=2)
    assert max(place.y for place in run.places) < 3.0


def test_on_the_alert_it_stands_whatever_the_velocity():
    wanted = intent(AgentWish(activity="ALERT", velocity=(1.0, 0.0)))
    assert wanted.velocity == (0.0, 0.0)


@pytest.mark.parametrize(
    "wish",
    [
        None,
        AgentWish(enabled=False, velocity=(1.0, 0.0)),
        AgentWish(velocity=(nan, 1.0)),
        AgentWish(moves="PLACE", place=None),
        AgentWish(moves="PLACE", place=Place(nan, 0.0, 0.0, 0.0)),
        AgentWish(activity="FLEE"),
        AgentWish(activity="FLEE", flee_from=Place(0.0, nan, 0.0, 0.0)),
    ],
)
def test_a_wish_that_is_none_or_broken_stands(wish: AgentWish | None):
    assert intent(wish).velocity == (0.0, 0.0)
    assert intent(wish).facing == 0.0


def test_feet_do_not_slide_when_it_stops_for_an_activity():
    def wish(time: float) -> AgentWish:
        goes = time < 1.5
        return AgentWish(velocity=(0.0, -1.0) if goes else (0.0, 0.0), activity="NONE" if goes else "EAT")

    run = act("dog", wish, 5.0, ticks=2)
    world = [[world_matrix(frame.ground) @ ball for ball in run.balls(k)] for k, frame in enumerate(run.frames)]
    stood = 0
    for k in range(round(1.5 * FPS), len(run.frames) - 1):
        for foot, (now, then) in enumerate(zip(run.frames[k].feet, run.frames[k + 1].feet, strict=True)):
            if now.ball_down and then.ball_down and then.elapsed > now.elapsed:
                assert (world[k + 1][foot] - world[k][foot]).length < 2e-4
                stood += 1
    assert stood > 4 * 2 * FPS
    assert run.mouth() < 0.3 * run.character.rig.leg_length
