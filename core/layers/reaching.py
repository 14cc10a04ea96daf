"""How one arm or one leg reaches: what the layer of reaching does to a pose."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..ik.elbow import NATURAL, Trunk, elbow_angle, raised_clear, within
from ..ik.palm import Touch
from ..ik.posed import CLEAR_BEND, FAINT_BEND, PosedLimb, bring_tip
from ..ik.stretch import lean, turn_nearer
from ..ik.wrist import bent_wrist, forearm_twist
from ..rig.edited_pose import EditedPose
from ..rig.rig import Arm, Leg, Rig
from ..space.curves import share_of, smoothstep
from ..space.settings import setting
from .masks import bone_mask, nearer

# Shares of its length to which an arm is stretched before the shoulder helps (its elbow is still bent by 23 degrees),
# before the spine leans (by 14), and at most.
AT_EASE, STRETCHED, LONGEST = 0.98, 0.993, 0.998
# By such shares of the arm's length a target is farther when the shoulder, and the spine, may have turned by all of
# their limits: where a turn brings the arm hardly nearer they come in step by step all the same.
SHOULDER_WAY, LEAN_WAY = 0.08, 0.05
# An arm that is swung by a right angle gives up this share of how its elbow was held for how it is held at ease.
EASED = 0.6
# So many times it is tried how the forearm lies under a hand that is turned.
TRIES = 1


@dataclass(frozen=True, slots=True)
class ReachConfig:
    """Settings of one reaching hand or foot."""

    limb: str = setting(
        "",
        "What reaches, by its role: hand.L, hand.R, foot.L, front_foot.R; empty takes the right hand, else the "
        "foremost right foot",
    )
    match: float = setting(
        0.0,
        "How far the hand turns as the target is turned: at 1 its fingers point where the target's -Y does and its "
        "palm faces the target's -Z, as on a table; a foot lies as it stands at rest. 0 leaves both as they come",
        low=0.0,
        high=1.0,
    )
    grip: float = setting(
        0.5,
        "Where it touches: 0 is the wrist (or the heel), 1 the fingertips (or the ball of the foot)",
        low=0.0,
        high=1.0,
    )
    offset: float = setting(
        0.0,
        "How far the skin stays off the target, away from the palm or the sole: a ball's radius. Below 0 it sinks in",
        unit="m",
        low=-1.0,
        high=1.0,
    )
    elbow: float = setting(
        0.0,
        "Raises the elbow outwards, within its limits; below 0 it lowers it",
        unit="deg",
        low=-math.pi,
        high=math.pi,
    )
    elbow_low: float = setting(
        math.radians(-10.0),
        "How far the elbow may go inwards from where it hangs; a lower value lets it into the body",
        unit="deg",
        low=-math.pi,
        high=0.5 * math.pi,
    )
    elbow_high: float = setting(
        math.radians(75.0),
        "How far the elbow may be raised outwards from where it hangs; from 90 on it rises above the shoulder",
        unit="deg",
        low=0.0,
        high=math.pi,
    )
    wrist: float = setting(
        math.radians(70.0),
        "How far the wrist bends to turn the hand as the target is turned; more looks broken",
        unit="deg",
        low=0.0,
        high=math.pi,
    )
    shoulder: float = setting(
        math.radians(20.0),
        "How far the shoulder turns towards a target that the arm alone does not reach",
        unit="deg",
        low=0.0,
        high=math.radians(60.0),
    )
    lean: float = setting(
        0.5,
        "How far the spine leans towards a target that arm and shoulder do not reach: 1 is all of its limit. It takes "
        "the other arm along: a second reaching hand comes after the one that leans",
        low=0.0,
        high=1.0,
    )
    lean_limit: float = setting(
        math.radians(15.0),
        "How far the spine leans at most",
        unit="deg",
        low=0.0,
        high=math.radians(60.0),
    )
    give_up: float = setting(
        math.radians(140.0),
        "A target further round than this from ahead is let go, across the chest a third of it, and so is one that is "
        "much too far away. Half a turn never lets go",
        unit="deg",
        low=math.radians(30.0),
        high=math.pi,
    )
    ease: float = setting(
        0.15,
        "Halflife of taking hold and of letting go: it has hold after about five of them. 0 snaps",
        unit="s",
        low=0.0,
        high=2.0,
    )


Maker = Callable[[ReachConfig], "ReachingArm | ReachingLeg"]


def limbs_of(rig: Rig) -> dict[str, Maker]:
    """The limbs that can reach by the role of their ends: hand.L, foot.R, front_foot.L; and how to have them reach."""
    found: dict[str, Maker] = {}
    for arm in rig.arms:
        if arm.bones:
            side = "" if arm.side == "M" else f".{arm.side}"
            found.setdefault(f"hand{side}", partial(_arm, rig, arm))
    for leg in rig.legs:
        found.setdefault(leg.role.replace("leg", "foot"), partial(_leg, rig, leg))
    return found


@dataclass(frozen=True, slots=True)
class ReachingArm:
    """An arm as it reaches. `carrier` is the bone that the shoulder hangs on (-1: none), `spine` what leans."""

    limb: PosedLimb
    touch: Touch
    shoulder: int
    carrier: int
    spine: tuple[int, ...]
    trunk: Trunk
    manner: ReachConfig

    @property
    def turned(self) -> tuple[int, ...]:
        """The bones that it may turn."""
        helping = (self.shoulder,) if self.shoulder >= 0 else ()
        hand = (self.touch.bone,) if self.touch.bone >= 0 else ()
        return (*self.spine, *helping, *self.limb.bones, *hand)

    @property
    def moved(self) -> tuple[int, ...]:
        """The bones that it may move: none."""
        return ()

    def reach(self, pose: EditedPose, place: Vector, turn: Quaternion, share: float) -> float:
        """Bring the palm a share of the way to `place`, and turn it by a share of what `turn` asks; model space.

        Returns what is missing (metres).
        """
        i = self.touch.bone if self.touch.bone >= 0 else self.limb.bones[-1]
        own = pose.model(i) @ self._contact
        goal = own.lerp(place, share)
        whole = replace(self.limb, tip=pose.model(self.limb.bones[-1]).inverted() @ own)
        if self.manner.match <= 0.0 or self.touch.bone < 0:
            self._stretch(pose, whole, goal, share)
            self._bring(pose, whole, goal, share)
        else:
            asked = self._asked(pose, whole, goal, turn @ self.touch.lying, share)
            wrist = goal - asked @ (self._contact - self._root(pose))
            self._stretch(pose, self.limb, wrist, share)
            self._bring(pose, self.limb, wrist, share)
            self._lay(pose, asked)
        return (pose.model(i) @ self._contact - goal).length

    @property
    def _contact(self) -> Vector:
        """What touches, in its bone's axes, off the skin by the offset."""
        return self.touch.point + self.touch.normal * self.manner.offset

    def _root(self, pose: EditedPose) -> Vector:
        """The wrist in the hand's axes."""
        return pose.model(self.touch.bone).inverted() @ self.limb.tip_of(pose)

    def _bring(self, pose: EditedPose, limb: PosedLimb, goal: Vector, share: float) -> None:
        """Bring the arm's end to a goal, its elbow a share of the way from how the pose has it to within its limits.

        The elbow keeps its angle, whichever way the arm is swung: an arm that hangs can be raised over any side.
        """
        carrier = pose.moved(self.carrier) if self.carrier >= 0 else Matrix()
        turn, back = carrier.to_quaternion(), carrier.inverted()
        before = limb.joints(pose)
        bring_tip(pose, limb, goal, most=LONGEST)
        joints = limb.joints(pose)
        now = elbow_angle(joints, turn, limb.side)
        if now is None:
            return
        line, upper = (joints[-1] - joints[0]).normalized(), joints[1] - joints[0]

        def outside(at: float) -> float:
            elbow = joints[0] + Quaternion(line, limb.side * (at - now)) @ upper
            return self.trunk.outside(back @ elbow, limb.side)

        own = elbow_angle(before, turn, limb.side)
        own = now if own is None else own
        kept = share_of(_bend(before), FAINT_BEND, CLEAR_BEND) * (1.0 - EASED * smoothstep(_swung(before, joints)))
        wanted = NATURAL + math.remainder(own - NATURAL, math.tau) * kept + self.manner.elbow
        wanted = within(wanted, self.manner.elbow_low, self.manner.elbow_high)
        wanted = raised_clear(wanted, self.manner.elbow_high, outside)
        more = own + math.remainder(wanted - own, math.tau) * share - now
        if more:
            pose.turn_by(limb.bones[0], Quaternion(line, limb.side * more))

    def _stretch(self, pose: EditedPose, limb: PosedLimb, goal: Vector, share: float) -> None:
        """Bring the shoulder nearer where the arm alone is too short, then the spine; never otherwise."""
        joints = limb.joints(pose)
        total = sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))
        own = (joints[-1] - joints[0]).length
        if self.shoulder >= 0:
            pivot = pose.head(self.shoulder)
            help_of = _Helper(max(AT_EASE * total, own), SHOULDER_WAY * total, self.manner.shoulder)
            axis, angle = turn_nearer(pivot, joints[0], goal, help_of.reach)
            angle = min(angle, help_of.limit_at((goal - joints[0]).length))
            if angle > 0.0:
                pose.turn_by(self.shoulder, Quaternion(axis, angle))
        if self.spine:
            top = self.limb.bones[0]
            help_of = _Helper(max(STRETCHED * total, own), LEAN_WAY * total, self.manner.lean * self.manner.lean_limit)
            limit = share * help_of.limit_at((goal - pose.head(top)).length)
            if limit > 0.0:
                lean(pose, self.spine, top, goal, help_of.reach, limit)

    def _asked(self, pose: EditedPose, whole: PosedLimb, goal: Vector, wanted: Quaternion, share: float) -> Quaternion:
        """The hand's rotation, model space: a share of the way from how the forearm has it to what is wanted.

        How far the wrist may bend is told from the forearm, and where that is follows from how the hand lies: it is
        tried with the hand as it comes, and again with what that gave. The pose stays as it is.
        """
        held = pose.held()
        self._bring(pose, whole, goal, share)
        asked = self._wrist(pose, wanted, self.manner.match * share)
        for _ in range(TRIES):
            pose.take(held, self.limb.bones)
            self._bring(pose, self.limb, goal - asked @ (self._contact - self._root(pose)), share)
            asked = self._wrist(pose, wanted, self.manner.match * share)
        pose.take(held, self.limb.bones)
        return asked

    def _wrist(self, pose: EditedPose, wanted: Quaternion, share: float) -> Quaternion:
        """The hand's rotation as the forearm has it now, a share of the way to what is wanted and the wrist allows."""
        carried = pose.turn(self.touch.bone)
        return nearer(carried, bent_wrist(carried, wanted, self._forearm(pose), self.manner.wrist), share)

    def _lay(self, pose: EditedPose, asked: Quaternion) -> None:
        """Give the hand its rotation; the forearm turns along about itself, which leaves the wrist where it is."""
        hand = self.touch.bone
        pose.turn_by(self.limb.bones[-1], forearm_twist(pose.turn(hand), asked, self._forearm(pose)))
        pose.set_turn(hand, asked)

    def _forearm(self, pose: EditedPose) -> Vector:
        """The direction of the forearm, model space."""
        joints = self.limb.joints(pose)
        along = joints[-1] - joints[-2]
        return along.normalized() if along.length > 0.0 else Vector((0.0, 0.0, -1.0))


