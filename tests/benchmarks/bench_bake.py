"""Baking against Blender's own baker, and against the ticks and the key writing that it consists of."""

from __future__ import annotations

import bpy
from support.bench_stage import CAST, forget_frames, hills, milliseconds, performer_of, walker, without_skins

REPEATS = 3
FRAMES = 250


def bench_bake() -> dict[str, float]:
    """From known frames: a deform skeleton at least 8 times as fast as `nla.bake`."""
    found: dict[str, float] = {}
    for kind in CAST:
        found |= baked(kind)
    return found


def baked(kind: str) -> dict[str, float]:
    """One character's bake, each part and each comparison."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    hills()
    rig = walker(kind)
    without_skins()
    ours, scratch, ticks, keys, blender = [], [], [], [], []
    for _ in range(REPEATS):
        forget_frames(rig)
        ticks.append(milliseconds(lambda: bpy.ops.surefoot.simulate(frame_end=FRAMES)))
        keys.append(milliseconds(lambda: key_writing(rig)))
        ours.append(milliseconds(lambda: bake(rig)))
        blender.append(milliseconds(lambda: nla_bake(rig)))
        preview_again(rig)
        forget_frames(rig)
        scratch.append(milliseconds(lambda: bake(rig)))
        preview_again(rig)
    frame = {name: min(times) / FRAMES for name, times in (("ours", ours), ("blender", blender), ("ticks", ticks))}
    return {
        f"{kind}, from known frames, ms a frame": frame["ours"],
        f"{kind}, nla.bake, ms a frame": frame["blender"],
        f"{kind}, nla.bake / from known frames (at least 8 for a skeleton)": frame["blender"] / frame["ours"],
        f"{kind}, ticks, ms a frame": frame["ticks"],
        f"{kind}, key writing, ms a frame": min(keys) / FRAMES,
        f"{kind}, from scratch / (ticks + key writing)": min(scratch) / (min(ticks) + min(keys)),
    }


def bake(rig: bpy.types.Object) -> None:
    """As the button does."""
    bpy.ops.surefoot.bake(frame_start=1, frame_end=FRAMES)


def key_writing(rig: bpy.types.Object) -> None:
    """Nothing but the keys of all known frames, into an Action that is thrown away."""
    import numpy as np
    from surefoot.addon.action_beside import new_action
    from surefoot.addon.saved_state import channelbag_of

    performer = performer_of(rig)
    action, slot = new_action(rig, "Keys")
    rows = np.array([performer.cache.get(frame).row for frame in range(1, FRAMES + 1)])
    performer.writer.write_keys(channelbag_of(action, slot), np.arange(1, FRAMES + 1), rows)
    bpy.data.actions.remove(action)


def nla_bake(rig: bpy.types.Object) -> None:
    """Blender's baker over our bake that plays: the same range, the bones that we write, its own defaults else."""
    bones = {path.split('"')[1] for path, _ in performer_of(rig).writer.owned if path.startswith("pose.bones")}
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="POSE")
    for bone in rig.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone.name in bones
    bpy.ops.nla.bake(
        frame_start=1,
        frame_end=FRAMES,
        only_selected=True,
        visual_keying=True,
        bake_types={"POSE"},
    )
    bpy.ops.object.mode_set(mode="OBJECT")


def preview_again(rig: bpy.types.Object) -> None:
    """Throw the Actions away and preview as before."""
    # Not the whole animation data: a generated control rig has its drivers there.
    rig.animation_data.action = None
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    rig.surefoot.preview = True
    bpy.context.scene.frame_set(1)
