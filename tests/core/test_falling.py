"""A body that physics has: it is followed, its feet catch it, it lies, it gets up; and what rows may be like."""

from __future__ import annotations

from math import dist, hypot, radians

import pytest
from mathutils import Matrix
from support.falling import DT, Faller, carried, laid, row, same_signs, turned_over
from surefoot.core.character import CharacterConfig
from surefoot.core.control.fall_row import FallRow
from surefoot.core.control.intent import Inputs, Pad, PathLine, Place
from surefoot.core.control.path import path_line
from surefoot.core.space.curves import smootherstep
from surefoot.core.world.compound import Union
from surefoot.core.world.rooms import Block

LEGGED = ("person", "dog", "spider")
PUSHED, WITHIN = 0.3, 0.5


ENDS = {"person": "foot", "dog": ("front_foot", "hind_foot"), "spider": "metatarsal"}


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
    assert same_signs(faller.shown(), told) == pytest.approx(told, abs=2e-5)


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
    faller.wait(2.0)
    assert faller.memory.fall is None
    assert faller.memory.travel.place.y - y == pytest.approx(-3.6, abs=0.2)
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


@pytest.mark.parametrize("kind", LEGGED)
def test_when_it_is_its_motion_s_again_its_feet_stay_where_physics_left_them(kind: str):
    faller = Faller(kind)
    faller.wait(0.5)
    off = 0.04 * faller.rig.leg_length
    told = turned_over(faller.bodies(), Matrix.Translation((off, -off, 0.0)) @ Matrix.Rotation(0.05, 4, "Z"))
    for _ in range(30):
        faller.tick(row("ACTIVE", told))
    assert all(planted for planted, _ in faller.feet())
    feet = [i for i, body in enumerate(faller.plan.bodies) if body.role.split(".")[0].startswith(ENDS[kind])]
    slid, before, steps = 0.0, faller.shown(), faller.steps()
    for _ in range(18):
        faller.tick()
        now = faller.shown()
        if faller.steps() > steps:
            break
        slid += max((dist(before[7 * i : 7 * i + 2], now[7 * i : 7 * i + 2]) for i in feet), default=0.0)
        before = now
    assert feet
    assert slid < 0.1 * off


def test_a_body_with_a_shape_goes_on_from_where_physics_left_it():
    faller = Faller("person", Inputs(speed=1.2), config=CharacterConfig(body="CAPSULE"))
    faller.wait(1.5)
    begin = faller.bodies()
    for n in range(1, 61):
        faller.tick(row("ACTIVE", carried(begin, 0.5 * smootherstep(n * DT), -1.2 * n * DT)))
    before = faller.memory.travel.place
    assert faller.memory.capsule.feet == before[:3]
    faller.tick()
    now = faller.memory.travel.place
    assert hypot(now.x - before.x, now.y - before.y) < 2.0 * DT
    faller.wait(1.0)
    assert hypot(*faller.memory.travel.velocity[:2]) == pytest.approx(1.2, abs=0.05)


def test_a_body_that_is_hit_in_mid_jump_is_physics_s_from_there():
    jumps = Inputs(speed=0.0, pad=Pad(0.0, -1.0, jump=True))
    faller = Faller("person", jumps, config=CharacterConfig(body="CAPSULE", director="INPUT"))
    faller.wait(0.3)
    assert faller.memory.travel.aloft
    begin = faller.bodies()
    for n in range(30):
        faller.tick(row("ACTIVE", carried(begin, 0.0, 0.0, -0.01 * n)))
    told = carried(begin, 0.0, 0.0, -0.29)
    assert same_signs(faller.shown(), told) == pytest.approx(told, abs=5e-5)


