"""Characters that reach for things while they stand or walk, and what is measured of hand, elbow and shoulder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import cos, sin
from typing import Any

import numpy as np
from mathutils import Quaternion, Vector
from surefoot.core.character import Character, CharacterConfig
from surefoot.core.control.intent import Inputs, LayerInput, Place, Spot
from surefoot.core.ik.elbow import elbow_angle
from surefoot.core.ik.palm import Touch
from surefoot.core.ik.posed import PosedLimb
from surefoot.core.layers.layer import LayerSettings
from surefoot.core.layers.reach import ReachConfig, suited_limb
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Arm, Leg, Rig
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.solids import Flat

HERE = Place(0.0, 0.0, 0.0, 0.0)


@dataclass
class Reached:
    """Per frame: the pose with layers and the one without, where it stands, the wish, and what the layer says."""

    rig: Rig
    config: ReachConfig
    fps: float
    poses: list[EditedPose] = field(default_factory=list)
    bases: list[EditedPose] = field(default_factory=list)
    grounds: list[Ground] = field(default_factory=list)
    wishes: list[LayerInput] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    holds: list[float] = field(default_factory=list)

    @property
    def limb(self) -> Arm | Leg:
        """The arm or the leg that reaches."""
        name = self.config.limb or suited_limb(self.rig)
        if name.startswith("hand"):
            return next(arm for arm in self.rig.arms if arm.side == name[-1])
        return self.rig.leg(name.replace("foot", "leg"))

    @property
    def touch(self) -> Touch:
        """What of it touches."""
        limb = self.limb
        make = Touch.of_foot if isinstance(limb, Leg) else Touch.of_hand
        return make(self.rig, limb, self.config.grip)

    def touching(self, poses: list[EditedPose] | None = None) -> np.ndarray:
        """Where the skin that touches is, offset included, in the world (frames, 3), in double precision."""
        touch = self.touch
        point = touch.point + touch.normal * self.config.offset
        bone = touch.bone if touch.bone >= 0 else self.limb.bones[-1]
        rows = [pose.model(bone) @ point for pose in poses or self.poses]
        return np.array([in_world(ground, row) for ground, row in zip(self.grounds, rows, strict=True)])

    def targets(self) -> np.ndarray:
        """Where the target is, in the world (frames, 3)."""
        return np.array([wish.spot[:3] for wish in self.wishes])

    def errors(self) -> np.ndarray:
        """How far the skin is from the target (metres)."""
        return np.linalg.norm(self.touching() - self.targets(), axis=-1)

    def joints(self) -> list[list[Vector]]:
        """The arm's joints, model space: shoulder, elbow, wrist."""
        limb = PosedLimb.of_arm(self.rig, self.limb)
        return [limb.joints(pose) for pose in self.poses]

    def lines(self) -> list[list[Vector]]:
        """Shoulder, elbow, and what is brought to the target: the palm, or the wrist of a hand that matches."""
        touch, rows = self.touch, self.joints()
        if self.config.match > 0.0:
            return rows
        point = touch.point + touch.normal * self.config.offset
        return [[*row[:2], pose.model(touch.bone) @ point] for row, pose in zip(rows, self.poses, strict=True)]

    def elbows(self) -> np.ndarray:
        """The elbow's angles (degrees)."""
        arm = self.limb
        top = arm.shoulder if arm.shoulder >= 0 else arm.bones[0]
        chest = self.rig.skeleton.bones[top].parent
        side = -1.0 if arm.side == "R" else 1.0
        angles = [
            elbow_angle(joints, pose.moved(chest).to_quaternion(), side)
            for joints, pose in zip(self.lines(), self.poses, strict=True)
        ]
        return np.degrees(np.array(angles, dtype=float))

    def turned(self, bone: str) -> np.ndarray:
        """How far a bone's own rotation is from that of the pose without the layer (degrees)."""
        i = self.rig.skeleton.index[bone]
        pairs = zip(self.poses, self.bases, strict=True)
        return np.degrees([rotation_between(pose.rotations[i], base.rotations[i]) for pose, base in pairs])


def reach(
    rig: Rig,
    config: ReachConfig,
    wish: Callable[[float, Ground], LayerInput],
    seconds: float = 2.0,
    fps: float = 24.0,
    speed: float = 0.0,
    place: Place = HERE,
    first_dt: float = 0.0,
) -> Reached:
    """Walk and reach; `wish` says what the layer is told at a time, where the body is known."""
    character = Character(rig, CharacterConfig(layers=(LayerSettings("REACH", config),)))
    ticks, world = ticks_per_frame(fps), Flat()
    memory = character.start(place, Inputs(speed=speed), world)
    result = Reached(rig, config, fps)
    for n in range(round(seconds * fps) + 1):
        for _ in range(ticks if n else 0):
            character.tick(memory, Inputs(speed=speed), world, 1.0 / fps / ticks)
        base = character.pose(memory)
        said = wish(n / fps, base.ground)
        inputs = Inputs(speed=speed, layers=(said,))
        frame = character.frame(memory, inputs, world, 1.0 / fps if n else first_dt)
        result.poses.append(EditedPose.of_frame(rig.skeleton, frame))
        result.bases.append(EditedPose.of_frame(rig.skeleton, base))
        result.grounds.append(base.ground)
        result.wishes.append(said)
        result.reasons.append(memory.layers[0].reason)
        result.holds.append(memory.layers[0].hold)
    return result


def stand_and_reach(rig: Rig, config: ReachConfig, spot: Any, weight: float = 1.0) -> Reached:
    """One frame of standing, with a target that was always there; `spot` is a place in the body's space, or a Spot."""
    target = spot if isinstance(spot, Spot) else Spot(*spot)
    return reach(rig, config, lambda _t, _g: LayerInput(weight, True, target), 0.0)


def in_world(ground: Ground, place: Vector) -> tuple[float, float, float]:
    """A place of the body's space in the world."""
    c, s = cos(ground.heading), sin(ground.heading)
    x, y, z = place
    return ground.x + c * x - s * y, ground.y + s * x + c * y, ground.z + z


def spot_at(ground: Ground, place: tuple[float, float, float], turn: Quaternion | None = None) -> Spot:
    """A spot that goes with the body."""
    turned = Quaternion((0.0, 0.0, 1.0), ground.heading) @ (turn or Quaternion())
    return Spot(*in_world(ground, Vector(place)), tuple(turned))


def rotation_between(a: Quaternion, b: Quaternion) -> float:
    """The angle between two rotations (radians)."""
    turn = a.inverted() @ b
    return 2.0 * float(np.arctan2(Vector((turn.x, turn.y, turn.z)).length, abs(turn.w)))
