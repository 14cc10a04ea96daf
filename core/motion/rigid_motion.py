"""Motion that is no rigid one, as rigs with scaled, stretched or mirrored bones have: the nearest rigid motion."""

from __future__ import annotations

import numpy as np

from ..space.quaternions import crossed

# How far a bone's axes may be from orthonormal before it counts as stretched: more than rounding in 32 bits gives.
STRETCHED = 1e-3


def as_rigid(moved: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rigid motions whose bones keep their joints where they were shown; and which bones were stretched, (B,) bool.

    moved: (F, B, 4, 4), motions from rest that may stretch, shear or mirror; heads: (B, 3), the joints at rest. A
    bone's turn is the rotation nearest to what it shows (polar decomposition, after a mirror is taken off).
    """
    linear = moved[..., :3, :3]
    x, y, z = (np.ascontiguousarray(linear[..., k]) for k in range(3))
    sizes = [np.sum(axis * axis, axis=-1) - 1.0 for axis in (x, y, z)]
    leans = [np.sum(a * b, axis=-1) for a, b in ((x, y), (y, z), (z, x))]
    off = np.max(np.abs([*sizes, *leans]), axis=0)
    wrong = (off > STRETCHED) | (np.sum(crossed(x, y) * z, axis=-1) < 0.0)
    wrong &= np.isfinite(off)
    if not wrong.any():
        return moved, np.zeros(len(heads), dtype=bool)
    joints = np.einsum("fbij,bj->fbi", linear, heads) + moved[..., :3, 3]
    result = moved.copy(order="K")
    result[wrong, :3, :3] = _nearest_turns(linear[wrong])
    result[..., :3, 3] = np.where(
        wrong[..., None], joints - np.einsum("fbij,bj->fbi", result[..., :3, :3], heads), moved[..., :3, 3]
    )
    return result, wrong.any(axis=0)


def _nearest_turns(linear: np.ndarray) -> np.ndarray:
    """The rotation nearest to each of (N, 3, 3); of one that mirrors, to what it is without the mirror."""
    left, _, right = np.linalg.svd(linear)
    left[..., :, 2] *= np.sign(np.linalg.det(left @ right))[..., None]
    return np.asarray(left @ right)
