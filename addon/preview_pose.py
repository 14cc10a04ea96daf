"""Which row a rig shows at a frame, and putting it on."""

from __future__ import annotations

import numpy as np

from .members import Member
from .performers import Performer


def row_at(performer: Performer, first: int, frame: int, subframe: float) -> np.ndarray | None:
    """The row to show: of the frame, between two frames, or of the newest known frame before."""
    wanted = performer.fall.shown(max(frame, first), performer.cache.reach)
    newest = performer.cache.newest(wanted)
    if newest is None:
        return None
    row = performer.cache.get(newest).row
    if subframe <= 0.0 or newest != frame:
        return row
    after = performer.cache.get(frame + 1)
    return row if after is None else mixed(row, after.row, subframe)


def mixed(row: np.ndarray, after: np.ndarray, share: float) -> np.ndarray:
    """Between two rows, component by component: what LINEAR keys of the same two frames show."""
    return (row + np.float32(share) * (after - row)).astype(np.float32)


def put_on(member: Member, row: np.ndarray) -> None:
    """Write a row, and remember where that put the object."""
    member.performer.writer.apply(member.obj, row)
    member.performer.basis = member.obj.matrix_basis.copy()
