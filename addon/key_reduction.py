"""Leaving keys out where straight lines between the others stay within a stated error (Douglas and Peucker 1973)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from bpy.types import FCurve

LINEAR = 1


def reduce_keys(curves: Sequence[FCurve], tolerance: float) -> int:
    """Rewrite LINEAR curves with as few keys as keep every frame within `tolerance`; how many keys there are then."""
    if tolerance <= 0.0:
        return sum(len(curve.keyframe_points) for curve in curves)
    total = 0
    for curve in curves:
        points = np.empty(len(curve.keyframe_points) * 2, dtype=np.float32)
        curve.keyframe_points.foreach_get("co", points)
        points = points.reshape(-1, 2)
        kept = needed(points.astype(np.float64), tolerance)
        total += int(kept.sum())
        if kept.all():
            continue
        curve.keyframe_points.clear()
        curve.keyframe_points.add(int(kept.sum()))
        curve.keyframe_points.foreach_set("co", points[kept].ravel())
        kinds = np.full(int(kept.sum()), LINEAR, dtype=np.uint8)
        curve.keyframe_points.foreach_set("interpolation", kinds)
        curve.update()
    return total


def needed(points: np.ndarray, tolerance: float) -> np.ndarray:
    """Which points (n, 2) of a polyline to keep so that the rest lies within `tolerance` (in value) of it."""
    kept = np.zeros(len(points), dtype=bool)
    if len(points) == 0:
        return kept
    kept[[0, -1]] = True
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        inner = points[first + 1 : last]
        share = (inner[:, 0] - points[first, 0]) / (points[last, 0] - points[first, 0])
        error = np.abs(inner[:, 1] - (points[first, 1] + share * (points[last, 1] - points[first, 1])))
        worst = int(error.argmax())
        if error[worst] <= tolerance:
            continue
        middle = first + 1 + worst
        kept[middle] = True
        spans += [(first, middle), (middle, last)]
    return kept
