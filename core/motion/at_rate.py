"""A clip at another frame rate: the same motion, as long, asked at other times."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..space.quaternions import from_matrices, mixed, to_matrices
from .clip import Clip

ON_FRAME = 1e-4
"""A time that is nearer to a frame, in frames, is that frame: rates in files are rounded."""
DRIFT = 0.01
"""A rate by which the last frame is off a whole multiple of the other one's by less, in frames, is that multiple:
120.0005 frames a second for 120. Nothing is asked between two frames then.
"""


class Asked(NamedTuple):
    """Where the frames of another rate lie: of each the frame at or `before` it, and the `share` of the way from there
    to the next one.
    """

    before: np.ndarray
    share: np.ndarray

    @property
    def frames(self) -> np.ndarray:
        """The frames that are looked at, in order."""
        return np.union1d(self.before, self.before[self.share > 0.0] + 1)

    def within(self, frames: np.ndarray) -> Asked:
        """The same where only these frames are left."""
        return self._replace(before=np.searchsorted(frames, self.before))


def asked_at(count: int, fps: float, wanted: float) -> Asked:
    """Where frames at a rate lie among as many as there are, from the first one on.

    What is left of a frame at the end is cut off.
    """
    if count < 2 or wanted == fps:
        return Asked(np.arange(count), np.zeros(count))
    step = _whole(fps / wanted, count)
    times = np.minimum(np.arange(int((count - 1) / step + ON_FRAME) + 1) * step, count - 1.0)
    whole = np.round(times)
    times = np.where(np.abs(times - whole) < ON_FRAME, whole, times)
    before = np.floor(times).astype(int)
    return Asked(before, times - before)


def _whole(step: float, count: int) -> float:
    """How many frames there are for each that is wanted, as a whole number where it is one but for rounding."""
    whole = round(step)
    last = (count - 1) / step
    return float(whole) if whole >= 1 and abs(step - whole) * last < DRIFT else step


def at_rate(clip: Clip, fps: float) -> Clip:
    """The clip at so many frames a second, from its first frame on; between frames bones turn and go straight."""
    if len(clip) < 2 or fps == clip.fps:
        return replace(clip, fps=fps)
    return looked_at(clip, asked_at(len(clip), clip.fps, fps), fps)


def looked_at(clip: Clip, asked: Asked, fps: float) -> Clip:
    """The clip where it is asked, as one at this rate."""
    before, share = asked
    between = np.flatnonzero(share)
    if len(before) == len(clip) and not len(between):
        return replace(clip, fps=fps)
    # A bone's frames stay side by side.
    moved = clip.moved.transpose(1, 0, 2, 3)[:, before].transpose(1, 0, 2, 3)
    if len(between):
        moved[between] = _between(clip, before[between], share[between])
    return replace(clip, fps=fps, moved=moved)


def _between(clip: Clip, before: np.ndarray, share: np.ndarray) -> np.ndarray:
    """The bones at shares of the way from frames to the next ones, (n, B, 4, 4)."""
    first, second = clip.moved[before], clip.moved[before + 1]
    turns = mixed(from_matrices(first[..., :3, :3]), from_matrices(second[..., :3, :3]), share[:, None])
    heads = np.array([tuple(bone.head) for bone in clip.rig.skeleton.bones])
    places = [np.einsum("fbij,bj->fbi", each[..., :3, :3], heads) + each[..., :3, 3] for each in (first, second)]
    result = np.zeros_like(first)
    result[..., :3, :3] = to_matrices(turns)
    place = places[0] + share[:, None, None] * (places[1] - places[0])
    result[..., :3, 3] = place - np.einsum("fbij,bj->fbi", result[..., :3, :3], heads)
    result[..., 3, 3] = 1.0
    return result
