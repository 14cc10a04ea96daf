"""One press: the motion of an armature or of empties on another armature, as an Action of its own, with planted feet.

The source is read as it is shown and the target by its rest pose; neither is changed but for the new Action.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import bpy
import numpy as np
from bpy.types import Action, Object

from ..core.motion.carriers import under
from ..core.motion.clip import Clip
from ..core.motion.clip_pose import meant_floor
from ..core.retarget.config import RetargetConfig
from ..core.retarget.mapping import SavedMapping
from ..core.retarget.report import RetargetError
from ..core.retarget.rest_matching import Reference
from ..core.retarget.retarget import Retargeted, retarget_clip
from ..core.rig.pose import Ground
from .action_names import on_target
from .action_writing import ActionOptions, TravelCarrier, Written, write_clip
from .clip_sampling import ClipSampler
from .keyed_values import curve_time
from .motion import FrameRange, Motion
from .motion_source import motion_steps
from .present_pose import PresentPose, present_pose
from .refusal import RefusedError, why_not_armature
from .retarget_notes import notes_of
from .retarget_result import RetargetResult, keep_result
from .rig_reading import place_of
from .rigify.writer import LimbControls
from .saved_mappings import found_for_pair
from .scene_units import metres_per_unit
from .simulate import finished
from .target_reading import TargetReading, target_reading
from .texts import text
from .travel_writing import ground_matrix


@dataclass(frozen=True)
class RetargetOptions:
    """What is moved, and how.

    frame_range: the source's first and last frame, each None for its motion's own. reference: whether both rigs are
    alike by their rest poses, or as they are posed now. place: TARGET starts where the target stands, on its own floor
    and facing as it does; SOURCE goes over the source's own way in the scene. travel: who carries it, limbs: by which
    controls of a control rig, see `ActionOptions`.
    name: of the Action ("": the source's with the target's name). action, slot: an Action of the source that need not
    be on it; by default what it shows. assign: the target gets the new Action.
    """

    config: RetargetConfig = field(default_factory=RetargetConfig)
    frame_range: FrameRange | None = None
    reference: Literal["REST", "CURRENT_POSE"] = "REST"
    place: Literal["TARGET", "SOURCE"] = "TARGET"
    travel: TravelCarrier = "AUTO"
    limbs: LimbControls = "AUTO"
    name: str = ""
    action: Action | None = None
    slot: str = ""
    step: int = 1
    tolerance: float = 0.0
    assign: bool = True


class _Poses(NamedTuple):
    """Both rigs as they were posed when the button was pressed."""

    source: PresentPose
    target: PresentPose


class _Given(NamedTuple):
    """What was set by hand: poses that are alike, the mapping of the pair; and the target, if it was read before."""

    poses: _Poses | None
    mapping: SavedMapping | None
    target: TargetReading | None = None


def retarget(source: Object | None, target: Object | None, options: RetargetOptions | None = None) -> RetargetResult:
    """Move a motion at once: for scripts. Raises RefusedError before anything is changed."""
    return finished(retarget_steps(source, target, options or RetargetOptions()))


def retarget_steps(
    source: Object | None, target: Object | None, options: RetargetOptions
) -> Generator[float, None, RetargetResult]:
    """The same in steps, yielding the share done; nothing is changed before the last one."""
    check(source, target)
    metres = metres_per_unit(bpy.context.scene)
    poses = None
    if options.reference == "CURRENT_POSE":
        poses = _Poses(present_pose(source, metres), present_pose(target, metres))
    steps = motion_steps(source, options.action, options.slot, options.frame_range)
    return _steps(steps, target.session_uid, options, _Given(poses, found_for_pair(target, source)), metres)


def motion_retarget_steps(
    reading_source: Generator[float, None, Motion],
    source: Object,
    target: tuple[Object, TargetReading],
    options: RetargetOptions,
) -> Generator[float, None, RetargetResult]:
    """A motion of a source on a target, both read by the caller, by the rest poses of both."""
    obj, reading = target
    given = _Given(None, found_for_pair(obj, source), reading)
    return _steps(reading_source, obj.session_uid, options, given, metres_per_unit(bpy.context.scene))


def check(source: Object | None, target: Object | None) -> None:
    """Refuse a pair of which neither can be the other's motion."""
    reason = why_not_armature(target)
    if reason:
        raise RefusedError(reason)
    if source is None:
        raise RefusedError(text("retarget_no_source", name=target.name))
    if source == target:
        raise RefusedError(text("retarget_itself", name=target.name))
    animation = target.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise RefusedError(text("tweak_mode", name=target.name))


