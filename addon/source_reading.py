"""An armature as the source of a motion: understood as it is shown, mirrored, lying on its back or turned as it may be.

Of a source only the motion counts: its rest pose is stood up and mirrored in numbers, and nothing is asked of its
user.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import radians

import numpy as np
from bpy.types import Depsgraph, Object
from mathutils import Matrix

from ..core.control.intent import Place
from ..core.rig.rig import Problem
from ..core.rig.skeleton import Skeleton
from ..core.rig.standing import stands
from ..core.rig.understand import understand
from .rest_skin import low_vertices
from .rig_reading import Reading, Rest, conventions, place_of, read_rest
from .saved_mappings import corrections_of

MIRROR = Matrix.Scale(-1.0, 4, (1.0, 0.0, 0.0))
TURNS = (("X", 90.0), ("X", -90.0), ("Y", 90.0), ("Y", -90.0), ("X", 180.0))
QUARTERS = tuple(Matrix.Rotation(radians(angle), 4, axis) for axis, angle in TURNS)
TURNED = 1e-3


@dataclass(frozen=True)
class SourceReading:
    """A source as the core sees it. `reading.canonical` maps armature space to a rest pose that stands, also where it
    mirrors. `turn` (4, 4) is what stood it up, the identity where it stands by itself; `level` maps armature space to
    model space without it.
    """

    reading: Reading
    turn: np.ndarray
    level: Matrix
    refusals: tuple[Problem, ...]

    def place(self, world: Matrix) -> Place:
        """Where model space stands when the object has this world matrix, and bones stand up what lies at rest."""
        return place_of(world, replace(self.reading, canonical=self.level))


def read_source(obj: Object, depsgraph: Depsgraph | None, metres: float) -> SourceReading:
    """Understand an armature by its rest pose, however that lies in the world."""
    rest = read_rest(obj, depsgraph, metres)
    mirrored = rest.world.determinant() < 0.0
    upright = _upright(rest.world @ MIRROR if mirrored else rest.world)
    before = rest.upright.to_quaternion().to_matrix().to_4x4()
    if mirrored:
        rest = arranged(obj, rest, upright @ MIRROR @ before.inverted())
    elif (upright.inverted() @ before).to_quaternion().angle > TURNED:
        rest = arranged(obj, rest, upright @ before.inverted())
    refusals = tuple(item for item in rest.problems if item.blocking and not (mirrored and "mirrored" in item.reason))
    corrections = corrections_of(obj)
    found, turn = understood(rest, corrections), Matrix.Identity(4)
    for quarter in () if stands(found.rig) else QUARTERS:
        # Where names say nothing, anything has legs if it is turned long enough.
        other = understood(arranged(obj, rest, quarter), corrections)
        if other.rig.convention and stands(other.rig):
            found, turn = other, quarter
            break
    level = found.canonical @ rest.upright.inverted() @ turn.inverted() @ rest.upright
    return SourceReading(found, np.array(turn), level, refusals)


def _upright(world: Matrix) -> Matrix:
    """The quarter turns that bring the axis of the armature that is nearest to the world's up onto Z."""
    up = world.to_quaternion().to_matrix().transposed().col[2]
    axis = max(range(3), key=lambda i: (round(abs(up[i]), 4), i))
    target = [0.0, 0.0, 0.0]
    target[axis] = 1.0 if up[axis] > 0.0 else -1.0
    if axis == 2:
        return Matrix.Identity(4) if up.z > 0.0 else Matrix.Rotation(np.pi, 4, "X")
    kind, sign = ("X", target[1]) if axis == 1 else ("Y", -target[0])
    return Matrix.Rotation(sign * 0.5 * np.pi, 4, kind)


def arranged(obj: Object, rest: Rest, change: Matrix) -> Rest:
    """The same rest pose after a turn, or a mirroring, of model space; its skin near the floor read anew."""
    flip = MIRROR if change.determinant() < 0.0 else Matrix.Identity(4)
    bones = tuple(replace(bone, rest=change @ bone.rest @ flip) for bone in rest.skeleton.bones)
    skeleton, upright = Skeleton(bones), change @ rest.upright
    return rest._replace(skeleton=skeleton, vertices=low_vertices(obj, skeleton.index, upright), upright=upright)


def understood(rest: Rest, corrections: dict[str, str]) -> Reading:
    """What is understood of a rest pose that was arranged."""
    understood = understand(rest.skeleton, conventions(), rest.vertices, corrections)
    turn = Matrix.Rotation(understood.turned, 4, "Z")
    canonical = turn @ rest.upright
    problems = understood.rig.problems
    reading = Reading(understood.rig, canonical, rest.scale, Place(0.0, 0.0, 0.0, 0.0), problems, rest.metres)
    return replace(reading, start=place_of(rest.world, reading))
