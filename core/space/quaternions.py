"""Rotations over whole arrays: quaternions w, x, y, z in the last axis, double precision.

Over frames numpy is the quick way; one at a time, in a tick, mathutils is. Angles are taken of contiguous arrays only:
of others numpy 1.26 gives now and then another last bit, depending on where they lie in memory.

What is made here holds the numbers of one kind side by side in memory, whatever its shape says: loops over thousands of
frames instead of over three or four numbers are several times as quick.
"""

from __future__ import annotations

import numpy as np

# Within 0.8 degrees of straight backwards a smallest turn is any turn.
OPPOSITE = -0.9999
NO_LENGTH = 1e-5


# So many rotations at once stay within a processor's own memory.
AT_ONCE = 4096


def components(count: int, shape: tuple[int, ...]) -> np.ndarray:
    """An empty array (*shape, count) of which all first components lie side by side in memory, and so on."""
    return np.empty((count, *shape)).transpose((*range(1, len(shape) + 1), 0))


def lengths(vectors: np.ndarray) -> np.ndarray:
    """The lengths (...,) of vectors (..., 3) or quaternions (..., 4): `np.linalg.norm` in a fraction of its time."""
    parts = [vectors[..., k] for k in range(vectors.shape[-1])]
    square: np.ndarray = parts[0] * parts[0]
    for part in parts[1:]:
        square = square + part * part
    found: np.ndarray = np.sqrt(square)
    return found


def dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The inner products (...,) of vectors (..., n)."""
    found: np.ndarray = a[..., 0] * b[..., 0]
    for k in range(1, a.shape[-1]):
        found = found + a[..., k] * b[..., k]
    return found


def from_matrices(matrices: np.ndarray) -> np.ndarray:
    """Unit quaternions (..., 4) of rotations (..., 3, 3); lengths of the columns do not matter.

    Source: S. W. Shepperd, "Quaternion from Rotation Matrix" (1978): from the largest of the four components.
    """
    shape = matrices.shape[:-2]
    if len(shape) == 1 and shape[0] <= AT_ONCE:
        return _from_some(matrices)
    if len(shape) > 1 and len(matrices) > 0 and np.prod(shape[1:]) <= AT_ONCE:
        rows = max(1, AT_ONCE // max(1, int(np.prod(shape[1:]))))
        result = components(4, shape)
        for first in range(0, len(matrices), rows):
            result[first : first + rows] = _from_some(matrices[first : first + rows])
        return result
    return _from_some(matrices)


def _from_some(matrices: np.ndarray) -> np.ndarray:
    shape = matrices.shape[:-2]
    (xx, yx, zx), (xy, yy, zy), (xz, yz, zz) = (_unit_column(matrices, k) for k in range(3))
    squares = np.stack([1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz])
    largest = np.argmax(squares, axis=0)
    result = np.empty((4, len(largest)))
    for case in range(4):
        some = np.flatnonzero(largest == case)
        if not len(some):
            continue
        at: np.ndarray | slice = slice(None) if len(some) == len(largest) else some
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
    return result.reshape(4, *shape).transpose((*range(1, len(shape) + 1), 0))


def _unit_column(matrices: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three numbers of a column of each matrix, at length 1."""
    x, y, z = (np.array(matrices[..., j, k], dtype=np.float64).ravel() for j in range(3))
    length = np.sqrt(x * x + y * y + z * z)
    length = np.where(length > 0.0, length, 1.0)
    return x / length, y / length, z / length


def unit(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations at length 1; what has no length is the identity."""
    size = lengths(quaternions)[..., None]
    known = size > 1e-12
    if known.all():
        return np.asarray(quaternions / size)
    return np.where(known, quaternions / np.where(known, size, 1.0), [1.0, 0.0, 0.0, 0.0])


def multiplied(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The products (..., 4): `b` first, then `a`."""
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    shape = a.shape if a.shape == b.shape else np.broadcast_shapes(a.shape, b.shape)
    result = components(4, shape[:-1])
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
    sine = lengths(q[..., 1:])
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
    result = np.empty((*quaternions.shape[:-1], 3, 3))
    if quaternions.ndim > 2 and len(quaternions) > 1 and quaternions.size > 4 * AT_ONCE:
        rows = max(1, 4 * AT_ONCE * len(quaternions) // quaternions.size)
        for first in range(0, len(quaternions), rows):
            _put_matrices(quaternions[first : first + rows], result[first : first + rows])
    else:
        _put_matrices(quaternions, result)
    return result


def _put_matrices(quaternions: np.ndarray, result: np.ndarray) -> None:
    w, x, y, z = (quaternions[..., k] for k in range(4))
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


def turned(quaternions: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (..., 3), turned."""
    w, x, y, z = (quaternions[..., k] for k in range(4))
    right, back, up = (vectors[..., k] for k in range(3))
    a, b, c = 2.0 * (y * up - z * back), 2.0 * (z * right - x * up), 2.0 * (x * back - y * right)
    first = np.asarray(right + w * a + (y * c - z * b))
    result = components(3, first.shape)
    result[..., 0], result[..., 1], result[..., 2] = (
        first,
        back + w * b + (z * a - x * c),
        up + w * c + (x * b - y * a),
    )
    return result


def crossed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The cross product of vectors (..., 3): what `np.cross` says, in a fraction of its time."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    first = np.asarray(ay * bz - az * by)
    result = components(3, first.shape)
    result[..., 0], result[..., 1], result[..., 2] = first, az * bx - ax * bz, ax * by - ay * bx
    return result


def arcs(start: np.ndarray, end: np.ndarray, side: np.ndarray) -> np.ndarray:
    """The smallest turns from unit vectors to others, (..., 4); opposite ones turn about `side` (..., 3)."""
    cosine = dots(start, end)
    opposite = cosine <= OPPOSITE
    if not np.any(opposite):
        return unit(_joined(1.0 + cosine, crossed(start, end)))
    axis = square_to(start, np.broadcast_to(side, start.shape))
    half = _joined(np.zeros_like(cosine), axis)
    begin = np.where(opposite[..., None], turned(half, start), start)
    rest = unit(_joined(1.0 + dots(begin, end), crossed(begin, end)))
    return np.where(opposite[..., None], multiplied(rest, half), rest)


def square_to(line: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Unit vectors square to the unit vectors `line` (..., 3), as near to `side` as can be."""
    across = side - line * dots(side, line)[..., None]
    # Where the side lies along the line, the axis that lies along it least stands in.
    least = np.eye(3)[np.argmin(np.abs(line), axis=-1)]
    other = least - line * dots(least, line)[..., None]
    across = np.where(lengths(across)[..., None] > NO_LENGTH, across, other)
    result: np.ndarray = across / lengths(across)[..., None]
    return result


def about(axes: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Turns about unit axes (..., 3) by angles (...,)."""
    half = 0.5 * np.asarray(angles)
    return _joined(np.cos(half), np.sin(half)[..., None] * axes)


def _joined(real: np.ndarray, imaginary: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of their first numbers (...,) and the other three (..., 3)."""
    result = components(4, imaginary.shape[:-1])
    result[..., 0], result[..., 1:] = real, imaginary
    return result


def mixed(a: np.ndarray, b: np.ndarray, share: np.ndarray | float) -> np.ndarray:
    """The turn at a share of the shorter way from `a` to `b`."""
    return multiplied(part_of(multiplied(b, undone(a)), share), a)
