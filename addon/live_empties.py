"""A hierarchy of empties that a character follows live: what was understood of it, and its pose at any time."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy.types import Depsgraph, Object
from mathutils import Matrix

from ..core.control.source_pose import SourcePose
from ..core.motion.rigid_motion import as_rigid
from ..core.rig.rig import Rig
from .clip_reading import clips
from .ground_set import TimeDependence
from .keyed_values import TRANSFORMS, basis_at, has_plain_action, is_keyed, is_plain_place, plain_matrix
from .motion_empties import LEAST_JOINTS, joints_of, range_of_all, rested_at, worlds_of
from .refusal import RefusedError
from .texts import text

CHANNELS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


@dataclass(frozen=True)
class EmptiesReading:
    """Joints as a rig. unrest (B, 4, 4): what brings each from the world (metres) to its rest in model space; `stand`
    is where that stands.
    """

    rig: Rig
    unrest: np.ndarray
    heads: np.ndarray
    stand: tuple[float, float, float, float]


def read_empties(source: Object, metres: float) -> EmptiesReading:
    """Understand the hierarchy that an empty belongs to; a refusal where that is none."""
    joints = joints_of(source)
    if len(joints) < LEAST_JOINTS:
        raise RefusedError(text("motion_no_joints", name=source.name))
    try:
        first = range_of_all(joints)[0]
    except RefusedError:
        # Nothing animates them: they are followed as they stand, and as somebody moves them.
        first = float(bpy.context.scene.frame_start)
    rested, _, origin = rested_at(joints, first, metres)
    heads = np.array([tuple(bone.head) for bone in rested.rig.skeleton.bones])
    x, y, z = origin.tolist()
    return EmptiesReading(rested.rig, rested.unrest, heads, (x, y, z, -float(rested.yaw.to_euler().z)))


def empties_key(source: Object) -> tuple[str, bool, tuple[Any, ...]]:
    """What decides what is understood of it, whether F-curves alone move it, and what decides its poses.

    The rest pose of empties is taken from what they hold and from their first frame, so that all of it decides both.
    """
    joints = joints_of(source)
    digest = hashlib.sha1(usedforsecurity=False)
    for joint in joints:
        above = joint.parent.name if joint.parent is not None else ""
        animation = joint.animation_data
        said = ""
        if animation is not None and animation.action is not None and animation.action_slot is not None:
            said = clips.digest(animation.action, animation.action_slot.identifier)
        held = [tuple(getattr(joint, name)) for name in CHANNELS if not is_keyed(joint, name)]
        if not has_plain_action(joint, TRANSFORMS):
            held = []
        digest.update(repr((joint.name, above, joint.rotation_mode, said, held)).encode())
        digest.update(repr([list(row) for row in joint.matrix_parent_inverse]).encode())
    time = TimeDependence()
    plain = bool(joints) and all(is_plain_place(joint, time) for joint in joints)
    key = digest.hexdigest()
    return key, plain, (key,)


def empties_shown(source: Object, reading: EmptiesReading, depsgraph: Depsgraph, metres: float) -> SourcePose:
    """Its pose in an evaluated depsgraph."""
    return _poses(reading, worlds_of(joints_of(source), depsgraph, metres)[None])[0]


def empties_at(source: Object, reading: EmptiesReading, times: np.ndarray, metres: float) -> list[SourcePose]:
    """Its poses at curve times, from curves."""
    joints, rows = joints_of(source), []
    for time in times.tolist():
        known: dict[str, Matrix] = {}
        for joint in joints:
            above = None if joint.parent is None else known.get(joint.parent.name)
            if joint.parent is not None and above is None:
                above = plain_matrix(joint.parent, time)
            basis = basis_at(joint, time)
            known[joint.name] = basis if above is None else above @ joint.matrix_parent_inverse @ basis
        rows.append([known[joint.name] for joint in joints])
    worlds = np.array(rows, dtype=np.float64)
    worlds[..., :3, 3] *= metres
    lengths = np.linalg.norm(worlds[..., :3, :3], axis=-2, keepdims=True)
    worlds[..., :3, :3] /= np.where(lengths > 0.0, lengths, 1.0)
    return _poses(reading, worlds)


def _poses(reading: EmptiesReading, worlds: np.ndarray) -> list[SourcePose]:
    if worlds.shape[1] != len(reading.unrest):
        return [SourcePose(row, reading.stand) for row in worlds]
    moved, _ = as_rigid(worlds @ reading.unrest, reading.heads)
    return [SourcePose(row, reading.stand) for row in moved]
