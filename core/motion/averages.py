"""Means over a window that slides along a track: what remains of a motion without what repeats in it."""

from __future__ import annotations

import numpy as np

# The way of the last half window is half that of the last whole one, within this share of it: it goes on evenly.
EVEN = 0.35


def without_strides(values: np.ndarray, window: float, ends: tuple[bool, bool] = (True, True)) -> np.ndarray:
    """Rows (F,) or (F, n) averaged over `window` frames about each, then over half of that.

    What repeats with the window, or twice or more often in it, is gone. ends: whether the motion goes on evenly before
    the first and after the last row. Past such an end the rows are those of a window before or after, by as much
    farther as that window brought, so that what repeats is gone there too. Towards any other end the window shrinks,
    and the first or last row stays as it is.
    """
    window = min(window, len(values) - 1.0)
    if window < 1.0:
        return values.astype(np.float64)
    pad = int(np.ceil(window)) + 1
    rows = values.reshape(len(values), -1).astype(np.float64)
    before, after = (_beyond(rows, window, pad, end) for end in (0, 1))
    longer = np.concatenate([*([before] if ends[0] else []), rows, *([after] if ends[1] else [])])
    for width in (window, 0.5 * window):
        longer = _mean(longer, width)
    first = pad if ends[0] else 0
    return longer[first : first + len(rows)].reshape(values.shape)


def goes_on_evenly(places: np.ndarray, window: float, noise: float) -> tuple[bool, bool]:
    """Whether a way (F, n) goes on evenly before its first and after its last row, rather than begins or stops there.

    noise: how far a sway alone gets, in the same unit.
    """
    window = min(window, len(places) - 1.0)
    if window < 2.0:
        return False, False
    frames = np.arange(len(places))

    def is_even(rows: np.ndarray) -> bool:
        half, whole = (
            np.array([np.interp(share * window, frames, column) for column in rows.T]) - rows[0] for share in (0.5, 1.0)
        )
        return bool(np.linalg.norm(whole - 2.0 * half) <= EVEN * np.linalg.norm(whole) + noise)

    return is_even(places), is_even(places[::-1])


def _beyond(rows: np.ndarray, window: float, pad: int, end: int) -> np.ndarray:
    """The `pad` rows before the first (`end` 0) or after the last one (1) of a motion that goes on evenly."""
    if end == 0:
        return _beyond(rows[::-1], window, pad, 1)[::-1]
    frames, last = np.arange(len(rows)), len(rows) - 1.0

    def at(times: np.ndarray) -> np.ndarray:
        return np.stack([np.interp(times, frames, column) for column in rows.T], axis=-1)

    past = np.arange(1.0, pad + 1.0)
    rounds = np.ceil(past / window - 1e-9)
    step = rows[-1] - at(np.array([last - window]))[0]
    result: np.ndarray = at(last + past - rounds * window) + rounds[:, None] * step
    return result


def _mean(rows: np.ndarray, width: float) -> np.ndarray:
    """The mean over `width` frames about each row, of rows joined by straight lines; over less towards the ends."""
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(0.5 * (rows[1:] + rows[:-1]), axis=0)])
    frames, last = np.arange(len(rows), dtype=np.float64), len(rows) - 1.0
    half = np.minimum(0.5 * width, np.minimum(frames, last - frames))
    means = (_integral(rows, sums, frames + half) - _integral(rows, sums, frames - half))[1:-1]
    result = rows.copy()
    result[1:-1] = means / (2.0 * half[1:-1])[:, None]
    return result


def _integral(rows: np.ndarray, sums: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The integral of the joined rows from the first one up to times, (len(times), n)."""
    k = np.minimum(times.astype(np.int64), len(rows) - 2)
    share = (times - k)[:, None]
    result: np.ndarray = sums[k] + share * (rows[k] + 0.5 * share * (rows[k + 1] - rows[k]))
    return result
