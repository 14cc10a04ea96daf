"""A clip becomes an Action of its rig: new, keyed in bulk, and beside whatever else moved the rig before.

A plain rig is written as whole arrays, a control rig through its writer. Nothing else in the file changes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import bpy
import numpy as np
from bpy.types import Action, FCurve, Object

from ..core.motion.carriers import travel_of, under, way_of, with_riders, with_root
from ..core.motion.clip import Clip
from ..core.retarget.parts import mover_of
from .action_beside import action_beside, new_action
from .action_sampling import sampled
from .bake_record import KEY as BAKE_KEY
from .channel_writer import Reading
from .clip_columns import Columns, Hung, hold_at_rest, leave_what_is_driven, plain_columns
from .clip_sampling import ClipSampler
from .control_columns import control_columns
from .former_motion import WRITTEN_KEY, Former, former_of
from .key_reduction import reduce_keys
from .key_writing import write_keys
from .keyed_values import curve_time
from .object_columns import base_of, clip_frame, object_columns
from .pose_channels import REST, driven_paths
from .pose_writing import NO_SPINE_CONTROLS, is_control_rig
from .refusal import RefusedError, why_not_armature
from .rigify import is_generated
from .rigify.writer import LimbControls
from .saved_state import START_KEY, assign, channelbag_of, keep_action
from .texts import text
from .under_constraints import constrained, reconcile
from .unplayed import NAMED, unplayed_curves, why_not_played

TravelCarrier = Literal["AUTO", "OBJECT", "ROOT_BONE", "PELVIS", "IN_PLACE"]


@dataclass(frozen=True)
class ActionOptions:
    """How a clip is written.

    name: of the new Action ("": the rig's). frame_start: the scene frame of the clip's first, whole or not; the others
    follow at the clip's own rate. step: every so many frames of the clip are keyed, the last one always.
    tolerance: 0 keeps every key, else keys that straight lines replace so well are left out.

    travel: who carries the way over the ground. ROOT_BONE and OBJECT carry x, y and heading of the net travel, or the
    `way` (F, 4, 4) that is given; PELVIS leaves all of it on the body; IN_PLACE takes it out. AUTO is the root bone
    where the rig has one, else the pelvis.
    space: what the clip's world is. OBJECT: the place where the armature object stands and faces, so that how it is
    turned and scaled in the scene does not touch its bones. WORLD: the scene's; the object's place is taken out.

    limbs: which controls of a control rig move arms and legs; AUTO is IK for legs and FK for arms.

    keep: the Action whose curves for everything that is not written are copied along; None for none, "PRESENT" for the
    one on the rig. keep_slot: the identifier of its slot ("": the one in use, or its first).
    assign: the rig gets the new Action; the former one stays in the file.
    """

    name: str = ""
    frame_start: float = 1.0
    step: int = 1
    tolerance: float = 0.0
    travel: TravelCarrier = "AUTO"
    way: np.ndarray | None = None
    space: Literal["OBJECT", "WORLD"] = "OBJECT"
    limbs: LimbControls = "AUTO"
    keep: Action | Literal["PRESENT"] | None = "PRESENT"
    keep_slot: str = ""
    assign: bool = True


@dataclass(frozen=True)
class Written:
    """The Action's name, how many frames of the clip it spans, how many keys it has; in sentences, what to know."""

    action: str
    frames: int
    keys: int
    notes: tuple[str, ...] = ()


def write_clip(
    obj: Object,
    reading: Reading,
    clip: Clip,
    driven: Sequence[int],
    options: ActionOptions | None = None,
    turn: np.ndarray | None = None,
) -> Written:
    """Write a clip on `reading.rig` as a new Action of its armature object; `driven` are the bones that it moves.

    turn: (4, 4), where the clip is on a rig of the same bones whose rest pose this makes of the reading's.

    Refuses before anything is changed. Bones that are not driven keep what moved them before; those between driven ones
    are reckoned with as they are.
    """
    options = options or ActionOptions()
    _check(obj, reading, clip, options)
    if options.assign and obj.surefoot.preview:
        obj.surefoot.preview = False
    job = _job(obj, reading, clip, options, turn)
    pose = _posed(job, driven)
    columns = _columns(job, pose)
    action, slot = _action_for(job, columns)
    columns = _write(action, slot, columns, job)
    if not pose.controls:
        columns = _reconciled(job, pose, action, slot, columns)
    keys = _counted(action, slot, columns, options.tolerance)
    notes = [str(problem) for problem in columns.problems]
    notes += [_kept(job, columns), unplayed_curves(obj, list(channelbag_of(action, slot).fcurves))]
    if options.assign:
        _assign(obj, action, slot)
        notes.append(why_not_played(obj))
    else:
        action.use_fake_user = True
    return Written(action.name, len(clip), keys, tuple(dict.fromkeys(note for note in notes if note)))


def carrier_of_travel(reading: Reading, wanted: TravelCarrier) -> TravelCarrier:
    """Who carries the travel of a rig when this is asked for; never "AUTO"."""
    if wanted == "AUTO":
        return "ROOT_BONE" if reading.rig.root >= 0 else "PELVIS"
    return wanted


def _check(obj: Object, reading: Reading, clip: Clip, options: ActionOptions) -> None:
    reason = why_not_armature(obj)
    if reason:
        raise RefusedError(reason)
    animation = obj.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise RefusedError(text("tweak_mode", name=obj.name))
    if options.step < 1:
        raise RefusedError(text("bad_step"))
    if options.travel == "ROOT_BONE" and reading.rig.root < 0:
        raise RefusedError(text("no_root", name=obj.name))
    if is_generated(obj) and not is_control_rig(obj, reading):
        raise RefusedError(str(NO_SPINE_CONTROLS))
    if not len(clip):
        raise RefusedError(text("write_no_frames", name=obj.name))
    bones = clip.rig.skeleton.bones
    if [bone.name for bone in bones] != [bone.name for bone in reading.rig.skeleton.bones]:
        raise ValueError(f"The clip is not on the bones that were read of {obj.name}.")
    missing = next((bone.name for bone in bones if bone.name not in obj.pose.bones), None)
    if missing is not None:
        raise RefusedError(text("write_bone_gone", name=obj.name, bone=missing))
    wrong = np.argwhere(~np.isfinite(clip.moved).all(axis=(2, 3)))
    if len(wrong):
        raise RefusedError(text("write_no_number", bone=bones[wrong[0][1]].name, frame=int(wrong[0][0])))


def _chosen(count: int, step: int) -> np.ndarray:
    """The frames of a clip that are keyed; always the last one."""
    return np.unique(np.append(np.arange(0, count, step), count - 1))


@dataclass(frozen=True)
class _Job:
    """What is written where: frames of the clip and their curve times, what was there, where the object begins.

    way: what a carrier does at the chosen frames, (F, 4, 4).
    """

    obj: Object
    reading: Reading
    clip: Clip
    options: ActionOptions
    carrier: TravelCarrier
    way: np.ndarray | None
    times: np.ndarray
    former: Former
    base: np.ndarray


def _job(
    obj: Object, reading: Reading, clip: Clip, options: ActionOptions, turn: np.ndarray | None
) -> _Job:
    former = former_of(obj, options.keep, options.keep_slot)
    chosen = _chosen(len(clip), options.step)
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base / clip.fps
    times = curve_time(scene, options.frame_start + chosen * rate)
    base = base_of(obj, former, float(times[0]))
    if options.space == "WORLD":
        clip = under(clip, clip_frame(obj, reading, base)[None])
    carrier = carrier_of_travel(reading, options.travel)
    way = options.way
    if way is None and carrier != "PELVIS":
        way = way_of(travel_of(clip))
    if turn is not None:
        clip = replace(clip, rig=reading.rig, moved=clip.moved @ turn)
    if len(chosen) < len(clip):
        clip = replace(clip, moved=clip.moved[chosen])
        way = way[chosen] if way is not None else None
    return _Job(obj, reading, clip, options, carrier, way, times, former, base)


class _Pose(NamedTuple):
    """What the bones are to do in the object's model space, which of them are written, and which hold still.

    clip: of a control rig whose root carries the travel, as seen from the root.
    """

    clip: Clip
    written: tuple[int, ...]
    still: frozenset[str]
    controls: bool


def _posed(job: _Job, driven: Sequence[int]) -> _Pose:
    clip, written, rig = job.clip, set(driven), job.reading.rig
    controls, by_root = is_control_rig(job.obj, job.reading), job.carrier == "ROOT_BONE"
    if job.carrier in {"OBJECT", "IN_PLACE"} or (controls and by_root):
        clip = under(clip, job.way)
    holds_root = not by_root and rig.root not in {-1, mover_of(rig)}
    if holds_root or by_root:
        clip = with_root(clip, job.way if by_root and not controls else np.identity(4))
        written.add(rig.root)
    if not controls:
        clip = with_riders(clip, written, _riders(job, written))
    if (holds_root and rig.root not in driven) or controls:
        written.discard(rig.root)
    still = frozenset({rig.skeleton.bones[rig.root].name} if holds_root else ())
    return _Pose(clip, tuple(sorted(written)), still, controls)


def _columns(job: _Job, pose: _Pose, hung: Hung | None = None) -> Columns:
    """All channels of the Action, the object's own included."""
    former = job.former
    if pose.controls:
        way = job.way if job.carrier == "ROOT_BONE" else None
        columns = control_columns(
            job.obj, job.reading, pose.clip, pose.written, way, job.options.limbs, former, job.times
        )
    else:
        columns = plain_columns(job.obj, job.reading, pose.clip, pose.written, former.animated, hung)
    for name in sorted(pose.still | former.left(columns.bones)):
        hold_at_rest(job.obj, name, columns, former.animated)
    way = job.way if job.carrier == "OBJECT" else None
    object_columns(job.obj, job.reading, job.base, way, former, columns)
    leave_what_is_driven(job.obj, columns)
    return columns


def _reconciled(job: _Job, pose: _Pose, action: Action, slot: Any, columns: Columns) -> Columns:
    """Bones that constraints act on are keyed anew until they are seen where they are meant to be."""
    moved = {curve.data_path for curve in job.former.curves()} | driven_paths(job.obj)
    acted_on = constrained(job.obj, pose.clip, pose.written, moved)
    if not acted_on:
        return columns
    latest = [columns]
    index = job.reading.rig.skeleton.index
    free = {index[slot.bone] for slot, _ in columns.moving if slot.bone and slot.name == "location"}
    located = frozenset({*free, *acted_on})

    def shown(clip: Clip, below: np.ndarray, carriers: np.ndarray) -> Clip:
        hung = Hung(carriers, located, frozenset(acted_on), below)
        latest[0] = _write(action, slot, _columns(job, pose._replace(clip=clip), hung), job)
        sampler = ClipSampler(job.obj, job.reading, still=True)
        sampled(job.obj, action, slot, sampler, job.times)
        return sampler.clip(clip.fps)

    problems = reconcile(pose.clip, acted_on, shown)
    latest[0].problems += problems
    return latest[0]


def _riders(job: _Job, written: Collection[int]) -> dict[int, np.ndarray]:
    """How bones above written ones are turned and placed that are not written."""
    skeleton = job.reading.rig.skeleton
    above = {skeleton.bones[j].name for i in written for j in skeleton.ancestors(i) if j not in written}
    found = job.former.own_turns(job.obj, above, job.times, job.reading.scale)
    return {skeleton.index[name]: matrices for name, matrices in found.items()}


def _action_for(job: _Job, columns: Columns) -> tuple[Action, Any]:
    """A new Action, with what is kept of the former one."""
    name = job.options.name or text("action_name", name=job.obj.name)
    owned = {slot.data_path for slot, _ in (*columns.moving, *columns.held)}
    bones = set(columns.bones)

    def is_written(curve: FCurve) -> bool:
        return job.former.is_replaced(curve, owned, bones)

    if job.former.action is None or all(is_written(curve) for curve in job.former.curves()):
        return new_action(job.obj, name)
    action, slot = action_beside(job.former.action, job.former.slot.identifier, name, is_written)
    for key in (BAKE_KEY, START_KEY, WRITTEN_KEY):
        if key in action:
            del action[key]
    action.use_frame_range = False
    return action, slot


def _write(action: Action, slot: Any, columns: Columns, job: _Job) -> Columns:
    """The keys, in place of those that were written before."""
    bag = channelbag_of(action, slot)
    before = set(json.loads(action.get(WRITTEN_KEY, "[]")))
    for curve in [curve for curve in bag.fcurves if curve.data_path in before]:
        bag.fcurves.remove(curve)
    channels, rows = columns.table()
    write_keys(bag, channels, job.times, rows)
    held, row = columns.constants()
    write_keys(bag, held, job.times[:1], row, "CONSTANT")
    action[WRITTEN_KEY] = json.dumps(sorted({channel.data_path for channel in (*channels, *held)}))
    action[START_KEY] = job.base.T.ravel().tolist()
    return columns


def _counted(action: Action, slot: Any, columns: Columns, tolerance: float) -> int:
    """How many keys there are, after those were left out that straight lines replace."""
    bag = channelbag_of(action, slot)
    channels, rows = columns.table()
    held = len(columns.constants()[0])
    if tolerance <= 0.0:
        return rows.size + held
    return reduce_keys([bag.fcurves.find(item.data_path, index=item.index) for item in channels], tolerance) + held


def _kept(job: _Job, columns: Columns) -> str:
    """Which bones go on moving as before, in a sentence; empty if none do."""
    kept = {bone for bone, name in job.former.animated if bone and name in REST} - set(columns.bones)
    names = [bone.name for bone in job.obj.pose.bones if bone.name in kept]
    if not names:
        return ""
    more = [text("and_more", count=len(names) - NAMED)] if len(names) > NAMED else []
    return text("write_kept", count=len(names), names=", ".join(names[:NAMED] + more))


def _assign(obj: Object, action: Action, slot: Any) -> None:
    former = obj.animation_data.action if obj.animation_data is not None else None
    assign(obj, action, slot.identifier)
    if former is not None:
        keep_action(former)
