"""What of a rig's own channels differs between two motions of it, laid over what its curves say now.

Only curves that change are touched, and of those only frames that change: elsewhere each keeps its value to the bit
(an axis and angle, which have to go on from frame to frame, are written anew as a whole). Euler angles that would not
go straight on from one changed frame to the next get keys between them. For rigs whose bones go where their channels
say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from bpy.types import Object

from ..core.motion.carriers import under
from ..core.motion.clip import Clip
from ..core.space.keys_between import keys_between
from ..core.space.nearest_form import nearest_axis_angles, nearest_euler, nearest_quaternions
from .action_curves import curve_values, turn_name, turns
from .channel_writer import Reading
from .clip_columns import plain_columns
from .key_writing import INTERPOLATION_NUMBERS
from .pose_channels import REST, Channel, Slot
from .pose_writing import location_axes

SAME = 1e-7
"""Numbers of channels that differ by less are one: curves hold them in single precision."""
MOVED = 1e-9
FOLLOWS = (0.02, 0.002)
"""A bone follows its channels if it turns and shifts as they say to within so much: radians, and shares of a leg."""


class Change(NamedTuple):
    """A channel, the times of its keys and their values, (n,) each: all that were asked for, and some between them."""

    channel: Channel
    times: np.ndarray
    values: np.ndarray


class Changed(NamedTuple):
    """What differs. others: bones that something else than their channels moves, so that nothing can be changed."""

    changes: list[Change]
    others: tuple[str, ...]
    problems: tuple[str, ...]


def changes_between(
    obj: Object,
    reading: Reading,
    curves: Sequence[Any],
    times: np.ndarray,
    clips: tuple[Clip, Clip],
    posed: Object | None,
) -> Changed:
    """What of the channels has to change at curve times (F,) so that the first clip (world) becomes the second one.

    posed: the object whose pose says what has no curve; without it that is at rest.
    """
    was, shall = clips
    apart = np.abs(shall.moved - was.moved).max(axis=(0, 2, 3)) > MOVED
    bones = [int(i) for i in np.flatnonzero(apart)]
    if not bones:
        return Changed([], (), ())
    values = curve_values(curves, times, posed)
    way = _way(obj, reading, was, values, posed)
    clips = (under(was, way), under(shall, way))
    old, new = (plain_columns(obj, reading, clip, bones, frozenset()) for clip in clips)
    before = {(slot.bone, slot.name): rows for slot, rows in old.moving}
    changes, touched = [], set()
    for slot, rows in new.moving:
        former = before.get((slot.bone, slot.name), np.broadcast_to(REST[slot.name], rows.shape))
        now = values.get((slot.bone, slot.name), np.tile(_still(obj, slot, posed), (len(times), 1)))
        found = _laid_over(slot, times, now, former, rows)
        touched |= {slot.bone} if found else set()
        changes += found
    others = _others(obj, reading, clips[0], values, posed, touched)
    kept = [problem for problem in new.problems if not problem.bone or problem.bone in touched]
    return Changed(changes, others, tuple(str(problem) for problem in kept))


def write_changes(bag: Any, changes: Sequence[Change]) -> None:
    """Key every changed channel, in the curve that is there or in a new one.

    A curve keeps its group, colour and what makes it go on beyond its keys; other modifiers are in the keys then.
    """
    for channel, times, values in changes:
        points = np.stack([times, values], axis=-1).astype(np.float32)
        kinds = np.full(len(times), INTERPOLATION_NUMBERS["LINEAR"], dtype=np.uint8)
        curve = bag.fcurves.find(channel.data_path, index=channel.index)
        if curve is None:
            curve = bag.fcurves.new(channel.data_path, index=channel.index)
            curve.group = bag.groups.get(channel.group) or bag.groups.new(channel.group)
        for modifier in [item for item in curve.modifiers if item.type != "CYCLES"]:
            curve.modifiers.remove(modifier)
        curve.keyframe_points.clear()
        curve.keyframe_points.add(len(times))
        curve.keyframe_points.foreach_set("co", points.ravel())
        curve.keyframe_points.foreach_set("interpolation", kinds)
        curve.mute = False
        curve.update()


def _laid_over(slot: Slot, times: np.ndarray, now: np.ndarray, former: np.ndarray, rows: np.ndarray) -> list[Change]:
    """The components of a slot that change: the curves' own values where the motion is the same, else the new ones."""
    moves = np.abs(rows - former).max(axis=1) > SAME
    if not moves.any():
        return []
    if slot.name == "rotation_axis_angle":
        moves[:] = True
    near = _nearest(slot, rows, now)
    values = np.where(moves[:, None], near, now)
    changed = np.abs(values - now).max(axis=0) > SAME
    if slot.name == "rotation_euler":
        times, values, between = _with_more_keys(slot, times, values, moves)
        changed |= between
    return [
        Change(Channel(slot.data_path, i, slot.bone), times, values[:, i])
        for i, kept in enumerate(slot.kept)
        if kept and changed[i]
    ]


