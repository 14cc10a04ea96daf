"""The pose that a target takes of one frame of its source, with its feet brought to where they belong."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from math import acos, asin, atan2, cos, radians, sin, sqrt
from typing import Literal, NamedTuple

import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ..ik.posed import PosedLimb, bring_tip
from ..rig.edited_pose import EditedPose
from ..rig.pose import NO_TURN
from ..rig.rig import Leg, Problem, Rig
from ..space.curves import share_of, smoothstep
from ..space.vectors import cross
from .body_height import CROUCHES, SITS
from .by_hand import with_pairs
from .live_feet import Ends, FootMemory, LiveFoot
from .mapping import Pair
from .one_frame import Carried, FrameTransfer, Points, RestFrames, Turned
from .parts import mover_of
from .report import problems_of
from .rest_matching import Rests, match_rests
from .transfer import scaling_of

UP = Vector((0.0, 0.0, 1.0))
# No leg is stretched farther for its foot than to so much of its length, and eased there over so much of it.
LONGEST, EASED = 0.995, 0.03
# What is moved by less than this (metres, radians) stays as it is posed, to the bit.
NOTHING = 1e-6

Feet = Literal["HOLD", "FOLLOW", "FREE"]


# The body comes down at most so far (in legs) for feet that stand, and leaves a leg so much of its length.
MOST_DROP, KEPT = 0.04, 0.97
# A foot that stands on its ball alone rolls at most so far more, before the body comes down for it.
MOST_ROLL = radians(20.0)


class Posed(NamedTuple):
    """A frame on the target before its feet are brought anywhere: its bones, and of each leg heel and ball, hip and tip
    (model space).
    """

    turned: Turned
    ends: list[Ends]
    spans: list[tuple[Vector, Vector]]

    def raised(self, by: float) -> Posed:
        """The same with the body so much higher."""
        if by == 0.0:
            return self
        shift = self.turned.shift + [0.0, 0.0, by]
        ends = [Ends((a, b, c + by), (x, y, z + by)) for (a, b, c), (x, y, z) in self.ends]
        up = Vector((0.0, 0.0, by))
        return Posed(Turned(self.turned.matrices, shift), ends, [(hip + up, tip + up) for hip, tip in self.spans])


class Goal(NamedTuple):
    """Where a foot belongs, model space: its leg's tip, its ball, what turns the foot, what turns its toes. It `moves`
    if that is not as it is posed.
    """

    tip: Vector
    ball: Vector
    turn: Quaternion
    toes: Quaternion
    moves: bool


class _BareToes(NamedTuple):
    """Toes that nothing of the source leads: their first bone, what stood it at rest, the unit vectors along it and to
    its side at rest (model space), and its pitch there, radians.
    """

    bone: int
    rest: Quaternion
    line: Vector
    side: Vector
    pitch: float

    @classmethod
    def of(cls, rig: Rig, leg: Leg, follows: Container[int]) -> _BareToes | None:
        """The toes of a leg, where it has any and they follow nothing."""
        if not leg.toes or leg.toes[0] in follows:
            return None
        bone = rig.skeleton.bones[leg.toes[0]]
        line = leg.sole.toe - bone.head
        side = Vector((line.y, -line.x, 0.0))
        if side.length < NOTHING:
            return None
        pitch = asin(max(-1.0, min(1.0, line.z / line.length)))
        return cls(leg.toes[0], bone.rest.to_quaternion(), line.normalized(), side.normalized(), pitch)

    def flatten(self, pose: EditedPose, share: float) -> None:
        """Turn the toes up to the pitch of their rest, so that they lie while their foot rolls over them."""
        turn = pose.turn(self.bone) @ self.rest.inverted()
        line, side = turn @ self.line, turn @ self.side
        ahead = cross(UP, side)
        if ahead.length < NOTHING:
            return
        wanted = ahead.normalized() * cos(self.pitch) + UP * sin(self.pitch)
        angle = atan2(side.dot(cross(line, wanted)), line.dot(wanted)) * share
        if angle > NOTHING:
            pose.turn_by(self.bone, Quaternion(side, angle))


class LivePose:
    """One pair of rigs. Immutable. `feet` are those that follow one of the source's, `leg_of` whose legs they are; it
    `leads` them, or leaves them where they are posed. `driven` are the bones that are turned, and those that are moved.
    `pairs` are laid over what is matched.
    """

    def __init__(
        self,
        source: Rig,
        target: Rig,
        rests: Rests,
        feet: Feet,
        release: float,
        *,
        kept: bool,
        pairs: Sequence[Pair] = (),
    ) -> None:
        self.rig = target
        self._mover = mover_of(target)
        matching = with_pairs(match_rests(source, target, rests), pairs, rests)
        self.problems: tuple[Problem, ...] = problems_of(matching, (), plants=feet != "FREE" and not source.legs)
        # The root carries the way: of the source's nothing is left for it, nor for what is above.
        carried = {self._mover, *target.skeleton.below[self._mover]}
        for i in (target.root, *target.skeleton.ancestors(target.root)) if target.root >= 0 else ():
            if i not in carried:
                matching.follows.pop(i, None)
        self.scaling = scaling_of(source, target, 0.0, rests, kept=kept)
        self._transfer, self._rests = FrameTransfer(matching, self.scaling), RestFrames(target)
        self._limbs = tuple(PosedLimb.of_leg(target, leg) for leg in target.legs)
        points = [end for leg in target.legs for end in (*ends_of(leg), *self._span_of(leg))]
        self._points = Carried(target, points)
        self._lengths = tuple(sum(leg.lengths) for leg in target.legs)
        known = {leg.role: leg for leg in source.legs}
        led = [k for k, leg in enumerate(target.legs) if leg.role in known]
        self.leg_of, self.leads = tuple(led), feet != "FREE"
        legs = [(known[target.legs[k].role], target.legs[k]) for k in led]
        self.feet = tuple(
            LiveFoot(theirs, ours, source, target, self.scaling.ratio, feet == "HOLD", release) for theirs, ours in legs
        )
        self._bare = tuple(_BareToes.of(target, leg, matching.follows) for leg in target.legs)
        self.their_ends = Points([end for theirs, _ in legs for end in ends_of(theirs)])
        self.driven = self._driven(matching.follows)

    def _driven(self, follows: Iterable[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        bones, legs = self.rig.skeleton.bones, self.rig.legs
        turned = {*follows, self._mover, max(self.rig.body, 0)}
        turned |= {i for leg in legs for i in (*leg.bones, leg.foot, *leg.toes) if i >= 0}
        turned |= {i for i, bone in enumerate(bones) if bone.parent >= 0 and not bone.inherit_rotation}
        turned |= {j for i in turned for j in self.rig.skeleton.ancestors(i)}
        moved = {self._mover, *(leg.foot for leg in legs if leg.detached and leg.foot >= 0)}
        return tuple(sorted(turned)), tuple(sorted(moved))

    def _span_of(self, leg: Leg) -> tuple[tuple[int, Vector], tuple[int, Vector]]:
        return (self.rig.skeleton.bones[leg.bones[0]].parent, leg.hip), (leg.bones[-1], leg.tip)

    def posed(self, moved: np.ndarray, floor: float) -> Posed:
        """A frame of the source, told in the model space that is shared, standing at the height `floor`."""
        turned = self._transfer.turned(moved, floor)
        rows = self._points.of(turned).tolist()
        ends = [Ends((a[0], a[1], a[2]), (b[0], b[1], b[2])) for a, b in zip(rows[::4], rows[1::4], strict=True)]
        return Posed(turned, ends, [(Vector(a), Vector(b)) for a, b in zip(rows[2::4], rows[3::4], strict=True)])

    def asked(self, posed: Posed, feet: Sequence[FootMemory], floor: float) -> float | None:
        """How much higher the body would have to be for its standing feet to be where they belong as their legs point,
        metres, on the mean; None where none stands.
        """
        rises = [
            foot.rise(own, posed.ends[k], floor)
            for foot, own, k in zip(self.feet, feet, self.leg_of, strict=True)
            if own.down
        ]
        return sum(rises) / len(rises) if rises else None

    def stands(self, posed: Posed) -> float:
        """How much its hips, by their height, are those of a body that stands on its feet, from 0 (it lies) to 1."""
        hips = [hip.z for hip, _ in posed.spans]
        high = (sum(hips) / len(hips) - self.rig.floor) / self.rig.leg_length
        return smoothstep(share_of(high, SITS, CROUCHES))

    def shortage(self, posed: Posed, feet: Sequence[FootMemory], heading: float, floor: float) -> float:
        """How much lower the body would have to be for feet that are down to be within reach, metres."""
        most = 0.0
        for foot, own, k in zip(self.feet, feet, self.leg_of, strict=True):
            if not own.down:
                continue
            hip, tip = posed.spans[k]
            to_goal = self._goal(foot, own, posed, heading, floor, k).tip - hip
            reach = max((tip - hip).length, KEPT * self._lengths[k])
            aside = to_goal.x * to_goal.x + to_goal.y * to_goal.y
            if to_goal.length > reach and aside < reach * reach and to_goal.z < 0.0:
                most = max(most, -to_goal.z - sqrt(reach * reach - aside))
        return min(most, MOST_DROP * self.rig.leg_length)

    def _goal(self, foot: LiveFoot, own: FootMemory, posed: Posed, heading: float, floor: float, k: int) -> Goal:
        """Where a foot belongs."""
        ends, (hip, tip) = posed.ends[k], posed.spans[k]
        if not self.leads:
            return Goal(tip, Vector(ends.ball), NO_TURN, NO_TURN, False)
        c, s, (x, y) = cos(heading), sin(heading), own.shift
        shift = Vector((c * x + s * y, c * y - s * x, foot.rise(own, ends, floor)))
        about, pivot = Quaternion(UP, own.turned), Vector(ends[own.pivot - 1])
        goal = pivot + about @ (tip - pivot) + shift
        ball = pivot + about @ (Vector(ends.ball) - pivot) + shift
        reach = max((tip - hip).length, KEPT * self._lengths[k])
        roll = _rolled(goal - ball, hip - ball, reach, own.pressed[1] * (1.0 - own.pressed[0]))
        if roll is not None:
            goal, turn = ball + roll @ (goal - ball), roll @ about
            return Goal(goal, ball, turn, about, True)
        return Goal(goal, ball, about, about, shift.length > NOTHING or abs(own.turned) > NOTHING)

    def pose(
        self, posed: Posed, feet: Sequence[FootMemory], heading: float, floor: float
    ) -> tuple[EditedPose, list[Vector]]:
        """The whole pose, and where the ball of each led foot is in it, model space.

        What feet remember of the plan is seen from the `heading` of the model space.
        """
        rows = self._rests.rotations(posed.turned).tolist()
        turns = [NO_TURN] * len(rows)
        for i in self.driven[0]:
            turns[i] = Quaternion(rows[i])
        location = Vector(self._rests.location(self._mover, posed.turned.shift, posed.turned))
        pose = EditedPose(self.rig.skeleton, turns, {self._mover: location})
        soles = {k: pose.turn(leg.foot) for k, leg in enumerate(self.rig.legs) if leg.detached and leg.foot >= 0}
        balls = []
        for foot, own, k in zip(self.feet, feet, self.leg_of, strict=True):
            goal = self._goal(foot, own, posed, heading, floor, k)
            balls.append(goal.ball)
            if goal.moves:
                if k in soles:
                    soles[k] = goal.turn @ soles[k]
                self._bring(pose, k, goal)
            bare = self._bare[k]
            if bare is not None and self.leads and own.pressed[1] > 0.0:
                bare.flatten(pose, own.pressed[1])
        for k, turn in soles.items():
            self._hang(pose, k, turn)
        return pose, balls

    def _bring(self, pose: EditedPose, k: int, goal: Goal) -> None:
        """A leg's tip to its goal, its foot turned from how it was posed; toes do not roll with it."""
        leg = self.rig.legs[k]
        turn = goal.turn @ pose.turn(leg.foot) if leg.foot >= 0 else None
        toes = [goal.toes @ pose.turn(i) for i in leg.toes] if goal.turn is not goal.toes else []
        bring_tip(pose, self._limbs[k], goal.tip, most=LONGEST, softness=EASED)
        if turn is not None:
            pose.set_turn(leg.foot, turn)
        for i, toe in zip(leg.toes, toes, strict=False):
            pose.set_turn(i, toe)

    def _hang(self, pose: EditedPose, k: int, turn: Quaternion) -> None:
        """A foot that is no child of its leg goes to the leg's tip."""
        leg = self.rig.legs[k]
        rest = self.rig.skeleton.bones[leg.foot].rest
        apart = turn @ rest.to_quaternion().inverted() @ (rest.to_translation() - leg.tip)
        pose.set_model(leg.foot, Matrix.LocRotScale(self._limbs[k].tip_of(pose) + apart, turn, None))


def _rolled(arm: Vector, to_hip: Vector, reach: float, share: float) -> Quaternion | None:
    """What rolls a foot on its ball so that its ankle, at the end of the `arm`, is nearer to a hip that it is too far
    from: by a share of all that it takes; None for nothing.
    """
    radius, distance = arm.length, to_hip.length
    if share <= 0.0 or min(radius, distance) < NOTHING or (to_hip - arm).length <= reach:
        return None
    cosine = (radius * radius + distance * distance - reach * reach) / (2.0 * radius * distance)
    angle = min(arm.angle(to_hip) - acos(max(-1.0, min(1.0, cosine))), MOST_ROLL) * share
    axis = cross(arm, to_hip)
    return Quaternion(axis.normalized(), angle) if angle > NOTHING and axis.length > NOTHING else None


def ends_of(leg: Leg) -> list[tuple[int, Vector]]:
    """Heel and ball with the bones that they hang on."""
    return [(leg.sole.heel_bone, leg.sole.heel), (leg.sole.ball_bone, leg.sole.ball)]
