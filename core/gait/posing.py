"""From planned feet and body to a pose: body first, then spine and arms, then each leg brought to its foot."""

from __future__ import annotations

from math import cos, sin, tau
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import Travel
from ..ik.leg import rest_of, solve
from ..rig.pose import NO_TURN, Footing, Ground, Pose, PoseFrame
from ..rig.rig import Leg, Rig
from ..space.angles import turn_between
from .arms import Held, HungArm
from .bearing import Bearing, bearing_of
from .body import BodyMotion
from .change import manner_now
from .config import GaitConfig
from .foot import FootGeometry
from .frame import FrameOfBody
from .head_hold import head_goal
from .idle import LEANS
from .manner import LIST_AT
from .memory import FootMemory, GaitMemory
from .neck import Neck
from .patterns import Pattern, froude
from .trunk import TrunkPoser
from .wings import Wing

X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))
MOST_EXTENSION = 0.995
# A contact is down while the foot's roll moves that end by less than a tenth of a millimetre per 10 cm.
DOWN_PITCH = 1e-3
# A head gives in to this share of the body's lean.
HEAD_LEAN = 0.3


class PoseReport(NamedTuple):
    """What the pose could not do this frame: leg extensions, and the legs whose goal was out of reach."""

    extensions: tuple[float, ...]
    clamped: tuple[str, ...]


