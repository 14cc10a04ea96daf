"""The toes of a foot that stands on them, or whose ball they carry: how they lie on a floor."""

from __future__ import annotations

from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..layers.moves_limbs import Limbs
from ..rig.rig import Leg, Rig
from ..space.vectors import cross

UP = Vector((0.0, 0.0, 1.0))


class Toes(NamedTuple):
    """The toes of a foot, all of the rest pose (model space): their bone and its turn, their joint, what of the foot
    touches, the ball that they carry, and what undoes the foot's turn at rest.
    """

    role: str
    bone: int
    rest: Quaternion
    joint: Vector
    touch: Vector
    ball: Vector
    unturn: Quaternion

    @classmethod
    def of(cls, rig: Rig, leg: Leg, limbs: Limbs) -> Toes | None:
        """Those of a leg; None where it has none that carry its ball."""
        if not leg.toes or leg.foot < 0 or leg.sole.ball_bone == leg.foot:
            return None
        role, bones = leg.role.replace("leg", "foot"), rig.skeleton.bones
        bone, foot = leg.sole.ball_bone, bones[leg.foot].rest
        touch = foot @ limbs.known[role].touch.point
        unturn = foot.to_quaternion().inverted()
        return cls(role, bone, bones[bone].rest.to_quaternion(), bones[bone].head, touch, leg.sole.ball.copy(), unturn)

    def flat(self, foot: Quaternion, normal: Vector) -> Quaternion:
        """The turn from rest of toes that lie flat under a foot with a model rotation."""
        turn = foot @ self.unturn
        ahead, up = turn @ Vector((0.0, -1.0, 0.0)), turn @ UP
        # Of a foot on its tip it is its upper side that looks ahead.
        lean, rise = ahead.dot(normal), up.dot(normal)
        along = (ahead - normal * lean) * rise - (up - normal * rise) * lean
        if along.length < 1e-3:
            return turn
        along = along.normalized()
        return Matrix((cross(normal, along), -along, normal)).transposed().to_quaternion()

    def over(self, foot: Quaternion, normal: Vector) -> Vector:
        """From the ball under flat toes to what of the foot touches."""
        turn = foot @ self.unturn
        return turn @ (self.touch - self.joint) - self.flat(foot, normal) @ (self.ball - self.joint)
