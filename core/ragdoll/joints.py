"""The zero pose of a body: straight limbs, arms half raised, from whatever rest pose a rig has; and its joints' axes.

Limits count from a pose that means the same on every rig. What folds (knees, elbows, stifles, hocks, insects' knees) is
straight there, about the axis that its rest pose shows or that its role says; a person's thighs hang, the upper arms
are half raised, its feet are level; trunks, necks, tails, and what hangs on animals' hips and shoulders, are at rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, radians, sin

from mathutils import Matrix, Quaternion, Vector

from ..gait.arms import PALM_TURN
from ..ik.hinge import bend_axis, role_axis
from ..ik.leg import AGREEMENT, CLEAR_BEND, LegRest, rest_of
from ..rig.rig import Rig
from ..space.vectors import cross
from .parts import Part
from .proportions import is_erect, kind_of

FORWARD, BACK, DOWN, UP = (Vector(v).freeze() for v in ((0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)))
LEFT = Vector((1.0, 0.0, 0.0)).freeze()
# A person's arms in the zero pose, from hanging (radians).
HALF_RAISED = radians(45.0)
# A hand that is bent more at rest (radians) is straight in the zero pose.
BENT_HAND = radians(25.0)
# How far a swinging arm turns that axis inward as it folds: a run more than a walk.
INWARD = 1.4 * PALM_TURN
# An elbow that rests bent about an axis this far from its role's (radians) is told by its rest alone.
MOST_OFF = radians(70.0)
# An axis is asked of another direction where it is this near the first (cosine).
PARALLEL = 0.95


def zero_turns(rig: Rig, parts: Sequence[Part], parents: Sequence[int]) -> list[Quaternion]:
    """How each part is turned from the rest pose to the zero pose, model space. Parents come first."""
    turns: list[Quaternion] = []
    erect = is_erect(rig)
    person = kind_of(rig) == "person"
    for part, parent in zip(parts, parents, strict=True):
        above = turns[parent] if parent >= 0 else Quaternion()
        before = parts[parent] if parent >= 0 else None
        if part.arm >= 0:
            turns.append(_arm_turn(part, before, above, erect=erect))
        elif part.leg >= 0 and part.part.endswith("thigh") and person:
            turns.append(_onto(part.along, DOWN) @ above)
        elif part.leg >= 0 and part.part.endswith("foot") and person:
            turns.append(Quaternion())
        elif part.leg >= 0 and 0 < part.segment < len(rig.legs[part.leg].bones) and _continues(part, before):
            assert before is not None
            turns.append(above @ _onto(part.along, before.along))
        else:
            turns.append(above.copy())
    return turns


def _continues(part: Part, before: Part | None) -> bool:
    return before is not None and before.leg == part.leg and before.segment == part.segment - 1


def _arm_turn(part: Part, before: Part | None, above: Quaternion, *, erect: bool) -> Quaternion:
    if part.segment == 0:
        if not erect or not part.side:
            return above.copy()
        aside = sin(HALF_RAISED) * (1.0 if part.side == "L" else -1.0)
        return _onto(part.along, Vector((aside, 0.0, -cos(HALF_RAISED)))) @ above
    if before is None or before.arm != part.arm:
        return above.copy()
    if part.segment > 1 and part.along.angle(before.along, 0.0) < BENT_HAND:
        return above.copy()
    return above @ _onto(part.along, before.along)


def _onto(a: Vector, b: Vector) -> Quaternion:
    """The smallest turn of one direction to another; none where one has no length."""
    if a.length < 1e-9 or b.length < 1e-9:
        return Quaternion()
    return a.normalized().rotation_difference(b.normalized())


def trunk_line(rig: Rig, part: Part) -> Vector:
    """Where a trunk goes from the body that carries it: to the top of its spine, else as that body does."""
    bones = rig.skeleton.bones
    if part.part != "pelvis" or not rig.spine or rig.long_body is not None:
        return part.along
    top = bones[rig.neck[0]].head if rig.neck else bones[rig.spine[-1]].tail
    line = top - part.head
    return line if line.length > part.along.length else part.along


def joint_turn(rig: Rig, part: Part, before: Part | None, turn: Quaternion, above: Quaternion) -> Quaternion:
    """A joint's axes in the zero pose, model space: Z along the part, X the axis about which it flexes.

    `turn` and `above` are what brings the part and its parent from rest to zero.
    """
    along = turn @ part.along
    along = along.normalized() if along.length > 1e-9 else UP.copy()
    if part.leg >= 0 and part.part.endswith("foot"):
        along = turn @ _foot_direction(rig, part)
        return axes(along, cross(UP, along) if abs(along.z) < PARALLEL else LEFT)
    if part.arm >= 0 and part.segment > 0 and before is not None:
        frame = axes(along, above @ _elbow_axis(part, before))
        return frame @ Quaternion(UP, 0.5 * sum(elbow_room(part, frame))) if part.segment == 1 else frame
    if part.leg >= 0 and part.segment > 0 and _continues(part, before):
        return axes(along, above @ _knee_axis(rest_of(rig, rig.legs[part.leg]), part.segment))
    if part.leg >= 0 or part.arm >= 0:
        return axes(along, forward_axis(along))
    if part.part.startswith("tail"):
        return axes(along, -LEFT)
    return axes(along, LEFT)


def axes(along: Vector, across: Vector) -> Quaternion:
    """The turn of a frame whose Z is `along` and whose X is as near `across` as can be."""
    z = along.normalized()
    x = across - z * across.dot(z)
    for other in (LEFT, UP, BACK):
        if x.length > 0.05:
            break
        x = other - z * other.dot(z)
    x = x.normalized()
    return Matrix((x, cross(z, x), z)).transposed().to_quaternion()


def forward_axis(along: Vector) -> Vector:
    """The axis about which a limb swings forward: to the right of one that hangs, down for one out to the left."""
    if abs(along.normalized().y) > PARALLEL:
        return -LEFT
    return cross(along, FORWARD)


def elbow_room(part: Part, turn: Quaternion) -> tuple[float, float]:
    """Between which angles (radians, about Z, from the X of a frame) the axes lie about which an elbow folds.

    That of the rest pose is X. A swinging arm folds about that of its role, and turns it inward as it folds.
    """
    x, y, z = turn.to_matrix().transposed()
    role = forward_axis(z)
    off = atan2(role.dot(y), role.dot(x))
    if abs(off) > MOST_OFF:
        return 0.0, 0.0
    inward = off + (INWARD if part.side == "L" else -INWARD)
    return min(0.0, off, inward), max(0.0, off, inward)


def _foot_direction(rig: Rig, part: Part) -> Vector:
    """From heel to toe, level; where a foot has no length, the facing."""
    sole = rig.legs[part.leg].sole
    ahead = sole.toe - sole.heel
    if ahead.to_2d().length < 0.02 * rig.leg_length:
        ahead = sole.toe - part.head
    level = Vector((ahead.x, ahead.y, 0.0))
    return level.normalized() if level.length > 0.01 * rig.leg_length else FORWARD.copy()


def _elbow_axis(part: Part, before: Part) -> Vector:
    """The axis about which an elbow flexes, as it rests: the rest pose's where it is clear, else the role's."""
    role = role_axis(before.along + part.along, BACK)
    if part.segment > 1:
        return role
    axis = bend_axis(before.along, part.along)
    if axis is None:
        return role
    if bend_axis(before.along, part.along, CLEAR_BEND) is None and axis.dot(role) < AGREEMENT:
        return role
    return axis


def _knee_axis(rest: LegRest, segment: int) -> Vector:
    """The axis about which a leg's segment flexes against the one before it, as it rests."""
    if rest.fold is None:
        return rest.axis
    return rest.fold.axes[segment - 1]
