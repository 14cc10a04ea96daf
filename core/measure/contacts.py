"""When a foot is on the ground, over ground that is known; and how far two findings are apart.

A foot is down while its heel or its ball is. The finder of planted sole points is that of any clip
(`motion/planted.py`). What was planned stands on ground that is known; of what was not, as of any clip, the floor is
found where its feet stand, so that a report tells of the contacts that a clean-up of feet holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ..motion.contacts import Soles, find_clip_contacts
from ..motion.planted import MIN_SECONDS, PLANNED, planted_spans
from ..motion.spans import Contacts, Span, contacts_of, inside, spans_of, united
from .track import POINTS, FootTrack, Point, Track

__all__ = [
    "LANDING_HEIGHT", "Contacts", "Span", "clipped", "contacts_of", "disagreement", "disagreement_within",
    "find_contacts", "find_point_contacts", "found_contacts", "inside", "spans_of",
]  # fmt: skip

LANDING_HEIGHT = PLANNED.landing_height  # metres over the ground, for a 0.9 m leg


def found_contacts(track: Track) -> dict[str, Contacts]:
    """Contacts of feet that nobody planned, as of any captured clip, seen from the ground that carries them.

    A clip may hang over the ground or stand in it; only of a body that clings the ground alone tells what is down.
    """
    if any(foot.normals is not None for foot in track.feet):
        return find_contacts(track)
    soles = [
        Soles(*(places if local is None else local for places, local in ends))
        for ends in (((foot.heel, foot.heel_local), (foot.ball, foot.ball_local)) for foot in track.feet)
    ]
    first = float(track.frames[0])
    found = {}
    for foot, contacts in zip(track.feet, find_clip_contacts(soles, track.fps, track.leg_length), strict=True):
        spans = (contacts.foot, contacts.heel or (), contacts.ball or ())
        found[foot.role] = Contacts(*(tuple(Span(a + first, b + first) for a, b in some) for some in spans))
    return found


def find_contacts(track: Track) -> dict[str, Contacts]:
    """Contacts of all feet against the ground under them, by the limits of feet that stand as planned."""
    found = {}
    for foot in track.feet:
        heel, ball = (find_point_contacts(track, foot, point) for point in POINTS)
        gap = MIN_SECONDS * math.sqrt(min(1.0, track.scale)) * track.fps
        found[foot.role] = Contacts(united(heel + ball, gap), heel, ball)
    return found


def find_point_contacts(track: Track, foot: FootTrack, point: Point) -> tuple[Span, ...]:
    """One sole point's contacts from its height over the ground and its speed along it."""
    places, clearance = foot.ground_places(point), foot.clearance(point)
    limits = PLANNED._replace(gap=PLANNED.gap * math.sqrt(min(1.0, track.scale)))
    return planted_spans(track.frames, places, clearance, track.fps, track.scale, limits, up=foot.normals)


def disagreement(planned: Iterable[Span], found: Iterable[Span]) -> float:
    """The time in which exactly one of both says that the foot is down, over the planned stance time."""
    first, second = tuple(planned), tuple(found)
    stance = sum(span.length for span in first)
    both = sum(max(0.0, min(a.end, b.end) - max(a.start, b.start)) for a in first for b in second if b.start <= a.end)
    apart = stance + sum(span.length for span in second) - 2.0 * both
    return apart / stance if stance > 0.0 else (0.0 if apart <= 0.0 else math.inf)


def clipped(spans: Iterable[Span], window: Span) -> tuple[Span, ...]:
    """What of each span lies in a window."""
    return tuple(
        Span(max(span.start, window.start), min(span.end, window.end))
        for span in spans
        if span.end > window.start and span.start < window.end
    )


def disagreement_within(planned: Sequence[Span], found: Iterable[Span], window: Span) -> float:
    """The disagreement over the planned contacts that a window shows whole, each with half of the swings around it.

    A contact within a frame of the window's ends is not seen whole: to place its edge, a finder needs the steps on both
    sides of it. NaN where none is.
    """
    whole = [span for span in planned if span.start >= window.start + 1.0 and span.end <= window.end - 1.0]
    if not whole:
        return math.nan
    before = max((span.end for span in planned if span.end < whole[0].start), default=window.start)
    after = min((span.start for span in planned if span.start > whole[-1].end), default=window.end)
    around = Span(0.5 * (before + whole[0].start), 0.5 * (whole[-1].end + after))
    return disagreement(whole, clipped(found, around))
