"""Rows of channel values become F-curves, in bulk: one curve a channel, keys added and set as whole arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import bpy
import numpy as np

from .pose_channels import Channel

Interpolation = Literal["CONSTANT", "LINEAR", "BEZIER"]

INTERPOLATION_NUMBERS: dict[str, int] = {"CONSTANT": 0, "LINEAR": 1, "BEZIER": 2}
OBJECT_GROUP = "Object Transforms"


def write_keys(
    channelbag: bpy.types.ActionChannelbag,
    channels: Sequence[Channel],
    frames: np.ndarray,
    rows: np.ndarray,
    interpolation: Interpolation = "LINEAR",
) -> None:
    """Key every channel at every frame. frames: (n,), rows: (n, channels). Curves of the same name are replaced."""
    coordinates = np.empty((len(frames), 2), dtype=np.float32)
    coordinates[:, 0] = frames
    # Blender holds it in one byte: numbers of that size are taken as a block, others one by one.
    kinds = np.full(len(frames), INTERPOLATION_NUMBERS[interpolation], dtype=np.uint8)
    rows = np.ascontiguousarray(rows.T, dtype=np.float32)
    # Keys in order need no sorting; of a single one handles are made by `update` alone.
    in_order = len(frames) > 1 and bool((np.diff(coordinates[:, 0]) > 0.0).all())
    groups: dict[str, bpy.types.ActionGroup] = {}
    there = {(curve.data_path, curve.array_index) for curve in channelbag.fcurves}
    for column, channel in enumerate(channels):
        coordinates[:, 1] = rows[column]
        if (channel.data_path, channel.index) in there:
            channelbag.fcurves.remove(channelbag.fcurves.find(channel.data_path, index=channel.index))
        curve = _fresh_curve(channelbag, channel, groups)
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", coordinates.ravel())
        curve.keyframe_points.foreach_set("interpolation", kinds)
        if in_order:
            curve.keyframe_points.handles_recalc()
        else:
            curve.update()


def _fresh_curve(
    channelbag: bpy.types.ActionChannelbag, channel: Channel, groups: dict[str, bpy.types.ActionGroup]
) -> bpy.types.FCurve:
    # Looked up only now: a group goes with the last of its curves.
    name = channel.group or OBJECT_GROUP
    if name not in groups:
        groups[name] = channelbag.groups.get(name) or channelbag.groups.new(name)
    curve = channelbag.fcurves.new(channel.data_path, index=channel.index)
    curve.group = groups[name]
    return curve
