"""Travel against what was asked: speed over whole strides, and footprints against a path."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .contacts import Contacts
from .gait_chart import footholds, landings, stride_frames
from .track import Track

# A body without feet has no strides: its way is that over so many seconds, longer than it winds.
STRIDELESS = 2.0


def travelled(track: Track, contacts: Mapping[str, Contacts]) -> tuple[float, float, float]:
    """Metres along the way over whole strides, and the frames between which they were counted.

    A body bobs, sways and surges within a stride. The direction of travel at a frame is that from half a stride
    before to half a stride after, in which all this cancels and which is the tangent also on a circle; each frame's
    step counts as far as it goes that way. Where there is no whole stride, the whole range counts. A body without feet
    winds from side to side as others sway: STRIDELESS seconds stand for a stride.
    """
    frames, body = track.frames, np.asarray(track.body, dtype=np.float64)
    first, last = float(frames[0]), float(frames[-1])
    stride = stride_frames(track, contacts) if track.feet else STRIDELESS * track.fps
    if stride is None or last - first < stride:
        return float(np.linalg.norm(body[-1] - body[0])), first, last
    start, end = _whole_strides(track, contacts, stride)
    times = np.linspace(start, end, max(2, round(4.0 * (end - start))) + 1)
    steps = np.diff(_at(frames, body, times), axis=0)
    middles = np.clip(0.5 * (times[:-1] + times[1:]), first + 0.5 * stride, last - 0.5 * stride)
    ways = _at(frames, body, middles + 0.5 * stride) - _at(frames, body, middles - 0.5 * stride)
    lengths = np.linalg.norm(ways, axis=-1, keepdims=True)
    ways = np.divide(ways, lengths, out=np.zeros_like(ways), where=lengths > 0.0)
    return float(np.sum(steps * ways)), start, end


def speed_error(track: Track, contacts: Mapping[str, Contacts], asked: float | np.ndarray) -> float | None:
    """(travelled - asked) / asked over whole strides; `asked` is metres a second along the ground, one or (F,).

    None where nothing was asked.
    """
    distance, start, end = travelled(track, contacts)
    if end <= start:
        return None
    times = np.linspace(start, end, max(2, round(4.0 * (end - start))) + 1)
    wanted = float(np.mean(np.interp(times, track.frames, np.broadcast_to(asked, track.frames.shape))))
    if wanted == 0.0:
        return None
    return (distance / ((end - start) / track.fps) - wanted) / wanted


def path_error(track: Track, contacts: Mapping[str, Contacts], path: np.ndarray) -> float | None:
    """The farthest that the line of footprints is beside a path, metres; None with too few footprints.

    `path` is a polyline (points, 2 or 3), world; a closed one repeats its first point. Each footprint is so far to
    the path's left or right, between two of one foot in proportion to time; the line is the mean over all feet, at
    each landing that has footprints of all feet around it. A body without feet counts itself, with all its windings,
    while it is beside the path and not before or past it.
    """
    line = np.asarray(path, dtype=np.float64)[:, :2]
    if not track.feet:
        body = np.asarray(track.body, dtype=np.float64)[:, :2]
        away = np.abs(_beside(body, line))[~_beyond(body, line)]
        return float(away.max()) if len(away) else None
    times, beside = [], []
    for foot in track.feet:
        places = footholds(track, foot, contacts[foot.role])
        if not len(places):
            return None
        times.append(np.array([span.start for span in contacts[foot.role].foot]))
        beside.append(_beside(places[:, :2], line))
    first, last = max(time[0] for time in times), min(time[-1] for time in times)
    landed = np.unique(np.concatenate(times))
    landed = landed[(landed >= first) & (landed <= last)]
    if not len(landed):
        return None
    means = np.mean([np.interp(landed, time, away) for time, away in zip(times, beside, strict=True)], axis=0)
    return float(np.abs(means).max())


def _whole_strides(track: Track, contacts: Mapping[str, Contacts], stride: float) -> tuple[float, float]:
    """The longest time between two landings of one foot, away from the take's ends where that leaves a stride."""
    first, last = float(track.frames[0]), float(track.frames[-1])
    for margin in (0.5 * stride, 0.0):
        best = (first, first)
        for foot in track.feet:
            starts = [span.start for span in landings(track, contacts[foot.role])]
            kept = [start for start in starts if first + margin <= start <= last - margin]
            if len(kept) > 1 and kept[-1] - kept[0] > best[1] - best[0]:
                best = (kept[0], kept[-1])
        if best[1] > best[0]:
            return best
    return first, last


def _at(frames: np.ndarray, places: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Places between frames, (T, 3)."""
    return np.stack([np.interp(times, frames, places[:, i]) for i in range(places.shape[1])], axis=-1)


def _beyond(points: np.ndarray, path: np.ndarray) -> np.ndarray:
    """Which points have one of the path's ends nearest and lie before or past it, (P,)."""
    nearest = np.abs(_beside(points, path))
    beyond = np.zeros(len(points), dtype=bool)
    for end, inner in ((path[0], path[1]), (path[-1], path[-2])):
        offsets = points - end
        beyond |= (offsets @ (inner - end) < 0.0) & (np.linalg.norm(offsets, axis=-1) <= nearest + 1e-9)
    return beyond


def _beside(points: np.ndarray, path: np.ndarray) -> np.ndarray:
    """Each point's distance from the nearest piece of a path, positive to its left, (P,)."""
    starts, pieces = path[:-1], np.diff(path, axis=0)
    squares = np.maximum(np.sum(pieces * pieces, axis=-1), 1e-12)
    offsets = points[:, None] - starts[None]
    shares = np.clip(np.sum(offsets * pieces, axis=-1) / squares, 0.0, 1.0)
    away = offsets - shares[..., None] * pieces
    distances = np.linalg.norm(away, axis=-1)
    nearest = np.argmin(distances, axis=1)
    rows = np.arange(len(points))
    piece, offset = pieces[nearest], offsets[rows, nearest]
    return np.copysign(distances[rows, nearest], piece[:, 0] * offset[:, 1] - piece[:, 1] * offset[:, 0])
