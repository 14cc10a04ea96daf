"""Another rig's pose at a frame, as it comes to a character that follows it: plain numbers that never change."""

from __future__ import annotations

import numpy as np

FeetDown = tuple[tuple[str, bool, bool], ...]


class SourcePose:
    """A source at a frame. Immutable, and compared by value.

    moved: (bones, 4, 4), the rigid motion of each bone from the rest pose in model space to the world, metres.
    stand: x, y, z, heading of where its model space stands. floor: the height (world) of the ground that it stands on,
    None where nobody knows. feet: role, heel and ball down, of the feet of which that is known. `whole` is False at
    ticks between two frames.
    """

    __slots__ = ("feet", "floor", "moved", "stand", "whole")

    def __init__(
        self,
        moved: np.ndarray,
        stand: tuple[float, float, float, float],
        floor: float | None = None,
        feet: FeetDown = (),
        *,
        whole: bool = True,
    ) -> None:
        moved.setflags(write=False)
        self.moved = moved
        self.stand = stand
        self.floor = floor
        self.feet = feet
        self.whole = whole

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, SourcePose):
            return False
        mine = (self.stand, self.floor, self.feet, self.whole)
        return mine == (other.stand, other.floor, other.feet, other.whole) and np.array_equal(self.moved, other.moved)

    def __hash__(self) -> int:
        return hash((self.stand, self.floor, self.feet, self.whole))

    @property
    def sound(self) -> bool:
        """Whether all of it is numbers."""
        return bool(np.isfinite(self.moved).all())


def between(before: SourcePose | None, after: SourcePose | None, share: float) -> SourcePose | None:
    """A source at a share of the way from one frame to the next: where its bones are, for its way and nothing else."""
    if before is None or after is None or before.moved.shape != after.moved.shape:
        return after if share >= 0.5 else before
    moved = before.moved + (after.moved - before.moved) * share
    return SourcePose(moved, after.stand, after.floor, after.feet, whole=False)
