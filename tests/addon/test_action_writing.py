"""A clip written as an Action plays as the clip; everything else on the rig stays what it was."""

from __future__ import annotations

import bpy
import numpy as np
from support.retargeting import wild_clip
from support.stage import add_person


def reading_of(rig):
    from surefoot.addon.rig_reading import read_rig

    return read_rig(rig, bpy.context.evaluated_depsgraph_get())


def every(reading):
    return range(len(reading.rig.skeleton))


def played(rig, reading, frames, *, still=False):
    """The rig at frames of the scene, as it is shown."""
    from surefoot.addon.clip_sampling import ClipSampler

    sampler = ClipSampler(rig, reading, still=still)
    for frame in frames:
        bpy.context.scene.frame_set(int(frame // 1), subframe=float(frame % 1))
        sampler.add(rig.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    return sampler.clip(bpy.context.scene.render.fps / bpy.context.scene.render.fps_base)


def written(rig, reading, clip, driven=None, **options):
    from surefoot.addon.action_writing import ActionOptions, write_clip

    return write_clip(rig, reading, clip, every(reading) if driven is None else driven, ActionOptions(**options))


def test_the_written_action_plays_as_the_clip():
    rig = add_person()
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, 40)
    bpy.context.scene.render.fps = 60
    for travel in ("PELVIS", "ROOT_BONE", "OBJECT"):
        written(rig, reading, clip, travel=travel)
        shown = played(rig, reading, range(1, 41))
        assert np.abs(shown.moved - clip.moved)[:, 1:].max() < 3e-5, travel


def test_a_written_clip_sampled_and_written_again_comes_back():
    rig = add_person()
    reading = reading_of(rig)
    bpy.context.scene.render.fps = 60
    for travel in ("PELVIS", "ROOT_BONE", "OBJECT"):
        written(rig, reading, wild_clip(reading.rig, 40), travel=travel)
        first = played(rig, reading, range(1, 41))
        written(rig, reading, first, travel=travel, space="WORLD")
        assert np.abs(played(rig, reading, range(1, 41)).moved - first.moved)[:, 1:].max() < 1e-5, travel
