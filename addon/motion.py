"""A motion that was read from a scene: a clip of the core, and where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bpy.types import Scene

from ..core.control.intent import Place
from ..core.motion.clip import Clip
from .keyed_values import curve_time
from .refusal import RefusedError
from .rig_reading import Reading
from .texts import text

FrameRange = tuple[float | None, float | None]
"""The frames that are asked for; None: the motion's own."""
LIES = 0.5
"""A body that is nearer to upright by this much (share of its height) after a turn was lying because of its axes."""


@dataclass(frozen=True)
class Motion:
    """A motion that was read: `clip` in the world (metres), one sample about every frame from `frame_start` on.

    `start` is where the source's model space stood at first, and faced: of the object, not of the body. `reading` is
    None for empties. `name` is the object's, `action` and `slot` what played ("": NLA strips, constraints, parents).
    `problems` are sentences. `unrest` (B, 4, 4) is what brings each bone from where it is shown (armature space; of
    empties the world, metres) back to its rest in model space, `turn` (4, 4) what stood the whole world up afterwards.
    """

    clip: Clip
    reading: Reading | None
    frame_start: float
    frame_end: float
    start: Place
    name: str
    action: str
    slot: str
    problems: tuple[str, ...]
    unrest: np.ndarray
    turn: np.ndarray

    @property
    def fps(self) -> float:
        """Samples a second."""
        return self.clip.fps


def fps_of(scene: Scene) -> float:
    """Frames of an Action a second in a scene."""
    return scene.render.fps / scene.render.fps_base * curve_time(scene, 1.0)


def within(asked: FrameRange | None, found: tuple[float, float]) -> tuple[float, float]:
    """The frames that are asked for, where they are not those that were found."""
    start, end = (own if wanted is None else wanted for wanted, own in zip(asked or (None, None), found, strict=True))
    if end < start:
        raise RefusedError(text("bad_range", start=start, end=end))
    return start, end


def lies_by_its_axes(clip: Clip, turn: np.ndarray) -> bool:
    """True where a turn of the whole world stands the body up, most of the time: its file's axes were taken wrongly."""
    rig = clip.rig
    if rig.head < 0 or not rig.legs or np.allclose(turn, np.identity(4)):
        return False
    hips = np.mean([clip.place(leg.bones[0], leg.hip) for leg in rig.legs], axis=0)
    up = clip.place(rig.head, rig.skeleton.bones[rig.head].head) - hips
    up /= np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-9)
    return bool(np.median((up @ turn[:3, :3].T)[:, 2]) > np.median(up[:, 2]) + LIES)


def listed(names: Sequence[str], most: int = 5) -> str:
    """Some names in a sentence."""
    more = [text("and_more", count=len(names) - most)] if len(names) > most else []
    return ", ".join([*names[:most], *more])
