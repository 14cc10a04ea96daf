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
    rows = values.reshape(len(values), -1).astype(np.float64)
    before, after = _beyond(rows[::-1], window)[::-1], _beyond(rows, window)
    return _averaged(before, rows, after, window, ends).reshape(values.shape)


def way_without_strides(
    places: np.ndarray, heading: np.ndarray, window: float, ends: tuple[bool, bool] = (True, True)
) -> tuple[np.ndarray, np.ndarray]:
    """Places (F, 3) and the heading (F,) averaged so; past an end of a way in a bend, the bend goes on."""
    window = min(window, len(places) - 1.0)
    if window < 1.0:
        return places.astype(np.float64), heading.astype(np.float64)
    rows = np.column_stack([places, heading]).astype(np.float64)
    before, after = _bend_beyond(rows[::-1], window)[::-1], _bend_beyond(rows, window)
    smooth = _averaged(before, rows, after, window, ends)
    return smooth[:, :3], smooth[:, 3]


def _averaged(
    before: np.ndarray, rows: np.ndarray, after: np.ndarray, window: float, ends: tuple[bool, bool]
) -> np.ndarray:
    """Rows averaged over the window and half of it, with what goes on before and after them at even ends."""
    longer = np.concatenate([*([before] if ends[0] else []), rows, *([after] if ends[1] else [])])
    for width in (window, 0.5 * window):
        longer = _mean(longer, width)
    first = len(before) if ends[0] else 0
    return longer[first : first + len(rows)]


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


def _beyond(rows: np.ndarray, window: float) -> np.ndarray:
    """The rows of a window and more after the last one, of a motion that goes on evenly."""
    last = len(rows) - 1.0
    past, rounds = _past(window)
    step = rows[-1] - _at(rows, np.array([last - window]))[0]
    result: np.ndarray = _at(rows, last + past - rounds * window) + rounds[:, None] * step
    return result


def _bend_beyond(rows: np.ndarray, window: float) -> np.ndarray:
    """The same of x, y, z and heading: the steps of a window before, as seen from where it faces by then."""
    result = _beyond(rows, window)
    way, heading = rows[:, 0] + 1j * rows[:, 1], rows[:, 3]
    steps = np.diff(way) * np.exp(-0.5j * (heading[1:] + heading[:-1]))
    past, rounds = _past(window)
    again = _at(np.column_stack([steps.real, steps.imag]), len(steps) - 1.0 + past - rounds * window)
    facing = np.concatenate([heading[-1:], result[:, 3]])
    onward = (again[:, 0] + 1j * again[:, 1]) * np.exp(0.5j * (facing[1:] + facing[:-1]))
    there = way[-1] + np.cumsum(onward)
    result[:, 0], result[:, 1] = there.real, there.imag
    return result


def _past(window: float) -> tuple[np.ndarray, np.ndarray]:
    """How many frames rows are past the end, and how many windows before them those are that they repeat."""
    past = np.arange(1.0, np.ceil(window) + 2.0)
    return past, np.ceil(past / window - 1e-9)


def _at(rows: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Rows (F, n) at times, on straight lines between."""
    frames = np.arange(len(rows))
    return np.stack([np.interp(times, frames, column) for column in rows.T], axis=-1)


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
