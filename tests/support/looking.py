"""Heads that look and chains that aim, in the core alone: at rest, swaying, or on a walking character."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import cos, degrees, pi, radians, sin
from typing import Any, NamedTuple

from mathutils import Quaternion, Vector
from support import rigs
from support.layered import understood
from surefoot.core.character import Character, CharacterConfig, world_matrix
from surefoot.core.control.intent import Inputs, LayerInput, Place, Spot
from surefoot.core.ik.aim import Angles, angles_of, direction_of
from surefoot.core.layers.layer import LayerSettings, Moment
from surefoot.core.layers.look_at import LookAt, LookAtConfig
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.solids import Flat

LOOK = LookAtConfig()
UPRIGHT = Ground(0.0, 0.0, 0.0, 0.0)
Path = Callable[[float], Spot | None]
Sway = Callable[[EditedPose, float], None]


@lru_cache
def rig_of(name: str) -> Rig:
    """The rig of a character preset."""
    return understood(getattr(rigs, f"{name}_skeleton")())


def moment(dt: float, ground: Ground = UPRIGHT, **more: Any) -> Moment:
    """What a layer is told."""
    to_world = world_matrix(ground)
    return Moment(dt, ground, to_world, to_world.inverted(), Flat(), **more)


class Look(NamedTuple):
    """A head at a frame: the pose, the place it looks from, and its line of sight, world space."""

    time: float
    pose: EditedPose
    eye: Vector
    facing: Vector
    reason: str

    @property
    def angles(self) -> tuple[float, float]:
        """Yaw and pitch of the line of sight, degrees."""
        yaw, pitch = angles_of(self.facing)
        return degrees(yaw), degrees(pitch)

    def off(self, spot: Spot) -> float:
        """How far the line of sight is from a spot, degrees."""
        return degrees(self.facing.angle(Vector(spot[:3]) - self.eye, 0.0))


def eye_of(rig: Rig) -> Vector:
    """Where a rig looks from at rest."""
    layer = LookAt(rig, LOOK)
    return rig.skeleton.bones[layer.chain.bones[-1]].rest @ layer.chain.place


def seen(layer: LookAt, pose: EditedPose, time: float = 0.0, ground: Ground = UPRIGHT, reason: str = "") -> Look:
    """Where a head looks in a pose."""
    last, to_world = layer.chain.bones[-1], world_matrix(ground)
    head = to_world @ pose.model(last)
    return Look(time, pose, head @ layer.chain.place, head.to_quaternion() @ layer.chain.forward, reason)


def looks(
    rig: Rig,
    path: Path,
    seconds: float,
    fps: float = 60.0,
    config: Any = None,
    sway: Sway | None = None,
    on: Callable[[float], bool] = lambda _time: True,
) -> list[Look]:
    """A standing body whose head follows a target; `sway` moves the pose before the layer does."""
    layer = LookAt(rig, config or LOOK)
    memory, found = layer.start(), []
    for n in range(round(seconds * fps) + 1):
        pose, time = EditedPose.rest(rig.skeleton), n / fps
        if sway is not None:
            sway(pose, time)
        layer.apply(pose, memory, moment(1.0 / fps if n else 0.0), LayerInput(on=on(time), spot=path(time)))
        found.append(seen(layer, pose, time, reason=memory.reason))
    return found


def walking_looks(name: str, path: Path, seconds: float, fps: float, speed: float, config: Any = None) -> list[Look]:
    """A character that walks and looks."""
    rig = rig_of(name)
    character = Character(rig, CharacterConfig(layers=(LayerSettings("LOOK_AT", config or LOOK),)))
    layer, world = LookAt(rig, config or LOOK), Flat()

    def inputs(time: float) -> Inputs:
        return Inputs(speed=speed, layers=(LayerInput(spot=path(time)),))

    memory, ticks, found = character.start(Place(0.0, 0.0, 0.0, 0.0), inputs(0.0), world), ticks_per_frame(fps), []
    for n in range(round(seconds * fps) + 1):
        for k in range(ticks if n else 0):
            character.tick(memory, inputs((n - 1 + (k + 1) / ticks) / fps), world, 1.0 / fps / ticks)
        frame = character.frame(memory, inputs(n / fps), world, 1.0 / fps if n else 0.0)
        pose = EditedPose.of_frame(rig.skeleton, frame)
        found.append(seen(layer, pose, n / fps, frame.ground, memory.layers[0].reason))
    return found


def around(rig: Rig, radius: float, height: float, period: float, sign: float = 1.0) -> Path:
    """A target that circles the head at a height over the ground, lengths for a 0.92 m leg; it begins in front."""
    size, head = rig.leg_length / 0.92, rig.skeleton.bones[rig.head].head

    def path(time: float) -> Spot:
        angle = sign * 2.0 * pi * time / period
        return Spot(head.x + radius * size * sin(angle), head.y - radius * size * cos(angle), height * size)

    return path


def at(rig: Rig, yaw: float, pitch: float, distance: float) -> Spot:
    """A target seen from the eyes at rest under these angles (degrees), so many legs away."""
    return Spot(*(eye_of(rig) + direction_of(Angles(radians(yaw), radians(pitch))) * (distance * rig.leg_length)))


def steps(found: list[Look]) -> list[float]:
    """How far a line of sight turns from frame to frame, degrees."""
    return [degrees(a.facing.angle(b.facing, 0.0)) for a, b in zip(found, found[1:], strict=False)]


def head_sways(rig: Rig, angle: float = 0.0, swing: float = radians(20.0), rate: float = 7.0) -> Sway:
    """A clip's own head: turned to the left by `angle`, and to and fro by `swing`, about the body's upright."""

    def sway(pose: EditedPose, time: float) -> None:
        pose.turn_by(rig.head, Quaternion((0.0, 0.0, 1.0), angle + swing * sin(rate * time)))

    return sway
