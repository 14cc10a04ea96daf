"""How far a joint goes: the angles that a body has against its parent, and limits that hold a rest pose."""

from __future__ import annotations

from math import asin, atan2, radians

from mathutils import Quaternion

from ..space.rigid import Triple
from .plan import Body, RagdollPlan

# Limits reach at least this far past the rest pose, and the middle axis never comes nearer to a quarter turn (radians).
MARGIN = radians(3.0)
MOST_ASIDE = radians(85.0)
# How far one bone of a spine bends (radians).
MOST_OF_A_BONE = radians(25.0)


def angles_of(turn: Quaternion) -> Triple:
    """The x, y and z (radians) of a turn Rx(x) Ry(y) Rz(z), with y within a quarter turn."""
    m = turn.to_matrix()
    y = asin(min(1.0, max(-1.0, m[0][2])))
    return atan2(-m[1][2], m[2][2]), y, atan2(-m[0][1], m[0][0])


def joint_angles(body: Body, parent: Body, body_turn: Quaternion, parent_turn: Quaternion) -> Triple:
    """How far a body is turned against its parent, from the zero pose, in its joint's frame (radians).

    `body_turn` and `parent_turn` are the two bodies' own turns, in any one space.
    """
    assert body.joint is not None
    frame = Quaternion(body.joint.frame.turn)
    on_body = Quaternion(body.zero.turn).inverted() @ frame
    on_parent = Quaternion(parent.zero.turn).inverted() @ frame
    return angles_of((parent_turn @ on_parent).inverted() @ (body_turn @ on_body))


def pose_angles(plan: RagdollPlan, bodies: tuple[float, ...]) -> list[Triple | None]:
    """The angles of all joints for seven numbers a body; None for what has no joint."""
    turns = [Quaternion(bodies[7 * k + 3 : 7 * k + 7]) for k in range(len(plan.bodies))]
    return [
        None if body.joint is None else joint_angles(body, plan.bodies[body.parent], turns[k], turns[body.parent])
        for k, body in enumerate(plan.bodies)
    ]


def beyond(body: Body, angles: Triple) -> float:
    """By how much the worst of a joint's angles is past its limits, radians; 0 within."""
    assert body.joint is not None
    low, high = body.joint.low, body.joint.high
    return max(0.0, *(max(a - value, value - b) for a, b, value in zip(low, high, angles, strict=True)))


def mirrored(low: Triple, high: Triple) -> tuple[Triple, Triple]:
    """Limits of the left side as the right side has them: to the side and in twist they change places."""
    return (low[0], -high[1], -high[2]), (high[0], -low[1], -low[2])


def wider(low: Triple, high: Triple, off: float) -> tuple[Triple, Triple]:
    """Limits of a hinge that folds about axes up to `off` (radians, about Z) from its X, to either side.

    A turn about such an axis has up to `off` of Y, and folded far half as much again of Z.
    """
    return (low[0], low[1] - off, low[2] - 1.5 * off), (high[0], high[1] + off, high[2] + 1.5 * off)


def of_bones(low: Triple, high: Triple, bones: int) -> tuple[Triple, Triple]:
    """Limits of a stretch of spine of so many bones: none of them bends more than a spine's bone does."""
    most = MOST_OF_A_BONE * bones
    return (max(low[0], -most), max(low[1], -most), max(low[2], -most)), (
        min(high[0], most),
        min(high[1], most),
        min(high[2], most),
    )


def holding(low: Triple, high: Triple, rest: Triple) -> tuple[Triple, Triple]:
    """Limits wide enough for a rest pose."""
    least = [min(a, value - MARGIN) for a, value in zip(low, rest, strict=True)]
    most = [max(b, value + MARGIN) for b, value in zip(high, rest, strict=True)]
    return (least[0], max(least[1], -MOST_ASIDE), least[2]), (most[0], min(most[1], MOST_ASIDE), most[2])
