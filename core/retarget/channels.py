"""A clip as the channels of its rig: what turns and shifts each bone relative to its rest under its parent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..motion.clip import Clip
from ..space.quaternions import AT_ONCE, continuous, from_matrices

# In shares of the leg length: a bone that leaves its place by less than this does not.
LEAST_SHIFT = 2e-5


class Channels(NamedTuple):
    """Basis rotations (F, bones, 4) wxyz, of even sign over time, and locations (F, bones, 3), metres, for a model
    space that stands at the world's origin and faces -Y. `located` are the bones that leave their place.
    """

    rotations: np.ndarray
    locations: np.ndarray
    located: tuple[int, ...]


def channels_of(clip: Clip, driven: Sequence[int] | None = None, carriers: np.ndarray | None = None) -> Channels:
    """The channels that give the clip again. A connected bone has no location, whatever the clip says.

    driven: the bones that leave their rest under their parents; all may where it is not given. carriers: how bones
    moved as others hang on them, (F, bones, 4, 4), where that is not what they are to be given themselves.
    """
    bones = clip.rig.skeleton.bones
    asked = list(range(len(bones))) if driven is None else sorted(driven)
    rotations = np.zeros((len(clip), len(bones), 4))
    rotations[..., 0] = 1.0
    locations = np.zeros((len(clip), len(bones), 3))
    if not asked:
        return Channels(rotations, locations, ())
    rests = np.array([bones[i].rest for i in asked], dtype=np.float64)
    # Single precision leaves a rest pose a little out of square; its true inverse gives back just what was turned.
    unrests = _constants(np.linalg.inv(rests[:, :3, :3]))
    squares, shifts = np.empty((3, 3, len(asked), len(clip))), np.empty((3, len(asked), len(clip)))
    # So many numbers at once stay within a processor's own memory.
    step = max(1, AT_ONCE // len(asked))
    for first in range(0, len(clip), step):
        rows = slice(first, first + step)
        own = clip.moved[rows]
        hung = own if carriers is None or carriers is clip.moved else carriers[rows]
        turns, places = _under_parents(clip, asked, rests[:, :3, 3], own, hung)
        squares[..., rows] = _product(_product(unrests, turns), _constants(rests[:, :3, :3]))
        shifts[..., rows] = _turned(unrests, places)
    rotations[:, asked] = continuous(from_matrices(squares.transpose(3, 2, 0, 1)))
    least = LEAST_SHIFT * clip.rig.leg_length
    away = np.abs(shifts).max(axis=(0, 2), initial=0.0) > least
    leaves = [k for k, i in enumerate(asked) if away[k] and not (bones[i].connected and bones[i].parent >= 0)]
    for k in leaves:
        locations[:, asked[k]] = shifts[:, k].T
    return Channels(rotations, locations, tuple(asked[k] for k in leaves))


# Numbers of one kind lie side by side, (n, F): over many bones and frames ten times as quick as small matrices.
Three = list[np.ndarray]
Nine = list[Three]


def _under_parents(
    clip: Clip, asked: Sequence[int], heads: np.ndarray, moved: np.ndarray, carriers: np.ndarray
) -> tuple[Nine, Three]:
    """How bones are turned, and how far they are from their places, told from their parents; both in the axes of model
    space at rest. One that does not turn with its parent is turned against the model's; its place, in Blender, still
    counts in its parent's axes.
    """
    bones = clip.rig.skeleton.bones
    parents = sorted({bones[i].parent for i in asked if bones[i].parent >= 0})
    row = {parent: k for k, parent in enumerate(parents)}
    own = _numbers(moved)
    turns, places = _parts(own, asked)
    carried, carrier_places = _parts(own if carriers is moved else _numbers(carriers), parents)
    backs = _inverse(carried)
    # What has no parent hangs on one that never moves.
    rows = [row.get(bones[i].parent, len(parents)) for i in asked]
    turning = [k if bones[i].inherit_rotation else len(parents) for k, i in zip(rows, asked, strict=True)]
    still = np.eye(3)
    x, y, z = heads.T[:, :, None]
    shifts = []
    for j in range(3):
        a, b, c = (_with(carried[j][k], still[j, k])[rows] for k in range(3))
        on_parent = a * x + b * y + c * z + _with(carrier_places[j], 0.0)[rows]
        a, b, c = turns[j]
        shifts.append(a * x + b * y + c * z + places[j] - on_parent)
    spread = [[_with(backs[j][k], still[j, k]) for k in range(3)] for j in range(3)]
    back = [[number[rows] for number in line] for line in spread]
    shifts = _turned(back, shifts)
    if turning != rows:
        back = [[number[turning] for number in line] for line in spread]
    return _product(back, turns), shifts


def _numbers(moved: np.ndarray) -> np.ndarray:
    """The numbers of motions (F, bones, 4, 4), (3, 4, bones, F)."""
    return np.ascontiguousarray(moved[:, :, :3].transpose(2, 3, 1, 0))


def _parts(numbers: np.ndarray, bones: Sequence[int]) -> tuple[Nine, Three]:
    """Turns and places of some bones."""
    chosen = numbers[:, :, bones]
    return [list(line[:3]) for line in chosen], [line[3] for line in chosen]


def _with(numbers: np.ndarray, last: float) -> np.ndarray:
    """The same with one more bone that holds a value."""
    return np.concatenate([numbers, np.full((1, numbers.shape[1]), last)])


def _constants(matrices: np.ndarray) -> Nine:
    """Matrices (n, 3, 3) that are the same at all frames."""
    return [[matrices[:, j, k, None] for k in range(3)] for j in range(3)]


def _product(a: Nine, b: Nine) -> Nine:
    return [[a[j][0] * b[0][k] + a[j][1] * b[1][k] + a[j][2] * b[2][k] for k in range(3)] for j in range(3)]


def _turned(a: Nine, vectors: Three) -> Three:
    return [line[0] * vectors[0] + line[1] * vectors[1] + line[2] * vectors[2] for line in a]


def _inverse(m: Nine) -> Nine:
    """The inverses of matrices, by their cofactors."""
    (a, b, c), (d, e, f), (g, h, i) = m
    columns = [[e * i - f * h, c * h - b * i, b * f - c * e]]
    columns.append([f * g - d * i, a * i - c * g, c * d - a * f])
    columns.append([d * h - e * g, b * g - a * h, a * e - b * d])
    size = a * columns[0][0] + b * columns[1][0] + c * columns[2][0]
    size = np.where(size == 0.0, 1.0, size)
    return [[number / size for number in line] for line in columns]
