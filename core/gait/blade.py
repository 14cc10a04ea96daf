"""A shoulder blade that travels with its front leg: it carries the leg's hip forward with the foot, and back.

The planner counts on it as the pose does: a foot reaches further for it, and a hip is where the blade has it.
"""

from __future__ import annotations

from math import atan2, cos, sin, sqrt
from typing import NamedTuple

from mathutils import Vector

from ..rig.rig import Rig
from .spine import Spine

# A blade turns by this share of its leg's swing, no further than this (radians). In dogs much of a front leg's swing is
# the blade's (Fischer and Lilje 2011).
SHARE, MOST = 0.4, 0.26


class Blade(NamedTuple):
    """A blade at rest: the bone (-1 where there is no rig), the leg's hip seen from the blade's pivot (y and z, metres)
    and how far ahead of the hip the foot stands (radians).
    """

    bone: int
    arm: tuple[float, float]
    ahead: float

    def turn(self, hip: Vector, ball: Vector) -> float:
        """How far it is turned about the axis to the left when a foot is at `ball` and its hip, unturned, at `hip`."""
        swung = SHARE * (atan2(hip.y - ball.y, hip.z - ball.z) - self.ahead) / MOST
        return -MOST * swung / sqrt(1.0 + swung * swung)

    def shift(self, turn: float) -> Vector:
        """How far a turn moves the hip."""
        (y, z), c, s = self.arm, cos(turn), sin(turn)
        return Vector((0.0, y * c - z * s - y, y * s + z * c - z))


def blade_of(rig: Rig, leg: int) -> Blade | None:
    """The blade of a leg of a rig on four legs: a bone of its own between a front leg and the chest; None without."""
    spine, bones = Spine.of(rig), rig.skeleton.bones
    at = rig.legs[leg]
    bone = bones[at.bones[0]].parent
    if spine is None or at.order != 0 or bone < 0 or bones[bone].parent != spine.bones[-1]:
        return None
    arm, hip, ball = at.hip - bones[bone].head, at.hip, at.sole.ball
    return Blade(bone, (arm.y, arm.z), atan2(hip.y - ball.y, hip.z - ball.z))
