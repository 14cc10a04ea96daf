"""A body that physics has: it is followed, its feet catch it, it lies, it gets up; and what rows may be like."""

from __future__ import annotations

from math import dist, hypot, radians

import pytest
from support.falling import DT, Faller, carried, laid, row
from surefoot.core.character import CharacterConfig
from surefoot.core.control.intent import Inputs, PathLine
from surefoot.core.control.path import path_line
from surefoot.core.ragdoll.catch import CatchConfig, capture_point, quickened, rate_of, speed_after, way_after
from surefoot.core.space.curves import smootherstep

LEGGED = ("person", "dog", "spider")
PUSHED, WITHIN = 0.3, 0.5


def pushed(faller: Faller, seconds: float = 1.0, way: tuple[float, float] = (1.0, 0.0)) -> list[list]:
    """Push a body that stands 30 cm sideways within half a second; what its feet did at each tick."""
    begin, far, seen = faller.bodies(), PUSHED * faller.rig.leg_length / 0.9, []
    for n in range(1, round(seconds / DT) + 1):
        share = far * smootherstep(n * DT / WITHIN)
        faller.tick(row("ACTIVE", carried(begin, way[0] * share, way[1] * share)))
        seen.append(faller.feet())
    return seen


def down_with(faller: Faller, seconds: float = 0.5, **how: object) -> tuple[float, ...]:
    """It lies, as it is told."""
    bodies = laid(faller.bodies(), **how)
    for _ in range(round(seconds / DT)):
        faller.tick(row("FALLEN", bodies))
    return bodies


def slides(seen: list[list]) -> float:
    """How far a planted foot's place moved from tick to tick at most."""
    pairs = [(a, b) for one, other in zip(seen, seen[1:], strict=False) for a, b in zip(one, other, strict=True)]
    return max((dist(a[1], b[1]) for a, b in pairs if a[0] and b[0]), default=0.0)


# What steps that catch are made of.


def test_a_body_over_the_foot_that_catches_it_comes_to_rest_on_the_capture_point():
    rate = rate_of(0.9)
    assert 1.0 / rate == pytest.approx((0.9 / 9.81) ** 0.5)
    assert way_after((1.0, -0.5), (0.0, 0.0), rate, 60.0) == pytest.approx(capture_point((0.0, 0.0), (1.0, -0.5), rate))
    assert speed_after((1.0, -0.5), (0.0, 0.0), rate, 60.0) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_speed_is_the_change_of_way_and_what_is_wanted_is_kept():
    rate, step = rate_of(0.9), 1e-6
    ways = [way_after((1.0, -1.4), (0.2, -1.4), rate, 0.3 + k * step) for k in (0, 1)]
    rates = tuple((b - a) / step for a, b in zip(*ways, strict=True))
    assert speed_after((1.0, -1.4), (0.2, -1.4), rate, 0.3) == pytest.approx(rates, abs=1e-5)
    assert rates[1] == pytest.approx(-1.4, abs=1e-6)


def test_steps_are_quicker_the_faster_a_body_is_beyond_what_it_wants_and_no_quicker_than_they_may():
    config = CatchConfig(quickest=2.0, quickest_at=0.5)
    wanted = (0.0, -1.2)
    speeds = [quickened((excess, -1.2), wanted, 1.0, config) for excess in (0.0, 0.25, 0.5, 5.0)]
    assert speeds == pytest.approx([1.0, 1.5, 2.0, 2.0])


# Staggering.


@pytest.mark.parametrize("kind", LEGGED)
def test_a_body_that_is_pushed_sideways_steps_and_its_planted_feet_do_not_slide(kind: str):
    faller = Faller(kind)
    faller.wait(0.5)
    before = faller.steps()
    seen = pushed(faller)
    assert faller.steps() - before >= len(faller.rig.legs)
    assert slides(seen) == 0.0


@pytest.mark.parametrize("kind", LEGGED)
def test_the_travel_ends_under_the_pelvis_that_physics_has_and_never_goes_past_it(kind: str):
    faller = Faller(kind)
    faller.wait(0.5)
    start = faller.memory.travel.place
    begin, far = faller.bodies(), PUSHED * faller.rig.leg_length / 0.9
    for n in range(1, 91):
        share = far * smootherstep(n * DT / WITHIN)
        faller.tick(row("ACTIVE", carried(begin, share)))
        own = faller.bodies()
        if n * DT < WITHIN:
            # As its motion has the pelvis over the travel, so it lies over it.
            assert faller.shown()[:2] == pytest.approx((begin[0] + share, begin[1]), abs=1e-5)
    assert own[:2] == pytest.approx((begin[0] + far, begin[1]), abs=0.02 * faller.rig.leg_length)
    assert hypot(*(a - b for a, b in zip(faller.memory.travel.place[:2], start[:2], strict=True))) < 1.1 * far


