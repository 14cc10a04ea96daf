"""How far and how fast planted sole points move along the ground."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .contacts import LANDING_HEIGHT, Contacts, Span, inside
from .track import POINTS, FootTrack, Point, Track

# Above this number of frames the farthest pair is looked for from two ends instead of among all pairs.
MAX_PAIRED = 400


class Slide(NamedTuple):
    """The farthest that a sole point moves within a contact (metres), and its speeds (metres a second)."""

    distance: float
    speed_median: float
    speed_p95: float


STILL = Slide(0.0, 0.0, 0.0)


def planted(track: Track, foot: FootTrack, contacts: Contacts, span: Span, point: Point) -> np.ndarray:
    """True at the frames of a contact in which this sole point is down, (F,).

    The point's own contacts say it where they are known. Else it is down from its first to its last low frame: a
    heel that lifts late in stance is no longer planted, one that slides or dips in between still is.
    """
    in_foot = inside(track.frames, span)
    own = contacts.of(point)
    if own is not None:
        down = np.zeros(len(track.frames), dtype=bool)
        for part in own:
            if part.end >= span.start and part.start <= span.end:
                down |= inside(track.frames, part)
        return down & in_foot
    low = np.flatnonzero(in_foot & (foot.clearance(point) <= LANDING_HEIGHT * track.scale))
    down = np.zeros(len(track.frames), dtype=bool)
    if len(low):
        down[low[0] : low[-1] + 1] = True
    return down


def point_slide(places: np.ndarray, fps: float) -> Slide:
    """The slide of one point over consecutive planted frames, (F, 3)."""
    if len(places) < 2:
        return STILL
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=-1) * fps
    return Slide(_farthest(places), float(np.median(speeds)), float(np.percentile(speeds, 95.0)))


def contact_slide(track: Track, foot: FootTrack, contacts: Contacts, span: Span) -> Slide:
    """The worst of both sole points over one contact, each number of its own."""
    slides = [STILL]
    for point in POINTS:
        down = planted(track, foot, contacts, span, point)
        slides.append(point_slide(_along(foot, point, down), track.fps))
    return Slide(*(max(values) for values in zip(*slides, strict=True)))


def _along(foot: FootTrack, point: Point, down: np.ndarray) -> np.ndarray:
    """A sole point's places along the ground while it is `down` (F,); where none is under it, along a level one."""
    places = foot.ground_places(point)[down]
    if np.isnan(foot.ground(point)[down]).any():
        places[:, 2] = 0.0
    return places


def _farthest(places: np.ndarray) -> float:
    """The largest distance between two of the places."""
    if len(places) <= MAX_PAIRED:
        return float(np.linalg.norm(places[:, None] - places[None], axis=-1).max())
    from_first = np.linalg.norm(places - places[0], axis=-1)
    return float(np.linalg.norm(places - places[np.argmax(from_first)], axis=-1).max())
