"""What plain and control rig writers share: a row's layout, its travel, and moving it in and out of Blender.

`row` turns a PoseFrame into numbers (no Blender data asked), `apply` shows a row, `shown` compares, `capture` and
`restore` keep what was there, `write_keys` bakes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from ..core.rig.pose import Ground, PoseFrame
from ..core.rig.rig import Problem, Rig
from .key_writing import Interpolation, write_keys
from .pose_channels import (
    REST,
    Channel,
    PoseChannels,
    SavedPose,
    Slot,
    driven_paths,
    location_slot,
    locked_bones,
    put_back,
    rotation_slot,
    saved_pose,
    without_drivers,
)
from .rotation_channels import axis_angle_numbers, euler_numbers
from .travel_writing import ObjectTravel, RootTravel, TravelName, place_problems, travel_frame

Driven = tuple[tuple[int, ...], tuple[int, ...]]


class Reading(Protocol):
    """What a writer needs of a rig that was read.

    `scale`: metres of model space per unit of armature space; `metres`: those in a unit of the scene.
    """

    rig: Rig
    canonical: Matrix
    scale: float
    metres: float


class Writer(ABC):
    """The part that plain and control rig writers share; names and numbers only, so that it outlives an undo."""

    def __init__(
        self, armature_object: bpy.types.Object, reading: Reading, slots: list[Slot], travel: TravelName
    ) -> None:
        self.travel: TravelName = travel
        self.problems: list[Problem] = place_problems(armature_object, travel)
        self._canonical = np.array(reading.canonical, dtype=np.float64)
        self._metres = reading.metres
        self._object = ObjectTravel(armature_object, self._canonical, reading.metres)
        self._root_travel = RootTravel(self._canonical, reading.metres)
        self._frame = travel_frame(armature_object, travel)
        if travel == "OBJECT":
            slots = [*slots, location_slot(armature_object, ""), rotation_slot(armature_object, "")]
        kept, refused = without_drivers(slots, driven_paths(armature_object))
        self.problems.extend(refused_problem(bone) for bone in refused)
        self.problems.extend(locked_problem(bone) for bone in locked_bones(kept))
        self._layout = PoseChannels(tuple(kept))
        own = {slot.name == "location": i for i, slot in enumerate(kept) if not slot.bone}
        self._object_location, self._object_rotation = own.get(True), own.get(False)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels of a row, in order."""
        return self._layout.channels

    @property
    def owned(self) -> frozenset[tuple[str, int]]:
        """(data path, index) of all that this writer sets."""
        return frozenset((channel.data_path, channel.index) for channel in self.channels)

    def slot_rows(self, rows: np.ndarray) -> list[tuple[Slot, np.ndarray]]:
        """Rows (F, channels) as each slot's values, (F, width), locked components at what they hold."""
        layout = self._layout
        full = np.tile(layout.template, (len(rows), 1))
        full[:, layout.keep] = rows
        return [
            (slot, full[:, start : start + len(slot.kept)])
            for slot, start in zip(layout.slots, layout.starts, strict=True)
        ]

    def travel_frame(self, evaluated_object: bpy.types.Object) -> np.ndarray:
        """What the travel of this frame is written against (4, 4); hand it to `row` where parents move."""
        return travel_frame(evaluated_object, self.travel)

    @abstractmethod
    def row(self, pose: PoseFrame, previous: np.ndarray | None, frame: np.ndarray | None = None) -> np.ndarray:
        """The channel values of a pose, float32 (channels,).

        previous: the row of the frame before (None at the first), which signs and whole turns continue.
        frame: what travel is written against, from `travel_frame`; by default what it was when the writer was made.
        """

    def apply(self, armature_object: bpy.types.Object, row: np.ndarray) -> None:
        """Show a row: bulk writes and one tag."""
        self._layout.write(armature_object, row)

    def shown(self, evaluated_object: bpy.types.Object, row: np.ndarray) -> bool:
        """True where the evaluated object holds exactly this row."""
        return bool(np.array_equal(self._layout.read(evaluated_object), row))

    def check(self, armature_object: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> list[Problem]:
        """What does not follow what is written; plain channels always do. Not to be called from a frame handler."""
        return []

    def capture(self, armature_object: bpy.types.Object) -> SavedPose:
        """What the channels hold now."""
        return saved_pose(self._layout, armature_object)

    def restore(self, armature_object: bpy.types.Object, saved: SavedPose) -> None:
        """Give the channels back what they held."""
        put_back(armature_object, saved, self._layout)

    def write_keys(
        self,
        channelbag: bpy.types.ActionChannelbag,
        frames: np.ndarray,
        rows: np.ndarray,
        interpolation: Interpolation = "LINEAR",
    ) -> None:
        """Key rows (frames, channels) at frames; everything that playing them needs is in the channelbag then."""
        write_keys(channelbag, self.channels, frames, rows, interpolation)

    def _put_rotation(self, full: list[float], before: list[float] | None, slot: int, rotation: Quaternion) -> None:
        """One rotation into the full row, in its slot's mode and continuing the full row before."""
        item, start = self._layout.slots[slot], self._layout.starts[slot]
        if item.name == "rotation_quaternion":
            w, x, y, z = rotation
            a, b, c, d = REST[item.name] if before is None else before[start : start + 4]
            opposed = w * a + x * b + y * c + z * d < 0.0
            full[start : start + 4] = (-w, -x, -y, -z) if opposed else (w, x, y, z)
            return
        last = REST[item.name] if before is None else before[start : start + len(item.kept)]
        if item.name == "rotation_euler":
            full[start : start + 3] = euler_numbers(rotation, item.order, last)
        else:
            full[start : start + 4] = axis_angle_numbers(rotation, last)

    def _put_object(self, full: list[float], before: list[float] | None, ground: Ground, frame: np.ndarray) -> None:
        """The object's own place into the full row, as far as its channels are written."""
        location, rotation = self._object.place(ground, frame)
        if self._object_location is not None:
            start = self._layout.starts[self._object_location]
            full[start : start + 3] = location
        if self._object_rotation is not None:
            self._put_rotation(full, before, self._object_rotation, rotation)


def refused_problem(bone: str) -> Problem:
    """A bone with a driver is left alone ("": the object)."""
    reason = "A driver sets channels that Surefoot would write" + (", so the bone is left alone." if bone else ".")
    return Problem(bone, reason, "Remove or mute away the driver, or leave it if that is wanted.")


def locked_problem(bone: str) -> Problem:
    """A bone with locked channels loses what they would have shown ("": the object)."""
    return Problem(
        bone,
        "Locked channels are neither changed nor keyed; the pose loses what they would have shown.",
        "Unlock them in the Transform panel if the loss shows.",
    )
