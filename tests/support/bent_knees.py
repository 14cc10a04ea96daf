"""A person who stands with bent knees, posed by hand."""

from __future__ import annotations

from mathutils import Matrix, Quaternion, Vector
from surefoot.core.ik.posed import PosedLimb, bring_tip
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rig import Rig


def standing(rig: Rig, sink: float = 0.02, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> EditedPose:
    """A person with bent knees whose feet are as at rest: its pelvis is lower by `sink` and off by `shift`."""
    pose = EditedPose.rest(rig.skeleton)
    feet = [pose.turn(leg.foot) for leg in rig.legs]
    pose.set_model(rig.body, Matrix.Translation(Vector(shift) - Vector((0.0, 0.0, sink))) @ pose.model(rig.body))
    for leg, turn in zip(rig.legs, feet, strict=True):
        bring_tip(pose, PosedLimb.of_leg(rig, leg), leg.tip)
        pose.set_turn(leg.foot, turn)
    return pose


def lifted_heels(rig: Rig, by: float) -> EditedPose:
    """A person with bent knees whose heels are so high, metres, its balls as at rest."""
    pose = standing(rig, 0.06)
    for leg in rig.legs:
        sole = leg.sole.ball - leg.sole.heel
        roll = Quaternion(Vector((0.0, 0.0, 1.0)).cross(sole).normalized(), by / sole.length)
        turn = roll @ pose.turn(leg.foot)
        bring_tip(pose, PosedLimb.of_leg(rig, leg), leg.sole.ball + roll @ (leg.tip - leg.sole.ball))
        pose.set_turn(leg.foot, turn)
    return pose
