"""A neck that can hold a head where it is wanted: how far it reaches, and how it folds to get there."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..ik.fold import FoldRest
from ..rig.pose import Pose
from ..rig.rig import Rig

X = Vector((1.0, 0.0, 0.0))
# A neck is stretched and folded to these shares of its length, and laid back behind its root by the last one.
LONGEST, SHORTEST, LAID_BACK = 0.96, 0.5, 0.15


class NeckReach(NamedTuple):
    """How far ahead of its place at rest a neck can hold the head, and how far behind it, metres."""

    ahead: float
    behind: float


@dataclass(frozen=True, slots=True)
class Neck:
    """A neck that can hold a head: its bones, the head, how it folds, and where it begins and ends at rest.

    `root` is the place of its first joint in the space of the bone that carries it.
    """

    bones: tuple[int, ...]
    head: int
    carrier: int
    root: Vector
    begin: Vector
    end: Vector
    fold: FoldRest
    turns: tuple[Quaternion, ...]

    @classmethod
    def of(cls, rig: Rig) -> Neck | None:
        """The neck of a rig on two legs, from two bones on; None where there is none, or nothing carries it."""
        if len(rig.legs) != 2 or len(rig.neck) < 2 or rig.head < 0:
            return None
        bones = rig.skeleton.bones
        carrier = bones[rig.neck[0]].parent
        if carrier < 0:
            return None
        joints = [bones[i].head for i in (*rig.neck, rig.head)]
        return cls(
            rig.neck,
            rig.head,
            carrier,
            bones[carrier].rest.inverted() @ joints[0],
            joints[0].copy(),
            joints[-1].copy(),
            FoldRest.from_rest(joints, -X),
            tuple(bones[i].rest.to_quaternion() for i in (*rig.neck, rig.head)),
        )

    def reach(self) -> NeckReach:
        """How far the head may go ahead and back at the height that it has at rest."""
        line, length = self.end - self.begin, sum(segment.length for segment in self.fold.segments)
        far = sqrt(max((LONGEST * length) ** 2 - line.x**2 - line.z**2, 0.0))
        near = sqrt(max((SHORTEST * length) ** 2 - line.x**2 - line.z**2, 0.0))
        back = near if near > 0.0 else -LAID_BACK * length
        return NeckReach(max(far + line.y, 0.0), max(-line.y - back, 0.0))

    def pose(self, pose: Pose, goal: Vector, look: Quaternion) -> None:
        """Bring the head's joint to a goal and turn the head; both in model space."""
        line = goal - pose.model(self.carrier) @ self.root
        fold = self.fold.fold(line.length)
        swing = self.fold.end(fold).rotation_difference(line)
        for bone, turn, rest in zip(self.bones, self.fold.turns(fold), self.turns, strict=False):
            pose.set_turn(bone, swing @ turn @ rest)
        pose.set_turn(self.head, look @ self.turns[-1])
