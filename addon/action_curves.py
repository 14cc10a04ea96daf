"""An Action's poses from its F-curves alone, without evaluating any scene: where that gives what Blender shows.

It does for an armature whose bones are moved by nothing but their own channels. Bones follow as in Blender's own rule:
parent, rest under it, location, rotation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ..core.motion.from_channels import LocalMotion, moved_by_channels
from ..core.space.quaternions import to_matrices
from .action_sampling import AT_REST, BONE_PATH
from .clip_sampling import ClipSampler
from .pose_channels import driven_paths
from .rig_reading import Reading
from .saved_state import start_of

SAME = 1e-6
LINEAR = 1
"""The number of that interpolation in bulk access."""
PLACES = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle")
AXES = {"X": 0, "Y": 1, "Z": 2}


def is_plain(obj: Object, bag: Any) -> bool:
    """True where the F-curves of a channelbag alone say how all bones and the object itself move."""
    if not _is_free(obj):
        return False
    channels = [(*channel_of(curve), curve) for curve in bag.fcurves]
    if any(name == "rotation_mode" or name.startswith("delta_") for _, name, _ in channels):
        return False
    if any(name == "scale" and not _is_one(curve) for _, name, curve in channels):
        return False
    own = [name for bone, name, _ in channels if not bone]
    # Of the object all components, since what has no curve would keep what a preview wrote.
    if any(0 < own.count(name) < len(AT_REST[name]) for name in PLACES):
        return False
    located = {bone for bone, name, _ in channels if name == "location"}
    return all(_is_plain_bone(obj, bone, bone.name in located) for bone in obj.pose.bones)


def _is_free(obj: Object) -> bool:
    """Whether nothing but its own channels moves an armature."""
    if any(not item.mute for item in obj.constraints) or obj.parent is not None or not _has_no_deltas(obj):
        return False
    if any(path.startswith(("pose.", "location", "rotation", "scale")) for path in driven_paths(obj)):
        return False
    data = obj.data.animation_data
    return data is None or not (data.drivers or data.action is not None)


def _is_plain_bone(obj: Object, posed: Any, located: bool) -> bool:
    bone = obj.data.bones[posed.name]
    if any(not item.mute and item.influence > 0.0 for item in posed.constraints):
        return False
    return bone.use_inherit_rotation and (bone.use_local_location or not located)


def _has_no_deltas(obj: Object) -> bool:
    turned = (*obj.delta_rotation_euler, *obj.delta_rotation_quaternion[1:], *obj.delta_location)
    return not any(turned) and all(abs(value - 1.0) < SAME for value in obj.delta_scale)


def _is_one(curve: Any) -> bool:
    """Whether a curve says 1 all along."""
    if curve.modifiers or not len(curve.keyframe_points):
        return False
    return bool(np.abs(_keys(curve)[:, 1] - 1.0).max() < 1e-4)


def channel_of(curve: Any) -> tuple[str, str]:
    """The bone ("": the object) and the property that a curve moves."""
    match = BONE_PATH.match(curve.data_path)
    if match is None:
        return "", curve.data_path
    return bpy.utils.unescape_identifier(match.group(1)), curve.data_path[match.end() :].lstrip(".")


def moves_object(obj: Object, bag: Any) -> bool:
    """True where the object itself does not stand still while a channelbag plays on it."""
    if obj.parent is not None or any(not item.mute for item in obj.constraints):
        return True
    channels = map(channel_of, bag.fcurves)
    return any(not bone and name in PLACES for bone, name in channels)


def sampled_from_curves(
    obj: Object, bag: Any, reading: Reading, sampler: ClipSampler, times: np.ndarray, *, alone: bool = True
) -> None:
    """The armature at times of an Action's channelbag; right where `is_plain`.

    What it does not animate is at rest, or, if the Action is not `alone`, as it is posed now.
    """
    values = curve_values(bag.fcurves, times, None if alone else obj)
    rests = np.linalg.inv(sampler.unrest)
    scales = np.linalg.norm(rests[:, :3, 0], axis=1)
    local = {}
    for i, bone in enumerate(reading.rig.skeleton.bones):
        own = _local_motion(obj.pose.bones[bone.name], values, alone=alone)
        if own is not None:
            local[i] = own._replace(place=None if own.place is None else own.place * scales[i])
    rests[:, :3, :3] /= scales[:, None, None]
    world = _object_matrices(obj, start_of(obj) if alone else obj.matrix_basis, values, len(times))
    parents = [bone.parent for bone in reading.rig.skeleton.bones]
    sampler.add_moved(world, moved_by_channels(parents, rests, local, sampler.bases(world)))


def curve_values(
    curves: Iterable[Any], times: np.ndarray, posed: Object | None = None
) -> dict[tuple[str, str], np.ndarray]:
    """Each animated place or turn at all times, (F, components); the components without a curve as `posed`, or at rest.
    """
    found: dict[tuple[str, str], np.ndarray] = {}
    for curve in curves:
        bone, name = channel_of(curve)
        muted = curve.mute or (curve.group is not None and curve.group.mute)
        if name not in AT_REST or muted or curve.array_index >= len(AT_REST[name]) or not len(curve.keyframe_points):
            continue
        if (bone, name) not in found:
            holder = posed if posed is None or not bone else posed.pose.bones.get(bone)
            start = AT_REST[name] if holder is None else tuple(getattr(holder, name))
            found[bone, name] = np.tile(np.array(start, dtype=np.float64), (len(times), 1))
        found[bone, name][:, curve.array_index] = _at(curve, times)
    return found


def _at(curve: Any, times: np.ndarray) -> np.ndarray:
    """A curve's values; those of keys as they are, which is what baked and captured curves have at every frame."""
    if not curve.modifiers:
        keys = _keys(curve)
        if len(keys) == len(times) and np.abs(keys[:, 0] - times).max() < 1e-4:
            return keys[:, 1]
        places = np.clip(np.searchsorted(keys[:, 0], times - 1e-4), 0, len(keys) - 1)
        if np.abs(keys[places, 0] - times).max() < 1e-4:
            return keys[places, 1]
        if curve.extrapolation == "CONSTANT" and _is_linear(curve):
            return np.interp(times, keys[:, 0], keys[:, 1])
    return np.array([curve.evaluate(time) for time in times.tolist()])


