"""Tails of a body that goes down: they lie on the ground where they would hang through it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from mathutils import Vector

from ..ik.swing import aim
from ..rig.edited_pose import EditedPose

X = Vector((1.0, 0.0, 0.0))
BACK = Vector((0.0, 1.0, 0.0))


def keep_tails_up(pose: EditedPose, tails: Sequence[Sequence[int]], ground: float) -> None:
    """Turn each bone of a tail whose end is below a height (model space) until it lies there, its own way level."""
    for tail in tails:
        for bone in tail:
            root, end = pose.head(bone), pose.tail(bone)
            line = end - root
            length = line.length
            if end.z >= ground or length <= 0.0:
                continue
            drop = max(-1.0, min(1.0, (ground - root.z) / length))
            level = Vector((line.x, line.y, 0.0))
            level = level.normalized() if level.length > 1e-3 * length else BACK
            wanted = sqrt(max(0.0, 1.0 - drop * drop)) * level + Vector((0.0, 0.0, drop))
            pose.turn_by(bone, aim(line / length, wanted, X))
