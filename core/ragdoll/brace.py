"""Arms that go ahead of a stagger and of a fall: out for balance, and towards where the ground will come from."""

from __future__ import annotations

from math import hypot

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN
from ..rig.rig import Arm, Rig
from ..space.dampers import damp
from .catch import Plan

OUT, UP = 0.55, 0.12
"""How much of the way of its hands lies out to its own side, and up, for each part that lies ahead."""
COMES, GOES = 0.06, 0.2
"""Seconds in which arms are half there, and half back, for a leg of 0.9 m."""
ALARMED = 1.2
"""With so much speed that is to be caught (m/s, for a leg of 0.9 m) they go as far as they do."""
FLAT, FLAT_ARMS = 1e-6, 3e-3


def alarm_after(alarm: float, excess: float, tempo: float, dt: float, *, falls: bool = False) -> float:
    """How much its arms are out, 0 to 1, after a tick with so much speed that is still to be caught, m/s."""
    goal = 1.0 if falls else min(1.0, excess / (ALARMED * tempo))
    after = damp(alarm, goal, (COMES if goal > alarm else GOES) * tempo, dt)
    return after if after > FLAT_ARMS or goal > 0.0 else 0.0


class Bracing:
    """The arms of one rig. Immutable."""

    def __init__(self, rig: Rig) -> None:
        self.arms = [arm for arm in rig.arms if arm.bones]

    def lay(self, pose: EditedPose, ahead: Plan, heading: float, share: float) -> None:
        """Turn the arms a share of their way: `ahead` is where the body goes in the plan, world."""
        size = hypot(*ahead)
        if size < FLAT or share <= 0.0:
            return
        way = Quaternion((0.0, 0.0, 1.0), -heading) @ Vector((ahead[0] / size, ahead[1] / size, 0.0))
        for arm in self.arms:
            self._reach(pose, arm, way, share)

    def _reach(self, pose: EditedPose, arm: Arm, way: Vector, share: float) -> None:
        first = arm.bones[0]
        along = pose.tail(arm.bones[-1]) - pose.head(first)
        out = Vector((1.0 if arm.side == "L" else -1.0, 0.0, 0.0))
        # An arm does not go through the body to the other side.
        across = max(0.0, -way.dot(out))
        goal = way + out * (OUT + 1.2 * across) + Vector((0.0, 0.0, UP))
        if along.length < FLAT:
            return
        pose.turn_by(first, NO_TURN.slerp(along.rotation_difference(goal), share))
