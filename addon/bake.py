"""Bake: the previewed motion as an ordinary Action, keyed in bulk; nothing else in the file changes."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from bpy.types import Action, FCurve, Object, Scene

from ..core.character import driven_bones
from ..core.measure.contacts import Contacts
from .action_beside import action_beside, new_action
from .bake_record import Record, planned, read_record, write_record
from .changes import hints
from .filling import fill
from .frame_cache import Snapshot
from .key_reduction import reduce_keys
from .keyed_values import curve_time
from .members import Member
from .order import absence
from .performers import Performer, travel_of
from .pose_writing import make_writer
from .preview import unfit
from .problems import tell
from .refusal import RefusedError
from .review import review
from .saved_state import START_KEY, assign, channelbag_of, columns_of, curves_of, keep_action, start_of
from .simulate import fill_steps, finished, member_of, needed_cast, scene_of
from .texts import text
from .unplayed import unplayed_curves, why_not_played

FALL_EVENTS = ("hit", "fell", "recovered", "stood_up")


@dataclass(frozen=True)
class BakeOptions:
    """What to bake. `travel` is "" for the character's own setting; `tolerance` 0 keeps every key."""

    frame_start: int
    frame_end: int
    step: int = 1
    travel: str = ""
    tolerance: float = 0.0
    markers: bool = False
    replace: bool = False


class Baked(NamedTuple):
    """The Action's name, how many frames it spans, how many keys it has; and, in sentences, what to know of it."""

    action: str
    frames: int
    keys: int
    notes: tuple[str, ...] = ()


def bake(obj: Object, options: BakeOptions) -> Baked:
    """Bake a character at once: for scripts."""
    return finished(bake_steps(obj, options))


def bake_steps(obj: Object, options: BakeOptions) -> Generator[float, None, Baked]:
    """Fill all frames, yielding the share done; then write in one go. Refuses before anything is changed."""
    scene = scene_of(obj)
    _check(obj, scene, options)
    _look_again(obj, scene)
    member = yield from fill_steps(obj, options.frame_end)
    snapshots = _snapshots(scene, member, options)
    writer, rows = _rows(member, options, snapshots)
    notes = _notes(member, writer)
    baked = _write(member.obj, scene, options, writer, snapshots, rows)
    return baked._replace(notes=(*notes, *baked.notes))


def _check(obj: Object, scene: Scene, options: BakeOptions) -> None:
    if options.frame_end < options.frame_start:
        raise RefusedError(text("bad_range", start=options.frame_start, end=options.frame_end))
    if options.step < 1:
        raise RefusedError(text("bad_step"))
    animation = obj.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise RefusedError(text("tweak_mode", name=obj.name))
    reason = absence(obj, scene)
    if reason:
        tell(obj, reason)
        raise RefusedError(reason)


def _look_again(obj: Object, scene: Scene) -> None:
    """Constraints, locks and drivers may have come since set-up: what is written, and what is listed, follows."""
    hints.rigs = True
    review(obj, member_of(needed_cast(scene, obj), obj.session_uid).performer, scene)


def _snapshots(scene: Scene, member: Member, options: BakeOptions) -> list[Snapshot]:
    """Every frame of the range; frames before the first one show the start."""
    cache, found = member.performer.cache, []
    for number in range(options.frame_start, options.frame_end + 1):
        wanted = max(number, member.first)
        snapshot = cache.get(wanted)
        if snapshot is None:
            fill(scene, [member], wanted, strict=True)
            snapshot = cache.get(wanted)
        found.append(snapshot)
    return found


def _rows(member: Member, options: BakeOptions, snapshots: list[Snapshot]) -> tuple[Any, np.ndarray]:
    """The writer and one row of channel values a frame."""
    performer, obj = member.performer, member.obj
    travel = travel_of(obj, performer.reading.rig, options.travel)
    if travel == performer.writer.travel:
        return performer.writer, np.array([snapshot.row for snapshot in snapshots])
    if obj.parent is not None:
        raise RefusedError(text("travel_parented", name=obj.name))
    if travel == "ROOT_BONE" and performer.reading.rig.root < 0:
        raise RefusedError(text("no_root", name=obj.name))
    return _rows_anew(obj, performer, travel, snapshots)


def _rows_anew(obj: Object, performer: Performer, travel: str, snapshots: list[Snapshot]) -> tuple[Any, np.ndarray]:
    """The same poses with their travel carried by something else."""
    writer = make_writer(obj, performer.reading, driven_bones(performer.character), travel)
    frame = np.identity(4) if travel == "OBJECT" else np.array(start_of(obj), dtype=np.float64)
    rows: list[np.ndarray] = []
    for snapshot in snapshots:
        pose = performer.pose_of(snapshot)
        rows.append(writer.row(pose, rows[-1] if rows else None, frame))
    return writer, np.array(rows)


