"""An armature that is to be moved: as it is shown, mirrored by a negative scale, or lying at rest.

What it is matched by stands and faces -Y, stood up and mirrored in numbers. What is written are the channels of its
bones as they are, on axes that may be left-handed and from a rest pose that may lie; of a control rig, whose controls
are worked out on axes as Blender has them, in the mirror.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ..core.rig.rig import Problem
from ..core.rig.skeleton import Skeleton
from ..core.rig.standing import best_way, clearly_stands
from .rig_reading import Reading, Rest, read_rest, read_rig
from .rigify import is_generated
from .saved_mappings import corrections_of
from .source_reading import QUARTERS, TURNED, arranged, read_source, understood

FAR = 0.5
"""The origin is where a body lies if that is no farther over or under it than this share of its size."""


@dataclass(frozen=True)
class TargetReading:
    """A target as it is matched, and as it is written.

    `reading` stands and is seen as it is shown. `own` is on the armature's own axes and rest pose; `turn` (4, 4) is
    what brings that rest pose to the one of `reading` in model space, None where they are one. `refusals` keep it from
    being moved, and do not come of its bones.
    """

    reading: Reading
    own: Reading
    turn: np.ndarray | None = None
    refusals: tuple[Problem, ...] = ()


def target_reading(obj: Object, metres: float) -> TargetReading:
    """Understand an armature that is to be moved, by its rest pose and its user's corrections."""
    generated = is_generated(obj)
    if obj.matrix_world.determinant() < 0.0:
        return _mirrored(obj, metres, controls=generated)
    reading = read_rig(obj, None, corrections_of(obj), metres)
    rig = reading.rig
    is_doubtful = len(rig.skeleton) and rig.long_body is None and not clearly_stands(rig) and not generated
    if not is_doubtful and not reading.blocking:
        return TargetReading(reading, reading)
    rest = read_rest(obj, None, metres)
    refusals = tuple(item for item in rest.problems if item.blocking)
    stood = _stood_up(obj, reading, rest) if is_doubtful and not refusals else None
    return stood or TargetReading(reading, reading, None, refusals)


def _mirrored(obj: Object, metres: float, *, controls: bool) -> TargetReading:
    """As the figure that is seen: what is shown on the left is its left. Controls are worked out in the mirror."""
    found = read_source(obj, None, metres)
    refusals = found.refusals
    if np.abs(found.turn - np.identity(4)).max() > TURNED:
        reason = f"{obj.name} does not stand on its feet, mirrored by a negative scale as it is."
        remedy = f"Apply the scale of {obj.name} (Object, Apply, Scale), or turn it until it stands."
        refusals = (*refusals, Problem("", reason, remedy, blocking=True))
    if controls:
        return TargetReading(found.reading, found.reading, None, refusals)
    return TargetReading(found.reading, _on_own_axes(obj, found.reading), np.identity(4), refusals)


def _stood_up(obj: Object, reading: Reading, rest: Rest) -> TargetReading | None:
    """A rest pose that lies, or hangs upside down, stood up where it is; None for one that is best as it is."""
    corrections = corrections_of(obj)
    rests = [arranged(obj, rest, _on_its_level(rest.skeleton, quarter)) for quarter in QUARTERS]
    ways = [reading, *(understood(turned, corrections) for turned in rests)]
    best = best_way([way.rig for way in ways])
    if best == 0:
        return None
    level = ways[best].canonical @ rests[best - 1].upright.inverted() @ rest.upright
    turn = ways[best].canonical @ level.inverted()
    own = replace(ways[best], canonical=level)
    return TargetReading(ways[best], _on_own_axes(obj, own), np.array(turn, dtype=np.float64))


def _on_its_level(skeleton: Skeleton, quarter: Matrix) -> Matrix:
    """A quarter turn about the object's origin after which the body stands on the level of that, or as low as it lay
    where it is far from there.
    """
    lay: np.ndarray = np.array([tuple(bone.head) for bone in skeleton.bones], dtype=np.float64)
    low, size = float(np.min(lay[:, 2])), float(np.max(np.ptp(lay, axis=0)))
    stood = min(float((quarter @ bone.head).z) for bone in skeleton.bones)
    floor = low if abs(low) > FAR * size else 0.0
    return Matrix.Translation((0.0, 0.0, floor - stood)) @ quarter


def _on_own_axes(obj: Object, reading: Reading) -> Reading:
    """A reading whose bones have the armature's own axes and rest pose, in which their channels are.

    How bones move from rest does not depend on their axes, so a clip on the one is a clip on the other.
    """
    axes = 1.0 / reading.scale
    bones = []
    for bone in reading.rig.skeleton.bones:
        rest = reading.canonical @ obj.data.bones[bone.name].matrix_local
        place = Matrix.Translation(rest.to_translation())
        bones.append(replace(bone, rest=place @ (rest.to_3x3() * axes).to_4x4()))
    return replace(reading, rig=replace(reading.rig, skeleton=Skeleton(tuple(bones))))
