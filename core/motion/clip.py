"""A sampled clip: how each bone of an understood rig moved, whoever or whatever animated it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from mathutils import Vector

from ..rig.rig import Arm, Leg, Rig


def by_bone(frames: int, bones: int) -> np.ndarray:
    """An empty array for a clip's motion, (F, bones, 4, 4), in which the frames of one bone lie side by side in memory:
    most of what is asked of a clip is asked of one bone at all frames.
    """
    return np.empty((bones, frames, 4, 4)).transpose(1, 0, 2, 3)


@dataclass(frozen=True)
class Clip:
    """F frames of a rig, one after the other.

    moved: (F, bones, 4, 4), the rigid motion of each bone from the rest pose in model space to the world, metres; its
    rotation is the identity for a bone that faces -Y as it does at rest.
    """

    rig: Rig
    fps: float
    moved: np.ndarray

    def __len__(self) -> int:
        """How many frames there are."""
        return len(self.moved)

    def place(self, bone: int, point: Vector) -> np.ndarray:
        """Where a point of the rest pose (model space) is while it hangs on a bone, (F, 3)."""
        motion, (x, y, z) = self.moved[:, bone, :3], (float(value) for value in point)
        right, back, up, origin = motion.transpose(2, 1, 0)
        places = np.empty((3, len(motion)))
        np.multiply(right, x, out=places)
        places += back * y
        places += up * z
        places += origin
        return places.T

    def rotation(self, bone: int) -> np.ndarray:
        """A bone's turn from its rest pose, (F, 3, 3)."""
        return np.asarray(self.moved[:, bone, :3, :3])

    def heel(self, leg: Leg) -> np.ndarray:
        """The heel's places, (F, 3)."""
        return self.place(leg.sole.heel_bone, leg.sole.heel)

    def ball(self, leg: Leg) -> np.ndarray:
        """The ball's places, (F, 3)."""
        return self.place(leg.sole.ball_bone, leg.sole.ball)

    def joints(self, leg: Leg) -> np.ndarray:
        """The leg's joints from hip to tip, (F, J, 3)."""
        carriers = (*leg.bones, leg.bones[-1])
        places = np.empty((len(carriers), 3, len(self)))
        for own, i, joint in zip(places, carriers, leg.joints, strict=True):
            own[:] = self.place(i, joint).T
        return places.transpose(2, 0, 1)

    def arm_joints(self, arm: Arm) -> np.ndarray:
        """Shoulder, elbow and so on to the far end of the arm's last bone, (F, J, 3)."""
        bones = self.rig.skeleton.bones
        places = [self.place(i, bones[i].head) for i in arm.bones]
        return np.stack([*places, self.place(arm.bones[-1], bones[arm.bones[-1]].tail)], axis=1)

    def body(self) -> np.ndarray:
        """The place of the bone that carries all legs, (F, 3)."""
        return self.place(self.rig.body, self.rig.skeleton.bones[self.rig.body].head)
