"""Clips written as Actions by tests, and the rig as it is shown then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import bpy
import numpy as np

if TYPE_CHECKING:
    from surefoot.addon.action_writing import Written
    from surefoot.addon.rig_reading import Reading
    from surefoot.core.motion.clip import Clip


def reading_of(rig: bpy.types.Object) -> Reading:
    """The rig as it is understood."""
    from surefoot.addon.rig_reading import read_rig

    return read_rig(rig, bpy.context.evaluated_depsgraph_get())


def written(
    rig: bpy.types.Object, reading: Reading, clip: Clip, driven: Sequence[int] | None = None, **options: object
) -> Written:
    """A clip of all bones, or of some, written as an Action of its rig."""
    from surefoot.addon.action_writing import ActionOptions, write_clip

    bones = range(len(reading.rig.skeleton)) if driven is None else driven
    return write_clip(rig, reading, clip, bones, ActionOptions(**options))


def played(rig: bpy.types.Object, reading: Reading, frames: Iterable[float], *, still: bool = False) -> Clip:
    """The rig at frames of the scene, as it is shown; `still`: without where its object is."""
    from surefoot.addon.clip_sampling import ClipSampler

    scene, sampler = bpy.context.scene, ClipSampler(rig, reading, still=still)
    for frame in frames:
        scene.frame_set(int(frame // 1), subframe=float(frame % 1))
        sampler.add(rig.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    return sampler.clip(scene.render.fps / scene.render.fps_base)


def farthest(shown: Clip, wanted: Clip, first: int = 1) -> float:
    """The largest difference of any number of any bone from `first` on (the root may carry what the body did)."""
    return float(np.abs(shown.moved - wanted.moved)[:, first:].max())


def values_of(rig: bpy.types.Object) -> dict[tuple[str, int], np.ndarray]:
    """The keys of each curve on the rig, (keys, 2)."""
    from surefoot.addon.saved_state import curves_of

    found = {}
    for curve in curves_of(rig.animation_data.action, rig.animation_data.action_slot):
        flat = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", flat)
        found[curve.data_path, curve.array_index] = flat.reshape(-1, 2)
    return found
