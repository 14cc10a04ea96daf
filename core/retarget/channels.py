"""A clip as the channels of its rig: what turns and shifts each bone relative to its rest under its parent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..motion.clip import Clip
from ..space.quaternions import continuous, from_matrices, multiplied, undone

# In shares of the leg length: a bone that leaves its place by less than this does not.
LEAST_SHIFT = 2e-5


class Channels(NamedTuple):
    """Basis rotations (F, bones, 4) wxyz, of even sign over time, and locations (F, bones, 3), metres, for a model
    space that stands at the world's origin and faces -Y. `located` are the bones that leave their place.
    """

    rotations: np.ndarray
    locations: np.ndarray
    located: tuple[int, ...]


def channels_of(clip: Clip, driven: Sequence[int] | None = None) -> Channels:
    """The channels that give the clip again. A connected bone has no location, whatever the clip says.

    driven: the bones that leave their rest under their parents; all may where it is not given.
    """
    bones = clip.rig.skeleton.bones
    asked = range(len(bones)) if driven is None else sorted(driven)
    used = sorted({*asked, *(bones[i].parent for i in asked if bones[i].parent >= 0)})
    turns = dict(zip(used, from_matrices(np.stack([clip.moved[:, i, :3, :3] for i in used])), strict=True))
    rotations = np.zeros((len(bones), len(clip), 4))
    rotations[..., 0] = 1.0
    locations = np.zeros((len(clip), len(bones), 3))
    located = []
    for i in asked:
        bone, rest = bones[i], np.array(bones[i].rest, dtype=np.float64)
        turn = turns[i]
        if bone.parent >= 0 and bone.inherit_rotation:
            turn = multiplied(undone(turns[bone.parent]), turn)
        own = from_matrices(rest[:3, :3])
        rotations[i] = continuous(multiplied(undone(own), multiplied(turn, own)))
        if not (bone.connected and bone.parent >= 0):
            shift = _shift(clip, i, rest)
            if np.abs(shift).max(initial=0.0) > LEAST_SHIFT * clip.rig.leg_length:
                located.append(i)
                locations[:, i] = shift
    return Channels(np.ascontiguousarray(rotations.transpose(1, 0, 2)), locations, tuple(located))


def _shift(clip: Clip, i: int, rest: np.ndarray) -> np.ndarray:
    """How far a bone is from its place under its parent, in the axes that its location counts in, (F, 3)."""
    bone = clip.rig.skeleton.bones[i]
    place, frame = _place(clip.moved[:, i], rest[:3, 3]), rest[:3, :3]
    if bone.parent < 0:
        return np.asarray((place - rest[:3, 3]) @ frame)
    parent = clip.moved[:, bone.parent]
    shift = place - _place(parent, rest[:3, 3])
    if bone.inherit_rotation:
        shift = np.einsum("fji,fj->fi", parent[:, :3, :3], shift)
    return np.asarray(shift @ frame)


def _place(moved: np.ndarray, point: np.ndarray) -> np.ndarray:
    return np.asarray(moved[:, :3, :3] @ point + moved[:, :3, 3])
