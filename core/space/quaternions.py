"""Batch quaternions over frames and bones: arrays [..., 4], w x y z, unit length unless said, float64."""

from __future__ import annotations

import numpy as np

TINY = 1e-12


def normalised(q: np.ndarray) -> np.ndarray:
    """Unit quaternions; a zero quaternion becomes the identity."""
    q = np.asarray(q, dtype=np.float64)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(length > TINY, q / np.maximum(length, TINY), np.array([1.0, 0.0, 0.0, 0.0]))


def mul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """`a` after `b`: rotating by the product is rotating by `b`, then by `a`."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    aw, av, bw, bv = a[..., :1], a[..., 1:], b[..., :1], b[..., 1:]
    w = aw * bw - np.sum(av * bv, axis=-1, keepdims=True)
    return np.concatenate([w, aw * bv + bw * av + np.cross(av, bv)], axis=-1)


def inverse(q: np.ndarray) -> np.ndarray:
    """The opposite rotation (of unit quaternions)."""
    return np.asarray(q, dtype=np.float64) * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors [..., 3] turned by quaternions [..., 4]."""
    q, v = np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64)
    t = 2.0 * np.cross(q[..., 1:], v)
    return v + q[..., :1] * t + np.cross(q[..., 1:], t)


def from_axis_angle(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Turns by `angle` [...] about unit axes [..., 3]."""
    half = np.asarray(angle, dtype=np.float64)[..., None] * 0.5
    sines = np.sin(half) * np.asarray(axis, dtype=np.float64)
    return np.concatenate([np.broadcast_to(np.cos(half), (*sines.shape[:-1], 1)), sines], axis=-1)


def to_matrix(q: np.ndarray) -> np.ndarray:
    """Rotation matrices [..., 3, 3], acting on column vectors."""
    w, x, y, z = np.moveaxis(np.asarray(q, dtype=np.float64), -1, 0)
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(m: np.ndarray) -> np.ndarray:
    """Quaternions of rotation matrices [..., 3, 3], the largest component positive.

    Four times the outer product q q^T is linear in the matrix; its row with the largest diagonal is q, scaled
    without cancellation (the choice of S. W. Shepperd, 1978, for all elements at once).
    """
    m = np.asarray(m, dtype=np.float64)
    xx, yy, zz = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    wx, wy, wz = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    xy, xz, yz = m[..., 0, 1] + m[..., 1, 0], m[..., 0, 2] + m[..., 2, 0], m[..., 1, 2] + m[..., 2, 1]
    rows = [
        [1.0 + xx + yy + zz, wx, wy, wz],
        [wx, 1.0 + xx - yy - zz, xy, xz],
        [wy, xy, 1.0 - xx + yy - zz, yz],
        [wz, xz, yz, 1.0 - xx - yy + zz],
    ]
    outer = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    largest = np.argmax(np.diagonal(outer, axis1=-2, axis2=-1), axis=-1)
    return normalised(np.take_along_axis(outer, largest[..., None, None], axis=-2)[..., 0, :])


def slerp(a: np.ndarray, b: np.ndarray, t: np.ndarray | float) -> np.ndarray:
    """The way from `a` to `b` along the shorter arc at even speed; `t` is a number or [...]."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    t = np.asarray(t, dtype=np.float64)[..., None]
    cosine = np.sum(a * b, axis=-1, keepdims=True)
    b = np.where(cosine < 0.0, -b, b)
    # The angle from both chord lengths keeps its precision where the two quaternions nearly agree.
    angle = 2.0 * np.arctan2(
        np.linalg.norm(b - a, axis=-1, keepdims=True), np.linalg.norm(b + a, axis=-1, keepdims=True)
    )
    sine = np.sin(angle)
    near = sine < 1e-9
    safe = np.where(near, 1.0, sine)
    first = np.where(near, 1.0 - t, np.sin((1.0 - t) * angle) / safe)
    second = np.where(near, t, np.sin(t * angle) / safe)
    return normalised(first * a + second * b)
