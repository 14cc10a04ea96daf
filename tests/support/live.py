"""Scenes in which one character follows another rig."""

from __future__ import annotations

from collections.abc import Iterable
from math import acos, degrees

import bpy
import numpy as np
from support.stage import add_person, key, pose_at
from surefoot.addon.bake import BakeOptions, bake

END = 48


def walker(place: tuple[float, float, float] = (0.0, 0.0, 0.0), travel: str = "OBJECT") -> bpy.types.Object:
    """A person whose walk is baked: nothing but an Action moves it."""
    rig = add_person(place=place)
    rig.surefoot.travel = travel
    rig.surefoot.preview = True
    bake(rig, BakeOptions(1, END))
    rig.name = "Source"
    return rig


def follower(source: bpy.types.Object | None, preset: str = "PERSON", **settings: object) -> bpy.types.Object:
    """A character that follows a rig, previewed."""
    rig = add_person(preset)
    rig.name = "Follower"
    follow(rig, source, **settings)
    return rig


def follow(rig: bpy.types.Object, source: bpy.types.Object | None, **settings: object) -> None:
    """Let a character follow a rig."""
    rig.surefoot.base, rig.surefoot.source = "RIG", source
    for name, value in settings.items():
        setattr(rig.surefoot, name, value)
    rig.surefoot.preview = True


def seen(rig: bpy.types.Object, frames: Iterable[int]) -> dict[int, bytes]:
    """What each frame shows of a rig, byte by byte."""
    return {frame: pose_at(rig, frame).tobytes() for frame in frames}


def worlds(rig: bpy.types.Object, frames: Iterable[int]) -> np.ndarray:
    """Every bone in the world at frames, (F, bones, 4, 4)."""
    rows = [pose_at(rig, frame) for frame in frames]
    return np.array([row[0] @ row[1:] for row in rows])


def apart(one: np.ndarray, two: np.ndarray) -> tuple[float, float]:
    """How far bones of two poses are from each other at most: metres, and degrees."""
    turned = [rows[..., :3, :3] / np.linalg.norm(rows[..., :3, :3], axis=-2, keepdims=True) for rows in (one, two)]
    turns = np.einsum("...ij,...ij->...", *turned)
    cosine = float(np.clip((turns.min() - 1.0) / 2.0, -1.0, 1.0))
    return float(np.abs(one[..., :3, 3] - two[..., :3, 3]).max()), degrees(acos(cosine))


def wave(rig: bpy.types.Object, bone: str = "upper_arm.L", frames: tuple[int, ...] = (1, 12, 24)) -> None:
    """Keys of one bone, and nothing else."""
    rig.pose.bones[bone].rotation_mode = "XYZ"
    for frame in frames:
        rig.pose.bones[bone].rotation_euler = (0.0, 0.0, 0.04 * frame)
        rig.pose.bones[bone].keyframe_insert("rotation_euler", frame=frame)


__all__ = ["END", "apart", "follow", "follower", "key", "seen", "walker", "wave", "worlds"]
