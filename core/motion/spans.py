"""When a foot is on the ground: spans of time, for a foot and for its two sole points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

Point = Literal["heel", "ball"]
POINTS: tuple[Point, Point] = ("heel", "ball")


class Span(NamedTuple):
    """A contact, from landing to lift-off, in scene frames; both may lie between two frames."""

    start: float
    end: float

    @property
    def length(self) -> float:
        """Frames from landing to lift-off."""
        return self.end - self.start


@dataclass(frozen=True)
class Contacts:
    """One foot's contacts in order, and those of its two sole points where they are known of their own."""

    foot: tuple[Span, ...]
    heel: tuple[Span, ...] | None = None
    ball: tuple[Span, ...] | None = None

    def of(self, point: Point) -> tuple[Span, ...] | None:
        """A sole point's own contacts."""
        return self.heel if point == "heel" else self.ball

    def within(self, first: float, last: float) -> Contacts:
        """What of them lies between two frames, as a take of those frames alone has it."""

        def cut(spans: tuple[Span, ...] | None) -> tuple[Span, ...] | None:
            if spans is None:
                return None
            return tuple(Span(max(a, first), min(b, last)) for a, b in spans if a < last and b > first)

        return Contacts(cut(self.foot) or (), cut(self.heel), cut(self.ball))


def inside(frames: np.ndarray, span: Span) -> np.ndarray:
    """True at the whole frames within a span, (F,)."""
    return (frames >= span.start - 1e-6) & (frames <= span.end + 1e-6)


def spans_of(frames: np.ndarray, down: np.ndarray) -> tuple[Span, ...]:
    """Contacts from a flag per frame: they begin and end half way to the neighbour, or with the take."""
    return tuple(
        Span(float(frames[a]) - (0.5 if a > 0 else 0.0), float(frames[b]) + (0.5 if b < len(frames) - 1 else 0.0))
        for a, b in runs_of(down)
    )


def contacts_of(
    frames: np.ndarray, foot: np.ndarray, heel: np.ndarray | None = None, ball: np.ndarray | None = None
) -> Contacts:
    """Planned contacts from flags per frame, (F,) each."""
    points = [None if flags is None else spans_of(frames, flags) for flags in (heel, ball)]
    return Contacts(spans_of(frames, foot), points[0], points[1])


def runs_of(flags: np.ndarray) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    framed = np.zeros(len(flags) + 2, dtype=bool)
    framed[1:-1] = flags
    edges = (framed[1:] != framed[:-1]).nonzero()[0].tolist()
    return [(start, end - 1) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def united(spans: Iterable[Span], gap: float) -> tuple[Span, ...]:
    """Spans in order, those that overlap or are less than `gap` frames apart made one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start - joined[-1].end < gap:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)
