"""Where a clip's body stands and faces, frame by frame: the travel that is in it, without what a stride adds to it.

A track is (F, 3): x, y and heading (radians, continuous) of the frame in the ground plan under which the rest pose's
body would be. Sway, surge and the yaw of the pelvis stay in the pose, so that a body which is moved by something else
goes evenly. Whatever the track is, the pose over it gives the clip again.
"""

from __future__ import annotations

import numpy as np

from .clip import Clip
from .loops import headings, middle_of, rest_middle, turn_of_round


def body_track(clip: Clip, stride: float, *, closed: bool) -> np.ndarray:
    """The track of a clip, (F, 3). stride: frames over which is averaged; a `closed` loop goes evenly through all."""
    middle = rest_middle(clip)
    centre, heading = middle_of(clip), headings(clip)
    # What turns by more in a round is no bend that could be followed evenly.
    if closed and abs(turn_of_round(heading)) < np.pi:
        centre, heading = _even(centre, heading)
    elif len(clip) > 2:
        window = min(stride, len(clip) - 1.0)
        heading, centre = _averaged(heading, window), _averaged(centre, window)
    corner = centre - np.exp(1j * heading) * (middle[0] + 1j * middle[1])
    return np.stack([corner.real, corner.imag, heading], axis=-1)


def seen_from(track: np.ndarray, home: tuple[float, float, float]) -> np.ndarray:
    """The track as told from a place (x, y, heading)."""
    back = np.exp(-1j * home[2])
    spot = (track[:, 0] - home[0] + 1j * (track[:, 1] - home[1])) * back
    return np.stack([spot.real, spot.imag, track[:, 2] - home[2]], axis=-1)


def geometric(turn: float, count: float) -> complex:
    """The sum of the first `count` powers of a turn, (e^(i turn count) - 1) / (e^(i turn) - 1): so many equal steps,
    each turned on by as much. Also between whole numbers.
    """
    step = np.exp(1j * turn) - 1.0
    return complex(count if abs(step) < 1e-9 else (np.exp(1j * turn * count) - 1.0) / step)


def _even(centre: np.ndarray, heading: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An even way through a loop, straight or in one bend, about which the body's own place averages to nothing."""
    last = len(centre) - 1
    shares = np.arange(last + 1) / last
    turn = turn_of_round(heading)
    way = heading[0] + turn * shares
    way = way + np.mean((heading - way)[:-1])
    step = (centre[-1] - centre[0]) * np.exp(-1j * way[0])
    along = np.array([geometric(turn, share) for share in shares]) if turn else shares
    # (e^(i turn s) - 1) / (e^(i turn) - 1) of the whole step: an arc with the loop's own ends.
    path = centre[0] + np.exp(1j * way[0]) * step * along
    off = np.mean(((centre - path) * np.exp(-1j * way))[:-1])
    return path + off * np.exp(1j * way), way


def _averaged(values: np.ndarray, window: float) -> np.ndarray:
    """The mean over a window of frames about each; past the ends, values go on as if turned about the last one.

    So the first and the last value stay as they are.
    """
    pad = int(np.ceil(0.5 * window)) + 1
    if pad >= len(values):
        return values
    before = 2.0 * values[0] - values[pad:0:-1]
    after = 2.0 * values[-1] - values[-2 : -pad - 2 : -1]
    longer = np.concatenate([before, values, after])
    sums = np.concatenate([[0.0], np.cumsum(0.5 * (longer[1:] + longer[:-1]))])
    frames, whole = np.arange(len(values)) + pad, np.arange(len(longer))

    def up_to(times: np.ndarray) -> np.ndarray:
        return _interpolated(times, whole, sums)

    return (up_to(frames + 0.5 * window) - up_to(frames - 0.5 * window)) / window


def _interpolated(times: np.ndarray, whole: np.ndarray, values: np.ndarray) -> np.ndarray:
    if np.iscomplexobj(values):
        return np.asarray(np.interp(times, whole, values.real) + 1j * np.interp(times, whole, values.imag))
    return np.interp(times, whole, values)
