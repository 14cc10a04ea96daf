"""What Surefoot itself takes of a frame, Blender's evaluation left out; in milliseconds and in rays.

The same frames are computed several times. Of milliseconds the least counts: what else the machine does only adds. Of
rays it is the median of as many ratios, each to rays cast right before and after: a core that is shared is half as fast
for seconds on end, and rays that are cast once would fall into one such time, frames into another.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median

from support.bench_stage import (
    CAST,
    FRAMES,
    HandlerClock,
    a_frame,
    forget_frames,
    hills,
    milliseconds,
    one_ray,
    performer_of,
    walker,
    without_skins,
)

REPEATS = 11


def own_part(kind: str) -> dict[str, float]:
    """A frame that is computed as it is played, one that is known, and one of many computed at once."""
    import bpy

    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    hills()
    rig = walker(kind)
    without_skins()
    rows: dict[str, list[list[float]]] = {"played first": [], "known": [], "computed at once": []}
    rays = [one_ray(rig) / 1000.0]
    with HandlerClock() as clock:
        for _ in range(REPEATS):
            forget_frames(rig)
            rows["played first"].append(clock.frames(range(2, FRAMES + 1)))
            rows["known"].append(clock.frames(range(2, FRAMES + 1)))
            forget_frames(rig)
            rows["computed at once"].append([clock.frames([FRAMES])[0] / (FRAMES - 1)])
            rays.append(one_ray(rig) / 1000.0)
    units = [0.5 * (before + after) for before, after in pairwise(rays)]
    found = {f"{kind}, one ray, us": min(rays) * 1000.0}
    for what, row in rows.items():
        ratios = [a_frame([times], min) / unit for times, unit in zip(row, units, strict=True)]
        found[f"{kind}, {what}, ms a frame"] = a_frame(row, min)
        found[f"{kind}, {what}, rays a frame"] = median(ratios)
    memory = performer_of(rig).cache.get(FRAMES).memory
    found[f"{kind}, copy of the memory, us"] = milliseconds(memory.copy, 200) * 1000.0
    found[f"{kind}, kept of a frame, bytes"] = kept_bytes(rig)
    return found


def bench_own_part_of_a_frame() -> dict[str, float]:
    """A plain biped played first: at most 1,000 rays a frame at 24 frames a second."""
    found: dict[str, float] = {}
    for kind in CAST:
        found |= own_part(kind)
    return found


def kept_bytes(rig: object) -> float:
    """What a further frame in the cache takes of memory."""
    import tracemalloc

    import bpy

    forget_frames(rig)
    tracemalloc.start()
    bpy.context.scene.frame_set(FRAMES // 2)
    before = tracemalloc.get_traced_memory()[0]
    bpy.context.scene.frame_set(FRAMES)
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / (FRAMES - FRAMES // 2)
