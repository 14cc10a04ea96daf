"""One entry for the legs of any rig: from a rest pose and a goal to the rotations of all segments.

The leg is folded in its rest space (a hinge in closed form for two segments, a shared fold for more), its tip is
laid on the line from root to tip that it had at rest, its plane is turned about that line to the wanted knee
direction, and then the line is swung to the goal. No step looks at a former solve, and the only direction with no
answer of its own is the one straight against the rest line: a leg does not flip on its way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..rig.rig import Leg, Rig
from .fold import FoldRest
from .hinge import MAX_FLEXION, HingeSpan, bend_axis, role_axis
from .swing import TOLERANCE, Reach, aim, soft_distance, twist

# Where the first interior joint goes when the leg flexes: knees and stifles forward, elbows back, insects' knees up.
Bend = Literal["FORWARD", "BACK", "UP"]
# Up to this rest bend a measured axis counts only within 45 degrees of the role's: a nearly straight leg's knee may
# be modelled a little to the side, or behind.
CLEAR_BEND = math.radians(12.0)
AGREEMENT = math.cos(math.radians(45.0))
FORWARD = Vector((0.0, -1.0, 0.0))


@dataclass(frozen=True, slots=True)
class LegRest:
    """A leg at rest, model space: its `joints`, and the `segments` from each to the next.

    `line` is the unit vector from root to tip, `forward` what a knee direction turns.

    `axis` is the first interior joint's; two segments have a `span`, other numbers a `fold`. `longest` is the
    farthest that the tip can be from the root, `total` the sum of the lengths (metres).
    """

    joints: tuple[Vector, ...]
    segments: tuple[Vector, ...]
    line: Vector
    forward: Vector
    axis: Vector
    total: float
    longest: float
    span: HingeSpan | None
    fold: FoldRest | None

    @classmethod
    def from_rest(cls, joints: Sequence[Vector], forward: Vector, kind: Bend = "FORWARD") -> LegRest:
        """Measure a leg from its rest joints (one more than segments), the facing, and its role.

        The rest's own bend decides how the leg flexes; `kind` decides where the rest is too straight to tell.
        """
        joints = tuple(joint.copy() for joint in joints)
        segments = tuple(b - a for a, b in zip(joints, joints[1:], strict=False))
        total = sum(segment.length for segment in segments)
        line = joints[-1] - joints[0]
        if line.length <= TOLERANCE * total:
            line = Vector((0.0, 0.0, -1.0))
        line = line.normalized()
        wish = {"FORWARD": forward, "BACK": -forward, "UP": Vector((0.0, 0.0, 1.0))}[kind]
        role = role_axis(line, wish)
        if len(segments) == 2:
            axis = _hinge_axis(segments[0], segments[1], role)
            span = HingeSpan.measure(segments[0], segments[1], axis)
            return cls(joints, segments, line, forward.copy(), axis, total, span.distance(0.0), span, None)
        fold = FoldRest.from_rest(joints, role, zigzag=kind != "UP")
        axis = fold.axes[0] if fold.axes else role
        return cls(joints, segments, line, forward.copy(), axis, total, fold.spans[0], None, fold)


def rest_of(rig: Rig, leg: Leg) -> LegRest:
    """A leg of a rig at rest. Where it is straight: knees forward, elbows of front legs back, insects' knees up."""
    kind: Bend = "BACK" if len(rig.legs) > 2 and leg.order == 0 else "FORWARD"
    if leg.stance == "POINT" and len(rig.legs) > 4:
        kind = "UP"
    return LegRest.from_rest(leg.chain, FORWARD, kind)


class LegSolve(NamedTuple):
    """A solved leg, model space.

    rotations: each segment's rotation from rest (in front of its bone's rest rotation), hip first. joints: the new
    places. extension: the distance from root to tip over the sum of the lengths.
    """

    rotations: list[Quaternion]
    joints: list[Vector]
    extension: float
    reach: Reach


def solve(
    rest: LegRest,
    carrier: Matrix,
    goal: Vector,
    knee_direction: Vector | None = None,
    max_extension: float = 0.995,
    softness: float = 0.0,
) -> LegSolve:
    """Bring the tip to `goal`, model space.

    `carrier` is the motion of the leg's parent from rest (rotation and place, model space): its rest matrix before,
    its present one after. `knee_direction` is where the leg's forward shall head (the carried rest facing leaves the
    leg as it hangs); blending two headings here blends the knees. Beyond `max_extension` of its greatest length the
    leg is CLAMPED, its tip on the line to the goal; with `softness` it eases there over that last share.
    """
    turn = carrier.to_quaternion()
    root = carrier @ rest.joints[0]
    to_goal = goal - root
    distance = to_goal.length
    wanted = soft_distance(distance, max_extension * rest.longest, softness)
    bends, end = _folded(rest, wanted)
    reached = end.length
    swing = aim(end / reached, rest.line, rest.axis) if reached > TOLERANCE * rest.total else Quaternion()
    swing = turn @ swing
    line = turn @ rest.line
    if knee_direction is not None:
        turned = twist(line, turn @ rest.forward, knee_direction)
        if turned is not None:
            swing = turned @ swing
    if distance > TOLERANCE * rest.total:
        swing = aim(line, to_goal / distance, turn @ rest.axis) @ swing
        reach = Reach.EXACT if abs(reached - distance) <= TOLERANCE * rest.total else Reach.CLAMPED
    else:
        reach = Reach.DEGENERATE
    # The first segment has no joint of its own to bend at.
    rotations = [swing, *[swing @ bend for bend in bends[1:]]]
    joints = [root]
    for k, rotation in enumerate(rotations):
        joints.append(joints[k] + rotation @ rest.segments[k])
    extension = reached / rest.total if rest.total > 0.0 else 0.0
    return LegSolve(rotations, joints, extension, reach)


def _folded(rest: LegRest, distance: float) -> tuple[list[Quaternion], Vector]:
    """The segments' rotations from rest in rest space for a root-tip distance, and the vector from root to tip."""
    if rest.span is None:
        assert rest.fold is not None
        fold, end = rest.fold.folded(distance)
        return rest.fold.turns(fold), end
    flexion = min(MAX_FLEXION, rest.span.flexion(distance))
    lower = Quaternion(rest.axis, rest.span.straight + flexion)
    return [Quaternion(), lower], rest.segments[0] + lower @ rest.segments[1]


def _hinge_axis(upper: Vector, lower: Vector, role: Vector) -> Vector:
    """The measured hinge axis, or the role's where the rest is too straight, or hardly bent and at odds with it."""
    axis = bend_axis(upper, lower)
    if axis is None:
        return role
    if bend_axis(upper, lower, CLEAR_BEND) is None and axis.dot(role) < AGREEMENT:
        return role
    return axis
