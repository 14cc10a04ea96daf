"""Curves of keys cut at a time, with their shape kept: on both sides of the cut they go exactly as before."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

STEP, STRAIGHT, CURVED = 0, 1, 2
SAME_TIME = 1e-4


@dataclass(frozen=True)
class Keys:
    """K keys in the order of time. points, left, right (K, 2): time and value of each key and of its two handles.

    kinds (K,): how it goes on to the next one, STEP, STRAIGHT or CURVED (a cubic Bezier piece over the handles).
    source (K,): which key of the uncut curve each one is or comes after; free (K,): its handles were cut.
    """

    points: np.ndarray
    left: np.ndarray
    right: np.ndarray
    kinds: np.ndarray
    source: np.ndarray
    free: np.ndarray

    def __len__(self) -> int:
        return len(self.points)

    def taken(self, rows: np.ndarray | slice) -> Keys:
        """Some of the keys."""
        names = ("points", "left", "right", "kinds", "source", "free")
        return Keys(*(getattr(self, name)[rows] for name in names))


def keys_from(points: np.ndarray, left: np.ndarray, right: np.ndarray, kinds: np.ndarray) -> Keys:
    """The keys of a curve that was not cut."""
    count = len(points)
    return Keys(points, left, right, kinds, np.arange(count), np.zeros(count, dtype=bool))


def cut_before(keys: Keys, time: float) -> Keys:
    """What is at and after a time: a key is put there, where none is and the curve has one before."""
    points = keys.points[:, 0]
    k = int(np.searchsorted(points, time + SAME_TIME)) - 1
    if k < 0:
        return keys
    if abs(points[k] - time) <= SAME_TIME:
        return keys.taken(slice(k, None))
    if k == len(keys) - 1:
        held = keys.taken(slice(k, None))
        shift = np.array([[time - points[k], 0.0]])
        return replace(held, points=held.points + shift, left=held.left + shift, right=held.right + shift)
    return split(keys, k, time).taken(slice(k + 1, None))


def cut_after(keys: Keys, time: float) -> Keys:
    """What is at and before a time."""
    points = keys.points[:, 0]
    k = int(np.searchsorted(points, time - SAME_TIME))
    if k >= len(keys):
        return keys
    if abs(points[k] - time) <= SAME_TIME:
        return keys.taken(slice(None, k + 1))
    if k == 0:
        held = keys.taken(slice(None, 1))
        shift = np.array([[time - points[0], 0.0]])
        return replace(held, points=held.points + shift, left=held.left + shift, right=held.right + shift)
    return split(keys, k - 1, time).taken(slice(None, k + 1))


def split(keys: Keys, k: int, time: float) -> Keys:
    """One key more, at a time between key k and the next.

    Source: de Casteljau's subdivision of a Bezier piece, at the parameter where it is at that time.
    """
    start, end = keys.points[k], keys.points[k + 1]
    if keys.kinds[k] == CURVED:
        piece = _piece(keys, k)
        before, after = _halves(piece, _parameter(piece[:, 0], time))
        place, left, right = after[0], before[2], after[1]
    else:
        share = 0.0 if keys.kinds[k] == STEP else (time - start[0]) / (end[0] - start[0])
        place = np.array([time, start[1] + share * (end[1] - start[1])])
        before, after = np.array([start, keys.right[k], place, place]), np.array([place, place, keys.left[k + 1], end])
        third = (end - start) / 3.0
        left, right = place - third * [1.0, 0.0], place + third * [1.0, 0.0]
    lefts, rights = np.insert(keys.left, k + 1, left, axis=0), np.insert(keys.right, k + 1, right, axis=0)
    rights[k], lefts[k + 2] = before[1], after[2]
    free = np.insert(keys.free, k + 1, True)
    free[k] = free[k + 2] = True
    return Keys(
        np.insert(keys.points, k + 1, place, axis=0),
        lefts,
        rights,
        np.insert(keys.kinds, k + 1, keys.kinds[k]),
        np.insert(keys.source, k + 1, keys.source[k]),
        free,
    )


def _piece(keys: Keys, k: int) -> np.ndarray:
    """The four control points of a piece, (4, 2): handles that reach over each other in time count shortened."""
    start, end = keys.points[k], keys.points[k + 1]
    out, into = keys.right[k] - start, keys.left[k + 1] - end
    length, reach = end[0] - start[0], abs(out[0]) + abs(into[0])
    if reach > length:
        out, into = out * (length / reach), into * (length / reach)
    return np.array([start, start + out, end + into, end])


def _parameter(times: np.ndarray, time: float) -> float:
    """Where a piece whose times only rise is at a time: by halving, to the last bit that matters."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        rest = 1.0 - middle
        weights = np.array([rest**3, 3.0 * rest**2 * middle, 3.0 * rest * middle**2, middle**3])
        if float(weights @ times) < time:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _halves(piece: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    rows = [piece]
    while len(rows[-1]) > 1:
        rows.append(rows[-1][:-1] + (rows[-1][1:] - rows[-1][:-1]) * share)
    return np.array([row[0] for row in rows]), np.array([row[-1] for row in reversed(rows)])
