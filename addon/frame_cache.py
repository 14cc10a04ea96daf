"""What is known of one character, frame by frame: bounded, ordered, and thinned rather than cut."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from typing import Any, NamedTuple

from ..core.rig.pose import Footing, Ground, PoseFrame

LIMIT = 12_000


class Told(NamedTuple):
    """What is kept of a pose beside its row: where the body is, its feet, what happened.

    `pose` is kept only of a character with layers: without any it follows from the memory.
    """

    ground: Ground
    feet: tuple[Footing, ...]
    events: tuple[tuple[str, str], ...]
    pose: PoseFrame | None = None


class Snapshot(NamedTuple):
    """One whole frame. `memory` is the core's, not to be ticked in place; `row` is what the writer puts on the rig.

    `inputs` are those of this very frame, so that an edited curve can be compared with what was used.
    """

    memory: Any
    inputs: Any
    row: Any
    frame: Told


class FrameCache:
    """Snapshots by whole frame. A frame that was thinned out is ticked again from the nearest one before it.

    `drops` counts how often something was forgotten, so that who follows can tell.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = max(limit, 16)
        self._frames: list[int] = []
        self._snapshots: dict[int, Snapshot] = {}
        self.drops = 0

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def frames(self) -> tuple[int, ...]:
        """The known frames, in order."""
        return tuple(self._frames)

    @property
    def reach(self) -> int | None:
        """The last known frame; None while nothing is known."""
        return self._frames[-1] if self._frames else None

    def get(self, frame: int) -> Snapshot | None:
        """The snapshot of exactly this frame."""
        return self._snapshots.get(frame)

    def newest(self, frame: int) -> int | None:
        """The last known frame that is not after `frame`."""
        place = bisect_right(self._frames, frame)
        return self._frames[place - 1] if place else None

    def put(self, frame: int, snapshot: Snapshot) -> None:
        """Keep a frame; past the limit every second one of the older half goes."""
        if frame not in self._snapshots:
            insort(self._frames, frame)
        self._snapshots[frame] = snapshot
        if len(self._frames) > self._limit:
            self._thin()

    def drop_from(self, frame: int) -> None:
        """Forget this frame and all after it."""
        place = bisect_left(self._frames, frame)
        self.drops += 1
        for known in self._frames[place:]:
            del self._snapshots[known]
        del self._frames[place:]

    def clear(self) -> None:
        """Forget everything."""
        self.drop_from(self._frames[0] if self._frames else 0)

    def _thin(self) -> None:
        older = self._frames[: len(self._frames) // 2]
        for known in older[1::2]:
            del self._snapshots[known]
        self._frames = older[::2] + self._frames[len(older) :]
