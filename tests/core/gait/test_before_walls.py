"""Feet of a body with a shape and what stops it: they stay before walls, and on the steps that it climbs."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, hypot, radians, sin, tan

import numpy as np
import pytest
from support.flights import Posed, Run, fly
from support.grid import rig_of
from surefoot.core.control.intent import Pad
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Extruded, Flat, Ramp, Stairs
from surefoot.core.world.rooms import Block

# Metres for a 0.9 m leg.
CLOSE, SLIDES = 0.02, 0.02
FAR = 30.0
Point = tuple[str, str]


def leg_share(who: str) -> float:
    return float(rig_of(who).leg_length / 0.9)


def wall(who: str, distance: float) -> Union:
    size = leg_share(who)
    return Union(Flat(), Block((-FAR, -distance * size - 2.0, -0.5), (FAR, -distance * size, 4.0 * size)))


def towards(angle: float, until: float = FAR, jump: float = FAR) -> Callable[[float], Pad]:
    """So many degrees to the left of straight on, until then; jumping at a time."""
    x, y = sin(radians(angle)), -cos(radians(angle))
    return lambda t: Pad(x, y, jump=jump <= t < jump + 0.2) if t < until else Pad()


def places(run: Run, k: int, *, knees: bool = False) -> dict[Point, np.ndarray]:
    """Heel, ball and tip of each foot's toes, and its knee, world."""
    posed, found = Posed(run.character, run.frames[k]), {}
    for leg in run.character.rig.legs:
        sole = leg.sole
        found[leg.role, "heel"] = posed.carried(sole.heel_bone, sole.heel)
        found[leg.role, "ball"] = posed.carried(sole.ball_bone, sole.ball)
        found[leg.role, "toe"] = posed.carried(sole.ball_bone, sole.toe)
        if knees:
            found[leg.role, "knee"] = posed.carried(leg.bones[1], leg.joints[1])
    return found


def deepest(run: Run, distance: float, *, knees: bool = False) -> float:
    """How far anything of a leg gets into a wall, metres for a 0.9 m leg."""
    ahead = [p[1] for k in range(0, len(run.frames), 2) for p in places(run, k, knees=knees).values()]
    return -distance - min(ahead) / run.size


def slid(run: Run) -> float:
    """How far the end on which a planted foot stands moves while it does, metres for a 0.9 m leg."""
    worst, stands = 0.0, {}
    for k, memory in enumerate(run.memories):
        found = places(run, k)
        for leg, foot in zip(run.character.rig.legs, memory.gait.feet, strict=True):
            end = (leg.role, "ball" if foot.pitch >= 0.0 else "heel")
            if not foot.planted:
                stands = {known: place for known, place in stands.items() if known[0] != leg.role}
                continue
            other = (leg.role, "heel" if end[1] == "ball" else "ball")
            stands.pop(other, None)
            first = stands.setdefault(end, found[end])
            worst = max(worst, float(np.linalg.norm((found[end] - first)[:2])))
    return worst / run.size


@pytest.mark.parametrize(("who", "angle"), [("dog", 25.0), ("dog", 0.0), ("person", 40.0), ("person", 0.0)])
def test_no_foot_goes_into_a_wall_that_its_body_walks_up_to_or_along(who: str, angle: float):
    run = fly(who, wall(who, 1.5), towards(angle), 3.0, 2.0)
    assert deepest(run, 1.5) < CLOSE


def test_a_dog_that_stops_beside_a_wall_stands_still_with_its_feet_before_it():
    run = fly("dog", wall("dog", 1.5), towards(25.0, until=2.0), 4.0, 1.4)
    assert not run.memories[-1].gait.stepping
    assert deepest(run, 1.5) < CLOSE


@pytest.mark.parametrize(("who", "angle"), [("person", 30.0), ("dog", 50.0)])
def test_feet_of_a_body_that_slides_along_a_wall_are_on_both_sides_of_it(who: str, angle: float):
    run = fly(who, wall(who, 1.5), towards(angle), 4.0, 3.0)
    ahead = []
    for memory in run.memories[len(run.memories) // 2 :]:
        (vx, vy, _), (x, y, _, _) = memory.travel.velocity, memory.travel.place
        for foot in memory.gait.feet:
            ahead.append(((foot.ball[0] - x) * vx + (foot.ball[1] - y) * vy) / hypot(vx, vy) / run.size)
    assert abs(np.mean(ahead)) < 0.1


@pytest.mark.parametrize(("who", "speed", "distance"), [("person", 3.5, 3.5), ("dog", 3.5, 2.5), ("dog", 1.4, 1.5)])
def test_in_a_jump_at_a_wall_feet_and_knees_stay_before_it(who: str, speed: float, distance: float):
    run = fly(who, wall(who, distance), towards(0.0, jump=0.9), 2.2, speed)
    assert deepest(run, distance, knees=True) < CLOSE


@pytest.mark.parametrize("who", ["person", "dog"])
@pytest.mark.parametrize("riser", [0.17, 0.4])
def test_up_stairs_no_sole_is_inside_of_a_step(who: str, riser: float):
    size, tread, start = leg_share(who), 0.45, 1.2
    stairs = Stairs(riser * size, tread * size, count=4, start=start * size)
    run = fly(who, stairs, towards(0.0), 4.5, 1.4)
    for k in range(0, len(run.frames), 2):
        for _, y, z in places(run, k).values():
            ahead = -y / size - start
            # What is before a riser by less than this is not in it.
            steps = min(4, max(0, int((ahead - CLOSE) // tread) + 1))
            assert z / size > steps * riser - CLOSE


@pytest.mark.parametrize("riser", [0.3, 0.5])
def test_on_top_of_steep_stairs_it_stands_as_high_as_its_capsule(riser: float):
    run = fly("person", Stairs(riser, 0.45, count=4, start=1.2), towards(0.0), 5.0, 1.4)
    memory = run.memories[-1]
    assert memory.capsule is not None
    assert memory.capsule.feet[2] == pytest.approx(4 * riser, abs=1e-3)
    assert memory.travel.place.z == pytest.approx(4 * riser, abs=0.01)


@pytest.mark.parametrize("angle", [48.0, 55.0])
def test_a_body_that_is_stopped_when_it_slides_down_a_steep_slope_lands_on_feet_that_it_reaches(angle: float):
    run = fly("person", Ramp(radians(angle), start=1.5, length=2.0), towards(0.0, jump=0.3), 2.2, 3.0)
    assert slid(run) < SLIDES


def test_a_dog_that_stops_at_an_edge_does_not_stand_on_what_is_out_of_its_reach_behind():
    size, slope = leg_share("dog"), tan(radians(48.0))
    foot = -(1.0 + 0.6 * slope) * size
    ledge = Extruded([(-FAR, 0.0, size, 0.0), (size, -size, 1.6 * size, foot), (1.6 * size, foot, FAR, foot)])
    run = fly("dog", ledge, towards(0.0, until=0.9), 2.0, 1.4)
    assert slid(run) < SLIDES
