"""Retargeting to a deform skeleton of 65 bones over 1,000 frames, against constraints and `nla.bake` of the same."""

from __future__ import annotations

import bpy
import numpy as np
from support.bench_stage import milliseconds
from support.motions import bare, edit_rest

REPEATS = 3
FRAMES = 1000
FINGERS = ("thumb", "index", "middle", "ring", "pinky")


def bench_retarget() -> dict[str, float]:
    """All of it, from reading the source to the Action: at least 7 times as fast."""
    source, target = with_fingers(bare("Mocap")), with_fingers(bare("Hero"))
    keyed(source)
    ours, blender, reading = [], [], []
    for _ in range(REPEATS):
        from surefoot.addon.motion_source import read_motion

        reading.append(milliseconds(lambda: read_motion(source)))
        ours.append(milliseconds(lambda: bpy.ops.surefoot.retarget(source="Mocap", target="Hero")))
        target.animation_data.action = None
        blender.append(milliseconds(lambda: constrained_bake(source, target)))
        target.animation_data.action = None
    return {
        "bones": float(len(target.data.bones)),
        "reading, ms": min(reading),
        "retarget, ms": min(ours),
        "constraints and nla.bake, ms": min(blender),
        "constraints and nla.bake / retarget (at least 7)": min(blender) / min(ours),
    }


def with_fingers(rig: bpy.types.Object) -> bpy.types.Object:
    """Five fingers of four bones on each hand, which makes 63 bones, and two toes' ends."""

    def add(bones: bpy.types.ArmatureEditBones) -> None:
        for side in "LR":
            hand = bones[f"hand.{side}"]
            for k, finger in enumerate(FINGERS):
                above = hand
                way = 0.25 * (hand.tail - hand.head)
                for joint in range(4):
                    bone = bones.new(f"{finger}.{joint + 1:02d}.{side}")
                    bone.head = hand.tail + way * joint
                    bone.head.y += 0.015 * (k - 2)
                    bone.tail = bone.head + way
                    bone.parent, above = above, bone
            end = bones.new(f"toe_end.{side}")
            end.head, end.parent = bones[f"toe.{side}"].tail, bones[f"toe.{side}"]
            end.tail = end.head + 0.3 * (bones[f"toe.{side}"].tail - bones[f"toe.{side}"].head)

    return edit_rest(rig, add)


def keyed(rig: bpy.types.Object) -> None:
    """Every bone turned smoothly, the body travelling: a key on every channel at every frame."""
    from surefoot.addon.action_beside import new_action
    from surefoot.addon.saved_state import assign, channelbag_of

    action, slot = new_action(rig, "Take")
    bag = channelbag_of(action, slot)
    frames = np.arange(1.0, FRAMES + 1.0)
    for k, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = "QUATERNION"
        angle = 0.15 * np.sin(frames * 0.07 + k)
        turn = (np.cos(angle), np.sin(angle), np.zeros(FRAMES), np.zeros(FRAMES))
        place = (0.02 * np.sin(frames * 0.1), np.zeros(FRAMES), -0.05 * frames)
        rows = {"rotation_quaternion": turn, "location": place if bone.name == "pelvis" else ()}
        for name, values in rows.items():
            for index, row in enumerate(values):
                curve = bag.fcurves.new(f'pose.bones["{bone.name}"].{name}', index=index)
                curve.keyframe_points.add(FRAMES)
                curve.keyframe_points.foreach_set("co", np.stack([frames, row], axis=1).ravel().astype(np.float32))
                curve.update()
    assign(rig, action, slot.identifier)


def constrained_bake(source: bpy.types.Object, target: bpy.types.Object) -> None:
    """What people do by hand: each bone copies its namesake, and Blender's baker makes keys of it."""
    for bone in target.pose.bones:
        item = bone.constraints.new("COPY_ROTATION")
        item.target, item.subtarget = source, bone.name
    item = target.pose.bones["pelvis"].constraints.new("COPY_LOCATION")
    item.target, item.subtarget = source, "pelvis"
    bpy.context.view_layer.objects.active = target
    target.select_set(True)
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.nla.bake(
        frame_start=1,
        frame_end=FRAMES,
        only_selected=False,
        visual_keying=True,
        clear_constraints=True,
        bake_types={"POSE"},
    )
    bpy.ops.object.mode_set(mode="OBJECT")
