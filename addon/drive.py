"""A character driven by hand: frame by frame what is pressed becomes keys, so that the take plays again to the bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from bpy.types import FCurve, Object, Scene
from mathutils import Vector

from ..core.control.intent import NO_PAD, Pad
from .changes import hints
from .drive_falls import DrivenFalls
from .held_keys import edits_from
from .key_writing import INTERPOLATION_NUMBERS
from .keyed_values import GAIT, SPEED
from .pad import PAD
from .performers import performers
from .refusal import RefusedError
from .saved_state import channelbag_of
from .scene_units import metres_per_unit
from .send import gait_of_level, key_choice, key_from, pace_of_level
from .simulate import fill_steps, finished, scene_of
from .texts import text

PUSHED = 2
"""So many of a pad's fields are pushed, and go over from frame to frame; the others are pressed, and hold."""

PACED = {path.rpartition(".")[2]: path for path in (GAIT, SPEED)}
"""What a level of pace keys, by the setting's name."""

Row = tuple[float, float, int]
"""A key: its frame, its value, the number of its interpolation."""


class Take:
    """One take, from the frame that is shown on. What was keyed there before is gone while it is recorded.

    No Blender object is kept: `alive` says whether there is still somebody to drive.
    """

    def __init__(self, obj: Object) -> None:
        animation = obj.animation_data
        if animation is not None and animation.use_tweak_mode:
            raise RefusedError(text("tweak_mode", name=obj.name))
        if animation is not None and animation.action is not None and not animation.action.is_editable:
            raise RefusedError(text("drive_linked", name=obj.name, action=animation.action.name))
        scene = scene_of(obj)
        self.uid, self.scene_name = obj.session_uid, scene.name
        self.start = self.frame = scene.frame_current
        self._undone = hints.undone
        self._falls = DrivenFalls(scene.name)
        self._had = (animation is not None, animation is not None and animation.action is not None)
        self._before = {name: _rows(_curve(obj, name, make=False)) for name in PAD}
        self._paced: dict[str, Any] = {}
        self._begin(obj)
        self._show(obj)

    @property
    def frames(self) -> int:
        """How many frames there are so far."""
        return self.frame - self.start

    def subject(self) -> Object | None:
        """Who is driven, if it is still there."""
        scene = bpy.data.scenes.get(self.scene_name)
        found = (obj for obj in scene.objects if obj.session_uid == self.uid) if scene is not None else iter(())
        return next(found, None)

    @property
    def alive(self) -> bool:
        """True while the character is in its scene, has its preview on, and nothing was undone."""
        obj = self.subject()
        here = obj is not None and obj.mode in {"OBJECT", "POSE"} and obj.surefoot.preview
        return here and not self.undone

    @property
    def undone(self) -> bool:
        """True after an undo, or in another file: what is there then is not for the take to change."""
        return hints.undone != self._undone

    def place(self) -> Vector | None:
        """Where the character is at the frame that is shown, in units of the scene; None where that is not known."""
        obj = self.subject()
        performer = performers.get(self.uid)
        snapshot = performer.cache.get(self.frame) if performer is not None else None
        if obj is None or snapshot is None:
            return None
        return Vector(snapshot.frame.ground[:3]) / metres_per_unit(scene_of(obj))

    def wall(self) -> Vector | None:
        """The normal of the wall that it runs along at the frame that is shown, None while it does not."""
        performer = performers.get(self.uid)
        snapshot = performer.cache.get(self.frame) if performer is not None else None
        state = None if snapshot is None else snapshot.memory.state
        return None if state is None or state.state != "WALL_RUNNING" else Vector(state.normal)

    def shove(self, obj: Object, direction: Vector, strength: float, role: str) -> None:
        """Hit a character, the driven one or another, at the frame that is shown."""
        self._falls.shove(obj, direction, strength, role, self.frame)

    def step(self, pad: Pad) -> None:
        """One frame on, with this pressed at its end."""
        obj = self._there()
        with edits_from(obj, self.frame + 1, at_once=True):
            self.frame += 1
            self._key(obj, pad)
        self._show(obj)

    def retry(self) -> None:
        """Back to where it began, with nothing recorded."""
        obj = self._there()
        self._falls.throw_away()
        self._forget_pace(obj)
        self._begin(obj)
        self._show(obj)

    def set_pace(self, level: int) -> None:
        """From this frame on at the pace of a level: 1 to 3 in its gait, at the speed that is natural for that; 0 at
        the speed that it had before the take, in the gait that fits.
        """
        obj, settings = self._there(), self._there().surefoot
        if not self._paced:
            self._paced = {name: getattr(settings, name) for name in PACED}
            self._before |= {name: _rows(_curve(obj, name, make=False)) for name in PACED}
        speed = pace_of_level(obj, level) if level else 0.0
        with edits_from(obj, self.frame, at_once=True):
            key_choice(obj, GAIT, gait_of_level(obj, level), self.frame)
            key_from(obj, SPEED, speed or self._paced["speed"], self.frame, 0)
        self._show(obj)

    def finish(self) -> int:
        """Keep the take: nothing is pressed after it, and what was keyed further on stays away. Its frames."""
        obj = self.subject()
        self._falls.keep()
        if obj is not None and self.frames:
            with edits_from(obj, self.frame + 1, at_once=True):
                self.frame += 1
                self._key(obj, NO_PAD)
                self.frame -= 1
        return self.frames

    def cancel(self) -> None:
        """The keys that were there before, and the frame."""
        obj = self.subject()
        self._falls.throw_away()
        if obj is not None:
            self._forget_pace(obj)
            with edits_from(obj, self.start, at_once=True):
                self._put(obj, self._before)
            self._take_away(obj)
            scene_of(obj).frame_set(self.start)

    def _forget_pace(self, obj: Object) -> None:
        """The gait and the speed that it had, and their keys, where a pace was chosen in this take."""
        if self._paced:
            self._put(obj, {name: self._before.pop(name) for name in PACED})
            for name, value in self._paced.items():
                setattr(obj.surefoot, name, value)
            self._paced = {}

    def _take_away(self, obj: Object) -> None:
        """What Blender made for the first key, where there was none."""
        had_data, had_action = self._had
        action = obj.animation_data.action
        if not had_action and action is not None:
            obj.animation_data.action = None
            if not action.users:
                bpy.data.actions.remove(action)
        if not had_data:
            obj.animation_data_clear()

    def _show(self, obj: Object) -> None:
        """Its frame; where so much is to be computed before it that a timeline would show nothing, all of that."""
        scene = scene_of(obj)
        self._falls.fill(self.frame)
        scene.frame_set(self.frame)
        performer = performers.get(self.uid)
        if performer is None or performer.cache.get(self.frame) is None:
            finished(fill_steps(obj, self.frame))
            scene.frame_set(self.frame)

    def _there(self) -> Object:
        obj = self.subject()
        if obj is None:
            raise RefusedError(text("drive_gone"))
        return obj

    def _begin(self, obj: Object) -> None:
        self.frame = self.start
        with edits_from(obj, self.start, at_once=True):
            for name in PAD:
                _cut(_curve(obj, name), float(self.start))
            self._key(obj, NO_PAD)

    def _key(self, obj: Object, pad: Pad) -> None:
        for k, (name, value) in enumerate(zip(PAD, pad, strict=True)):
            point = _curve(obj, name).keyframe_points.insert(self.frame, float(value), options={"FAST"})
            point.interpolation = "LINEAR" if k < PUSHED else "CONSTANT"

    def _put(self, obj: Object, rows: dict[str, list[Row]]) -> None:
        for name, keys in rows.items():
            curve = _curve(obj, name)
            _cut(curve, float("-inf"))
            for frame, value, kind in keys:
                curve.keyframe_points.insert(frame, value, options={"FAST"}).interpolation = KINDS[kind]
            if not keys:
                channelbag_of(obj.animation_data.action, obj.animation_data.action_slot).fcurves.remove(curve)


