"""Wings, and forelimbs like them: folded as at rest, spread in the air."""

from __future__ import annotations

from dataclasses import dataclass

from mathutils import Quaternion, Vector

from ..rig.pose import NO_TURN, Pose
from ..rig.rig import Arm, Rig

# Where a spread wing's first bone points, and the ones after it: out, back and up.
SHOULDER, HAND = Vector((0.86, 0.3, 0.4)), Vector((0.84, 0.52, 0.12))
# A forelimb that hangs down by more than this share of its length is no wing.
HANGS = 0.6


@dataclass(frozen=True, slots=True)
class Wing:
    """One wing. `spread` turns each of its bones from rest to where they are spread (model space)."""

    bones: tuple[int, ...]
    chest: int
    spread: tuple[Quaternion, ...]
    turns: tuple[Quaternion, ...]
    unrest: Quaternion

    @classmethod
    def measure(cls, rig: Rig, arm: Arm) -> Wing | None:
        """The wing at rest; None for a forelimb that hangs down, or that has no length."""
        bones = rig.skeleton.bones
        whole = bones[arm.bones[-1]].tail - bones[arm.bones[0]].head
        if whole.length < 1e-6 or -whole.z > HANGS * whole.length:
            return None
        side = 1.0 if arm.side == "L" else -1.0
        spread = []
        for rank, i in enumerate(arm.bones):
            x, y, z = HAND if rank else SHOULDER
            along = (bones[i].tail - bones[i].head).normalized()
            spread.append(along.rotation_difference(Vector((side * x, y, z)).normalized()))
        chest = bones[arm.bones[0]].parent
        turns = tuple(bones[i].rest.to_quaternion() for i in arm.bones)
        unrest = bones[chest].rest.to_quaternion().inverted() if chest >= 0 else NO_TURN
        return cls(arm.bones, chest, tuple(spread), turns, unrest)

    def pose(self, pose: Pose, share: float) -> None:
        """Spread the wing by a share, on a chest that is posed already."""
        carrier = pose.turn(self.chest) @ self.unrest if self.chest >= 0 else self.unrest
        for i, spread, turn in zip(self.bones, self.spread, self.turns, strict=True):
            pose.set_turn(i, carrier @ NO_TURN.slerp(spread, share) @ turn)
