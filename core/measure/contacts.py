"""When a foot is on the ground: by plan, and found from places alone.

The finder knows nothing of the plan. A sole point is down while it is low over the ground under it and slow along
it, with a hysteresis for both; a foot is down while its heel or its ball is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .track import POINTS, FootTrack, Point, Track

# For a 0.9 m leg: a foot lands when both are under the first numbers, and lifts when one is over the second.
LANDING_HEIGHT, LIFTING_HEIGHT = 0.02, 0.03  # metres over the ground
LANDING_SPEED, LIFTING_SPEED = 0.2, 0.3  # metres a second along the ground
STILL_SPEED = 0.05  # metres a second, up and down too: the ends of a contact are trimmed to where it is still
EDGE_BISECTIONS = 12
MIN_SECONDS = 0.06  # shorter gaps are closed, shorter contacts dropped


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


def inside(frames: np.ndarray, span: Span) -> np.ndarray:
    """True at the whole frames within a span, (F,)."""
    return (frames >= span.start - 1e-6) & (frames <= span.end + 1e-6)


def spans_of(frames: np.ndarray, down: np.ndarray) -> tuple[Span, ...]:
    """Contacts from a flag per frame: they begin and end half way to the neighbour, or with the take."""
    return tuple(
        Span(float(frames[a]) - (0.5 if a > 0 else 0.0), float(frames[b]) + (0.5 if b < len(frames) - 1 else 0.0))
        for a, b in _runs(down)
    )


def contacts_of(
    frames: np.ndarray, foot: np.ndarray, heel: np.ndarray | None = None, ball: np.ndarray | None = None
) -> Contacts:
    """Planned contacts from flags per frame, (F,) each."""
    points = [None if flags is None else spans_of(frames, flags) for flags in (heel, ball)]
    return Contacts(spans_of(frames, foot), points[0], points[1])


def find_contacts(track: Track) -> dict[str, Contacts]:
    """Contacts of all feet from places alone."""
    found = {}
    for foot in track.feet:
        heel, ball = (find_point_contacts(track, foot, point) for point in POINTS)
        found[foot.role] = Contacts(_united(heel + ball, MIN_SECONDS * track.fps), heel, ball)
    return found


def find_point_contacts(track: Track, foot: FootTrack, point: Point) -> tuple[Span, ...]:
    """One sole point's contacts from its height over the ground and its speed along it."""
    places, height = foot.ground_places(point), foot.clearance(point)
    if len(places) < 2:
        return ()
    steps = np.linalg.norm(np.diff(places, axis=0), axis=-1)
    # A planted frame is still towards at least one of its neighbours: a mean of both would smear landing and swing.
    speed = np.minimum(np.append(steps, np.inf), np.insert(steps, 0, np.inf)) * track.fps
    low, slow = track.scale, math.sqrt(track.scale)
    landed = (height <= LANDING_HEIGHT * low) & (speed <= LANDING_SPEED * slow)
    down = (height <= LIFTING_HEIGHT * low) & (speed <= LIFTING_SPEED * slow)
    shortest = MIN_SECONDS * track.fps
    moves = np.linalg.norm(np.diff(places + _up(height), axis=0), axis=-1)
    runs = [_still(moves, a, b, STILL_SPEED * slow / track.fps) for a, b in _runs(down) if landed[a : b + 1].any()]
    spans = [_edged(track.frames, moves, a, b) for a, b in runs]
    return tuple(span for span in _united(spans, shortest) if span.length >= shortest)


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


def _runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    edges = np.diff(np.concatenate([[0], np.asarray(flags, dtype=np.int8), [0]]))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))


def _still(moves: np.ndarray, first: int, last: int, still: float) -> tuple[int, int]:
    """A run of planted frames without the ends that move by more than `still` a frame, or 3 times its own median.

    A foot that is set down gently is slow long before it stands; one that creeps throughout (a captured foot does)
    stands all the same.
    """
    steps = moves[first:last]
    if not len(steps):
        return first, last
    stands = np.flatnonzero(steps <= max(still, 3.0 * float(np.median(steps))))
    return first + int(stands[0]), first + int(stands[-1]) + 1


def _edged(frames: np.ndarray, steps: np.ndarray, first: int, last: int) -> Span:
    """A run of planted frames with its edges placed between frames, from the `steps` between neighbours beside it."""
    start, end = float(frames[first]), float(frames[last])
    if first > 0:
        start -= 1.0 - _moving(steps[first - 1 :: -1][:3].tolist())
    if last < len(frames) - 1:
        end += 1.0 - _moving(steps[last : last + 3].tolist())
    return Span(start, end)


def _moving(steps: list[float]) -> float:
    """The share of a frame in which a foot moved, from its step in that frame and in the next ones away from rest.

    A foot that leaves rest at an unknown moment goes a t^2 + b t^3 at first: its acceleration fades as the swing gets
    short. With the way x after 1, 2 and 3 frames, x / t^2 is a straight line in t, and the moment follows. Where a
    third step is missing or none fits, the acceleration counts as even, and the roots of two ways tell.
    """
    first, whole = steps[0], sum(steps[:2])
    if len(steps) == 1 or whole <= 0.0:
        return 0.0 if whole <= 0.0 else 1.0
    root = math.sqrt(first / whole)
    even = min(1.0, root / (1.0 - root)) if root < 1.0 else 1.0
    if len(steps) < 3 or first <= 0.0:
        return even

    def bend(t: float) -> float:
        return first / t**2 - 2.0 * whole / (t + 1.0) ** 2 + (whole + steps[2]) / (t + 2.0) ** 2

    low, high = 1e-3, 1.0
    if bend(low) <= 0.0 or bend(high) >= 0.0:
        return even
    for _ in range(EDGE_BISECTIONS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if bend(middle) > 0.0 else (low, middle)
    return high


def _united(spans: Iterable[Span], gap: float) -> tuple[Span, ...]:
    """Spans in order, those that overlap or are less than `gap` frames apart made one."""
    united: list[Span] = []
    for span in sorted(spans):
        if united and span.start - united[-1].end < gap:
            united[-1] = Span(united[-1].start, max(united[-1].end, span.end))
        else:
            united.append(span)
    return tuple(united)


def _up(height: np.ndarray) -> np.ndarray:
    return np.stack([np.zeros_like(height), np.zeros_like(height), np.nan_to_num(height)], axis=-1)
