"""A route: each spot to its very place, turned as it is turned, a wait, and on; and a goal that goes before all."""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, pi, radians

import pytest
from surefoot.core.control.bodied import move_bodied, stand_bodied
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.directors import DirectorMemory, decide, director_at
from surefoot.core.control.intent import DirectorName, Inputs, Place, RouteSpot, Travel
from surefoot.core.control.movement import MovementConfig
from surefoot.core.control.path import path_line
from surefoot.core.control.point import move, stand
from surefoot.core.control.route import AGAIN, NO_SPOTS
from surefoot.core.world.solids import Flat, Ramp, Solid
from surefoot.core.world.world import World

CONFIG = ControlConfig()
DT = 1.0 / 60.0
ORIGIN = Place(0.0, 0.0, 0.0, 0.0)
LEVEL = Flat()


def spot(x: float, y: float, heading: float | None = None, pace: float = 0.0, wait: float = 0.0) -> RouteSpot:
    return RouteSpot(Place(x, y, 0.0, heading or 0.0), heading is not None, pace, wait)


class Walk:
    """A director and a body on a ground: a point, or one with a shape."""

    def __init__(
        self, *spots: RouteSpot, loops: bool = False, world: Solid = LEVEL, shaped: bool = False, **inputs: object
    ) -> None:
        self.name: DirectorName = "ROUTE"
        self.inputs = replace(Inputs(speed=1.4, route=spots, loops=loops), **inputs)
        self.world: World = world
        self.memory, self.movement, self.capsule = DirectorMemory(), MovementConfig(), None
        self.travel = stand(ORIGIN, CONFIG, world)
        if shaped:
            self.travel, self.capsule = stand_bodied(ORIGIN, CONFIG, self.movement, world)
        self.intent, self.limits = None, CONFIG

    def tick(self) -> Travel:
        self.intent = decide(self.name, self.memory, self.inputs, self.travel, self.limits, DT)
        if self.capsule is None:
            self.travel = move(self.travel, self.intent, self.limits, self.world, DT)
        else:
            self.travel = move_bodied(
                self.travel, self.capsule, self.intent, self.limits, self.movement, self.world, DT
            )
        return self.travel

    def run(self, seconds: float) -> list[Travel]:
        return [self.tick() for _ in range(round(seconds / DT))]

    def off(self, x: float, y: float) -> float:
        return hypot(self.travel.place.x - x, self.travel.place.y - y)

    def stands(self) -> bool:
        return hypot(*self.travel.velocity) < 1e-9


@pytest.mark.parametrize("shaped", [False, True], ids=["point", "capsule"])
@pytest.mark.parametrize("at", [(0.0, -3.0), (2.0, 1.5), (0.0, 3.0), (0.2, 0.25), (-0.05, 0.0), (5.0, -5.0)])
@pytest.mark.parametrize("pace", [0.0, 0.4, 4.0])
def test_it_stops_within_a_centimetre_of_the_spot(shaped: bool, at: tuple[float, float], pace: float):
    walk = Walk(spot(*at, pace=pace), shaped=shaped)
    walk.run(24.0)
    assert walk.off(*at) < 0.01
    assert walk.stands()
    assert walk.intent.reason == "The route ends here."


@pytest.mark.parametrize("shaped", [False, True], ids=["point", "capsule"])
def test_on_a_slope_it_stops_at_the_spot_too(shaped: bool):
    walk = Walk(spot(1.0, -3.0), world=Ramp(radians(20.0)), shaped=shaped)
    walk.run(8.0)
    assert walk.off(1.0, -3.0) < 0.01
    assert walk.stands()


@pytest.mark.parametrize("heading", [0.0, pi / 2, pi, -2.0])
def test_at_the_spot_it_turns_as_the_spot_is_turned(heading: float):
    walk = Walk(spot(0.0, -2.0, heading))
    ticks = walk.run(8.0)
    assert cos(walk.travel.place.heading - heading) == pytest.approx(1.0, abs=1e-9)
    assert walk.off(0.0, -2.0) < 0.01
    assert max(abs(t.turn_rate) for t in ticks) <= CONFIG.turn_rate + 1e-9


def test_it_turns_only_after_it_has_come_to_stand():
    walk = Walk(spot(0.0, -2.0, pi / 2))
    for travel in walk.run(8.0):
        assert abs(travel.turn_rate) < 1e-6 or hypot(*travel.velocity) < 0.1