def test_a_body_that_physics_has_off_a_ledge_is_on_the_ground_below():
    world = Union(Block((-1.0, -20.0, -3.0), (1.0, 20.0, 0.0)), Block((-50.0, -50.0, -4.0), (50.0, 50.0, -1.5)))
    faller = Faller("person", world=world)
    faller.wait(0.2)
    begin = faller.bodies()
    for n in range(1, 91):
        share = smootherstep(n * DT)
        faller.tick(row("ACTIVE", carried(begin, 2.0 * share, 0.0, -1.5 * share)))
    place = faller.memory.travel.place
    assert place.x == pytest.approx(2.0, abs=0.05)
    assert place.z == pytest.approx(-1.5, abs=0.01)


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


def test_a_body_that_something_carries_runs_after_it_when_it_has_stood_up():
    faller = Faller("person", Inputs(mover=Place(0.0, 0.0, 0.0, 0.0)), config=CharacterConfig(director="MOVER"))
    n = 0

    def go(each: FallRow | None) -> None:
        nonlocal n
        n += 1
        faller.tick(each, mover=Place(0.0, -1.2 * n * DT, 0.0, 0.0))

    for _ in range(60):
        go(None)
    told = laid(faller.bodies())
    for _ in range(60):
        go(row("FALLEN", told))
    while faller.memory.fall.state == "FALLEN" or faller.character.rises(faller.memory):
        go(row("GETTING_UP"))
    seen = [faller.memory.travel.place]
    for _ in range(900):
        go(None)
        seen.append(faller.memory.travel.place)
    assert seen[0].y + 1.2 * (n - 900) * DT > 3.0
    assert seen[-1].y == pytest.approx(-1.2 * n * DT, abs=1e-6)
    assert max(hypot(b.x - a.x, b.y - a.y) for a, b in zip(seen, seen[1:], strict=False)) < 5.0 * DT
    assert faller.memory.fall is None


# Lying and getting up.


@pytest.mark.parametrize("kind", LEGGED)
@pytest.mark.parametrize(("axis", "degrees"), [("X", 90.0), ("X", -90.0), ("Y", 90.0)])
def test_a_fallen_body_lies_as_physics_has_it_and_its_travel_is_under_its_pelvis(kind: str, axis: str, degrees: float):
    faller = Faller(kind)
    faller.wait(0.2)
    told = down_with(faller, axis=axis, degrees=degrees)
    place = faller.memory.travel.place
    assert same_signs(faller.shown(), told) == pytest.approx(told, abs=5e-5)
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


@pytest.mark.parametrize("kind", LEGGED)
def test_its_ground_goes_to_where_it_will_stand_by_and_by_and_not_at_once(kind: str):
    faller = Faller(kind)
    faller.wait(0.2)
    down_with(faller, axis="X", degrees=-90.0)
    grounds = [faller.character.pose(faller.memory).ground]
    while faller.memory.fall is not None and (faller.memory.fall.state == "FALLEN" or faller.memory.fall.rise):
        faller.tick(row("GETTING_UP"))
        grounds.append(faller.character.pose(faller.memory).ground)
    steps = [dist(a[:3], b[:3]) for a, b in zip(grounds, grounds[1:], strict=False)]
    turns = [abs(a.heading - b.heading) for a, b in zip(grounds, grounds[1:], strict=False)]
    assert max(steps) < 0.03 * faller.rig.leg_length
    assert max(turns) < 0.12
    assert grounds[-1][:2] == pytest.approx(faller.memory.travel.place[:2], abs=1e-9)


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
    assert same_signs(faller.shown(), told) == pytest.approx(told, abs=5e-5)


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
    assert same_signs(faller.shown(), told) == pytest.approx(told, abs=5e-5)
    assert "Simulate on" in faller.memory.reason


def test_the_states_of_rows_are_told_as_events():
    faller = Faller("person")
    faller.wait(0.2)
    faller.tick(row("ACTIVE", faller.bodies(), events=("hit",)))
    assert ("HIT", "") in faller.memory.gait.events
    faller.tick(row("FALLEN", laid(faller.bodies()), events=("fell",)))
    assert faller.memory.gait.events == (("FELL", ""),)
