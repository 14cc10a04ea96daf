"""A rig brought into a key pose: by roles, from a body that stands straight with its limbs hanging, whatever its rest.

All angles are told from that: an arm is raised ahead (180 is straight up) after it was taken out to its side, a thigh
likewise; elbows and knees bend as they do. Every rig with arms and legs takes the same pose from the same key.
"""

from __future__ import annotations

from dataclasses import dataclass

from mathutils import Matrix, Quaternion, Vector

from ..ik.palm import Touch
from ..ik.posed import PosedLimb, bring_tip
from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN
from ..rig.rig import Arm, Leg, Rig
from .moves_keys import KeyPose

X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))
DOWN, FORWARD = Vector((0.0, 0.0, -1.0)), Vector((0.0, -1.0, 0.0))
# A leg of more segments than two is stretched to this share of its length where the key's leg is straight.
STRETCHED = 0.97


@dataclass(frozen=True, slots=True)
class HungLimb:
    """An arm or a leg. `hangs` turns each of its bones from rest to hanging straight down, model space; `carrier` is
    what it hangs on (-1: nothing), `end` its hand or foot (-1: none), `tips` are the toes.
    """

    side: str
    bones: tuple[int, ...]
    hangs: tuple[Quaternion, ...]
    carrier: int
    end: int
    end_hang: Quaternion
    tips: tuple[int, ...] = ()
    shoulder: int = -1
    limb: PosedLimb | None = None

    @property
    def turned(self) -> tuple[int, ...]:
        """The bones that are turned."""
        return tuple(i for i in (self.shoulder, *self.bones, self.end, *self.tips) if i >= 0)


class BodyOfKeys:
    """One rig as key poses see it. Immutable."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.size = rig.leg_length
        self.arms = tuple(_arm(rig, arm) for arm in rig.arms if len(arm.bones) > 1 and arm.side != "M")
        self.legs = tuple(_leg(rig, leg) for leg in rig.legs if leg.side != "M")
        hips = [leg.hip for leg in rig.legs]
        self.centre = sum(hips, Vector()) / len(hips) if hips else Vector()
        self.uncentre = Matrix.Translation(-self.centre)
        self.spine = tuple(i for i in rig.spine if i != rig.body)
        self.neck = (*rig.neck, *((rig.head,) if rig.head >= 0 and rig.head not in rig.neck else ()))
        self.rests = tuple(bone.rest.to_quaternion() for bone in rig.skeleton.bones)

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bones that are turned, and those that are moved."""
        turned = {self.rig.body, *self.spine, *self.neck}
        for limb in (*self.arms, *self.legs):
            turned.update(limb.turned)
        moved = {self.rig.body, *(leg.foot for leg in self.rig.legs if leg.detached)}
        return tuple(sorted(turned)), tuple(sorted(moved))

    def pose(self, pose: EditedPose, key: KeyPose) -> None:
        """Bring all of the body into a key pose, model space over the feet."""
        body, trunk, head = key["body"], key["trunk"], key["head"]
        turn = Quaternion(Z, body["yaw"]) @ Quaternion(X, body["pitch"]) @ Quaternion(Y, body["roll"])
        at = Vector((body["side"], -body["ahead"], body["up"])) * self.size
        at.z += self.rig.floor
        at.y += self.centre.y
        move = Matrix.Translation(at) @ turn.to_matrix().to_4x4() @ self.uncentre
        pose.set_model(self.rig.body, move @ self.rig.skeleton.bones[self.rig.body].rest)
        chest = turn @ _bent(trunk["bend"], trunk["tilt"], trunk["twist"])
        self._along(pose, self.spine, turn, chest)
        above = chest if self.spine else turn
        self._along(pose, self.neck, above, above @ _bent(head["nod"], head["tilt"], head["turn"]))
        for limb in self.arms:
            self._arm(pose, limb, key[f"arm_{limb.side}"])
        for limb in self.legs:
            self._leg(pose, limb, key[f"leg_{limb.side}"])

    def _along(self, pose: EditedPose, bones: tuple[int, ...], first: Quaternion, last: Quaternion) -> None:
        """Turn a chain from the turn that its parent has to another one, spread over its bones."""
        between = first.inverted() @ last
        for rank, i in enumerate(bones, start=1):
            pose.set_turn(i, first @ NO_TURN.slerp(between, rank / len(bones)) @ self.rests[i])

    def _carrier(self, pose: EditedPose, limb: HungLimb) -> Quaternion:
        return pose.moved(limb.carrier).to_quaternion() if limb.carrier >= 0 else Quaternion()

    def _arm(self, pose: EditedPose, limb: HungLimb, key: dict[str, float]) -> None:
        side = 1.0 if limb.side == "L" else -1.0
        carrier = self._carrier(pose, limb)
        if limb.shoulder >= 0:
            pose.set_turn(limb.shoulder, carrier @ Quaternion(Y, -side * key["shrug"]) @ self.rests[limb.shoulder])
        upper = carrier @ _hung(side, key["raise"], key["out"]) @ Quaternion(Z, -side * key["turn"])
        fore = upper @ Quaternion(X, -key["elbow"])
        for i, hang, turn in zip(limb.bones, limb.hangs, (upper, *[fore] * len(limb.bones)), strict=False):
            pose.set_turn(i, turn @ hang @ self.rests[i])
        if limb.end >= 0:
            pose.set_turn(limb.end, fore @ Quaternion(X, -key["wrist"]) @ limb.end_hang @ self.rests[limb.end])

    def _leg(self, pose: EditedPose, limb: HungLimb, key: dict[str, float]) -> None:
        side = 1.0 if limb.side == "L" else -1.0
        upper = self._carrier(pose, limb) @ _hung(side, key["raise"], key["out"]) @ Quaternion(Z, side * key["turn"])
        lower = upper @ Quaternion(X, key["knee"])
        if len(limb.bones) == 2:
            for i, hang, turn in zip(limb.bones, limb.hangs, (upper, lower), strict=True):
                pose.set_turn(i, turn @ hang @ self.rests[i])
        else:
            self._fold(pose, limb, upper, lower)
        foot = lower @ Quaternion(X, key["foot"])
        if limb.end >= 0:
            self._foot(pose, limb, foot @ self.rests[limb.end])
        for i in limb.tips:
            pose.set_turn(i, foot @ Quaternion(X, key["toe"]) @ self.rests[i])

    def _fold(self, pose: EditedPose, limb: HungLimb, upper: Quaternion, lower: Quaternion) -> None:
        """A leg of any other number of segments: its end where that of a leg of two halves would be."""
        if limb.limb is None:
            return
        first = upper @ limb.hangs[0] @ self.rests[limb.bones[0]]
        pose.set_turn(limb.bones[0], first)
        for i in limb.bones[1:]:
            pose.set_basis(i, NO_TURN)
        joints = limb.limb.joints(pose)
        length = sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))
        way = (upper @ DOWN + lower @ DOWN) * (0.5 * STRETCHED * length)
        bring_tip(pose, limb.limb, joints[0] + way)

    def _foot(self, pose: EditedPose, limb: HungLimb, turn: Quaternion) -> None:
        leg = next(leg for leg in self.rig.legs if leg.foot == limb.end)
        if not leg.detached or limb.limb is None:
            pose.set_turn(limb.end, turn)
            return
        matrix = turn.to_matrix().to_4x4()
        arm = turn @ self.rests[limb.end].inverted() @ (self.rig.skeleton.bones[limb.end].head - leg.tip)
        matrix.translation = limb.limb.tip_of(pose) + arm
        pose.set_model(limb.end, matrix)