@dataclass(frozen=True, slots=True)
class ReachingLeg:
    """A leg as it reaches. `ankle` and `head` are where the tip and the foot's joint are in the foot's axes at rest."""

    limb: PosedLimb
    touch: Touch
    ankle: Vector
    detached: bool
    manner: ReachConfig

    @property
    def turned(self) -> tuple[int, ...]:
        """The bones that it may turn."""
        return (*self.limb.bones, *((self.touch.bone,) if self.touch.bone >= 0 else ()))

    @property
    def moved(self) -> tuple[int, ...]:
        """The bones that it may move: a foot that does not hang on its leg."""
        return (self.touch.bone,) if self.detached else ()

    def reach(self, pose: EditedPose, place: Vector, turn: Quaternion, share: float) -> float:
        """Bring the sole a share of the way to `place`; the foot keeps its rotation, or turns by a share of what `turn`
        asks; model space. Returns what is missing (metres).
        """
        foot = self.touch.bone
        if foot < 0:
            point = self.limb.tip_of(pose)
            goal = point.lerp(place + Vector((0.0, 0.0, self.manner.offset)), share)
            return bring_tip(pose, self.limb, goal).error
        contact = self.touch.point + self.touch.normal * self.manner.offset
        goal = (pose.model(foot) @ contact).lerp(place, share)
        asked = nearer(pose.turn(foot), turn @ self.touch.lying, self.manner.match * share)
        bring_tip(pose, self.limb, goal - asked @ (contact - self.ankle))
        pose.set_turn(foot, asked)
        if self.detached:
            matrix = asked.to_matrix().to_4x4()
            matrix.translation = self.limb.tip_of(pose) - asked @ self.ankle
            pose.set_model(foot, matrix)
        return (pose.model(foot) @ contact - goal).length


