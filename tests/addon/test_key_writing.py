"""Rows of channel values become keys that play as they were shown."""

from __future__ import annotations

import bpy
import numpy as np
from support.armatures import (
    WALKER,
    BonePlan,
    build_armature,
    evaluated,
    random_pose,
    read_armature,
)
from support.written_poses import (
    MODES,
    rows_of,
    writer_for,
)
from surefoot.core.rig.pose import Ground


def test_played_keys_show_the_rows_to_the_bit_whatever_the_bones_are_called():
    odd = ('arm "big".L', "c:\\hand", "leg[0]", "🦵", "左足")
    plans = (WALKER[0],) + tuple(
        BonePlan(name, "root", (0.1 * i, 0, 0.5), (0.1 * i, 0, 0.9)) for i, name in enumerate(odd)
    )
    rig = build_armature(plans)
    for name, mode in zip(odd, MODES, strict=False):
        rig.pose.bones[name].rotation_mode = mode
    reading = read_armature(rig)
    writer = writer_for(rig, reading, odd, odd[:1], travel="OBJECT")
    poses = [
        random_pose(reading.rig.skeleton, seed, turned=odd, located=odd[:1], ground=Ground(seed, 0.0, 0.0, 0.1 * seed))
        for seed in range(6)
    ]
    rows = rows_of(writer, poses)
    frames = np.arange(10, 16)
    action = bpy.data.actions.new("Walk")
    slot = action.slots.new("OBJECT", "Walker")
    channelbag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    writer.write_keys(channelbag, frames, rows)
    rig.animation_data_create().action = action
    rig.animation_data.action_slot = slot
    for frame, row in zip(frames, rows, strict=True):
        bpy.context.scene.frame_set(int(frame))
        assert writer.shown(evaluated(rig), row)
    assert all(curve.is_valid for curve in channelbag.fcurves)
    assert {point.interpolation for curve in channelbag.fcurves for point in curve.keyframe_points} == {"LINEAR"}
    assert {group.name for group in channelbag.groups} == {*odd, "Object Transforms"}


def test_bezier_keys_show_the_rows_at_their_frames_too():
    rig = build_armature(WALKER)
    reading = read_armature(rig)
    writer = writer_for(rig, reading)
    rows = rows_of(writer, [random_pose(reading.rig.skeleton, seed, degrees=20.0) for seed in range(4)])
    action = bpy.data.actions.new("Walk")
    slot = action.slots.new("OBJECT", "Walker")
    channelbag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    writer.write_keys(channelbag, np.arange(4), rows, "BEZIER")
    rig.animation_data_create().action = action
    rig.animation_data.action_slot = slot
    for frame, row in enumerate(rows):
        bpy.context.scene.frame_set(frame)
        assert writer.shown(evaluated(rig), row)


def test_keying_again_replaces_the_curves():
    rig = build_armature(WALKER)
    reading = read_armature(rig)
    writer = writer_for(rig, reading)
    action = bpy.data.actions.new("Walk")
    slot = action.slots.new("OBJECT", "Walker")
    channelbag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    row = writer.row(random_pose(reading.rig.skeleton, 1), None)
    writer.write_keys(channelbag, np.arange(1, 5), np.array([row] * 4))
    writer.write_keys(channelbag, np.arange(1, 3), np.array([row] * 2))
    assert len(channelbag.fcurves) == len(writer.channels)
    assert {len(curve.keyframe_points) for curve in channelbag.fcurves} == {2}
