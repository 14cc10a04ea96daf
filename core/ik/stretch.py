"""How shoulder and spine help an arm that is too short: each comes nearer only as far as is missing, up to a limit."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..space.vectors import cross

# A spine that leans in several joints is turned twice: as one joint amid them, and by what that leaves.
PASSES = 2


def turn_nearer(pivot: Vector, joint: Vector, goal: Vector, reach: float) -> tuple[Vector, float]:
    """The axis (a unit vector) and the angle of the least turn about `pivot` that brings `joint` within reach.

    The goal is to be no farther than `reach` from it. The angle is 0 where that is so already, and all that there is
    between them where no turn is enough.
    """
    arm, way = joint - pivot, goal - pivot
    axis = cross(arm, way)
    size = arm.length * way.length
    if size == 0.0 or axis.length <= 1e-6 * size or (goal - joint).length <= reach:
        return Vector((1.0, 0.0, 0.0)), 0.0
    between = math.atan2(axis.length, arm.dot(way))
    cosine = (arm.length_squared + way.length_squared - reach * reach) / (2.0 * size)
    return axis.normalized(), max(0.0, between - math.acos(min(1.0, max(-1.0, cosine))))


def lean(pose: EditedPose, spine: Sequence[int], arm: int, goal: Vector, reach: float, limit: float) -> float:
    """Turn the spine so that the joint of bone `arm` comes within `reach` of `goal`, by at most `limit` radians in all.

    The turn is shared evenly by the bones of the spine, which are given from below. Returns the angle.
    """
    left = limit
    for _ in range(PASSES):
        if left <= 0.0 or not spine:
            break
        middle = sum((pose.head(i) for i in spine), Vector()) / len(spine)
        axis, angle = turn_nearer(middle, pose.head(arm), goal, reach)
        angle = min(angle, left)
        if angle <= 0.0:
            break
        for i in spine:
            pose.turn_by(i, Quaternion(axis, angle / len(spine)))
        left -= angle
    return limit - left
