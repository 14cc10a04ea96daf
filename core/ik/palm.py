"""What of a hand or a foot touches a thing, and how it lies there.

A place with a turn says how a hand lies as a table in front of it would: with the turn of a character that faces as
the place does, fingers ahead (-Y) and palm down. A foot lies as it stands at rest.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..rig.rig import Arm, Leg, Rig
from ..space.vectors import cross

# Half of a hand's thickness as a share of its length, wrist to fingertips: 28 of 185 mm at the palm.
HALF_THICKNESS = 0.075
# Of a hand's bones those count as fingers that begin this far out, as a share of the farthest: a thumb does not.
FINGER_BASE = 0.6
# Fingers that are this far from the forearm's direction at rest (radians) are none.
ASKEW = math.radians(75.0)


class Touch(NamedTuple):
    """What touches: bone `bone` (-1: none of its own, the limb's last segment), a `point` and the unit `normal` of the
    skin there in its axes, and `lying`: the bone's rotation on a place that has none.
    """

    bone: int
    point: Vector
    normal: Vector
    lying: Quaternion

    @classmethod
    def of_hand(cls, rig: Rig, arm: Arm, grip: float) -> Touch:
        """A palm, `grip` of the way from the wrist to the fingertips."""
        bones = rig.skeleton.bones
        i = arm.hand if arm.hand >= 0 else arm.bones[-1]
        wrist = bones[i].head if arm.hand >= 0 else bones[i].tail
        forearm = wrist - bones[arm.bones[-1]].head
        bases = _finger_bases(rig, i, wrist) if arm.hand >= 0 else []
        ends = [bones[j].tail for j in (i, *rig.skeleton.below[i])] if arm.hand >= 0 else []
        fingers = _finger_direction(bases, ends, wrist, forearm)
        length = max(((end - wrist).dot(fingers) for end in ends), default=0.0)
        normal = _palm_normal(bases, fingers, -1.0 if arm.side == "R" else 1.0)
        point = wrist + (fingers * grip + normal * HALF_THICKNESS) * length
        lying = Matrix((cross(fingers, normal), -fingers, -normal)).transposed().to_quaternion()
        rest = bones[i].rest.to_quaternion()
        back = rest.inverted()
        return cls(arm.hand, rig.skeleton.unrest[i] @ point, back @ normal, lying.inverted() @ rest)

    @classmethod
    def of_foot(cls, rig: Rig, leg: Leg, grip: float) -> Touch:
        """A sole, `grip` of the way from the heel to the ball; a point foot's end."""
        i = leg.foot if leg.foot >= 0 else leg.bones[-1]
        point = leg.chain[-1] if leg.foot < 0 else leg.sole.heel.lerp(leg.sole.ball, grip)
        rest = rig.skeleton.bones[i].rest.to_quaternion()
        down = rest.inverted() @ Vector((0.0, 0.0, -1.0))
        return cls(leg.foot, rig.skeleton.unrest[i] @ point, down, rest)


def _finger_bases(rig: Rig, hand: int, wrist: Vector) -> list[Vector]:
    """Where the fingers begin, at rest; none where fewer than two show how they lie."""
    bones = rig.skeleton.bones
    # A finger may begin with a bone inside the palm: where the next one begins counts then.
    heads = [bones[j].head for j in rig.skeleton.below[hand] if rig.skeleton.children[j]]
    farthest = max(((bones[j].tail - wrist).length for j in rig.skeleton.children[hand]), default=0.0)
    bases = [head for head in heads if FINGER_BASE * farthest <= (head - wrist).length <= farthest]
    return bases if len(bases) > 1 else []


def _finger_direction(bases: list[Vector], ends: list[Vector], wrist: Vector, forearm: Vector) -> Vector:
    """Where the fingers point at rest, a unit vector: by where they begin, or by the hand's farthest end.

    What is far from the forearm's direction is a bone that says nothing of its hand.
    """
    ways = [
        sum((base - wrist for base in bases), Vector()),
        max((end - wrist for end in ends), key=_length, default=Vector()),
    ]
    for way in ways:
        if way.length > 0.0 and way.angle(forearm, 0.0) < ASKEW:
            return way.normalized()
    return forearm.normalized() if forearm.length > 0.0 else Vector((0.0, 0.0, -1.0))


def _length(way: Vector) -> float:
    return way.length


def _palm_normal(bases: list[Vector], fingers: Vector, side: float) -> Vector:
    """Where a palm faces at rest: square to the fingers, down from a level arm, to the body from one that hangs."""
    wish = Vector((-side, 0.0, -1.0))
    spread = max((b - a for k, a in enumerate(bases) for b in bases[k + 1 :]), key=_length, default=Vector())
    across = cross(fingers, spread)
    if across.length > 0.1 * spread.length > 0.0:
        normal = across.normalized()
        return normal if normal.dot(wish) >= 0.0 else -normal
    across = wish - fingers * wish.dot(fingers)
    return across.normalized() if across.length > 0.1 else fingers.orthogonal().normalized()
