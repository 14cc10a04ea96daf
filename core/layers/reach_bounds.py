"""How far round and how far away a target may be before a hand or a foot lets it go."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, hypot, pi

from mathutils import Quaternion, Vector

from ..ik.posed import PosedLimb
from ..rig.edited_pose import EditedPose
from ..space.curves import share_of
from .pursuit import AGAIN
from .reaching import ReachConfig, ReachingArm, ReachingLeg

# Across the chest an arm is kept by it: this share of the angle at which it gives up on its own side.
ACROSS = 1.0 / 3.0
# An arm folds before the chest for a target that is near, shares of its length: there it may go across by a right
# angle.
FOLDED, SPREAD = 0.6, 0.9
# In lengths of the limb from shoulder to wrist, or from hip to ankle. An arm is put out early enough for a walker to
# have hold of a thing when it comes within reach.
ARM_FARTHEST, LEG_FARTHEST = 3.2, 1.5
# A target that was too far away is taken again when it is nearer by this share.
NEARER = 0.1


@dataclass(frozen=True, slots=True)
class ReachBounds:
    """The bounds of one limb. `length` in metres, `carrier` the bone that carries an arm (-1: none)."""

    limb: PosedLimb
    carrier: int
    arm: bool
    length: float
    give_up: float

    @classmethod
    def of(cls, limb: ReachingArm | ReachingLeg, pose: EditedPose, config: ReachConfig) -> ReachBounds:
        """The bounds of a limb, whose length is that of its joints in the rest pose."""
        joints = limb.limb.joints(pose)
        length = sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))
        arm = isinstance(limb, ReachingArm)
        return cls(limb.limb, limb.carrier if isinstance(limb, ReachingArm) else -1, arm, length, config.give_up)

    def dropped(self, pose: EditedPose, place: Vector, *, before: bool) -> str:
        """Why a target (model space) is given up, as it was `before` or not; empty where it is not."""
        if self.give_up >= pi or self.length <= 0.0:
            return ""
        carried = pose.moved(self.carrier).to_quaternion() if self.carrier >= 0 else Quaternion()
        line = carried.inverted() @ (place - self.limb.joints(pose)[0])
        beyond = {"too far away": self._away(line)}
        if self.arm:
            beyond["behind the shoulder"] = Vector((0.0, -1.0, 0.0)).angle(line, 0.0) - self.give_up
            beyond["too far across the chest"] = self._across(line)
        where = max(beyond, key=beyond.__getitem__)
        return where if beyond[where] > (-AGAIN if before else 0.0) else ""

    def _away(self, line: Vector) -> float:
        """By how much a target is too far away, as an angle: what is nearer by the share for it is 15 degrees less."""
        farthest = self.length * (ARM_FARTHEST if self.arm else LEG_FARTHEST)
        return (line.length / farthest - 1.0) / NEARER * AGAIN

    def _across(self, line: Vector) -> float:
        """By how much a target is too far across the chest (radians); what is over the shoulder is reached freely."""
        ahead, up = -line.y, max(line.z, 0.0)
        ahead = hypot(ahead, up) if ahead >= 0.0 else ahead + up
        limit = self.give_up * ACROSS
        limit += (0.5 * pi - limit) * (1.0 - share_of(line.length, FOLDED * self.length, SPREAD * self.length))
        return atan2(max(-self.limb.side * line.x, 0.0), max(ahead, 0.0)) - limit
