"""Walks in Blender whose feet slide, as Actions of an armature built in code; and how feet of an Action stand."""

from __future__ import annotations

import bpy
import numpy as np
from support.performers import clip_of
from support.stage import add_person
from surefoot.core.motion.clip import Clip

FPS = 60
DRIFT = 0.12  # metres a second along the ground, under the speed over which a foot counts as moving
SECONDS = 3.0


def reading_of(rig: bpy.types.Object):
    """What is understood of an armature."""
    from surefoot.addon.rig_reading import read_rig

    return read_rig(rig, bpy.context.evaluated_depsgraph_get())


def sliding_walk(reading, drift: float = DRIFT, seconds: float = SECONDS) -> Clip:
    """A person's walk, carried aside evenly, so that every foot that stands slides."""
    clip = clip_of("person")
    frames = round(seconds * clip.fps)
    order = [clip.rig.skeleton.index[bone.name] for bone in reading.rig.skeleton.bones]
    moved = clip.moved[:frames, order].copy()
    moved[:, :, 0, 3] += (drift * np.arange(frames) / clip.fps)[:, None]
    moved[:, :, :3, 3] *= reading.rig.leg_length / clip.rig.leg_length
    return Clip(reading.rig, clip.fps, moved)


def sliding_person(travel: str = "PELVIS", drift: float = DRIFT, mode: str = "QUATERNION", **place) -> bpy.types.Object:
    """A person whose Action is that walk; bones turn in a mode, the object is placed."""
    from surefoot.addon.action_writing import ActionOptions, write_clip

    bpy.context.scene.render.fps = FPS
    rig = add_person()
    for name, value in place.items():
        setattr(rig, name, value)
    for bone in rig.pose.bones:
        bone.rotation_mode = mode
    bpy.context.view_layer.update()
    reading = reading_of(rig)
    clip = sliding_walk(reading, drift)
    write_clip(rig, reading, clip, range(len(reading.rig.skeleton)), ActionOptions(name="Walk", travel=travel))
    return rig


def shown_clip(rig: bpy.types.Object, step: float = 1.0, seconds: float = SECONDS) -> Clip:
    """The rig as the scene shows it, at whole frames or between them, from frame 1 on."""
    from surefoot.addon.clip_sampling import ClipSampler

    sampler, scene = ClipSampler(rig, reading_of(rig)), bpy.context.scene
    for time in np.arange(1.0, seconds * FPS + 1e-6, step).tolist():
        scene.frame_set(int(time // 1), subframe=time % 1.0)
        sampler.add(rig.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    return sampler.clip(FPS / step)


def keys_of(action: bpy.types.Action) -> dict[tuple[str, int], np.ndarray]:
    """All keys of an Action's first slot by path and index, (K, 2)."""
    from surefoot.addon.saved_state import curves_of

    found = {}
    for curve in curves_of(action, action.slots[0]):
        flat = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", flat)
        found[curve.data_path, curve.array_index] = flat.reshape(-1, 2)
    return found


def slides(clip: Clip, contacts) -> list[float]:
    """The farthest that heel or ball of each leg moves along the ground within a contact, from where it is mid-way."""
    found = []
    for leg, each in zip(clip.rig.legs, contacts, strict=True):
        worst = 0.0
        for places, spans in ((clip.heel(leg), each.of("heel") or ()), (clip.ball(leg), each.of("ball") or ())):
            for span in spans:
                inside = places[int(np.ceil(span.start)) : int(span.end) + 1, :2]
                worst = max(worst, float(np.linalg.norm(inside - np.median(inside, axis=0), axis=1).max()))
        found.append(worst)
    return found


def knees(clip: Clip) -> list[np.ndarray]:
    """How far each knee is bent, degrees, (F,)."""
    found = []
    for leg in clip.rig.legs:
        places = clip.joints(leg)
        a, b = places[:, 1] - places[:, 0], places[:, 2] - places[:, 1]
        across = np.linalg.norm(np.cross(a, b), axis=1)
        found.append(np.degrees(np.arctan2(across, np.sum(a * b, axis=1))))
    return found

