"""An armature object and some of its bones over an Action: sampled, and led to other places while all else stays.

Named by their bones; "" is the object. Worlds are (F, 4, 4) in scene units. Poses are read from Blender's own
evaluation, so that mechanism bones, constraints and switches of control rigs count as they do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ..core.space.quaternions import continuous, from_matrices
from .action_edit import Edit, turn_numbers, values_at, write_values
from .action_sampling import sampled
from .carry_over import bone_of
from .pose_channels import REST, Channel, Slot, driven_paths, location_slot, rotation_slot
from .travel_writing import ObjectTravel, parent_frame

ROUNDS = 4
# What is nearer than this is where it should be: shares of the rig's size, of how far it is from the origin; radians.
NEAR, FAR, TURNED = 5e-6, 1e-6, 5e-6
MOVING = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle")


@dataclass(frozen=True)
class Poses:
    """The object's world, its parent's frame, and bones in armature space: (F, 4, 4) each."""

    world: np.ndarray
    frame: np.ndarray
    bones: dict[str, np.ndarray]

    def of(self, name: str) -> np.ndarray:
        """An element in the world."""
        return self.world @ self.bones[name] if name else self.world


class _Collected:
    """Takes an evaluated armature frame by frame; no Blender object is kept."""

    def __init__(self, obj: Object, names: Sequence[str]) -> None:
        order = {bone.name: i for i, bone in enumerate(obj.pose.bones)}
        self._names = list(names)
        self._rows = np.array([order[name] for name in names], dtype=np.intp)
        self._buffer = np.empty(len(order) * 16, dtype=np.float32)
        self._worlds: list[np.ndarray] = []
        self._frames: list[np.ndarray] = []
        self._poses: list[np.ndarray] = []

    def add(self, shown: Object) -> None:
        """One frame."""
        shown.pose.bones.foreach_get("matrix", self._buffer)
        # Blender hands matrices out column by column.
        self._poses.append(self._buffer.reshape(-1, 4, 4)[self._rows].transpose(0, 2, 1).copy())
        self._worlds.append(np.array(shown.matrix_world, dtype=np.float64))
        self._frames.append(parent_frame(shown))

    def poses(self) -> Poses:
        """All frames."""
        bones = np.array(self._poses).astype(np.float64)
        by_name = {name: bones[:, i] for i, name in enumerate(self._names)}
        return Poses(np.array(self._worlds), np.array(self._frames), by_name)


def poses_of(edit: Edit, names: Sequence[str], times: np.ndarray) -> Poses:
    """The object and these bones at times of the Action that is changed."""
    collected = _Collected(edit.obj, names)
    sampled(edit.obj, edit.action, edit.slot, collected, times, alone=True)
    return collected.poses()


def moved_elements(edit: Edit) -> set[str]:
    """The bones, and the object (""), whose place or turn the Action holds."""
    bones = edit.obj.pose.bones
    found = set()
    for curve in edit.bag.fcurves:
        bone, name = bone_of(curve.data_path), curve.data_path.rpartition(".")[2]
        if name in MOVING and len(curve.keyframe_points) and (bone in bones or curve.data_path == name):
            found.add(bone)
    return found


def with_parents(obj: Object, names: Sequence[str]) -> list[str]:
    """Bones with those that they hang on; the object is left out."""
    bones = obj.data.bones
    found: dict[str, None] = {}
    for name in names:
        if name:
            found[name] = None
            if bones[name].parent is not None:
                found[bones[name].parent.name] = None
    return list(found)


class Held:
    """Elements that are to be somewhere: `wanted` worlds by name. What is below one that moves is led back to its own.

    `held` is done from the object down: an element is written against its parent as it is by then. Controls that hang
    on others by constraints are found out of place again, and written again.
    """

    def __init__(self, edit: Edit, times: np.ndarray, before: Poses, wanted: Mapping[str, np.ndarray]) -> None:
        self._edit, self._times, self._wanted = edit, times, wanted
        self._now = before
        self._driven = driven_paths(edit.obj)
        # Blender's numbers have seven digits: what is far from the origin is not as exact.
        far = max(float(np.abs(rows[:, :3, 3]).max()) for rows in (before.world, *wanted.values()))
        scale = float(np.linalg.norm(before.world[0, :3, 0]))
        self._size = _size_of(edit.obj)
        self._near = max(NEAR * self._size * scale, FAR * far)
        self._channels: list[Channel] = []
        self._cycles = False

    def hold(self) -> list[str]:
        """Write what has to be written; the names of those that something keeps from their places."""
        tries: dict[str, int] = {}
        while True:
            off = {name for name in self._wanted if self._distance(name) > self._near}
            stuck = {name for name in off if tries.get(name, 0) >= ROUNDS}
            due = [name for name in off - stuck if not self._above(name) & (off - stuck)]
            if not due:
                self._go_on()
                return sorted(stuck)
            for name in sorted(due):
                tries[name] = tries.get(name, 0) + 1
                self._write(name)
            bones = with_parents(self._edit.obj, list(self._wanted))
            self._now = poses_of(self._edit, bones, self._times)

    def _distance(self, name: str) -> float:
        now, wanted = self._now.of(name), self._wanted[name]
        length = self._edit.obj.data.bones[name].length if name else self._size
        points = np.array([[0.0, length, 0.0, 0.0], [0.0, 0.0, length, 0.0], [0.0, 0.0, 0.0, 0.0], [1.0] * 4])
        apart = ((now - wanted) @ points)[:, :3]
        return float(np.linalg.norm(apart, axis=1).max())

    def _above(self, name: str) -> set[str]:
        if not name:
            return set()
        return {"", *(bone.name for bone in self._edit.obj.data.bones[name].parent_recursive)}

    def _write(self, name: str) -> None:
        if name:
            self._write_bone(name)
        else:
            self._write_object()

    def _write_object(self) -> None:
        obj = self._edit.obj
        slots = (location_slot(obj, ""), rotation_slot(obj, ""))
        now, wanted = (_object_channels(obj, poses, self._now.frame) for poses in (self._now.world, self._wanted[""]))
        self._write_slots(slots, now, wanted, self._near)

    def _write_bone(self, name: str) -> None:
        obj = self._edit.obj
        bone, posed = obj.data.bones[name], obj.pose.bones[name]
        target = np.linalg.inv(self._now.world) @ self._wanted[name]
        above = None if bone.parent is None else self._now.bones[bone.parent.name]
        now, wanted = (basis_of(bone, poses, above) for poses in (self._now.bones[name], target))
        self._write_slots((location_slot(posed, name), rotation_slot(posed, name)), now, wanted, NEAR * self._size)

    def _write_slots(
        self,
        slots: tuple[Slot, Slot],
        now: tuple[np.ndarray, np.ndarray],
        wanted: tuple[np.ndarray, np.ndarray],
        near: float,
    ) -> None:
        """Places and turns into the channels that have to change, and no others."""
        place, turn = slots
        if place.data_path not in self._driven:
            for i in range(3):
                if place.kept[i] and np.abs(now[0][:, i] - wanted[0][:, i]).max() > near:
                    self._key(Channel(place.data_path, i, place.bone), wanted[0][:, i])
        dots = np.clip(np.abs(np.sum(now[1] * wanted[1], axis=-1)), 0.0, 1.0)
        if turn.data_path not in self._driven and 2.0 * np.arccos(dots).max() > TURNED:
            rows = turn_numbers(turn, wanted[1], self._first_numbers(turn))
            for i, kept in enumerate(turn.kept):
                if kept:
                    self._key(Channel(turn.data_path, i, turn.bone), rows[:, i])

    def _key(self, channel: Channel, values: np.ndarray) -> None:
        old = self._edit.bag.fcurves.find(channel.data_path, index=channel.index)
        self._cycles = self._cycles or (old is not None and any(item.type == "CYCLES" for item in old.modifiers))
        self._channels.append(channel)
        write_values(self._edit.bag, channel, self._times, values)

    def _go_on(self) -> None:
        """What repeated after its last key still does, and so does all that carries it now."""
        if self._cycles:
            for channel in self._channels:
                repeat(self._edit.bag.fcurves.find(channel.data_path, index=channel.index))

    def _first_numbers(self, slot: Slot) -> list[float]:
        """What the Action holds of a turn at first, so that whole turns and signs go on from there."""
        numbers = list(REST[slot.name])
        for i in range(len(numbers)):
            curve = self._edit.bag.fcurves.find(slot.data_path, index=i)
            if curve is not None and len(curve.keyframe_points):
                numbers[i] = float(values_at(curve, self._times[:1])[0])
        return numbers


def repeat(curve: Any) -> None:
    """Let a curve go on, round after round, by as much as a round brings."""
    if len(curve.keyframe_points) > 1 and not any(item.type == "CYCLES" for item in curve.modifiers):
        modifier = curve.modifiers.new("CYCLES")
        # The signs of a quaternion may be others after a round: the same turn, but no offset.
        plain = curve.data_path.endswith("rotation_quaternion")
        modifier.mode_before = modifier.mode_after = "REPEAT" if plain else "REPEAT_OFFSET"


def basis_of(bone: object, poses: np.ndarray, above: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """A bone's own location (F, 3) and turn (F, 4) for poses (F, 4, 4) in armature space, under its parent's."""
    rows = np.empty((len(poses), 4, 4))
    rest = bone.matrix_local
    for k, pose in enumerate(poses.tolist()):
        if above is None:
            rows[k] = bone.convert_local_to_pose(Matrix(pose), rest, invert=True)
        else:
            rows[k] = bone.convert_local_to_pose(
                Matrix(pose),
                rest,
                parent_matrix=Matrix(above[k].tolist()),
                parent_matrix_local=bone.parent.matrix_local,
                invert=True,
            )
    return rows[:, :3, 3], continuous(from_matrices(rows[:, :3, :3]))


def _object_channels(obj: Object, worlds: np.ndarray, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The object's own location (F, 3) and turn (F, 4) for its worlds, under its parent's frames."""
    travel = ObjectTravel(obj, np.identity(4))
    numbers = [travel.channels(world, frame) for world, frame in zip(worlds, frames, strict=True)]
    places = np.array([location for location, _ in numbers])
    return places, continuous(np.array([tuple(turn) for _, turn in numbers]))


def _size_of(obj: Object) -> float:
    """How large the rest pose is, in armature units."""
    heads = np.array([bone.head_local for bone in obj.data.bones])
    return max(float(np.ptp(heads, axis=0).max()), *(bone.length for bone in obj.data.bones))

