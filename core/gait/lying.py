"""How a long body lies on the ground under its track: over steps, edges and gaps without a sharp bend, never under it.

Heights over evenly spread places of the track, from before the head to behind the tail. The body comes off the ground
before a step and after an edge as steeply as STEEPEST; then bends are rounded over the length of a bone, and what the
rounding would have put under the ground is raised again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import sqrt

STEEPEST = 1.2
"""Rise per metre."""


def lying(heights: Sequence[float], apart: float, reach: int) -> list[float]:
    """The heights at which a body lies on ground of these `heights`, `apart` metres from each other.

    Bends are rounded over `reach` places to both sides. No height is less than the ground's.
    """
    eased = _eased(heights, STEEPEST * apart)
    smooth = _rounded(eased, reach)
    missing = [max(0.0, ground - height) for ground, height in zip(eased, smooth, strict=True)]
    if not any(missing):
        return smooth
    # The most that is missing within reach, averaged within the same reach, is never less than what is missing.
    raised = _rounded(_most(missing, reach), reach)
    return [height + more for height, more in zip(smooth, raised, strict=True)]


def slopes(heights: Sequence[float], apart: float) -> list[float]:
    """The rise per metre at each place."""
    ends = (heights[0], *heights, heights[-1])
    inner = [(after - before) / (2.0 * apart) for before, after in zip(ends, ends[2:], strict=False)]
    inner[0], inner[-1] = 2.0 * inner[0], 2.0 * inner[-1]
    return inner


def over_ground(clearance: float, slope: float, lean: float) -> float:
    """How far over the ground, straight up, a body is whose middle is `clearance` away from it."""
    return clearance * sqrt(1.0 + slope * slope + lean * lean)


def _eased(heights: Sequence[float], most: float) -> list[float]:
    """The lowest line over all heights that rises and falls by no more than this from place to place."""
    found = list(heights)
    for k in range(1, len(found)):
        found[k] = max(found[k], found[k - 1] - most)
    for k in range(len(found) - 2, -1, -1):
        found[k] = max(found[k], found[k + 1] - most)
    return found


def _rounded(values: Sequence[float], reach: int) -> list[float]:
    """Twice the mean over half the reach: a line's corners become curves. Beyond the ends the values go on."""
    first = (reach + 1) // 2
    return _mean(_mean(values, first), reach - first)


def _mean(values: Sequence[float], reach: int) -> list[float]:
    if reach <= 0:
        return list(values)
    padded = [*([values[0]] * reach), *values, *([values[-1]] * reach)]
    sums = [0.0, *accumulate(padded)]
    size = 2 * reach + 1
    return [(high - low) / size for low, high in zip(sums, sums[size:], strict=False)]


def _most(values: Sequence[float], reach: int) -> list[float]:
    """The largest within reach of each place."""
    count = len(values)
    return [max(values[max(0, k - reach) : min(count, k + reach + 1)]) for k in range(count)]