class Poser:
    """Poses one rig. Immutable; built once from what set-up understood."""

    def __init__(self, rig: Rig, config: GaitConfig, body: BodyMotion, *, flies: bool = False) -> None:
        """`flies`: its wings may spread, so they are posed."""
        self.rig = rig
        self.config = config
        self.body = body
        self.rests = [rest_of(rig, leg) for leg in rig.legs]
        self.feet = [FootGeometry(leg) for leg in body.shape.legs]
        self.upright = len(rig.legs) == 2
        measured = [HungArm.measure(rig, arm) for arm in rig.arms] if self.upright else []
        self.arms = [arm for arm in measured if arm is not None]
        folded = [arm for arm, hung in zip(rig.arms, measured, strict=False) if hung is None] if flies else []
        self.wings = [wing for wing in (Wing.measure(rig, arm) for arm in folded) if wing is not None]
        self.lift = Vector((0.0, 0.0, rig.floor))
        # The body turns about the middle of its hips: there, and back from there.
        self.centre = body.centre + self.lift
        self.uncentre = Matrix.Translation(-self.centre)
        self.spine = self._spine()
        self.trunk = TrunkPoser(rig) if len(rig.legs) == 4 else None
        self.held = Neck.of(rig) if config.head_bob > 0.0 else None
        self.neck = rig.neck or ((rig.head,) if rig.head >= 0 else ())
        bones = rig.skeleton.bones
        self.breaths = self._breaths()
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
        rotated.update(i for arm in self.arms for i in arm.bones)
        rotated.update(i for wing in self.wings for i in wing.bones)
        if self.trunk is not None:
            rotated.update(self.trunk.bones())
        if rig.head >= 0:
            rotated.update(rig.neck or (rig.head,))
        if self.held is not None:
            rotated.add(rig.head)
        return tuple(sorted(rotated)), tuple(sorted(located))

    def _between(self, leg: Leg) -> set[int]:
        """All bones above a leg's last one, and above the body: those that are not posed stay at rest."""
        skeleton = self.rig.skeleton
        return {*skeleton.ancestors(leg.bones[-1]), *skeleton.ancestors(self.rig.body)}

    def _spine(self) -> tuple[int, ...]:
        """The spine bones that turn against the pelvis: those above the body bone, of a body on two legs."""
        rig = self.rig
        return tuple(i for i in rig.spine if i != rig.body) if self.upright else ()

    def pose(self, memory: GaitMemory, travel: Travel, pattern: Pattern) -> tuple[PoseFrame, PoseReport]:
        """The pose at this moment, as rows of numbers, and what could not be reached."""
        pose = Pose(self.rig.skeleton)
        move = self._move(memory)
        if self.trunk is not None:
            self.trunk.pose(pose, move, memory)
        else:
            pose.set_model(self.rig.body, move @ self.rig.skeleton.bones[self.rig.body].rest, with_location=True)
        if self.upright:
            self._pose_upper_body(pose, memory, pattern)
        frames = FrameOfBody(travel)
        extensions, clamped = [], []
        carriers: dict[int, Matrix] = {}
        for i, foot in enumerate(memory.feet):
            extension, exact = self._pose_leg(pose, i, foot, frames, travel, carriers)
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

    def _pose_upper_body(self, pose: Pose, memory: GaitMemory, pattern: Pattern) -> None:
        """Turn chest, head and arms of a body on two legs against its pelvis, as the gait's manner says."""
        body, manner = memory.body, manner_now(memory.body, pattern.manner)
        share = manner.share(froude(memory.speed, self.body.shape.leg_length)) * body.effort
        phase = memory.phase - pattern.offsets[0] + body.lag
        turn = Quaternion(body.rotation)
        yaw = manner.chest_yaw * share * cos(tau * phase)
        carries = cos(tau * (phase - LIST_AT))
        lists = manner.chest_list * share * carries - manner.lurch * body.effort * (0.5 + 0.5 * carries)
        if body.calm > 0.0:
            lists += LEANS * self.body.idle.weight(body)
        bearing = bearing_of(body)
        bent = body.lean + manner.chest_pitch * body.effort + bearing.fold
        chest = Quaternion(Z, yaw) @ Quaternion(Y, -lists) @ Quaternion(X, bent)
        head = Quaternion(X, HEAD_LEAN * body.lean + manner.head_pitch * body.effort + bearing.look)
        if body.calm > 0.0:
            self._breathe(pose, turn, chest, self.body.idle.chest(body))
        else:
            self._turn_along(pose, self.spine, turn, chest)
        if self.held is not None:
            goal = head_goal(self.held, body, self.centre, self.uncentre, self.config.head_bob)
            self.held.pose(pose, goal, head)
        else:
            self._turn_along(pose, self.neck, chest if self.spine else turn, head)
        for arm in self.arms:
            arm.pose(pose, phase, manner, share * self.config.arm_swing, _held(bearing, arm, bent))
        for wing in self.wings:
            wing.pose(pose, bearing.wings)

    def _turn_along(self, pose: Pose, bones: tuple[int, ...], first: Quaternion, last: Quaternion) -> None:
        """Turn a chain from the turn that its parent has to another one, spread over its bones."""
        between = last @ first.inverted()
        for rank, i in enumerate(bones, start=1):
            pose.set_turn(i, NO_TURN.slerp(between, rank / len(bones)) @ first @ self.rest_turns[i])

    def _breathe(self, pose: Pose, first: Quaternion, last: Quaternion, back: float) -> None:
        """Turn the spine as `_turn_along`, its chest back by a breath, and what is below it ahead by as much as leaves
        the neck where it is.
        """
        between, count = last @ first.inverted(), len(self.spine)
        for rank, (i, share) in enumerate(zip(self.spine, self.breaths, strict=True), start=1):
            turn = NO_TURN.slerp(between, rank / count) @ first
            pose.set_turn(i, Quaternion(X, back * share) @ turn @ self.rest_turns[i])

    def _breaths(self) -> list[float]:
        """How far each bone of the spine turns ahead for a chest that turns back by one."""
        if not self.spine:
            return []
        bones = self.rig.skeleton.bones
        chest = bones[self.spine[-1]]
        top = bones[self.neck[0]].head if self.neck else chest.tail
        below = chest.head.z - bones[self.spine[0]].head.z
        share = (top.z - chest.head.z) / below if below > 1e-6 else 0.0
        return [share] * (len(self.spine) - 1) + [-1.0]

    def _pose_leg(
        self, pose: Pose, i: int, foot: FootMemory, frames: FrameOfBody, travel: Travel, carriers: dict[int, Matrix]
    ) -> tuple[float, bool]:
        """Bring a leg to its foot; its extension, and whether it is in reach. `carriers`: what carries legs, moved."""
        leg, geometry = self.rig.legs[i], self.feet[i]
        ball, rotation = frames.foot(foot)
        goal = geometry.tip(ball, rotation, foot.pitch) + self.lift
        if self.trunk is not None:
            self.trunk.carry(pose, i, ball + self.lift)
        first = leg.bones[0]
        parent = self.rig.skeleton.bones[first].parent
        carrier = carriers.get(parent)
        if carrier is None:
            carrier = carriers[parent] = pose.model(parent) @ self.unrest[parent] if parent >= 0 else Matrix()
        knee = None
        if leg.stance != "POINT":
            hold = foot.hold if foot.planted or foot.target is None else foot.target
            turned = self.config.knee_follow * turn_between(travel.place.heading, hold.heading)
            knee = Vector((sin(turned), -cos(turned), 0.0))
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


def _held(bearing: Bearing, arm: HungArm, bent: float) -> Held | None:
    """How an arm is held on a chest that is `bent` forward; None where it swings as its gait has it."""
    if bearing.arms == 0.0:
        return None
    left = arm.side > 0.0
    forward = bearing.left_forward if left else bearing.right_forward
    out, elbow = (bearing.left_out, bearing.left_elbow) if left else (bearing.right_out, bearing.right_elbow)
    return Held(min(1.0, max(0.0, bearing.arms)), forward + bent, out, elbow)
