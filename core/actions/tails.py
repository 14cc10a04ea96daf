"""Tails of a body that goes down: they lie on the ground where they would hang through it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from mathutils import Quaternion, Vector

from ..ik.swing import aim
from ..rig.edited_pose import EditedPose

X = Vector((1.0, 0.0, 0.0))
BACK = Vector((0.0, 1.0, 0.0))
LAID_BACK = 0.28
"""A bone that hangs plumb points so far back of a body that is down, radians against the one before it."""


def keep_tails_up(pose: EditedPose, tails: Sequence[Sequence[int]], ground: float, down: float) -> None:
    """Turn each bone of a tail whose end is below a height (model space) until it lies there, its own way level.

    `down`, from 0 to 1, is how far the body has gone down: by then what hangs points back, so that it lies down behind
    the body and never turns over from one frame to the next.
    """
    for tail in tails:
        for bone in tail:
            root, end = pose.head(bone), pose.tail(bone)
            length = (end - root).length
            if length <= 0.0:
                continue
            hangs = max(0.0, (root.z - end.z) / length)
            pose.turn_by(bone, Quaternion(X, LAID_BACK * down * hangs))
            line = pose.tail(bone) - root
            if root.z + line.z >= ground:
                continue
            drop = max(-1.0, min(1.0, (ground - root.z) / length))
            level = Vector((line.x, line.y, 0.0))
            level = level.normalized() if level.length > 1e-3 * length else BACK
            wanted = sqrt(max(0.0, 1.0 - drop * drop)) * level + Vector((0.0, 0.0, drop))
            pose.turn_by(bone, aim(line / length, wanted, X))