@pytest.mark.parametrize("kind", LEGGED)
def test_feet_land_where_the_body_will_come_to_rest(kind: str):
    faller = Faller(kind)
    faller.wait(0.5)
    legs = faller.character.gait.shape.legs
    pushed(faller, 2.5)
    place = faller.memory.travel.place
    for leg, (planted, hold) in zip(legs, faller.feet(), strict=True):
        assert planted
        off = hypot(hold[0] - place.x - leg.ball[0], hold[1] - place.y - leg.ball[1])
        assert off < 0.15 * faller.rig.leg_length


def test_the_first_step_of_a_pushed_body_begins_with_its_hit_and_not_when_it_has_moved():
    faller = Faller("person")
    faller.wait(0.5)
    begin, before = faller.bodies(), faller.steps()
    for n in (1, 2):
        faller.tick(row("ACTIVE", carried(begin, 0.016 * n), push=(1.0, 0.0, 0.0)))
    assert faller.steps() == before + 1


def test_steps_that_catch_are_quicker_than_those_of_a_walk():
    faller = Faller("person")
    faller.wait(0.5)
    pushed(faller, 0.3)
    assert faller.memory.gait.hurry > 1.4


def test_the_pose_that_is_shown_is_physics_s():
    faller = Faller("person")
    faller.wait(0.2)
    told = laid(faller.bodies(), degrees=25.0, height=0.8)
    faller.tick(row("ACTIVE", told))
    assert faller.shown() == pytest.approx(told, abs=2e-5)


def test_the_pose_that_physics_is_driven_to_is_its_own_and_lies_over_its_feet():
    faller = Faller("person")
    faller.wait(0.5)
    pushed(faller, 0.4)
    own = faller.character.wanted(faller.memory, faller.inputs)
    assert [foot.planted for foot in own.feet] == [planted for planted, _ in faller.feet()]
    assert faller.bodies() != pytest.approx(faller.shown(), abs=1e-3)


def test_between_two_rows_its_own_motion_goes_on_as_it_catches_itself():
    faller = Faller("person")
    faller.wait(0.5)
    pushed(faller, 0.3)
    held = faller.memory.fall.bodies
    place, speed = faller.memory.travel.place, faller.memory.travel.velocity[0]
    faller.tick(row("ACTIVE", held))
    went = faller.memory.travel.place.x - place.x
    assert speed > 0.5
    assert went == pytest.approx(speed * DT, rel=0.1)


def test_a_body_that_walks_is_pushed_aside_and_walks_on():
    faller = Faller("person", Inputs(speed=1.2))
    faller.wait(1.5)
    begin, y = faller.bodies(), faller.memory.travel.place.y
    for n in range(1, 61):
        aside = PUSHED * smootherstep(n * DT / WITHIN)
        faller.tick(row("ACTIVE", carried(begin, aside, -1.2 * n * DT)))
    faller.wait(1.0)
    assert faller.memory.fall is None
    assert faller.memory.travel.place.y - y == pytest.approx(-2.4, abs=0.15)
    assert hypot(*faller.memory.travel.velocity[:2]) == pytest.approx(1.2, abs=0.05)


def test_a_pelvis_that_physics_turns_takes_the_heading_along():
    faller = Faller("person")
    faller.wait(0.3)
    begin = faller.bodies()
    for n in range(1, 91):
        faller.tick(row("ACTIVE", laid(begin, "Z", min(n, 60.0), begin[2])))
    assert radians(30.0) < faller.memory.travel.place.heading < radians(60.0)


def test_after_it_the_pose_goes_over_into_its_own_without_a_jump():
    faller = Faller("person")
    faller.wait(0.5)
    told = laid(faller.bodies(), degrees=12.0, height=0.85)
    faller.tick(row("ACTIVE", told))
    before, most = faller.shown(), 0.0
    for _ in range(30):
        faller.tick()
        now = faller.shown()
        most = max(most, *(dist(before[i : i + 3], now[i : i + 3]) for i in range(0, len(now), 7)))
        before = now
    assert faller.memory.fall is None
    assert most < 0.05
    assert faller.shown() == faller.bodies()


# A body that is led along something.


def along_x() -> PathLine:
    """A straight path."""
    return path_line([(0.0, 0.0, 0.0), (40.0, 0.0, 0.0)], closed=False)


