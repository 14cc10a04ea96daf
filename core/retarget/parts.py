"""A rig's parts as chains of joints, so that two rigs can be laid side by side: limbs, trunk, neck, tails, fingers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from mathutils import Vector

from ..rig.fingers import is_finger
from ..rig.rig import Arm, Leg, Rig


class Joint(NamedTuple):
    """A point of the rest pose (model space) that hangs on a bone."""

    bone: int
    point: tuple[float, float, float]


@dataclass(frozen=True)
class Chain:
    """Bones one after the other, and their joints: one more, the last is the end of the last bone."""

    bones: tuple[int, ...]
    joints: tuple[Joint, ...]

    @property
    def points(self) -> np.ndarray:
        """The joints at rest, (J, 3)."""
        return np.array([joint.point for joint in self.joints], dtype=np.float64)

    @property
    def shares(self) -> np.ndarray:
        """Each joint's place along the chain, 0 to 1, (J,)."""
        lengths = np.linalg.norm(np.diff(self.points, axis=0), axis=-1)
        along = np.concatenate([[0.0], np.cumsum(lengths)])
        return np.asarray(along / along[-1] if along[-1] > 0.0 else np.linspace(0.0, 1.0, len(along)))

    @property
    def middles(self) -> np.ndarray:
        """The place of each bone's middle along the chain, (bones,)."""
        return np.asarray(0.5 * (self.shares[1:] + self.shares[:-1]))

    @property
    def direction(self) -> np.ndarray:
        """From the first joint to the last at rest, a unit vector; up where they are in one place."""
        return unit_or_up(self.points[-1] - self.points[0])


def unit_or_up(vector: np.ndarray) -> np.ndarray:
    """The direction of a vector; up where it has none."""
    length = float(np.linalg.norm(vector))
    return vector / length if length > 1e-9 else np.array([0.0, 0.0, 1.0])


def mover_of(rig: Rig) -> int:
    """The bone whose location moves the body: the body itself, or what it is connected to and cannot leave."""
    i = max(rig.body, 0)
    while rig.skeleton.bones[i].connected and rig.skeleton.bones[i].parent >= 0:
        i = rig.skeleton.bones[i].parent
    return i


def carried_with_body(rig: Rig) -> list[int]:
    """The bones that go where the body goes: its mover, all below it, and feet that hang on something else."""
    mover = mover_of(rig)
    found = {mover, *rig.skeleton.below[mover]}
    for leg in rig.legs:
        if leg.detached and leg.foot >= 0:
            found |= {leg.foot, *rig.skeleton.below[leg.foot]}
    return sorted(found)


def leg_chain(leg: Leg) -> Chain:
    """A leg from hip to tip."""
    carriers = (*leg.bones, leg.bones[-1])
    return Chain(leg.bones, tuple(_joint(i, joint) for i, joint in zip(carriers, leg.joints, strict=True)))


def arm_chain(rig: Rig, arm: Arm) -> Chain:
    """An arm from shoulder joint to wrist; without a hand to the end of its last bone."""
    return _chain(rig, arm.bones, arm.hand)


def trunk_chains(source: Rig, target: Rig) -> list[tuple[str, Chain, Chain]]:
    """Spine and neck of both rigs; as one chain where either has no neck (or no spine) of its own."""
    whole = [all((rig.spine, rig.neck)) for rig in (source, target)]
    if all(whole):
        return [
            ("spine", _chain(source, source.spine, source.neck[0]), _chain(target, target.spine, target.neck[0])),
            ("neck", _chain(source, source.neck, source.head), _chain(target, target.neck, target.head)),
        ]
    both = [(*rig.spine, *rig.neck) for rig in (source, target)]
    if not all(both):
        return []
    return [("spine", _chain(source, both[0], source.head), _chain(target, both[1], target.head))]


def tail_chains(rig: Rig) -> list[Chain]:
    """Each tail."""
    return [_chain(rig, tail, -1) for tail in rig.tails]


def finger_chains(rig: Rig, arm: Arm) -> dict[str, tuple[int, ...]]:
    """The fingers of an arm's hand by their names (`thumb` to `pinky`, or `finger1` on), first bone first."""
    end = "" if arm.side == "M" else f".{arm.side}"
    index = rig.skeleton.index
    return {
        role.removesuffix(end): tuple(index[name] for name in bones)
        for role, bones in rig.roles.items()
        if role.endswith(end) and is_finger(role.removesuffix(end))
    }


def _chain(rig: Rig, bones: Sequence[int], following: int) -> Chain:
    """A chain that ends where the bone that follows it begins; -1: at its last bone's tail."""
    known = rig.skeleton.bones
    joints = [_joint(i, known[i].head) for i in bones]
    end = known[following].head if following >= 0 else known[bones[-1]].tail
    return Chain(tuple(bones), (*joints, _joint(bones[-1], end)))


def _joint(bone: int, point: Vector) -> Joint:
    return Joint(bone, (float(point.x), float(point.y), float(point.z)))
