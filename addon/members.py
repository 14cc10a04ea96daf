"""The cast of a scene: its characters in the order in which they tick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bpy.types import Object, Scene

from .order import leader_of, seen_of
from .performers import Performer


class Member(NamedTuple):
    """One character of a cast. The object is good until Blender is given back control; it is not kept longer.

    `first` is the frame at which it begins; `leader` the uid of the character that it follows, and whether it
    follows that one itself (True) or something that hangs on it (False); `seen` are those that its layers aim at, told
    the same way.
    """

    obj: Object
    performer: Performer
    first: int
    leader: tuple[int, bool] | None
    seen: tuple[tuple[int, bool], ...] = ()


def cast_members(pairs: Sequence[tuple[Object, Performer]], scene: Scene) -> list[Member]:
    """Members from objects with their performers, leaders first."""
    cast = {obj.session_uid: obj for obj, _ in pairs}
    return [
        Member(obj, performer, obj.surefoot.frame_start, leader_of(obj, cast), seen_of(obj, scene, cast))
        for obj, performer in pairs
    ]


def needed_by(cast: Sequence[Member], uid: int) -> list[Member]:
    """The character with this identity and all that it follows or aims at, however far on, in the cast's order."""
    members = {member.performer.uid: member for member in cast}
    needed: set[int] = set()
    left = [uid]
    while left:
        here = left.pop()
        if here in members and here not in needed:
            needed.add(here)
            member = members[here]
            left += [other for other, _ in (*member.seen, *((member.leader,) if member.leader is not None else ()))]
    return [member for member in cast if member.performer.uid in needed]
