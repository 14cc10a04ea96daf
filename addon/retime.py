"""Trim and resample: an Action between two frames, and at another rate. All curves of it keep pace with each other."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from bpy.types import Object, Scene
from mathutils import Euler, Quaternion

from ..core.motion.resample import Sampling, sampling, turns_at
from .action_curves import channel_of
from .action_edit import (
    PLAYED,
    Changed,
    Edit,
    Which,
    edited,
    frame_span,
    key_times,
    turn_numbers,
    values_at,
    write_values,
)
from .action_sampling import MOST_FRAMES, times_of
from .curve_keys import put_keys, read_keys
from .keyed_values import curve_time
from .pose_channels import REST, Channel, Slot
from .posed_elements import MOVING
from .refusal import RefusedError
from .saved_state import START_KEY
from .texts import text

# Keys that are no farther apart than this many frames are samples, not an animator's.
SAMPLES = 1.5
TRANSFORMS = (*MOVING, "scale")


def trim(
    obj: Object,
    which: Which = PLAYED,
    frame_start: float | None = None,
    frame_end: float | None = None,
    move_to: float | None = None,
) -> Changed:
    """The Action from one frame to another, all its curves; `move_to` is where its first frame goes then.

    A curve that is cut between two keys gets one there and goes as before. One with modifiers is keyed frame by frame.
    """
    with edited(obj, which, "root_trimmed") as edit:
        first, last = frame_span(edit.action, edit.bag, given=True)
        start = first if frame_start is None else frame_start
        end = last if frame_end is None else frame_end
        if not first - 1e-3 <= start < end <= last + 1e-3:
            raise RefusedError(text("root_bad_range", start=start, end=end, first=first, last=last))
        cut(edit, start, end)
        if START_KEY in edit.action and start > first:
            del edit.action[START_KEY]
        shift = 0.0 if move_to is None else move_to - start
        retime(edit, 1.0, start, shift)
        return edit.changed(len(times_of(start, end)))


def resample(obj: Object, which: Which = PLAYED, fps: float | None = None, source_fps: float | None = None) -> Changed:
    """The Action with `fps` samples a second (None: the scene's rate), keyed where the scene shows those moments.

    source_fps: how many of its frames make a second (None: as the scene plays it): a clip that was captured at another
    rate and imported frame by frame plays at its own speed then. Curves of places and turns are sampled, turns along
    the great arc; all others keep their keys, at the times that these get.
    """
    scene = bpy.context.scene
    rate = frames_a_second(scene)
    target, source = rate if fps is None else fps, rate if source_fps is None else source_fps
    if not (0.0 < target < 1e5 and 0.0 < source < 1e5):
        raise RefusedError(text("root_bad_rate"))
    with edited(obj, which, "root_resampled", fps=round(target, 3)) as edit:
        first, last = frame_span(edit.action, edit.bag)
        plan = sampling(first, last, source=source, target=target, scene=rate)
        if len(plan.times) > MOST_FRAMES:
            raise RefusedError(text("clip_too_long", action=edit.source.name, most=MOST_FRAMES))
        groups = transform_groups(edit)
        rows = {key: _sampled(edit, slot_named(edit.obj, *key), curves, plan) for key, curves in groups.items()}
        retime(edit, rate / source, first, 0.0)
        for (bone, name), values in rows.items():
            path = slot_named(edit.obj, bone, name).data_path
            for index, column in values.items():
                write_values(edit.bag, Channel(path, index, bone), plan.frames, column)
        if plan.rest > 1e-4:
            edit.notes.append(text("root_rest", seconds=plan.rest, fps=target))
        return edit.changed(len(plan.times))


def frames_a_second(scene: Scene) -> float:
    """How many frames of an Action a second has."""
    fps: float = scene.render.fps / scene.render.fps_base
    return fps * curve_time(scene, 1.0)


def cut(edit: Edit, start: float, end: float) -> None:
    """All curves between two frames, and the markers."""
    baked = 0
    for curve in list(edit.bag.fcurves):
        if not len(curve.keyframe_points):
            continue
        if curve.modifiers or read_keys(curve).eased or curve.extrapolation == "LINEAR":
            times = times_of(start, end)
            _, name = channel_of(curve)
            write_values(edit.bag, Channel(curve.data_path, curve.array_index, ""), times, values_at(curve, times))
            baked += name != ""
        else:
            put_keys(curve, read_keys(curve).cut(start, end))
    for marker in [item for item in edit.action.pose_markers if not start <= item.frame <= end]:
        edit.action.pose_markers.remove(marker)
    if edit.action.use_frame_range:
        edit.action.frame_start, edit.action.frame_end = start, end
    if baked:
        edit.notes.append(text("root_baked_curves", count=baked))


def retime(edit: Edit, scale: float, about: float, shift: float) -> None:
    """Times of all keys, the markers and the range, scaled about a frame and shifted."""
    if abs(scale - 1.0) < 1e-9 and abs(shift) < 1e-9:
        return
    odd = 0
    for curve in edit.bag.fcurves:
        if len(curve.keyframe_points):
            put_keys(curve, read_keys(curve).retimed(scale, about, shift))
        odd += any(modifier.type != "CYCLES" for modifier in curve.modifiers)
    for marker in edit.action.pose_markers:
        marker.frame = round(about + (marker.frame - about) * scale + shift)
    if edit.action.use_frame_range:
        ends = [about + (end - about) * scale + shift for end in (edit.action.frame_start, edit.action.frame_end)]
        edit.action.frame_start, edit.action.frame_end = ends
    if odd:
        edit.notes.append(text("root_odd_modifiers", count=odd))


def transform_groups(edit: Edit) -> dict[tuple[str, str], dict[int, Any]]:
    """The curves of places, turns and sizes by bone ("": the object) and property, those that lead somewhere."""
    found: dict[tuple[str, str], dict[int, Any]] = {}
    for curve in edit.bag.fcurves:
        bone, name = channel_of(curve)
        known = not bone or bone in edit.obj.pose.bones
        if known and name in TRANSFORMS and curve.array_index < len(REST[name]) and len(curve.keyframe_points):
            found.setdefault((bone, name), {})[curve.array_index] = curve
    return found


def slot_named(obj: Object, bone: str, name: str) -> Slot:
    """A property of a bone or of the object as a slot, all components kept."""
    holder = obj.pose.bones[bone] if bone else obj
    order = holder.rotation_mode if len(holder.rotation_mode) == 3 else "XYZ"
    values = tuple(getattr(holder, name))
    return Slot(bone, name, order, (True,) * len(values), values)


def _sampled(edit: Edit, slot: Slot, curves: dict[int, Any], plan: Sampling) -> dict[int, np.ndarray]:
    """The components of a property at the moments of a plan."""
    if not slot.name.startswith("rotation") or not _are_samples(curves):
        return {index: values_at(curve, plan.times) for index, curve in curves.items()}
    known = np.unique(np.concatenate([key_times(curve) for curve in curves.values()]))
    turns = turns_at(turns_of(slot, whole_values(slot, curves, known)), known, plan.times)
    first = whole_values(slot, curves, plan.times[:1])[0]
    rows = turn_numbers(slot, turns, first.tolist())
    return {index: rows[:, index] for index in range(len(slot.kept))}


def _are_samples(curves: dict[int, Any]) -> bool:
    """Whether a turn is sampled, by keys about a frame apart, rather than drawn by a few."""
    known = np.unique(np.concatenate([key_times(curve) for curve in curves.values()]))
    plain = not any(curve.modifiers for curve in curves.values())
    return plain and len(known) > 2 and float(np.diff(known).max()) <= SAMPLES


def whole_values(slot: Slot, curves: dict[int, Any], times: np.ndarray) -> np.ndarray:
    """All components of a property at times, (F, width); one without a curve is at rest."""
    rows = np.tile(np.array(REST[slot.name], dtype=np.float64), (len(times), 1))
    for index, curve in curves.items():
        rows[:, index] = values_at(curve, times)
    return rows


def turns_of(slot: Slot, rows: np.ndarray) -> np.ndarray:
    """The numbers (F, width) of a rotation property as turns, (F, 4)."""
    if slot.name == "rotation_quaternion":
        return rows
    if slot.name == "rotation_axis_angle":
        return np.array([tuple(Quaternion(row[1:], row[0])) for row in rows.tolist()])
    return np.array([tuple(Euler(row, slot.order).to_quaternion()) for row in rows.tolist()])
