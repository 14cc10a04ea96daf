"""Limbs that are posed already, by a clip or a gait, and are brought elsewhere with as little change as can be.

The limb is bent more or less to the wanted distance, about the axes that it is bent about as it stands; then the
whole of it is swung by the smallest turn that takes its line from root to tip to the goal's. Two segments are bent in
closed form (see hinge); more of them share the change: the bend of every joint grows by the same share of itself, and
that one number is found by a bracketed secant (the Illinois rule).

A pose that is nearly straight hardly shows an axis, or a wrong one: what is bent further then has its middle where the
axis of the rest pose, as carried along, puts it; no segment is twisted for it. Nothing is remembered from frame to
frame, and there is no bend at which the answer jumps.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.rig import Arm, Leg, Rig
from ..space.curves import share_of, smoothstep
from ..space.vectors import cross
from .hinge import MAX_FLEXION, HingeSpan
from .leg import FORWARD, LegRest, rest_of
from .swing import TOLERANCE, Reach, aim, soft_distance, twist

# A tip this near its goal (metres) is there: the pose stays as it is.
THERE = 1e-6
# Bends (radians, all joints' in sum) under which a pose says nothing of its axes, and over which it says all.
FAINT_BEND, CLEAR_BEND = math.radians(4.0), math.radians(15.0)
# By bending so much further (radians) a nearly straight limb has turned to its rest's axis.
SETTLING_BEND = math.radians(15.0)
# A bend under this (radians) has no axis in single precision.
LEAST_BEND = 1e-4
# Shares of its own bends by which a limb is folded further, to find between which two its goal is.
FOLDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
MAX_STEPS = 16


@dataclass(frozen=True, slots=True)
class PosedLimb:
    """What of a limb is measured once. `bones` are its segments, root first; `tip` is in the last one's own axes.

    axes and bends: one each interior joint, how it flexes at rest; an axis is a unit vector in the axes of the bone
    above the joint. `side` is 1 for a left limb, -1 for a right one, as a mirrored limb turns the other way.
    """

    role: str
    bones: tuple[int, ...]
    tip: Vector
    axes: tuple[Vector, ...]
    bends: tuple[float, ...]
    side: float

    @classmethod
    def of_leg(cls, rig: Rig, leg: Leg) -> PosedLimb:
        """A leg; its tip is the ankle, or the paw's joint, or the end of a point foot."""
        return cls._of(rig, leg.role, leg.bones, rest_of(rig, leg), leg.side)

    @classmethod
    def of_arm(cls, rig: Rig, arm: Arm) -> PosedLimb:
        """An arm; its tip is the wrist. An elbow that is straight at rest flexes forward, so that it moves back."""
        bones = rig.skeleton.bones
        joints = [bones[i].head for i in arm.bones]
        joints.append(bones[arm.hand].head if arm.hand >= 0 else bones[arm.bones[-1]].tail)
        ending = "" if arm.side == "M" else f".{arm.side}"
        return cls._of(rig, f"hand{ending}", arm.bones, LegRest.from_rest(joints, FORWARD, "BACK"), arm.side)

    @classmethod
    def _of(cls, rig: Rig, role: str, bones: tuple[int, ...], rest: LegRest, side: str) -> PosedLimb:
        axes = (rest.axis,) if rest.fold is None else rest.fold.axes
        bends = (1.0,) if rest.fold is None else rest.fold.bends
        turns = [rig.skeleton.bones[i].rest.to_quaternion().inverted() for i in bones]
        carried = tuple(turn @ axis for turn, axis in zip(turns, axes, strict=False))
        tip = rig.skeleton.unrest[bones[-1]] @ rest.joints[-1]
        return cls(role, bones, tip, carried, bends, -1.0 if side == "R" else 1.0)

    def joints(self, pose: EditedPose) -> list[Vector]:
        """Its joints as posed, root first and the tip last, model space."""
        return [*(pose.head(i) for i in self.bones), pose.model(self.bones[-1]) @ self.tip]

    def tip_of(self, pose: EditedPose) -> Vector:
        """Where its tip is, model space."""
        return pose.model(self.bones[-1]) @ self.tip


class Brought(NamedTuple):
    """How a limb was brought to a goal: the verdict, its distance from root to tip over the sum of its segments, and
    how far the tip is from the goal (metres).
    """

    reach: Reach
    extension: float
    error: float


