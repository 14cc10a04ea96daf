"""Curves over a unit interval: easing, and paths with given ends."""

from __future__ import annotations


def share_of(value: float, low: float, high: float) -> float:
    """How far `value` is from `low` to `high`, held within 0 and 1."""
    if high <= low:
        return 1.0 if value >= high else 0.0
    # Compared by hand: asked for so often that calling `min` and `max` would show.
    share = (value - low) / (high - low)
    if not share > 0.0:
        return 0.0
    return share if share < 1.0 else 1.0


def smoothstep(t: float) -> float:
    """0 to 1 with no speed at either end (held outside 0 and 1)."""
    if not t > 0.0:
        return 0.0
    return t * t * (3.0 - 2.0 * t) if t < 1.0 else 1.0


def smootherstep(t: float) -> float:
    """0 to 1 with neither speed nor acceleration at either end: the path of least jerk from rest to rest."""
    if not t > 0.0:
        return 0.0
    return t * t * t * (10.0 + t * (6.0 * t - 15.0)) if t < 1.0 else 1.0


def hermite(start: float, start_speed: float, end: float, end_speed: float, t: float) -> float:
    """The cubic with these ends and speeds (per unit of `t`), at `t`."""
    rise = end - start
    return start + t * (
        start_speed + t * (3.0 * rise - 2.0 * start_speed - end_speed + t * (start_speed + end_speed - 2.0 * rise))
    )


def arch_over(length: float, ends: tuple[float, float], edges: tuple[tuple[float, float], ...]) -> float:
    """How high a parabola rises over the line between its ends (heights, so far apart) to pass over edges.

    `edges` are (how far from the first end, how high). One at an end is taken a twentieth of the way further in: right
    over an end nothing rises.
    """
    rise = 0.0
    for along, height in edges:
        share = min(0.95, max(0.05, along / length)) if length > 0.0 else 0.5
        level = ends[0] + (ends[1] - ends[0]) * share
        rise = max(rise, (height - level) / (4.0 * share * (1.0 - share)))
    return rise


def arch_top(ends: tuple[float, float], rise: float) -> float:
    """How high such a parabola is at its highest."""
    climb = ends[1] - ends[0]
    share = min(1.0, max(0.0, 0.5 + climb / (8.0 * rise))) if rise > 0.0 else float(climb > 0.0)
    return ends[0] + climb * share + 4.0 * rise * share * (1.0 - share)
