"""An armature as the source of a motion: understood as it is shown, mirrored, lying on its back or turned as it may be.

Of a source only the motion counts: its rest pose is stood up and mirrored in numbers, and nothing is asked of its
user. A rig that is to be moved has to stand at rest; mirrored it may be, its keys are worked out on its own axes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import radians

import numpy as np
from bpy.types import Depsgraph, Object
from mathutils import Matrix

from ..core.control.intent import Place
from ..core.rig.rig import Problem, Rig
from ..core.rig.skeleton import Skeleton
from ..core.rig.understand import understand
from .rest_skin import low_vertices
from .rig_reading import Reading, Rest, conventions, place_of, read_rest
from .saved_mappings import corrections_of

MIRROR = Matrix.Scale(-1.0, 4, (1.0, 0.0, 0.0))
TURNS = (("X", 90.0), ("X", -90.0), ("Y", 90.0), ("Y", -90.0), ("X", 180.0))
QUARTERS = tuple(Matrix.Rotation(radians(angle), 4, axis) for axis, angle in TURNS)
TURNED = 1e-3
STANDS = 0.5
"""A body is upright if its head is over its hips, and those over its feet, by this share of the way there."""


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
        rest = _arranged(obj, rest, upright @ MIRROR @ before.inverted())
    elif (upright.inverted() @ before).to_quaternion().angle > TURNED:
        rest = _arranged(obj, rest, upright @ before.inverted())
    refusals = tuple(item for item in rest.problems if item.blocking and not (mirrored and "mirrored" in item.reason))
    corrections = corrections_of(obj)
    found, turn = _read(rest, corrections), Matrix.Identity(4)
    for quarter in () if stands(found.rig) else QUARTERS:
        # Where names say nothing, anything has legs if it is turned long enough.
        other = _read(_arranged(obj, rest, quarter), corrections)
        if other.rig.convention and stands(other.rig):
            found, turn = other, quarter
            break
    level = found.canonical @ rest.upright.inverted() @ turn.inverted() @ rest.upright
    return SourceReading(found, np.array(turn), level, refusals)


def is_mirrored(obj: Object) -> bool:
    """Whether a negative scale, its own or of a parent, shows an object mirrored."""
    return obj.matrix_world.determinant() < 0.0


def read_mirrored(obj: Object, metres: float) -> tuple[Reading, tuple[Problem, ...]]:
    """A mirrored armature that is to be moved, as the figure that is seen: what is shown on the left is its left.

    Also what keeps it from being moved, and does not come of its bones.
    """
    found = read_source(obj, None, metres)
    refusals = found.refusals
    if np.abs(found.turn - np.identity(4)).max() > TURNED:
        reason = f"{obj.name} does not stand on its feet, mirrored by a negative scale as it is."
        remedy = f"Apply the scale of {obj.name} (Object, Apply, Scale), or turn it until it stands."
        refusals = (*refusals, Problem("", reason, remedy, blocking=True))
    return found.reading, refusals


def on_own_axes(obj: Object, reading: Reading) -> Reading:
    """A mirrored reading whose bones have the armature's own axes, in which their channels are: left-handed in it.

    How bones move from rest does not depend on their axes, so a clip on the one is a clip on the other.
    """
    bones = tuple(
        replace(bone, rest=_in_model(reading, obj.data.bones[bone.name].matrix_local))
        for bone in reading.rig.skeleton.bones
    )
    return replace(reading, rig=replace(reading.rig, skeleton=Skeleton(bones)))


def _in_model(reading: Reading, matrix: Matrix) -> Matrix:
    """A bone of an armature in the reading's model space, its axes of length 1."""
    rest = reading.canonical @ matrix
    return Matrix.Translation(rest.to_translation()) @ (rest.to_3x3() * (1.0 / reading.scale)).to_4x4()


def stands(rig: Rig) -> bool:
    """True for a rest pose with legs below its hips and a head above them; of more than two legs, with legs."""
    if not rig.legs or any(problem.blocking for problem in rig.problems):
        return False
    if len(rig.legs) != 2:
        return True
    legs = [leg.hip - leg.tip for leg in rig.legs]
    if any(way.z < STANDS * way.length for way in legs):
        return False
    if rig.head < 0:
        return True
    neck = rig.skeleton.bones[rig.head].head - rig.legs[0].hip.lerp(rig.legs[1].hip, 0.5)
    return bool(neck.z > STANDS * neck.length)


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


def _arranged(obj: Object, rest: Rest, change: Matrix) -> Rest:
    """The same rest pose after a turn, or a mirroring, of model space; its skin near the floor read anew."""
    flip = MIRROR if change.determinant() < 0.0 else Matrix.Identity(4)
    bones = tuple(replace(bone, rest=change @ bone.rest @ flip) for bone in rest.skeleton.bones)
    skeleton, upright = Skeleton(bones), change @ rest.upright
    return rest._replace(skeleton=skeleton, vertices=low_vertices(obj, skeleton.index, upright), upright=upright)


def _read(rest: Rest, corrections: dict[str, str]) -> Reading:
    understood = understand(rest.skeleton, conventions(), rest.vertices, corrections)
    turn = Matrix.Rotation(understood.turned, 4, "Z")
    canonical = turn @ rest.upright
    problems = understood.rig.problems
    reading = Reading(understood.rig, canonical, rest.scale, Place(0.0, 0.0, 0.0, 0.0), problems, rest.metres)
    return replace(reading, start=place_of(rest.world, reading))
