"""Report: the evaluated feet over a range of frames, measured by the same code that tests use."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from bpy.types import Object, Scene

from ..core.measure import report as measure
from ..core.measure.contacts import Contacts
from ..core.measure.track import Track
from .bake_record import planned, read_record
from .ground_set import TimeDependence
from .inputs import path_of
from .members import Member
from .performers import performers, reading_of
from .refusal import RefusedError, layer_of, why_not_evaluated, why_not_measured
from .roster import director_of, is_carried, is_character
from .sampling import sampled
from .saved_state import is_animated
from .scene_units import metres_per_unit
from .simulate import fill_steps, finished
from .texts import text


def report(obj: Object, scene: Scene, frame_start: int, frame_end: int, path: Object | None = None) -> dict[str, Any]:
    """Measure the preview, or the Action if there is none; see `core/measure/report.py` for the dictionary.

    Any armature will do, set up or not, linked or not. `path` is a curve to be compared with; without one, that of
    the settings. `cost_ms` is of this session, None where nothing of this rig was computed in it.
    """
    found = measured(obj, scene, frame_start, frame_end)
    led = is_character(obj) and not is_carried(obj) and obj.surefoot.director in {"AHEAD", "PATH"}
    asked = found.speeds if led else None
    performer = performers.get(obj.session_uid)
    cost = 1000.0 * median(performer.costs) if performer is not None and performer.costs else None
    return measure.report(found.track, found.plan, asked, _line(obj, scene, path), cost)


class Measured(NamedTuple):
    """What is measured of a rig: its track, the planned contacts by role where there are any, speeds asked for."""

    track: Track
    plan: dict[str, Contacts] | None
    speeds: np.ndarray


def measured(obj: Object, scene: Scene, frame_start: int, frame_end: int) -> Measured:
    """Sample the preview, or the Action if there is none, of any armature that can move; refused with the reason."""
    reason = why_not_measured(obj) or why_not_evaluated(obj, scene)
    if reason:
        raise RefusedError(reason)
    if frame_end < frame_start:
        raise RefusedError(text("bad_range", start=frame_start, end=frame_end))
    previewed = is_character(obj) and obj.surefoot.preview and obj.is_editable
    record = read_record(obj.animation_data.action) if obj.animation_data is not None else None
    if not previewed and not is_animated(obj):
        raise RefusedError(text("nothing_to_report", name=obj.name))
    # What a clip does was not planned by anybody: it is judged by what its feet do.
    plan: dict[str, Contacts] | None = None
    if record is not None and record.planned:
        plan = {role: known.within(frame_start, frame_end) for role, known in record.contacts.items()}
    if previewed:
        member = finished(fill_steps(obj, frame_end))
        plan = _planned(member, frame_start, frame_end, scene.render.fps / scene.render.fps_base)
    performer = performers.get(obj.session_uid)
    reading = performer.reading if previewed else reading_of(obj, layer_of(scene).depsgraph)
    if not reading.rig.legs and reading.rig.long_body is None:
        raise RefusedError(text("no_feet", name=obj.name, reason=next(iter(reading.problems), "")))
    track, speeds = sampled(obj, scene, reading, range(frame_start, frame_end + 1))
    return Measured(track, plan, speeds)


def _line(obj: Object, scene: Scene, path: Object | None) -> np.ndarray | None:
    """The path that the character was to follow as points in the world; None where there is none that stays."""
    settings = obj.surefoot
    if path is None and is_character(obj) and director_of(obj) == "PATH":
        path = settings.path
    time = TimeDependence()
    if path is None or time.moves(path) or time.bends(path):
        return None
    shown = path.evaluated_get(layer_of(scene).depsgraph)
    points = path_of(shown, shown.matrix_world, metres_per_unit(scene)).points
    return np.array(points) if len(points) > 1 else None


def write_report(result: dict[str, Any], filepath: str) -> None:
    """The report as a JSON file."""
    try:
        Path(filepath).write_text(json.dumps(result, indent=2), encoding="utf-8")
    except OSError as error:
        raise RefusedError(text("not_writable", path=filepath, reason=error.strerror)) from error


def _planned(member: Member, frame_start: int, frame_end: int, fps: float) -> dict[str, Contacts]:
    """What was planned for each frame; empty for a clip, and where frames were thinned out."""
    numbers = range(frame_start, frame_end + 1)
    snapshots = [member.performer.cache.get(max(number, member.first)) for number in numbers]
    if member.performer.character.played is not None or any(snapshot is None for snapshot in snapshots):
        return {}
    return planned([snapshot.frame.feet for snapshot in snapshots], frame_start, fps)
