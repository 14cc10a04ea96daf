"""A character that an agent directs, on solids: told what to do over time, watched frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from mathutils import Vector
from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.intent import AgentWish, Inputs, Place
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.world.solids import Flat

from .looking import rig_of

FPS = 24


@lru_cache(maxsize=16)
def agent(name: str, body: str = "POINT") -> Character:
    """A character preset that an agent directs."""
    return Character(rig_of(name), CharacterConfig(director="AGENT", body=body))


@dataclass
class Acted:
    """What was seen: one pose a frame, with its memory's act and the travel."""

    character: Character
    poses: list[EditedPose] = field(default_factory=list)
    frames: list[Any] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    acts: list[Any] = field(default_factory=list)
    memory: Memory | None = None

    def mouth(self, frame: int = -1) -> float:
        """How high the mouth is over the body's ground, metres."""
        rig, pose = self.character.rig, self.poses[frame]
        bone = rig.head if rig.head >= 0 else rig.body
        return (pose.moved(bone) @ self.character.activities.poses.mouth).z - rig.floor

    def mouths(self) -> list[float]:
        """The same of every frame."""
        return [self.mouth(frame) for frame in range(len(self.poses))]

    def hips(self, frame: int = -1) -> list[float]:
        """How high each leg's hip is over the body's ground, metres."""
        return [self.poses[frame].head(leg.bones[0]).z - self.character.rig.floor for leg in self.character.rig.legs]

    def balls(self, frame: int = -1) -> list[Vector]:
        """Where the ball of each foot is, model space."""
        rig, pose = self.character.rig, self.poses[frame]
        return [pose.moved(leg.foot if leg.foot >= 0 else leg.bones[-1]) @ leg.sole.ball for leg in rig.legs]


def act(
    name: str,
    wish: Callable[[float], AgentWish] | AgentWish,
    seconds: float,
    world: Any = None,
    speed: float = 1.2,
    body: str = "POINT",
    place: Place = Place(0.0, 0.0, 0.0, 0.0),
    ticks: int = 1,
) -> Acted:
    """Let a character do what it is told for a time; one that stands can be seen in coarse ticks."""
    character, ground = agent(name, body), world or Flat()

    def inputs(time: float) -> Inputs:
        return Inputs(speed=speed, agent=wish(time) if callable(wish) else wish)

    seen = Acted(character)
    memory = seen.memory = character.start(place, inputs(0.0), ground)
    for number in range(round(seconds * FPS) + 1):
        for tick in range(ticks if number else 0):
            character.tick(memory, inputs((number - 1 + (tick + 1) / ticks) / FPS), ground, 1.0 / (FPS * ticks))
        frame = character.frame(memory, inputs(number / FPS), ground, 1.0 / FPS if number else 0.0)
        seen.frames.append(frame)
        seen.poses.append(EditedPose.of_frame(character.rig.skeleton, frame))
        seen.places.append(memory.travel.place)
        seen.acts.append(memory.act.copy())
    return seen


def from_to(activity: str, begin: float, end: float, **more: Any) -> Callable[[float], AgentWish]:
    """Nothing, then an activity, then nothing."""

    def wish(time: float) -> AgentWish:
        return AgentWish(activity=activity if begin <= time < end else "NONE", **more)

    return wish
