"""A flinch: what is hit bends away from the blow for a moment, on top of whatever the body does. No physics.

A blow is an impulse on a critically damped spring: the bend is t / T exp(1 - t / T) of its most, T seconds after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, hypot, radians
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.rig import Rig
from ..space.rigid import Triple
from ..space.settings import setting
from ..space.vectors import cross, triple

MOST = 4
"""So many flinches are remembered; a new one takes the place of the oldest."""
OVER = 9.0
"""After so many times the seconds of its most it is over: what is left is less than a hundredth of a degree."""
TRUNK, HEAD = "trunk", "head"
WHIPS = 0.5
"""A head lags behind a trunk that is hit by this share of its bend."""
ARM_ROLES = ("arm", "shoulder", "upper_arm", "forearm", "hand")
FLAT = 1e-6


@dataclass(frozen=True, slots=True)
class FlinchConfig:
    """How a body flinches."""

    bend: float = setting(
        radians(9.0),
        "How far what is hit bends for each m/s. At 0 it takes no notice, large ones throw it about",
        unit="deg",
        low=0.0,
        high=radians(90.0),
    )
    most: float = setting(
        radians(32.0),
        "No flinch bends further, however hard the hit. Small values shrug, large ones break its back",
        unit="deg",
        low=0.0,
        high=radians(120.0),
    )
    seconds: float = setting(
        0.11,
        "So long after the hit it is bent most, for a leg of 0.9 m. Very small values twitch, large ones sway",
        unit="s",
        low=0.01,
        high=2.0,
    )
    look_seconds: float = setting(
        1.3,
        "For so long it looks at where a hit came from. At 0 it does not care, long ones stare",
        unit="s",
        low=0.0,
        high=60.0,
    )


class Flinch(NamedTuple):
    """One flinch: of what (`trunk`, `head`, or a limb's role: `arm.L`), the axis in model space times how far it bends
    at most (radians), how long ago the hit was (seconds).
    """

    part: str
    bend: Triple
    age: float = 0.0


def bends(age: float, seconds: float) -> float:
    """How much of its most a flinch bends at an age."""
    t = age / seconds
    return t * exp(1.0 - t) if t > 0.0 else 0.0


def aged(flinches: Sequence[Flinch], seconds: float, dt: float) -> tuple[Flinch, ...]:
    """All of them a tick later, without those that are over."""
    return tuple(each._replace(age=each.age + dt) for each in flinches if each.age + dt < OVER * seconds)


class Flinching:
    """The flinches of one rig. Immutable."""

    def __init__(self, rig: Rig, config: FlinchConfig, tempo: float) -> None:
        self.rig, self.config, self.seconds = rig, config, config.seconds * tempo
        neck = (*rig.neck, rig.head) if rig.head >= 0 else tuple(rig.neck)
        trunk = tuple(i for i in rig.spine if i != rig.body)
        chains = {TRUNK: trunk, HEAD: neck, **{f"arm.{arm.side}": tuple(arm.bones) for arm in rig.arms}}
        self.chains = {part: bones for part, bones in chains.items() if bones}

    def part_of(self, role: str) -> str:
        """What flinches where the body of a role is hit: limbs that bear it leave it to the trunk."""
        name, _, side = role.partition(".")
        if name in ("head", "neck") and HEAD in self.chains:
            return HEAD
        arm = f"arm.{side}"
        return arm if name in ARM_ROLES and arm in self.chains else TRUNK

    def hit(self, velocity: Triple, role: str) -> Flinch | None:
        """The flinch of a hit: `velocity` in model space, m/s. None where nothing bends that way."""
        part = self.part_of(role)
        bones = self.chains.get(part)
        speed = hypot(*velocity)
        if bones is None or speed <= 0.0:
            return None
        skeleton = self.rig.skeleton.bones
        along = (skeleton[bones[-1]].tail - skeleton[bones[0]].head).normalized()
        axis = cross(along, Vector(velocity) / speed)
        if axis.length < FLAT:
            return None
        return Flinch(part, triple(axis * min(self.config.most, self.config.bend * speed)))

    def lay(self, pose: EditedPose, flinches: Sequence[Flinch]) -> None:
        """Bend a pose by all of them: each bone of the chain by its part, a head less than the trunk below it."""
        for flinch in flinches:
            share = bends(flinch.age, self.seconds)
            self._bend(pose, flinch.part, Vector(flinch.bend) * share)
            if flinch.part == TRUNK and HEAD in self.chains:
                late = bends(flinch.age - 0.5 * self.seconds, self.seconds)
                self._bend(pose, HEAD, Vector(flinch.bend) * (-WHIPS * (2.0 * share - late)))

    def _bend(self, pose: EditedPose, part: str, bend: Vector) -> None:
        angle, bones = bend.length, self.chains[part]
        if angle < FLAT:
            return
        turn = Quaternion(bend / angle, angle / len(bones))
        for bone in bones:
            pose.turn_by(bone, turn)