def _is_linear(curve: Any) -> bool:
    """Whether straight lines lead from key to key."""
    kinds = np.empty(len(curve.keyframe_points), dtype=np.int32)
    curve.keyframe_points.foreach_get("interpolation", kinds)
    return bool((kinds == LINEAR).all())


def _keys(curve: Any) -> np.ndarray:
    """The keys of a curve, (K, 2): time and value."""
    points = curve.keyframe_points
    flat = np.empty(len(points) * 2, dtype=np.float32)
    points.foreach_get("co", flat)
    return flat.reshape(-1, 2).astype(np.float64)


def _local_motion(posed: Any, values: dict[tuple[str, str], np.ndarray], *, alone: bool) -> LocalMotion | None:
    """A bone's own channels as they are animated, else as they are now or, `alone`, at rest; None at rest.

    A connected bone does not leave its place.
    """
    mode = posed.rotation_mode
    turn, place = values.get((posed.name, turn_name(mode))), values.get((posed.name, "location"))
    if turn is not None:
        turn = turns(turn, mode)
    held = np.identity(4) if alone else _numbers(posed.matrix_basis)
    if not alone and turn is None and np.abs(held[:3, :3] - np.identity(3)).max() > SAME:
        turn = held[:3, :3]
    if posed.bone.use_connect and posed.parent is not None:
        place = None
    elif not alone and place is None and np.abs(held[:3, 3]).max() > 0.0:
        place = held[:3, 3]
    return None if turn is None and place is None else LocalMotion(turn, place)


def _object_matrices(
    obj: Object, start: Matrix, values: dict[tuple[str, str], np.ndarray], count: int
) -> np.ndarray:
    """The object's own transform; what is not animated of it is as at the start."""
    world = np.tile(_numbers(start), (count, 1, 1))
    scale, name = np.linalg.norm(world[0, :3, :3], axis=0), turn_name(obj.rotation_mode)
    if ("", name) in values:
        world[:, :3, :3] = turns(values["", name], obj.rotation_mode) * scale
    if ("", "location") in values:
        world[:, :3, 3] = values["", "location"]
    return world


def turn_name(mode: str) -> str:
    """The property that holds a rotation in a mode."""
    return {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")


def turns(rows: np.ndarray, mode: str) -> np.ndarray:
    """Rotation matrices (F, 3, 3) of channels in a mode."""
    if mode == "QUATERNION":
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        return to_matrices(rows / np.where(length > 0.0, length, 1.0))
    if mode == "AXIS_ANGLE":
        length = np.linalg.norm(rows[:, 1:], axis=1, keepdims=True)
        axes = rows[:, 1:] / np.where(length > 0.0, length, 1.0)
        half = 0.5 * rows[:, :1]
        return to_matrices(np.concatenate([np.cos(half), axes * np.sin(half)], axis=1))
    turn = np.zeros((3, 3, len(rows)))
    turn[0, 0] = turn[1, 1] = turn[2, 2] = 1.0
    angles = np.ascontiguousarray(rows.T)
    cosines, sines = np.cos(angles), np.sin(angles)
    for axis in map(AXES.__getitem__, mode):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        one, other = turn[a].copy(), turn[b]
        turn[a] = cosines[axis] * one - sines[axis] * other
        turn[b] = sines[axis] * one + cosines[axis] * other
    return np.ascontiguousarray(turn.transpose(2, 0, 1))


def _numbers(matrix: Any) -> np.ndarray:
    return np.array([list(row) for row in matrix], dtype=np.float64)
