"""An Action played on an armature with nobody looking: which slot is meant, and the evaluated rig at every frame.

The armature plays it in a scene of its own; nothing of the file stays changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object, Scene

from .carry_over import animated_paths, bone_of
from .changes import Walk
from .clip_sampling import ClipSampler
from .refusal import RefusedError, depsgraph_of
from .saved_state import channelbag_of, curves_of, from_text, put_pose_back, start_of
from .switches import Switch, captured, set_switches
from .texts import text

MOST_FRAMES = 30_000
BONE_PATH = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]')
ANIMATION = ("use_nla", "action_influence", "action_blend_type", "action_extrapolation")
AT_REST = {
    "location": (0.0, 0.0, 0.0),
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
    "scale": (1.0, 1.0, 1.0),
}


def slot_of(obj: Object, action: Action, wanted: str) -> Any:
    """The slot asked for, or the one that moves most of the armature's bones."""
    if wanted:
        found = next((item for item in action.slots if item.identifier == wanted), None)
        if found is None:
            raise RefusedError(text("gait_no_slot", action=action.name, slot=wanted))
        return found
    moved = [len(bones_moved(obj, channelbag_of(action, item))) for item in action.slots]
    if not any(moved):
        raise RefusedError(text("gait_other_bones", action=action.name, name=obj.name))
    return action.slots[moved.index(max(moved))]


def bones_moved(obj: Object, bag: Any) -> set[str]:
    """The bones of the armature that a channelbag moves."""
    found = set()
    for curve in bag.fcurves if bag is not None else ():
        match = BONE_PATH.match(curve.data_path)
        if match is not None:
            found.add(bpy.utils.unescape_identifier(match.group(1)))
    return found & {bone.name for bone in obj.pose.bones}


def times_of(start: float, end: float) -> np.ndarray:
    """The times of about one sample a frame, both ends included."""
    return np.linspace(start, end, max(1, round(end - start)) + 1) if end > start else np.array([start])


def rate_of(times: np.ndarray, fps: float) -> float:
    """Samples a second."""
    return fps / float(times[1] - times[0]) if len(times) > 1 else fps


def sampled(
    obj: Object, action: Action, slot: Any, sampler: ClipSampler, times: np.ndarray, *, alone: bool = False
) -> None:
    """The armature at times of the Action. `alone`: what a preview or another Action left on its bones is not seen."""
    with playing(obj, action, slot, alone=alone) as scene:
        for time in times.tolist():
            scene.frame_set(int(time // 1.0), subframe=time % 1.0)
            sampler.add(obj.evaluated_get(depsgraph_of(scene)))


@contextmanager
def playing(obj: Object, action: Action, slot: Any, *, alone: bool) -> Iterator[Scene]:
    """A scene that holds the armature and nothing else, in which it plays the Action; all put back afterwards."""
    had_animation = obj.animation_data is not None
    animation = obj.animation_data or obj.animation_data_create()
    before = {key: getattr(animation, key) for key in ANIMATION}
    action_before, slot_before = animation.action, animation.action_slot
    bag = channelbag_of(action, slot)
    values = _values(obj, [curve.data_path for curve in bag.fcurves] if bag is not None else [])
    outer, Walk.busy = Walk.busy, True
    posed = _cleared(obj) if alone else None
    scene = bpy.data.scenes.new("Surefoot")
    try:
        scene.collection.objects.link(obj)
        animation.use_nla, animation.action_influence, animation.action_blend_type = False, 1.0, "REPLACE"
        animation.action = action
        animation.action_slot = slot
        yield scene
    finally:
        animation.action = action_before
        if action_before is not None and slot_before is not None:
            animation.action_slot = slot_before
        for key, value in before.items():
            setattr(animation, key, value)
        if not had_animation:
            obj.animation_data_clear()
        bpy.data.scenes.remove(scene)
        _put_back(obj, values)
        if posed is not None:
            _pose_again(obj, *posed)
        Walk.busy = outer
        obj.update_tag()


Posed = tuple[dict[str, np.ndarray], dict[str, tuple[float, ...]], tuple[Switch, ...]]


def _cleared(obj: Object) -> Posed:
    """Bones that a preview or an Action moves at rest, switches as they are without the preview; what was is returned.

    How all others are posed stays: mechanism bones may need it.
    """
    bones, kept = obj.pose.bones, {}
    for name, value in AT_REST.items():
        kept[name] = np.empty(len(bones) * len(value), dtype=np.float32)
        bones.foreach_get(name, kept[name])
    placed = {name: tuple(getattr(obj, name)) for name in AT_REST}
    held: tuple[Switch, ...] = ()
    moved = _moved_otherwise(obj)
    if obj.surefoot.pose_before:
        held = captured(obj, [Switch(*item) for item in from_text(obj.surefoot.pose_before).switches])
        put_pose_back(obj)
        obj.matrix_basis = start_of(obj)
    for bone in bones:
        if bone.name in moved:
            for name, value in AT_REST.items():
                setattr(bone, name, value)
    return kept, placed, held


def _moved_otherwise(obj: Object) -> set[str]:
    """The bones that a preview writes, or that the Action on the rig, NLA strips or an Action set aside move."""
    settings = obj.surefoot
    slots = from_text(settings.pose_before).slots if settings.pose_before else ()
    aside = settings.action_before
    paths = [path for path, _ in animated_paths(obj)]
    for slot in aside.slots if aside is not None else ():
        paths += [curve.data_path for curve in curves_of(aside, slot)]
    return {slot.bone for slot in slots} | {bone_of(path) for path in paths}


def _pose_again(
    obj: Object, kept: dict[str, np.ndarray], placed: dict[str, tuple[float, ...]], switches: tuple[Switch, ...]
) -> None:
    """What `_cleared` took away."""
    for name, values in kept.items():
        obj.pose.bones.foreach_set(name, values)
    for name, value in placed.items():
        setattr(obj, name, value)
    set_switches(obj, switches)


def _values(obj: Object, paths: list[str]) -> dict[str, Any]:
    """What the animated properties hold now, by path; those that are not there are left out."""
    found: dict[str, Any] = {}
    for path in dict.fromkeys(paths):
        try:
            owner, key = _owner(obj, path)
            value = owner[key] if path.endswith("]") else getattr(owner, key)
        except (ValueError, KeyError, AttributeError):  # a curve for what this armature does not have
            continue
        found[path] = tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
    return found


def _owner(obj: Object, path: str) -> tuple[Any, str]:
    """What holds the property of a path, and the property's name; a custom property is asked for by its key."""
    holder, _, key = path.rpartition("[" if path.endswith("]") else ".")
    key = bpy.utils.unescape_identifier(key[1:-2]) if path.endswith("]") else key
    return (obj.path_resolve(holder) if holder else obj), key


def _put_back(obj: Object, values: dict[str, Any]) -> None:
    for path, value in values.items():
        owner, key = _owner(obj, path)
        if path.endswith("]"):
            owner[key] = value
        else:
            setattr(owner, key, value)
