"""Means over a window that slides along a track: what remains of a motion without what repeats in it."""

from __future__ import annotations

import numpy as np


def without_strides(values: np.ndarray, window: float) -> np.ndarray:
    """Rows (F,) or (F, n) averaged over `window` frames about each, then over half of that.

    What repeats with the window, or twice or more often in it, is gone. Past both ends the rows go on as they did a
    window before or after, by as much farther as that window brought: so it is gone at the ends too.
    """
    window = min(window, len(values) - 1.0)
    if window < 1.0:
        return values.astype(np.float64)
    pad = int(np.ceil(window)) + 1
    rows = _longer(values.reshape(len(values), -1).astype(np.float64), window, pad)
    for width in (window, 0.5 * window):
        rows = _mean(rows, width)
    return rows[pad:-pad].reshape(values.shape)


def _longer(rows: np.ndarray, window: float, pad: int) -> np.ndarray:
    """The rows with `pad` more at each end."""
    frames, last = np.arange(len(rows)), len(rows) - 1.0

    def at(times: np.ndarray) -> np.ndarray:
        return np.stack([np.interp(times, frames, column) for column in rows.T], axis=-1)

    def wrapped(times: np.ndarray, way: float) -> np.ndarray:
        """Rows past an end, from those `rounds` windows back towards the middle."""
        past = np.where(times < 0.0, -times, times - last)
        rounds = np.ceil(past / window - 1e-9)
        step = at(np.array([window]))[0] - rows[0] if way < 0.0 else rows[-1] - at(np.array([last - window]))[0]
        return at(times - way * rounds * window) + way * rounds[:, None] * step

    before, after = np.arange(-pad, 0, dtype=np.float64), last + np.arange(1, pad + 1)
    return np.concatenate([wrapped(before, -1.0), rows, wrapped(after, 1.0)])


def _mean(rows: np.ndarray, width: float) -> np.ndarray:
    """The mean over `width` frames about each row, of rows joined by straight lines; at the ends over what is there."""
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(0.5 * (rows[1:] + rows[:-1]), axis=0)])
    frames, last = np.arange(len(rows), dtype=np.float64), len(rows) - 1.0
    low, high = np.clip(frames - 0.5 * width, 0.0, last), np.clip(frames + 0.5 * width, 0.0, last)
    return (_integral(rows, sums, high) - _integral(rows, sums, low)) / (high - low)[:, None]


def _integral(rows: np.ndarray, sums: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The integral of the joined rows from the first one up to times, (len(times), n)."""
    k = np.minimum(times.astype(np.int64), len(rows) - 2)
    share = (times - k)[:, None]
    result: np.ndarray = sums[k] + share * (rows[k] + 0.5 * share * (rows[k + 1] - rows[k]))
    return result
