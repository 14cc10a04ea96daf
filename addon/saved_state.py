"""What the preview writes over, kept in the settings so that it outlives undo, autosave and a reload."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from bpy.types import Action, Object
from mathutils import Matrix

from .pose_channels import SavedPose, Slot


def as_text(saved: SavedPose) -> str:
    """A saved pose as JSON (float32 values survive exactly)."""
    return json.dumps(
        {
            "slots": [[slot.bone, slot.name, slot.order, list(slot.kept), list(slot.held)] for slot in saved.slots],
            "values": [float(value) for value in saved.values],
            "switches": [list(item) for item in saved.switches],
        },
        separators=(",", ":"),
    )


def from_text(text: str) -> SavedPose:
    """A saved pose from what `as_text` wrote."""
    data = json.loads(text)
    slots = tuple(
        Slot(bone, name, order, tuple(kept), tuple(held)) for bone, name, order, kept, held in data["slots"]
    )
    values = np.array(data["values"], dtype=np.float32)
    return SavedPose(slots, values, tuple((bone, key, value) for bone, key, value in data["switches"]))


def keep_pose(obj: Object, writer: Any) -> None:
    """Remember what the writer's channels hold, and where the object stands."""
    obj.surefoot.pose_before = as_text(writer.capture(obj))
    keep_start(obj, obj.matrix_basis)


def put_pose_back(obj: Object, writer: Any) -> None:
    """Give back what was remembered; nothing where nothing was."""
    if obj.surefoot.pose_before:
        writer.restore(obj, from_text(obj.surefoot.pose_before))


def keep_start(obj: Object, matrix: Matrix) -> None:
    """Remember where the walk begins: the object's own local matrix."""
    obj.surefoot.start_matrix = [value for column in matrix.col for value in column]


def start_of(obj: Object) -> Matrix:
    """Where the walk begins; where nothing was remembered, where the object is."""
    values = obj.surefoot.start_matrix
    if not any(values):
        return obj.matrix_basis.copy()
    return Matrix([values[0:4], values[4:8], values[8:12], values[12:16]]).transposed()


def forget(obj: Object) -> None:
    """Nothing is written over any more."""
    settings = obj.surefoot
    settings.pose_before = ""
    settings.start_matrix = (0.0,) * 16


def set_action_aside(obj: Object, channels: frozenset[tuple[str, int]]) -> None:
    """Take the Action off while previewing, if it holds nothing but channels that are written anyway."""
    animation = obj.animation_data
    if animation is None or animation.action is None or animation.use_tweak_mode:
        return
    curves = curves_of(animation.action, animation.action_slot)
    if not curves or any((curve.data_path, curve.array_index) not in channels for curve in curves):
        return
    settings = obj.surefoot
    settings.action_before = animation.action
    settings.slot_before = animation.action_slot.identifier
    animation.action = None


def put_action_back(obj: Object) -> None:
    """The Action that was set aside plays again, unless somebody gave the rig another one meanwhile."""
    settings = obj.surefoot
    action, identifier = settings.action_before, settings.slot_before
    settings.action_before, settings.slot_before = None, ""
    if action is None:
        return
    animation = obj.animation_data or obj.animation_data_create()
    if animation.action is None:
        assign(obj, action, identifier)


def assign(obj: Object, action: Action, identifier: str) -> None:
    """Give the object an Action with this slot (an Action alone may choose none, and then plays nothing)."""
    animation = obj.animation_data or obj.animation_data_create()
    animation.action = action
    slot = next((item for item in action.slots if item.identifier == identifier), None)
    if slot is None and animation.action_suitable_slots:
        slot = animation.action_suitable_slots[0]
    if slot is not None:
        animation.action_slot = slot


def curves_of(action: Action | None, slot: Any) -> list[Any]:
    """The F-curves that an Action holds for a slot."""
    bag = channelbag_of(action, slot)
    return list(bag.fcurves) if bag is not None else []


def channelbag_of(action: Action | None, slot: Any) -> Any:
    """The channelbag of a slot, or None."""
    if action is None or slot is None:
        return None
    for layer in action.layers:
        for strip in layer.strips:
            bag = strip.channelbag(slot)
            if bag is not None:
                return bag
    return None
