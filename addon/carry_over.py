"""Before a pose is written over an animated rig, everything else that is animated on it is read from the evaluation.

Writing re-copies the rig from its original, whose other values may be those of another frame (a render's frame is not
the viewport's). So whatever an Action or strip moves and we do not is first put on the original.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from bpy.types import Object
from bpy.utils import unescape_identifier

from .pose_channels import WIDTHS, Channel
from .saved_state import curves_of

_BONE_WIDTHS = {**WIDTHS, "scale": 3}
_BONES = 'pose.bones["'


class Paths:
    """What is animated on each rig besides our channels, by uid; looked up anew after an Action was edited.

    `forgotten` counts the edits.
    """

    known: dict[int, tuple[tuple[str, int], ...]]
    forgotten = 0


Paths.known = {}


def forget_paths() -> None:
    """An Action was edited or assigned: look again."""
    Paths.known.clear()
    Paths.forgotten += 1


def carry_over(obj: Object, evaluated: Object, channels: Iterable[Channel]) -> None:
    """Put every animated value that is not ours from the evaluated rig on the original."""
    paths = Paths.known.get(obj.session_uid)
    if paths is None:
        ours = {(item.data_path, item.index) for item in channels}
        paths = tuple(path for path in animated_paths(obj) if path not in ours)
        Paths.known[obj.session_uid] = paths
    bones: dict[str, list[tuple[str, int]]] = {}
    for path, index in paths:
        bone, _, name = path.removeprefix(_BONES).rpartition('"].')
        if path.startswith(_BONES) and name in _BONE_WIDTHS:
            bones.setdefault(name, []).append((bone, index))
        else:
            _copy_value(obj, evaluated, path, index)
    for name, places in bones.items():
        _copy_bones(obj, evaluated, name, places)


def animated_paths(obj: Object) -> list[tuple[str, int]]:
    """The paths and indices that the Action's slot and all NLA strips animate."""
    animation = obj.animation_data
    if animation is None:
        return []
    curves: list[Any] = list(curves_of(animation.action, animation.action_slot))
    for track in animation.nla_tracks:
        for strip in track.strips:
            curves += curves_of(strip.action, strip.action_slot)
    return list(dict.fromkeys((curve.data_path, curve.array_index) for curve in curves))


def bone_of(path: str) -> str:
    """The bone whose property this data path is; empty for a path of something else."""
    if not path.startswith(_BONES):
        return ""
    return unescape_identifier(path.removeprefix(_BONES).partition('"]')[0])


def _copy_bones(obj: Object, evaluated: Object, name: str, places: list[tuple[str, int]]) -> None:
    bones, width = obj.pose.bones, _BONE_WIDTHS[name]
    index = {bone: i for i, bone in enumerate(bones.keys())}
    found = [index[bone] * width + i for bone, i in places if bone in index and i < width]
    values, shown = np.empty((2, len(bones) * width), dtype=np.float32)
    bones.foreach_get(name, values)
    evaluated.pose.bones.foreach_get(name, shown)
    values[found] = shown[found]
    bones.foreach_set(name, values)


def _copy_value(obj: Object, evaluated: Object, path: str, index: int) -> None:
    """One value by its path; a path that leads nowhere (a bone that is gone) is left out, as Blender does."""
    owner_path, key, is_item = _split(path)
    try:
        owner = obj.path_resolve(owner_path) if owner_path else obj
        source = evaluated.path_resolve(owner_path) if owner_path else evaluated
        value = source[key] if is_item else getattr(source, key)
    except (ValueError, KeyError, AttributeError):
        return
    if hasattr(value, "__len__") and not isinstance(value, str):
        if index >= len(value):
            return
        target = owner[key] if is_item else getattr(owner, key)
        target[index] = value[index]
    elif is_item:
        owner[key] = value
    elif not owner.is_property_readonly(key):
        setattr(owner, key, value)


def _split(path: str) -> tuple[str, str, bool]:
    """A path's owner, its last name, and whether that is a custom property."""
    if path.endswith('"]'):
        owner, _, key = path[:-2].rpartition('["')
        return owner, key, True
    owner, _, key = path.rpartition(".")
    return owner, key, False
