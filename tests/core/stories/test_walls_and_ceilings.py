"""Insects and spiders that are asked to walk on walls: over floor, wall and ceiling in one go, and over edges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import acos, degrees, hypot

import numpy as np
import pytest
from mathutils import Quaternion, Vector
from support.grid import rig_of
from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.control.path import path_line
from surefoot.core.gait.posing import PoseReport
from surefoot.core.rig.pose import PoseFrame, model_matrices
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.solids import Box, Empty, Flat, Hills, Pipe, Union
from surefoot.core.world.world import World

FPS = 24
WALLS = CharacterConfig(surfaces="WALLS")
ROOM = Box((-2.0, -2.0, 0.0), (2.0, 2.0, 3.0))
BLOCK = Box((-1.0, -1.0, -2.0), (1.0, 1.0, 0.0))
ONCE_AROUND_ROOM, ONCE_AROUND_BLOCK = 14.0, 8.0
GAP, SLIDE, EXTENSION = 0.005, 0.0005, 0.995

Frame = tuple[PoseFrame, PoseReport, Memory]


@dataclass
class Crawl:
    """A walk on surfaces: per frame the soles and the body, and what was told."""

    who: str
    world: World
    frames: list[Frame]

    def soles(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the balls of all soles are (F, feet, 3), by the pose alone, and which are down by plan."""
        rig = rig_of(self.who)
        places, down = [], []
        for frame, _, _ in self.frames:
            matrices, put = model_matrices(rig.skeleton, frame), placing(frame)
            row = []
            for leg in rig.legs:
                rest = rig.skeleton.bones[leg.sole.ball_bone].rest
                row.append(put(matrices[leg.sole.ball_bone] @ (rest.inverted() @ leg.sole.ball)))
            places.append(row)
            down.append([foot.planted for foot in frame.feet])
        return np.array(places), np.array(down)

    def farthest_off(self) -> float:
        """How far a sole that is down is from the nearest surface at most."""
        places, down = self.soles()
        return max(self.world.nearest(Vector(place), 9.0).distance for place in places[down])

    def slide(self) -> float:
        """How far a sole goes from one frame to the next while it is down, at most."""
        places, down = self.soles()
        return float(np.linalg.norm(np.diff(places, axis=0), axis=2)[down[1:] & down[:-1]].max())

    def extension(self) -> float:
        return max(max(report.extensions) for _, report, _ in self.frames)

    def ups(self) -> list[Vector]:
        """The body's own up."""
        return [
            Quaternion(frame.ground.tilt or (1.0, 0.0, 0.0, 0.0)) @ Vector((0.0, 0.0, 1.0))
            for frame, _, _ in self.frames
        ]

    def bodies(self) -> list[np.ndarray]:
        """The middle of the body bone."""
        rig = rig_of(self.who)
        half = Vector((0.0, 0.5 * rig.skeleton.bones[rig.body].length, 0.0))
        return [placing(f)(model_matrices(rig.skeleton, f)[rig.body] @ half) for f, _, _ in self.frames]

    def nearest_body(self) -> float:
        """How near the body's middle comes to any surface."""
        return min(self.world.nearest(Vector(place), 9.0).distance for place in self.bodies())

    def faces(self) -> list[str]:
        """The axes that the body's up is along, in order, each once in a row: floor +z, then the wall's."""
        found: list[str] = []
        for up in self.ups():
            axis = max(range(3), key=lambda k: abs(up[k]))
            if abs(up[axis]) > 0.99:
                name = ("+" if up[axis] > 0.0 else "-") + "xyz"[axis]
                if not found or found[-1] != name:
                    found.append(name)
        return found


def placing(frame: PoseFrame) -> Callable[[Vector], np.ndarray]:
    """From model space to the world."""
    ground = frame.ground
    turn = Quaternion(ground.tilt or (1.0, 0.0, 0.0, 0.0)) @ Quaternion((0.0, 0.0, 1.0), ground.heading)
    origin = np.array(ground[:3])
    return lambda point: origin + np.array(turn @ point)


