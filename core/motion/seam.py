"""Loops closed: how far the end of a clip is from its beginning, and both ends led to each other.

Rows go from the first frame to the one that is the first again: (N + 1, ...) for a loop of N frames, which shows the
rows 0 to N - 1. Both ends give way, each by half, in value and in velocity, and no further than a window from the seam.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..space.quaternions import about, continuous, multiplied, undone, unit
from .root_motion import YAW, track_matrices
from .support import even_track

STILL = 1e-12


class Seam(NamedTuple):
    """How far a loop's end is from its beginning, beside its travel: the farthest joint, the largest turn of a bone,
    and the largest step of a joint's velocity across the seam, as metres, radians and metres a second.
    """

    place: float
    turn: float
    velocity: float


def travel_of_loop(track: np.ndarray, *, straight: float, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The even way (N + 1, 4) that is in a loop's track (N + 1, 4), and what one round brings: x, y, z and heading.

    A turn below `straight` (radians) and a rise below `level` are none that were meant.
    """
    brings = track[-1] - track[0]
    if abs(brings[YAW]) < straight:
        brings[YAW] = 0.0
    if abs(brings[2]) < level:
        brings[2] = 0.0
    shares = np.arange(len(track)) / (len(track) - 1)
    end = track[0, :3] + brings[:3]
    return even_track(track[0, :3], end, float(track[0, YAW]), float(brings[YAW]), shares), brings


def ways_back(way: np.ndarray) -> np.ndarray:
    """What takes an even way (F, 4) out of motions: to its first place, (F, 4, 4)."""
    result: np.ndarray = track_matrices(way[:1]) @ np.linalg.inv(track_matrices(way))
    return result


def seam_of(places: np.ndarray, turns: np.ndarray, fps: float) -> Seam:
    """The seam of joints (N + 1, J, 3) and bones (N + 1, J, 4) whose travel was taken out."""
    before, after = places[-1] - places[-2], places[1] - places[0]
    apart = undone(turns[-1])
    return Seam(
        float(np.linalg.norm(places[-1] - places[0], axis=-1).max()),
        float(np.linalg.norm(_turn_vectors(multiplied(turns[0], apart)), axis=-1).max()),
        float(np.linalg.norm(after - before, axis=-1).max()) * fps,
    )


def closed_values(rows: np.ndarray, window: float) -> np.ndarray:
    """Rows (N + 1, ...) whose last is the first, and goes on as it."""
    first, last = _velocity(rows), -_velocity(rows[::-1])
    start, end = _led(len(rows), rows[0] - rows[-1], first - last, window)
    result = rows + start + end
    result[-1] = result[0]
    return result


def closed_turns(rows: np.ndarray, window: float) -> np.ndarray:
    """Turns (N + 1, ..., 4) whose last is the first, and goes on as it; signs are even over time."""
    rows = continuous(unit(rows))
    first = _turn_velocity(rows)
    last = -_turn_velocity(rows[::-1])
    start, end = _led(len(rows), _turn_vectors(multiplied(rows[0], undone(rows[-1]))), first - last, window)
    closed = multiplied(_turns(start + end), rows)
    closed[-1] = closed[0]
    return continuous(closed)


def _led(count: int, gap: np.ndarray, kink: np.ndarray, window: float) -> tuple[np.ndarray, np.ndarray]:
    """What is added at the start and at the end, (count, ...) each, to close a gap and a step of the velocity.

    Cubic Hermite curves that are nothing, and go on as nothing, a window from the seam.
    """
    window = max(min(window, 0.5 * (count - 1)), 1.0)
    frames = np.arange(count, dtype=np.float64)

    def added(away: np.ndarray, value: np.ndarray, slope: np.ndarray) -> np.ndarray:
        near = np.clip(1.0 - away / window, 0.0, 1.0)
        whole, bend = near * near * (3.0 - 2.0 * near), (near**3 - near**2) * window
        return np.multiply.outer(whole, value) + np.multiply.outer(bend, slope)

    return added(frames, -0.5 * gap, 0.5 * kink), added(count - 1 - frames, 0.5 * gap, 0.5 * kink)


def _velocity(rows: np.ndarray) -> np.ndarray:
    """How fast rows begin, per frame, from the first three."""
    if len(rows) < 3:
        return rows[1] - rows[0]
    return 1.5 * (rows[1] - rows[0]) - 0.5 * (rows[2] - rows[1])


def _turn_velocity(rows: np.ndarray) -> np.ndarray:
    steps = _turn_vectors(multiplied(rows[1:3], undone(rows[:2])[: len(rows[1:3])]))
    return steps[0] if len(steps) < 2 else 1.5 * steps[0] - 0.5 * steps[1]


def _turn_vectors(quaternions: np.ndarray) -> np.ndarray:
    """The shorter turns as axes times angles, (..., 3)."""
    q = np.where(quaternions[..., :1] < 0.0, -quaternions, quaternions)
    sine = np.linalg.norm(q[..., 1:], axis=-1)
    angle = 2.0 * np.arctan2(sine, q[..., 0].copy())
    scale = np.where(sine > STILL, angle / np.where(sine > STILL, sine, 1.0), 2.0)
    return np.asarray(q[..., 1:] * scale[..., None])


def _turns(vectors: np.ndarray) -> np.ndarray:
    angle = np.linalg.norm(vectors, axis=-1)
    return about(vectors / np.where(angle > STILL, angle, 1.0)[..., None], angle)
