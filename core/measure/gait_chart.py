"""A gait in numbers, from contacts alone: Hildebrand's chart of who is down when."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .contacts import Contacts, Span, inside
from .track import FootTrack, Track


@dataclass(frozen=True)
class FootChart:
    """One foot's gait over its whole strides (landing to landing); None where there is no whole stride.

    duty_factor: stance over stride. phase_offset: landing within the first foot's stride, 0 to 1. cadence: steps of
    all feet a minute. stride: from foothold to foothold, metres. flight: share of the time with no foot down.
    double_support: share with two feet or more down.
    """

    strides: int
    duty_factor: float | None
    phase_offset: float | None
    cadence: float | None
    stride: float | None
    flight: float | None
    double_support: float | None


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
        cadence=60.0 * track.fps * len(track.feet) / float(np.mean(times)),
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
