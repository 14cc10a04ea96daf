"""Feet of any Action held where they stand: a new Action beside it, in which only what has to change does."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import bpy
import numpy as np
from bpy.types import Action, Object

from ..core.motion.clip import Clip
from ..core.retarget.clean_feet import FeetReport, FootReport
from ..core.retarget.clean_feet import clean_feet as cleaned_clip
from ..core.retarget.feet_config import CleanFeetConfig
from ..core.rig.rig import Rig
from .action_names import cleaned
from .action_sampling import slot_of, times_of
from .action_writing import ActionOptions
from .clean_feet_controls import written_on_controls
from .known_action import played_action
from .motion import Motion, listed
from .motion_ranges import played_on
from .motion_source import motion_steps
from .own_channels import changes_between, write_changes
from .pose_writing import is_control_rig
from .refusal import RefusedError, why_not_armature
from .rig_reading import Reading, read_rig
from .saved_mappings import corrections_of
from .saved_state import assign, channelbag_of, curves_of, keep_action
from .scene_units import metres_per_unit
from .simulate import finished
from .texts import text

UNREACHED = 0.003
"""What a foot misses its hold by is said from here on, metres for a 0.9 m leg."""
STILL_SLIDES = 0.005
"""A foot that slides by more while it stands is said, metres for a 0.9 m leg."""


@dataclass(frozen=True)
class CleanOptions:
    """feet: roles of the feet that are held, None for all. name: of the new Action ("": after the old one).

    replace: change the Action itself instead of making a new one.
    """

    config: CleanFeetConfig = field(default_factory=CleanFeetConfig)
    feet: frozenset[str] | None = None
    name: str = ""
    replace: bool = False


@dataclass(frozen=True)
class CleanedFeet:
    """action: the Action that was written, "" where nothing had to change; curves: how many of it changed.

    report: what was done to each foot, and the floor that was found. notes: in sentences, what to know.
    """

    action: str
    curves: int
    report: FeetReport
    notes: tuple[str, ...]


def clean_feet(
    obj: Object, action: Action | None = None, slot: str = "", options: CleanOptions | None = None
) -> CleanedFeet:
    """Hold the feet of an Action at once: for scripts. By default it is the Action that the armature plays."""
    return finished(clean_feet_steps(obj, action, slot, options))


def clean_feet_steps(
    obj: Object, action: Action | None = None, slot: str = "", options: CleanOptions | None = None
) -> Generator[float, None, CleanedFeet]:
    """The same in steps, yielding the share done; refusals are raised, and nothing is changed before the last step."""
    options = options or CleanOptions()
    take = _take(obj, action, slot, options)
    motion = yield from motion_steps(obj, None if take.shown else take.action, take.identifier, take.range)
    reading = _usable(obj, motion, options)
    held, report = cleaned_clip(motion.clip, options.config, feet=options.feet)
    notes = (*motion.problems, *_notes(reading.rig, report, options))
    clips = (motion.clip, held)
    if is_control_rig(obj, reading):
        action, curves, more = _by_controls(obj, reading, take, clips, options)
    else:
        action, curves, more = _by_channels(obj, reading, take, clips, options)
    return CleanedFeet(action, curves, report, tuple(dict.fromkeys((*notes, *more))))


class _Take(NamedTuple):
    """The Action and slot to clean, the frames of its keys, and whether the armature plays nothing else."""

    action: Action
    identifier: str
    bag: Any
    range: tuple[float, float]
    shown: bool


def _take(obj: Object, action: Action | None, slot: str, options: CleanOptions) -> _Take:
    reason = why_not_armature(obj)
    if reason:
        raise RefusedError(reason)
    animation, playing = obj.animation_data, played_action(obj)
    action = action or playing
    if action is None:
        raise RefusedError(text("clean_no_action", name=obj.name))
    if options.replace and action.library is not None:
        raise RefusedError(text("clean_linked", action=action.name))
    used = animation.action_slot if playing == action else None
    chosen = used if used is not None and slot in ("", used.identifier) else slot_of(obj, action, slot)
    bag = channelbag_of(action, chosen)
    ranges = [curve.range() for curve in bag.fcurves if len(curve.keyframe_points)] if bag is not None else []
    if not ranges:
        raise RefusedError(text("clean_no_keys", action=action.name))
    whole = played_on(obj)
    shown = used == chosen and whole.is_whole and animation.action_influence == 1.0
    shown = shown and animation.action_blend_type == "REPLACE"
    frames = min(first for first, _ in ranges), max(last for _, last in ranges)
    return _Take(action, chosen.identifier, bag, frames, shown)


def _usable(obj: Object, motion: Motion, options: CleanOptions) -> Any:
    """The reading, if it has feet to hold and can be written."""
    reading = motion.reading
    if np.linalg.det(np.array(reading.canonical)[:3, :3]) < 0.0:
        raise RefusedError(text("clean_mirrored", name=obj.name))
    roles = [leg.role for leg in reading.rig.legs]
    if not roles:
        reason = next((str(problem) for problem in reading.rig.problems), "")
        raise RefusedError(text("no_feet", name=obj.name, reason=reason))
    unknown = sorted((options.feet or frozenset()) - set(roles))
    if unknown:
        raise RefusedError(text("clean_unknown_feet", name=obj.name, feet=", ".join(unknown), known=", ".join(roles)))
    return reading


def _notes(rig: Rig, report: FeetReport, options: CleanOptions) -> list[str]:
    """Why something was not held, in sentences; no foot is left out silently."""
    notes = []
    for leg, foot in zip(rig.legs, report.feet, strict=False):
        if options.feet is not None and leg.role not in options.feet:
            continue
        if leg.foot < 0:
            notes.append(text("clean_no_foot_bone", role=leg.role))
        if not foot.contacts:
            notes.append(text("clean_never_stands", role=leg.role))
            continue
        if foot.slide_after > STILL_SLIDES * rig.leg_length / 0.9:
            notes.append(text("clean_still_slides", role=leg.role, slide=1000.0 * foot.slide_after))
        if foot.unreached > UNREACHED * rig.leg_length / 0.9:
            notes.append(text("clean_unreached", role=leg.role, missed=1000.0 * foot.unreached))
    if options.feet is not None and not options.feet:
        notes.append(text("clean_all_off"))
    elif not report.feet:
        notes.append(text("clean_too_short"))
    return notes


Outcome = tuple[str, int, tuple[str, ...]]
"""The Action that was written ("": none), how many of its curves changed, and what to know, in sentences."""


def _by_channels(
    obj: Object, reading: Reading, take: _Take, clips: tuple[Clip, Clip], options: CleanOptions
) -> Outcome:
    """The change in the channels of the bones themselves."""
    times, posed = times_of(*take.range), obj if take.shown else None
    changed = changes_between(obj, reading, list(take.bag.fcurves), times, clips, posed)
    if changed.others:
        raise RefusedError(text("clean_moved_otherwise", name=obj.name, bones=listed(list(changed.others))))
    if not changed.changes:
        return "", 0, changed.problems
    return _written(obj, take, changed.changes, options), len(changed.changes), changed.problems


def _by_controls(
    obj: Object, reading: Reading, take: _Take, clips: tuple[Clip, Clip], options: CleanOptions
) -> Outcome:
    """The change on the controls of a generated rig; always in a new Action."""
    if options.replace:
        raise RefusedError(text("clean_controls_replace", name=obj.name))
    name = options.name or cleaned(take.action.name, text("clean_name"))
    asked = ActionOptions(name=name, assign=played_action(obj) == take.action)
    former = (take.action, take.identifier)
    written = written_on_controls(obj, reading, former, clips, times_of(*take.range), asked)
    if written is None:
        return "", 0, ()
    made = bpy.data.actions[written.action]
    return written.action, len(curves_of(made, made.slots[0])), written.notes


def _written(obj: Object, take: _Take, changes: Any, options: CleanOptions) -> str:
    """The changes in the Action, or in a new one beside it that the armature plays if it played the former."""
    action = take.action
    if not options.replace:
        action = take.action.copy()
        action.name = options.name or cleaned(take.action.name, text("clean_name"))
        if action.asset_data is not None:
            action.asset_clear()
        action.use_fake_user = False
    slot = next(item for item in action.slots if item.identifier == take.identifier)
    write_changes(channelbag_of(action, slot), changes)
    if options.replace:
        return action.name
    if played_action(obj) == take.action:
        assign(obj, action, take.identifier)
        keep_action(take.action)
    else:
        action.use_fake_user = True
    return action.name


def feet_of(obj: Object) -> list[str]:
    """The roles of the feet that are understood of an armature."""
    reading = read_rig(obj, None, corrections_of(obj), metres_per_unit(bpy.context.scene))
    return [leg.role for leg in reading.rig.legs]


def told_feet(name: str, result: CleanedFeet) -> str:
    """What was done, in a sentence."""
    feet = ", ".join(told_foot(foot) for foot in result.report.feet)
    if not result.action:
        return text("cleaned_nothing", name=name, feet=feet)
    return text("cleaned", name=name, action=result.action, curves=result.curves, feet=feet)


def told_foot(foot: FootReport) -> str:
    """How far a foot slid and slides."""
    before, after = 1000.0 * foot.slide_before, 1000.0 * foot.slide_after
    return text("cleaned_foot", role=foot.role, before=before, after=after, contacts=foot.contacts)


class Last:
    """Whose feet were cleaned last, and what came of it: for the panel, as long as Blender runs."""

    uid = 0
    result: CleanedFeet | None = None


def keep_cleaned(uid: int, result: CleanedFeet) -> None:
    """Show this in the panel."""
    Last.uid, Last.result = uid, result


def cleaned_last(obj: Object) -> CleanedFeet | None:
    """What the last clean-up did, if it was of this armature."""
    return Last.result if Last.uid == obj.session_uid else None


def unregister() -> None:
    """Forget it."""
    Last.uid, Last.result = 0, None