def test_a_body_that_is_pushed_off_its_path_comes_back_to_it_by_and_by():
    inputs = Inputs(speed=1.2, path=along_x())
    faller = Faller("person", inputs, config=CharacterConfig(director="PATH"))
    faller.wait(1.5)
    begin = faller.bodies()
    for n in range(1, 61):
        aside = PUSHED * smootherstep(n * DT / WITHIN)
        faller.tick(row("ACTIVE", carried(begin, 1.2 * n * DT, aside)))
    assert faller.memory.travel.place.y > 0.2
    seen = [faller.memory.travel.place]
    for _ in range(180):
        faller.tick()
        seen.append(faller.memory.travel.place)
    assert max(hypot(b.x - a.x, b.y - a.y) for a, b in zip(seen, seen[1:], strict=False)) < 1.8 * DT
    assert seen[-1].y == 0.0
    assert faller.memory.fall is None


# Lying and getting up.


@pytest.mark.parametrize("kind", LEGGED)
@pytest.mark.parametrize(("axis", "degrees"), [("X", 90.0), ("X", -90.0), ("Y", 90.0)])
def test_a_fallen_body_lies_as_physics_has_it_and_its_travel_is_under_its_pelvis(kind: str, axis: str, degrees: float):
    faller = Faller(kind)
    faller.wait(0.2)
    told = down_with(faller, axis=axis, degrees=degrees)
    place = faller.memory.travel.place
    assert faller.shown() == pytest.approx(told, abs=5e-5)
    under = hypot(*faller.plan.bodies[0].rest.origin[:2])
    assert hypot(place.x - told[0], place.y - told[1]) == pytest.approx(under, abs=1e-5)
    assert place.z == pytest.approx(0.0, abs=1e-6)
    assert not any(foot.planted for foot in faller.character.pose(faller.memory).feet)


def test_it_lies_without_any_step_and_its_director_waits():
    faller = Faller("person", Inputs(speed=1.2))
    faller.wait(1.0)
    before = faller.steps()
    down_with(faller, 1.0)
    assert faller.steps() == before


@pytest.mark.parametrize("kind", LEGGED)
@pytest.mark.parametrize("body", ["POINT", "CAPSULE"])
def test_it_gets_up_from_how_it_lies_until_it_stands_and_says_so(kind: str, body: str):
    faller = Faller(kind, config=CharacterConfig(body=body))
    faller.wait(0.2)
    told = down_with(faller)
    faller.tick(row("GETTING_UP"))
    assert faller.character.rises(faller.memory)
    assert max(dist(faller.shown()[i : i + 3], told[i : i + 3]) for i in range(0, len(told), 7)) < 0.02
    events = []
    for _ in range(900):
        faller.tick(row("GETTING_UP") if faller.character.rises(faller.memory) else None)
        events += faller.memory.gait.events
        if not faller.character.rises(faller.memory):
            break
    assert events.count(("STOOD_UP", "")) == 1
    faller.wait(0.5)
    assert faller.memory.fall is None
    assert faller.shown() == faller.bodies()


def test_its_rise_goes_on_when_the_record_has_ended():
    faller = Faller("person")
    faller.wait(0.2)
    down_with(faller)
    faller.tick(row("GETTING_UP"))
    faller.wait(10.0)
    assert faller.memory.fall is None


def test_a_body_that_is_floored_while_it_gets_up_falls_from_there():
    faller = Faller("person")
    faller.wait(0.2)
    told = down_with(faller)
    for _ in range(20):
        faller.tick(row("GETTING_UP"))
    faller.tick(row("FALLEN", told, begins=2))
    assert not faller.character.rises(faller.memory)
    assert faller.shown() == pytest.approx(told, abs=5e-5)


def test_it_walks_on_after_it_stood_up_without_a_foot_that_slides():
    faller = Faller("person", Inputs(speed=1.2))
    faller.wait(1.0)
    down_with(faller)
    while faller.character.rises(faller.memory) or faller.memory.fall.state == "FALLEN":
        faller.tick(row("GETTING_UP"))
    seen = []
    for _ in range(120):
        faller.tick()
        seen.append(faller.feet())
    assert slides(seen) == 0.0
    assert hypot(*faller.memory.travel.velocity) == pytest.approx(1.2, abs=0.05)


def test_a_record_that_ends_while_it_lies_leaves_it_lying_and_says_so():
    faller = Faller("person")
    faller.wait(0.2)
    told = down_with(faller)
    faller.wait(1.0)
    assert faller.shown() == pytest.approx(told, abs=5e-5)
    assert "Simulate on" in faller.memory.reason


def test_the_states_of_rows_are_told_as_events():
    faller = Faller("person")
    faller.wait(0.2)
    faller.tick(row("ACTIVE", faller.bodies(), events=("hit",)))
    assert ("HIT", "") in faller.memory.gait.events
    faller.tick(row("FALLEN", laid(faller.bodies()), events=("fell",)))
    assert faller.memory.gait.events == (("FELL", ""),)
