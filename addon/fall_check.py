"""Deciding what of a record of falls still holds, after something was edited; frames that are not known yet are
compared when they are computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bpy.types import Scene

from .fall_head import head_of
from .fall_inputs import with_fall
from .fall_track import start_digest
from .fall_wishes import may_fall, wishes_at
from .frame_cache import Snapshot
from .members import Member
from .scenery import Scenery


def take_record(member: Member) -> None:
    """The record on the object is another: read it, and forget what may have followed from the one before."""
    first = member.performer.fall.take(member.obj.surefoot.fall_record)
    if first is not None:
        member.performer.cache.drop_from(first)


def hold_again(member: Member) -> None:
    """Something was edited, so that what did not hold may hold again: compared anew from there on."""
    track = member.performer.fall
    if track.is_stale:
        # The frame at which it begins, too: whether it begins as it did is found out where that is computed.
        member.performer.cache.drop_from(track.record.runs[track.held].first)
    track.begin_anew()


def check_start(scenery: Scenery, member: Member, number: int) -> None:
    """A frame is known at which a recorded run begins: whether it begins as it did."""
    track, cache = member.performer.fall, member.performer.cache
    run = track.run_at(number)
    if run is None or run.first != number:
        return
    head = head_of(member, scenery.scene, scenery.world(member))
    if run.start == start_digest(head, last_two(member, number)):
        return
    dropped = track.refuse(number, "START" if head == track.record.head else "SETTINGS")
    if dropped is not None:
        cache.drop_from(dropped)


def last_two(member: Member, number: int) -> tuple[Snapshot, Snapshot]:
    """A frame that is known, and the one before it; at the start that one twice."""
    now = member.performer.cache.get(number)
    before = member.performer.cache.get(number - 1) if number > member.first else now
    if now is None or before is None:
        raise ValueError(f"Frame {number} is not known.")
    return before, now


def compare_falls(scene: Scene, cast: Sequence[Member], edited: frozenset[int], *, around: bool) -> None:
    """After an edit of the falls of these characters, or (`around`) of what surrounds all: what holds now, frame by
    frame where that can be told without walking.
    """
    concerned = [member for member in cast if may_fall(member.obj) or member.performer.fall.record.runs]
    concerned = [member for member in concerned if around or member.performer.uid in edited]
    if not concerned:
        return
    scenery = Scenery(scene, cast)
    for member in concerned:
        track, cache = member.performer.fall, member.performer.cache
        hold_again(member)
        if track.live:
            continue
        if track.held and track.record.head != head_of(member, scene, scenery.world(member)):
            dropped = track.refuse(track.runs[0].first, "SETTINGS")
            if dropped is not None:
                cache.drop_from(dropped)
        if scenery.is_still(member):
            _compare(scene, member)
        elif member.performer.uid in edited:
            cache.clear()


def _compare(scene: Scene, member: Member) -> None:
    """Every known frame with what physics, or a hit, says of it now."""
    cache = member.performer.cache
    for number in cache.frames:
        snapshot = cache.get(number)
        if snapshot is None:
            return
        bare = replace(snapshot.inputs, fall=None, hits=())
        if with_fall(member, scene, number, bare, wishes_at(member.obj, scene, number)) != snapshot.inputs:
            cache.drop_from(number)
            return