def _steps(
    reading_source: Generator[float, None, Motion],
    uid: int,
    options: RetargetOptions,
    given: _Given,
    metres: float,
) -> Generator[float, None, RetargetResult]:
    motion = yield from reading_source
    target = next((obj for obj in bpy.data.objects if obj.session_uid == uid), None)
    if target is None:
        raise RefusedError(text("gone"))
    found = given.target or read_target(target, metres)
    reading = found.reading
    clip = motion.clip
    if options.place == "TARGET" and any(motion.start):
        clip = under(clip, _frame(motion)[None])
    poses = given.poses
    reference = _reference(poses, motion, found, target, options.place) if poses is not None else None
    try:
        done = retarget_clip(clip, reading.rig, options.config, reference, given.mapping)
    except RetargetError as error:
        raise RefusedError(text("retarget_refused", name=motion.name, reason=error)) from error
    notes = notes_of(clip, done, options.config)
    if given.mapping is not None:
        notes.append(text("mapping_used", mapping=given.mapping.name))
    if target.surefoot.preview and options.assign:
        notes.append(text("retarget_preview_off", name=target.name))
    written = _write(target, found, motion, done, options)
    result = _result(target, motion, done, written, notes)
    keep_result(bpy.data.actions[written.action], result)
    return result


def read_target(target: Object, metres: float) -> TargetReading:
    """The target as its rest pose and its user's corrections say; refused where it cannot stand."""
    found = target_reading(target, metres)
    rig, blocking = found.reading.rig, found.reading.blocking
    # Without legs it cannot walk, but it can be moved; not so where its object is scaled so that nothing fits.
    can_move = len(rig.skeleton) and (not rig.legs or rig.leg_length > 0.0)
    reason = next(iter(found.refusals if can_move else (*blocking, *found.refusals)), None)
    if reason is not None:
        raise RefusedError(text("retarget_target", name=target.name, reason=reason))
    return found


def _frame(motion: Motion) -> np.ndarray:
    """Where the source's model space stands in the scene, (4, 4), metres."""
    return ground_matrix(Ground(*motion.start))


def _reference(poses: _Poses, motion: Motion, found: TargetReading, target: Object, place: str) -> Reference:
    """Both present poses, each in the space that its clip is in."""
    theirs = motion.turn @ poses.source.moved(motion.clip.rig, motion.unrest)
    ours = poses.target.moved(found.reading.rig, ClipSampler(target, found.reading).unrest)
    if place == "TARGET":
        stands = ground_matrix(Ground(*place_of(poses.target.world, found.own)))
        theirs, ours = np.linalg.inv(_frame(motion)) @ theirs, np.linalg.inv(stands) @ ours
    return Reference(theirs, ours)


def _write(target: Object, found: TargetReading, motion: Motion, done: Retargeted, options: RetargetOptions) -> Written:
    """The clip as an Action, its first frame at the source's."""
    clip = done.clip
    if options.place == "TARGET":
        clip = _on_own_floor(motion, done)
    unit = curve_time(bpy.context.scene, 1.0)
    actions = ActionOptions(
        name=options.name or on_target(motion.action or motion.name, target.name, motion.name if motion.action else ""),
        frame_start=motion.frame_start / unit,
        step=options.step,
        tolerance=options.tolerance,
        travel=options.travel,
        limbs=options.limbs,
        space="OBJECT" if options.place == "TARGET" else "WORLD",
        assign=options.assign,
    )
    return write_clip(target, found.own, clip, done.driven, actions, found.turn)


def _on_own_floor(motion: Motion, done: Retargeted) -> Clip:
    """The clip on the floor of its own rest pose, where the source is on that which it is meant to stand on.

    That is the one at its object's origin, or the scene's, or that of its rest pose, if it stands near to one; how much
    it stands over or under it is left to it.
    """
    clip, source, ground = done.clip, motion.clip.rig, done.report.floor
    meant = meant_floor(ground, (0.0, -motion.start.z, source.floor), clip.rig.leg_length)
    if clip.rig.floor == meant:
        return clip
    moved = clip.moved.copy(order="K")
    moved[..., 2, 3] += clip.rig.floor - meant
    return replace(clip, moved=moved)


def _result(target: Object, motion: Motion, done: Retargeted, written: Written, notes: list[str]) -> RetargetResult:
    report = done.report
    return RetargetResult(
        action=written.action,
        source=motion.name,
        target=target.name,
        source_action=motion.action,
        frames=written.frames,
        frame_start=motion.frame_start,
        fps=motion.fps,
        matched=report.matched,
        stayed=report.stayed,
        unused=report.unused,
        coverage=report.followed,
        ratio=report.ratio,
        feet=report.feet.feet if report.feet is not None else (),
        notes=tuple(dict.fromkeys((*notes, *motion.problems, *written.notes))),
        problems=tuple(dict.fromkeys(str(problem) for problem in report.problems)),
    )
