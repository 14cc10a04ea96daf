"""The feet of a posed rig, as the layer that puts them on the ground sees them: where their soles and joints are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..ik.posed import PosedLimb
from ..rig.edited_pose import EditedPose
from ..rig.pose import Landing
from ..rig.rig import Leg, Rig

# Of what a leg of three segments and more can stretch beyond its rest, so much is used: it never looks like a stick.
USED_STRETCH = 0.6


@dataclass(frozen=True, slots=True)
class FootParts:
    """What of a leg is measured once: metres. `reach` is the farthest that its tip may be from its hip, `length`
    that of all of its segments.
    """

    leg: Leg
    limb: PosedLimb
    reach: float
    length: float

    @classmethod
    def of(cls, rig: Rig, leg: Leg) -> FootParts:
        """The parts of one leg."""
        chain = leg.chain
        total = length = sum((b - a).length for a, b in zip(chain, chain[1:], strict=False))
        if len(chain) > 3:
            rest = (chain[-1] - chain[0]).length
            total = rest + USED_STRETCH * (total - rest)
        return cls(leg, PosedLimb.of_leg(rig, leg), total, length)

    @property
    def lies(self) -> bool:
        """Whether there is a foot that can be laid along the ground."""
        return self.leg.foot >= 0 and (self.leg.sole.ball - self.leg.sole.heel).length > 0.0


class PosedFoot(NamedTuple):
    """One foot as posed, model space: its sole's ends, the leg's tip and hip, and how far apart those two are.

    `turn` is the foot bone's rotation, None for a point foot; `toes` those of the toes, which hang on the foot at
    `roll`: about there the heel is lifted.
    """

    heel: Vector
    ball: Vector
    tip: Vector
    hip: Vector
    own: float
    roll: Vector
    turn: Quaternion | None
    toes: tuple[Quaternion, ...]

    @classmethod
    def read(cls, pose: EditedPose, parts: FootParts) -> PosedFoot:
        """One foot of a pose."""
        leg = parts.leg
        joints = parts.limb.joints(pose)
        heel = pose.moved(leg.sole.heel_bone) @ leg.sole.heel
        ball = pose.moved(leg.sole.ball_bone) @ leg.sole.ball
        turn = pose.turn(leg.foot) if leg.foot >= 0 else None
        toes = tuple(pose.turn(i) for i in leg.toes)
        roll = pose.head(leg.toes[0]) if leg.toes else ball
        return cls(heel, ball, joints[-1], joints[0], (joints[-1] - joints[0]).length, roll, turn, toes)

    def lifted(self, height: float) -> PosedFoot:
        """The same foot so much higher, hip and all."""
        up = Vector((0.0, 0.0, height))
        heel, ball, tip, hip, roll = (place + up for place in (self.heel, self.ball, self.tip, self.hip, self.roll))
        return self._replace(heel=heel, ball=ball, tip=tip, hip=hip, roll=roll)

    def end(self, *, on_heel: bool) -> Vector:
        """The heel or the ball."""
        return self.heel if on_heel else self.ball


Placed = tuple[PosedFoot, Matrix]
"""A foot as posed, and where its model space then stands in the world."""


def landing_of(time: float, touches: Placed, lies: Placed, leaves: Placed) -> Landing:
    """Where a foot comes down in `time` seconds: as it touches, as all of its sole is down, and as its heel leaves."""
    (foot, at), (later, there), (last, gone) = touches, lies, leaves
    heel, ball, tip, hip = ((at @ place).to_tuple() for place in (foot.heel, foot.ball, foot.tip, foot.hip))
    down = (there @ later.heel).to_tuple(), (there @ later.ball).to_tuple()
    return Landing(time, heel, ball, down, tip, hip, ((gone @ last.tip).to_tuple(), (gone @ last.hip).to_tuple()))
