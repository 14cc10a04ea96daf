"""Which Actions a character has for moves that no gait has: those chosen, else those found by their names."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.types import Action, Object

from ..core.layers.moves_clips import MoveClip
from ..core.move_presets import moves
from .action_sampling import bones_moved
from .clip_reading import clip_key, clip_poses_of
from .move_properties import MOVE_CLIPS
from .rig_reading import Reading
from .saved_state import channelbag_of

ENOUGH = 0.5
"""An Action that is found by its name moves at least this share of an armature's deforming bones."""


def has_moves(obj: Object) -> bool:
    """True for a character that may do moves that no gait has."""
    settings = obj.surefoot
    return settings.body == "CAPSULE" and settings.parkour


def move_actions(obj: Object) -> dict[str, Action]:
    """The Actions of a character's moves, by what they are of: a move, or a move and its variant."""
    if not has_moves(obj):
        return {}
    chosen = obj.surefoot.moves
    found = {}
    for name, (key, _) in MOVE_CLIPS.items():
        action = getattr(chosen, name) or (_by_name(obj, key) if chosen.by_name else None)
        if action is not None:
            found[key] = action
    return found


def move_clips_of(obj: Object, reading: Reading) -> tuple[MoveClip, ...]:
    """The same as clips of this rig. A refusal where one that was chosen is of another armature."""
    return tuple((key, clip_poses_of(obj, reading, action)) for key, action in move_actions(obj).items())


def moves_key(obj: Object) -> tuple[Any, ...]:
    """What decides how a character's moves are posed, beyond the rig; empty where it has none."""
    if not has_moves(obj):
        return ()
    clips = [(key, *clip_key(action, "")) for key, action in move_actions(obj).items()]
    return ("PARKOUR", *(value for row in clips for value in row))


def _by_name(obj: Object, key: str) -> Action | None:
    """An Action that is called as libraries call this move, with or without the name of an armature around it."""
    move, _, variant = key.partition(" ")
    table = moves().get(move)
    if table is None:
        return None
    for name in (*table.clips.get(variant, ()), *table.clips.get("", ())):
        for called in (name, f"{obj.name}|{name}", f"Armature|{name}", f"Rig|{name}", f"{name}_{obj.name}"):
            action = bpy.data.actions.get(called)
            if action is not None and moves_enough(obj, action):
                return action
    return None


def moves_enough(obj: Object, action: Action) -> bool:
    """Whether an Action is one of this armature: it moves a good part of its bones."""
    bones = {bone.name for bone in obj.data.bones if bone.use_deform} or {bone.name for bone in obj.data.bones}
    moved = [len(bones & bones_moved(obj, channelbag_of(action, slot))) for slot in action.slots]
    return max(moved, default=0) >= ENOUGH * len(bones)
