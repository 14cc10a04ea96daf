"""A clip as the channels of a plain rig, all frames at once: each bone in its own mode, without what is locked.

Per bone it is the same as `PlainWriter` writes frame by frame.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import bpy
import numpy as np

from ..core.motion.clip import Clip
from ..core.retarget.channels import channels_of
from ..core.rig.rig import Problem
from ..core.space.quaternions import continuous
from ..core.space.rotation_curves import axis_angles, euler_angles
from .channel_writer import Reading, locked_problem, refused_problem
from .pose_channels import REST, Channel, Slot, driven_paths, location_slot, locked_bones, rotation_slot, scale_slot
from .pose_writing import location_axes


@dataclass
class Columns:
    """What is keyed: `moving` are slots with a value for each frame, (F, width), `held` are slots with one value, and
    so are `switches` of a control rig.

    `bones` are all whose place and turn belong to the clip; their other animation is not to play along.
    """

    bones: tuple[str, ...]
    moving: list[tuple[Slot, np.ndarray]] = field(default_factory=list)
    held: list[tuple[Slot, np.ndarray]] = field(default_factory=list)
    switches: list[tuple[Channel, float]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def table(self) -> tuple[list[Channel], np.ndarray]:
        """The channels that move, and their rows (F, channels)."""
        return _table(self.moving)

    def constants(self) -> tuple[list[Channel], np.ndarray]:
        """The channels that are held, and their one row (1, channels)."""
        channels, row = _table([(slot, values[None]) for slot, values in self.held])
        values = np.array([[value for _, value in self.switches]])
        return channels + [channel for channel, _ in self.switches], np.concatenate([row.reshape(1, -1), values], axis=1)


def plain_columns(
    obj: bpy.types.Object,
    reading: Reading,
    clip: Clip,
    written: Sequence[int],
    animated: Collection[tuple[str, str]],
    carriers: np.ndarray | None = None,
) -> Columns:
    """The channels of the bones `written` that give the clip again, with model space where the object stands.

    animated: (bone, property) of what plays along or may have moved a bone: of the written ones it is held at rest.
    carriers: see `channels_of`.
    """
    skeleton, bones = clip.rig.skeleton, obj.pose.bones
    names = {i: skeleton.bones[i].name for i in written}
    channels = channels_of(clip, written, carriers)
    turns = {i: (rotation_slot(bones[name], name), channels.rotations[:, i]) for i, name in names.items()}
    moving = [(slot, in_mode(quaternions, slot)) for slot, quaternions in turns.values()]
    for i in channels.located:
        axes = location_axes(clip.rig, i, bones[names[i]], np.array(reading.canonical, dtype=np.float64))
        moving.append((location_slot(bones[names[i]], names[i]), channels.locations[:, i] @ axes.T / reading.scale))
    located = {names[i] for i in channels.located}
    return Columns(tuple(names.values()), moving, settled(bones, names.values(), located, animated))


def in_mode(quaternions: np.ndarray, slot: Slot) -> np.ndarray:
    """Rotations (F, 4) as the numbers of a slot's mode, each going on from the frame before."""
    if slot.name == "rotation_quaternion":
        return continuous(quaternions)
    if slot.name == "rotation_axis_angle":
        return axis_angles(quaternions)
    return euler_angles(quaternions, slot.order)


def settled(
    bones: bpy.types.bpy_prop_collection,
    names: Collection[str],
    located: set[str],
    animated: Collection[tuple[str, str]],
) -> list[tuple[Slot, np.ndarray]]:
    """Location and scale of written bones that are or may get moved by something else, at rest."""
    found = []
    for name in names:
        bone = bones[name]
        fixed = bone.bone.use_connect and bone.parent is not None
        slots = [] if name in located or fixed else [location_slot(bone, name)]
        found += _at_rest(bone, [*slots, scale_slot(bone, name)], animated)
    return found


def hold_at_rest(
    obj: bpy.types.Object, name: str, columns: Columns, animated: Collection[tuple[str, str]]
) -> None:
    """Hold a bone that is not to move at all, where something else moves it."""
    if name in obj.pose.bones and name not in columns.bones:
        bone = obj.pose.bones[name]
        slots = [rotation_slot(bone, name), location_slot(bone, name), scale_slot(bone, name)]
        columns.bones = (*columns.bones, name)
        columns.held += _at_rest(bone, slots, animated)


def _at_rest(
    bone: bpy.types.PoseBone, slots: Sequence[Slot], animated: Collection[tuple[str, str]]
) -> list[tuple[Slot, np.ndarray]]:
    """Those of the slots that are not at rest or may leave it, with their rest."""
    return [
        (slot, np.array(REST[slot.name]))
        for slot in slots
        if (slot.bone, slot.name) in animated or not _rests(getattr(bone, slot.name), slot.name)
    ]


def _rests(value: Sequence[float], name: str) -> bool:
    if name == "rotation_axis_angle":
        return abs(value[0]) < AT_REST
    return bool(np.allclose(value, REST[name], atol=AT_REST))


# What Blender's importers leave of a rest pose in single precision.
AT_REST = 1e-6


def leave_what_is_driven(obj: bpy.types.Object, columns: Columns) -> None:
    """Take out bones with a property that a driver sets, which would win over the keys; and say what is locked."""
    driven = driven_paths(obj)
    refused = {slot.bone for slot, _ in [*columns.moving, *columns.held] if slot.data_path in driven}
    if refused:
        columns.moving = [item for item in columns.moving if item[0].bone not in refused]
        columns.held = [item for item in columns.held if item[0].bone not in refused]
        columns.problems += [refused_problem(bone) for bone in (*columns.bones, "") if bone in refused]
        columns.bones = tuple(bone for bone in columns.bones if bone not in refused)
    columns.problems += [locked_problem(bone) for bone in locked_bones([slot for slot, _ in columns.moving])]


def _table(items: Sequence[tuple[Slot, np.ndarray]]) -> tuple[list[Channel], np.ndarray]:
    channels = [
        Channel(slot.data_path, i, slot.bone) for slot, _ in items for i, kept in enumerate(slot.kept) if kept
    ]
    if not channels:
        return [], np.zeros((0, 0))
    return channels, np.concatenate([values[:, list(slot.kept)] for slot, values in items], axis=1)
