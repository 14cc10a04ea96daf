"""Where the hands of an upright body are in an activity: on the ground beside the head, on the thighs, or ahead."""

from __future__ import annotations

from mathutils import Quaternion, Vector

from ..ik.posed import PosedLimb, bring_tip
from ..rig.edited_pose import EditedPose
from ..rig.rig import Arm, Rig
from .acting import ActMemory
from .config import ActivityConfig
from .lunge import LungeNow

# Shares of an arm: how far over the ground a wrist is whose hand lies there, how far behind the mouth, how far to the
# side; how far over the thigh, and where on it; how far ahead arms reach.
LIES, BEHIND, BESIDE, OVER, ALONG, REACHES = 0.1, 0.1, 0.4, 0.16, 0.6, 0.9


class Hands:
    """The arms of one rig. Immutable."""

    def __init__(self, rig: Rig, config: ActivityConfig) -> None:
        self.rig, self.config = rig, config
        self.arms = [arm for arm in rig.arms if len(arm.bones) == 2 and arm.side != "M"]
        self.limbs = [PosedLimb.of_arm(rig, arm) for arm in self.arms]
        bones = rig.skeleton.bones
        self.lengths = [sum(bones[i].length for i in arm.bones) for arm in self.arms]
        self.bones = {i for arm in self.arms for i in (*arm.bones, arm.hand) if i >= 0}

    def lay(self, pose: EditedPose, memory: ActMemory, lunge: LungeNow, mouth: float, ground: float) -> None:
        """Bring the hands to what they do; the lowered mouth is at `mouth` along y, its ground `ground` high."""
        down = self.config.bow.hands * min(1.0, memory.down)
        rest = self.config.rest.hands * memory.late * (1.0 - down)
        ahead = self.config.lunge.hands * lunge.ahead
        if max(down, rest, ahead) <= 0.0:
            return
        for arm, limb, length in zip(self.arms, self.limbs, self.lengths, strict=True):
            side = 1.0 if arm.side == "L" else -1.0
            to_ground = Vector((side * BESIDE * length, mouth + BEHIND * length, ground + LIES * length))
            shoulder = pose.head(arm.bones[0])
            to_front = shoulder + Vector((-side * 0.15 * length, -REACHES * length, 0.0))
            self._bring(pose, arm, limb, [
                (rest, *self._on_thigh(pose, arm, length)),
                (down, to_ground, Vector((-side * 0.3, -1.0, -0.25))),
                (ahead, to_front, Vector((0.0, -1.0, 0.15))),
            ])  # fmt: skip

    def _on_thigh(self, pose: EditedPose, arm: Arm, length: float) -> tuple[Vector, Vector]:
        """The place on the thigh of an arm's side where its wrist lies, and where its hand points there."""
        leg = next((leg for leg in self.rig.legs if leg.side == arm.side), self.rig.legs[0])
        hip, knee = pose.head(leg.bones[0]), pose.head(leg.bones[1])
        return hip + ALONG * (knee - hip) + Vector((0.0, 0.0, OVER * length)), knee - hip

    def _bring(self, pose: EditedPose, arm: Arm, limb: PosedLimb, goals: list[tuple[float, Vector, Vector]]) -> None:
        for weight, goal, points in goals:
            if weight <= 0.0:
                continue
            bring_tip(pose, limb, limb.tip_of(pose).lerp(goal, weight))
            if arm.hand >= 0:
                line = pose.tail(arm.hand) - pose.head(arm.hand)
                turn = line.normalized().rotation_difference(points.normalized())
                pose.turn_by(arm.hand, Quaternion().slerp(turn, weight))
