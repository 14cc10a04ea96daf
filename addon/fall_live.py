"""Falls as they are computed: frame by frame physics and the core's tick take turns, and what comes out is recorded.

At the frame at which a hit comes, or something goes limp, the body is handed to physics as it is then. For each frame
after it the character is ticked on as if it were animated, to say where it wants its body; physics goes there from
where the body is; what it made of that is the row of the frame, with which the frame is then computed as any other.
When the body has lain still, physics ends, and rows only say that it gets up, until it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bpy.types import Object, Scene

from ..core.control.fall_row import Blow, FallRow
from ..core.control.intent import Inputs
from .changes import hints
from .fall_check import hold_again, last_two
from .fall_head import head_of
from .fall_inputs import around_at, is_small
from .fall_physics import Engine, bodies_in, engine_of, rises
from .fall_record import Run, as_text, stored, write_record
from .fall_struck import Struck, moves_bodies, places, struck_by
from .fall_track import UNREAD, said, start_digest
from .fall_wishes import Wishes, may_fall, wishes_at
from .frame_cache import Snapshot
from .keyed_values import has_plain_action
from .members import Member
from .performers import Performer, performers
from .physics_gather import Placed
from .roster import by_uid
from .scenery import Scenery, ground_of


@dataclass
class Going:
    """A run that is computed. `engine` is physics while it has the body, None while the core raises it; `hits` are
    those of the last frame that is known, `begins` how often physics has begun.
    """

    run: Run
    engine: Engine | None
    hits: tuple[Blow, ...]
    begins: int = 1


class Moved:
    """Where rigid bodies of the scene are at the frame that is entered, and were at the one before, if they move."""

    def __init__(self) -> None:
        self.frame: int | None = None
        self.before: dict[int, Placed] = {}
        self.now: dict[int, Placed] = {}

    def enter(self, scenery: Scenery, number: int) -> None:
        """A frame is entered, and evaluated if anything moves."""
        if self.frame == number or scenery.still:
            return
        self.before = self.now if self.frame == number - 1 else {}
        self.frame, self.now = number, places(scenery.scene)


class LiveFalls:
    """The falls of one job: use it as a context, and `keep` what it recorded."""

    def __init__(self, frame_end: int) -> None:
        self._end = frame_end
        self._going: dict[int, Going] = {}
        self._changed: dict[int, None] = {}
        self._moved = Moved()
        self.is_undone = False

    def __enter__(self) -> LiveFalls:
        # An undo in the middle takes what physics is made of away from under it.
        hints.before_undo.append(self._undo)
        return self

    def __exit__(self, *_: object) -> None:
        hints.before_undo.remove(self._undo)
        self._abandon_all()

    def walks(self, scene: Scene) -> bool:
        """True where the timeline has to be walked, since physics is to know where bodies of the scene are."""
        return bool(self._changed) and moves_bodies(scene)

    def prepare(self, scene: Scene, cast: list[Member]) -> None:
        """What is recorded and does not hold, or ends too early, is to be computed anew; once for each character."""
        for member in cast:
            uid, track, cache = member.performer.uid, member.performer.fall, member.performer.cache
            if uid in self._changed or not concerned(member):
                continue
            self._changed[uid] = None
            hold_again(member)
            track.live = True
            if track.runs and track.runs[-1].is_open and track.runs[-1].last < self._end:
                cache.drop_from(track.runs[-1].first)
                track.cut(track.runs[-1].first)
            _look_at_known(scene, member)

    def go_on(self, scenery: Scenery, member: Member, number: int, inputs: Inputs) -> Inputs:
        """The inputs of a frame, with what physics makes of the body then; drops frames that do not hold any more."""
        performer = member.performer
        track, going = performer.fall, self._going.get(performer.uid)
        if performer.uid not in self._changed:
            return inputs
        self._moved.enter(scenery, number)
        if track.is_stale:
            begin = min(number, track.record.runs[track.held].first)
            track.cut(begin)
            performer.cache.drop_from(begin)
        if going is not None and going.run.last != number - 1:
            self._abandon(performer)
        elif going is not None:
            row = self._row(scenery, member, number, inputs, going)
            if row is not None:
                going.run.rows.append(stored(row))
                return replace(inputs, fall=going.run.rows[-1], hits=())
            going.run.is_open = False
            self._close(performer.uid)
        return inputs

    def ticked(self, scenery: Scenery, member: Member, number: int, snapshot: Snapshot) -> None:
        """A frame is known now: what it said is kept, and where something begins at it, it does."""
        performer = member.performer
        if performer.uid not in self._changed:
            return
        track, wishes, record = performer.fall, scenery.wishes(member), performer.fall.record
        if track.is_stale:
            track.cut(number)
        if number <= record.end and record.seen:
            return
        record.begin = record.begin if record.seen else member.first
        record.seen.append(said(snapshot.inputs, wishes, around_at(scenery.world(member), number)))
        going = self._going.get(performer.uid)
        if going is not None:
            going.hits = wishes.hits
            if going.engine is None and going.run.rows and going.run.rows[-1].state == "ANIMATED":
                going.run.is_open = False
                self._close(performer.uid)
                going = None
        if going is not None or snapshot.inputs.hits:
            return
        struck = self._struck(scenery, member, snapshot) if wishes.bodies and not wishes.begins else None
        if wishes.begins or struck is not None:
            self._begin(scenery, member, number, wishes, struck)

    def keep(self) -> int:
        """Write the records to their objects; how many are others than before."""
        written = 0
        for uid in self._changed:
            obj, performer = by_uid(uid), performers.get(uid)
            if obj is None or performer is None:
                continue
            track = performer.fall
            del track.record.seen[(track.runs[-1].last - track.record.begin + 1) if track.runs else 0 :]
            track.live, track.unmade, track.text = False, None, as_text(track.record, obj.name)
            written += write_record(obj, track.text)
        for uid in list(self._going):
            self._close(uid)
        self._changed.clear()
        return written

    def _struck(self, scenery: Scenery, member: Member, snapshot: Snapshot) -> Struck | None:
        """What of the scene is about to hit a character."""
        performer, moved = member.performer, self._moved
        plan = performer.config.ragdoll
        if plan is None or not moved.before:
            return None
        bodies = bodies_in(performer, plan, performer.pose_of(snapshot))
        return struck_by(scenery.scene, plan, bodies, moved.before, moved.now, 1.0 / scenery.fps)

    def _begin(
        self, scenery: Scenery, member: Member, number: int, wishes: Wishes, struck: Struck | None = None
    ) -> None:
        """Physics takes the body over at a frame that is known."""
        performer, track = member.performer, member.performer.fall
        before, now = last_two(member, number)
        head = head_of(member, scenery.scene, scenery.world(member))
        if not track.runs:
            track.record.head = head
        run = Run(number, start_digest(head, (before, now)), is_open=True)
        engine = engine_of(scenery, member, before, now, self._moved.before, rising=False)
        if struck is not None:
            engine.strike(struck)
        track.record.runs.append(run)
        track.held = len(track.record.runs)
        self._going[performer.uid] = Going(run, engine, wishes.hits)

    def _row(self, scenery: Scenery, member: Member, number: int, inputs: Inputs, going: Going) -> FallRow | None:
        """What physics makes of the body in a frame; None where it has nothing of it from there on."""
        wishes = scenery.wishes(member)
        if going.engine is None and any(not is_small(hit) for hit in going.hits):
            before, now = last_two(member, number - 1)
            going.engine = engine_of(scenery, member, before, now, self._moved.before, rising=True)
            going.begins += 1
        if going.engine is None:
            since, before = going.run.rows[-1].since + 1.0 / scenery.fps, member.performer.cache.get(number - 1)
            if before is not None and not rises(member, before):
                return FallRow("ANIMATED", events=("stood_up",), begins=going.begins)
            return FallRow("GETTING_UP", since, begins=going.begins)
        row = going.engine.frame(scenery, member, number, inputs, going.hits, wishes)
        if row is None or not row.bodies:
            going.engine.close()
            going.engine = None
        return None if row is None else row._replace(begins=going.begins)

    def _close(self, uid: int) -> None:
        going = self._going.pop(uid, None)
        if going is not None and going.engine is not None:
            going.engine.close()

    def _abandon(self, performer: Performer) -> None:
        """A run that is not finished is given up, with all that followed from it."""
        going = self._going.get(performer.uid)
        self._close(performer.uid)
        if going is not None:
            performer.fall.cut(going.run.first)
            performer.cache.drop_from(going.run.first)

    def _undo(self) -> None:
        """A step is undone while falls are computed: there is nothing to go on from."""
        self.is_undone = self.is_undone or bool(self._changed)
        self._abandon_all()

    def _abandon_all(self) -> None:
        for uid in list(self._changed):
            performer = performers.get(uid)
            if performer is None:
                self._close(uid)
                continue
            self._abandon(performer)
            performer.fall.live, performer.fall.text = False, UNREAD
        self._changed.clear()


def may_have_fallen(obj: Object) -> bool:
    """True for a character that may fall, or has."""
    return may_fall(obj) or bool(obj.surefoot.fall_record)


def concerned(member: Member) -> bool:
    """The same, of one whose record is perhaps still on its way to the object."""
    return may_have_fallen(member.obj) or bool(member.performer.fall.record.runs)


def _look_at_known(scene: Scene, member: Member) -> None:
    """Frames that were computed without physics: what they say is kept, up to the first at which it is to begin."""
    track, cache = member.performer.fall, member.performer.cache
    record = track.record
    if not record.seen:
        record.begin = member.first
    number, plain = record.end + 1, has_plain_action(member.obj, ("surefoot",))
    plain = plain and not (member.obj.surefoot.hit_by_bodies or ground_of(member.obj, scene).is_moving)
    while plain and (snapshot := cache.get(number)) is not None:
        wishes = wishes_at(member.obj, scene, number)
        if wishes.begins or snapshot.inputs.fall is not None:
            break
        record.seen.append(said(snapshot.inputs, wishes))
        number += 1
    cache.drop_from(number)
