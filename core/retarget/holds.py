"""Where a foot's sole points are held, and what moves the foot there: fields over frames, from its contacts.

A contact holds its point at one place: the middle (median) of where it was, at the height that it mostly has at least.
Heel and ball of one foot are held as far from each other as they are. Between contacts the correction of the last one
fades out and that of the next one fades in. Medians, and holding only what is not held yet, make that a second pass
finds everything in its place.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from ..motion.contacts import LONGEST_LEG
from ..motion.planted import REFERENCE_LEG
from ..motion.spans import POINTS, Contacts, Span
from ..space.quaternions import components, dots, lengths

# A step under this (metres for a 0.9 m leg) is none; a contact with so many of them (share) is held, if it stays so
# near.
HELD, HELD_SHARE, NEAR_HOLD = 2e-6, 0.1, 0.0022
# Over its hold by more than this (metres for a 0.9 m leg) at either end of a contact, a point comes down or is lifted.
LIFTED = 0.002
# The level is that share (percent) of a contact's heights from below; no height is changed by more (metres for a 0.9 m
# leg): what is that far off does not stand there.
STANDS_AT, MOST_PRESSED = 40.0, 0.012
# So much (metres for a 0.9 m leg) one end of a foot may come nearer to the other, or go away from it, as the foot
# tilts while both stand.
TILTED = 0.001
# A correction of more than this (metres for a 0.9 m leg) fades as much more slowly.
LARGE = 0.036
# A foot makes a step that is in the air for up to so many ramps; one that is for twice as long and more, as of somebody
# who lies, leaves the correction of its last contact within that share of a step.
STEP, LEFT = 5.0, 0.4


class Hold(NamedTuple):
    """A point's contact: whole frames from `first` to `last`, and what moves it to its hold there, (n, 3)."""

    first: int
    last: int
    shift: np.ndarray


class FootShift(NamedTuple):
    """What moves a foot, all (F, ...): its heel by `heel` (3), its ball by `ball` (3); `pivot` is 0 where the heel
    counts, 1 where the ball does. on_heel and on_ball: which is held at a frame.
    """

    heel: np.ndarray
    ball: np.ndarray
    pivot: np.ndarray
    on_heel: np.ndarray
    on_ball: np.ndarray


Points = tuple[np.ndarray, np.ndarray]
"""A foot's heel and ball, (F, 3) each."""
Holds = tuple[list[Hold], list[Hold]]
"""Those of the heel and those of the ball, in order of time."""


def own_holds(points: Points, contacts: Contacts, scale: float, near: float = NEAR_HOLD) -> Holds:
    """What makes a foot stand still in its contacts. scale: the leg over the reference leg. near: how near its hold
    what stands is left as it is, metres for a 0.9 m leg.
    """
    spans = _spans_of(contacts, len(points[0]))
    done = _done(points, spans, scale, near)
    found: Holds = ([], [])
    anchors = _anchors(points, spans, done, scale)
    for (first, last, which), place in anchors.items():
        own = points[which][first : last + 1]
        shift = np.zeros((last - first + 1, 3))
        if (which, first) not in done:
            shift[:, :2] = place[:2] - own[:, :2]
            shift[:, 2] = _pressed(own[:, 2], float(place[2]), scale) - own[:, 2]
        found[which].append(Hold(first, last, shift))
    _keep_length(points, found, anchors, done, scale)
    return found


def _keep_length(
    points: Points, holds: Holds, anchors: dict[Key, np.ndarray], done: Collection[tuple[int, int]], scale: float
) -> None:
    """Keep the heights of both ends of a foot while it is held at both, in place, so near to those of the two holds
    that they can stand: a foot has its length, and the ends get nearer along the ground, or farther, as it tilts.
    """
    # A giant's foot slides no farther for it than a person's; no rig is larger that is in metres.
    tilted = TILTED * (min(1.0, scale) if scale * REFERENCE_LEG <= LONGEST_LEG else scale)
    for a in holds[0]:
        for b in holds[1]:
            first, last = max(a.first, b.first), min(a.last, b.last)
            if first > last:
                continue
            free = [(which, hold.first) not in done for which, hold in enumerate((a, b))]
            if not any(free):
                continue
            rows = slice(first, last + 1)
            parts = [hold.shift[first - hold.first : last - hold.first + 1] for hold in (a, b)]
            places = [anchors[hold.first, hold.last, which] for which, hold in enumerate((a, b))]
            length = lengths(points[0][rows] - points[1][rows])
            apart, level = float(np.hypot(*(places[0] - places[1])[:2])), float(places[0][2] - places[1][2])
            heights = [each[rows, 2] + part[:, 2] for each, part in zip(points, parts, strict=True)]
            over = heights[0] - heights[1]
            least, most = (_height_over(length, apart + each * tilted) for each in (1.0, -1.0))
            wanted = np.where(np.abs(over) > most, np.sign(over) * most, over)
            wanted = np.where(np.abs(wanted) < least, np.sign(level or 1.0) * least, wanted)
            off = [np.abs(each - place[2]) for each, place in zip(heights, places, strict=True)]
            share = off[0] / np.maximum(off[0] + off[1], 1e-9) if all(free) else float(free[0])
            parts[0][:, 2] += share * (wanted - over)
            parts[1][:, 2] -= (1.0 - share) * (wanted - over)


