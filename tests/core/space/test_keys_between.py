"""Keys between frames: where Euler angles near the pole would not go straight from one rotation to the next."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest
from surefoot.core.space.keys_between import keys_between
from surefoot.core.space.quaternions import about, mixed, multiplied, undone
from surefoot.core.space.rotation_curves import euler_angles, from_euler

ORDERS = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]


def past_the_pole(order: str) -> np.ndarray:
    """Angles of a joint that goes by the right angle of its middle axis, not two degrees beside it."""
    first, middle = ("XYZ".index(letter) for letter in order[:2])
    pole, off = np.zeros((1, 3)), np.zeros((3, 3))
    pole[0, middle] = radians(90.0)
    off[:, first], off[:, middle] = np.radians([0.1, 0.4, 4.0]), np.radians([-4.0, -1.5, 0.1])
    size = np.linalg.norm(off, axis=-1)
    return euler_angles(multiplied(about(off / size[:, None], size), from_euler(pole, order)), order)


def aside(places: np.ndarray, rows: np.ndarray, angles: np.ndarray, order: str) -> float:
    """How far straight lines through keys leave the short ways between the first rotations, radians."""
    times = np.linspace(0.0, len(angles) - 1.0, 401)
    shown = from_euler(np.stack([np.interp(times, places, each) for each in rows.T], axis=-1), order)
    before = np.minimum(times.astype(int), len(angles) - 2)
    short = mixed(from_euler(angles[before], order), from_euler(angles[before + 1], order), times - before)
    return float(2.0 * np.linalg.norm(multiplied(shown, undone(short))[:, 1:], axis=-1).max())


@pytest.mark.parametrize("order", ORDERS)
def test_with_keys_between_rotations_near_the_pole_go_the_short_way(order):
    angles = past_the_pole(order)
    frames = np.arange(3.0)
    assert aside(frames, angles, angles, order) > radians(0.3)
    places, more = keys_between(angles, order, np.ones(2, dtype=bool))
    places, rows = np.concatenate([frames, places]), np.concatenate([angles, more])
    at = np.argsort(places)
    assert aside(places[at], rows[at], angles, order) < radians(0.06)


@pytest.mark.parametrize("order", ORDERS)
def test_away_from_the_pole_and_where_none_is_wanted_there_are_no_keys_between(order):
    angles = np.radians([[5.0, 10.0, -5.0], [6.0, 12.0, -4.0], [8.0, 13.0, -3.0]])
    assert not len(keys_between(angles, order, np.ones(2, dtype=bool))[0])
    places, _ = keys_between(past_the_pole(order), order, np.array([False, True]))
    assert ((places > 1.0) & (places < 2.0)).all()
