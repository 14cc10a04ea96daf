"""Springs driven by hand: a rig in its rest pose, or one of yours, carried along any way through the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sin

import numpy as np
from mathutils import Matrix, Quaternion, Vector
from support.extension import ROOT
from support.rigs import dog_skeleton, person_skeleton
from surefoot.core.character import world_matrix
from surefoot.core.control.intent import LayerInput
from surefoot.core.layers.layer import Moment
from surefoot.core.layers.springs import Springs
from surefoot.core.layers.springs_config import SpringsConfig
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Bone, Skeleton
from surefoot.core.rig.understand import understand

# Nothing but the swing itself.
BARE = SpringsConfig(bones="tails", drag=0.0, collide=False, ground=False)
HERE = Ground(0.0, 0.0, 0.0, 0.0)
TAIL = tuple(f"tail.{k:03d}" for k in range(1, 5))
OFF = LayerInput(on=False)


class Nowhere:
    """A world without any surface, that counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def nearest(self, _point: Vector, _distance: float) -> None:
        """Nothing."""
        self.asked += 1

    def cast_ray(self, _origin: Vector, _direction: Vector, _distance: float) -> None:
        """Nothing."""
        self.asked += 1


@lru_cache(maxsize=1)
def conventions():
    """All that ship."""
    return read_conventions(ROOT / "presets" / "rigs")


def rig_of(skeleton: Skeleton) -> Rig:
    """The skeleton, understood."""
    return understand(skeleton, conventions()).rig


def with_chain(
    skeleton: Skeleton, name: str, parent: str, start: Vector, along: Vector, lengths: tuple[float, ...]
) -> Skeleton:
    """A skeleton with one more chain: bones of these lengths one after the other, `name.000` and so on."""
    bones = list(skeleton.bones)
    turn = Vector((0.0, 1.0, 0.0)).rotation_difference(along.normalized()).to_matrix().to_4x4()
    above, place = skeleton.index[parent], start
    for k, length in enumerate(lengths):
        bones.append(Bone(f"{name}.{k:03d}", above, Matrix.Translation(place) @ turn, length))
        above, place = len(bones) - 1, place + along.normalized() * length
    return Skeleton(tuple(bones))


def moment_at(ground: Ground, dt: float, world: object | None = None, **said: object) -> Moment:
    """A frame's moment with the body there."""
    to_world = world_matrix(ground)
    return Moment(dt, ground, to_world, to_world.inverted(), world or Nowhere(), **said)


@dataclass
class Ride:
    """What became of a ride: of each frame the pose and where the body was."""

    rig: Rig
    springs: Springs
    fps: float
    poses: list[EditedPose]
    grounds: list[Ground]
    memory: object

    def lean(self, bone: str) -> np.ndarray:
        """How far a bone is turned from the rest pose, as turn vectors in the world (frames, 3)."""
        i = self.rig.skeleton.index[bone]
        rest = self.rig.skeleton.bones[i].rest.to_quaternion()
        rows = []
        for pose, ground in zip(self.poses, self.grounds, strict=True):
            turn = pose.turn(i) @ rest.inverted()
            if turn.w < 0.0:
                turn = -turn
            sine = Vector(turn[1:]).length
            scale = 2.0 * np.arctan2(sine, turn.w) / sine if sine > 1e-9 else 2.0
            rows.append(world_matrix(ground).to_quaternion() @ (Vector(turn[1:]) * scale))
        return np.array(rows)

    def tips(self, bone: str) -> np.ndarray:
        """Where the far end of a bone is in model space, frame by frame."""
        i = self.rig.skeleton.index[bone]
        return np.array([pose.tail(i) for pose in self.poses])


def ride(
    rig: Rig,
    config: object,
    fps: float,
    seconds: float,
    way: Callable[[float], Ground],
    *,
    world: object | None = None,
    wish: Callable[[float], LayerInput] = lambda _: LayerInput(),
    posed: Callable[[EditedPose, float], None] = lambda _pose, _time: None,
) -> Ride:
    """Carry a rig along `way` (a Ground for each time), its springs on."""
    springs = Springs(rig, config)
    memory = springs.start()
    poses, grounds = [], []
    for n in range(round(seconds * fps) + 1):
        time = n / fps
        pose = EditedPose.rest(rig.skeleton)
        posed(pose, time)
        ground = way(time)
        springs.apply(pose, memory, moment_at(ground, 1.0 / fps if n else 0.0, world), wish(time))
        poses.append(pose)
        grounds.append(ground)
    return Ride(rig, springs, fps, poses, grounds, memory)


def turned(pose: EditedPose, bone: str, turn: Quaternion) -> None:
    """Turn a bone by its basis."""
    i = pose.skeleton.index[bone]
    pose.set_basis(i, turn, pose.locations.get(i))


def swing_and_fade(values: np.ndarray, fps: float) -> tuple[float, float]:
    """Frequency (times a second) and halflife (s) of a free swing, by the recurrence that a damped wave obeys.

    y[n+1] = a y[n] - b y[n-1] with b = exp(-2 decay dt), a = 2 exp(-decay dt) cos(2 pi f dt), fitted by least squares.
    """
    (a, b), *_ = np.linalg.lstsq(np.stack([values[1:-1], -values[:-2]], axis=1), values[2:], rcond=None)
    decay = -0.5 * np.log(b) * fps
    frequency = np.arccos(np.clip(0.5 * a / np.sqrt(b), -1.0, 1.0)) * fps / (2.0 * np.pi)
    return float(frequency), float(np.log(2.0) / decay)


@lru_cache
def dog() -> Rig:
    """The dog, understood."""
    return rig_of(dog_skeleton())


@lru_cache
def braided() -> Rig:
    """A person with a braid of six bones that hangs behind head and back."""
    down = Vector((0.0, 0.12, -1.0))
    start = person_skeleton().bones[person_skeleton().index["head"]].tail + Vector((0.0, 0.13, -0.06))
    return rig_of(with_chain(person_skeleton(), "braid", "head", start, down, (0.09,) * 6))


def stay(_time: float) -> Ground:
    """A way that goes nowhere."""
    return HERE


def stop(at: float = 0.5, speed: float = 2.0) -> Callable[[float], Ground]:
    """Sideways at a speed, then standing still from one instant on, which is a frame at every rate."""
    return lambda time: Ground(speed * min(time, at), 0.0, 0.0, 0.0)


def sway(time: float) -> Ground:
    """To and fro, up and down and around, each in its own time."""
    return Ground(0.15 * sin(5.0 * time), 0.1 * sin(3.0 * time), 0.03 * sin(11.0 * time), 0.4 * sin(2.0 * time))


def same(one: EditedPose, other: EditedPose) -> bool:
    """The same bytes."""
    return all(tuple(a) == tuple(b) for a, b in zip(one.rotations, other.rotations, strict=True))
