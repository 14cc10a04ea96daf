"""Mirror an Action: left for right, by role, and the travel to the other side. Of any rest, roll and rotation mode.

Channel by channel: what a control rig does with its controls is mirrored as it is, switches too. Curves that are no
bone's stay.
"""

from __future__ import annotations

from math import degrees
from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from ..core.motion.loops import STRAIGHT, as_loop
from ..core.motion.mirror_channels import mirror_between, mirrored_motion
from ..core.motion.root_motion import own_track
from ..core.rig.partners import ALONE, partners
from .action_curves import channel_of
from .action_edit import PLAYED, Changed, Edit, Which, edited
from .action_sampling import times_of
from .mirror_curves import Pair, Phase, mirror_curves
from .posed_elements import Held
from .refusal import RefusedError
from .texts import text
from .travel_stage import Stage, reading_of

NAMED = 5


def mirror(obj: Object, which: Which = PLAYED, *, half_cycle: bool = False) -> Changed:
    """The mirror image of the Action, at the upright plane that the body has in its rest pose, where the object is.

    half_cycle: of a loop, taken half a round later, so that an even gait goes on in step with the loop as it was.
    """
    with edited(obj, which, "root_mirrored") as edit:
        stage = Stage(edit, reading_of(obj))
        across = _middle(stage)
        phase = _half(edit, stage) if half_cycle else None
        pairs = _pairs(edit, stage, across)
        curves = mirror_curves(edit, pairs, stage.times, phase)
        if "" in stage.moved:
            _mirror_object(edit, stage, across, phase)
        _note(edit, "root_locked", list(curves.locked))
        if curves.sampled:
            edit.notes.append(text("root_sampled", count=curves.sampled))
        return edit.changed(len(stage.times))


def _middle(stage: Stage) -> float:
    """Where the mirror plane is across model space."""
    legs = stage.reading.rig.legs
    if not legs:
        return float(stage.joint(stage.body)[0])
    return sum(leg.hip.x for leg in legs) / len(legs)


def _plane(stage: Stage) -> np.ndarray:
    """The mirror's turn in armature space, (3, 3)."""
    turn = np.array(stage.reading.canonical.to_3x3().normalized(), dtype=np.float64)
    result: np.ndarray = turn.T @ np.diag([-1.0, 1.0, 1.0]) @ turn
    return result


def _pairs(edit: Edit, stage: Stage, across: float) -> dict[str, Pair]:
    """Each bone and its image; those that have none, and move, are told."""
    obj, plane = edit.obj, _plane(stage)
    bones, canonical = obj.data.bones, stage.reading.canonical
    names = bones.keys()
    heads = np.array([tuple(canonical @ bone.head_local) for bone in bones])
    found = partners(names, heads, stage.reading.rig.roles, across)
    if all(k == ALONE for k in found):
        raise RefusedError(text("root_no_partner", name=obj.name))
    animated = {channel_of(curve)[0] for curve in edit.bag.fcurves}
    alone = [name for name, k in zip(names, found, strict=True) if k == ALONE and name in animated]
    _note(edit, "root_alone", alone)
    pairs = {}
    for name, k in zip(names, found, strict=True):
        if k != ALONE:
            source, target = bones[name], bones[names[k]]
            turns = mirror_between(_axes(source), _axes(target), plane)
            places = mirror_between(_location_axes(source), _location_axes(target), plane)
            pairs[name] = Pair(name, target.name, turns, places)
    return pairs


def _axes(bone: bpy.types.Bone) -> np.ndarray:
    """A bone's axes at rest in armature space, (3, 3)."""
    return np.array(bone.matrix_local.to_3x3(), dtype=np.float64)


def _location_axes(bone: bpy.types.Bone) -> np.ndarray:
    """The axes that a bone's location is in."""
    if bone.use_local_location:
        return _axes(bone)
    return np.identity(3) if bone.parent is None else _axes(bone.parent)


def _half(edit: Edit, stage: Stage) -> Phase:
    """Half a round later; what cannot go on evenly is told."""
    track = own_track(stage.motion(stage.body), stage.joint(stage.body))
    turn = float(track[-1, 3] - track[0, 3])
    if abs(turn) > STRAIGHT:
        edit.notes.append(text("root_turning_half", degrees=degrees(turn)))
    if as_loop(stage.clip()) is None:
        edit.notes.append(text("root_half_open"))
    first, last = float(stage.times[0]), float(stage.times[-1])
    return Phase(times_of(first, last), first, last)


def _mirror_object(edit: Edit, stage: Stage, across: float, phase: Phase | None) -> None:
    """The object's own way, at the plane that it has at first."""
    times = stage.times if phase is None else phase.times
    now = stage.again(times)
    motion = np.linalg.inv(now.poses.frame) @ now.poses.world
    if phase is not None:
        ends = motion[[0, -1], :3, 3]
        later = stage.again(phase.sources)
        motion = np.linalg.inv(later.poses.frame) @ later.poses.world
        motion[:, :3, 3] += np.multiply.outer(phase.rounds, ends[1] - ends[0])
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    mirror[0, 3] = 2.0 * across
    canonical = np.array(stage.reading.canonical, dtype=np.float64)
    wanted = now.poses.frame @ mirrored_motion(motion, np.linalg.inv(canonical) @ mirror @ canonical)
    Held(edit, times, now.poses, {"": wanted}).hold()


def _note(edit: Edit, key: str, names: list[Any]) -> None:
    if names:
        more = [text("and_more", count=len(names) - NAMED)] if len(names) > NAMED else []
        edit.notes.append(text(key, count=len(names), names=", ".join(names[:NAMED] + more)))
