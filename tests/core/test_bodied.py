"""A character with a shape in a level: stopped, lifted, falling and landing, its feet with it."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest
from support.grid import rig_of
from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.intent import Inputs, Pad, PathLine, Place
from surefoot.core.control.path import path_line
from surefoot.core.rig.pose import PoseFrame
from surefoot.core.tick import IN_THE_WAY, ticks_per_frame
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat, Stairs
from surefoot.core.world.rooms import Block
from surefoot.core.world.world import World

HERE = Place(0.0, 0.0, 0.0, 0.0)
WALL = Union(Flat(), Block((-3.0, -4.0, -1.0), (3.0, -3.0, 3.0)))
WHO = ("person", "dog", "spider")


def run(
    who: str, world: World, seconds: float, director: str = "AHEAD", fps: int = 24, speed: float = 1.4, pads=None,
    path: PathLine | None = None,
) -> tuple[Character, list[Memory], list[PoseFrame]]:  # fmt: skip
    character = Character(rig_of(who), CharacterConfig(body="CAPSULE", director=director))
    inputs = Inputs(speed, path=path)
    memory, count = character.start(HERE, inputs, world), ticks_per_frame(fps)
    memories, frames = [memory.copy()], [character.frame(memory, inputs, world, 0.0)]
    for number in range(round(seconds * fps)):
        if pads is not None:
            inputs = Inputs(speed, pad=pads(number / fps))
        for _ in range(count):
            character.tick(memory, inputs, world, 1.0 / fps / count)
        memories.append(memory.copy())
        frames.append(character.frame(memory, inputs, world, 1.0 / fps))
    return character, memories, frames


@pytest.mark.parametrize("who", WHO)
def test_a_wall_stops_it_and_it_stands_facing_it_with_its_feet_on_its_own_side(who: str):
    _, memories, _ = run(who, WALL, 6.0, speed=1.0)
    last = memories[-1]
    assert last.travel.velocity == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    assert last.travel.place.heading == pytest.approx(0.0, abs=1e-6)
    assert last.reason == IN_THE_WAY
    assert not last.gait.stepping
    for memory in memories:
        # On the whole way there no ball is ever put into the wall.
        assert min(foot.ball[1] for foot in memory.gait.feet) > -3.0


def test_without_a_wall_it_walks_as_a_point_does():
    rig, inputs, world = rig_of("person"), Inputs(1.4), Flat()
    places = []
    for body in ("POINT", "CAPSULE"):
        character = Character(rig, CharacterConfig(body=body))
        memory = character.start(HERE, inputs, world)
        for _ in range(200):
            character.tick(memory, inputs, world, 1.0 / 60.0)
        places.append((*memory.travel.place, *(x for foot in memory.gait.feet for x in foot.ball)))
    assert places[0] == pytest.approx(places[1], abs=1e-4)


def test_walking_off_a_ledge_it_falls_lands_gives_way_and_walks_on():
    _, memories, _ = run("person", Stairs(-1.5, 30.0, count=1, start=2.0), 5.0, fps=60)
    aloft = [memory.travel.aloft for memory in memories]
    first, last = aloft.index(True), len(aloft) - 1 - aloft[::-1].index(True)
    assert all(aloft[first : last + 1])
    events = [event for memory in memories for event, _ in memory.gait.events]
    assert events.count("TAKE_OFF") == events.count("LAND") == 1
    landed = memories[last + 1 :]
    deepest = max(memory.gait.body.squat for memory in landed)
    # It fell about 1.2 m: 6.5 m/s into the ground.
    assert 0.15 < deepest < 0.4
    assert landed[-1].gait.body.squat == pytest.approx(0.0, abs=0.01)
    assert hypot(*landed[-1].travel.velocity) == pytest.approx(1.4, abs=1e-3)
    assert landed[-1].travel.place.z == pytest.approx(-1.5, abs=1e-3)


def test_the_harder_it_comes_down_the_further_it_gives_way_but_never_below_its_legs():
    deepest = []
    for drop in (0.8, 1.5, 3.0, 30.0, 60.0):
        _, memories, _ = run("person", Stairs(-drop, 60.0, count=1, start=1.0), 5.0, fps=120)
        deepest.append(max(memory.gait.body.squat for memory in memories))
    assert deepest[0] < deepest[1] < deepest[2] < deepest[3]
    assert deepest[3] == pytest.approx(deepest[4], abs=1e-3)
    assert deepest[-1] < 0.55 * rig_of("person").leg_length


def test_no_joint_of_its_pose_jumps_as_it_leaves_the_ground_or_lands():
    _, memories, frames = run("person", Stairs(-1.5, 30.0, count=1, start=2.0), 4.0, fps=60)
    feet = np.array([[foot.ball for foot in memory.gait.feet] for memory in memories])
    body = np.array([[*memory.travel.place[:3]] for memory in memories])
    steps = np.linalg.norm(np.diff(feet - body[:, None], axis=0), axis=-1)
    walking = [k for k, memory in enumerate(memories[1:]) if not memory.travel.aloft and not memories[k].travel.aloft]
    edges = [k for k in range(len(steps)) if memories[k].travel.aloft != memories[k + 1].travel.aloft]
    assert len(edges) == 2
    assert len(frames) == len(memories)
    assert steps[edges].max() < 1.5 * steps[walking].max()


def test_along_a_path_through_a_wall_it_waits_at_the_wall():
    line = path_line(tuple((0.0, -0.5 * k, 0.0) for k in range(20)), closed=False)
    _, memories, _ = run("person", WALL, 6.0, director="PATH", path=line)
    assert memories[-1].travel.place.y > -3.0
    assert all(not memory.travel.jumped for memory in memories)


def test_driven_by_keys_it_jumps_once_a_press_and_comes_down_where_it_should():
    _, memories, _ = run("person", Flat(), 3.0, "INPUT", 60, pads=lambda t: Pad(0.0, -1.0, jump=0.95 < t < 2.5))
    heights = [memory.travel.place.z for memory in memories]
    # 8 m/s and 18 m/s2: 1.78 m up, for a leg of 0.9 m.
    leg = rig_of("person").leg_length
    assert max(heights) == pytest.approx(64.0 / 36.0 * leg / 0.9, rel=0.01)
    assert sum(event == "TAKE_OFF" for memory in memories for event, _ in memory.gait.events) == 1


def test_crouched_it_is_lower_and_slower_and_fits_under_what_it_would_hit():
    tunnel = Union(Flat(), Block((-3.0, -6.0, 1.2), (3.0, -2.0, 3.0)))
    _, upright, _ = run("person", tunnel, 8.0, "INPUT", pads=lambda _: Pad(0.0, -1.0))
    _, memories, _ = run("person", tunnel, 8.0, "INPUT", pads=lambda _: Pad(0.0, -1.0, crouch=True))
    assert upright[-1].travel.place.y > -2.0
    assert memories[-1].travel.place.y < -4.0
    assert memories[48].gait.body.squat > 0.25
    assert hypot(*memories[48].travel.velocity) == pytest.approx(0.7, abs=1e-3)


@pytest.mark.parametrize("who", WHO)
def test_two_runs_are_equal_to_the_bit_and_a_copy_goes_on_as_its_original(who: str):
    world, config = Union(WALL, Stairs(0.2, 0.4, count=3, start=1.0)), CharacterConfig(body="CAPSULE")
    character, inputs = Character(rig_of(who), config), Inputs(1.0)
    one, other = (character.start(HERE, inputs, world) for _ in range(2))
    for number in range(150):
        character.tick(one, inputs, world, 1.0 / 60.0)
        character.tick(other, inputs, world, 1.0 / 60.0)
        if number == 70:
            other = other.copy()
    assert one == other
