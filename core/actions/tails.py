"""Tails of a body that goes down: they lie on the ground where they would hang through it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from mathutils import Vector

from ..ik.swing import aim
from ..rig.edited_pose import EditedPose

X = Vector((1.0, 0.0, 0.0))
FORWARD, PLUMB = 0.2, 0.05
"""Shares of a bone's length: what points no further ahead counts as hanging; so much further back it lies than it hung.
"""


def keep_tails_up(pose: EditedPose, tails: Sequence[Sequence[int]], ground: float) -> None:
    """Turn each bone of a tail whose end is below a height (model space) until it lies there, its own way level, or back."""
    for tail in tails:
        for bone in tail:
            root, end = pose.head(bone), pose.tail(bone)
            line = end - root
            length = line.length
            if end.z >= ground or length <= 0.0:
                continue
            drop = max(-1.0, min(1.0, (ground - root.z) / length))
            # One that hangs plumb goes back, whichever way it swings just now.
            back = abs(line.y) if line.y > -FORWARD * length else line.y
            level = Vector((line.x, back + PLUMB * length, 0.0)).normalized()
            wanted = sqrt(max(0.0, 1.0 - drop * drop)) * level + Vector((0.0, 0.0, drop))
            pose.turn_by(bone, aim(line / length, wanted, X))
