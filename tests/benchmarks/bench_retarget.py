"""A retarget against what Blender has for it: constraints from bone to bone, and `nla.bake`. Is time linear?"""

from __future__ import annotations

import time
from collections.abc import Callable

import bpy
import numpy as np
from mathutils import Vector
from support.bench_stage import without_skins
from support.rigify_rigs import generated_rig

BONES = 65
FRAMES = 1000
REPEATS = 3
FINGERS = ("thumb", "f_index", "f_middle", "f_ring", "f_pinky")


def milliseconds(call: Callable[[], object]) -> float:
    """The processor time of one call, all threads: what other programs do meanwhile does not count."""
    began = time.process_time_ns()
    call()
    return (time.process_time_ns() - began) / 1e6


def person(name: str, roll: float) -> bpy.types.Object:
    """A deform skeleton of 65 bones: a person with three bones to a finger, and twist bones on the limbs."""
    from surefoot.addon.add_character import add_character

    rig = add_character(bpy.context, "PERSON", Vector())
    rig.name = name
    without_skins()
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for side in "LR":
        hand = bones[f"hand.{side}"]
        ahead, across = (hand.tail - hand.head).normalized(), Vector((0.0, 1.0, 0.0))
        for k, finger in enumerate(FINGERS):
            above, place = hand, hand.tail + across * 0.015 * (k - 2)
            for joint in range(1, 4):
                above = add_bone(bones, f"{finger}.{joint:02d}.{side}", above, place, place + ahead * 0.03)
                place = above.tail.copy()
        for limb in ("upper_arm", "forearm", "thigh", "shin"):
            bone = bones[f"{limb}.{side}"]
            middle = bone.head.lerp(bone.tail, 0.5)
            add_bone(bones, f"{limb}_twist.{side}", bone, middle, bone.tail)
    for k in range(BONES - len(bones)):
        head = bones["head"]
        add_bone(bones, f"face.{k:02d}", head, head.tail, head.tail + Vector((0.0, -0.02, 0.01)))
    for bone in bones:
        bone.roll += roll
    bpy.ops.object.mode_set(mode="OBJECT")
    assert len(rig.data.bones) == BONES, len(rig.data.bones)
    return rig


def add_bone(bones, name: str, parent, head: Vector, tail: Vector):
    """One more bone in edit mode."""
    bone = bones.new(name)
    bone.head, bone.tail, bone.parent = head, tail, parent
    return bone


