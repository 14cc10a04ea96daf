"""A previewed frame as a whole against the bare write of the same pose, and against playing the bake.

The same frames are shown several times and the least of each counts: what else the machine does only adds.
"""

from __future__ import annotations

import bpy
import numpy as np
from support.bench_stage import (
    FRAMES,
    a_frame,
    forget_frames,
    handlers_away,
    hills,
    performer_of,
    played,
    skin,
    walker,
    without_skins,
)

REPEATS = 7
WIDTHS = {"location": 3, "rotation_quaternion": 4, "rotation_euler": 3, "rotation_axis_angle": 4, "scale": 3}
ALL = range(1, FRAMES + 1)
Recorded = list[dict[str, np.ndarray]]


def bench_rigify_human_with_20000_vertices() -> dict[str, float]:
    """At most 1.15 times the bare write; first play is stated."""
    hills()
    rig = walker("Rigify human")
    without_skins()
    skin(rig)
    recorded = record(rig)
    runs: dict[str, list[list[float]]] = {"bare": [], "known": [], "first": [], "baked": []}
    for _ in range(REPEATS):
        runs["bare"].append(bare_write(rig, recorded))
        runs["known"].append(played(ALL))
        forget_frames(rig)
        runs["first"].append(played(ALL))
    bpy.ops.surefoot.bake(frame_start=1, frame_end=FRAMES)
    for _ in range(REPEATS):
        runs["baked"].append(played(ALL))
    times = {what: a_frame(run, min) for what, run in runs.items()}
    return {
        "bare write of a recorded pose, ms a frame": times["bare"],
        "preview of known frames, ms a frame": times["known"],
        "playing the baked Action, ms a frame": times["baked"],
        "preview of known frames / bare write (at most 1.15)": times["known"] / times["bare"],
        "preview played first / bare write": times["first"] / times["bare"],
        "preview of known frames / playing the bake": times["known"] / times["baked"],
        "bare write / playing the bake": times["bare"] / times["baked"],
    }


def record(rig: bpy.types.Object) -> Recorded:
    """All bones' values of those properties that the writer sets, for each frame."""
    names = sorted({path.rpartition(".")[2] for path, _ in performer_of(rig).writer.owned} & WIDTHS.keys())
    recorded, bones = [], rig.pose.bones
    for frame in ALL:
        bpy.context.scene.frame_set(frame)
        values = {name: np.empty(len(bones) * WIDTHS[name], dtype=np.float32) for name in names}
        for name, row in values.items():
            bones.foreach_get(name, row)
        recorded.append(values)
    return recorded


def bare_write(rig: bpy.types.Object, recorded: Recorded) -> list[float]:
    """Milliseconds of each frame with a handler that writes the recorded arrays, tags, and does nothing else."""

    def write(scene: bpy.types.Scene, _depsgraph: object = None) -> None:
        bones = rig.pose.bones
        for name, values in recorded[scene.frame_current - 1].items():
            bones.foreach_set(name, values)
        rig.update_tag(refresh={"OBJECT"})

    with handlers_away():
        bpy.app.handlers.frame_change_pre.append(write)
        times = played(ALL)
        bpy.app.handlers.frame_change_pre.remove(write)
    return times
