"""A clip as the channels of a plain rig, all frames at once: each bone in its own mode, without what is locked.

Per bone it is the same as `PlainWriter` writes frame by frame.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import bpy
import numpy as np

from ..core.motion.clip import Clip
from ..core.retarget.channels import Channels, channels_of
from ..core.rig.rig import Problem
from ..core.space.rotation_curves import axis_angles, euler_angles
from .channel_writer import Reading, locked_problem, refused_problem
from .locked_channels import LockedBone, is_locked, kept_values, losses, shown_with_locks
from .pose_channels import REST, Channel, Slot, driven_paths, location_slot, locked_bones, rotation_slot, scale_slot
from .pose_writing import location_axes

Valued = tuple[Slot, np.ndarray]


@dataclass
class Columns:
    """What is keyed: `moving` are slots with a value for each frame, (F, width), `held` are slots with one value, and
    so are the `switches` of a control rig.

    `bones` are all whose place and turn belong to the clip; their other animation is not to play along.
    """

    bones: tuple[str, ...]
    moving: list[Valued] = field(default_factory=list)
    held: list[Valued] = field(default_factory=list)
    switches: list[tuple[Channel, float]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def table(self) -> tuple[list[Channel], np.ndarray]:
        """The channels that move, and their rows (F, channels)."""
        return _table(self.moving)

    def constants(self) -> tuple[list[Channel], np.ndarray]:
        """The channels that are held, and their one row (1, channels)."""
        channels, row = _table([(slot, values[None]) for slot, values in self.held])
        values = np.array([[value for _, value in self.switches]])
        channels += [channel for channel, _ in self.switches]
        return channels, np.concatenate([row.reshape(1, -1), values], axis=1)


@dataclass(frozen=True)
class Hung:
    """What bones hang on where that does not move as it was given to: `carriers` (F, bones, 4, 4), and for the bones
    `apart` others. Only `located` bones may leave their places then.
    """

    carriers: np.ndarray
    located: frozenset[int]
    apart: frozenset[int] = frozenset()
    carriers_apart: np.ndarray | None = None


def plain_columns(
    obj: bpy.types.Object,
    reading: Reading,
    clip: Clip,
    written: Sequence[int],
    animated: Collection[tuple[str, str]],
    hung: Hung | None = None,
) -> Columns:
    """The channels of the bones `written` that give the clip again, with model space where the object stands.

    animated: (bone, property) of what plays along or may have moved a bone: of the written ones it is held at rest.
    """
    maker = _Maker(obj, reading, clip, hung)
    channels = maker.all_channels(written)
    locked = [i for i in written if any(map(is_locked, maker.slots(i, located=i in channels.located)))]
    problems: list[Problem] = []
    if locked:
        carriers = clip.moved if hung is None else hung.carriers
        seen = shown_with_locks(clip, locked, written, channels.located, maker.put, carriers)
        problems = losses(clip, seen, locked)
        channels = maker.with_locations(channels.located).channels(written, seen)
    found = Columns(tuple(clip.rig.skeleton.bones[i].name for i in written), problems=problems)
    for i in written:
        turn, place = maker.values(i, channels)
        found.moving += [turn] if place is None else [turn, place]
    located = {slot.bone for slot, _ in found.moving if slot.name == "location"}
    found.held = settled(obj.pose.bones, found.bones, located, animated)
    return found


@dataclass(frozen=True)
class _Maker:
    """What turns a clip's numbers into those of its armature's channels."""

    obj: bpy.types.Object
    reading: Reading
    clip: Clip
    hung: Hung | None

    def with_locations(self, located: Collection[int]) -> _Maker:
        """The same where no other bones leave their places."""
        return replace(self, hung=Hung(self.clip.moved, frozenset(located)))

    def all_channels(self, written: Sequence[int]) -> Channels:
        """The channels of all bones that are written."""
        if self.hung is None:
            return self.channels(written, None)
        found = self.channels(written, self.hung.carriers)
        apart = [i for i in written if i in self.hung.apart]
        own = self.channels(apart, self.hung.carriers_apart)
        found.rotations[:, apart], found.locations[:, apart] = own.rotations[:, apart], own.locations[:, apart]
        located = {i for i in found.located if i not in self.hung.apart} | set(own.located)
        return found._replace(located=tuple(sorted(located)))

    def channels(self, bones: Sequence[int], carriers: np.ndarray | None) -> Channels:
        """The channels of bones that hang on carriers which move so."""
        found = channels_of(self.clip, bones, carriers)
        if self.hung is None:
            return found
        return found._replace(located=tuple(i for i in found.located if i in self.hung.located))

    def slots(self, i: int, *, located: bool) -> list[Slot]:
        """A bone's rotation, and its location where that is written."""
        name = self.clip.rig.skeleton.bones[i].name
        bone = self.obj.pose.bones[name]
        return [rotation_slot(bone, name), *([location_slot(bone, name)] if located else [])]

    def values(self, i: int, channels: Channels) -> tuple[Valued, Valued | None]:
        """The numbers of a bone's rotation, and of its location where that is written."""
        slots = self.slots(i, located=i in channels.located)
        turn = (slots[0], kept_values(slots[0], in_mode(channels.rotations[:, i], slots[0])))
        if len(slots) < 2:
            return turn, None
        return turn, (slots[1], channels.locations[:, i] @ self.axes(i).T / self.reading.scale)

    def axes(self, i: int) -> np.ndarray:
        """The turn (3, 3) from a bone's own axes to those of its location."""
        bone = self.obj.pose.bones[self.clip.rig.skeleton.bones[i].name]
        return location_axes(self.clip.rig, i, bone, np.array(self.reading.canonical, dtype=np.float64))

    def put(self, i: int, carriers: np.ndarray) -> LockedBone:
        """What a bone is given on carriers that move so."""
        turn, place = self.values(i, self.channels([i], carriers))
        return LockedBone(turn, place, self.axes(i), self.reading.scale)


def in_mode(quaternions: np.ndarray, slot: Slot) -> np.ndarray:
    """Rotations (F, 4), neighbours on one side, as numbers of a slot's mode, each going on from the frame before."""
    if slot.name == "rotation_quaternion":
        return quaternions
    if slot.name == "rotation_axis_angle":
        return axis_angles(quaternions)
    return euler_angles(quaternions, slot.order)


def settled(
    bones: bpy.types.bpy_prop_collection,
    names: Collection[str],
    located: set[str],
    animated: Collection[tuple[str, str]],
) -> list[Valued]:
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
) -> list[Valued]:
    """Those of the slots that are not at rest or may leave it, with their rest."""
    return [
        (slot, np.array(REST[slot.name]))
        for slot in slots
        if (slot.bone, slot.name) in animated or not _rests(getattr(bone, slot.name), slot.name)
    ]


def _rests(value: Sequence[float], name: str) -> bool:
    if name == "rotation_axis_angle":
        return abs(value[0]) < AT_REST
    return all(abs(now - rest) < AT_REST for now, rest in zip(value, REST[name], strict=True))


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
    said = {problem.bone for problem in columns.problems}
    locked = locked_bones([slot for slot, _ in columns.moving])
    columns.problems += [locked_problem(bone) for bone in locked if bone not in said]


def _table(items: Sequence[Valued]) -> tuple[list[Channel], np.ndarray]:
    channels = [
        Channel(slot.data_path, i, slot.bone) for slot, _ in items for i, kept in enumerate(slot.kept) if kept
    ]
    if not channels:
        return [], np.zeros((0, 0))
    return channels, np.concatenate([values[:, list(slot.kept)] for slot, values in items], axis=1)
