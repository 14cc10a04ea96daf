"""What the preview writes over, kept in the settings so that it outlives undo, autosave and a reload."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from bpy.types import Action, Object
from mathutils import Matrix

from .keyed_values import basis_at
from .pose_channels import SavedPose, Slot, put_back

START_KEY = "surefoot_start"
OBJECT_PATHS = (("location", 3), ("rotation_quaternion", 4), ("rotation_euler", 3), ("rotation_axis_angle", 4))


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
    slots = tuple(Slot(bone, name, order, tuple(kept), tuple(held)) for bone, name, order, kept, held in data["slots"])
    values = np.array(data["values"], dtype=np.float32)
    return SavedPose(slots, values, tuple((bone, key, value) for bone, key, value in data["switches"]))


def keep_pose(obj: Object, writer: Any) -> None:
    """Remember what the writer's channels hold, and where the object stands if that is written too."""
    obj.surefoot.pose_before = as_text(writer.capture(obj))
    if writer.travel == "OBJECT":
        keep_start(obj, start_of(obj))


def put_pose_back(obj: Object, writer: Any = None) -> None:
    """Give back what was remembered, nothing where nothing was; a rig that was moved by hand stays where it is.

    `writer`: the one that wrote over it, if it is still known.
    """
    if not obj.surefoot.pose_before:
        return
    saved = from_text(obj.surefoot.pose_before)
    if writer is None:
        put_back(obj, saved)
    else:
        writer.restore(obj, saved)
    if any(obj.surefoot.start_matrix) and start_of(obj) != obj.matrix_basis:
        obj.matrix_basis = start_of(obj)


def keep_start(obj: Object, matrix: Matrix) -> None:
    """Remember where the walk begins: the object's own local matrix."""
    obj.surefoot.start_matrix = columns_of(matrix)


def columns_of(matrix: Matrix) -> list[float]:
    """A matrix as 16 numbers, column by column."""
    return [value for column in matrix.col for value in column]


def start_of(obj: Object) -> Matrix:
    """Where the walk begins: as remembered, else where the Action on the rig does, else where the object is."""
    values = obj.surefoot.start_matrix
    if any(values):
        return _matrix(values)
    played = played_start(obj)
    return obj.matrix_basis.copy() if played is None else played


def start_numbers(obj: Object) -> tuple[float, ...]:
    """`start_of` as 16 numbers, column by column: asked at every frame, and read as they are where they are kept."""
    kept = obj.surefoot.start_matrix[:]
    if any(kept):
        return kept
    played = played_start(obj)
    first, second, third, fourth = (obj.matrix_basis if played is None else played).transposed()
    return first[:] + second[:] + third[:] + fourth[:]


def played_start(obj: Object) -> Matrix | None:
    """Where the object stood at the start of the Action on the rig, if that is our bake, or the clip that is to be
    played and moves the object; else None: it stands wherever the present frame has it.
    """
    baked = baked_start(obj)
    settings, animation = obj.surefoot, obj.animation_data
    if baked is not None or animation is None or animation.action is None or settings.base != "CLIP":
        return baked
    curves = curves_of(animation.action, animation.action_slot)
    if animation.action != settings.clip or not curves or not object_is_keyed(obj):
        return None
    given = animation.action.frame_range[0] if animation.action.use_frame_range else None
    return basis_at(obj, min(curve.range()[0] for curve in curves) if given is None else given)


def baked_start(obj: Object) -> Matrix | None:
    """Where the object stood at the start of the bake that is on the rig; None for any other Action."""
    action = obj.animation_data.action if obj.animation_data is not None else None
    values = action.get(START_KEY) if action is not None else None
    return _matrix(values) if values is not None and len(values) == 16 else None


def _matrix(columns: Sequence[float]) -> Matrix:
    return Matrix([columns[0:4], columns[4:8], columns[8:12], columns[12:16]]).transposed()


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
    settings, start = obj.surefoot, played_start(obj)
    settings.action_before = animation.action
    settings.slot_before = animation.action_slot.identifier
    animation.action = None
    if start is not None:
        obj.matrix_basis = start


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


def keep_action(action: Action) -> None:
    """Blender does not save an Action that nothing uses: one that leaves its rig must outlive the file's next save."""
    if action.library is None and action.users == 0:
        action.use_fake_user = True


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


def is_animated(obj: Object) -> bool:
    """True where an Action or an NLA strip plays on the object, so that something may win over what is written."""
    animation = obj.animation_data
    return animation is not None and (animation.action is not None or any(t.strips for t in animation.nla_tracks))


def object_is_keyed(obj: Object) -> bool:
    """True where an Action or strip moves the armature object itself."""
    animation = obj.animation_data
    if animation is None:
        return False
    if any(track.strips for track in animation.nla_tracks):
        return True
    bag = channelbag_of(animation.action, animation.action_slot)
    return bag is not None and any(
        bag.fcurves.find(path, index=i) is not None for path, width in OBJECT_PATHS for i in range(width)
    )
