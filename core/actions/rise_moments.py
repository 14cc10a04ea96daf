"""The moments of a take of getting up that nobody told: until when the body lies still, and from when on it stands."""

from __future__ import annotations

import numpy as np

from ..motion.clip_pose import ClipPoses
from ..rig.rig import Rig
from .rise_points import BodyPoints, places

# A body lies still until one of its points has moved by this share of the leg; it stands from when its middle stays
# within this share of how high it ends.
STIRS, STANDS = 0.12, 0.05


def moments_of(rig: Rig, poses: ClipPoses) -> tuple[float, float]:
    """The last frame at which the body of a clip still lies, and the first from which on it stands (from 0)."""
    count = len(poses)
    heights = np.asarray(poses.heights)
    off = np.abs(heights - heights[-1]) > STANDS * max(float(heights[-1]), 1e-6)
    standing = int(np.flatnonzero(off)[-1]) + 1 if off.any() else count - 1
    compared = BodyPoints.of(rig).compared
    tracks = np.array([[tuple(place) for place in places(poses.at(float(k)), compared)] for k in range(standing + 1)])
    # The track turns and moves the pose as a whole: of a body that lies that is next to nothing.
    moved = np.linalg.norm(tracks - tracks[0], axis=2).max(axis=1) > STIRS * rig.leg_length
    lying = max(0, int(np.flatnonzero(moved)[0]) - 1) if moved.any() else 0
    return float(lying), float(max(standing, lying + 1))
