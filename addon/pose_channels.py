"""Which numbers of an armature object are written: their order in a row, and moving rows in and out of Blender.

A row holds one float32 per written channel. It is shown by reading a whole property array, putting our numbers in
and setting the array back: three calls whatever the number of bones. Only names and numbers are kept here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import bpy
import numpy as np

from .switches import Switch, set_switches

PropertyName = Literal["location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale"]

WIDTHS: dict[str, int] = {
    "location": 3,
    "rotation_quaternion": 4,
    "rotation_euler": 3,
    "rotation_axis_angle": 4,
    "scale": 3,
}
REST: dict[str, tuple[float, ...]] = {
    "location": (0.0, 0.0, 0.0),
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
    "scale": (1.0, 1.0, 1.0),
}


# Of each property: places in Blender's whole array, and the row's places that go there.
Targets = dict[str, tuple[np.ndarray, np.ndarray]]


class Slot(NamedTuple):
    """One property of one bone ("" : of the object itself). `order` is the Euler order where there is one.

    `kept` has one truth value a component: False where it is locked; `held` are the values the locked ones hold.
    """

    bone: str
    name: PropertyName
    order: str
    kept: tuple[bool, ...]
    held: tuple[float, ...]

    @property
    def data_path(self) -> str:
        """Blender's path from the object to this property."""
        return f'pose.bones["{bpy.utils.escape_identifier(self.bone)}"].{self.name}' if self.bone else self.name


class Channel(NamedTuple):
    """One number of the row, named as an F-curve names it; `group` is the bone it belongs to ("" : the object)."""

    data_path: str
    index: int
    group: str


@dataclass(frozen=True)
class SavedPose:
    """What a writer's channels and switches held at some moment; numbers and names only.

    `switches` are (bone, custom property or built-in number, value).
    """

    slots: tuple[Slot, ...]
    values: np.ndarray
    switches: tuple[tuple[str, str, bool | int | float], ...] = ()


def rotation_slot(holder: bpy.types.PoseBone | bpy.types.Object, bone: str) -> Slot:
    """The rotation property that the holder's mode uses, without its locked components."""
    locks: tuple[bool, ...] = tuple(holder.lock_rotation)
    mode = holder.rotation_mode
    if mode == "QUATERNION":
        kept = (not holder.lock_rotation_w, *(not lock for lock in locks))
        return Slot(bone, "rotation_quaternion", "", kept, tuple(holder.rotation_quaternion))
    if mode == "AXIS_ANGLE":
        kept = (not holder.lock_rotation_w, *(not lock for lock in locks))
        return Slot(bone, "rotation_axis_angle", "", kept, tuple(holder.rotation_axis_angle))
    return Slot(bone, "rotation_euler", mode, tuple(not lock for lock in locks), tuple(holder.rotation_euler))


def location_slot(holder: bpy.types.PoseBone | bpy.types.Object, bone: str) -> Slot:
    """The location property, without its locked components."""
    return Slot(bone, "location", "", tuple(not lock for lock in holder.lock_location), tuple(holder.location))


def scale_slot(holder: bpy.types.PoseBone, bone: str) -> Slot:
    """The scale property, without its locked components."""
    return Slot(bone, "scale", "", tuple(not lock for lock in holder.lock_scale), tuple(holder.scale))


