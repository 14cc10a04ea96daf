"""When one sole point is planted: low over the ground and slow along it, with a hysteresis for both.

One finder serves all: a report that knows the ground under each point (`measure/contacts.py`), and a clip of which
nothing is known but places (`contacts.py`), which finds its own floor first.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..space.medians import median
from ..space.quaternions import lengths
from .spans import Span, runs_of, united

# Limits are stated for this leg, and scale with the leg's length (speeds and times with its root, as in Froude).
REFERENCE_LEG = 0.9
EDGE_BISECTIONS = 12
MIN_SECONDS = 0.06  # shorter contacts are dropped
ELSEWHERE = 0.15  # metres: from there on a point stands in another place, and was not just pushed
# A step under the first (metres along the ground) is none, which nothing captured stays under: with so many of them
# (share) a contact is one that somebody holds, and over where its point is farther than the third (metres) from there.
# Held again farther away than the last, it stands a second time.
NO_STEP, HELD_SHARE, HELD_NEAR, HELD_APART = 2e-6, 0.1, 0.001, 0.04
# Nobody is led to his place, or away from it, for longer than that: what moves on then stands as it was captured.
LED_SECONDS = 0.3


class Limits(NamedTuple):
    """What counts as planted. A point lands when it is under both landing limits, and lifts when it is over one of the
    lifting ones; heights in metres over the ground, speeds in metres a second along it. The ends of a contact are
    trimmed to where the point moves slower than `still`, up and down too. Gaps shorter than `gap` seconds are closed.
    `fitted`: a foot is moved off and onto its place evenly, so that the steps beside a contact tell where between two
    frames its edges are; else they are half way, and where a foot is held its contact is no longer than that.
    """

    landing_height: float
    lifting_height: float
    landing_speed: float
    lifting_speed: float
    still: float
    gap: float
    fitted: bool


PLANNED = Limits(0.02, 0.03, 0.2, 0.3, still=0.05, gap=MIN_SECONDS, fitted=True)
"""For feet that stand as planned, to a millimetre."""
CAPTURED = Limits(0.02, 0.03, 0.45, 0.6, still=0.6, gap=0.1, fitted=False)
"""For anybody's feet: a captured heel is still pushed along while it is set down, and a toe creeps before it lifts."""


def planted_spans(
    frames: np.ndarray,
    places: np.ndarray,
    height: np.ndarray,
    fps: float,
    scale: float,
    limits: Limits = PLANNED,
    speed: np.ndarray | None = None,
    up: np.ndarray | None = None,
) -> tuple[Span, ...]:
    """One sole point's contacts.

    frames: (F,), rising by one. places: (F, 3), its places on the ground. height: (F,), its height over the ground,
    NaN where there is none. scale: the leg over the reference leg. speed: (F,), metres a second over the ground, where
    it is not that of the places. up: (F, 3), the way that heights are measured, where that is not Z.
    """
    if len(places) < 2:
        return ()
    slow = math.sqrt(scale)
    is_told = speed is not None
    speed = (rest_speed(places, fps) if speed is None else speed) / slow
    landed = (height <= limits.landing_height * scale) & (speed <= limits.landing_speed)
    down = (height <= limits.lifting_height * scale) & (speed <= limits.lifting_speed)
    raised = places + _raised(height, up)
    moves = lengths(raised[1:] - raised[:-1])
    runs = [(a, b) for a, b in runs_of(down) if landed[a : b + 1].any()]
    ends = [_still(moves, a, b, limits.still * slow / fps) for a, b in runs]
    if not limits.fitted:
        ends = [part for run, end in zip(runs, ends, strict=True) for part in _held(places, *run, fps, scale) or [end]]
    edged = _edged if limits.fitted else _half_way
    spans = [
        span
        for some in ([ends] if is_told else _on_one_place(ends, places, ELSEWHERE * scale))
        for span in united([edged(frames, moves, a, b) for a, b in some], limits.gap * fps)
    ]
    if not limits.fitted:
        spans = [part for span in spans for part in _held_spans(frames, places, span, fps, scale)]
    # Small legs step faster by the root of their size.
    shortest = MIN_SECONDS * min(1.0, slow) * fps
    return tuple(span for span in spans if span.length >= shortest)


