"""From planned feet and body to a pose: body first, then spine and arms, then each leg brought to its foot."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, radians, sin, tau
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import Travel
from ..ik.leg import Bend, LegRest, solve
from ..rig.pose import Footing, Ground, Pose, PoseFrame
from ..rig.rig import Arm, Leg, Rig
from ..space.angles import turn_between
from .body import BodyMotion
from .config import GaitConfig
from .foot import FootGeometry
from .frame import FrameOfBody
from .memory import FootMemory, GaitMemory
from .patterns import Pattern
from .trunk import TrunkPoser

X, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 0.0, 1.0))
FORWARD = Vector((0.0, -1.0, 0.0))
MOST_EXTENSION = 0.995
# A contact is down while the foot's roll moves that end by less than a tenth of a millimetre per 10 cm.
DOWN_PITCH = 1e-3
ELBOW, ELBOW_SWING = radians(9.0), 0.55
# Arms hang a little behind the shoulder: what comes forward in a swing is mostly the forearm.
HANG_BACK = radians(3.0)
HANG_OUT = radians(9.0)


class PoseReport(NamedTuple):
    """What the pose could not do this frame: leg extensions, and the legs whose goal was out of reach."""

    extensions: tuple[float, ...]
    clamped: tuple[str, ...]


class Poser:
    """Poses one rig. Immutable; built once from what set-up understood."""

    def __init__(self, rig: Rig, config: GaitConfig, body: BodyMotion) -> None:
        self.rig = rig
        self.config = config
        self.body = body
        self.rests = [LegRest.from_rest(leg.chain, FORWARD, _bend(rig, leg)) for leg in rig.legs]
        self.feet = [FootGeometry(leg) for leg in body.shape.legs]
        self.arms = [HungArm.measure(rig, arm) for arm in rig.arms] if len(rig.legs) == 2 else []
        self.lift = Vector((0.0, 0.0, rig.floor))
        # The body turns about the middle of its hips: there, and back from there.
        self.centre = body.centre + self.lift
        self.uncentre = Matrix.Translation(-self.centre)
        self.spine = self._spine()
        self.trunk = TrunkPoser(rig) if len(rig.legs) == 4 else None
        self.neck = rig.neck or ((rig.head,) if rig.head >= 0 else ())
        bones = rig.skeleton.bones
        self.rest_turns = [bone.rest.to_quaternion() for bone in bones]
        self.unrest = [bone.rest.inverted() for bone in bones]

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bones that a pose of this rig sets: all whose rotation, and those of them whose location is set too.

        What carries a leg or the body is among them, at rest: the plan counts on it.
        """
        rig = self.rig
        rotated = {rig.body, *self.spine}
        located = {rig.body}
        for leg in rig.legs:
            rotated.update(leg.bones)
            rotated.update(leg.toes)
            rotated.update(self._between(leg))
            if leg.foot >= 0:
                rotated.add(leg.foot)
            if leg.detached:
                located.add(leg.foot)
        for arm in self.arms:
            if arm is not None:
                rotated.update(arm.bones)
        if self.trunk is not None:
            rotated.update(self.trunk.bones())
        if rig.head >= 0:
            rotated.update(rig.neck or (rig.head,))
        return tuple(sorted(rotated)), tuple(sorted(located))

    def _between(self, leg: Leg) -> set[int]:
        """All bones above a leg's last one, and above the body: those that are not posed stay at rest."""
        skeleton = self.rig.skeleton
        return {*skeleton.ancestors(leg.bones[-1]), *skeleton.ancestors(self.rig.body)}

    def _spine(self) -> tuple[int, ...]:
        """The spine bones that turn against the pelvis: those above the body bone, of a body on two legs."""
        rig = self.rig
        return tuple(i for i in rig.spine if i != rig.body) if len(rig.legs) == 2 else ()

    def pose(self, memory: GaitMemory, travel: Travel, pattern: Pattern) -> tuple[PoseFrame, PoseReport]:
        """The pose at this moment, as rows of numbers, and what could not be reached."""
        pose = Pose(self.rig.skeleton)
        move = self._move(memory)
        if self.trunk is not None:
            self.trunk.pose(pose, move, memory)
        else:
            pose.set_model(self.rig.body, move @ self.rig.skeleton.bones[self.rig.body].rest, with_location=True)
            self._turn_spine(pose, memory)
        if self.arms:
            across = sin(tau * (memory.phase - pattern.offsets[0]) + pi / 2.0)
            swing = across * pattern.arm_swing * self.config.arm_swing * memory.body.effort
            for arm in self.arms:
                if arm is not None:
                    arm.pose(pose, swing)
        frames = FrameOfBody(travel)
        extensions, clamped = [], []
        for i, foot in enumerate(memory.feet):
            extension, exact = self._pose_leg(pose, i, foot, frames, travel)
            extensions.append(extension)
            if not exact:
                clamped.append(self.rig.legs[i].role)
        place = travel.place
        feet = tuple(self._footing(i, foot) for i, foot in enumerate(memory.feet))
        frame = pose.frame(Ground(place.x, place.y, place.z - self.rig.floor, place.heading), feet, memory.events)
        return frame, PoseReport(tuple(extensions), tuple(clamped))

    def _move(self, memory: GaitMemory) -> Matrix:
        """What the body's pose does to the rest pose as one block: it turns about the middle of the hips."""
        body = memory.body
        turn = Quaternion(body.rotation).to_matrix().to_4x4()
        return Matrix.Translation(self.centre + Vector(body.offset)) @ turn @ self.uncentre

    def _turn_spine(self, pose: Pose, memory: GaitMemory) -> None:
        """Turn the spine back by the pelvis's twist and list, spread over its bones, so that the chest stays ahead."""
        body, bones = memory.body, self.spine
        if not bones:
            return
        turn = Quaternion(body.rotation)
        level = Quaternion(X, body.lean)
        counter = level @ turn.inverted()
        chest = Quaternion(Z, -0.6 * body.twist) @ counter
        for rank, i in enumerate(bones, start=1):
            share = Quaternion().slerp(chest, rank / len(bones))
            pose.set_turn(i, share @ turn @ self.rest_turns[i])
        for rank, i in enumerate(self.neck, start=1):
            share = Quaternion().slerp(chest.inverted() @ counter, rank / len(self.neck))
            pose.set_turn(i, share @ (chest @ turn) @ self.rest_turns[i])

    def _pose_leg(
        self, pose: Pose, i: int, foot: FootMemory, frames: FrameOfBody, travel: Travel
    ) -> tuple[float, bool]:
        leg, geometry = self.rig.legs[i], self.feet[i]
        ball, rotation = frames.foot(foot)
        goal = geometry.tip(ball, rotation, foot.pitch) + self.lift
        if self.trunk is not None:
            self.trunk.carry(pose, i, goal)
        first = leg.bones[0]
        parent = self.rig.skeleton.bones[first].parent
        carrier = pose.model(parent) @ self.unrest[parent] if parent >= 0 else Matrix()
        knee = None
        if leg.stance != "POINT":
            hold = foot.hold if foot.planted or foot.target is None else foot.target
            turned = self.config.knee_follow * turn_between(travel.place.heading, hold.heading)
            knee = Quaternion(Z, turned) @ FORWARD
        solved = solve(self.rests[i], carrier, goal, knee, MOST_EXTENSION)
        for bone, turn in zip(leg.bones, solved.rotations, strict=True):
            pose.set_turn(bone, turn @ self.rest_turns[bone])
        if leg.foot >= 0:
            rolled = rotation @ Quaternion(geometry.axis, foot.pitch) if geometry.rolls else rotation
            self._pose_foot(pose, leg, rolled, rotation @ Quaternion(geometry.axis, foot.toe_pitch), solved.joints[-1])
        return solved.extension, solved.reach != "CLAMPED"

    def _pose_foot(self, pose: Pose, leg: Leg, foot_turn: Quaternion, toe_turn: Quaternion, tip: Vector) -> None:
        if leg.detached:
            matrix = (foot_turn @ self.rest_turns[leg.foot]).to_matrix().to_4x4()
            head = self.rig.skeleton.bones[leg.foot].head
            matrix.translation = tip + foot_turn @ (head - leg.tip)
            pose.set_model(leg.foot, matrix, with_location=True)
        else:
            pose.set_turn(leg.foot, foot_turn @ self.rest_turns[leg.foot])
        for toe in leg.toes:
            pose.set_turn(toe, toe_turn @ self.rest_turns[toe])

    def _footing(self, i: int, foot: FootMemory) -> Footing:
        down = foot.planted and foot.hold.grounded
        hold = foot.hold
        heel_down = down and foot.pitch < DOWN_PITCH and hold.hangs != "HEEL"
        ball_down = down and foot.pitch > -DOWN_PITCH and hold.hangs != "BALL"
        role, place = self.rig.legs[i].role, (hold.x, hold.y, hold.z)
        return Footing(role, down, foot.elapsed, foot.phase, place, hold.normal, heel_down, ball_down)


