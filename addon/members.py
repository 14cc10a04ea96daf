"""The cast of a scene: its characters in the order in which they tick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bpy.types import Object

from .order import leader_of
from .performers import Performer


class Member(NamedTuple):
    """One character of a cast. The object is good until Blender is given back control; it is not kept longer.

    `first` is the frame at which it begins; `leader` the uid of the character that it follows, and whether it
    follows that one itself (True) or something that hangs on it (False).
    """

    obj: Object
    performer: Performer
    first: int
    leader: tuple[int, bool] | None


def cast_members(pairs: Sequence[tuple[Object, Performer]]) -> list[Member]:
    """Members from objects with their performers, leaders first."""
    cast = {obj.session_uid: obj for obj, _ in pairs}
    return [Member(obj, performer, obj.surefoot.frame_start, leader_of(obj, cast)) for obj, performer in pairs]
