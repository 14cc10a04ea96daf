"""A clip from the channels of its rig: what `retarget/channels` takes apart, put together over all frames at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .clip import by_bone

IDENTITY = np.identity(3)


class LocalMotion(NamedTuple):
    """How a bone leaves its rest under its parent, in its own axes: turn (F, 3, 3) and place (F, 3), or (3, 3), (3,)
    where they stay as they are; None where there is none.
    """

    turn: np.ndarray | None
    place: np.ndarray | None


def moved_by_channels(
    parents: Sequence[int], rests: np.ndarray, local: Mapping[int, LocalMotion], base: np.ndarray
) -> np.ndarray:
    """The motion of each bone from rest in the world, (F, B, 4, 4).

    parents: each bone's, parents first, -1 for none; rests: (B, 4, 4), model space; local: by bone, what is missing
    stays with its parent; base: (F, 4, 4), where model space is in the world. All of it rigid, bones turning with their
    parents.
    """
    moved = by_bone(len(base), len(parents))
    moved[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    # Single precision leaves a rest pose a little out of square: its true inverse gives back just what was turned.
    unrests = np.linalg.inv(rests[:, :3, :3])
    for i, parent in enumerate(parents):
        above = base if parent < 0 else moved[:, parent]
        own = local.get(i)
        if own is None:
            moved[:, i] = above
            continue
        axes, head = rests[i, :3, :3], rests[i, :3, 3]
        turn = IDENTITY if own.turn is None else _between(axes, own.turn, unrests[i])
        shift = head - turn.reshape(-1, 9) @ np.kron(IDENTITY, head).T if turn.ndim > 2 else head - turn @ head
        if own.place is not None:
            shift = shift + own.place @ axes.T
        outer = np.ascontiguousarray(above[:, :3, :3])
        moved[:, i, :3, :3] = outer @ turn
        moved[:, i, :3, 3] = np.einsum("fij,...j->fi" if shift.ndim == 1 else "fij,fj->fi", outer, shift)
        moved[:, i, :3, 3] += above[:, :3, 3]
    return moved


def _between(before: np.ndarray, turn: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The products with one matrix in front of turns (F, 3, 3) or (3, 3) and one behind them, by a single product."""
    if turn.ndim < 3:
        return np.asarray(before @ turn @ after)
    return np.asarray(turn.reshape(-1, 9) @ np.kron(before, after.T).T).reshape(-1, 3, 3)