def bring_tip(
    pose: EditedPose,
    limb: PosedLimb,
    goal: Vector,
    *,
    pole: Vector | None = None,
    most: float = 0.995,
    softness: float = 0.0,
    swing: float = 0.0,
) -> Brought:
    """Turn the bones of a posed limb so that its tip is at `goal` (model space); locations stay.

    It is stretched at most to the larger of `most` of its length and what the pose itself has, with `softness` easing
    there over that last share. `pole` is a direction (model space) that its middle heads for before it swings to its
    goal; `swing` turns it on about the line from root to goal at last (radians, right-handed). A tip that is at its
    goal leaves the pose to the bit.
    """
    joints = limb.joints(pose)
    segments = [b - a for a, b in zip(joints, joints[1:], strict=False)]
    total = sum(segment.length for segment in segments)
    line, to_goal = joints[-1] - joints[0], goal - joints[0]
    own, distance = line.length, to_goal.length
    if total <= 0.0:
        return Brought(Reach.DEGENERATE, 0.0, distance)
    if pole is None and swing == 0.0 and (goal - joints[-1]).length <= THERE:
        return Brought(Reach.EXACT, own / total, (goal - joints[-1]).length)
    turns = [pose.turn(i) for i in limb.bones]
    limit = max(most * total, own)
    eased = max(0.0, 1.0 - max((1.0 - softness) * limit, own) / limit)
    wanted = soft_distance(distance, limit, eased)
    axes = [turn @ axis for turn, axis in zip(turns, limb.axes, strict=False)]
    changes = (_hinged if len(segments) == 2 else _shared)(segments, axes, limb, wanted)
    bent = [change @ segment for change, segment in zip(changes, segments, strict=True)]
    end = sum(bent, Vector())
    directed = min(end.length, distance) > TOLERANCE * total
    whole = Quaternion()
    if directed:
        side = axes[0] if axes else line.orthogonal()
        whole = _whole(bent, line if own > TOLERANCE * total else end, to_goal, side, pole, swing)
    for i, change, turn in zip(limb.bones, changes, turns, strict=True):
        pose.set_turn(i, (whole @ change @ turn).normalized())
    reached = limb.tip_of(pose)
    exact = abs(end.length - distance) <= TOLERANCE * total
    reach = (Reach.EXACT if exact else Reach.CLAMPED) if directed else Reach.DEGENERATE
    return Brought(reach, (reached - joints[0]).length / total, (reached - goal).length)


def _whole(
    bent: Sequence[Vector], line: Vector, to_goal: Vector, side: Vector, pole: Vector | None, swing: float
) -> Quaternion:
    """The turn of a bent limb as a whole: its end back onto its old line, its middle to the pole, the line to the goal.

    The pole comes before the goal, so that a goal that passes through its direction does not throw the limb over.
    """
    along, direction = line.normalized(), to_goal.normalized()
    whole = aim(sum(bent, Vector()).normalized(), along, side)
    if pole is not None and len(bent) > 1:
        middle = whole @ bent[0]
        turn = twist(along, middle - along * middle.dot(along), pole)
        whole = whole if turn is None else turn @ whole
    whole = aim(along, direction, side) @ whole
    return Quaternion(direction, swing) @ whole if swing else whole


def _hinged(segments: Sequence[Vector], axes: Sequence[Vector], limb: PosedLimb, distance: float) -> list[Quaternion]:
    """What turns each of two segments, model space, so that root and tip are `distance` apart."""
    upper, lower = segments
    line = upper + lower
    across = cross(upper, lower)
    bend = math.atan2(across.length, upper.dot(lower))
    known = bend > LEAST_BEND and across.length > 0.0
    axis = across.normalized() if known else _square(axes[0], upper, line)
    span = HingeSpan.measure(upper, lower, axis)
    flexion = min(MAX_FLEXION, span.flexion(distance))
    changes = [Quaternion(), Quaternion(axis, span.straight + flexion)]
    unclear = 1.0 - smoothstep(share_of(bend, FAINT_BEND, CLEAR_BEND))
    further = smoothstep(share_of(flexion - bend, 0.0, SETTLING_BEND))
    if not known or unclear * further == 0.0 or line.length == 0.0:
        return changes
    along = line.normalized()
    angle = _about(along, axis, axes[0])
    if limb.side * angle < -0.5 * math.pi:
        # A knee bent backwards comes forward by its outer side, not by whichever is a hair nearer at this frame.
        angle += limb.side * math.tau
    settled = Quaternion(along, unclear * further * angle) @ aim((upper + changes[1] @ lower).normalized(), along, axis)
    placed = (settled @ upper, settled @ changes[1] @ lower)
    # The middle settles by the smallest turns: an axis that is hardly shown says nothing of a segment's own twist.
    return [aim(old.normalized(), new.normalized(), axis) for old, new in zip(segments, placed, strict=True)]