def test_it_never_speeds_up_or_brakes_harder_than_it_may():
    speeds = [0.0, *(hypot(*t.velocity) for t in Walk(spot(0.0, -3.0), spot(2.0, -3.0, 0.0)).run(10.0))]
    steps = [after - before for before, after in zip(speeds, speeds[1:], strict=False)]
    assert max(steps) <= CONFIG.acceleration * DT + 1e-9
    assert -min(steps) <= CONFIG.deceleration * DT + 1e-9


def test_the_way_takes_its_length_over_the_pace_and_half_of_starting_and_stopping():
    ticks = Walk(spot(0.0, -6.0, pace=1.0)).run(10.0)
    arrival = next(k for k, t in enumerate(ticks, 1) if t.place.y < -6.0 + 0.002)
    ramps = 0.5 * (1.0 / CONFIG.acceleration + 1.0 / CONFIG.deceleration)
    assert arrival * DT == pytest.approx(6.0 + ramps, abs=4 * DT)


def test_each_spot_has_its_own_pace():
    ticks = Walk(spot(0.0, -4.0, wait=0.1), spot(0.0, -8.0, pace=0.5)).run(14.0)
    first = max(hypot(*t.velocity) for t in ticks if t.place.y > -3.9)
    second = max(hypot(*t.velocity) for t in ticks if t.place.y < -4.1)
    assert (first, second) == pytest.approx((1.4, 0.5))


@pytest.mark.parametrize("wait", [0.5, 2.0])
def test_it_waits_as_long_as_the_spot_says(wait: float):
    ticks = Walk(spot(0.0, -2.0, wait=wait), spot(0.0, -4.0)).run(10.0)
    stood = [t for t in ticks if hypot(*t.velocity) == 0.0 and abs(t.place.y + 2.0) < 0.01]
    assert len(stood) * DT == pytest.approx(wait, abs=3 * DT)


def test_a_wait_that_is_keyed_away_ends_at_once():
    walk = Walk(spot(0.0, -2.0, wait=1e6), spot(0.0, -4.0))
    walk.run(10.0)
    assert walk.off(0.0, -2.0) < 0.01
    walk.inputs = replace(walk.inputs, route=(spot(0.0, -2.0, wait=1.0), spot(0.0, -4.0)))
    walk.run(5.0)
    assert walk.off(0.0, -4.0) < 0.01


def test_a_spot_with_nothing_to_do_is_passed_without_a_stop():
    ticks = Walk(spot(0.0, -3.0), spot(1.0, -6.0)).run(10.0)
    under_way = [hypot(*t.velocity) for t in ticks if -4.5 < t.place.y < -1.0]
    assert min(under_way) > 1.2
    assert min(hypot(t.place.x, t.place.y + 3.0) for t in ticks) < 0.5


def test_a_loop_begins_again_and_no_loop_stays():
    spots = (spot(0.0, -2.0, wait=0.1), spot(2.0, -2.0, wait=0.1), spot(0.0, 0.0, wait=0.1))
    round_and_round = Walk(*spots, loops=True).run(40.0)
    visits = sum(
        1
        for a, b in zip(round_and_round, round_and_round[1:], strict=False)
        if hypot(a.place.x, a.place.y + 2.0) >= 0.01 > hypot(b.place.x, b.place.y + 2.0)
    )
    assert visits >= 3
    once = Walk(*spots)
    once.run(40.0)
    assert once.off(0.0, 0.0) < 0.01


def test_a_spot_that_moves_off_is_walked_to_again():
    walk = Walk(spot(0.0, -2.0))
    walk.run(5.0)
    walk.inputs = replace(walk.inputs, route=(spot(0.0, -2.0 - 0.9 * AGAIN),))
    walk.run(1.0)
    assert walk.off(0.0, -2.0) < 0.01
    walk.inputs = replace(walk.inputs, route=(spot(0.0, -2.0 - 1.5 * AGAIN),))
    walk.run(2.0)
    assert walk.off(0.0, -2.0 - 1.5 * AGAIN) < 0.01


def test_without_spots_it_stands_and_says_why():
    walk = Walk()
    walk.run(0.5)
    assert walk.travel.place == ORIGIN
    assert walk.intent.reason == NO_SPOTS
    assert director_at("ROUTE", walk.inputs).predict(walk.memory, walk.inputs, walk.travel, CONFIG, 1.0) == ORIGIN


