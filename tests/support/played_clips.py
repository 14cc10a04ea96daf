"""A person whose walk was baked, and characters that play an Action as their base motion."""

from __future__ import annotations

import bpy
import numpy as np
from support.stage import add_ground, add_person, pose_at
from surefoot.addon.bake import BakeOptions, bake
from surefoot.addon.preview import failure_of

END = 73


def walked(place: tuple[float, float, float] = (0.0, 0.0, 0.0), travel: str = "OBJECT") -> bpy.types.Object:
    """A person on flat ground whose walk was baked: the Action is on the rig."""
    add_ground()
    rig = add_person(place=place)
    rig.surefoot.travel = travel
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, END))
    return rig


def shown(rig: bpy.types.Object, frames: range = range(1, END + 1)) -> np.ndarray:
    """Every bone in the world at every frame, (F, bones, 4, 4)."""
    rows = [pose_at(rig, frame) for frame in frames]
    return np.array([row[0] @ row[1:] for row in rows])


def play(rig: bpy.types.Object, action: bpy.types.Action, **settings: object) -> None:
    """Let a character play an Action as its base motion."""
    rig.surefoot.base, rig.surefoot.clip = "CLIP", action
    for name, value in settings.items():
        setattr(rig.surefoot, name, value)
    rig.surefoot.preview = True


def problem_of(rig: bpy.types.Object) -> str:
    bpy.context.scene.frame_set(5)
    bpy.context.scene.frame_set(1)
    return failure_of(rig.session_uid)
