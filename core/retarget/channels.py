"""A clip as the channels of its rig: what turns and shifts each bone relative to its rest under its parent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..motion.clip import Clip
from ..space.quaternions import continuous, crossed, from_matrices

# In shares of the leg length: a bone that leaves its place by less than this does not.
LEAST_SHIFT = 2e-5


class Channels(NamedTuple):
    """Basis rotations (F, bones, 4) wxyz, of even sign over time, and locations (F, bones, 3), metres, for a model
    space that stands at the world's origin and faces -Y. `located` are the bones that leave their place.
    """

    rotations: np.ndarray
    locations: np.ndarray
    located: tuple[int, ...]


def channels_of(clip: Clip, driven: Sequence[int] | None = None, carriers: np.ndarray | None = None) -> Channels:
    """The channels that give the clip again. A connected bone has no location, whatever the clip says.

    driven: the bones that leave their rest under their parents; all may where it is not given. carriers: how bones
    moved as others hang on them, (F, bones, 4, 4), where that is not what they are to be given themselves.
    """
    bones = clip.rig.skeleton.bones
    asked = list(range(len(bones))) if driven is None else sorted(driven)
    rotations = np.zeros((len(clip), len(bones), 4))
    rotations[..., 0] = 1.0
    locations = np.zeros((len(clip), len(bones), 3))
    if not asked:
        return Channels(rotations, locations, ())
    rests = np.array([bones[i].rest for i in asked], dtype=np.float64)
    # Single precision leaves a rest pose a little out of square; its true inverse gives back just what was turned.
    unrests = np.linalg.inv(rests[:, :3, :3])
    turns, shifts = _under_parents(clip, asked, rests[:, :3, 3], clip.moved if carriers is None else carriers)
    rotations[:, asked] = continuous(from_matrices(unrests @ turns @ rests[:, :3, :3]))
    shifts = np.einsum("nij,fnj->fni", unrests, shifts)
    least = LEAST_SHIFT * clip.rig.leg_length
    free = [not (bones[i].connected and bones[i].parent >= 0) for i in asked]
    leaves = [k for k in np.flatnonzero(np.abs(shifts).max(axis=(0, 2), initial=0.0) > least).tolist() if free[k]]
    located = tuple(asked[k] for k in leaves)
    locations[:, located] = shifts[:, leaves]
    return Channels(rotations, locations, located)


def _under_parents(
    clip: Clip, asked: Sequence[int], heads: np.ndarray, carriers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """How bones are turned, (F, n, 3, 3), and how far they are from their places, (F, n, 3), told from their parents;
    both in the axes of model space at rest. One that does not turn with its parent is turned against the model's; its
    place, in Blender, still counts in its parent's axes.
    """
    bones = clip.rig.skeleton.bones
    turns = clip.moved[:, asked, :3, :3].copy()
    shifts = _places(clip.moved[:, asked], heads) - heads
    parents = sorted({bones[i].parent for i in asked if bones[i].parent >= 0})
    backs = dict(zip(parents, np.moveaxis(_inverse(carriers[:, parents, :3, :3]), 1, 0), strict=True))
    for k, i in enumerate(asked):
        parent = bones[i].parent
        if parent < 0:
            continue
        shifts[:, k] += heads[k] - _places(carriers[:, [parent]], heads[[k]])[:, 0]
        shifts[:, k] = np.einsum("fij,fj->fi", backs[parent], shifts[:, k])
        if bones[i].inherit_rotation:
            turns[:, k] = backs[parent] @ turns[:, k]
    return turns, shifts


def _inverse(matrices: np.ndarray) -> np.ndarray:
    """The inverses of matrices (..., 3, 3), by their cofactors."""
    a, b, c = (matrices[..., k, :] for k in range(3))
    columns = np.stack([crossed(b, c), crossed(c, a), crossed(a, b)], axis=-1)
    size = np.sum(a * columns[..., 0], axis=-1)[..., None, None]
    return np.asarray(columns / np.where(size == 0.0, 1.0, size))


def _places(moved: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Where points (n, 3) of the rest pose are that hang on bones moved so, (F, n, 4, 4)."""
    return np.asarray(np.einsum("fnij,nj->fni", moved[..., :3, :3], points) + moved[..., :3, 3])
