"""Filling the cache: frames that nobody showed are ticked here, in the order of who follows whom.

Where everything that the characters read can be known without Blender's evaluation, frames are ticked plainly. Where
not, the timeline is walked frame by frame with our handlers standing aside. Which of the two follows from what the
inputs are, never from what happens to be shown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from time import perf_counter

from bpy.types import Scene

from .changes import Walk
from .fall_check import check_start
from .fall_live import LiveFalls
from .frame_cache import Snapshot
from .members import Member
from .refusal import RefusedError
from .scenery import Scenery
from .texts import text
from .ticking import ticked
from .validity import check_leaders

log = logging.getLogger(__name__)


def fill(
    scene: Scene,
    cast: Sequence[Member],
    frame: int,
    *,
    strict: bool = False,
    enough: Callable[[], bool] | None = None,
    live: LiveFalls | None = None,
) -> None:
    """Tick every member up to `frame`. A member that fails is stopped; `strict` refuses the whole job instead.

    `enough` is asked after each whole frame and ends the work there; going on from it gives the same frames. With
    `live` falls physics is run where it is asked for and not recorded; without, a record is played as far as it holds.
    """
    while _is_lost(scene, cast, frame, strict, enough, live):
        # A record did not hold: who follows what was shown by it does not either.
        check_leaders(cast)


def _is_lost(
    scene: Scene,
    cast: Sequence[Member],
    frame: int,
    strict: bool,
    enough: Callable[[], bool] | None,
    live: LiveFalls | None,
) -> bool:
    """Fill; True where frames that were known are none any more, so that it has to be done anew from there."""
    members = [member for member in cast if not member.performer.failed]
    spans = [(member, _missing(member, goal), goal) for member, goal in _goals(members, frame)]
    numbers = sorted({number for _, begin, goal in spans for number in range(begin, goal + 1)})
    if not numbers:
        return False
    scenery = Scenery(scene, members, walks=live is not None and live.walks(scene))
    kept = None if scenery.still else (scene.frame_current, scene.frame_subframe)
    outer, Walk.busy = Walk.busy, True
    try:
        for number in numbers:
            scenery.come_from(number - 1)
            scenery.enter(number)
            for member, begin, goal in spans:
                if number <= goal and not _step(scenery, member, number, strict, live) and number >= begin:
                    return True
            if enough is not None and enough():
                return False
    finally:
        # A timeline that was walked is put back, while our handlers still stand aside.
        if kept is not None and (scene.frame_current, scene.frame_subframe) != kept:
            scene.frame_set(kept[0], subframe=kept[1])
        Walk.busy = outer
    return False


def still_only(scene: Scene, cast: Sequence[Member]) -> bool:
    """True where no frame has to be evaluated by Blender to be ticked."""
    return Scenery(scene, [member for member in cast if not member.performer.failed]).still


def missing_frames(cast: Sequence[Member], frame: int) -> int:
    """How many frames the member that is furthest behind has yet to tick."""
    members = [member for member in cast if not member.performer.failed]
    return max((goal + 1 - _missing(member, goal) for member, goal in _goals(members, frame)), default=0)


def _goals(members: Sequence[Member], frame: int) -> list[tuple[Member, int]]:
    """How far each member has to be known, that `frame` can be shown: its start at least, what followers need, a fall
    that is recorded to its end. No further than it is known how a fall goes on.
    """
    while (whole := max((member.performer.fall.whole(frame) for member in members), default=frame)) > frame:
        frame = whole
    goals = {member.performer.uid: max(frame, member.first) for member in members}
    for member in reversed(members):
        if member.leader is not None and member.leader[0] in goals and _missing(member, member.first) == member.first:
            goals[member.leader[0]] = max(goals[member.leader[0]], goals[member.performer.uid])
    ends: dict[int, int] = {}
    for member in members:
        uid, end = member.performer.uid, member.performer.fall.open_end
        watched = [other for other, _ in (*((member.leader,) if member.leader is not None else ()), *member.seen)]
        known = [ends[other] for other in watched if other in ends] + ([end] if end is not None else [])
        if known:
            ends[uid] = min(known)
            goals[uid] = min(goals[uid], ends[uid])
    return [(member, goals[member.performer.uid]) for member in members]


def _missing(member: Member, goal: int) -> int:
    """The first frame to tick; after `goal`, which is not before the member's start, where nothing is missing."""
    newest = member.performer.cache.newest(goal)
    return member.first if newest is None else newest + 1


def _step(scenery: Scenery, member: Member, number: int, strict: bool, live: LiveFalls | None) -> bool:
    """Tick a member's frame, if it is not known; False where what it goes on from was given up meanwhile."""
    performer = member.performer
    if performer.failed or number < member.first or performer.cache.get(number) is not None:
        return True
    began = perf_counter()
    try:
        snapshot = _snapshot(scenery, member, number, live)
    except Exception as error:
        if strict:
            raise RefusedError(text("stopped", name=performer.name, frame=number, reason=error)) from error
        performer.failed = text("stopped", name=performer.name, frame=number, reason=error)
        log.exception("%s", performer.failed)
        return True
    if snapshot is None:
        return False
    performer.costs.append(perf_counter() - began)
    performer.cache.put(number, snapshot)
    scenery.ticked(member, snapshot)
    check_start(scenery, member, number)
    if live is not None:
        live.ticked(scenery, member, number, snapshot)
    return True


def _snapshot(scenery: Scenery, member: Member, number: int, live: LiveFalls | None) -> Snapshot | None:
    performer, character = member.performer, member.performer.character
    world = scenery.world(member)
    inputs = scenery.inputs(member)
    frame = scenery.travel_frame(member)
    world.set_time(1.0)
    if number == member.first:
        memory = character.start(scenery.start(member), inputs, world)
        character.lean(memory, world, 1.0 / scenery.fps)
        return performer.snapshot(memory, inputs, None, frame, world, 0.0)
    before = performer.cache.get(number - 1)
    if live is not None and before is not None:
        inputs = live.go_on(scenery, member, number, inputs)
        before = performer.cache.get(number - 1)
    if before is None:
        return None
    memory = ticked(scenery, member, before, inputs)
    character.lean(memory, world, 1.0 / scenery.fps)
    return performer.snapshot(memory, inputs, before, frame, world, 1.0 / scenery.fps)
