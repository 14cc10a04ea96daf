"""Rotations over time as the numbers of a rotation mode, in the form that goes on from key to key.

One rotation has many Euler angles and many angles about an axis. Between two keys Blender goes straight from one number
to the next, so the form nearest to the one before is the right one: it never turns by more than the bone does.
"""

from __future__ import annotations

import numpy as np

from .quaternions import about, multiplied, to_matrices, undone

AXES = {"X": 0, "Y": 1, "Z": 2}
# Nearer to the pole than this (radians) the first and the last angle turn about one axis; only their sum means much.
AT_POLE = 1e-5
# Of less (half radians) the axis means nothing.
STILL = 1e-7


def euler_angles(quaternions: np.ndarray, order: str) -> np.ndarray:
    """Angles x, y, z (F, 3) in a Blender order ("XYZ": X first) of rotations (F, 4), continuous and unwrapped.

    Each rotation has two forms, (a, b, c) and (a + pi, pi - b, c + pi) with b about the middle axis of the order. How
    far apart two forms are is the same for both pairs, so which one goes on from the frame before is a running choice
    of keep or change. At the pole the first angle is led on from its neighbours, and the last one takes the rest.
    """
    i, j, k = (AXES[letter] for letter in order)
    sign = 1.0 if (i, j, k) in {(0, 1, 2), (1, 2, 0), (2, 0, 1)} else -1.0
    m = to_matrices(quaternions)
    across = np.hypot(m[:, k, j], m[:, k, k])
    first = np.arctan2(sign * m[:, k, j], m[:, k, k])
    middle = np.arctan2(-sign * m[:, k, i], across)
    last = np.arctan2(sign * m[:, j, i], m[:, i, i])
    angles = np.empty((len(m), 3))
    clear = np.flatnonzero(across > AT_POLE)
    form = _going_on(np.stack([first, middle, last], axis=-1)[clear])
    for column, axis in enumerate((i, j, k)):
        values = np.unwrap(form[:, column]) if len(form) else np.zeros(1)
        angles[:, axis] = np.interp(np.arange(len(m)), clear if len(clear) else [0], values)
    poles = np.flatnonzero(across <= AT_POLE)
    if len(poles):
        angles[poles, j] += _wrapped(middle[poles] - angles[poles, j])
        under = multiplied(_about(j, angles[poles, j]), _about(i, angles[poles, i]))
        rest = multiplied(quaternions[poles], undone(under))
        turn = 2.0 * np.arctan2(rest[:, 1 + k], rest[:, 0])
        angles[poles, k] += _wrapped(turn - angles[poles, k])
        angles[:, k] = np.unwrap(angles[:, k])
    return angles


def axis_angles(quaternions: np.ndarray) -> np.ndarray:
    """Angle and unit axis (F, 4) of rotations (F, 4): the axis keeps its side and the angle its turns over time.

    Where nothing is turned, the axis is that of the frame before, or of the first that is turned.
    """
    result = np.tile([0.0, 0.0, 1.0, 0.0], (len(quaternions), 1))
    sine = np.linalg.norm(quaternions[:, 1:], axis=-1)
    turned = np.flatnonzero(sine >= STILL)
    if not len(turned):
        return result
    axes = quaternions[turned, 1:] / sine[turned, None]
    sides = np.where(np.sum(axes[1:] * axes[:-1], axis=-1) < 0.0, -1.0, 1.0)
    side = np.cumprod(np.concatenate([[1.0 if quaternions[turned[0], 0] >= 0.0 else -1.0], sides]))
    known = np.clip(np.searchsorted(turned, np.arange(len(quaternions)), side="right") - 1, 0, None)
    result[:, 1:] = (axes * side[:, None])[known]
    along = np.sum(quaternions[:, 1:] * result[:, 1:], axis=-1)
    result[:, 0] = np.unwrap(2.0 * np.arctan2(along, quaternions[:, 0]))
    return result


def from_euler(angles: np.ndarray, order: str) -> np.ndarray:
    """The rotations (F, 4) of angles x, y, z (F, 3) in a Blender order."""
    i, j, k = (AXES[letter] for letter in order)
    return multiplied(_about(k, angles[:, k]), multiplied(_about(j, angles[:, j]), _about(i, angles[:, i])))


def from_axis_angles(values: np.ndarray) -> np.ndarray:
    """The rotations (F, 4) of angle and axis (F, 4), the axis of any length."""
    length = np.linalg.norm(values[:, 1:], axis=-1, keepdims=True)
    return about(values[:, 1:] / np.where(length > 0.0, length, 1.0), values[:, 0])


def _going_on(forms: np.ndarray) -> np.ndarray:
    """Of each frame the form (first, middle, last) that goes on from the one before, (F, 3), not yet unwrapped."""
    if not len(forms):
        return forms
    other = np.stack([forms[:, 0] + np.pi, np.pi - forms[:, 1], forms[:, 2] + np.pi], axis=-1)
    keep = np.abs(_wrapped(forms[1:] - forms[:-1])).sum(axis=-1)
    change = np.abs(_wrapped(other[1:] - forms[:-1])).sum(axis=-1)
    changed = np.cumsum(np.concatenate([[False], change < keep])) % 2 == 1
    return np.where(changed[:, None], other, forms)


def _wrapped(angles: np.ndarray) -> np.ndarray:
    return np.asarray((angles + np.pi) % (2.0 * np.pi) - np.pi)


def _about(axis: int, angles: np.ndarray) -> np.ndarray:
    return about(np.eye(3)[axis], angles)
