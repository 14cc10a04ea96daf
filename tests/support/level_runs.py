"""A body that is driven through a level by a script, posed frame by frame: the states and the poses together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from surefoot.core.character import Character, CharacterConfig, Memory
from surefoot.core.control.intent import Inputs, Pad, Place
from surefoot.core.layers.request import NOTHING_ASKED, Request
from surefoot.core.locomotion.machine import request_of
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import PoseFrame
from surefoot.core.rig.rig import Rig
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.compound import Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rooms import Block

Corner = tuple[float, float, float]
Boxes = tuple[tuple[Corner, Corner], ...]
Script = Callable[[Memory, float], Pad]


@dataclass(frozen=True)
class Scene:
    """What is in the way of a body that begins at the origin facing -Y, how fast it goes, and what is pressed when,
    told from its memory and how far ahead it has come. `height` is that of what it begins on.
    """

    boxes: Boxes
    script: Script
    speed: float = 4.0
    seconds: float = 3.0
    height: float = 0.0


@dataclass(frozen=True)
class Acted:
    """One frame: the memory after it (a copy), what was asked of the pose, the frame, and the same as a pose."""

    time: float
    memory: Memory
    request: Request
    frame: PoseFrame
    pose: EditedPose


def act(
    rig: Rig, scene: Scene, fps: float = 60.0, config: CharacterConfig | None = None, **more: Any
) -> Iterator[Acted]:
    """All frames of a scene, its lengths for a leg of 0.9 m."""
    size = rig.leg_length / 0.9
    boxes = [Block(*(tuple(v * size for v in corner) for corner in box)) for box in scene.boxes]
    world = Union(Flat(), *boxes)
    config = config or CharacterConfig(director="INPUT", body="CAPSULE", parkour=True, **more)
    character = Character(rig, config)
    speed = scene.speed * size**0.5
    memory = character.start(Place(0.0, 0.0, scene.height * size, 0.0), Inputs(speed=speed), world)
    ticks = ticks_per_frame(fps)
    for n in range(round(scene.seconds * size**0.5 * fps) + 1):
        inputs = Inputs(speed=speed, pad=scene.script(memory, -memory.travel.place.y / size))
        for _ in range(ticks if n else 0):
            character.tick(memory, inputs, world, 1.0 / fps / ticks)
        request = NOTHING_ASKED
        if memory.state is not None and character.parkour is not None:
            request = request_of(memory.state, memory.travel, character.parkour, world)
        frame = character.frame(memory, inputs, world, 1.0 / fps if n else 0.0)
        pose = EditedPose.of_frame(rig.skeleton, frame)
        yield Acted(n / fps, memory.copy(), request, frame, pose)


def ahead(*, go_up: bool = False, **pressed: bool) -> Pad:
    """On along -Y."""
    return Pad(0.0, -1.0, go_up=go_up, **pressed)


def vaulting(height: float = 0.95, depth: float = 0.35, speed: float = 4.0) -> Scene:
    """A run at a block that is pressed away before it."""

    def script(_: Memory, y: float) -> Pad:
        return ahead(go_up=y > (3.4 if speed < 5.0 else 3.0), sprint=speed > 4.9)

    return Scene((((-2.0, -4.0 - depth, 0.0), (2.0, -4.0, height)),), script, speed, 4.0)


def climbing(height: float = 1.2, speed: float = 4.0) -> Scene:
    """A run at a platform."""

    def script(_: Memory, y: float) -> Pad:
        return ahead(go_up=3.4 - (height > 1.8) < y < 5.0, sprint=height > 1.8)

    return Scene((((-2.0, -8.0, 0.0), (2.0, -4.0, height)),), script, speed, 4.0)


def hanging(top: float = 3.7) -> Scene:
    """A jump at a high wall, a hang, a shimmy to the left, and a climb up."""
    state = {"hung": 0}

    def script(memory: Memory, y: float) -> Pad:
        if memory.state is None or memory.state.state != "HANGING":
            if state["hung"] == 0:
                return Pad(0.0, -1.0, jump=y > 1.2)
            return Pad(0.0, -1.0)
        state["hung"] += 1
        if state["hung"] < 60:
            return Pad()
        if state["hung"] < 140:
            return Pad(1.0, 0.0)
        return Pad(0.0, -1.0, go_up=state["hung"] > 150)

    return Scene((((-3.0, -6.0, 0.0), (3.0, -2.0, top)),), script, 3.0, 5.5)


def wall_running(speed: float = 6.0) -> Scene:
    """A run along a wall to the left, a jump onto it, down again."""

    def script(_: Memory, y: float) -> Pad:
        return ahead(jump=y > 3.0, sprint=True)

    return Scene((((0.55, -30.0, 0.0), (1.2, 1.0, 5.0)),), script, speed, 3.0)
