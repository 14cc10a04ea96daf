"""A gait in numbers: Hildebrand's chart (1965) of who is down when, and what a gait must not do, by frame.

Contacts alone give duty, phases, cadence, support and flight; places are needed for stride lengths and crossing legs.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .contacts import Contacts, Span, inside
from .track import FootTrack, Track

# Feet that step in turn.
PAIR = 2


@dataclass(frozen=True)
class FootChart:
    """One foot's gait over its whole strides (landing to landing); None where there is no whole stride.

    duty_factor: stance over stride. phase_offset: landing within the first foot's stride, 0 to 1. cadence: steps a
    minute as they are counted of people, left and right: of one pair of feet, two a stride, however many pairs there
    are. stride: from foothold to foothold, metres. flight: share of the time with no foot down.
    double_support: share with two feet or more down.
    """

    strides: int
    duty_factor: float | None
    phase_offset: float | None
    cadence: float | None
    stride: float | None
    flight: float | None
    double_support: float | None


@dataclass(frozen=True)
class GaitChart:
    """Who is down when in a window of scene frames, feet in the order of the track.

    `flights`: no foot is down. `walk_flights`: those of them in a walk, where the feet around stand more than half of
    their strides. `crossings`: by pair (`leg`, `front_leg`), while the left foot is to the right of the right one.
    """

    fps: float
    window: Span
    contacts: dict[str, tuple[Span, ...]]
    feet: dict[str, FootChart]
    flights: tuple[Span, ...]
    walk_flights: tuple[Span, ...]
    crossings: dict[str, tuple[Span, ...]]

    def mean(self, what: str) -> float | None:
        """The mean of a number of `FootChart` over the feet that have it; None where none has."""
        known = [value for value in (getattr(foot, what) for foot in self.feet.values()) if value is not None]
        return float(np.mean(known)) if known else None


def gait_chart(track: Track, contacts: Mapping[str, Contacts]) -> GaitChart:
    """The whole chart of a track."""
    window = Span(float(track.frames[0]), float(track.frames[-1]))
    spans = {foot.role: contacts[foot.role].foot for foot in track.feet}
    aloft = flights(spans, window)
    in_walk = tuple(span for span in aloft if walks_at(spans, 0.5 * (span.start + span.end)))
    return GaitChart(track.fps, window, spans, chart(track, contacts), aloft, in_walk, crossings(track))


def flights(contacts: Mapping[str, tuple[Span, ...]], window: Span) -> tuple[Span, ...]:
    """The parts of the window in which no foot is down; none where nothing is known of any foot."""
    found, end = [], window.start
    down = sorted(span for spans in contacts.values() for span in spans)
    for span in [*down, Span(window.end, window.end)] if down else []:
        if end < min(span.start, window.end):
            found.append(Span(end, min(span.start, window.end)))
        end = max(end, span.end)
    return tuple(found)


def walks_at(contacts: Mapping[str, tuple[Span, ...]], frame: float) -> bool:
    """True where the feet stand more than half of the strides that this frame is in, on average."""
    duties = []
    for spans in contacts.values():
        for span, following in zip(spans, spans[1:], strict=False):
            if span.start <= frame < following.start:
                duties.append(span.length / (following.start - span.start))
    return bool(duties) and float(np.mean(duties)) > 0.5


def crossings(track: Track) -> dict[str, tuple[Span, ...]]:
    """By pair, the spans in which its left foot is to the right of its right one, seen along the heading.

    The ends lie where a straight line between two frames crosses. Pairs that never cross are left out.
    """
    feet = {foot.role: 0.5 * (foot.heel + foot.ball)[:, :2] for foot in track.feet}
    left = np.stack([np.cos(track.heading), np.sin(track.heading)], axis=-1)
    found = {}
    for role, places in feet.items():
        pair, _, side = role.rpartition(".")
        if side == "L" and f"{pair}.R" in feet:
            apart = ((places - feet[f"{pair}.R"]) * left).sum(axis=-1)
            if spans := _below_zero(track.frames, apart):
                found[pair] = spans
    return found


def _below_zero(frames: np.ndarray, values: np.ndarray) -> tuple[Span, ...]:
    """The spans in which a line through the values is below zero."""
    found = []
    flags = np.concatenate([[0], (values < 0.0).astype(np.int8), [0]])
    edges = np.diff(flags)
    for a, b in zip(np.flatnonzero(edges == 1).tolist(), (np.flatnonzero(edges == -1) - 1).tolist(), strict=True):
        start, end = float(frames[a]), float(frames[b])
        if a > 0:
            start -= float(values[a] / (values[a] - values[a - 1]))
        if b + 1 < len(values):
            end += float(values[b] / (values[b] - values[b + 1]))
        found.append(Span(start, end))
    return tuple(found)


def footholds(track: Track, foot: FootTrack, contacts: Contacts) -> np.ndarray:
    """Where the foot stands in each contact: the middle of its sole, the median over the contact, (contacts, 3).

    A contact between two frames has the place of the nearest one.
    """
    sole = 0.5 * (foot.heel + foot.ball)
    places = []
    for span in contacts.foot:
        down = inside(track.frames, span)
        if not down.any():
            down[np.argmin(np.abs(track.frames - 0.5 * (span.start + span.end)))] = True
        places.append(np.median(sole[down], axis=0))
    return np.array(places).reshape(-1, 3)


def landings(track: Track, contacts: Contacts) -> list[Span]:
    """The contacts whose landing the take shows: a foot that is down within its first frame may have landed before."""
    return [span for span in contacts.foot if span.start > track.frames[0] + 1.0 + 1e-6]


def chart(track: Track, contacts: Mapping[str, Contacts]) -> dict[str, FootChart]:
    """The gait of each foot in the track."""
    if not track.feet:
        return {}
    reference = [span.start for span in landings(track, contacts[track.feet[0].role])]
    every = [span for foot in track.feet for span in contacts[foot.role].foot]
    return {foot.role: _foot_chart(track, foot, contacts[foot.role], reference, every) for foot in track.feet}


def stride_frames(track: Track, contacts: Mapping[str, Contacts]) -> float | None:
    """The mean length of a whole stride over all feet, frames."""
    strides = []
    for foot in track.feet:
        starts = [span.start for span in landings(track, contacts[foot.role])]
        strides += [b - a for a, b in zip(starts, starts[1:], strict=False)]
    return float(np.mean(strides)) if strides else None


def _foot_chart(
    track: Track, foot: FootTrack, contacts: Contacts, reference: list[float], every: list[Span]
) -> FootChart:
    landed = landings(track, contacts)
    phase = _phase([span.start for span in landed], reference)
    if len(landed) < 2:
        return FootChart(0, None, phase, None, None, None, None)
    times = np.diff([span.start for span in landed])
    duty = float(np.mean([span.length / time for span, time in zip(landed, times, strict=False)]))
    places = footholds(track, foot, Contacts(tuple(landed)))
    flight, double = _support(every, landed[0].start, landed[-1].start)
    return FootChart(
        strides=len(times),
        duty_factor=duty,
        phase_offset=phase,
        cadence=60.0 * track.fps * min(PAIR, len(track.feet)) / float(np.mean(times)),
        stride=float(np.mean(np.linalg.norm(np.diff(places, axis=0), axis=-1))),
        flight=flight,
        double_support=double,
    )


def _phase(starts: list[float], reference: list[float]) -> float | None:
    """The mean place of landings within the reference strides, on the circle from 0 to 1."""
    total, count = 0j, 0
    for start in starts:
        i = int(np.searchsorted(reference, start + 1e-6, side="right")) - 1
        if 0 <= i < len(reference) - 1:
            share = (start - reference[i]) / (reference[i + 1] - reference[i])
            total += cmath.exp(2j * math.pi * share)
            count += 1
    if not count:
        return None
    phase = cmath.phase(total) / (2.0 * math.pi) % 1.0
    return 0.0 if phase > 1.0 - 1e-9 else phase


def _support(every: list[Span], start: float, end: float) -> tuple[float, float]:
    """Shares of the time from start to end with no foot down, and with two or more."""
    edges = sorted({start, end, *(min(end, max(start, edge)) for span in every for edge in span)})
    none = several = 0.0
    for a, b in zip(edges, edges[1:], strict=False):
        middle = 0.5 * (a + b)
        down = sum(span.start <= middle <= span.end for span in every)
        none += (b - a) * (down == 0)
        several += (b - a) * (down >= 2)
    return none / (end - start), several / (end - start)
