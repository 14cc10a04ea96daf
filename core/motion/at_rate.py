"""A clip at another frame rate: the same motion, as long, asked at other times."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..space.quaternions import from_matrices, mixed, to_matrices
from .clip import Clip

ON_FRAME = 1e-4
"""A time that is nearer to a frame, in frames, is that frame: rates in files are rounded."""


def at_rate(clip: Clip, fps: float) -> Clip:
    """The clip at so many frames a second, from its first frame on; between frames bones turn and go straight.

    What is left of a frame at the end is cut off.
    """
    if len(clip) < 2 or fps == clip.fps:
        return replace(clip, fps=fps)
    step = clip.fps / fps
    count = int((len(clip) - 1) / step + ON_FRAME) + 1
    times = np.minimum(np.arange(count) * step, len(clip) - 1.0)
    whole = np.round(times)
    times = np.where(np.abs(times - whole) < ON_FRAME, whole, times)
    before = np.floor(times).astype(int)
    share = times - before
    moved = clip.moved[before]
    between = np.flatnonzero(share)
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
