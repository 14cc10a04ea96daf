"""How a long body lies on the ground under its track: over steps, edges and gaps without a sharp bend, never under it.

Heights along the track from before the head to behind the tail: a hundred at once, so numpy. The body comes off the
ground before a step and after an edge as steeply as STEEPEST; then bends are rounded over the length of a bone, and
what that would have put under the ground is raised again.
"""

from __future__ import annotations

import numpy as np

Numbers = np.ndarray | float

STEEPEST = 1.2
"""Rise per metre."""


def eased(ways: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """The lowest line over all `heights` (n,) at these `ways` along the track (n,) that is nowhere too steep, (n,)."""
    ramp = STEEPEST * ways
    falling = np.maximum.accumulate(heights + ramp) - ramp
    rising = np.maximum.accumulate((heights - ramp)[::-1])[::-1] + ramp
    return np.maximum(falling, rising)


def rounded_over(heights: np.ndarray, reach: int) -> np.ndarray:
    """Evenly spread heights (n,) with their bends rounded over `reach` places to both sides, the length of a bone.

    No height is less than before, and none of a straight bone's between two places of the line.
    """
    half, beyond = (reach + 1) // 2, 4 * reach
    heights = _going_on(heights, beyond)
    smooth = _rounded(heights, reach)
    wide = _beyond(smooth, half)
    sags = smooth - 0.5 * (wide[2 * half :] + wide[: -2 * half])
    missing = np.maximum(heights - smooth + np.maximum(sags, 0.0), 0.0)
    # The most that is missing within reach, averaged within the same reach, is never less than what is missing.
    return (smooth + _rounded(_most(missing, reach), reach))[beyond:-beyond]


def over_ground(clearance: Numbers, slope: np.ndarray, lean: Numbers) -> np.ndarray:
    """How far over the ground, straight up, a body is whose middle is `clearance` away; (n,), or one for all."""
    return clearance * np.sqrt(1.0 + slope * slope + lean * lean)


def _rounded(values: np.ndarray, reach: int) -> np.ndarray:
    """Twice the mean over half the reach: a line's corners become curves. Beyond the ends the values stay the same."""
    first = (reach + 1) // 2
    once, again = np.ones(2 * first + 1), np.ones(2 * (reach - first) + 1)
    weights = np.convolve(once / once.size, again / again.size)
    return np.convolve(_beyond(values, reach), weights, mode="valid")


def _most(values: np.ndarray, reach: int) -> np.ndarray:
    """The largest within reach of each place."""
    wide, found = _beyond(values, reach), values
    for k in range(2 * reach + 1):
        found = np.maximum(found, wide[k : k + len(values)])
    return found


def _going_on(values: np.ndarray, count: int) -> np.ndarray:
    """The values with so many more at both ends, on which a slope goes on as one."""
    before = 2.0 * values[0] - values[count:0:-1]
    return np.concatenate((before, values, 2.0 * values[-1] - values[-2 : -count - 2 : -1]))


def _beyond(values: np.ndarray, reach: int) -> np.ndarray:
    """The values with their ends repeated."""
    return np.concatenate((np.full(reach, values[0]), values, np.full(reach, values[-1])))
