"""Objects evaluated in a scene of their own, at any frame, as everything that animates them has them.

Nothing else is in that scene: no skinned mesh is deformed, no ground or light evaluated, only what the objects depend
on. Blender writes nothing back into the file from such a scene.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter

import bpy
import numpy as np
from bpy.types import Depsgraph, Object, Scene

from .changes import Walk
from .refusal import RefusedError, depsgraph_of
from .texts import text

SLICE = 0.2
"""So many seconds are sampled before a window is given back."""


@contextmanager
def scene_of_their_own(objects: Sequence[Object]) -> Iterator[Scene]:
    """A scene that holds these objects and is removed again."""
    outer, Walk.busy = Walk.busy, True
    scene = bpy.data.scenes.new("Surefoot")
    try:
        for obj in objects:
            scene.collection.objects.link(obj)
        yield scene
    finally:
        bpy.data.scenes.remove(scene)
        Walk.busy = outer


def show(scene: Scene, time: float) -> Depsgraph:
    """The scene evaluated at a time."""
    scene.frame_set(int(time // 1.0), subframe=time % 1.0)
    return depsgraph_of(scene)


class Stage:
    """Objects to be evaluated, by name and identity: none is kept while a window is given back."""

    def __init__(self, objects: Sequence[Object]) -> None:
        self._known = [(obj.name, obj.session_uid) for obj in objects]

    def objects(self) -> list[Object]:
        """The objects as they are found now."""
        found = []
        for name, uid in self._known:
            obj = next((item for item in bpy.data.objects if item.session_uid == uid), None)
            if obj is None:
                raise RefusedError(text("motion_gone", name=name))
            found.append(obj)
        return found

    def walk(
        self,
        times: np.ndarray,
        look: Callable[[Depsgraph, list[Object]], None],
        scene_for: Callable[[list[Object]], AbstractContextManager[Scene]] = scene_of_their_own,
    ) -> Generator[float, None, None]:
        """Call `look(depsgraph, objects)` at every time; yields the share done after every slice."""
        done = 0
        while done < len(times):
            objects = self.objects()
            with scene_for(objects) as scene:
                until = perf_counter() + SLICE
                for time in times[done:].tolist():
                    look(show(scene, time), objects)
                    done += 1
                    if perf_counter() > until:
                        break
            yield done / len(times)
