"""Rotations over whole arrays: quaternions w, x, y, z in the last axis, double precision.

Over frames numpy is the quick way; one at a time, in a tick, mathutils is. Angles are taken of contiguous arrays only:
of others numpy 1.26 gives now and then another last bit, depending on where they lie in memory.
"""

from __future__ import annotations

import numpy as np

# Within 0.8 degrees of straight backwards a smallest turn is any turn.
OPPOSITE = -0.9999
NO_LENGTH = 1e-5


def from_matrices(matrices: np.ndarray) -> np.ndarray:
    """Unit quaternions (..., 4) of rotations (..., 3, 3); lengths of the columns do not matter.

    Source: S. W. Shepperd, "Quaternion from Rotation Matrix" (1978): from the largest of the four components. Numbers
    of one kind lie side by side here, which is the quick way over many rotations.
    """
    shape = matrices.shape[:-2]
    (xx, yx, zx), (xy, yy, zy), (xz, yz, zz) = (_unit_column(matrices, k) for k in range(3))
    squares = np.stack([1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz])
    largest = np.argmax(squares, axis=0)
    result = np.empty((4, len(largest)))
    for case in range(4):
        at: np.ndarray | slice = np.flatnonzero(largest == case)
        if np.size(at) in {0, len(largest)}:
            if not np.size(at):
                continue
            at = slice(None)
        a, b, c = zy[at] - yz[at], xz[at] - zx[at], yx[at] - xy[at]
        d, e, f = yx[at] + xy[at], xz[at] + zx[at], zy[at] + yz[at]
        top = squares[case][at]
        # Each row is the quaternion times four times one of its components.
        rows = ((top, a, b, c), (a, top, d, e), (b, d, top, f), (c, e, f, top))[case]
        w, x, y, z = rows
        length = np.sqrt(w * w + x * x + y * y + z * z)
        for k in range(4):
            result[k, at] = rows[k] / length
    if np.isnan(result[0]).any():
        result[:, np.isnan(result[0])] = [[1.0], [0.0], [0.0], [0.0]]
    return np.ascontiguousarray(result.T).reshape(*shape, 4)


def _unit_column(matrices: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three numbers of a column of each matrix, at length 1."""
    x, y, z = (np.array(matrices[..., j, k], dtype=np.float64).ravel() for j in range(3))
    length = np.sqrt(x * x + y * y + z * z)
    length = np.where(length > 0.0, length, 1.0)
    return x / length, y / length, z / length


def unit(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations at length 1; what has no length is the identity."""
    lengths = np.linalg.norm(quaternions, axis=-1, keepdims=True)
    known = lengths > 1e-12
    return np.where(known, quaternions / np.where(known, lengths, 1.0), [1.0, 0.0, 0.0, 0.0])


def multiplied(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The products (..., 4): `b` first, then `a`."""
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    result = np.empty(np.broadcast_shapes(a.shape, b.shape))
    result[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    result[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    result[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    result[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return result


def undone(quaternions: np.ndarray) -> np.ndarray:
    """The rotations back."""
    return quaternions * [1.0, -1.0, -1.0, -1.0]


def part_of(quaternions: np.ndarray, share: np.ndarray | float) -> np.ndarray:
    """A share of each rotation, the shorter way from the identity; `share` broadcasts against (...,)."""
    q = np.where(quaternions[..., :1] < 0.0, -quaternions, quaternions)
    sine = np.linalg.norm(q[..., 1:], axis=-1)
    half = np.arctan2(sine, np.ascontiguousarray(q[..., 0]).reshape(sine.shape))
    turned = half * share
    scale = np.where(sine > 1e-12, np.sin(turned) / np.where(sine > 1e-12, sine, 1.0), share)
    return np.concatenate([np.cos(turned)[..., None], q[..., 1:] * scale[..., None]], axis=-1)


def continuous(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations (F, ..., 4) with signs such that neighbours in time are on one side; the first has w >= 0."""
    first = np.where(quaternions[:1, ..., :1] < 0.0, -1.0, 1.0)
    dots = np.sum(quaternions[1:] * quaternions[:-1], axis=-1, keepdims=True)
    signs = np.cumprod(np.concatenate([first, np.where(dots < 0.0, -1.0, 1.0)]), axis=0)
    return quaternions * signs


def about_z(angles: np.ndarray) -> np.ndarray:
    """Turns about +Z, (..., 4)."""
    half, zero = 0.5 * angles, np.zeros_like(angles)
    return np.stack([np.cos(half), zero, zero, np.sin(half)], axis=-1)


def to_matrices(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations (..., 4), of length 1, as matrices (..., 3, 3)."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    result = np.empty((*quaternions.shape[:-1], 3, 3))
    result[..., 0, 0], result[..., 0, 1], result[..., 0, 2] = (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - w * z),
        2.0 * (x * z + w * y),
    )
    result[..., 1, 0], result[..., 1, 1], result[..., 1, 2] = (
        2.0 * (x * y + w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z - w * x),
    )
    result[..., 2, 0], result[..., 2, 1], result[..., 2, 2] = (
        2.0 * (x * z - w * y),
        2.0 * (y * z + w * x),
        1.0 - 2.0 * (x * x + y * y),
    )
    return result


def turned(quaternions: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (..., 3), turned."""
    across = 2.0 * crossed(quaternions[..., 1:], vectors)
    result: np.ndarray = vectors + quaternions[..., :1] * across + crossed(quaternions[..., 1:], across)
    return result


def crossed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The cross product of vectors (..., 3): what `np.cross` says, in a fraction of its time."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def arcs(start: np.ndarray, end: np.ndarray, side: np.ndarray) -> np.ndarray:
    """The smallest turns from unit vectors to others, (..., 4); opposite ones turn about `side` (..., 3)."""
    cosine = np.sum(start * end, axis=-1)
    opposite = cosine <= OPPOSITE
    if not np.any(opposite):
        return unit(np.concatenate([1.0 + cosine[..., None], crossed(start, end)], axis=-1))
    axis = square_to(start, np.broadcast_to(side, start.shape))
    half = np.concatenate([np.zeros_like(cosine)[..., None], axis], axis=-1)
    begin = np.where(opposite[..., None], turned(half, start), start)
    rest = unit(np.concatenate([1.0 + np.sum(begin * end, axis=-1)[..., None], crossed(begin, end)], axis=-1))
    return np.where(opposite[..., None], multiplied(rest, half), rest)


def square_to(line: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Unit vectors square to the unit vectors `line` (..., 3), as near to `side` as can be."""
    across = side - line * np.sum(side * line, axis=-1, keepdims=True)
    # Where the side lies along the line, the axis that lies along it least stands in.
    least = np.eye(3)[np.argmin(np.abs(line), axis=-1)]
    other = least - line * np.sum(least * line, axis=-1, keepdims=True)
    length = np.linalg.norm(across, axis=-1, keepdims=True)
    across = np.where(length > NO_LENGTH, across, other)
    result: np.ndarray = across / np.linalg.norm(across, axis=-1, keepdims=True)
    return result


def about(axes: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Turns about unit axes (..., 3) by angles (...,)."""
    half = 0.5 * np.asarray(angles)[..., None]
    return np.concatenate([np.cos(half), np.sin(half) * axes], axis=-1)


def mixed(a: np.ndarray, b: np.ndarray, share: np.ndarray | float) -> np.ndarray:
    """The turn at a share of the shorter way from `a` to `b`."""
    return multiplied(part_of(multiplied(b, undone(a)), share), a)
