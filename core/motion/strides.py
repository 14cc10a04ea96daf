"""The straight steady strides of a clip: what a performer's gait is averaged over."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .spans import Contacts, Span

# A stride is straight while it turns by less than this, and steady while its halves are as long and the strides of its
# kind as fast and as quick, within these shares.
STRAIGHT = math.radians(15.0)
EVEN_HALVES, SAME_SPEED, SAME_PERIOD = 0.15, 0.12, 0.12
SLOWEST = 0.15  # leg lengths a second: below it a clip stands


@dataclass(frozen=True)
class Stride:
    """From one landing of the reference foot to its next, in frames. `contacts` is each foot's stance that begins in
    it; `speed` in metres a second, `heading` of the travel in radians (0 faces -Y).
    """

    start: float
    end: float
    contacts: tuple[Span, ...]
    speed: float
    heading: float

    @property
    def length(self) -> float:
        """Its frames."""
        return self.end - self.start

    def phase(self, frame: float) -> float:
        """A frame's place in the stride, 0 to 1 within it."""
        return (frame - self.start) / self.length


def whole_strides(contacts: Sequence[Contacts], reference: int, centre: np.ndarray, fps: float) -> list[Stride]:
    """The strides in which each foot lands just once. centre: (F, 3), the middle of the hips."""
    spans = contacts[reference].foot
    found = []
    for this, following in zip(spans, spans[1:], strict=False):
        start, end = this.start, following.start
        landed = [[span for span in each.foot if start - 1e-6 <= span.start < end - 1e-6] for each in contacts]
        if this.start < 1.0 or any(len(some) != 1 for some in landed):
            continue
        a, b = _at(centre, start), _at(centre, end)
        heading = math.atan2(b[0] - a[0], -(b[1] - a[1]))
        speed = math.dist(a[:2], b[:2]) / (end - start) * fps
        found.append(Stride(start, end, tuple(some[0] for some in landed), speed, heading))
    return found


def steady(strides: Sequence[Stride], centre: np.ndarray, facing: np.ndarray, leg_length: float) -> list[Stride]:
    """The largest set of straight strides that are as fast and as quick as one of them.

    facing: (F,), where the body faces, radians. Strides that turn, or speed up, or slow down are left out.
    """
    straight = [s for s in strides if s.speed >= SLOWEST * leg_length and _is_straight(s, centre, facing)]
    aside = [_wrapped(_mean_facing(s, facing) - s.heading) for s in straight]

    def same(i: int, k: int) -> bool:
        a, b = straight[i], straight[k]
        alike = _alike(a.speed, b.speed, SAME_SPEED) and _alike(a.length, b.length, SAME_PERIOD)
        return alike and abs(_wrapped(aside[i] - aside[k])) < STRAIGHT

    kinds = [[s for i, s in enumerate(straight) if same(i, k)] for k in range(len(straight))]
    return max(kinds, key=len, default=[])


def _alike(a: float, b: float, share: float) -> bool:
    return abs(a - b) <= share * b


def _is_straight(stride: Stride, centre: np.ndarray, facing: np.ndarray) -> bool:
    places = [_at(centre, t)[:2] for t in (stride.start, 0.5 * (stride.start + stride.end), stride.end)]
    first, second = places[1] - places[0], places[2] - places[1]
    bend = math.atan2(first[0] * second[1] - first[1] * second[0], float(first @ second))
    whole = float(np.linalg.norm(places[2] - places[0]))
    even = abs(float(np.linalg.norm(first)) - float(np.linalg.norm(second))) <= EVEN_HALVES * whole
    # A pelvis yaws within a stride and is where it was after it.
    begins, ends = np.interp((stride.start, stride.end), np.arange(len(facing)), facing)
    turn = _wrapped(float(ends - begins))
    return even and abs(bend) < STRAIGHT and abs(turn) < STRAIGHT


def _mean_facing(stride: Stride, facing: np.ndarray) -> float:
    return float(facing[int(stride.start) : int(stride.end) + 1].mean())


def _at(places: np.ndarray, frame: float) -> np.ndarray:
    frames = np.arange(len(places))
    return np.array([np.interp(frame, frames, column) for column in places.T])


def _wrapped(angle: float) -> float:
    return (angle + math.pi) % (2.0 * math.pi) - math.pi