def crawled(
    who: str,
    world: World,
    seconds: float,
    speed: float = 0.5,
    place: Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    config: CharacterConfig = WALLS,
    inputs: Callable[[float], Inputs] | None = None,
) -> Crawl:
    character = Character(rig_of(who), config)
    ticks = ticks_per_frame(FPS)
    said = inputs or (lambda _time: Inputs(speed=speed))
    memory = character.start(Place(*place), said(0.0), world)
    frames = []
    for n in range(round(seconds * FPS) + 1):
        if n:
            for k in range(ticks):
                character.tick(memory, said((n - 1 + (k + 1) / ticks) / FPS), world, 1.0 / FPS / ticks)
        frames.append((*character.pose_and_report(memory), memory.copy()))
    return Crawl(who, world, frames)


@lru_cache
def around_room(who: str) -> Crawl:
    return crawled(who, ROOM, ONCE_AROUND_ROOM / 0.6 + 1.0, 0.6)


@lru_cache
def around_block(who: str) -> Crawl:
    return crawled(who, BLOCK, ONCE_AROUND_BLOCK / 0.6 + 1.0, 0.6)


WHO = ("spider", "hexapod", "dog")


@pytest.mark.parametrize("who", WHO)
def test_floor_wall_ceiling_and_back_are_walked_in_one_go(who: str):
    assert around_room(who).faces() == ["+z", "+y", "-z", "-y", "+z"]


@pytest.mark.parametrize("who", WHO)
def test_a_block_is_walked_around_over_its_outer_edges(who: str):
    assert around_block(who).faces() == ["+z", "-y", "-z", "+y", "+z"]


@pytest.mark.parametrize("walk", [around_room, around_block])
@pytest.mark.parametrize("who", WHO)
def test_feet_that_are_down_stand_on_the_surface_and_do_not_slide(who: str, walk: Callable[[str], Crawl]):
    found = walk(who)
    assert found.farthest_off() <= GAP
    assert found.slide() <= SLIDE
    assert found.extension() <= EXTENSION


@pytest.mark.parametrize("walk", [around_room, around_block])
@pytest.mark.parametrize("who", WHO)
def test_the_body_keeps_off_the_surface_in_corners_and_over_edges(who: str, walk: Callable[[str], Crawl]):
    hips = rig_of(who).leg_length
    assert walk(who).nearest_body() >= 0.45 * hips


@pytest.mark.parametrize("walk", [around_room, around_block])
def test_the_body_turns_evenly_over_a_corner(walk: Callable[[str], Crawl]):
    ups = walk("spider").ups()
    turns = [degrees(acos(min(1.0, a.dot(b)))) for a, b in zip(ups, ups[1:], strict=False)]
    assert max(turns) <= 4.0


def test_the_speed_along_the_surfaces_is_the_speed_that_was_asked():
    places = [memory.travel.place for _, _, memory in around_room("spider").frames]
    last, before = places[-1], places[-1 - 10 * FPS]
    assert hypot(last.x - before.x, last.y - before.y) == pytest.approx(6.0, rel=1e-6)


@pytest.mark.parametrize("heading", [0.3, 1.2])
def test_an_inner_corner_that_is_met_aslant_is_climbed(heading: float):
    found = crawled("spider", ROOM, 14.0, place=(0.0, 0.0, 0.0, heading))
    assert len(found.faces()) >= 2
    assert found.farthest_off() <= GAP


def test_a_round_pipe_is_walked_round_inside():
    found = crawled("spider", Pipe(1.5), 19.5)
    assert min(up.z for up in found.ups()) < -0.99
    assert found.ups()[-1].z > 0.9
    assert found.farthest_off() <= GAP
    assert found.slide() <= SLIDE


def test_from_hills_onto_a_wall():
    world = Union(Hills(0.15, 3.0), Box((-3.0, -3.0, -2.0), (3.0, 3.0, 3.0)))
    found = crawled("spider", world, 10.0, place=(0.0, 0.0, 0.2, 0.0))
    assert found.ups()[-1].y > 0.99
    assert found.farthest_off() <= GAP
    assert found.slide() <= SLIDE


