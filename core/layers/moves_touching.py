"""What of a rig's limbs touches, and how a hand or a foot lies on what it touches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..ik.palm import Touch
from ..ik.posed import PosedLimb
from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN
from ..rig.rig import Leg, Rig
from ..space.vectors import cross

UP, FORWARD = Vector((0.0, 0.0, 1.0)), Vector((0.0, -1.0, 0.0))
# Where a hand and a foot touch: shares of the way from wrist to fingertips, from heel to ball.
GRIP, BALL = 0.5, 1.0
# A surface that is so upright is a floor: a foot lies on it.
FLOOR = 0.7


class Goal(NamedTuple):
    """Where a limb belongs, model space: the place of what touches, how it is turned (None: as posed), and a share.

    `draws` where the body is to come within reach of it. `bends` where a foot lies so only as far as its ankle bends.
    `hangs`: by how much the elbow is turned out for it; `pull`: by which share of its own it draws the body.
    """

    limb: str
    place: Vector
    turn: Quaternion | None
    share: float
    draws: bool = True
    bends: bool = False
    hangs: float = 0.0
    pull: float = 1.0


@dataclass(frozen=True, slots=True)
class TouchingLimb:
    """A limb and what of it touches. `root` is where the limb's end joint is in the axes of hand or foot at rest.

    `sole` are the ends of a foot's sole, each with the bone that it moves with (model space at rest); `ankle` is
    the rotation of foot or hand at rest in the axes of the limb's last segment.
    """

    limb: PosedLimb
    touch: Touch
    root: Vector
    is_hand: bool
    detached: bool
    sole: tuple[tuple[int, Vector], ...] = ()
    ankle: Quaternion = NO_TURN

    @property
    def end(self) -> int:
        """The bone that touches: hand or foot, else the limb's last segment."""
        return self.touch.bone if self.touch.bone >= 0 else self.limb.bones[-1]

    def place(self, pose: EditedPose) -> Vector:
        """Where it touches as posed, model space."""
        return pose.model(self.end) @ self.touch.point

    def joint(self, pose: EditedPose, goal: Goal) -> Vector:
        """Where the limb's end joint belongs for a goal: the whole of it, whatever its share."""
        if self.touch.bone < 0:
            return goal.place
        turn = pose.turn(self.end) if goal.turn is None else goal.turn
        return goal.place - turn @ (self.touch.point - self.root)


def touching_limbs(rig: Rig) -> dict[str, TouchingLimb]:
    """All limbs of a rig by the role of their ends: `hand.L`, `foot.R`, `front_foot.L`."""
    found = {}
    unrest = rig.skeleton.unrest
    for arm in rig.arms:
        if len(arm.bones) > 1:
            touch, limb = Touch.of_hand(rig, arm, GRIP), PosedLimb.of_arm(rig, arm)
            root = unrest[arm.hand] @ rig.skeleton.bones[arm.hand].head if arm.hand >= 0 else Vector()
            ending = "" if arm.side == "M" else f".{arm.side}"
            ankle = _on_limb(rig, arm.bones[-1], arm.hand)
            found[f"hand{ending}"] = TouchingLimb(limb, touch, root, True, False, (), ankle)
    for leg in rig.legs:
        touch, limb = _under_ball(rig, leg), PosedLimb.of_leg(rig, leg)
        root = unrest[leg.foot] @ leg.chain[-1] if leg.foot >= 0 else Vector()
        role = leg.role.replace("leg", "foot")
        toe = leg.toes[-1] if leg.toes else leg.sole.ball_bone
        sole = ((leg.sole.heel_bone, leg.sole.heel), (leg.sole.ball_bone, leg.sole.ball), (toe, leg.sole.toe))
        detached = leg.detached and leg.foot >= 0
        ankle = _on_limb(rig, leg.bones[-1], leg.foot)
        found[role] = TouchingLimb(limb, touch, root, False, detached, sole, ankle)
    return found


def _under_ball(rig: Rig, leg: Leg) -> Touch:
    """What of a foot touches: the skin under its ball, which stands on the floor at rest."""
    touch = Touch.of_foot(rig, leg, BALL)
    bone = leg.foot if leg.foot >= 0 else leg.bones[-1]
    x, y, z = rig.skeleton.bones[bone].rest @ touch.point
    return touch._replace(point=rig.skeleton.unrest[bone] @ Vector((x, y, min(z, rig.floor))))


def _on_limb(rig: Rig, last: int, end: int) -> Quaternion:
    """The rotation of hand or foot at rest in the axes of the segment before it."""
    turns = [rig.skeleton.bones[i].rest.to_quaternion() for i in (last, end)] if end >= 0 else [NO_TURN, NO_TURN]
    return turns[0].inverted() @ turns[1]


def lying(limb: TouchingLimb, pose: EditedPose, normal: Vector, along: Vector, hook: float) -> Quaternion | None:
    """How a hand or a foot is turned that lies on a surface, model space; None for as it is posed.

    `along` is where fingers or toes point (none: the way that the body faces); a hand stands up by `hook` (radians)
    from the surface, its fingers over an edge.
    """
    if not limb.is_hand and along.length == 0.0 and normal.z < FLOOR:
        return None
    ahead = along if along.length > 0.0 else FORWARD if limb.is_hand else pose.turn(limb.end) @ _toes(limb)
    normal = normal.normalized() if normal.length > 0.0 else UP
    flat = ahead - normal * ahead.dot(normal)
    if flat.length < 0.1:
        flat = UP - normal * UP.dot(normal)
    if flat.length < 0.1:
        flat = FORWARD - normal * FORWARD.dot(normal)
    flat = flat.normalized()
    turn = Matrix((cross(normal, flat), -flat, normal)).transposed().to_quaternion()
    if hook:
        turn = Quaternion(cross(flat, normal), hook) @ turn
    return turn @ limb.touch.lying


def _toes(limb: TouchingLimb) -> Vector:
    """Where the toes point in the foot's axes."""
    return limb.touch.lying.inverted() @ FORWARD
