"""A character that an autopilot brings through a level, judged from its pose alone: by capsules round head, trunk and
limbs, and by what is under its feet.
"""

from __future__ import annotations

from math import dist
from typing import NamedTuple

import numpy as np
from support.mesh_judge import Judge, _segment_distances
from support.random_levels import Level
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.locomotion.autopilot import cells_for
from surefoot.core.locomotion.links import Mover
from surefoot.core.locomotion.way_search import Search
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rig import Rig
from surefoot.core.world.world import World

FPS, SPEED = 30, 2.5
SECONDS = 40.0
THICK = {"head": 0.09, "trunk": 0.10, "upper_arm": 0.04, "forearm": 0.03, "thigh": 0.06, "shin": 0.04}
"""Radii of the capsules, metres, for legs of 0.9 m."""
DEEP, UNHELD, OVER = 0.02, 0.3, 0.1
"""So deep in a wall it may be; so long level without anything under or held; that is, so far over what is under it."""
LEVEL_SPEED = 0.3
REACHED = 0.5
ALONG = 6
"""A bone that goes through a face is looked at in so many parts."""
HELD = frozenset({"VAULTING", "CLIMBING", "HANGING", "LEAPING", "WALL_RUNNING", "ROLLING", "SLIDING"})


class Verdict(NamedTuple):
    """What became of a run.

    `deep` is how deep a capsule was in something, metres, `where` which one, in which state, when; `over`: how many
    poses were deeper than they may be. `hung` is the longest time unsupported and level, seconds; `inside`: it ended in
    something. `reached`: it came to its goal, `reachable`: a search over the moves says that it can, `walkable`: so
    does one over walking alone. `moves` are its states.
    """

    deep: float
    where: str
    over: int
    hung: float
    inside: bool
    reached: bool
    reachable: bool
    walkable: bool
    seconds: float
    moves: tuple[str, ...]
    reason: str


def reachable(world: World, character: Character, goal: tuple[float, float, float], *, walks: bool = False) -> bool:
    """What a search over the moves says, with no limit."""
    assert character.autopilot is not None
    assert character.movement is not None
    pilot = character.autopilot
    cells = cells_for(character.movement, pilot.config, world)
    mover = Mover(character.movement, pilot.config, SPEED * character.control.steering.sprint_factor, reads=True)
    found = Search(cells, mover, (0.0, 0.0, 0.0), goal, 10**6, links=not walks)
    while found.state == "SEEKS":
        found.go_on(1000)
    return found.state in {"THERE", "STRAIGHT"}


def run(rig: Rig, world: World, judge: Judge, level: Level, *, poses: int = 1) -> Verdict:
    """One level; every so manieth pose is judged."""
    config = CharacterConfig(director="AUTOPILOT", body="CAPSULE", parkour=True)
    character = Character(rig, config)
    inputs = Inputs(SPEED, target=Place(*level.goal, 0.0))
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world)
    can = reachable(world, character, level.goal)
    bones, frames = _bones(rig), round(SECONDS * FPS)
    worst, where, over, hung, longest = -1.0, "", 0, 0.0, 0.0
    states: list[str] = []
    for number in range(frames):
        for _ in range(2):
            character.tick(memory, inputs, world, 0.5 / FPS)
        frame = character.frame(memory, inputs, world, 1.0 / FPS)
        state, feet = memory.state.state, memory.capsule.feet
        if not states or states[-1] != state:
            states.append(state)
        if number % poses == 0:
            deep, limb = _deepest(rig, bones, frame, judge)
            over += deep > DEEP
            if deep > worst:
                worst, where = deep, f"{limb} {state} frame {number}"
        level_now = abs(memory.capsule.velocity[2]) < LEVEL_SPEED
        held = state in HELD or not level_now or _supported(judge, feet)
        hung = 0.0 if held else hung + 1.0 / FPS
        longest = max(longest, hung)
        pilot = memory.pilot
        if number > 10 and not pilot.legs and pilot.slices == 0 and memory.capsule.state == "ON_GROUND":
            break
    near = dist(memory.capsule.feet, level.goal) <= REACHED
    x, y, z = memory.capsule.feet
    inside = judge.depth((x, y, z + 0.35), 1.3, 0.3) > DEEP or judge.is_enclosed((x, y, z + 1.0))
    walks = reachable(world, character, level.goal, walks=True)
    moves = tuple(name for name in states if name in HELD)
    return Verdict(
        worst, where, over, longest, inside, near, can, walks, number / FPS, moves, memory.pilot.ends or memory.reason
    )


def _bones(rig: Rig) -> list[tuple[str, int, float]]:
    """The bones that capsules are laid around, by name, and how thick those are."""
    size, found = rig.leg_length / 0.9, []
    for k, bone in enumerate(rig.skeleton.bones):
        stem = bone.name.split(".")[0]
        part = "trunk" if stem in {"spine", "chest"} else stem
        if part in THICK:
            found.append((bone.name, k, THICK[part] * size))
    return found


def _deepest(rig: Rig, bones: list[tuple[str, int, float]], frame, judge: Judge) -> tuple[float, str]:
    """How deep the deepest capsule is, and round which bone."""
    pose = EditedPose.of_frame(rig.skeleton, frame)
    ground = frame.ground
    c, s = np.cos(ground[3]), np.sin(ground[3])
    turn, at = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.array(ground[:3])
    ends = [(turn @ np.array(pose.head(k)) + at, turn @ np.array(pose.tail(k)) + at) for _, k, _ in bones]
    places = np.array(ends).reshape(-1, 3)
    near = judge.part(places.min(axis=0) - 0.2, places.max(axis=0) + 0.2)
    if len(near.triangles) == 0:
        return -1.0, ""
    best, name = -1.0, ""
    for (bone, _, radius), (head, tail) in zip(bones, ends, strict=True):
        off = float(_segment_distances(head, tail, near.triangles).min())
        deep = radius - off if off > 0.0 else radius + _inside(head, tail, judge, near)
        if deep > best:
            best, name = deep, bone
    return best, name


def _inside(head: np.ndarray, tail: np.ndarray, judge: Judge, near: Judge) -> float:
    """How far the deepest place of a bone that goes through a face is behind that."""
    places = [head + (tail - head) * k / ALONG for k in range(ALONG + 1)]
    inside = [place for place in places if judge.is_enclosed(tuple(place))]
    return max((float(_segment_distances(place, place, near.triangles).min()) for place in inside), default=0.0)


def _supported(judge: Judge, feet: tuple[float, float, float]) -> bool:
    """True where something is close under the body's middle or its rim."""
    x, y, z = feet
    return judge.depth((x, y, z - OVER), 1.0, 0.35) > 0.0
