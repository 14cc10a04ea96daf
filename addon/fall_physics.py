"""Physics of one character as the job of falls asks for it: bodies in, a row for each frame out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mathutils import Matrix

from ..core.character import world_matrix
from ..core.control.fall_row import Blow, FallRow
from ..core.control.intent import Inputs
from ..core.rig.edited_pose import EditedPose
from ..core.rig.pose import PoseFrame
from .fall_wishes import Wishes
from .frame_cache import Snapshot
from .members import Member
from .scenery import Scenery
from .ticking import ticked


class Engine:
    """Physics that has a body."""

    def frame(
        self,
        scenery: Scenery,
        member: Member,
        number: int,
        inputs: Inputs,
        hits: tuple[Blow, ...],
        wishes: Wishes,
    ) -> FallRow | None:
        """The row of a frame, after hits at the frame before; None where physics has nothing of it any more."""
        raise NotImplementedError

    def close(self) -> None:
        """Leave nothing behind."""


def engine_of(scenery: Scenery, member: Member, before: Snapshot, now: Snapshot, *, rising: bool) -> Engine:
    """Physics takes over the body as it is at a frame, with the speed that it has come with from the one before."""
    raise NotImplementedError


def rises(member: Member, snapshot: Snapshot) -> bool:
    """True while the core raises the body, after a frame."""
    return bool(member.performer.character.rises(snapshot.memory))
