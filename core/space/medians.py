"""The median of a few numbers: what `numpy.median` gives, without what that costs before it begins."""

from __future__ import annotations

import numpy as np


def median(values: np.ndarray) -> float:
    """The middle of at least one number, or the mean of the two in the middle; NaN where any is none."""
    ordered = values.flatten()
    ordered.sort()
    half = len(ordered) // 2
    if np.isnan(ordered[-1]):
        return float("nan")
    return float(ordered[half]) if len(ordered) % 2 else float((ordered[half - 1] + ordered[half]) * 0.5)