def _with_more_keys(
    slot: Slot, times: np.ndarray, values: np.ndarray, moves: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times and Euler angles with keys between those that would not go straight on, and which of the three (3,) leave
    their straight lines there.
    """
    places, more = keys_between(values, slot.order, moves[1:] | moves[:-1])
    frames = np.arange(len(times))
    straight = np.stack([np.interp(places, frames, each) for each in values.T], axis=-1)
    order = np.argsort(np.concatenate([frames, places]), kind="stable")
    times = np.concatenate([times, np.interp(places, frames, times)])[order]
    return times, np.concatenate([values, more])[order], np.abs(more - straight).max(axis=0, initial=0.0) > SAME


def _nearest(slot: Slot, rows: np.ndarray, now: np.ndarray) -> np.ndarray:
    if slot.name == "rotation_quaternion":
        return nearest_quaternions(rows, now)
    if slot.name == "rotation_axis_angle":
        return nearest_axis_angles(rows, now)
    return nearest_euler(rows, now, slot.order) if slot.name == "rotation_euler" else rows


def _still(obj: Object, slot: Slot, posed: Object | None) -> tuple[float, ...]:
    """What a property holds that no curve moves."""
    return REST[slot.name] if posed is None else tuple(getattr(obj.pose.bones[slot.bone], slot.name))


def _way(
    obj: Object, reading: Reading, clip: Clip, values: dict[tuple[str, str], np.ndarray], posed: Object | None
) -> np.ndarray:
    """Where model space is at every frame, (F, 4, 4): as the topmost bone above the body and its channels have it."""
    skeleton = clip.rig.skeleton
    body = max(clip.rig.body, 0)
    top = (body, *skeleton.ancestors(body))[-1]
    return np.asarray(clip.moved[:, top] @ np.linalg.inv(_said(obj, reading, top, values, posed, len(clip))))


def _said(
    obj: Object,
    reading: Reading,
    i: int,
    values: dict[tuple[str, str], np.ndarray],
    posed: Object | None,
    count: int,
) -> np.ndarray:
    """How a bone's channels move it from rest under its parent, in model space, (F, 4, 4)."""
    bone = obj.pose.bones[reading.rig.skeleton.bones[i].name]
    basis = np.tile(np.identity(4), (count, 1, 1))
    turn, place = turn_name(bone.rotation_mode), "location"
    for name in (turn, place):
        still = REST[name] if posed is None else tuple(getattr(bone, name))
        rows = values.get((bone.name, name), np.array([still]))
        if name == turn:
            basis[:, :3, :3] = turns(rows, bone.rotation_mode)
        elif not (bone.bone.use_connect and bone.parent is not None):
            axes = location_axes(reading.rig, i, bone, np.array(reading.canonical, dtype=np.float64))
            basis[:, :3, 3] = rows @ axes * reading.scale
    rest = np.array(reading.rig.skeleton.bones[i].rest, dtype=np.float64)
    return np.asarray(rest @ basis @ np.linalg.inv(rest))


def _others(
    obj: Object,
    reading: Reading,
    clip: Clip,
    values: dict[tuple[str, str], np.ndarray],
    posed: Object | None,
    touched: set[str],
) -> tuple[str, ...]:
    """Of the bones that change those that do not go where their channels say: something else moves them."""
    skeleton, found = clip.rig.skeleton, []
    for i, bone in enumerate(skeleton.bones):
        if bone.name not in touched:
            continue
        said = _said(obj, reading, i, values, posed, len(clip))
        shown = clip.moved[:, i]
        if bone.parent >= 0 and bone.inherit_rotation:
            shown = np.linalg.inv(clip.moved[:, bone.parent]) @ shown
        turn = np.abs(shown[:, :3, :3] - said[:, :3, :3]).max()
        head = np.array([*bone.head, 1.0])
        shift = np.abs((shown - said) @ head).max() if bone.inherit_rotation or bone.parent < 0 else 0.0
        constrained = any(not item.mute and item.influence > 0.0 for item in obj.pose.bones[bone.name].constraints)
        if constrained or turn > FOLLOWS[0] or shift > FOLLOWS[1] * reading.rig.leg_length:
            found.append(bone.name)
    return tuple(found)
