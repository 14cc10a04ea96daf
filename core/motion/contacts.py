"""Contacts of any clip, from the places of its heels and balls alone: no ground is known, so the floor is found first.

A foot is down while its heel or its ball is low and still. The floor is local in time: it lies where a sole point came
to rest (a plateau), and rises or falls evenly from one plateau to the next. So captured drift, slopes and stairs do not
break it. A foot that rests in the air (the top of a jump, a raised knee) makes no floor: it comes up to there and
goes down from there, while nothing else rests as high.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..space.medians import median
from ..space.quaternions import lengths
from .planted import CAPTURED, MIN_SECONDS, REFERENCE_LEG, Limits, planted_spans, rest_speed
from .spans import Contacts, Span, runs_of, united

FASTEST_RATE = 75.0  # frames a second, over which captured noise looks like speed: the clip is thinned
RESTING_SPEED = 0.3  # metres a second, in all directions, for a 0.9 m leg
BESIDE_SECONDS = 0.4  # how far before and after a plateau a foot that rests in the air is lower
SHORT_SECONDS = 0.15  # a rest above both neighbours that is shorter than this is the top of a jump
# So far (seconds) before and after a moment the floor is at most so much (metres) over its point: no stair is so high.
ABOUT_SECONDS, FAR_UNDER = 0.2, 0.25
OTHER_SHARE = 0.8  # so much of a rest in the air another foot rests lower
# On the spot: the share of the time (percent) that any foot is down at least; the share of the speed over which a foot
# that goes forward swings; and how many legs over the lowest foot one is that never comes down.
STANDS_AT, SWINGS_FORWARD, NEVER_DOWN = 15.0, 0.1, 0.15
LONGEST_LEG = 4.0  # metres
STEEPEST = math.tan(math.radians(20.0))  # a heel higher over its ball than this is lifted, not on a slope


class Soles(NamedTuple):
    """One foot of a clip: heel and ball, (F, 3) each, the same for a point foot."""

    heel: np.ndarray
    ball: np.ndarray


class _Plateau(NamedTuple):
    """Frames in which a sole point rests, and how high."""

    first: int
    last: int
    height: float


def find_clip_contacts(feet: Sequence[Soles], fps: float, leg_length: float, loops: bool = False) -> list[Contacts]:
    """Contacts of each foot, in frames from 0.

    Of a clip that `loops` the last frame is the first one again; a contact across the seam is one whose end lies
    after the last frame.
    """
    if loops:
        return _looped(feet, fps, leg_length)
    feet, leg_length = _in_metres(feet, leg_length)
    thin = max(1, math.ceil(fps / FASTEST_RATE))
    feet = [Soles(heel[::thin], ball[::thin]) for heel, ball in feet]
    fps /= thin
    scale = leg_length / REFERENCE_LEG
    limits = CAPTURED._replace(gap=CAPTURED.gap * math.sqrt(scale))
    rests = [[_plateaus(places, fps, scale) for places in foot] for foot in feet]
    found = []
    for k, (foot, own) in enumerate(zip(feet, rests, strict=True)):
        others = [rest for j, both in enumerate(rests) if j != k for rest in both]
        floors = _floors(foot, own, others, fps, scale)
        frames = np.arange(len(foot.heel), dtype=np.float64)
        heel, ball = (_point_contacts(frames, *pair, fps, scale, limits) for pair in zip(foot, floors, strict=True))
        spans = [
            tuple(Span(a * thin, b * thin) for a, b in some)
            for some in (united(heel + ball, limits.gap * fps), heel, ball)
        ]
        found.append(Contacts(*spans))
    return found


def _point_contacts(
    frames: np.ndarray, places: np.ndarray, floor: np.ndarray, fps: float, scale: float, limits: Limits
) -> tuple[Span, ...]:
    on_floor = np.column_stack([places[:, :2], np.nan_to_num(floor)])
    spans = planted_spans(frames, on_floor, places[:, 2] - floor, fps, scale, limits)
    lifted = limits.lifting_height * scale
    kept = [_at_its_level(span, places[:, 2], lifted) for span in spans]
    shortest = MIN_SECONDS * min(1.0, math.sqrt(scale)) * fps
    return tuple(span for span in kept if span.length >= shortest)


def _at_its_level(span: Span, heights: np.ndarray, lifted: float) -> Span:
    """A contact without the frames at either end at which its point is lifted off where it stood.

    The floor that leads to a place where it rests in the air, as a runner's heel does, says too little of that.
    """
    first, last = math.ceil(span.start), math.floor(span.end)
    rows = heights[first : last + 1]
    down = (rows <= median(rows) + lifted).nonzero()[0]
    if not len(down):
        return span
    low, high = int(down[0]), int(down[-1])
    start = span.start if low == 0 else first + low - 0.5
    end = span.end if high == len(rows) - 1 else first + high + 0.5
    return Span(start, end)


def find_spot_contacts(
    feet: Sequence[Soles], fps: float, leg_length: float, velocity: tuple[float, float]
) -> list[Contacts]:
    """Contacts of a clip that walks on the spot, in frames from 0. velocity: that of the ground under it, m/s.

    Whoever animates on the spot keeps a foot's height better than its speed, so a sole point is down while it is low
    and does not swing forward. The floor is one: on the spot there are no stairs.
    """
    size = leg_length
    feet, leg_length = _in_metres(feet, leg_length)
    velocity = (velocity[0] * leg_length / size, velocity[1] * leg_length / size)
    scale = leg_length / REFERENCE_LEG
    limits = CAPTURED._replace(gap=CAPTURED.gap * math.sqrt(scale), still=math.inf)
    floors = [[float(np.percentile(places[:, 2], STANDS_AT)) for places in foot] for foot in feet]
    lowest = min(level for both in floors for level in both)
    found = []
    for foot, levels in zip(feet, floors, strict=True):
        points = []
        for places, level in zip(foot, levels, strict=True):
            ahead = -(places[:, :2] @ np.array(velocity)) / math.hypot(*velocity)
            forward = np.diff(ahead) * fps
            swings = np.minimum(np.append(forward, np.inf), np.insert(forward, 0, np.inf))
            speed = np.where(swings <= SWINGS_FORWARD * math.hypot(*velocity), 0.0, np.inf)
            floor = level if level <= lowest + NEVER_DOWN * leg_length else math.nan
            frames = np.arange(len(places), dtype=np.float64)
            points.append(planted_spans(frames, places, places[:, 2] - floor, fps, scale, limits, speed))
        found.append(Contacts(united(points[0] + points[1], limits.gap * fps), *points))
    return found


def _in_metres(feet: Sequence[Soles], leg_length: float) -> tuple[Sequence[Soles], float]:
    """The same feet in metres, as far as can be told: no leg is so long, so a rig of that size is in other units."""
    if leg_length <= LONGEST_LEG:
        return feet, leg_length
    unit = REFERENCE_LEG / leg_length
    return [Soles(heel * unit, ball * unit) for heel, ball in feet], REFERENCE_LEG


def _looped(feet: Sequence[Soles], fps: float, leg_length: float) -> list[Contacts]:
    """Three rounds of a loop, of which the middle one is told."""
    length = len(feet[0].heel) - 1

    def rounds(places: np.ndarray) -> np.ndarray:
        travel = places[-1] - places[0]
        return np.concatenate([places[:-1] + (k - 1) * travel for k in range(3)])

    def middle(spans: tuple[Span, ...] | None) -> tuple[Span, ...]:
        moved = [Span(a - length, b - length) for a, b in spans or ()]
        if any(b - a >= 1.5 * length for a, b in moved):
            return (Span(0.0, float(length)),)
        return tuple(span for span in moved if -1e-6 <= span.start < length - 1e-6)

    found = find_clip_contacts([Soles(*(rounds(p) for p in foot)) for foot in feet], fps, leg_length)
    return [Contacts(middle(each.foot), middle(each.heel), middle(each.ball)) for each in found]


def _plateaus(places: np.ndarray, fps: float, scale: float) -> list[_Plateau]:
    """Where a sole point rests for a while."""
    if len(places) < 2:
        return []
    runs = runs_of(rest_speed(places, fps) <= RESTING_SPEED * math.sqrt(scale))
    return [_Plateau(a, b, median(places[a : b + 1, 2])) for a, b in runs if b - a >= MIN_SECONDS * fps - 1e-6]


def _floors(
    foot: Soles, own: Sequence[list[_Plateau]], others: Sequence[list[_Plateau]], fps: float, scale: float
) -> list[np.ndarray]:
    """The floor's height under heel and ball, (F,) each, NaN throughout where a point never rests on any."""
    kept = [
        [rest for rest in rests if not _in_the_air(rest, places[:, 2], others, fps, scale)]
        for places, rests in zip(foot, own, strict=True)
    ]
    length = median(lengths(foot.heel - foot.ball))
    plain = [_between(rests, len(places)) for places, rests in zip(foot, kept, strict=True)]
    most = STEEPEST * length + 0.5 * CAPTURED.lifting_height * scale
    floors = [
        _between([rest for rest in rests if not _over(rest, other, most)], len(other))
        for rests, other in zip(kept, reversed(plain), strict=True)
    ]
    return [_not_over(floor, places[:, 2], fps, scale) for floor, places in zip(floors, foot, strict=True)]


