"""Computing frames ahead: for Simulate, Bake and Report, in chunks between which a window stays alive."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

import bpy
from bpy.types import Object, Scene

from .changes import redraw_panels
from .fall_live import LiveFalls
from .filling import fill, missing_frames
from .members import Member, needed_by
from .preview import cast_of, failure_of, take_rigs
from .refusal import RefusedError, why_not_character, why_not_evaluated
from .roster import by_uid, owner_of
from .texts import text
from .validity import refresh

CHUNK = 10

T = TypeVar("T")


def scene_of(obj: Object) -> Scene:
    """The scene that moves this character, or a refusal."""
    reason = why_not_character(obj)
    if reason:
        raise RefusedError(reason)
    scene = owner_of(obj)
    if scene is None:
        raise RefusedError(text("in_no_scene", name=obj.name))
    reason = why_not_evaluated(obj, scene)
    if reason:
        raise RefusedError(reason)
    return scene


def needed_cast(scene: Scene, obj: Object) -> list[Member]:
    """The character and those whom it follows or aims at, in their order, ready to be filled; a refusal if it cannot
    walk.
    """
    cast = cast_of(scene, check_rigs=take_rigs(), extra=obj)
    reason = failure_of(obj.session_uid)
    needed = needed_by(cast, obj.session_uid)
    if not needed:
        raise RefusedError(reason or text("not_set_up", name=obj.name))
    refresh(scene, needed)
    for member in needed:
        member.performer.failed = ""
    return needed


def member_of(cast: list[Member], uid: int) -> Member:
    """The member with this identity."""
    return next(member for member in cast if member.performer.uid == uid)


def finished(steps: Generator[float, None, T]) -> T:
    """What a job returns that yields its progress, run to its end at once."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def fill_steps(obj: Object, frame_end: int) -> Generator[float, None, Member]:
    """Fill up to a frame, yielding the share done; the character's member at the end. Fails as a whole.

    Falls that are not recorded, or not any more, are computed and recorded.
    """
    scene, uid = scene_of(obj), obj.session_uid
    with LiveFalls(frame_end) as live:
        yield from live_steps(uid, scene.name, frame_end, live)
        live.keep()
    return member_of(needed_cast(scene_of(_there(uid)), _there(uid)), uid)


def live_steps(uid: int, scene_name: str, frame_end: int, live: LiveFalls) -> Generator[float, None, None]:
    """Fill up to a frame with falls that are computed along, yielding the share done."""
    total = 0
    while True:
        scene = bpy.data.scenes.get(scene_name)
        if scene is None or live.is_undone:
            raise RefusedError(text("fall_undone" if live.is_undone else "gone"))
        cast = needed_cast(scene, _there(uid))
        live.prepare(scene, cast)
        missing = missing_frames(cast, frame_end)
        total = max(total, missing)
        if missing <= 0:
            return
        fill(scene, cast, min(frame_end, frame_end - missing + CHUNK), strict=True, live=live)
        yield max(0.0, 1.0 - missing_frames(cast, frame_end) / total)


def _there(uid: int) -> Object:
    found = by_uid(uid)
    if found is None:
        raise RefusedError(text("gone"))
    return found


def simulate_steps(obj: Object, frame_end: int) -> Generator[float, None, int]:
    """Compute all frames up to `frame_end`; returns the last known frame."""
    member = yield from fill_steps(obj, frame_end)
    redraw_panels()
    return max(frame_end, member.first)
