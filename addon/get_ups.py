"""Which Actions a character gets up by: those in its list, and those that are called as libraries call them.

A character that nothing can hit has none.
"""

from __future__ import annotations

from typing import Any

import bpy
from bpy.types import Action, Object

from ..core.actions.rise_moments import moments_of
from ..core.actions.rise_takes import RiseTake
from ..core.rise_presets import names_of_rises
from .clip_reading import clip_key, clip_poses_of, first_frame_of
from .fall_plan import has_bodies
from .move_clips import moves_enough
from .rig_reading import Reading


def rise_takes_of(obj: Object, reading: Reading) -> tuple[RiseTake, ...]:
    """All get-ups of a character as clips of this rig. A refusal where one in its list is of another armature."""
    found = []
    for entry in _listed(obj):
        poses, first = clip_poses_of(obj, reading, entry.action), first_frame_of(obj, entry.action)
        air = (entry.air_from - first, entry.air_to - first) if entry.leaps else None
        moments = (entry.lying - first, entry.standing - first)
        found.append(RiseTake(entry.action.name, poses, *moments, entry.style, air))
    for action in _by_name(obj):
        poses = clip_poses_of(obj, reading, action)
        found.append(RiseTake(action.name, poses, *moments_of(reading.rig, poses)))
    return tuple(found)


def rise_key(obj: Object) -> tuple[Any, ...]:
    """What decides by which Actions a character gets up, beyond the rig; empty where there are none."""
    told: list[Any] = []
    for entry in _listed(obj):
        air = (entry.air_from, entry.air_to) if entry.leaps else ()
        told += [entry.lying, entry.standing, entry.style, *air, *clip_key(entry.action, "")]
    for action in _by_name(obj):
        told += clip_key(action, "")
    return tuple(told)


def _listed(obj: Object) -> list[Any]:
    if not has_bodies(obj):
        return []
    return [entry for entry in obj.surefoot.get_ups if entry.on and entry.action is not None]


def _by_name(obj: Object) -> list[Action]:
    """Actions that are called as libraries call getting up, with or without an armature's name around it."""
    if not (obj.surefoot.get_ups_by_name and has_bodies(obj)):
        return []
    listed = {entry.action for entry in obj.surefoot.get_ups if entry.action is not None}
    found = []
    for name in names_of_rises():
        for called in (name, f"{obj.name}|{name}", f"Armature|{name}", f"Rig|{name}", f"{name}_{obj.name}"):
            action = bpy.data.actions.get(called)
            if action is not None and action not in listed and action not in found and moves_enough(obj, action):
                found.append(action)
    return found
