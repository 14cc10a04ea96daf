"""The armature object's own channels in an Action: its way where it carries the travel, else the place it stands at."""

from __future__ import annotations

import numpy as np
from bpy.types import Object

from ..core.space.quaternions import continuous, from_matrices
from .channel_writer import Reading
from .clip_columns import Columns, in_mode
from .former_motion import TURNS, Former
from .keyed_values import basis_at
from .pose_channels import location_slot, rotation_slot
from .saved_state import baked_start, object_is_keyed, start_of
from .travel_writing import delta_rotation, parent_frame, place_problems


def base_of(obj: Object, former: Former, time: float) -> np.ndarray:
    """The object's own transform under its parent, deltas included, where the clip begins, (4, 4).

    Of an Action of ours it is where that began from; of another that moves the object, its place at this curve time;
    else the place where it was set down.
    """
    known = any(obj.surefoot.start_matrix) or baked_start(obj) is not None
    if not known and former.action is not None and object_is_keyed(obj):
        return np.array(basis_at(obj, time), dtype=np.float64)
    return np.array(start_of(obj), dtype=np.float64)


def clip_frame(obj: Object, reading: Reading, base: np.ndarray) -> np.ndarray:
    """Where the model space of a standing object is in the scene's world, (4, 4), metres."""
    placed = parent_frame(obj) @ base @ np.linalg.inv(np.array(reading.canonical, dtype=np.float64))
    placed[:3] *= reading.metres
    return placed


def object_columns(
    obj: Object, reading: Reading, base: np.ndarray, way: np.ndarray | None, former: Former, columns: Columns
) -> None:
    """Add the object's channels: the way (F, 4, 4) of its model space; without one, its place where it was animated."""
    place, turn = location_slot(obj, ""), rotation_slot(obj, "")
    if way is None:
        if any(not bone and name in {"location", *TURNS} for bone, name in former.animated):
            location, quaternion = _channels(obj, base[None])
            columns.held += [(place, location[0]), (turn, in_mode(quaternion, turn)[0])]
        return
    canonical = np.array(reading.canonical, dtype=np.float64)
    location, quaternions = _channels(obj, base @ np.linalg.inv(canonical) @ way @ canonical)
    columns.moving += [(place, location), (turn, in_mode(quaternions, turn))]
    columns.problems += place_problems(obj, "OBJECT")


def _channels(obj: Object, bases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Own location (F, 3) and rotation (F, 4) of an object with these transforms (F, 4, 4), deltas taken out."""
    scale = np.array(obj.scale, dtype=np.float64) * np.array(obj.delta_scale)
    unscaled = bases[:, :3, :3] / np.where(scale == 0.0, 1.0, scale)
    delta = np.array(delta_rotation(obj).to_matrix(), dtype=np.float64)
    return bases[:, :3, 3] - np.array(obj.delta_location), continuous(from_matrices(delta.T @ unscaled))