@dataclass
class PoseChannels:
    """The slots that a writer fills, laid out as one full row (all components) and the row proper (those not locked).

    starts: each slot's first place in the full row. keep: (row length,) places of the full row that are written.
    template: the full row with locked components at what they hold and all others at rest.
    """

    slots: tuple[Slot, ...]
    starts: tuple[int, ...] = field(init=False)
    keep: np.ndarray = field(init=False)
    template: np.ndarray = field(init=False)
    channels: tuple[Channel, ...] = field(init=False)
    _rest: list[float] = field(init=False, repr=False)
    _whole: bool = field(init=False, repr=False)
    _object_slots: list[tuple[str, list[int], list[int]]] = field(init=False, repr=False)
    _bones: dict[str, tuple[list[str], np.ndarray, np.ndarray]] = field(init=False, repr=False)
    _resolved: tuple[int, tuple[tuple[int, str], ...], Targets] | None = field(init=False, default=None, repr=False)

    def __post_init__(self) -> None:
        starts: list[int] = []
        keep: list[int] = []
        template: list[float] = []
        channels: list[Channel] = []
        self._object_slots = []
        places: dict[str, tuple[list[str], list[int], list[int]]] = {}
        for slot in self.slots:
            starts.append(len(template))
            rest = REST[slot.name]
            own = [i for i, kept in enumerate(slot.kept) if kept]
            rows = list(range(len(keep), len(keep) + len(own)))
            keep.extend(starts[-1] + i for i in own)
            template.extend(rest[i] if kept else slot.held[i] for i, kept in enumerate(slot.kept))
            channels.extend(Channel(slot.data_path, i, slot.bone) for i in own)
            if slot.bone:
                names, components, sources = places.setdefault(slot.name, ([], [], []))
                names.extend([slot.bone] * len(own))
                components.extend(own)
                sources.extend(rows)
            elif own:
                self._object_slots.append((slot.name, own, rows))
        self.starts = tuple(starts)
        self.keep = np.array(keep, dtype=np.intp)
        self.template = np.array(template, dtype=np.float64)
        self.channels = tuple(channels)
        self._rest = template
        self._whole = len(keep) == len(template)
        self._bones = {
            name: (names, np.array(components, dtype=np.intp), np.array(sources, dtype=np.intp))
            for name, (names, components, sources) in places.items()
            if names
        }

    def __len__(self) -> int:
        return len(self.channels)

    def rest_row(self) -> list[float]:
        """A full row as plain floats: locked components at what they hold, all others at rest."""
        return self._rest[:]

    def full(self, row: np.ndarray) -> list[float]:
        """A row made full, as plain floats: locked components at what they hold."""
        if self._whole:
            return row.tolist()
        full = self.template.copy()
        full[self.keep] = row
        return full.tolist()

    def kept(self, full: list[float]) -> np.ndarray:
        """The row proper of a full one, float32."""
        row = np.array(full, dtype=np.float32)
        return row if self._whole else row[self.keep]

    def write(self, armature_object: bpy.types.Object, row: np.ndarray) -> None:
        """Put a row (float32, one number a channel) on the object and tag it; bones that are gone are left out."""
        bones = armature_object.pose.bones
        count, targets = self._targets(bones)
        for name, (places, sources) in targets.items():
            values = np.empty(count * WIDTHS[name], dtype=np.float32)
            bones.foreach_get(name, values)
            values[places] = row.take(sources)
            bones.foreach_set(name, values)
        for name, components, places in self._object_slots:
            values = list(getattr(armature_object, name))
            for component, place in zip(components, places, strict=True):
                values[component] = float(row[place])
            setattr(armature_object, name, values)
        armature_object.update_tag(refresh={"OBJECT"})

    def read(self, armature_object: bpy.types.Object) -> np.ndarray:
        """The row that the object holds now (original or evaluated); NaN for bones that are gone."""
        bones = armature_object.pose.bones
        count, targets = self._targets(bones)
        row = np.full(len(self.channels), np.nan, dtype=np.float32)
        for name, (places, sources) in targets.items():
            values = np.empty(count * WIDTHS[name], dtype=np.float32)
            bones.foreach_get(name, values)
            row[sources] = values[places]
        for name, components, places in self._object_slots:
            values = getattr(armature_object, name)
            for component, place in zip(components, places, strict=True):
                row[place] = values[component]
        return row

    def _targets(self, bones: bpy.types.bpy_prop_collection) -> tuple[int, Targets]:
        """Where each channel sits in Blender's arrays; looked up anew when bones were added, removed or reordered."""
        count = len(bones)
        if self._resolved is not None:
            known, sentinels, before = self._resolved
            if known == count and all(bones[i].name == name for i, name in sentinels):
                return count, before
        index = {name: i for i, name in enumerate(bones.keys())}
        targets: Targets = {}
        for prop, (names, components, sources) in self._bones.items():
            bone_index = np.array([index.get(name, -1) for name in names], dtype=np.intp)
            there = bone_index >= 0
            targets[prop] = ((bone_index * WIDTHS[prop] + components)[there], sources[there])
        used = sorted({index[slot.bone] for slot in self.slots if slot.bone in index})
        chosen = {used[0], used[len(used) // 2], used[-1]} if used else set()
        by_index = {i: name for name, i in index.items()}
        self._resolved = (count, tuple((i, by_index[i]) for i in sorted(chosen)), targets)
        return count, targets


def saved_pose(channels: PoseChannels, armature_object: bpy.types.Object) -> SavedPose:
    """What these channels hold on the object now."""
    return SavedPose(channels.slots, channels.read(armature_object))


def put_back(armature_object: bpy.types.Object, saved: SavedPose, known: PoseChannels | None = None) -> None:
    """Give channels and switches back what they held; bones that are gone since are left out.

    `known` is a layout that is there already; it is taken if it is of these slots.
    """
    set_switches(armature_object, [Switch(*item) for item in saved.switches])
    channels = known if known is not None and known.slots == saved.slots else PoseChannels(saved.slots)
    values = np.where(np.isnan(saved.values), channels.template[channels.keep], saved.values)
    channels.write(armature_object, values.astype(np.float32))


def driven_paths(armature_object: bpy.types.Object) -> frozenset[str]:
    """The data paths that have a driver that acts: what is written there is overwritten at once."""
    animation = armature_object.animation_data
    return frozenset(curve.data_path for curve in animation.drivers if not curve.mute) if animation else frozenset()


def without_drivers(slots: Iterable[Slot], driven: frozenset[str]) -> tuple[list[Slot], list[str]]:
    """The slots of bones none of whose properties has a driver, and the names of the other bones ("" : the object)."""
    kept: list[Slot] = []
    refused: list[str] = []
    items = list(slots)
    for slot in items:
        if slot.data_path in driven and slot.bone not in refused:
            refused.append(slot.bone)
    kept.extend(slot for slot in items if slot.bone not in refused)
    return kept, refused


def locked_bones(slots: Sequence[Slot]) -> list[str]:
    """The names of bones with a locked component among the slots ("" : the object), in order."""
    return list(dict.fromkeys(slot.bone for slot in slots if not all(slot.kept)))
