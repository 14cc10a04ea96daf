"""What the scene tells a character's director at a frame: speed, path, target, mover.

    is_plain(ob)                        can the inputs be had at any frame without evaluating it?
    is_constant(ob)                     then: are they the same at all frames?
    plain_inputs(ob, scene, frame)      then: from F-curves, at any frame, the scene left as it is
    read_inputs(ob, depsgraph)          else: from a depsgraph evaluated at the wanted frame
    lerp_inputs(before, after, share)   for a tick between two frames

How an input is read follows from what it is, so ask `is_plain` once for a run and keep to its answer. Inputs are plain
numbers and compare by value: a frame that was filled with others than it has now is stale. The settings are those on
the object, `ob.surefoot`: director, speed, path, target, mover (none: the object's own animation); the spots of a route
are read by `route`. `canonical` turns armature space into the character's model space; it says where an armature that
is its own mover faces.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import isnan

import bpy
from mathutils import Matrix

from ..core.control.fall_row import fall_between
from ..core.control.fields import ForceField, fields_between
from ..core.control.intent import NO_PAD, Inputs, Pad, PathLine, Place
from ..core.control.path import path_line
from ..core.control.source_pose import between
from ..core.space.angles import heading_of
from .agent import agent_is_plain, lerp_agent
from .curve_points import curve_points
from .fall_wishes import may_fall
from .force_fields import fields_are_plain, fields_at, takes_fields
from .ground_set import TimeDependence, is_animated
from .keyed_values import (
    GAIT,
    TRANSFORMS,
    curve_time,
    fcurves_of,
    has_plain_action,
    is_keyed,
    is_plain_place,
    keyed_value,
    plain_matrix,
    setting_is_animated,
)
from .pad import keyed_pad, lerp_pad, shown_pad
from .refusal import depsgraph_of
from .roster import GOES_TO_TARGET, director_of, follows_rig
from .route import lerp_place, lerp_route, may_be_sent, place_at, spots_are_plain
from .saved_state import object_is_keyed, start_of

STILL = 1e-5
"""Metres a frame under which a mover stands."""
LOOK_BACK = 250
"""Frames over which the last motion of a standing mover is sought."""


def is_plain(ob: bpy.types.Object) -> bool:
    """True where every input follows from plain Actions or never changes."""
    plain = spots_are_plain(ob) and fields_are_plain(ob) and agent_is_plain(ob)
    if not has_plain_action(ob, ("surefoot",)) or not plain:
        return False
    watched = _watched(ob)
    if watched is None:
        return True
    time = TimeDependence()
    director = director_of(ob)
    if director == "PATH" and time.bends(watched):
        return False
    return is_plain_place(watched, time, own=director == "MOVER" and watched == ob)


def is_constant(ob: bpy.types.Object) -> bool:
    """True for plain inputs that nothing changes with time: nothing is watched, sent for, keyed or told by frame."""
    settings = ob.surefoot
    if director_of(ob) not in {"AHEAD", "INPUT"} or follows_rig(ob) or may_be_sent(ob) or takes_fields(ob):
        return False
    return not (settings.layers or settings.teleports or may_fall(ob) or is_keyed(ob, "surefoot"))


def read_inputs(
    ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph, metres_per_unit: float = 1.0, canonical: Matrix | None = None
) -> Inputs:
    """The inputs at the frame that the depsgraph was evaluated for."""
    shown = ob.evaluated_get(depsgraph)
    settings = shown.surefoot
    progress = settings.clip_progress if goes_by_progress(ob) else 0.0
    gait = settings.gait if setting_is_animated(ob, GAIT) else ""
    added, at = tuple(settings.added_velocity), curve_time(depsgraph.scene, depsgraph.scene.frame_current_final)
    fields = fields_at(ob, depsgraph.scene, at, metres_per_unit, depsgraph)
    asked = _asked(settings.speed, gait, progress, shown_pad(ob, shown), added, fields)
    watched = _watched(ob)
    if watched is None:
        return asked
    evaluated = watched.evaluated_get(depsgraph)
    scene = depsgraph.scene
    return _inputs(
        ob, evaluated, evaluated.matrix_world, asked, (scene.frame_current, scene), metres_per_unit, canonical
    )


def _asked(
    speed: float, gait: str, progress: float, pad: Pad, added: tuple[float, ...], fields: tuple[ForceField, ...]
) -> Inputs:
    """What is asked for by numbers. One that is none, as a script may set, is 0: it would not be equal to itself."""
    x, y, z = (0.0 if isnan(value) else value for value in added)
    speed, progress = (0.0 if isnan(value) else value for value in (speed, progress))
    pad = NO_PAD if isnan(pad.x + pad.y) else pad
    return Inputs(speed, gait=gait, progress=progress, pad=pad, added=(x, y, z), fields=fields)


def plain_inputs(
    ob: bpy.types.Object,
    scene: bpy.types.Scene,
    frame: float,
    metres_per_unit: float = 1.0,
    canonical: Matrix | None = None,
) -> Inputs:
    """The inputs at any frame, by F-curves; right where `is_plain` says so."""
    at = curve_time(scene, frame)
    speed, progress = keyed_value(ob, "surefoot.speed", 0, at, ob.surefoot.speed), 0.0
    if goes_by_progress(ob):
        progress = keyed_value(ob, "surefoot.clip_progress", 0, at, ob.surefoot.clip_progress)
    gait = _keyed_gait(ob, at) if setting_is_animated(ob, GAIT) else ""
    still = enumerate(ob.surefoot.added_velocity)
    added = tuple(keyed_value(ob, "surefoot.added_velocity", k, at, value) for k, value in still)
    fields = fields_at(ob, scene, at, metres_per_unit, None)
    asked = _asked(speed, gait, progress, keyed_pad(ob, at), added, fields)
    watched = _watched(ob)
    if watched is None:
        return asked
    matrix = plain_matrix(watched, at)
    if watched.type == "CURVE" and watched.modifiers:
        # Only the evaluated curve has what its modifiers make of it; a plain one is the same at all frames.
        watched = watched.evaluated_get(depsgraph_of(scene))
    if watched == ob and not object_is_keyed(ob):
        # Nothing but a preview moves it, and what a preview wrote is no input.
        matrix = matrix @ ob.matrix_basis.inverted() @ start_of(ob)
    return _inputs(ob, watched, matrix, asked, (frame, scene), metres_per_unit, canonical)


def goes_by_progress(ob: bpy.types.Object) -> bool:
    """True for a character whose base motion is a clip that is posed by its progress."""
    settings = ob.surefoot
    return settings.base == "CLIP" and settings.clip_timing == "PROGRESS"


def lerp_inputs(before: Inputs, after: Inputs, share: float) -> Inputs:
    """The inputs at a share of the way from one frame to the next."""
    same = before is after or before == after
    if share >= 1.0 or (same and not after.hits and after.fall is None):
        return after
    return Inputs(
        speed=before.speed + (after.speed - before.speed) * share,
        path=_lerp_path(before.path, after.path, share),
        target=lerp_place(before.target, after.target, share),
        mover=lerp_place(before.mover, after.mover, share),
        gait=before.gait,
        progress=before.progress + (after.progress - before.progress) * share,
        pad=lerp_pad(before.pad, after.pad, share),
        route=lerp_route(before.route, after.route, share),
        loops=after.loops,
        goal=after.goal,
        agent=lerp_agent(before.agent, after.agent, share),
        source=between(before.source, after.source, share),
        added=tuple(a + (b - a) * share for a, b in zip(before.added, after.added, strict=True)),
        fields=fields_between(before.fields, after.fields, share),
        fall=fall_between(before.fall, after.fall, share),
    )


def _watched(ob: bpy.types.Object) -> bpy.types.Object | None:
    """The object that the director looks at, None if it looks at none or none was chosen."""
    settings = ob.surefoot
    director = director_of(ob)
    if director == "PATH":
        return settings.path
    if director in GOES_TO_TARGET:
        return settings.target
    if director == "MOVER":
        return settings.mover or ob
    return None


def _inputs(
    ob: bpy.types.Object,
    watched: bpy.types.Object,
    matrix: Matrix,
    asked: Inputs,
    when: tuple[float, bpy.types.Scene],
    metres_per_unit: float,
    canonical: Matrix | None,
) -> Inputs:
    director = director_of(ob)
    if director == "PATH":
        return replace(asked, path=path_of(watched, matrix, metres_per_unit))
    if director in GOES_TO_TARGET:
        return replace(asked, target=place_at(matrix, metres_per_unit))
    original = watched.original
    if original == ob and canonical is not None:
        matrix = matrix @ canonical.inverted()
    place = place_at(matrix, metres_per_unit)
    return replace(asked, mover=_facing_its_motion(original, place, *when))


def keyed_gaits(ob: bpy.types.Object) -> tuple[str, ...]:
    """All gaits that the object's Action has keys of, each once, in the order of the list of gaits."""
    curves = fcurves_of(ob)
    curve = curves.find(GAIT) if curves is not None else None
    numbers = {int(point.co.y) for point in curve.keyframe_points} if curve is not None else set()
    items = ob.surefoot.bl_rna.properties["gait"].enum_items
    return tuple(item.identifier for item in items if item.value in numbers)


