"""From an armature object to a Rig in canonical space: scale, up, bones, skin, and where the object stands.

Nothing in the file is changed. Model space is in metres, whatever the object's scale and the scene's unit scale. What
makes a rig unusable is a blocking problem, never an exception.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import bpy
from mathutils import Matrix, Vector

from ..core.control.intent import Place
from ..core.presets import PRESETS
from ..core.rig.conventions import Convention, read_conventions
from ..core.rig.rest_vertices import RestVertices
from ..core.rig.rig import Problem, Rig
from ..core.rig.skeleton import Bone, Skeleton
from ..core.rig.understand import understand
from .rest_skin import low_vertices
from .rigify import role_skeleton

# Scales are compared relatively: an imported 0.547929 is never exactly equal on all axes.
SAME_SCALE = 1e-4
LEAST_SCALE = 1e-9
LEANS = math.radians(1.0)


@dataclass(frozen=True)
class Reading:
    """An armature as the core sees it, at the moment of reading.

    `canonical` maps armature space to model space (a rotation and a uniform scale), `scale` is metres of model space
    per unit of armature space, `metres` those in a unit of the scene, `start` where the object stood and faced.
    `problems` holds the rig's as well.
    """

    rig: Rig
    canonical: Matrix
    scale: float
    start: Place
    problems: tuple[Problem, ...]
    metres: float = 1.0

    @property
    def blocking(self) -> tuple[Problem, ...]:
        """The problems that keep the rig from walking."""
        return tuple(problem for problem in self.problems if problem.blocking)


def place_of(matrix_world: Matrix, reading: Reading) -> Place:
    """Where model space stands when the armature object has this world matrix; plain floats, metres."""
    stand, metres = matrix_world @ reading.canonical.inverted(), reading.metres
    return Place(
        stand[0][3] * metres, stand[1][3] * metres, stand[2][3] * metres, math.atan2(stand[1][0], stand[0][0])
    )


class Rest(NamedTuple):
    """A rest pose in metres, Z up, of any facing; `upright` maps armature space to it."""

    skeleton: Skeleton
    vertices: RestVertices | None
    upright: Matrix
    scale: float
    world: Matrix
    problems: tuple[Problem, ...]
    metres: float


@lru_cache(maxsize=1)
def conventions() -> tuple[Convention, ...]:
    """The name conventions that ship with the extension."""
    return read_conventions(PRESETS / "rigs")


def read_rig(
    armature_object: bpy.types.Object,
    depsgraph: bpy.types.Depsgraph | None = None,
    corrections: Mapping[str, str] | None = None,
    metres: float = 1.0,
) -> Reading:
    """Understand an armature object; `corrections` maps roles to bone names, `metres` are those in a Blender unit.

    The place is the evaluated one where a depsgraph is given, else the object's last one.
    """
    rest = read_rest(armature_object, depsgraph, metres)
    understood = understand(rest.skeleton, conventions(), rest.vertices, corrections)
    turn = Matrix.Rotation(understood.turned, 4, "Z")
    found = understood.rig.problems
    if any(problem.blocking for problem in rest.problems):
        # What else cannot be read may only follow from how the object is scaled: a mirrored one stands on its head.
        found = tuple(problem for problem in found if not problem.blocking)
    problems = (*rest.problems, *found)
    return Reading(
        rig=replace(understood.rig, problems=problems),
        canonical=turn @ rest.upright,
        scale=rest.scale,
        start=_place(rest, understood.turned),
        problems=problems,
        metres=metres,
    )


def read_rest(
    armature_object: bpy.types.Object, depsgraph: bpy.types.Depsgraph | None = None, metres: float = 1.0
) -> Rest:
    """The rest pose of an armature object, upright and in metres, with the vertices near its lowest point."""
    source = armature_object.evaluated_get(depsgraph) if depsgraph is not None else armature_object
    world = source.matrix_world.copy()
    problems: list[Problem] = []
    scale = _scale(armature_object.name, world, problems) * metres
    rotation = _rotation(world)
    turn = _to_upright(rotation)
    _note_lean(armature_object.name, rotation, turn, problems)
    upright = turn.to_4x4() @ Matrix.Scale(scale, 4)
    bones = _role_bones(armature_object) or _all_bones(armature_object)
    skeleton = _skeleton(armature_object, bones, turn, scale)
    vertices = low_vertices(armature_object, skeleton.index, upright)
    return Rest(skeleton, vertices, upright, scale, world, tuple(problems), metres)


def _axes(world: Matrix) -> tuple[Vector, Vector, Vector]:
    linear = world.to_3x3()
    return linear.col[0].copy(), linear.col[1].copy(), linear.col[2].copy()


def _scale(name: str, world: Matrix, problems: list[Problem]) -> float:
    """The uniform scale of a world matrix; anything else is said and averaged."""
    axes = _axes(world)
    lengths = [axis.length for axis in axes]
    middle = sorted(lengths)[1]
    remedy = f"Apply the scale of {name} (Object, Apply, Scale), or set it to one value."
    if min(lengths) < LEAST_SCALE:
        problems.append(Problem("", f"{name} has a scale of zero.", remedy, blocking=True))
        return 1.0
    odd = [axis for axis, length in zip("XYZ", lengths, strict=True) if abs(length - middle) > SAME_SCALE * middle]
    if odd:
        values = ", ".join(f"{axis} {length:.6g}" for axis, length in zip("XYZ", lengths, strict=True))
        reason = f"{name} is scaled differently along {' and '.join(odd)} ({values})."
        problems.append(Problem("", reason, remedy, blocking=True))
    elif any(
        abs(a.dot(b)) > SAME_SCALE * middle * middle
        for a, b in ((axes[0], axes[1]), (axes[1], axes[2]), (axes[0], axes[2]))
    ):
        reason = f"{name} is sheared by the scale of its parent."
        problems.append(Problem("", reason, "Apply the parent's scale, or clear the parent.", blocking=True))
    if world.determinant() < 0.0:
        reason = f"{name} is mirrored by a negative scale."
        problems.append(Problem("", reason, f"Apply the scale of {name} (Object, Apply, Scale).", blocking=True))
    return middle


def _rotation(world: Matrix) -> Matrix:
    """The rotation of a world matrix, 3x3, a pure one also where the scale is negative or not uniform."""
    return world.to_quaternion().to_matrix()


def _to_upright(rotation: Matrix) -> Matrix:
    """The quarter turns that bring the armature's axis nearest to the world's up onto Z."""
    up = rotation.transposed() @ Vector((0.0, 0.0, 1.0))
    axis = max(range(3), key=lambda i: (round(abs(up[i]), 4), i))
    quarter = math.pi / 2.0
    if axis == 2:
        return Matrix.Identity(3) if up.z > 0.0 else Matrix.Rotation(math.pi, 3, "X")
    if axis == 1:
        return _exact(Matrix.Rotation(quarter if up.y > 0.0 else -quarter, 3, "X"))
    return _exact(Matrix.Rotation(-quarter if up.x > 0.0 else quarter, 3, "Y"))


def _exact(turn: Matrix) -> Matrix:
    return Matrix([[float(round(value)) for value in row] for row in turn])


def _note_lean(name: str, rotation: Matrix, turn: Matrix, problems: list[Problem]) -> None:
    standing = rotation @ turn.transposed()
    lean = (standing @ Vector((0.0, 0.0, 1.0))).angle(Vector((0.0, 0.0, 1.0)))
    if lean > LEANS:
        reason = f"{name} leans by {math.degrees(lean):.0f} degrees; it is walked upright."
        problems.append(Problem("", reason, "Clear the rotation about the level axes if that is not meant."))


def _place(rest: Rest, turned: float) -> Place:
    """Where the object stands and faces: the yaw that is left when the canonical rotation is taken off."""
    spot = rest.world.translation * rest.metres
    turn = Matrix.Rotation(turned, 3, "Z") @ _to_upright(_rotation(rest.world))
    forward = _rotation(rest.world) @ turn.transposed() @ Vector((0.0, -1.0, 0.0))
    return Place(float(spot.x), float(spot.y), float(spot.z), math.atan2(forward.x, -forward.y))


def _all_bones(armature_object: bpy.types.Object) -> list[tuple[str, str]]:
    """(bone, parent) of every bone, parents first."""
    bones = armature_object.data.bones
    found: list[tuple[str, str]] = []
    waiting = [bone for bone in bones if bone.parent is None]
    while waiting:
        bone = waiting.pop(0)
        found.append((bone.name, bone.parent.name if bone.parent else ""))
        waiting[:0] = list(bone.children)
    return found


def _role_bones(armature_object: bpy.types.Object) -> list[tuple[str, str]]:
    """(bone, carrier) of a generated Rigify rig's role bones, carriers first; empty for any other armature."""
    found = role_skeleton(armature_object)
    return [(bone.name, bone.carrier) for bone in found.bones] if found else []


def _skeleton(armature_object: bpy.types.Object, bones: list[tuple[str, str]], turn: Matrix, scale: float) -> Skeleton:
    source = armature_object.data.bones
    index: dict[str, int] = {}
    made = []
    for name, parent in bones:
        bone = source[name]
        rest = turn.to_4x4() @ bone.matrix_local
        rest.translation = rest.translation * scale
        above = index.get(parent, -1)
        real = bone.parent is not None and bone.parent.name == parent
        made.append(
            Bone(
                name=name,
                parent=above,
                rest=rest,
                length=bone.length * scale,
                connected=bone.use_connect and real,
                deform=bone.use_deform,
                inherit_rotation=bone.use_inherit_rotation,
            )
        )
        index[name] = len(made) - 1
    return Skeleton(tuple(made))
