"""Of the many numbers that one rotation has, those nearest to others: so that what is changed a little stays near."""

from __future__ import annotations

import numpy as np

from .rotation_curves import AXES


def nearest_quaternions(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Rotations (F, 4) on the side of others (F, 4), and as long as those are."""
    side = np.where(np.sum(values * others, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    length = np.linalg.norm(others, axis=-1, keepdims=True)
    return np.asarray(values * side * np.where(length > 0.0, length, 1.0))


def nearest_euler(values: np.ndarray, others: np.ndarray, order: str) -> np.ndarray:
    """Angles x, y, z (F, 3) in a Blender order, row by row in the form and the turns nearest to others (F, 3)."""
    flipped = values + np.pi
    middle = AXES[order[1]]
    flipped[:, middle] = np.pi - values[:, middle]
    forms = [form + _turns(others - form) for form in (values, flipped)]
    away = [np.abs(form - others).sum(axis=-1) for form in forms]
    return np.where((away[1] < away[0])[:, None], forms[1], forms[0])


def nearest_axis_angles(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Angle and axis (F, 4), going on from row to row, as a whole in the form that begins nearest to others (F, 4).

    Row by row would not do: where an angle is small, its axis may be anywhere, and another one in the next row.
    """
    result = values * (-1.0 if float(values[0, 1:] @ others[0, 1:]) < 0.0 else 1.0)
    result[:, 0] += _turns(others[0, 0] - result[0, 0])
    return np.asarray(result)


def _turns(angles: np.ndarray) -> np.ndarray:
    """The whole turns nearest to angles, radians."""
    return np.asarray(np.round(angles / (2.0 * np.pi)) * 2.0 * np.pi)
