"""Bodies without legs in the core alone: where each joint was in the world, frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import cos, sin

import numpy as np
from mathutils import Vector
from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.intent import Inputs, Place
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.pose import PoseFrame, model_matrices
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.world import World

from .extension import ROOT
from .rigs import rest_vertices, snake_skeleton

ORIGIN = Place(0.0, 0.0, 0.0, 0.0)


@lru_cache
def snake_rig() -> Rig:
    """Our snake with its skin, understood."""
    return understand(snake_skeleton(), read_conventions(ROOT / "presets" / "rigs"), rest_vertices("snake")).rig


@dataclass
class Crawl:
    """A finished way: per frame the joints, nose first, (frames, joints, 3), and the memory; the head's track, (t, 2),
    from the end of the tail at the start on, a place for every tick.
    """

    character: Character
    world: World
    joints: np.ndarray
    memories: list[Memory]
    frames: list[PoseFrame]
    track: np.ndarray
    fps: float

    def away(self) -> np.ndarray:
        """How far each joint behind the head is from the head's track on the ground plan, (frames, joints)."""
        starts, ways = self.track[:-1], np.diff(self.track, axis=0)
        squares = np.maximum((ways * ways).sum(axis=1), 1e-18)
        places = self.joints[:, 1:, None, :2] - starts
        shares = np.clip((places * ways).sum(axis=-1) / squares, 0.0, 1.0)
        return np.linalg.norm(places - shares[..., None] * ways, axis=-1).min(axis=-1)

    def steps(self) -> np.ndarray:
        """How far each joint goes from frame to frame, (frames - 1, joints)."""
        return np.linalg.norm(np.diff(self.joints, axis=0), axis=-1)

    def bends(self) -> np.ndarray:
        """The angle between neighbouring bones, degrees, (frames, bones - 1)."""
        bones = np.diff(self.joints, axis=1)
        bones /= np.linalg.norm(bones, axis=-1, keepdims=True)
        return np.degrees(np.arccos(np.clip((bones[:, :-1] * bones[:, 1:]).sum(axis=-1), -1.0, 1.0)))

    def over(self, solid: object, first: int = 0) -> np.ndarray:
        """How much further from the ground than at rest places along the bones are, from joint `first` on; metres."""
        rests = self.character.poser.heights
        found = []
        for joints in self.joints:
            for k in range(first, len(joints) - 1):
                for share in (0.0, 0.25, 0.5, 0.75):
                    x, y, z = joints[k] + share * (joints[k + 1] - joints[k])
                    hit = solid.nearest(Vector((x, y, z)), self.character.rig.leg_length)
                    away = hit.distance if z >= solid.height(x, y) else -hit.distance
                    found.append(away - rests[k] * (1.0 - share) - rests[k + 1] * share)
        return np.array(found)


def crawl(
    world: World,
    seconds: float = 5.0,
    speed: float = 0.6,
    fps: float = 24.0,
    config: CharacterConfig | None = None,
    inputs: Callable[[float], Inputs] | None = None,
    place: Place = ORIGIN,
    rig: Rig | None = None,
) -> Crawl:
    """Let a body without legs (our snake) go its way from lying still at `place`."""
    character = Character(rig or snake_rig(), config or CharacterConfig())
    said = inputs or (lambda _time: Inputs(speed=speed))
    ticks = ticks_per_frame(fps)
    set_time = getattr(world, "set_time", lambda _time: None)
    set_time(0.0)
    memory = character.start(place, said(0.0), world)
    track = [(mark.x, mark.y) for mark in (*memory.gait.trail, memory.gait.head)]
    joints, memories, frames = [], [], []
    for n in range(round(seconds * fps) + 1):
        for k in range(ticks if n else 0):
            time = ((n - 1) * ticks + k + 1) / fps / ticks
            set_time(time)
            character.tick(memory, said(time), world, 1.0 / fps / ticks)
            track.append((memory.gait.head.x, memory.gait.head.y))
        frames.append(character.pose(memory))
        joints.append(joints_of(character.rig, frames[-1]))
        memories.append(memory.copy())
    return Crawl(character, world, np.array(joints), memories, frames, np.array(track), fps)


def joints_of(rig: Rig, frame: PoseFrame) -> np.ndarray:
    """The joints of a pose in the world, nose first, (joints, 3)."""
    matrices, ground, body = model_matrices(rig.skeleton, frame), frame.ground, rig.long_body
    c, s = cos(ground.heading), sin(ground.heading)
    found = []
    for k, joint in enumerate(body.joints):
        i = body.bones[min(k, len(body.bones) - 1)]
        x, y, z = matrices[i] @ (rig.skeleton.bones[i].rest.inverted() @ joint)
        found.append((ground.x + c * x - s * y, ground.y + s * x + c * y, ground.z + z))
    return np.array(found)
