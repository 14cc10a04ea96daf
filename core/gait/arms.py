"""Arms that hang and swing: from the shoulder, with an elbow that bends and a hand that trails.

Everything is a closed form of the phase of the legs, so that a frame needs no frame before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin, tau
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.pose import Pose
from ..rig.rig import Arm, Rig
from .manner import Manner

X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))
DOWN = Vector((0.0, 0.0, -1.0))
# A chain that is shorter than this share of the legs is no arm.
SHORTEST_ARM = 0.15
# A hand turns inwards from the thigh by this angle as it comes forward.
PALM_TURN = 0.35


class Held(NamedTuple):
    """How an arm is held: how much of its swing this is instead, raised forward and out (from hanging down the chest),
    and bent, radians.
    """

    weight: float
    forward: float
    out: float
    elbow: float


@dataclass(frozen=True, slots=True)
class HungArm:
    """An arm that swings. `hang` turns it from rest to straight down beside the body, `fore_hang` does it for the
    forearm (model space), and the hand goes along as it is at rest: the hand bones of many rigs do not lead to their
    fingers. `side` is 1 for the left arm, -1 for the right one.
    """

    bones: tuple[int, ...]
    chest: int
    hang: Quaternion
    fore_hang: Quaternion
    side: float
    turns: tuple[Quaternion, ...]
    unrest: Quaternion

    @classmethod
    def measure(cls, rig: Rig, arm: Arm) -> HungArm | None:
        """The arm at rest; None for one that is too short to be an arm, has no elbow, or hangs on a body that lies.

        The forelimbs of a bird or a dinosaur, ahead of its hips rather than over them, stay folded as they are.
        """
        if len(arm.bones) < 2:
            return None
        bones = rig.skeleton.bones
        above = bones[arm.bones[0]].head - sum((leg.hip for leg in rig.legs), Vector()) / len(rig.legs)
        if -above.y > above.z:
            return None
        upper, fore = bones[arm.bones[0]], bones[arm.bones[1]]
        along = fore.head - upper.head
        if along.length < SHORTEST_ARM * rig.leg_length:
            return None
        hang = along.normalized().rotation_difference(DOWN)
        fore_along = (bones[arm.hand].head if arm.hand >= 0 else fore.tail) - fore.head
        fore_hang = (hang @ fore_along.normalized()).rotation_difference(DOWN) @ hang
        driven: tuple[int, ...] = (arm.bones[0], arm.bones[1])
        if arm.hand >= 0 and bones[arm.hand].parent in driven:
            driven += (arm.hand,)
        chest = upper.parent
        return cls(
            driven,
            chest,
            hang,
            fore_hang,
            1.0 if arm.side == "L" else -1.0,
            tuple(bones[i].rest.to_quaternion() for i in driven),
            bones[chest].rest.to_quaternion().inverted() if chest >= 0 else Quaternion(),
        )

    def pose(self, pose: Pose, phase: float, manner: Manner, share: float, held: Held | None = None) -> None:
        """Swing the arm. `phase` is 0 where the left leg lands: the left arm is behind the body then. `share` is how
        much of the manner's amplitudes there is, `held` how it is held instead.
        """
        carrier = pose.turn(self.chest) @ self.unrest if self.chest >= 0 else self.unrest
        own = phase - manner.arm_lag + (0.5 if self.side > 0.0 else 0.0)
        ahead = cos(tau * own)
        forward = manner.arm_forward + manner.arm_swing * share * ahead
        bent = 0.5 + 0.5 * cos(tau * (own - manner.elbow_lag))
        elbow = max(0.0, manner.elbow + manner.elbow_swing * share * bent)
        inwards = manner.arm_across * share * (0.5 + 0.5 * ahead)
        arm_out = manner.arm_out
        if held is not None:
            forward += (held.forward - forward) * held.weight
            arm_out += (held.out - arm_out) * held.weight
            elbow += (held.elbow - elbow) * held.weight
            inwards *= 1.0 - held.weight
        out = Quaternion(Y, -self.side * arm_out)
        turn = carrier @ Quaternion(X, -forward) @ Quaternion(Z, -self.side * inwards) @ out
        pose.set_turn(self.bones[0], turn @ self.hang @ self.turns[0])
        fore = turn @ Quaternion(Z, -self.side * (PALM_TURN * bent * share)) @ Quaternion(X, -elbow)
        pose.set_turn(self.bones[1], fore @ self.fore_hang @ self.turns[1])
        if len(self.bones) > 2:
            trails = manner.wrist * share * sin(tau * (own - manner.elbow_lag) - 0.25 * pi)
            pose.set_turn(self.bones[2], fore @ Quaternion(X, trails) @ self.fore_hang @ self.turns[2])
