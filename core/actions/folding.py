"""How far the legs of a rig fold, and how low its body can lie for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..ik.posed import PosedLimb, bring_tip
from ..rig.edited_pose import EditedPose
from ..rig.rig import Leg, Rig
from .config import RestConfig

X = Vector((1.0, 0.0, 0.0))
# In legs: how far a foot may be off its place, how near the ground a joint may come, by how much a body lies higher
# where its legs do not fold so far.
OFF, CLEAR, STEP = 1e-4, 0.03, 0.02
NEAR = 1e-3
# How much further back or ahead a body may lie for it, in legs, and what is worth it.
ASIDE, BETTER = (0.0, -0.06, 0.06, -0.12, 0.12, -0.18, 0.18), 0.02


class RestingPlace(NamedTuple):
    """How high the rear and the front hips of a resting body are, and how far back it is, metres."""

    rear: float
    front: float
    back: float


def ball_goal(pose: EditedPose, leg: Leg, tip: Vector, heel: float) -> Vector:
    """Where a leg's tip is with its heel up by an angle over the ball of its foot, model space."""
    ball = pose.moved(leg.foot) @ leg.sole.ball
    return ball + Quaternion(X, heel) @ (tip - ball)


def shortest_of(rig: Rig, limb: PosedLimb) -> float:
    """The least distance from root to tip that a leg folds to from its rest pose, metres."""
    pose = EditedPose.rest(rig.skeleton)
    joints = limb.joints(pose)
    bring_tip(pose, limb, joints[0] + NEAR * (joints[-1] - joints[0]))
    return (limb.tip_of(pose) - pose.head(limb.bones[0])).length


def resting_place(rig: Rig, rest: RestConfig, leg: float, rear: Sequence[int], front: Sequence[int]) -> RestingPlace:
    """Where the hips of a resting body are: as asked, or as near to that as its legs fold and its knees have room."""
    best = None
    for aside in ASIDE:
        back = (rest.back + aside) * leg
        heights = [
            _lowest(rig, rest, leg, part, share, back) if part else 0.0
            for part, share in ((rear, rest.height), (front, rest.front))
        ]
        place = RestingPlace(heights[0], heights[1], back)
        if best is None or sum(heights) < best.rear + best.front - BETTER * leg:
            best = place
        if heights[0] <= rest.height * leg and heights[1] <= rest.front * leg:
            break
    assert best is not None
    return best


def _lowest(rig: Rig, rest: RestConfig, leg: float, part: Sequence[int], share: float, back: float) -> float:
    height, most = share * leg, max(rig.legs[i].hip.z for i in part) - rig.floor
    while height < most and not all(_folds(rig, rest, leg, rig.legs[i], height, back) for i in part):
        height += STEP * leg
    return min(height, most)


def _folds(rig: Rig, rest: RestConfig, leg: float, folded: Leg, height: float, back: float) -> bool:
    """True where one leg's foot stays in its place and its joints over the ground, under a hip of some height."""
    pose, limb = EditedPose.rest(rig.skeleton), PosedLimb.of_leg(rig, folded)
    tip = limb.tip_of(pose)
    goal = ball_goal(pose, folded, tip, rest.heel) if folded.foot >= 0 and rest.heel > 0.0 else tip
    sunk = height + rig.floor - folded.hip.z
    pose.set_model(rig.body, Matrix.Translation((0.0, back, sunk)) @ pose.model(rig.body))
    brought = bring_tip(pose, limb, goal)
    lowest = min((joint.z - rig.floor for joint in limb.joints(pose)[1:-1]), default=leg)
    return brought.error <= OFF * leg and lowest >= min(CLEAR * leg, height)
