"""Any animated armature as a clip of the core: the evaluated bones at every frame."""

from __future__ import annotations

import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ..core.motion.clip import Clip
from .rig_reading import Reading


class ClipSampler:
    """Collects an armature's frames one by one; the caller steps the time.

    `still` leaves out where the object is: it stands with its model space at the world's origin then. `first` is its
    world matrix (4, 4) at the first frame, `unrest` (B, 4, 4) what brings each bone's matrix in armature space back to
    rest in model space. No Blender object is kept between two frames.
    """

    def __init__(self, obj: Object, reading: Reading, *, still: bool = False) -> None:
        self._reading = reading
        self._still = np.array(_rows(_unit(reading.metres) @ reading.canonical)) if still else None
        self.first: np.ndarray | None = None
        bones = obj.data.bones
        order = {bone.name: i for i, bone in enumerate(obj.pose.bones)}
        names = [bone.name for bone in reading.rig.skeleton.bones]
        self._rows = np.array([order[name] for name in names])
        back = reading.canonical.inverted()
        self.unrest = np.array([_rows(bones[name].matrix_local.inverted() @ back) for name in names])
        self._buffer = np.empty(len(order) * 16, dtype=np.float32)
        self._moved: list[np.ndarray] = []

    def add(self, shown: Object) -> None:
        """One frame, from the evaluated armature object."""
        shown.pose.bones.foreach_get("matrix", self._buffer)
        # Blender hands matrices out column by column.
        pose = self._buffer.reshape(-1, 4, 4).transpose(0, 2, 1)[self._rows].astype(np.float64)
        self.add_all(np.array(shown.matrix_world)[None], pose[None])

    def add_all(self, world: np.ndarray, poses: np.ndarray) -> None:
        """Many frames: the object in the world (F, 4, 4), the reading's bones in armature space (F, bones, 4, 4)."""
        moved = self._placed(world)[:, None] @ poses @ self.unrest
        moved[..., :3, :] *= self._reading.metres
        self.add_moved(world, moved)

    def add_moved(self, world: np.ndarray, moved: np.ndarray) -> None:
        """Many frames: the object in the world (F, 4, 4), how bones are moved from rest (F, bones, 4, 4), metres."""
        if self.first is None and len(world):
            self.first = self._placed(world)[0]
        self._moved.append(moved)

    def bases(self, world: np.ndarray) -> np.ndarray:
        """Where model space is when the object is here (F, 4, 4), metres."""
        base = self._placed(world) @ np.linalg.inv(np.array(_rows(self._reading.canonical)))
        base[:, :3] *= self._reading.metres
        return np.asarray(base)

    def _placed(self, world: np.ndarray) -> np.ndarray:
        return world if self._still is None else np.broadcast_to(self._still, world.shape)

    def clip(self, fps: float) -> Clip:
        """All frames so far."""
        moved = self._moved[0] if len(self._moved) == 1 else np.concatenate(self._moved)
        return Clip(self._reading.rig, fps, moved)


def _unit(metres: float) -> Matrix:
    return Matrix.Scale(1.0 / metres, 4)


def _rows(matrix: Matrix) -> list[list[float]]:
    return [list(row) for row in matrix]
