"""Limits that hold what a character does anyway: poses of its clip that go a little past what its kind of body can.

Rigs differ in where an elbow's axis lies and which bone carries a forearm's turn, and a performer bends farther than a
table says. A joint that its animation takes past its limits could not follow it, and would be pulled back where physics
begins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from math import radians

import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ..motion.clip_pose import ClipPoses
from ..rig.edited_pose import EditedPose
from ..space.rigid import Triple
from .bodies_pose import bodies_of
from .limits import beyond, holding, pose_angles
from .plan import RagdollPlan

# What is farther past a limit than this (radians) is no pose of this joint but a flip of its angles.
MOST_PAST = radians(60.0)
# So many frames of a clip are looked at, evenly.
FRAMES = 48


def holding_poses(plan: RagdollPlan, poses: Iterable[EditedPose], kept: Collection[str] = ()) -> RagdollPlan:
    """The plan with limits wide enough for some poses of its rig; the joints of the roles in `kept` stay."""
    limits: dict[int, tuple[Triple, Triple]] = {}
    for pose in poses:
        for k, angles in enumerate(pose_angles(plan, bodies_of(plan, pose, Matrix()))):
            if angles is None or plan.bodies[k].role in kept or not 0.0 < beyond(plan.bodies[k], angles) <= MOST_PAST:
                continue
            joint = plan.bodies[k].joint
            assert joint is not None
            limits[k] = holding(*limits.get(k, (joint.low, joint.high)), angles)
    if not limits:
        return plan
    bodies = list(plan.bodies)
    for k, (low, high) in limits.items():
        joint = bodies[k].joint
        assert joint is not None
        bodies[k] = replace(bodies[k], joint=replace(joint, low=low, high=high))
    return replace(plan, bodies=tuple(bodies))


def holding_clip(plan: RagdollPlan, clip: ClipPoses, kept: Collection[str] = ()) -> RagdollPlan:
    """The plan with limits wide enough for a clip of its rig, as it is played, but for those in `kept`."""
    count = len(clip.rotations)
    frames = sorted({round(frame) for frame in np.linspace(0, count - 1, min(count, FRAMES))})
    return holding_poses(plan, (_pose(clip, frame) for frame in frames), kept)


def _pose(clip: ClipPoses, frame: int) -> EditedPose:
    rotations = [Quaternion(turn) for turn in clip.rotations[frame].tolist()]
    locations = {i: Vector(place) for i, place in enumerate(clip.locations[frame].tolist()) if any(place)}
    return EditedPose(clip.skeleton, rotations, locations)