def _height_over(length: np.ndarray, apart: float) -> np.ndarray:
    """How much higher one end of a foot of some length is than the other, if they are so far apart on the ground."""
    return np.sqrt(np.maximum(0.0, length**2 - max(apart, 0.0) ** 2))


def led_holds(points: Points, leader: Points, ratio: float, heights: Points, contacts: Contacts) -> Holds:
    """What makes a foot stand as another one does, whose steps are `ratio` times shorter: still where that is still.

    Where it stands is its own middle place; about it, it moves as the leader does about its own. heights (F,) each: how
    high its points are meant to be.
    """
    spans = _spans_of(contacts, len(points[0]))
    meant = tuple(np.column_stack([each[:, :2], high]) for each, high in zip(points, heights, strict=True))
    found: Holds = ([], [])
    ours, theirs = _anchors((meant[0], meant[1]), spans, foot=points), _anchors(leader, spans)
    for (first, last, which), place in ours.items():
        rows = slice(first, last + 1)
        wanted = meant[which][rows].copy()
        wanted[:, :2] = place[:2] + ratio * (leader[which][rows, :2] - theirs[first, last, which][:2])
        found[which].append(Hold(first, last, wanted - points[which][rows]))
    return found


def foot_shift(holds: Holds, count: int, ramp: float, scale: float, *, carried: bool) -> FootShift:
    """How a foot's holds move it at all frames. ramp: frames in which a correction fades beside a contact, more where a
    foot slid far; `carried`: between contacts it goes over from one to the next instead.
    """
    large = LARGE * scale
    heel, ball = holds
    between = spread(_overlaps(heel, ball), count, ramp, large)
    shift, on_heel, on_ball = np.zeros((count, 3)), np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    for hold in ball:
        rows = slice(hold.first, hold.last + 1)
        shift[rows], on_ball[rows] = hold.shift - between[rows], True
    for hold in heel:
        rows = slice(hold.first, hold.last + 1)
        shift[rows], on_heel[rows] = hold.shift, True
    whole = spread(held_runs(on_heel | on_ball, shift), count, None if carried else ramp, large, STEP * ramp)
    alone = np.flatnonzero(on_heel != on_ball)
    pivot = np.interp(np.arange(count), alone, on_ball[alone]) if len(alone) else np.ones(count)
    return FootShift(whole, whole + between, pivot, on_heel, on_ball)


Key = tuple[int, int, int]
"""A contact: its first and last frame, and whose it is: 0 the heel's, 1 the ball's."""


