"""How a long body lies on the ground under its track: over steps, edges and gaps without a sharp bend, never under it.

Heights over evenly spread places of the track, from before the head to behind the tail: a hundred at once, so numpy.
The body comes off the ground before a step and after an edge as steeply as STEEPEST; then bends are rounded over the
length of a bone, and what the rounding would have put under the ground is raised again.
"""

from __future__ import annotations

import numpy as np

STEEPEST = 1.2
"""Rise per metre."""


def lying(heights: np.ndarray, apart: float, reach: int) -> np.ndarray:
    """The heights (n,) at which a body lies on ground of these `heights` (n,), `apart` metres from each other.

    Bends are rounded over `reach` places to both sides. No height is less than the ground's.
    """
    eased = _eased(heights, STEEPEST * apart)
    smooth = _rounded(eased, reach)
    missing = np.maximum(eased - smooth, 0.0)
    # The most that is missing within reach, averaged within the same reach, is never less than what is missing.
    return smooth + _rounded(_most(missing, reach), reach)


def over_ground(clearance: np.ndarray, slope: np.ndarray, lean: np.ndarray) -> np.ndarray:
    """How far over the ground, straight up, a body is whose middle is `clearance` away from it; all (n,)."""
    return clearance * np.sqrt(1.0 + slope * slope + lean * lean)


def _eased(heights: np.ndarray, most: float) -> np.ndarray:
    """The lowest line over all heights that rises and falls by no more than this from place to place."""
    ramp = most * np.arange(len(heights))
    falling = np.maximum.accumulate(heights + ramp) - ramp
    rising = np.maximum.accumulate(heights[::-1] + ramp) - ramp
    return np.maximum(falling, rising[::-1])


def _rounded(values: np.ndarray, reach: int) -> np.ndarray:
    """Twice the mean over half the reach: a line's corners become curves. Beyond the ends the values stay the same."""
    first = (reach + 1) // 2
    once, again = np.ones(2 * first + 1), np.ones(2 * (reach - first) + 1)
    weights = np.convolve(once / once.size, again / again.size)
    return np.convolve(_beyond(values, reach), weights, mode="valid")


def _most(values: np.ndarray, reach: int) -> np.ndarray:
    """The largest within reach of each place."""
    return np.lib.stride_tricks.sliding_window_view(_beyond(values, reach), 2 * reach + 1).max(axis=1)


def _beyond(values: np.ndarray, reach: int) -> np.ndarray:
    """The values with their ends repeated."""
    return np.concatenate((np.full(reach, values[0]), values, np.full(reach, values[-1])))
