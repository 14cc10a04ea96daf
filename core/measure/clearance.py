"""How far sole points are under and over the ground."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .contacts import Contacts, Span, inside
from .slide import planted
from .track import POINTS, FootTrack, Track


class Clearance(NamedTuple):
    """Deepest sole point below the ground and highest planted one above it (metres, 0 or more)."""

    below: float
    above: float


def contact_clearance(track: Track, foot: FootTrack, contacts: Contacts, span: Span) -> Clearance:
    """Below: both sole points at all frames of the contact. Above: each while it is planted and over its tread."""
    below = above = 0.0
    in_foot = inside(track.frames, span)
    for point in POINTS:
        height = foot.clearance(point)
        below = max(below, -_extreme(height[in_foot], np.min))
        down = planted(track, foot, contacts, span, point) & ~foot.beyond_edge(point)
        above = max(above, _extreme(height[down], np.max))
    return Clearance(below, above)


def swing_clearances(track: Track, foot: FootTrack, contacts: Contacts) -> list[float]:
    """Each whole swing's least clearance between 25 and 75 percent of its time (metres; NaN where no frame is in)."""
    least = []
    lowest = np.fmin(foot.clearance("heel"), foot.clearance("ball"))
    for before, after in zip(contacts.foot, contacts.foot[1:], strict=False):
        quarter = 0.25 * (after.start - before.end)
        middle = inside(track.frames, Span(before.end + quarter, after.start - quarter))
        least.append(_extreme(lowest[middle], np.min, empty=np.nan))
    return least


def swing_depth(track: Track, foot: FootTrack, contacts: Contacts) -> float:
    """How deep the sole gets into what is on its way while it is in the air, metres; 0 where it touches nothing."""
    up = np.ones(len(track.frames), dtype=bool)
    for span in contacts.foot:
        up &= ~inside(track.frames, span)
    lowest = np.fmin(foot.clearance("heel"), foot.clearance("ball"))
    return max(0.0, -_extreme(lowest[up], np.min))


def _extreme(values: np.ndarray, which: Callable[[np.ndarray], float], *, empty: float = 0.0) -> float:
    known = values[~np.isnan(values)]
    return float(which(known)) if len(known) else empty
