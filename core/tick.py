"""One tick, from the scene to the pose: sense, decide, move, plan, pose."""

from __future__ import annotations

from math import floor


def ticks_per_frame(fps: float) -> int:
    """Equal ticks in a frame: about 60 a second, whole, at least one, so that frames are never between ticks."""
    if fps <= 0.0:
        raise ValueError(f"A scene of {fps} frames a second has no ticks.")
    return max(1, floor(60.0 / fps + 0.45))
