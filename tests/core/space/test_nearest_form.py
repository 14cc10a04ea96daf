"""Of the many numbers of a rotation those nearest to others: the same rotation, and close."""

from __future__ import annotations

import numpy as np
import pytest
from surefoot.core.space.nearest_form import nearest_axis_angles, nearest_euler, nearest_quaternions
from surefoot.core.space.quaternions import to_matrices
from surefoot.core.space.rotation_curves import axis_angles, from_axis_angles, from_euler

ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def some_angles(count: int = 200) -> np.ndarray:
    generator = np.random.default_rng(4)
    angles = generator.uniform(-1.4, 1.4, (count, 3))
    return angles + 2.0 * np.pi * generator.integers(-3, 4, (count, 3))


@pytest.mark.parametrize("order", ORDERS)
def test_angles_changed_a_little_come_back_to_those_they_came_from(order):
    angles = some_angles()
    other = angles.copy()
    middle = "XYZ".index(order[1])
    other += np.pi
    other[:, middle] = np.pi - angles[:, middle]
    changed = other + 0.01
    found = nearest_euler(changed, angles, order)
    assert np.abs(found - angles).max() < 0.02
    same = np.abs(to_matrices(from_euler(found, order)) - to_matrices(from_euler(changed, order)))
    assert same.max() < 1e-9


def test_quaternions_take_the_side_and_the_length_of_others():
    values = np.array([[1.0, 0.0, 0.0, 0.0], [0.6, 0.8, 0.0, 0.0]])
    others = np.array([[-2.0, 0.1, 0.0, 0.0], [0.3, 0.4, 0.0, 0.0]])
    found = nearest_quaternions(values, others)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), np.linalg.norm(others, axis=1))
    assert (np.sum(found * others, axis=1) > 0.0).all()


def test_axis_and_angle_go_on_from_row_to_row_in_the_form_that_begins_like_others():
    turn = np.linspace(0.5, 8.0, 60)
    quaternions = np.stack([np.cos(turn / 2), np.sin(turn / 2), np.zeros(60), np.zeros(60)], axis=1)
    values = axis_angles(quaternions)
    others = values * -1.0
    others[:, 0] += 4.0 * np.pi
    found = nearest_axis_angles(values, others)
    assert np.abs(found[0] - others[0]).max() < 1e-9
    assert np.abs(np.diff(found[:, 0])).max() < 0.2
    assert np.abs(to_matrices(from_axis_angles(found)) - to_matrices(quaternions)).max() < 1e-9