def test_a_teleport_in_its_midst_goes_on_to_the_same_spot():
    walk = Walk(spot(0.0, -2.0, wait=0.1), spot(0.0, -4.0))
    walk.run(4.0)
    walk.inputs = replace(walk.inputs, moved_to=Place(3.0, -4.0, 0.0, 1.0))
    assert walk.tick().jumped
    walk.inputs = replace(walk.inputs, moved_to=None)
    walk.run(6.0)
    assert walk.off(0.0, -4.0) < 0.01


@pytest.mark.parametrize("after", [0.5, 1.5, 2.0, 2.5, 3.5, 5.0])
def test_where_it_foresees_to_be_it_is(after: float):
    walk = Walk(spot(0.0, -2.6, pi / 2, wait=1.0), spot(2.0, -2.6))
    walk.run(after)
    foreseen = director_at("ROUTE", walk.inputs).predict(walk.memory, walk.inputs, walk.travel, CONFIG, 0.3)
    walk.run(0.3)
    assert hypot(foreseen.x - walk.travel.place.x, foreseen.y - walk.travel.place.y) < 0.06


@pytest.mark.parametrize("name", ["AHEAD", "PATH", "TARGET", "ROUTE", "INPUT"])
def test_a_goal_goes_before_every_director_and_then_it_goes_on(name: DirectorName):
    path = path_line([(0.0, 0.0, 0.0), (0.0, -20.0, 0.0)])
    walk = Walk(spot(0.0, -20.0), path=path, target=Place(0.0, -20.0, 0.0, 0.0))
    walk.name = name
    walk.run(1.0)
    walk.inputs = replace(walk.inputs, goal=spot(0.3, -4.0, pi / 2))
    walk.run(6.0)
    assert walk.off(0.3, -4.0) < 0.01
    assert walk.travel.place.heading == pytest.approx(pi / 2)
    walk.inputs = replace(walk.inputs, goal=None)
    walk.run(0.5)
    assert not walk.travel.jumped
    assert name == "INPUT" or not walk.stands()


def test_another_goal_close_by_is_walked_to_as_well():
    walk = Walk(goal=spot(0.0, -2.0))
    walk.run(5.0)
    walk.inputs = replace(walk.inputs, goal=spot(0.0, -2.15))
    walk.run(2.0)
    assert walk.off(0.0, -2.15) < 0.01


def test_a_copy_of_its_memory_goes_on_alike_to_the_bit():
    walk = Walk(spot(0.0, -2.0, 1.0, wait=0.5), spot(2.0, -3.0), goal=None)
    walk.run(2.0)
    kept, travel = walk.memory.copy(), walk.travel
    first = walk.run(4.0)[-1]
    walk.memory, walk.travel = kept, travel
    assert walk.run(4.0)[-1] == first


@pytest.mark.parametrize("turn_rate", [30.0, 120.0, 400.0])
@pytest.mark.parametrize(("speeding", "braking"), [(0.5, 10.0), (10.0, 0.5)])
@pytest.mark.parametrize("shaped", [False, True], ids=["point", "capsule"])
def test_with_any_limits_it_neither_circles_nor_stops_beside_the_spot(
    turn_rate: float, speeding: float, braking: float, shaped: bool
):
    rate = radians(turn_rate)
    limits = replace(CONFIG, turn_rate=rate, turn_acceleration=4.0 * rate, acceleration=speeding, deceleration=braking)
    walk = Walk(spot(-2.0, 1.0), spot(0.5, -0.5, wait=0.2), spot(0.0, 0.6, 2.0), shaped=shaped, speed=4.0)
    walk.limits = limits
    walk.run(40.0)
    assert walk.off(0.0, 0.6) < 0.01
    assert walk.intent.reason == "The route ends here."
    assert cos(walk.travel.place.heading - 2.0) == pytest.approx(1.0, abs=1e-9)


def test_a_spot_that_is_passed_too_fast_is_come_back_to():
    walk = Walk(spot(0.0, -20.0), speed=6.0)
    walk.run(3.0)
    y = walk.travel.place.y
    walk.inputs = replace(walk.inputs, route=(spot(0.0, y - 0.3),))
    ticks = walk.run(8.0)
    assert min(t.place.y for t in ticks) < y - 1.0
    assert walk.off(0.0, y - 0.3) < 0.01
