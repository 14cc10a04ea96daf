"""Rotations over time as Euler angles or angle and axis: the same rotations, in the form that goes on."""

from __future__ import annotations

import numpy as np
import pytest
from mathutils import Quaternion
from surefoot.core.space.quaternions import about, continuous, multiplied, unit
from surefoot.core.space.rotation_curves import axis_angles, euler_angles, from_axis_angles, from_euler

ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
AXES = {"X": 0, "Y": 1, "Z": 2}


def same(a, b):
    """The largest difference of two rows of rotations, whatever their signs."""
    sides = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    return float(np.abs(a * sides - b).max())


def wandering(count=400, seed=3):
    """Rotations that go all over the place in small steps."""
    chance = np.random.default_rng(seed)
    steps = about(unit3(chance.normal(size=(count, 3))), chance.uniform(0.0, 0.2, count))
    rows = [np.array([1.0, 0.0, 0.0, 0.0])]
    for step in steps[1:]:
        rows.append(multiplied(step, rows[-1]))
    return continuous(np.array(rows))


def unit3(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@pytest.mark.parametrize("order", ORDERS)
def test_angles_mean_what_they_mean_in_blender(order):
    rows = wandering()
    for angles, wanted in zip(euler_angles(rows, order).tolist(), rows, strict=True):
        turn = Quaternion()
        for letter in order:
            turn = Quaternion(np.eye(3)[AXES[letter]].tolist(), angles[AXES[letter]]) @ turn
        assert same(np.array([turn[:]]), wanted[None]) < 1e-6


@pytest.mark.parametrize("order", ORDERS)
def test_angles_give_the_rotations_again_and_never_jump(order):
    rows = wandering(2000)
    angles = euler_angles(rows, order)
    assert same(from_euler(angles, order), rows) < 1e-9
    assert np.abs(np.diff(angles, axis=0)).max() < np.pi


@pytest.mark.parametrize("order", ORDERS)
def test_exactly_through_the_pole_angles_go_straight_on(order):
    first, middle, last = (np.eye(3)[AXES[letter]] for letter in order)
    share = np.linspace(0.0, 1.0, 41)
    rows = multiplied(about(last, 0.5 * share), multiplied(about(middle, np.pi * share), about(first, 2.0 * share)))
    angles = euler_angles(continuous(rows), order)
    assert np.abs(angles[:, [AXES[letter] for letter in order]] - np.outer(share, [2.0, np.pi, 0.5])).max() < 1e-6


@pytest.mark.parametrize("order", ORDERS)
def test_a_bone_that_stays_at_the_pole_is_the_same_rotation_still(order):
    first, middle, last = (np.eye(3)[AXES[letter]] for letter in order)
    turn = np.linspace(0.0, 3.0, 20)
    rows = multiplied(about(last, turn), multiplied(about(middle, np.full(20, np.pi / 2.0)), about(first, 0.3 * turn)))
    angles = euler_angles(continuous(rows), order)
    assert same(from_euler(angles, order), rows) < 1e-6
    assert np.abs(np.diff(angles, axis=0)).max() < 0.5


@pytest.mark.parametrize("order", ORDERS)
def test_a_turn_of_two_and_a_half_rounds_is_900_degrees(order):
    for axis in range(3):
        angles = euler_angles(continuous(about(np.eye(3)[axis], np.linspace(0.0, 5.0 * np.pi, 200))), order)
        assert angles[-1, axis] - angles[0, axis] == pytest.approx(5.0 * np.pi)
        assert np.abs(np.diff(angles, axis=0)).max() < 0.1


def test_angle_and_axis_give_the_rotations_again_and_keep_side_and_turns():
    rows = wandering(2000)
    values = axis_angles(rows)
    assert same(from_axis_angles(values), rows) < 1e-9
    assert np.linalg.norm(values[:, 1:], axis=-1) == pytest.approx(1.0)
    axis = unit3(np.array([[0.3, -0.5, 0.8]]))[0]
    turn = np.linspace(-1.0, 5.0 * np.pi, 200)
    values = axis_angles(continuous(about(axis, turn)))
    assert np.abs(np.diff(values[:, 0])).max() < 0.1
    assert abs(values[-1, 0] - values[0, 0]) == pytest.approx(5.0 * np.pi + 1.0)
    assert np.sum(values[1:, 1:] * values[:-1, 1:], axis=-1).min() > 0.999


def test_what_is_not_turned_has_the_axis_of_what_comes_next():
    rows = continuous(about(np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.4, 0.8, 0.0])))
    assert axis_angles(rows)[:, 1] == pytest.approx(1.0)
    assert axis_angles(rows)[:, 0] == pytest.approx([0.0, 0.0, 0.4, 0.8, 0.0])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (3, 1))
    assert axis_angles(still).tolist() == [[0.0, 0.0, 1.0, 0.0]] * 3
    assert np.abs(euler_angles(still, "XYZ")).max() == 0.0


def test_an_axis_of_any_length_and_no_axis_are_rotations():
    found = from_axis_angles(np.array([[1.0, 0.0, 0.0, 5.0], [0.7, 0.0, 0.0, 0.0]]))
    assert found[0] == pytest.approx(Quaternion((0.0, 0.0, 1.0), 1.0)[:])
    assert found[1] == pytest.approx([np.cos(0.35), 0.0, 0.0, 0.0])


def test_one_frame_and_none():
    assert euler_angles(np.zeros((0, 4)), "XYZ").shape == (0, 3)
    assert axis_angles(unit(np.zeros((0, 4)))).shape == (0, 4)
    assert euler_angles(np.array([[1.0, 0.0, 0.0, 0.0]]), "ZXY").tolist() == [[0.0, 0.0, 0.0]]