def test_a_walk_on_walls_gives_the_same_numbers_each_time_and_from_a_copy():
    first, again = (crawled("hexapod", ROOM, 5.0) for _ in range(2))
    assert [memory for _, _, memory in first.frames] == [memory for _, _, memory in again.frames]
    character = Character(rig_of("hexapod"), WALLS)
    memory, dt = first.frames[60][2].copy(), 1.0 / FPS / ticks_per_frame(FPS)
    for _ in range(ticks_per_frame(FPS)):
        character.tick(memory, Inputs(speed=0.5), ROOM, dt)
    assert memory == first.frames[61][2]


def test_at_the_rim_of_an_open_sheet_it_stays_and_says_why():
    found = crawled("spider", Sheet(), 6.0)
    _, _, memory = found.frames[-1]
    assert "no other face goes on" in memory.reason
    assert found.bodies()[-1][1] >= -1.01
    assert found.farthest_off() <= GAP


def test_where_there_is_no_surface_at_all_it_stays_and_says_why():
    found = crawled("spider", Empty(), 1.0)
    assert "no surface in reach" in found.frames[-1][2].reason
    assert np.ptp(np.array(found.bodies()), axis=0).max() < 0.02


def test_near_a_ceiling_it_takes_hold_of_that():
    found = crawled("spider", ROOM, 2.0, place=(0.0, 0.0, 2.9, 0.0))
    assert found.ups()[0].z < -0.99
    assert found.farthest_off() <= GAP


def test_to_a_target_on_the_wall():
    target = Place(0.3, -2.0, 1.6, 0.0)
    config = CharacterConfig(surfaces="WALLS", director="TARGET")
    found = crawled("spider", ROOM, 12.0, config=config, inputs=lambda _time: Inputs(0.5, target=target))
    stop = 0.6 * rig_of("spider").leg_length / 0.9
    assert np.linalg.norm(found.bodies()[-1] - np.array(target[:3])) < stop + 0.35
    assert found.ups()[-1].y > 0.99


def test_along_a_path_over_the_floor_and_up_the_wall():
    path = path_line([(0.0, 1.0, 0.0), (0.0, -2.0, 0.0), (0.0, -2.0, 1.5)])
    config = CharacterConfig(surfaces="WALLS", director="PATH")
    found = crawled("spider", ROOM, 14.0, config=config, inputs=lambda _time: Inputs(0.5, path=path))
    assert np.linalg.norm(found.bodies()[-1] - np.array((0.0, -1.73, 1.5))) < 0.3
    assert found.frames[-1][2].reason == "The path ends here."


def test_after_a_mover_on_the_wall():
    def mover(time: float) -> Inputs:
        way = 0.4 * time
        place = (0.0, -way, 0.0, 0.0) if way < 2.0 else (0.0, -2.0, min(way - 2.0, 1.5), 0.0)
        return Inputs(mover=Place(*place))

    config = CharacterConfig(surfaces="WALLS", director="MOVER")
    found = crawled("spider", ROOM, 11.0, config=config, inputs=mover)
    assert np.linalg.norm(found.bodies()[-1] - np.array((0.0, -1.73, 1.5))) < 0.4
    assert found.farthest_off() <= GAP


def test_two_legs_stay_on_the_floor_to_the_bit_and_the_problem_is_told():
    floor, walls = (crawled("person", Flat(), 2.0, 1.4, config=CharacterConfig(surfaces=s)) for s in ("FLOOR", "WALLS"))
    for (a, _, one), (b, _, other) in zip(floor.frames, walls.frames, strict=True):
        assert a.ground == b.ground
        assert np.array_equal(a.rotations, b.rotations)
        assert one == other
    told = Character(rig_of("person"), WALLS).problems
    assert [problem.reason for problem in told] == ["Walking on walls takes at least 4 legs; this rig has 2."]


def test_on_floors_there_is_no_grip_and_no_tilt():
    found = crawled("spider", Flat(), 1.0, config=CharacterConfig())
    assert all(memory.grip is None for _, _, memory in found.frames)
    assert all(frame.ground.tilt is None for frame, _, _ in found.frames)


class Sheet(Flat):
    """A level square of 2 m that has no thickness and nothing around it."""

    def ray(self, ray):
        found = super().ray(ray)
        return found if found is not None and max(abs(found.x), abs(found.y)) <= 1.0 else None