def _anchors(
    points: Points,
    spans: Sequence[Sequence[tuple[int, int]]],
    done: Collection[tuple[int, int]] = (),
    scale: float | None = None,
    foot: Points | None = None,
) -> dict[Key, np.ndarray]:
    """Where each contact holds its point, in order of time; where two overlap they are as far apart as the points are,
    or as those of the `foot` that is to be there.

    What is `done` stays where it is. scale: of a foot whose heights will be pressed to its levels.
    """
    placed: dict[Key, np.ndarray] = {}
    ends, highs = foot or points, [each[:, 2].copy() for each in points]
    for first, last, which in sorted((a, b, which) for which, some in enumerate(spans) for a, b in some):
        rows = slice(first, last + 1)
        own = points[which][rows]
        place = np.array([*ranked(own[:, :2]), ranked(own[:, 2], STANDS_AT)])
        lapping = [key for key in placed if key[2] != which and key[0] <= last and key[1] >= first]
        if (which, first) in done:
            place = own[len(own) // 2]
        elif scale is not None:
            highs[which][rows] = _pressed(own[:, 2], float(place[2]), scale)
        if lapping and (which, first) not in done:
            other = lapping[-1]
            lapped = slice(max(first, other[0]), min(last, other[1]) + 1)
            length = float(ranked(lengths(ends[0][lapped] - ends[1][lapped])))
            gaps, higher = highs[which][lapped] - highs[1 - which][lapped], place[2] - placed[other][2]
            # A level of a whole contact may be one that the foot never gets to while both ends stand.
            place = _at_distance(place, placed[other], length, float(np.clip(higher, gaps.min(), gaps.max())))
        placed[first, last, which] = place
    return placed


def _pressed(heights: np.ndarray, level: float, scale: float) -> np.ndarray:
    """Heights of a point while it stands: at the level, but for where it still comes down or is lifted already."""
    low = (heights <= level + LIFTED * scale).nonzero()[0]
    if not len(low):
        return heights
    pressed = np.maximum(heights, level)
    pressed[low[0] : low[-1] + 1] = level
    most = MOST_PRESSED * scale
    return heights + np.clip(pressed - heights, -most, most)


def unheld_rows(points: Points, contacts: Contacts, scale: float, near: float = NEAR_HOLD) -> np.ndarray:
    """True at frames of contacts of heel or ball that are not held yet, (F,)."""
    spans = _spans_of(contacts, len(points[0]))
    done = _done(points, spans, scale, near)
    found = np.zeros(len(points[0]), dtype=bool)
    for which, some in enumerate(spans):
        for first, last in some:
            if (which, first) not in done:
                found[first : last + 1] = True
    return found


def _done(
    points: Points, spans: Sequence[Sequence[tuple[int, int]]], scale: float, near: float
) -> set[tuple[int, int]]:
    """The contacts, by point and first frame, that are held already, and those that hold as well as they can since the
    other end of their foot is held.
    """
    held = [
        [(a, b) for a, b in some if _is_held(each[a : b + 1], scale, near)]
        for each, some in zip(points, spans, strict=True)
    ]
    found = {(which, first) for which, some in enumerate(held) for first, _ in some}
    for which, some in enumerate(spans):
        for first, last in some:
            other = np.zeros(last - first + 1, dtype=bool)
            for a, b in held[1 - which]:
                other[max(0, a - first) : max(0, b - first + 1)] = True
            rows = slice(first, last + 1)
            if 2 * other.sum() > last - first and _turns_in_place(
                points[which][rows], points[1 - which][rows], other, near * scale
            ):
                found.add((which, first))
    return found


def _turns_in_place(points: np.ndarray, others: np.ndarray, held: np.ndarray, near: float) -> bool:
    """Whether one end of a foot is where it can be: near one place, or, while the other end is held, as near as the
    length allows that the foot has at that frame.
    """
    off = points[:, :2] - ranked(points[:, :2])
    along = points[:, :2] - others[:, :2]
    along /= np.maximum(lengths(along)[..., None], 1e-9)
    length = lengths(points - others)
    bent = np.minimum(np.abs(length - ranked(length[held])), near)
    ahead = np.maximum(0.0, np.abs(dots(off, along)) - bent)
    across = off[:, 0] * along[:, 1] - off[:, 1] * along[:, 0]
    away = np.where(held, np.hypot(ahead, across), lengths(off))
    return bool(away.max() <= near)


def _is_held(points: np.ndarray, scale: float, near: float) -> bool:
    """Whether a contact is held already: still to the last digits for a while, which nothing captured is, and near
    there throughout.
    """
    still = np.abs(np.diff(points[:, :2], axis=0)).max(axis=-1, initial=0.0) <= HELD * scale
    if not still.any() or still.sum() < HELD_SHARE * len(still):
        return False
    place = ranked(points[:-1][still])[:2]
    return bool(lengths(points[:, :2] - place).max() <= near * scale)


def _at_distance(place: np.ndarray, other: np.ndarray, length: float, higher: float) -> np.ndarray:
    """A place moved along the ground so that it is so far from another one, while it is so much higher."""
    apart = place - other
    along = float(np.hypot(apart[0], apart[1]))
    flat = math.sqrt(max(0.0, length * length - higher * higher))
    if along < 1e-9:
        return place
    return np.array([*(other[:2] + apart[:2] * (flat / along)), place[2]])


def _spans_of(contacts: Contacts, count: int) -> list[list[tuple[int, int]]]:
    """The whole frames within the contacts of heel and ball, first and last, that a clip has."""
    return [_frames_of(contacts.of(point) or (), count) for point in POINTS]


def _frames_of(spans: Sequence[Span], count: int) -> list[tuple[int, int]]:
    found = []
    for span in spans:
        first, last = max(0, math.ceil(span.start - 1e-6)), min(count - 1, math.floor(span.end + 1e-6))
        if last >= first:
            found.append((first, last))
    return found


def ranked(rows: np.ndarray, percent: float = 50.0) -> np.ndarray:
    """A percentile down the first axis, as `np.percentile` gives it, in a fraction of its time for few rows."""
    ordered = rows.copy()
    ordered.sort(axis=0)
    place = 0.01 * percent * (len(ordered) - 1)
    k = min(int(place), len(ordered) - 1)
    after = ordered[min(k + 1, len(ordered) - 1)]
    return np.asarray(ordered[k] + (after - ordered[k]) * (place - k))


def contact_rows(spans: Sequence[Span], count: int) -> np.ndarray:
    """True at the whole frames within contacts, (F,)."""
    found = np.zeros(count, dtype=bool)
    for first, last in _frames_of(spans, count):
        found[first : last + 1] = True
    return found


def _overlaps(heel: Sequence[Hold], ball: Sequence[Hold]) -> list[Hold]:
    """Where heel and ball are held at once: by how much more the ball is shifted than the heel."""
    found = []
    for a in heel:
        for b in ball:
            first, last = max(a.first, b.first), min(a.last, b.last)
            if first <= last:
                rows = [hold.shift[first - hold.first : last - hold.first + 1] for hold in (a, b)]
                found.append(Hold(first, last, rows[1] - rows[0]))
    return sorted(found, key=lambda hold: hold.first)


def held_runs(known: np.ndarray, shift: np.ndarray) -> list[Hold]:
    """Runs of known frames."""
    frames = known.nonzero()[0]
    if not len(frames):
        return []
    parts = np.split(frames, (np.diff(frames) > 1).nonzero()[0] + 1)
    return [Hold(int(part[0]), int(part[-1]), shift[part[0] : part[-1] + 1]) for part in parts]


def spread(
    holds: Sequence[Hold], count: int, ramp: float | None, large: float = math.inf, step: float = math.inf
) -> np.ndarray:
    """A correction at all frames, (F, 3): in holds as they say, beside them fading within `ramp` frames, in as many
    times as long as it is larger than a `large` one. With no ramp it goes over from one to the next; where they are
    more frames apart than a `step` takes, ever less so.
    """

    field = components(3, (count,))
    field[:] = 0.0
    if not holds:
        return field
    firsts, lasts = (np.array([getattr(hold, name) for hold in holds]) for name in ("first", "last"))
    ends = (np.array([hold.shift[0] for hold in holds]), np.array([hold.shift[-1] for hold in holds]))
    after = np.searchsorted(firsts, np.arange(count), side="right")
    between = (after == np.searchsorted(lasts, np.arange(count))).nonzero()[0]
    after = after[between]
    for shifts, edges, which, inner in (
        (ends[1], lasts, after - 1, after < len(holds)),
        (ends[0], firsts, after, after > 0),
    ):
        some = ((which >= 0) & (which < len(holds))).nonzero()[0]
        rows, k, inside = between[some], which[some], inner[some]
        gaps = firsts[np.minimum(after[some], len(holds) - 1)] - lasts[np.maximum(after[some] - 1, 0)]
        away = np.abs(rows - edges[k])
        if ramp is None:
            left = np.where(inside, _faded(away, np.where(inside, _passing(gaps, step), 1.0)), 1.0)
        else:
            window = (ramp * np.maximum(1.0, lengths(shifts) / large))[k]
            left = _faded(away, np.where(inside, np.minimum(window, gaps), window))
        field[rows] += left[:, None] * shifts[k]
    for hold in holds:
        field[hold.first : hold.last + 1] = hold.shift
    return field


def _passing(gaps: np.ndarray, step: float) -> np.ndarray:
    """In how many frames a correction is gone where the next one is a gap of so many frames away."""
    share = np.clip(gaps / step - 1.0, 0.0, 1.0)
    return np.asarray(gaps + (np.minimum(gaps, LEFT * step) - gaps) * share * share * (3.0 - 2.0 * share))


def _faded(away: np.ndarray, window: np.ndarray) -> np.ndarray:
    """What is left of a correction so many frames away."""
    share = np.clip(away / np.maximum(window, 1e-9), 0.0, 1.0)
    return np.asarray(1.0 - share**3 * (share * (6.0 * share - 15.0) + 10.0))