def _arm(rig: Rig, arm: Arm, manner: ReachConfig) -> ReachingArm:
    above = list(rig.skeleton.ancestors(arm.bones[0]))
    shoulder = arm.shoulder if arm.shoulder in above else -1
    top = shoulder if shoulder >= 0 else arm.bones[0]
    spine = bone_mask(rig, ["spine"], below=False).intersection(above) if manner.lean > 0.0 else ()
    touch = Touch.of_hand(rig, arm, manner.grip)
    carrier = rig.skeleton.bones[top].parent
    trunk = Trunk.beside(rig.skeleton.bones[arm.bones[0]].head)
    return ReachingArm(PosedLimb.of_arm(rig, arm), touch, shoulder, carrier, tuple(sorted(spine)), trunk, manner)


def _leg(rig: Rig, leg: Leg, manner: ReachConfig) -> ReachingLeg:
    touch = Touch.of_foot(rig, leg, manner.grip)
    ankle = rig.skeleton.unrest[leg.foot] @ leg.chain[-1] if leg.foot >= 0 else Vector()
    return ReachingLeg(PosedLimb.of_leg(rig, leg), touch, ankle, leg.detached and leg.foot >= 0, manner)


class _Helper(NamedTuple):
    """From which distance on something helps an arm, in which way from there its limit grows, and to what."""

    reach: float
    way: float
    limit: float

    def limit_at(self, distance: float) -> float:
        """How far it may turn for a goal at a distance."""
        return self.limit * share_of(distance, self.reach, self.reach + self.way)


def _swung(before: list[Vector], now: list[Vector]) -> float:
    """How far an arm's line was swung, as a share of a right angle."""
    return (before[-1] - before[0]).angle(now[-1] - now[0], 0.0) / (0.5 * math.pi)


def _bend(joints: list[Vector]) -> float:
    """How far the elbow is bent (radians)."""
    return (joints[1] - joints[0]).angle(joints[2] - joints[1], 0.0)
