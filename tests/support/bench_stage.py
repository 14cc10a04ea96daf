"""What the benchmarks measure on: hilly ground, the characters that are stated, a skin, and a clock in the handlers."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from .rigify_rigs import generated_rig
from .timing import median_microseconds

FPS = 24
FRAMES = 96
CAST = ("person", "dog", "spider", "Rigify human")
SPEEDS = {"person": 1.4, "dog": 1.0, "spider": 0.6, "Rigify human": 1.4}
DOWN = Vector((0.0, 0.0, -1.0))


def hills(size: float = 60.0, cells: int = 100) -> bpy.types.Object:
    """Ground that rises and falls by 0.3 m over 4 m: cells * cells quads."""
    line = np.linspace(-size / 2.0, size / 2.0, cells + 1)
    x, y = (side.ravel() for side in np.meshgrid(line, line))
    places = np.stack([x, y, 0.15 * np.sin(x * np.pi / 2.0) * np.sin(y * np.pi / 2.0)], axis=1)
    k = np.arange(cells)
    first = (k[:, None] * (cells + 1) + k).ravel()
    quads = np.stack([first, first + 1, first + cells + 2, first + cells + 1], axis=1)
    mesh = bpy.data.meshes.new("Hills")
    mesh.from_pydata(places.tolist(), [], quads.tolist())
    ground = bpy.data.objects.new("Hills", mesh)
    bpy.context.scene.collection.objects.link(ground)
    return ground


def walker(kind: str) -> bpy.types.Object:
    """One of `CAST`, set up and previewed on what ground there is, at frame 1."""
    from surefoot.addon.add_character import add_character
    from surefoot.addon.setup import setup

    bpy.context.scene.render.fps = FPS
    if kind == "Rigify human":
        rig = generated_rig("human")
    else:
        rig = add_character(bpy.context, kind.upper(), (0.0, 0.0, 0.0))
    setup(rig)
    rig.surefoot.speed = SPEEDS[kind]
    rig.surefoot.preview = True
    bpy.context.scene.frame_set(1)
    return rig


def without_skins() -> None:
    """Take away all meshes but the ground, so that what is measured does not depend on them."""
    for obj in [obj for obj in bpy.data.objects if obj.type == "MESH" and obj.name != "Hills"]:
        bpy.data.objects.remove(obj)


def skin(rig: bpy.types.Object, vertices: int = 20_000) -> bpy.types.Object:
    """A closed sleeve about each deforming bone, so many vertices in all, each weighted to its two nearest bones."""
    bones = [bone for bone in rig.data.bones if bone.use_deform]
    around = 16
    rings = max(2, round(vertices / (around * len(bones))))
    places, quads = [], []
    for bone in bones:
        x, _, z = bone.matrix_local.to_3x3().col
        start = len(places)
        for k in range(rings):
            centre = bone.head_local.lerp(bone.tail_local, k / (rings - 1))
            for j in range(around):
                angle = 2.0 * np.pi * j / around
                places.append(centre + (x * np.cos(angle) + z * np.sin(angle)) * 0.2 * bone.length)
        for k in range(rings - 1):
            for j in range(around):
                a, b = start + k * around + j, start + k * around + (j + 1) % around
                quads.append((a, b, b + around, a + around))
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata(places, [], quads)
    body = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(body)
    middles = np.array([(bone.head_local + bone.tail_local) / 2.0 for bone in bones])
    groups = [body.vertex_groups.new(name=bone.name) for bone in bones]
    for i, place in enumerate(np.array(places)):
        near = np.argsort(((middles - place) ** 2).sum(axis=1))[:2]
        for share, k in zip((0.7, 0.3), near, strict=True):
            groups[k].add([i], share, "REPLACE")
    body.parent = rig
    body.modifiers.new("Armature", "ARMATURE").object = rig
    bpy.context.view_layer.update()
    return body


def one_ray(rig: bpy.types.Object, frames: int = FRAMES) -> float:
    """The unit, microseconds: the median of 10,000 casts straight down at the run's foot places on its ground."""
    ground = bpy.data.objects["Hills"]
    tree = BVHTree.FromObject(ground, bpy.context.evaluated_depsgraph_get())
    places = [
        Vector(foot.foothold) + Vector((0.0, 0.0, 0.35))
        for snapshot in snapshots(rig, frames)
        for foot in snapshot.frame.feet
    ]
    cast, clock = tree.ray_cast, time.perf_counter_ns
    times = []
    for k in range(10_000):
        place = places[k % len(places)]
        began = clock()
        cast(place, DOWN, 0.85)
        times.append(clock() - began)
    nothing = []
    for _ in range(10_000):
        began = clock()
        nothing.append(clock() - began)
    return (statistics.median(times) - statistics.median(nothing)) / 1000.0


