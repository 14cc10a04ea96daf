"""The motion of any armature, or of a hierarchy of empties, as a clip of the core.

It is what Blender shows: the current Action, NLA strips, constraints, drivers, parents, the object's own motion. A rig
that nothing but F-curves moves is read from those in bulk; any other is evaluated in a scene of its own.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any, NamedTuple

import bpy
import numpy as np
from bpy.types import Action, Depsgraph, Object
from mathutils import Matrix, Vector

from ..core.control.intent import Place
from ..core.motion.at_rate import Asked, asked_at, looked_at
from ..core.motion.rigid_motion import as_rigid
from .action_curves import is_plain, sampled_from_curves
from .action_sampling import MOST_FRAMES, playing, rate_of, slot_of, times_of
from .clip_sampling import ClipSampler
from .motion import FrameRange, Motion, fps_of, lies_by_its_axes, listed, within
from .motion_empties import empties_steps
from .motion_ranges import action_range, is_led, led_range, played_on, range_of
from .motion_scene import Stage, scene_of_their_own, show
from .refusal import RefusedError, why_not_measured
from .rig_reading import place_of
from .saved_state import channelbag_of
from .scene_units import metres_per_unit
from .simulate import finished
from .source_reading import SourceReading, read_source
from .texts import text
from .unplayed import unplayed_curves


class Told(NamedTuple):
    """What is to be read: an Action by identity (0: what is shown) with a slot by identifier, and the frames."""

    uid: int
    identifier: str
    start: float
    end: float

    @property
    def action(self) -> Action | None:
        """The Action as it is found now."""
        return next((item for item in bpy.data.actions if item.session_uid == self.uid), None)

    @property
    def slot(self) -> Any:
        """Its slot."""
        action = self.action
        return None if action is None else next(item for item in action.slots if item.identifier == self.identifier)

    def bag(self, obj: Object) -> Any:
        """The channelbag that is read; None where no Action is."""
        return channelbag_of(self.action, self.slot) if self.uid else played_on(obj).bag


class _Heard(NamedTuple):
    """What is known before a motion is sampled: whose it is, its samples a second, what plays, what is ignored."""

    name: str
    told: Told
    fps: float
    played: tuple[str, str]
    ignored: str


class Resampling(NamedTuple):
    """Another rate that a motion is wanted at: `fps`, where a second of its Actions is `factor` times as long as in the
    scene.
    """

    factor: float
    fps: float

    def asked(self, count: int, fps: float) -> Asked:
        """Where its frames lie among those that were or would be sampled."""
        return asked_at(count, self.factor * fps, self.fps)


SAME_SCALE = 1e-6
LEANS = 0.005
"""An object that leans by more (radians) at first is a pelvis, as in files whose armature object is one."""


def read_motion(
    obj: Object, action: Action | None = None, slot: str = "", frame_range: FrameRange | None = None
) -> Motion:
    """Read a motion at once. Nothing in the file is changed.

    action: one of the armature's that need not be assigned; by default what is shown is read. slot: its identifier, by
    default the one that moves most bones. frame_range: by default that of what animates the object. Raises RefusedError
    where there is nothing to read.
    """
    return finished(motion_steps(obj, action, slot, frame_range))


def motion_steps(
    obj: Object,
    action: Action | None = None,
    slot: str = "",
    frame_range: FrameRange | None = None,
    resampling: Resampling | None = None,
) -> Generator[float, None, Motion]:
    """The same in steps, yielding the share done; refusals are raised at once.

    resampling: another rate, by default about one sample a frame. Where F-curves are read, only the frames are read
    that are needed for it.
    """
    if obj is not None and obj.type != "ARMATURE":
        if action is not None:
            raise RefusedError(text("motion_action_of_empties", name=obj.name))
        return _resampled(empties_steps(obj, frame_range), resampling)
    _check(obj)
    return _armature_steps(obj, _told(obj, action, slot, frame_range), resampling)


def _resampled(
    steps: Generator[float, None, Motion], resampling: Resampling | None
) -> Generator[float, None, Motion]:
    motion = yield from steps
    return _resampled_motion(motion, resampling)


def _resampled_motion(motion: Motion, resampling: Resampling | None) -> Motion:
    if resampling is None:
        return motion
    clip = motion.clip
    return replace(motion, clip=looked_at(clip, resampling.asked(len(clip), clip.fps), resampling.fps))


def _check(obj: Object) -> None:
    reason = why_not_measured(obj)
    if reason:
        raise RefusedError(reason)
    if obj.surefoot.version > 0 and obj.surefoot.preview:
        raise RefusedError(text("motion_previewed", name=obj.name))
    animation = obj.animation_data
    if animation is not None and animation.use_tweak_mode:
        raise RefusedError(text("tweak_mode", name=obj.name))
    if obj.hide_viewport:
        raise RefusedError(text("motion_disabled", name=obj.name))


def _told(obj: Object, action: Action | None, slot: str, frame_range: FrameRange | None) -> Told:
    if action is None:
        uid, identifier, found = 0, "", _shown_range(obj)
    else:
        chosen = slot_of(obj, action, slot)
        uid, identifier = action.session_uid, chosen.identifier
        found = action_range(action, channelbag_of(action, chosen))
    start, end = within(frame_range, found)
    if end - start > MOST_FRAMES:
        raise RefusedError(text("motion_too_long", name=obj.name, frames=round(end - start), most=MOST_FRAMES))
    return Told(uid, identifier, start, end)


def _shown_range(obj: Object) -> tuple[float, float]:
    """The frames over which something moves the armature; a refusal where nothing does."""
    found = range_of(obj) or led_range(obj)
    scene = bpy.context.scene
    if found is None and is_led(obj, scene):
        found = (float(scene.frame_start), float(scene.frame_end))
    if found is None:
        raise RefusedError(_why_nothing(obj))
    return found


def _why_nothing(obj: Object) -> str:
    animation = obj.animation_data
    if animation is None or animation.action is None:
        return text("motion_none", name=obj.name)
    if animation.action_slot is None:
        return text("motion_no_slot", name=obj.name, action=animation.action.name)
    return text("motion_nothing_moves", name=obj.name, action=animation.action.name)


def _armature_steps(
    obj: Object, told: Told, resampling: Resampling | None
) -> Generator[float, None, Motion]:
    name = obj.name
    times = times_of(told.start, told.end)
    metres, fps = metres_per_unit(bpy.context.scene), rate_of(times, fps_of(bpy.context.scene))
    heard = _Heard(name, told, fps, _what_plays(obj, told), _ignored(obj, told))
    if _is_plain(obj, told):
        source = _readable(obj, read_source(obj, None, metres))
        if len(source.reading.rig.skeleton) == len(obj.data.bones):
            sampler = ClipSampler(obj, source.reading)
            asked = None if resampling is None else resampling.asked(len(times), fps)
            if asked is not None:
                times, asked = times[asked.frames], asked.within(asked.frames)
            sampled_from_curves(obj, told.bag(obj), source.reading, sampler, times, alone=told.uid != 0)
            motion = _motion(heard, source, sampler)
            if asked is None or resampling is None:
                return motion
            return replace(motion, clip=looked_at(motion.clip, asked, resampling.fps))
    if obj.data.pose_position == "REST":
        raise RefusedError(text("motion_rest_position", name=name))
    source, sampler = yield from _evaluated(obj, told, times, metres)
    return _resampled_motion(_motion(heard, source, sampler, rigid=False), resampling)


def _evaluated(
    obj: Object, told: Told, times: np.ndarray, metres: float
) -> Generator[float, None, tuple[SourceReading, ClipSampler]]:
    """The armature read at the first time and sampled at all, in a scene of its own."""
    stage = Stage([obj])
    with _shown(obj, told) as scene:
        depsgraph = show(scene, float(times[0]))
        source = _readable(obj, read_source(obj, depsgraph, metres))
    sampler = ClipSampler(obj, source.reading)

    def look(depsgraph: Depsgraph, objects: list[Object]) -> None:
        sampler.add(objects[0].evaluated_get(depsgraph))

    yield from stage.walk(times, look, lambda objects: _shown(objects[0], told))
    return source, sampler


def _shown(obj: Object, told: Told) -> Any:
    """The scene in which the armature plays what is to be read."""
    if not told.uid:
        return scene_of_their_own([obj])
    return playing(obj, told.action, told.slot, alone=True)


def _is_plain(obj: Object, told: Told) -> bool:
    """True where F-curves alone say how the armature moves: of the Action asked for, or of what is shown."""
    if told.uid:
        return is_plain(obj, told.bag(obj))
    played, animation = played_on(obj), obj.animation_data
    if not played.is_whole or animation.action_influence != 1.0 or animation.action_blend_type != "REPLACE":
        return False
    scales = np.empty(3 * len(obj.pose.bones), dtype=np.float32)
    obj.pose.bones.foreach_get("scale", scales)
    if np.abs(scales - 1.0).max(initial=0.0) > SAME_SCALE:
        return False
    if any(not bone.use_local_location for bone in obj.data.bones):
        return False
    return is_plain(obj, played.bag)


def _readable(obj: Object, source: SourceReading) -> SourceReading:
    if source.refusals:
        raise RefusedError(text("motion_unreadable", name=obj.name, reason=source.refusals[0]))
    if not len(source.reading.rig.skeleton):
        raise RefusedError(text("motion_no_bones", name=obj.name))
    return source


def _what_plays(obj: Object, told: Told) -> tuple[str, str]:
    """The Action and the slot that are read, as names."""
    action = told.action
    if action is not None:
        return action.name, told.identifier
    if played_on(obj).bag is None:
        return "", ""
    animation = obj.animation_data
    return animation.action.name, animation.action_slot.identifier


def _ignored(obj: Object, told: Told) -> str:
    """How many curves lead nowhere, in a sentence."""
    bag = told.bag(obj)
    return unplayed_curves(obj, list(bag.fcurves), "motion_curves_ignored") if bag is not None else ""


def _motion(heard: _Heard, source: SourceReading, sampler: ClipSampler, *, rigid: bool = True) -> Motion:
    """What was sampled as a rigid, upright motion, with all that is to be said of it."""
    clip, name, told = sampler.clip(heard.fps), heard.name, heard.told
    problems = [heard.ignored] if heard.ignored else []
    if not rigid:
        bones = clip.rig.skeleton.bones
        moved, stretched = as_rigid(clip.moved, np.array([tuple(bone.head) for bone in bones]))
        clip = replace(clip, moved=moved)
        if stretched.any():
            names = [bones[i].name for i in np.flatnonzero(stretched)]
            problems.append(text("motion_stretched", count=len(names), names=listed(names)))
    world = Matrix(np.array(sampler.first).tolist())
    start, turn = _start(source, world), np.identity(4)
    if lies_by_its_axes(clip, source.turn):
        turn = source.turn
        clip = replace(clip, moved=turn @ clip.moved)
        start = place_of(Matrix(turn.tolist()) @ world, source.reading)
        problems.append(text("motion_turned", name=name))
    return Motion(
        clip, source.reading, told.start, told.end, start, name, *heard.played, tuple(problems), sampler.unrest, turn
    )


def _start(source: SourceReading, world: Matrix) -> Place:
    """Where the source stands: its object, unless that leans as only a part of a body does; then the world's origin."""
    stand = world @ source.level.inverted()
    if (stand.to_3x3().col[2].normalized() - Vector((0.0, 0.0, 1.0))).length > LEANS:
        return Place(0.0, 0.0, 0.0, 0.0)
    return source.place(world)
