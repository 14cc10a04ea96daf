"""Setting a character up, removing it, putting it elsewhere: functions that scripts call too."""

from __future__ import annotations

from typing import NamedTuple

import bpy
from bpy.types import Object, Scene

from ..core.character import Character, driven_bones
from ..core.rig.rig import Problem
from . import preview
from .changes import hints, redraw_panels
from .fall_colliders import remove_colliders
from .performers import config_of, performers, reading_of, travel_of
from .pose_writing import make_writer
from .problems import list_problems, tell
from .properties import VERSION
from .ragdoll_objects import hide_bodies
from .refusal import RefusedError, layer_of, why_not_armature, why_not_character, why_not_evaluated
from .review import seen_key
from .roster import characters_of
from .saved_mappings import put_found

# How uneven a new character's strides are: as much as a person's on a treadmill.
NATURAL = 0.5


class SetUp(NamedTuple):
    """What came of a set-up: how many legs, what was not understood, whether it can walk, and which of the user's saved
    mappings was put on it.
    """

    legs: int
    problems: tuple[str, ...]
    ready: bool
    mapping: str = ""


def setup(obj: Object, scene: Scene | None = None) -> SetUp:
    """Find legs, sides and roles; afterwards the object has settings. A refusal where nothing can be read at all.

    Set up again, settings stay and the rig is read anew; a running preview goes on.
    """
    scene = scene or bpy.context.scene
    reason = why_not_armature(obj) or why_not_evaluated(obj, scene)
    if reason:
        raise RefusedError(reason)
    # Blender ignores bulk writes to the bones of an override that is not marked as meant to be edited.
    if obj.override_library is not None and obj.override_library.is_system_override:
        obj.override_library.is_system_override = False
    settings = obj.surefoot
    anew = settings.version == 0
    previewed = settings.preview
    if previewed:
        settings.preview = False
    performers.drop(obj.session_uid)
    preview.Failures.lines.pop(obj.session_uid, None)
    if anew:
        settings.frame_start = scene.frame_start
        # Several characters that are set up one after the other do not walk in step.
        settings.seed = len(characters_of(scene))
        settings.variation = NATURAL
    settings.version = VERSION
    settings.scene = scene.name
    mapping = put_found(obj) if anew else ""
    legs, found, unfit = _read(obj, scene)
    list_problems(obj, found, seen_key(obj))
    tell(obj, *map(str, unfit))
    problems = [*found, *unfit]
    hints.everything()
    settings.preview = previewed or (anew and not any(problem.blocking for problem in problems))
    redraw_panels()
    ready = not any(item.blocking for item in problems)
    return SetUp(legs, tuple(str(problem) for problem in problems), ready, mapping)


def _read(obj: Object, scene: Scene) -> tuple[int, list[Problem], tuple[Problem, ...]]:
    """How many legs there are; what of the rig was not understood or cannot be written; which settings do not fit."""
    layer = layer_of(scene)
    layer.update()
    reading = reading_of(obj, layer.depsgraph)
    problems = list(reading.problems)
    if any(problem.blocking for problem in problems):
        return len(reading.rig.legs), problems, ()
    character = Character(reading.rig, config_of(obj, reading))
    writer = make_writer(obj, reading, driven_bones(character), travel_of(obj, reading.rig))
    problems += [*writer.problems, *writer.check(obj, layer.depsgraph)]
    return len(reading.rig.legs), problems, character.problems


def remove(obj: Object) -> None:
    """End the preview, put everything back, forget all settings. Baked Actions stay."""
    reason = why_not_character(obj)
    if reason:
        raise RefusedError(reason)
    obj.surefoot.preview = False
    preview.end(obj)
    hide_bodies(obj)
    performers.drop(obj.session_uid)
    preview.Failures.lines.pop(obj.session_uid, None)
    remove_colliders(obj)
    for prop in obj.surefoot.bl_rna.properties:
        if prop.identifier not in {"rna_type", "name"}:
            obj.surefoot.property_unset(prop.identifier)
    hints.cast = True
    redraw_panels()


def teleport(obj: Object, frame: int, location: tuple[float, float, float], heading: float = 0.0) -> None:
    """From `frame` on the character is elsewhere (world, Blender units; heading 0 faces -Y), its feet placed anew."""
    reason = why_not_character(obj)
    if reason:
        raise RefusedError(reason)
    lines = obj.surefoot.teleports
    line = next((item for item in lines if item.frame == frame), None) or lines.add()
    line.frame, line.location, line.heading = frame, location, heading
    hints.announce()
