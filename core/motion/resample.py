"""A motion at other moments: exact times, turns on the shorter way between the two that were sampled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..space.quaternions import continuous, mixed, unit

# A moment so near before the last sample (frames of the result) is that sample's.
AT_THE_END = 1e-6


class Sampling(NamedTuple):
    """Times in the source's frames (F,), the frames of the scene that they are keyed at (F,), and what is left over
    after the last one, seconds.
    """

    times: np.ndarray
    frames: np.ndarray
    rest: float


def sampling(first: float, last: float, *, source: float, target: float, scene: float) -> Sampling:
    """From frame `first` to `last` of a motion with `source` frames a second: `target` samples a second, keyed from
    `first` on in a scene with `scene` frames a second.

    Sample k is at exactly k / target seconds: nothing adds up.
    """
    if min(source, target, scene) <= 0.0:
        raise ValueError("A rate has to be more than no frames a second.")
    count = int(np.floor((last - first) * target / source + AT_THE_END)) + 1
    steps = np.arange(count)
    times = np.minimum(first + steps * source / target, last)
    rest = (last - first) / source - (count - 1) / target
    return Sampling(times, first + steps * scene / target, max(rest, 0.0))


def turns_at(quaternions: np.ndarray, known: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Turns (K, ..., 4) that are known at rising times (K,), at other `times` (F,): (F, ..., 4), of even sign.

    Source: K. Shoemake, "Animating Rotation with Quaternion Curves" (1985): along the great arc.
    """
    rows = continuous(unit(quaternions))
    k, share = _between(known, times)
    after = np.minimum(k + 1, len(known) - 1)
    return continuous(mixed(rows[k], rows[after], share.reshape(-1, *[1] * (rows.ndim - 2))))


def places_at(values: np.ndarray, known: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Values (K, ...) at other times, on straight lines between; held before the first and after the last."""
    k, share = _between(known, times)
    after = np.minimum(k + 1, len(known) - 1)
    result: np.ndarray = values[k] + (values[after] - values[k]) * share.reshape(-1, *[1] * (values.ndim - 1))
    return result


def _between(known: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The sample at or before each time, and the share of the way to the next one."""
    k = np.clip(np.searchsorted(known, times, side="right") - 1, 0, max(len(known) - 2, 0))
    if len(known) < 2:
        return k, np.zeros(len(times))
    return k, np.clip((times - known[k]) / (known[k + 1] - known[k]), 0.0, 1.0)