def source_and_target(frames: int) -> tuple[bpy.types.Object, bpy.types.Object]:
    """A person whose Action holds so many frames of a walk with all fingers moving; another one with rolled bones."""
    from support.performers import clip_of
    from support.written_clips import reading_of, written

    bpy.context.scene.render.fps = 60
    source, target = person("Source", 0.0), person("Target", 0.6)
    reading = reading_of(source)
    walk, skeleton = clip_of("person"), reading.rig.skeleton
    moved = np.empty((frames, len(skeleton), 4, 4))
    chosen = np.arange(frames) % len(walk)
    stride = walk.moved[-1, walk.rig.body, :3, 3] - walk.moved[0, walk.rig.body, :3, 3]
    for i, bone in enumerate(skeleton.bones):
        if bone.name in walk.rig.skeleton.index:
            moved[:, i] = walk.moved[chosen, walk.rig.skeleton.index[bone.name]]
            moved[:, i, :2, 3] += np.outer(np.arange(frames) // len(walk), stride[:2])
        else:
            moved[:, i] = moved[:, bone.parent] @ folded(bone, np.sin(np.arange(frames) / 20.0 + i))
    written(source, reading, type(walk)(reading.rig, 60.0, moved), travel="PELVIS")
    return source, target


def folded(bone, angles: np.ndarray) -> np.ndarray:
    """Turns about a bone's own X, (F, 4, 4), by a quarter of these angles."""
    rest = np.array(bone.rest, dtype=np.float64)
    turn = np.tile(np.identity(4), (len(angles), 1, 1))
    turn[:, 1, 1] = turn[:, 2, 2] = np.cos(0.25 * angles)
    turn[:, 2, 1] = np.sin(0.25 * angles)
    turn[:, 1, 2] = -turn[:, 2, 1]
    return rest @ turn @ np.linalg.inv(rest)


def by_constraints(source: bpy.types.Object, target: bpy.types.Object, frames: int) -> None:
    """What a user does without us: each bone copies the turn of its like, the body its place; then bake."""
    target.animation_data.action = None
    for bone in target.pose.bones:
        bone.constraints.new("COPY_ROTATION")
        if bone.name in {"root", "pelvis"}:
            bone.constraints.new("COPY_LOCATION")
        for constraint in bone.constraints:
            constraint.target, constraint.subtarget = source, bone.name
    bpy.context.view_layer.objects.active = target
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.nla.bake(
        frame_start=1, frame_end=frames, only_selected=False, visual_keying=True, bake_types={"POSE"}
    )
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in target.pose.bones:
        for constraint in list(bone.constraints):
            bone.constraints.remove(constraint)


def bench_a_deform_skeleton() -> dict[str, float]:
    """65 bones, 1,000 frames: what constraints do at least 7 times as fast as by constraints and `nla.bake`."""
    from surefoot.addon.action_writing import ActionOptions, write_clip
    from surefoot.addon.motion_source import read_motion
    from surefoot.addon.retarget import read_target, retarget
    from surefoot.core.retarget.config import RetargetConfig
    from surefoot.core.retarget.retarget import retarget_clip

    source, target = source_and_target(FRAMES)
    reading, clip = read_target(target, 1.0).reading, read_motion(source).clip
    free, held = RetargetConfig(feet="FREE"), RetargetConfig()
    done = retarget_clip(clip, reading.rig, held)
    calls = {
        "reading the source": lambda: read_motion(source),
        "retarget, feet free": lambda: retarget_clip(clip, reading.rig, free),
        "retarget, feet held": lambda: retarget_clip(clip, reading.rig, held),
        "writing": lambda: write_clip(target, reading, done.clip, done.driven, ActionOptions(keep=None)),
        "all of it, as the button does": lambda: retarget(source, target),
        "constraints and nla.bake": lambda: by_constraints(source, target, FRAMES),
    }
    times: dict[str, list[float]] = {what: [] for what in calls}
    for _ in range(REPEATS):
        for what, call in calls.items():
            times[what].append(milliseconds(call))
    best = {what: min(some) for what, some in times.items()}
    blender = best["constraints and nla.bake"]
    return {
        "Blender / ours, feet free as constraints leave them (at least 7)": blender
        / (best["retarget, feet free"] + best["writing"]),
        "Blender / ours, feet free, the source read anew (at least 7)": blender
        / (best["reading the source"] + best["retarget, feet free"] + best["writing"]),
        "Blender / ours, feet held": blender / (best["retarget, feet held"] + best["writing"]),
        "Blender / all of it, as the button does": blender / best["all of it, as the button does"],
        **{f"{what}, ms": value for what, value in best.items()},
        "bones that are written": float(len(done.driven)),
    }


def bench_how_time_grows() -> dict[str, float]:
    """Ten times the frames take at most twelve times as long."""
    from surefoot.addon.retarget import retarget

    found = {}
    for frames in (500, 5000):
        for obj in list(bpy.data.objects):
            bpy.data.objects.remove(obj)
        for action in list(bpy.data.actions):
            bpy.data.actions.remove(action)
        source, target = source_and_target(frames)
        found[frames] = min(milliseconds(lambda s=source, t=target: retarget(s, t)) for _ in range(REPEATS))
    return {
        "500 frames, ms": found[500],
        "5,000 frames, ms": found[5000],
        "5,000 frames / 500 (at most 12)": found[5000] / found[500],
    }


def bench_a_control_rig() -> dict[str, float]:
    """1,000 frames on the controls of a generated Rigify human: a few seconds."""
    from support.retargeting import wild_clip
    from support.written_clips import reading_of, written

    rig = generated_rig("human")
    reading = reading_of(rig)
    clip = wild_clip(reading.rig, FRAMES, amount=0.2)
    times = [milliseconds(lambda: written(rig, reading, clip)) for _ in range(REPEATS)]
    return {"Rigify human, 1,000 frames, ms": min(times), "a frame, ms": min(times) / FRAMES}