def _hung(side: float, ahead: float, out: float) -> Quaternion:
    """A hanging limb taken out to its side, then raised ahead."""
    return Quaternion(X, -ahead) @ Quaternion(Y, -side * out)


def _bent(bend: float, tilt: float, twist: float) -> Quaternion:
    """A trunk or head that is turned to its left, bent ahead and tipped to its left."""
    return Quaternion(Z, twist) @ Quaternion(X, bend) @ Quaternion(Y, tilt)


def _hangs(joints: list[Vector]) -> tuple[Quaternion, ...]:
    """What turns each segment from rest to straight down: each by the least turn after that of the one above."""
    found, turn = [], Quaternion()
    for a, b in zip(joints, joints[1:], strict=False):
        along = turn @ (b - a)
        turn = (along.normalized().rotation_difference(DOWN) if along.length > 0.0 else Quaternion()) @ turn
        found.append(turn)
    return tuple(found)


def _arm(rig: Rig, arm: Arm) -> HungLimb:
    bones = rig.skeleton.bones
    joints = [bones[i].head for i in arm.bones]
    joints.append(bones[arm.hand].head if arm.hand >= 0 else bones[arm.bones[-1]].tail)
    hangs = _hangs(joints)
    shoulder = arm.shoulder if arm.shoulder in set(rig.skeleton.ancestors(arm.bones[0])) else -1
    carrier = bones[shoulder if shoulder >= 0 else arm.bones[0]].parent
    end_hang = Quaternion()
    if arm.hand >= 0:
        # Where the fingers point is told by the hand's touch: the hand's own bone may lie anyhow.
        fingers = bones[arm.hand].rest.to_quaternion() @ Touch.of_hand(rig, arm, 0.5).lying.inverted() @ FORWARD
        end_hang = (hangs[-1] @ fingers).rotation_difference(DOWN) @ hangs[-1]
    limb = PosedLimb.of_arm(rig, arm)
    return HungLimb(arm.side, arm.bones, hangs, carrier, arm.hand, end_hang, (), shoulder, limb)


def _leg(rig: Rig, leg: Leg) -> HungLimb:
    hangs = _hangs(list(leg.joints))
    carrier = rig.skeleton.bones[leg.bones[0]].parent
    limb = PosedLimb.of_leg(rig, leg)
    return HungLimb(leg.side, leg.bones, hangs, carrier, leg.foot, Quaternion(), leg.toes, -1, limb)
