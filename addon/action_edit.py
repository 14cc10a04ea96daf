"""An Action changed beside the old one: the copy that is worked on, its channels in bulk, and putting it on the rig.

Curves that nobody touches stay as they are, with their keys, handles, modifiers and groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import bpy
import numpy as np
from bpy.types import Action, Object
from mathutils import Quaternion

from .action_sampling import MOST_FRAMES, slot_of, times_of
from .bake_record import read_record, write_record
from .key_writing import write_keys
from .pose_channels import Channel, Slot
from .refusal import RefusedError, why_not_armature
from .rotation_channels import axis_angle_numbers, euler_numbers
from .saved_state import assign, channelbag_of, curves_of, keep_action
from .texts import text

SAME_TIME = 1e-3
CONSTANT = 1e-7


class Which(NamedTuple):
    """The Action that is meant (None: the one that the armature plays) and its slot (""), whether the result takes its
    place in the file (`replace`), and whether the armature plays it then (`assign`).
    """

    action: Action | None = None
    slot: str = ""
    replace: bool = False
    assign: bool = True


PLAYED = Which()
"""What the armature plays, a new Action beside it."""


class Changed(NamedTuple):
    """What came of it: the Action's name, the samples that were worked on, and sentences on what to know of it."""

    action: str
    frames: int
    notes: tuple[str, ...] = ()


@dataclass
class Edit:
    """A copy of an Action, being changed."""

    obj: Object
    source: Action
    action: Action
    slot: Any
    name: str
    notes: list[str] = field(default_factory=list)

    @property
    def bag(self) -> Any:
        """The channelbag that is changed."""
        return channelbag_of(self.action, self.slot)

    def changed(self, frames: int) -> Changed:
        """The result."""
        return Changed(self.name, frames, tuple(self.notes))


@contextmanager
def edited(obj: Object, which: Which, name: str, *, same_steps: bool = False, **values: object) -> Iterator[Edit]:
    """A copy of the Action to change, called after it by the text `name`, and played afterwards.

    Where anything is refused, nothing is made. same_steps: feet stand when and where they did, so that what a bake of
    ours has planned still holds.
    """
    source, slot = _meant(obj, which)
    _check_sound(source, slot)
    if which.replace:
        _check_replaced(source)
    action = source.copy()
    try:
        action.name = text(name, name=source.name, **values)
        own = next(item for item in action.slots if item.identifier == slot.identifier)
        if not which.replace:
            for other in [item for item in action.slots if item.identifier != own.identifier]:
                action.slots.remove(other)
        edit = Edit(obj, source, action, own, source.name if which.replace else action.name)
        yield edit
    except BaseException:
        bpy.data.actions.remove(action)
        raise
    _keep_record(edit, same_steps=same_steps)
    _put(edit, which)


def _meant(obj: Object, which: Which) -> tuple[Action, Any]:
    """The Action and slot that are meant; a refusal says what is in the way."""
    reason = why_not_armature(obj)
    if reason:
        raise RefusedError(reason)
    if obj.surefoot.preview:
        raise RefusedError(text("gait_previewed", name=obj.name))
    animation = obj.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise RefusedError(text("tweak_mode", name=obj.name))
    if obj.hide_viewport:
        raise RefusedError(text("hidden", name=obj.name))
    action = which.action or (animation.action if animation is not None else None)
    if action is None:
        strips = animation is not None and any(len(track.strips) for track in animation.nla_tracks)
        raise RefusedError(text("root_only_strips" if strips else "root_no_action", name=obj.name))
    slot = animation.action_slot if animation is not None and action == animation.action else None
    if which.slot or slot is None:
        slot = slot_of(obj, action, which.slot)
    if not curves_of(action, slot):
        raise RefusedError(text("gait_other_bones", action=action.name, name=obj.name))
    return action, slot


def _check_sound(source: Action, slot: Any) -> None:
    for curve in curves_of(source, slot):
        wrong = next((k for k, key in enumerate(keys_of(curve)) if not np.isfinite(key).all()), None)
        if wrong is not None:
            raise RefusedError(text("root_no_number", action=source.name, path=curve.data_path, number=wrong + 1))


def _check_replaced(source: Action) -> None:
    if not source.is_editable:
        raise RefusedError(text("root_linked_action", action=source.name))