def _notes(member: Member, writer: Any) -> tuple[str, ...]:
    """What of rig and settings changes what is baked: all that is listed but what set-up did not understand."""
    performer = member.performer
    understood = {str(problem) for problem in performer.reading.problems}
    listed = [line.text for line in member.obj.surefoot.problems if not line.passing and line.text not in understood]
    other = [] if writer is performer.writer else [str(problem) for problem in writer.problems]
    return tuple(dict.fromkeys((*listed, *other, *unfit(member.obj, performer, scene_of(member.obj)))))


def _write(
    obj: Object, scene: Scene, options: BakeOptions, writer: Any, snapshots: list[Snapshot], rows: np.ndarray
) -> Baked:
    """The Action with its keys, on the rig; the preview is off afterwards."""
    start = columns_of(start_of(obj))
    if obj.surefoot.preview:
        obj.surefoot.preview = False
    # Only now it is the rig's own again: a preview sets an Action aside that holds nothing but what Surefoot drives.
    former = obj.animation_data.action if obj.animation_data is not None else None
    numbers = np.arange(options.frame_start, options.frame_end + 1)
    keyed = (numbers - options.frame_start) % options.step == 0
    keyed[-1] = True
    action, slot = _action_for(obj, options, writer)
    bag = channelbag_of(action, slot)
    unplayed = unplayed_curves(obj, list(bag.fcurves))
    writer.write_keys(bag, curve_time(scene, numbers[keyed].astype(np.float64)), rows[keyed])
    channels = sorted(writer.owned)
    moved = [bag.fcurves.find(item.data_path, index=item.index) for item in writer.channels]
    keys = reduce_keys(moved, options.tolerance)
    fps = scene.render.fps / scene.render.fps_base
    contacts = planned([snapshot.frame.feet for snapshot in snapshots], options.frame_start, fps)
    memory = snapshots[0].memory
    was_planned = memory.clip is None and memory.follow is None
    first, last = options.frame_start, options.frame_end
    write_record(action, Record(obj.name, fps, first, last, tuple(channels), contacts, was_planned))
    action[START_KEY] = start
    if options.markers:
        _mark(action, contacts, scene)
        _mark_falls(action, snapshots, numbers, scene)
    assign(obj, action, slot.identifier)
    if former is not None:
        keep_action(former)
    notes = tuple(note for note in (unplayed, why_not_played(obj)) if note)
    return Baked(action.name, len(numbers), keys, notes)


def _action_for(obj: Object, options: BakeOptions, writer: Any) -> tuple[Action, Any]:
    """A new Action with a copy of all curves of the rig's present one that are not driven; or our last one, emptied."""
    animation = obj.animation_data
    former = animation.action if animation is not None else None
    slot = animation.action_slot if former is not None else None
    if former is None or slot is None or not curves_of(former, slot):
        return new_action(obj, text("action_name", name=obj.name))
    record = read_record(former)
    driven = set(writer.owned)
    if record is not None:
        driven |= set(record.channels)

    def is_driven(curve: FCurve) -> bool:
        return (curve.data_path, curve.array_index) in driven

    if record is not None and options.replace and former.library is None and not is_played(obj, former):
        action, own = former, slot
        bag = channelbag_of(action, own)
        for curve in [item for item in bag.fcurves if is_driven(item)]:
            bag.fcurves.remove(curve)
    else:
        action, own = action_beside(former, slot.identifier, text("action_name", name=obj.name), is_driven)
    if record is not None:
        for marker in [item for item in action.pose_markers if item.name in _marker_names(record)]:
            action.pose_markers.remove(marker)
    return action, own


def is_played(obj: Object, action: Action) -> bool:
    """True for an Action that a character plays, as its base motion or on a layer: it has to stay as it is."""
    settings = obj.surefoot
    played = [settings.clip] if settings.base == "CLIP" else []
    return action in [*played, *(layer.action for layer in settings.layers)]


def _marker_names(record: Record) -> set[str]:
    feet = {text(key, foot=role) for role in record.contacts for key in ("marker_landing", "marker_lift_off")}
    return feet | {text(f"marker_{name}") for name in FALL_EVENTS}


def _mark(action: Action, contacts: dict[str, Contacts], scene: Scene) -> None:
    """A pose marker at each landing and lift-off, at the first frame on the ground and the first off it."""
    for role, item in contacts.items():
        for span in item.foot:
            for key, moment in (("marker_landing", span.start), ("marker_lift_off", span.end)):
                action.pose_markers.new(text(key, foot=role)).frame = round(curve_time(scene, ceil(moment)))


def _mark_falls(action: Action, snapshots: list[Snapshot], numbers: np.ndarray, scene: Scene) -> None:
    """A pose marker where something hits it, where it falls, where it stands again or keeps its feet."""
    for number, snapshot in zip(numbers.tolist(), snapshots, strict=True):
        for name in dict.fromkeys(name.lower() for name, _ in snapshot.frame.events):
            if name in FALL_EVENTS:
                action.pose_markers.new(text(f"marker_{name}")).frame = round(curve_time(scene, number))