def _not_over(floor: np.ndarray, heights: np.ndarray, fps: float, scale: float) -> np.ndarray:
    """A floor that lies no higher than where its point gets at about that time, as after a jump down from a block on
    which it stood last.
    """
    if not (heights < floor - FAR_UNDER * scale).any():
        return floor
    half = max(1, round(ABOUT_SECONDS * math.sqrt(scale) * fps))
    lowest = np.lib.stride_tricks.sliding_window_view(np.pad(heights, half, mode="edge"), 2 * half + 1).min(axis=-1)
    return np.where(lowest < floor - FAR_UNDER * scale, lowest, floor)


def _over(rest: _Plateau, other: np.ndarray, most: float) -> bool:
    """Whether a point rests too high over the other one's floor to be on the same ground."""
    return bool(rest.height - other[(rest.first + rest.last) // 2] > most)


def _in_the_air(
    rest: _Plateau, heights: np.ndarray, others: Sequence[list[_Plateau]], fps: float, scale: float
) -> bool:
    beside = round(BESIDE_SECONDS * math.sqrt(scale) * fps)
    level = rest.height - CAPTURED.lifting_height * scale
    before, after = heights[max(0, rest.first - beside) : rest.first], heights[rest.last + 1 : rest.last + 1 + beside]
    if not len(before) or not len(after) or before.min() > level or after.min() > level:
        return False
    frames = rest.last - rest.first + 1
    if frames < SHORT_SECONDS * fps:
        return True
    lower = np.zeros(frames, dtype=bool)
    for plateau in (plateau for some in others for plateau in some if plateau.height < level):
        lower[max(0, plateau.first - rest.first) : max(0, plateau.last + 1 - rest.first)] = True
    return bool(lower.mean() > OTHER_SHARE)


def _between(rests: Sequence[_Plateau], count: int) -> np.ndarray:
    """The height of rests at their frames, and evenly from one to the next between them."""
    if not rests:
        return np.full(count, np.nan)
    times = [t for rest in rests for t in (rest.first, rest.last)]
    heights = [rest.height for rest in rests for _ in range(2)]
    return np.interp(np.arange(count), times, heights)