def _keep_record(edit: Edit, *, same_steps: bool) -> None:
    """What a bake of ours wrote stays known as its own, so that another bake takes it away again."""
    record = read_record(edit.source)
    if record is None:
        return
    slot = next(item for item in edit.source.slots if item.identifier == edit.slot.identifier)
    before = {(curve.data_path, curve.array_index) for curve in curves_of(edit.source, slot)}
    fresh = [(curve.data_path, curve.array_index) for curve in edit.bag.fcurves]
    channels = (*record.channels, *(item for item in fresh if item not in before))
    write_record(edit.action, replace(record, channels=channels, planned=record.planned and same_steps))


def _put(edit: Edit, which: Which) -> None:
    """The finished Action in its place: on the rig, beside the old one or instead of it."""
    obj, source, action = edit.obj, edit.source, edit.action
    identifier = edit.slot.identifier
    if which.replace:
        name = source.name
        source.user_remap(action)
        action.use_fake_user = source.use_fake_user
        bpy.data.actions.remove(source)
        action.name = name
    else:
        action.use_fake_user = False
        if action.asset_data is not None:
            action.asset_clear()
    if which.assign or which.replace and obj.animation_data is not None and obj.animation_data.action == action:
        assign(obj, action, identifier)
    if not which.replace:
        keep_action(source)
    keep_action(action)
    obj.update_tag()


def frame_span(action: Action, bag: Any, *, given: bool = False) -> tuple[float, float]:
    """From the slot's first key to its last; `given`: the range that a person gave the Action, if there is one."""
    if given and action.use_frame_range:
        first, last = action.frame_range
    else:
        ranges = [curve.range() for curve in bag.fcurves if len(curve.keyframe_points)]
        if not ranges:
            raise RefusedError(text("root_no_keys", action=action.name))
        first, last = min(a for a, _ in ranges), max(b for _, b in ranges)
    if last - first > MOST_FRAMES:
        raise RefusedError(text("clip_too_long", action=action.name, most=MOST_FRAMES))
    return float(first), float(last)


def moments(edit: Edit, curves: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """All times to sample at: about one a frame, and the keys of these curves; and which of them are the even ones."""
    first, last = frame_span(edit.action, edit.bag)
    even = times_of(first, last)
    keys = [key_times(curve) for curve in curves] or [even[:0]]
    keyed = np.unique(np.concatenate(keys))
    keyed = keyed[(keyed > first) & (keyed < last)]
    nearest = np.abs(even[np.clip(np.searchsorted(even, keyed), 0, len(even) - 1)] - keyed)
    before = np.abs(even[np.clip(np.searchsorted(even, keyed) - 1, 0, len(even) - 1)] - keyed)
    between = keyed[(nearest > SAME_TIME) & (before > SAME_TIME)]
    times = np.sort(np.concatenate([even, between]))
    return times, np.searchsorted(times, even)


def key_times(curve: Any) -> np.ndarray:
    """The times of a curve's keys, (K,)."""
    return keys_of(curve)[:, 0]


def keys_of(curve: Any) -> np.ndarray:
    """The keys of a curve, (K, 2): time and value."""
    points = curve.keyframe_points
    flat = np.empty(len(points) * 2, dtype=np.float32)
    points.foreach_get("co", flat)
    return flat.reshape(-1, 2).astype(np.float64)


def values_at(curve: Any, times: np.ndarray) -> np.ndarray:
    """What a curve says at times, (F,)."""
    return np.array([curve.evaluate(time) for time in times.tolist()])


def write_values(bag: Any, channel: Channel, times: np.ndarray, values: np.ndarray) -> None:
    """One channel keyed at all times, linearly; one key does for what never changes. The curve's group stays."""
    if np.ptp(values) <= CONSTANT * max(1.0, float(np.abs(values).max())):
        times, values = times[:1], values[:1]
    old = bag.fcurves.find(channel.data_path, index=channel.index)
    known, muted, group = old is not None, old is not None and old.mute, old.group if old is not None else None
    write_keys(bag, (channel if group is None else channel._replace(group=group.name),), times, values[:, None])
    fresh = bag.fcurves.find(channel.data_path, index=channel.index)
    fresh.mute = muted
    if known and group is None:
        fresh.group = None


def turn_numbers(slot: Slot, turns: np.ndarray, before: Sequence[float]) -> np.ndarray:
    """Turns (F, 4) of even sign in the numbers of a slot's mode, (F, width), going on from the numbers `before`."""
    if slot.name == "rotation_quaternion":
        return turns if float(np.dot(turns[0], before)) >= 0.0 else -turns
    rows, last = [], tuple(before)
    for row in turns.tolist():
        turn = Quaternion(row)
        last = (
            euler_numbers(turn, slot.order, last)
            if slot.name == "rotation_euler"
            else axis_angle_numbers(turn, last)
        )
        rows.append(last)
    return np.array(rows)