def _on_one_place(runs: list[tuple[int, int]], places: np.ndarray, most: float) -> list[list[tuple[int, int]]]:
    """Runs of planted frames, together while the point is not farther than that from one to the next: in a gap of its
    contact it may be pushed, but it has not gone elsewhere.
    """
    found: list[list[tuple[int, int]]] = []
    for run in runs:
        if found and float(lengths(places[run[0]] - places[found[-1][-1][1]])) <= most:
            found[-1].append(run)
        else:
            found.append([run])
    return found


def rest_speed(places: np.ndarray, fps: float) -> np.ndarray:
    """How fast a point moves, metres a second, (F,).

    A planted frame is still towards at least one of its neighbours: a mean of both would smear landing and swing.
    """
    steps = lengths(places[1:] - places[:-1]) * fps
    speeds = np.full(len(places), np.inf)
    speeds[:-1] = steps
    speeds[1:] = np.minimum(speeds[1:], steps)
    return speeds


def _still(moves: np.ndarray, first: int, last: int, still: float) -> tuple[int, int]:
    """A run of planted frames without the ends that move by more than `still` a frame, or 3 times its own median.

    A foot that is set down gently is slow long before it stands; one that creeps throughout (a captured foot does)
    stands all the same.
    """
    steps = moves[first:last]
    if not len(steps):
        return first, last
    stands = (steps <= max(still, 3.0 * median(steps))).nonzero()[0]
    return first + int(stands[0]), first + int(stands[-1]) + 1


def _held(places: np.ndarray, first: int, last: int, fps: float, scale: float) -> list[tuple[int, int]]:
    """A run of planted frames in which a foot is held without those in which it comes to its place or leaves it, for
    each place; nothing where none is held.

    What leads a foot there may be as slow as a captured foot that stands; only its place tells them apart.
    """
    rows = places[first : last + 1, :2]
    steps = np.abs(rows[1:] - rows[:-1]).max(axis=-1, initial=0.0)
    stands = (steps <= NO_STEP * scale).nonzero()[0]
    if not len(stands) or len(stands) < HELD_SHARE * len(steps):
        return []
    elsewhere = (lengths(rows[stands[1:]] - rows[stands[:-1]]) > HELD_APART * scale).nonzero()[0] + 1
    found: list[tuple[int, int]] = []
    left = 0
    for part in np.split(stands, elsewhere):
        a, b, near = int(part[0]), int(part[-1]) + 1, HELD_NEAR * min(1.0, scale)
        before = (lengths(rows[left:a] - rows[a]) > near).nonzero()[0]
        after = (lengths(rows[b + 1 :] - rows[b]) > near).nonzero()[0]
        start = left + (int(before[-1]) + 1 if len(before) else 0)
        end = b + int(after[0]) if len(after) else len(rows) - 1
        found.append((first + start, first + end))
        if start - left > LED_SECONDS * math.sqrt(scale) * fps:
            return []
        left = end + 1
    return found if last - found[-1][1] <= LED_SECONDS * math.sqrt(scale) * fps else []


def _held_spans(frames: np.ndarray, places: np.ndarray, span: Span, fps: float, scale: float) -> list[Span]:
    """A contact that may be of several runs without what leads a foot to its places, or from there."""
    first, last = math.ceil(span.start - frames[0]), math.floor(span.end - frames[0])
    return [_half_way(frames, places, *part) for part in _held(places, first, last, fps, scale)] or [span]


def _half_way(frames: np.ndarray, _steps: np.ndarray, first: int, last: int) -> Span:
    """A run of planted frames that begins and ends half way to its neighbours, or with the take."""
    return Span(float(frames[first]) - 0.5 * (first > 0), float(frames[last]) + 0.5 * (last < len(frames) - 1))


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


def _raised(height: np.ndarray, up: np.ndarray | None) -> np.ndarray:
    if up is not None:
        return np.nan_to_num(height)[:, None] * up
    return np.stack([np.zeros_like(height), np.zeros_like(height), np.nan_to_num(height)], axis=-1)
