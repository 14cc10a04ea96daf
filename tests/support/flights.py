"""Bodies with a shape that jump, fall, land and crouch in tests, each run once: memories and poses at 60 a second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from mathutils import Quaternion, Vector
from surefoot.core.character import Character, CharacterConfig, Memory, world_matrix
from surefoot.core.control.intent import Inputs, Pad, Place
from surefoot.core.control.movement import MovementConfig
from surefoot.core.gait.config import GaitConfig
from surefoot.core.rig.pose import Pose, PoseFrame
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.extruded import Flat, Stairs
from surefoot.core.world.world import World

from .grid import rig_of

FPS = 60
AHEAD = -1.0
WALKS, RUNS = 1.4, 3.5


@dataclass(frozen=True)
class Run:
    """What a body did. Times and lengths of a scene are for a 0.9 m leg, and scaled to the body's."""

    character: Character
    world: World
    memories: tuple[Memory, ...]
    frames: tuple[PoseFrame, ...]

    @property
    def size(self) -> float:
        """The leg's length as a share of 0.9 m."""
        return self.character.rig.leg_length / 0.9

    @property
    def took_off(self) -> int:
        """The first frame in the air."""
        return [memory.travel.aloft for memory in self.memories].index(True)

    @property
    def landed(self) -> int:
        """The first frame on the ground after that."""
        return self.took_off + [memory.travel.aloft for memory in self.memories[self.took_off :]].index(False)

    def after(self, seconds: float, since: int) -> int:
        """The frame so many seconds (of a 0.9 m leg) after another."""
        return since + round(seconds * sqrt(self.size) * FPS)

    def pose(self, k: int) -> Posed:
        """Where the bones are at a frame."""
        return Posed(self.character, self.frames[k])


class Posed:
    """The bones of one frame in the world."""

    def __init__(self, character: Character, frame: PoseFrame) -> None:
        self.bones = character.rig.skeleton.bones
        self.index = character.rig.skeleton.index
        self.frame = frame
        self.pose = Pose(character.rig.skeleton)
        for i, turn in enumerate(frame.rotations):
            self.pose.rotations[i] = Quaternion(turn)
        for i, place in enumerate(frame.locations):
            if any(place):
                self.pose.locations[i] = Vector(place)
        self.world = world_matrix(frame.ground)

    def head(self, name: str) -> np.ndarray:
        """A bone's head, world."""
        return np.array((self.world @ self.pose.model(self.index[name])).translation)

    def seen(self, name: str) -> np.ndarray:
        """A bone's head as the body sees it: x to its left, y behind it, z up from the ground under it."""
        return np.array(self.pose.model(self.index[name]).translation)

    def carried(self, bone: int, place: Vector) -> np.ndarray:
        """Where a place of the rest pose is that moves with a bone, world."""
        return np.array(self.world @ (self.pose.model(bone) @ self.bones[bone].rest.inverted() @ place))

    def turned(self, name: str) -> Quaternion:
        """How a bone is turned from rest, model space."""
        i = self.index[name]
        return (self.pose.model(i) @ self.bones[i].rest.inverted()).to_quaternion()


def fly(
    who: str,
    world: World,
    pads: Callable[[float], Pad],
    seconds: float,
    speed: float = WALKS,
    fps: int = FPS,
    **config: object,
) -> Run:
    """Run a driven body; `pads` has what is pressed at a time of a 0.9 m leg."""
    rig = rig_of(who)
    size = rig.leg_length / 0.9
    character = Character(rig, CharacterConfig(body="CAPSULE", director="INPUT", **config))
    inputs, count = Inputs(speed * sqrt(size), pad=pads(0.0)), ticks_per_frame(fps)
    memory = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs, world)
    memories, frames = [], []
    for k in range(round(seconds * sqrt(size) * fps)):
        inputs = Inputs(speed * sqrt(size), pad=pads(k / fps / sqrt(size)))
        for _ in range(count):
            character.tick(memory, inputs, world, 1.0 / fps / count)
        memories.append(memory.copy())
        frames.append(character.frame(memory, inputs, world, 1.0 / fps))
    return Run(character, world, tuple(memories), tuple(frames))


@lru_cache
def jump(who: str, speed: float = 0.0, steps: GaitConfig = GaitConfig()) -> Run:  # noqa: B008
    """A jump on level ground, from standing or from a run of 0.8 s."""
    start = 0.8 if speed else 0.2

    def pads(time: float) -> Pad:
        return Pad(0.0, AHEAD if speed else 0.0, jump=start <= time < start + 0.2)

    return fly(who, Flat(), pads, start + 1.8, speed or WALKS, steps=steps)


@lru_cache
def drop(
    who: str,
    height: float,
    speed: float = WALKS,
    movement: MovementConfig = MovementConfig(),  # noqa: B008
    steps: GaitConfig = GaitConfig(),  # noqa: B008
) -> Run:
    """A body that goes off a ledge of so many metres for a 0.9 m leg."""
    size = rig_of(who).leg_length / 0.9
    ledge = Stairs(-height * size, 400.0, count=1, start=1.0 * size)
    return fly(who, ledge, lambda _: Pad(0.0, AHEAD), 3.0, speed, movement=movement, steps=steps)


@lru_cache
def crouch(who: str, speed: float = 0.0) -> Run:
    """A body that crouches from 0.3 to 1.6 s, standing or on its way."""
    return fly(who, Flat(), lambda t: Pad(0.0, AHEAD if speed else 0.0, crouch=0.3 <= t < 1.6), 2.6, speed or WALKS)