def _keyed_gait(ob: bpy.types.Object, at: float) -> str:
    """The gait that the Action names at a time. Keys hold their gait until the next one."""
    choice = ob.surefoot.bl_rna.properties["gait"]
    number = keyed_value(ob, GAIT, 0, at, choice.enum_items[ob.surefoot.gait].value)
    return next((item.identifier for item in choice.enum_items if item.value == int(number)), "AUTO")


def path_of(ob: bpy.types.Object, matrix: Matrix, metres_per_unit: float) -> PathLine:
    """A curve object as a line in the world, metres; without points for one that is empty or no curve."""
    points, closed = curve_points(ob)
    return _shared_line(tuple(tuple((matrix @ point) * metres_per_unit) for point in points), closed)


@lru_cache(maxsize=16)
def _shared_line(points: tuple[tuple[float, float, float], ...], closed: bool) -> PathLine:
    """One PathLine for all frames in which a path is the same: a snapshot of each frame holds it."""
    return path_line(points, closed=closed)


def _facing_its_motion(mover: bpy.types.Object, place: Place, frame: float, scene: bpy.types.Scene) -> Place:
    """A mover that is keyed to go but never to turn faces where it goes, while it stands where it last went."""
    if not _only_goes(mover):
        return place
    for k in range(LOOK_BACK):
        before, after = (_keyed_spot(mover, curve_time(scene, frame - k + side)) for side in (-0.5, 0.5))
        dx, dy = after[0] - before[0], after[1] - before[1]
        if dx * dx + dy * dy > STILL * STILL:
            return place._replace(heading=heading_of(dx, dy))
    return place


def _only_goes(mover: bpy.types.Object) -> bool:
    """True for an object other than a rig whose Action moves it and nothing turns it."""
    if mover.type == "ARMATURE" or mover.parent is not None or not is_animated(mover):
        return False
    if any(not constraint.mute for constraint in mover.constraints) or not has_plain_action(mover, TRANSFORMS):
        return False
    return is_keyed(mover, "location") and not (is_keyed(mover, "rotation_") or is_keyed(mover, "delta_rotation"))


def _keyed_spot(mover: bpy.types.Object, at: float) -> tuple[float, float]:
    x, y, _ = mover.location
    return keyed_value(mover, "location", 0, at, x), keyed_value(mover, "location", 1, at, y)


def _lerp_path(before: PathLine | None, after: PathLine | None, share: float) -> PathLine | None:
    if before == after:
        return after
    if before is None or after is None or len(before.space) != len(after.space) or before.closed != after.closed:
        return after if share >= 0.5 else before
    points = (
        tuple(a + (b - a) * share for a, b in zip(p, q, strict=True))
        for p, q in zip(before.space, after.space, strict=True)
    )
    return path_line(points, closed=after.closed)