def performer_of(rig: bpy.types.Object) -> object:
    """What is known of the character at run time."""
    from surefoot.addon.performers import performers

    return performers.get(rig.session_uid)


def snapshots(rig: bpy.types.Object, frames: int = FRAMES) -> list[object]:
    """The known frames from 1 on; shown first where they are not known yet."""
    cache = performer_of(rig).cache
    if cache.get(frames) is None:
        bpy.context.scene.frame_set(frames)
    return [cache.get(frame) for frame in range(1, frames + 1)]


def played(frames: Iterable[int]) -> list[float]:
    """Milliseconds of each frame's `frame_set`."""
    scene, clock, times = bpy.context.scene, time.perf_counter_ns, []
    for frame in frames:
        began = clock()
        scene.frame_set(frame)
        times.append((clock() - began) / 1e6)
    return times


class HandlerClock:
    """The time spent between two handlers of ours, before and after all others: what the add-on takes of a frame.

    It is this thread's processor time: what other programs do meanwhile does not count.
    """

    names = ("frame_change_pre", "frame_change_post", "depsgraph_update_post")

    def __init__(self) -> None:
        self.spent = 0
        self._began = 0

    def __enter__(self) -> HandlerClock:
        for name in self.names:
            handlers = getattr(bpy.app.handlers, name)
            handlers.insert(0, self._begin)
            handlers.append(self._end)
        return self

    def __exit__(self, *_error: object) -> None:
        for name in self.names:
            handlers = getattr(bpy.app.handlers, name)
            handlers.remove(self._begin)
            handlers.remove(self._end)

    def _begin(self, *_arguments: object) -> None:
        self._began = time.thread_time_ns()

    def _end(self, *_arguments: object) -> None:
        self.spent += time.thread_time_ns() - self._began

    def frames(self, frames: Iterable[int]) -> list[float]:
        """Milliseconds that the handlers take at each frame."""
        times = []
        for frame in frames:
            self.spent = 0
            bpy.context.scene.frame_set(frame)
            times.append(self.spent / 1e6)
        return times


def a_frame(runs: Sequence[list[float]], of: Callable[[Sequence[float]], float] = statistics.median) -> float:
    """What a frame takes: of each frame the median over the runs, of those the mean."""
    return statistics.fmean(of(times) for times in zip(*runs, strict=True))


def milliseconds(call: Callable[[], object], repeats: int = 1) -> float:
    """The median time of one call."""
    return median_microseconds(call, repeats, warm_up=0) / 1000.0


def forget_frames(rig: bpy.types.Object) -> None:
    """Know no frame but the first."""
    performer_of(rig).cache.clear()
    bpy.context.scene.frame_set(1)


def surefoot_handlers() -> list[tuple[list[object], object]]:
    """The lists of frame handlers with the add-on's own handler in each."""
    from surefoot.addon.timeline import HANDLERS

    names = ("frame_change_pre", "frame_change_post", "depsgraph_update_post")
    return [(getattr(bpy.app.handlers, name), handler) for name, handler in HANDLERS if name in names]


@contextmanager
def handlers_away() -> Iterator[None]:
    """The add-on's frame handlers taken out of their lists for a while: Blender alone."""
    ours = surefoot_handlers()
    for listed, handler in ours:
        listed.remove(handler)
    try:
        yield
    finally:
        for listed, handler in ours:
            listed.append(handler)
