"""Keys between frames, for Euler angles that would not go straight from one to the next.

Near the pole, where the middle angle is a right one, the first and the last one turn about nearly one axis. From key to
key they may go far in opposite ways, and half way between two rotations that are alike there is another one.
"""

from __future__ import annotations

import math

import numpy as np

from .nearest_form import nearest_euler
from .quaternions import mixed, multiplied, undone
from .rotation_curves import euler_angles, from_euler

# Between two keys a rotation is aside by no more than this, radians, if keys between them can help it.
ASIDE = math.radians(0.05)
# A step is halved up to so many times, and looked at in so many places.
HALVED, LOOKED_AT = 4, (0.25, 0.5, 0.75)


def keys_between(angles: np.ndarray, order: str, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """More keys for angles x, y, z (F, 3) in a Blender order: their places, in frames from the first (n,), and angles
    (n, 3), so that straight lines through all keys go the short way from rotation to rotation.

    wanted (F - 1,): the steps in which there may be some.
    """
    rotations, frames = from_euler(angles, order), np.arange(len(angles), dtype=np.float64)
    places, rows = frames, angles
    for _ in range(HALVED):
        within = wanted[np.minimum(places[:-1].astype(int), len(wanted) - 1)]
        halved = np.flatnonzero(within)
        halved = halved[_is_aside(rotations, places, rows, order, halved)]
        if not len(halved):
            break
        middle, straight = (0.5 * (each[halved] + each[halved + 1]) for each in (places, rows))
        more = nearest_euler(euler_angles(_short_way(rotations, middle), order), straight, order)
        places, rows = np.insert(places, halved + 1, middle), np.insert(rows, halved + 1, more, axis=0)
    added = ~np.isin(places, frames)
    return places[added], rows[added]


def _is_aside(
    rotations: np.ndarray, places: np.ndarray, rows: np.ndarray, order: str, steps: np.ndarray
) -> np.ndarray:
    """Whether a straight line from a key to the next leaves the short way between rotations, for some steps."""
    found = np.zeros(len(steps), dtype=bool)
    for share in LOOKED_AT:
        there, shown = (each[steps] + share * (each[steps + 1] - each[steps]) for each in (places, rows))
        off = multiplied(from_euler(shown, order), undone(_short_way(rotations, there)))
        found |= 2.0 * np.linalg.norm(off[:, 1:], axis=-1) > ASIDE
    return found


def _short_way(rotations: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The rotation at each place (n,), in frames, on the short ways from one to the next, (n, 4)."""
    before = np.minimum(places.astype(int), len(rotations) - 2)
    return mixed(rotations[before], rotations[before + 1], places - before)