KINDS = {number: name for name, number in INTERPOLATION_NUMBERS.items()}


def _curve(obj: Object, name: str, *, make: bool = True) -> FCurve | None:
    """The curve of one of the pad's settings in the Action on the object; made where there is none."""
    animation = obj.animation_data
    bag = channelbag_of(animation.action, animation.action_slot) if animation is not None else None
    path = f"surefoot.{name}"
    found = bag.fcurves.find(path) if bag is not None else None
    if found is not None or not make:
        return found
    if bag is None:
        # Blender makes Action, slot and layer as it does for any first key.
        obj.keyframe_insert(path, frame=scene_of(obj).frame_current)
        animation = obj.animation_data
        made: FCurve = channelbag_of(animation.action, animation.action_slot).fcurves.find(path)
        return made
    return bag.fcurves.new(path)


def _rows(curve: FCurve | None) -> list[Row]:
    """All keys of a curve."""
    points = curve.keyframe_points if curve is not None else ()
    return [(point.co.x, point.co.y, INTERPOLATION_NUMBERS.get(point.interpolation, 1)) for point in points]


def _cut(curve: FCurve, start: float) -> None:
    """Take away the keys from a frame on."""
    for point in reversed([point for point in curve.keyframe_points if point.co.x >= start]):
        curve.keyframe_points.remove(point, fast=True)
    curve.update()


def drive(obj: Object, frames: int, pressed: Callable[[int], Pad]) -> int:
    """Record a take of so many frames from what a script presses (the number of the frame of the take); how many."""
    take = Take(obj)
    for number in range(frames):
        take.step(pressed(number))
    return take.finish()


def prepare(obj: Object, scene: Scene) -> dict[str, Any]:
    """Set a character up to be driven; what its settings were, for `put_back`."""
    settings = obj.surefoot
    before = {name: getattr(settings, name) for name in ("director", "body", "preview")}
    before["frame"] = scene.frame_current
    settings.director, settings.body = "INPUT", "CAPSULE"
    if not settings.preview:
        settings.preview = True
    return before


def throw_away(take: Take, before: dict[str, Any]) -> None:
    """A take that is not wanted: keys and settings as they were; after an undo, or in another file, nothing is done."""
    obj = take.subject()
    if obj is not None and not take.undone:
        take.cancel()
        put_back(obj, scene_of(obj), before)


def put_back(obj: Object, scene: Scene, before: dict[str, Any]) -> None:
    """The settings as they were."""
    for name in ("director", "body", "preview"):
        if getattr(obj.surefoot, name) != before[name]:
            setattr(obj.surefoot, name, before[name])
    scene.frame_set(before["frame"])
