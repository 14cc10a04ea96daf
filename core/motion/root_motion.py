"""Travel told apart from the pose: who carries how much of where a body goes and faces.

A track is (F, 4): x, y, z and heading (radians, continuous) of a model space that goes along. Motions are (F, 4, 4),
rigid, from the rest pose in model space to where a thing is.
"""

from __future__ import annotations

import numpy as np

from .loops import headings_of

AXES = ("X", "Y", "Z", "YAW")
X, Y, Z, YAW = range(4)


def chosen(names: frozenset[str]) -> np.ndarray:
    """Which of a track's four numbers are meant, (4,)."""
    unknown = sorted(names - set(AXES))
    if unknown:
        raise ValueError(f"There is no axis {unknown[0]!r} of travel; there are {', '.join(AXES)}.")
    return np.array([name in names for name in AXES])


def track_matrices(track: np.ndarray) -> np.ndarray:
    """Tracks (..., 4) as motions (..., 4, 4)."""
    cosine, sine = np.cos(track[..., YAW]), np.sin(track[..., YAW])
    result = np.zeros((*track.shape[:-1], 4, 4))
    result[..., 0, 0] = result[..., 1, 1] = cosine
    result[..., 1, 0], result[..., 0, 1] = sine, -sine
    result[..., 2, 2] = result[..., 3, 3] = 1.0
    result[..., :3, 3] = track[..., :3]
    return result


def under(places: np.ndarray, heading: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """The track (F, 4) of a model space that faces `heading` (F,) and whose point `rest` (3,) is at places (F, 3)."""
    cosine, sine = np.cos(heading), np.sin(heading)
    off = np.stack([cosine * rest[0] - sine * rest[1], sine * rest[0] + cosine * rest[1]], axis=-1)
    return np.column_stack([places[:, :2] - off, places[:, 2] - rest[2], heading])


def own_track(motion: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """The track (F, 4) of a thing that is moved so (F, 4, 4) and has its joint at `rest` (3,), without its tilt."""
    return under(motion[:, :3, :3] @ rest + motion[:, :3, 3], headings_of(motion[:, :3, :3]), rest)


def given_track(
    places: np.ndarray, heading: np.ndarray, rest: np.ndarray, own: np.ndarray, axes: np.ndarray
) -> np.ndarray:
    """What a carrier is to do so that a body's way is on it, (F, 4).

    places (F, 3), heading (F,): the way of the body's joint, which is at `rest` (3,) at rest. own (F, 4): what the
    carrier does now, which stays where `axes` (4,) are not meant.
    """
    body = under(places, heading if axes[YAW] else own[:, YAW], rest)
    return np.where(axes, body, own)


def with_track(motion: np.ndarray, own: np.ndarray, given: np.ndarray) -> np.ndarray:
    """A carrier's motion (F, 4, 4) with another track; how it is tilted over its track stays."""
    result: np.ndarray = track_matrices(given) @ np.linalg.inv(track_matrices(own)) @ motion
    return result


def held_still(track: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """A track whose meant numbers stay as at the first frame."""
    return np.where(axes, track[:1], track)


def in_place_shift(trend: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """What takes the net travel out of a clip that follows a trend (F, 4): a motion of the world, (F, 4, 4)."""
    there = held_still(trend, axes)
    return track_matrices(there) @ np.linalg.inv(track_matrices(trend))


def straight_shift(trend: np.ndarray, toward: float | None, least: float) -> np.ndarray:
    """What makes a trend (F, 4) end straight ahead: a motion of the world, (F, 4, 4), the identity at the first frame
    where no direction is asked for.

    The turn of the heading is taken off the way bit by bit. Then all is turned about the start, so that the way ends
    `toward` a direction (radians from +X, counter-clockwise), by default the one in which it began. What goes less far
    than `least` has no way: it faces that direction instead.
    """
    turn = trend[:, YAW] - trend[0, YAW]
    way = trend[:, 0] + 1j * trend[:, 1]
    steps = np.diff(way) * np.exp(-0.5j * (turn[1:] + turn[:-1]))
    straight = np.concatenate([[0.0], np.cumsum(steps)])
    facing = trend[0, YAW] - 0.5 * np.pi  # a heading of 0 faces -Y
    if abs(straight[-1]) <= least:
        about = 0.0 if toward is None else toward - facing
    else:
        about = (_first_direction(straight, least) if toward is None else toward) - float(np.angle(straight[-1]))
    there = straight * np.exp(1j * about) + way[0]
    given = np.column_stack([there.real, there.imag, trend[:, Z], trend[:, YAW] - turn + about])
    return track_matrices(given) @ np.linalg.inv(track_matrices(trend))


def _first_direction(way: np.ndarray, least: float) -> float:
    """Where a way (F,) goes at first: to the point where it has gone as far as counts."""
    return float(np.angle(way[int(np.argmax(np.abs(way) > least))]))