def _bend(rig: Rig, leg: Leg) -> Bend:
    """Which way a straight leg bends: knees forward, elbows of front legs back, insects' knees up."""
    if leg.stance == "POINT" and len(rig.legs) > 4:
        return "UP"
    return "BACK" if len(rig.legs) > 2 and leg.order == 0 else "FORWARD"


@dataclass(frozen=True, slots=True)
class HungArm:
    """An arm that hangs and swings. `hang` turns it from rest to beside the body, `fore_hang` its forearm straight too,
    model space; `against` is -1 for the left arm.
    """

    bones: tuple[int, ...]
    chest: int
    hang: Quaternion
    fore_hang: Quaternion
    against: float
    turns: tuple[Quaternion, ...]
    unrest: Matrix

    @classmethod
    def measure(cls, rig: Rig, arm: Arm) -> HungArm | None:
        """The arm at rest; None for one that is too short to be an arm, or has no elbow."""
        if len(arm.bones) < 2:
            return None
        bones = rig.skeleton.bones
        upper, fore = bones[arm.bones[0]], bones[arm.bones[1]]
        along = fore.head - upper.head
        if along.length < 0.15 * rig.leg_length:
            return None
        side = 1.0 if arm.side == "L" else -1.0
        down = Vector((side * sin(HANG_OUT), -0.03, -cos(HANG_OUT)))
        hang = along.normalized().rotation_difference(down)
        chest = upper.parent
        straighten = (hang @ (fore.tail - fore.head).normalized()).rotation_difference(down)
        return cls(
            (arm.bones[0], arm.bones[1]),
            chest,
            hang,
            straighten @ hang,
            -side,
            (upper.rest.to_quaternion(), fore.rest.to_quaternion()),
            bones[chest].rest.inverted() if chest >= 0 else Matrix(),
        )

    def pose(self, pose: Pose, swing: float) -> None:
        """Hang and swing: `swing` is the left leg's advance as an arm angle; the left arm goes against it."""
        carrier = (pose.model(self.chest) @ self.unrest).to_quaternion() if self.chest >= 0 else Quaternion()
        forward = self.against * swing - HANG_BACK
        turn = carrier @ Quaternion(X, -forward) @ self.hang
        pose.set_turn(self.bones[0], turn @ self.turns[0])
        flex = carrier @ Quaternion(X, -forward - ELBOW - ELBOW_SWING * max(forward, 0.0)) @ self.fore_hang
        pose.set_turn(self.bones[1], flex @ self.turns[1])
