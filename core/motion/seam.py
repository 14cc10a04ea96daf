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
# A step of the velocity is led away over this share of the window: over all of it, it would carry things far off.
BEND = 0.5
# Velocities at the ends are drawn from so many seconds of rows, so that captured noise is none.
SPEED_SECONDS = 0.017
# A step that differs by more than this share from those beside it is none of the same motion.
SAME_STEP = 0.25


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


def steps_on(places: np.ndarray) -> bool:
    """Whether the first of joints' places (F, J, 3), which have no travel, would be a step on from the last ones."""
    step = places[0] - places[-1]
    beside = 0.5 * (places[-1] - places[-2] + places[1] - places[0])
    most = float(np.max(np.linalg.norm(np.diff(places, axis=0), axis=-1)))
    return float(np.linalg.norm(step - beside, axis=-1).max()) <= SAME_STEP * most


def closed_values(rows: np.ndarray, window: float, fps: float) -> np.ndarray:
    """Rows (N + 1, ...) whose last is the first, and goes on as it; `window` in frames."""
    apart = _apart(rows, fps)
    first, last = _velocity(rows, apart), -_velocity(rows[::-1], apart)
    start, end = _led(len(rows), rows[0] - rows[-1], first - last, window)
    result = rows + start + end
    result[-1] = result[0]
    return result


def closed_turns(rows: np.ndarray, window: float, fps: float) -> np.ndarray:
    """Turns (N + 1, ..., 4) whose last is the first, and goes on as it; signs are even over time."""
    rows = continuous(unit(rows))
    apart = _apart(rows, fps)
    first, last = _turn_velocity(rows, apart), -_turn_velocity(rows[::-1], apart)
    start, end = _led(len(rows), _turn_vectors(multiplied(rows[0], undone(rows[-1]))), first - last, window)
    closed = multiplied(_turns(start + end), rows)
    closed[-1] = closed[0]
    return continuous(closed)


def _led(count: int, gap: np.ndarray, kink: np.ndarray, window: float) -> tuple[np.ndarray, np.ndarray]:
    """What is added at the start and at the end, (count, ...) each, to close a gap and a step of the velocity.

    Cubic Hermite curves that are nothing, and go on as nothing, a window from the seam, for the velocity sooner.
    """
    window = max(min(window, 0.5 * (count - 1)), 1.0)
    frames = np.arange(count, dtype=np.float64)

    def added(away: np.ndarray, value: np.ndarray, slope: np.ndarray) -> np.ndarray:
        near = np.clip(1.0 - away / window, 0.0, 1.0)
        close = np.clip(1.0 - away / (BEND * window), 0.0, 1.0)
        whole, bend = near * near * (3.0 - 2.0 * near), (close**3 - close**2) * (BEND * window)
        return np.multiply.outer(whole, value) + np.multiply.outer(bend, slope)

    return added(frames, -0.5 * gap, 0.5 * kink), added(count - 1 - frames, 0.5 * gap, 0.5 * kink)


def _apart(rows: np.ndarray, fps: float) -> int:
    """How many frames are between two rows that a velocity is drawn from."""
    return max(1, min(round(SPEED_SECONDS * fps), (len(rows) - 1) // 4))


def _velocity(rows: np.ndarray, apart: int) -> np.ndarray:
    """How fast rows begin, per frame: the slope there of the parabola through three of them."""
    steps = rows[[apart, 2 * apart]] - rows[[0, apart]]
    return np.asarray(1.5 * steps[0] - 0.5 * steps[1]) / apart


def _turn_velocity(rows: np.ndarray, apart: int) -> np.ndarray:
    steps = _turn_vectors(multiplied(rows[[apart, 2 * apart]], undone(rows[[0, apart]])))
    return np.asarray(1.5 * steps[0] - 0.5 * steps[1]) / apart


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