def _shared(segments: Sequence[Vector], axes: Sequence[Vector], limb: PosedLimb, distance: float) -> list[Quaternion]:
    """What turns each of any number of segments, model space, so that root and tip are `distance` apart or nearest."""
    bends = [_bend(a, b) for a, b in zip(segments, segments[1:], strict=False)]
    total = sum(bend.length for bend in bends)
    further = bends
    unclear = 1.0 - smoothstep(share_of(total, FAINT_BEND, CLEAR_BEND))
    if unclear > 0.0:
        rest = zip(bends, axes, limb.bends, strict=True)
        further = [bend + axis * (unclear * rest_bend) for bend, axis, rest_bend in rest]

    def changes(share: float) -> list[Quaternion]:
        turned = Quaternion()
        found = [turned]
        for bend in bends if share < 0.0 else further:
            turned = turned @ Quaternion(bend, share * bend.length) if bend.length > 0.0 else turned
            found.append(turned)
        return found

    def reached(share: float) -> float:
        ends = (turn @ segment for turn, segment in zip(changes(share), segments, strict=True))
        return sum(ends, Vector()).length - distance

    pairs = zip(bends, further, strict=True)
    room = min(((MAX_FLEXION - bend.length) / more.length for bend, more in pairs if more.length > 0.0), default=0.0)
    low, high = _bracket(reached, [*(share for share in FOLDS if share < room), *([room] if room > 0.0 else [])])
    return changes(_found(reached, low, high, 0.1 * TOLERANCE * sum(segment.length for segment in segments)))


def _bracket(reached: Callable[[float], float], folds: Sequence[float]) -> tuple[float, float]:
    """Two shares between which the distance passes the wanted one; the same twice: the nearest that there is."""
    over = reached(0.0)
    if over < 0.0:
        return (-1.0, 0.0) if reached(-1.0) > 0.0 else (-1.0, -1.0)
    low = 0.0
    for share in folds:
        now = reached(share)
        if now <= 0.0:
            return low, share
        if now >= over:
            break
        low, over = share, now
    return low, low


def _found(reached: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """The share between two at which the distance is as wanted."""
    if low == high:
        return low
    over, under = reached(low), reached(high)
    share, side = low, 0
    for _ in range(MAX_STEPS):
        if over - under <= 0.0:
            break
        share = (low * under - high * over) / (under - over)
        error = reached(share)
        if abs(error) <= tolerance:
            break
        if error > 0.0:
            low, over = share, error
            under *= 0.5 if side > 0 else 1.0
            side = 1
        else:
            high, under = share, error
            over *= 0.5 if side < 0 else 1.0
            side = -1
    return share


def _bend(upper: Vector, lower: Vector) -> Vector:
    """How far one segment is bent from the one above: the axis times the angle."""
    across = cross(upper, lower)
    length = across.length
    angle = math.atan2(length, upper.dot(lower))
    return across * (angle / length) if length > 0.0 and angle > LEAST_BEND else Vector()


def _square(axis: Vector, upper: Vector, line: Vector) -> Vector:
    """The axis made square to a straight limb; one along it is taken for any that is square."""
    along = line if line.length > 0.0 else upper
    if along.length == 0.0:
        return axis
    along = along.normalized()
    across = axis - along * axis.dot(along)
    return across.normalized() if across.length > LEAST_BEND else along.orthogonal().normalized()


def _about(line: Vector, start: Vector, end: Vector) -> float:
    """The angle about a unit vector from one direction to another as seen along it; 0 where `end` lies along it."""
    across = end - line * end.dot(line)
    return math.atan2(line.dot(cross(start, across)), start.dot(across)) if across.length > LEAST_BEND else 0.0
