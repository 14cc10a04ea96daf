"""Does a rig do what its controls are told? Three poses are shown, evaluated and compared; errors become problems.

A tweak that was moved, a control with a constraint of the animator's own, a rig built in a way that is not known
here: all show as a bone that is not where it was put. The pose and the switches are left as they were.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, degrees, pi, radians

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...core.rig.pose import Ground, PoseFrame, model_matrices
from ...core.rig.rig import Problem
from ...core.rig.skeleton import Skeleton
from ..channel_writer import Writer
from ..travel_writing import ground_matrix
from .role_skeleton import RoleLimb, RoleSkeleton

SEED = 20
POSES = 3
SPREAD = {"SPINE": 6.0, "NECK": 15.0, "HEAD": 15.0, "TAIL": 15.0, "SHOULDER": 5.0}  # degrees
PLACE_LIMIT = 0.001  # of the rig's height
TURN_LIMIT = radians(1.0)
TWISTING = {"ROOT", "SPINE"}  # a torso bone at the pivot shares its neighbours' twist: its place is right


@dataclass(frozen=True, slots=True)
class Tested:
    """What a rig was read as: the role skeleton in model space, its roles, and armature space to model space.

    `metres` are those in a Blender unit.
    """

    skeleton: Skeleton
    roles: RoleSkeleton
    canonical: Matrix
    metres: float = 1.0


HIDDEN = Problem(
    "",
    "The rig is not evaluated (hidden in the viewport, or in no visible collection), so its controls were not tested.",
    "Show it and set it up again.",
)


def trial_pose(skeleton: Skeleton, roles: RoleSkeleton, generator: np.random.Generator) -> PoseFrame:
    """A pose with every role bone turned a little, legs bent about their hinges, and the pelvis moved."""
    rotations = np.zeros((len(skeleton), 4))
    rotations[:, 0] = 1.0
    locations = np.zeros((len(skeleton), 3))
    for bone in roles.bones:
        i = skeleton.index.get(bone.name)
        if i is not None and bone.role in SPREAD:
            rotations[i] = tuple(_random_turn(generator, SPREAD[bone.role]))
    for limb in roles.limbs:
        _bend(skeleton, limb, rotations, generator)
    pelvis = skeleton.index[roles.spine[0]]
    size = skeleton.bones[pelvis].head.z
    locations[pelvis] = generator.uniform(-0.03, 0.03, size=3) * size
    return PoseFrame(Ground(0.0, 0.0, 0.0, 0.0), rotations, locations)


def _bend(skeleton: Skeleton, limb: RoleLimb, rotations: np.ndarray, generator: np.random.Generator) -> None:
    """The first bone turns freely, the second about its hinge to the side it is bent to at rest, the others a bit."""
    indices = [skeleton.index[name] for name in limb.bones if name in skeleton.index]
    if len(indices) < 2:
        return
    rest = skeleton.rest_local[indices[1]].to_3x3() @ Vector((0.0, 1.0, 0.0))
    turns = [
        _random_turn(generator, 20.0),
        Quaternion((1.0, 0.0, 0.0), copysign(radians(generator.uniform(5.0, 30.0)), rest.z)),
    ]
    turns += [Quaternion((1.0, 0.0, 0.0), radians(generator.uniform(-12.0, 12.0))) for _ in indices[2:]]
    for i, turn in zip(indices, turns, strict=True):
        rotations[i] = tuple(turn)


def _random_turn(generator: np.random.Generator, spread: float) -> Quaternion:
    axis = Vector(generator.normal(size=3).tolist()).normalized()
    return Quaternion(axis, radians(generator.uniform(-spread, spread)))


def check_writer(
    armature_object: bpy.types.Object, depsgraph: bpy.types.Depsgraph, tested: Tested, writer: Writer
) -> list[Problem]:
    """Show three fixed poses with a writer and say which bones were off; not to be called from a frame handler."""
    if not armature_object.evaluated_get(depsgraph).is_evaluated:
        return [HIDDEN]
    saved = writer.capture(armature_object)
    generator = np.random.default_rng(SEED)
    # The frame against which no travel is written: where the armature stands at the world's origin.
    standing = ground_matrix(Ground(0.0, 0.0, 0.0, 0.0), tested.metres) @ np.array(tested.canonical, dtype=np.float64)
    worst = [(0.0, 0.0)] * len(tested.skeleton)
    for _ in range(POSES):
        pose = trial_pose(tested.skeleton, tested.roles, generator)
        writer.apply(armature_object, writer.row(pose, None, standing))
        depsgraph.update()
        errors = _errors(armature_object.evaluated_get(depsgraph), tested, model_matrices(tested.skeleton, pose))
        worst = [(max(a[0], b[0]), max(a[1], b[1])) for a, b in zip(worst, errors, strict=True)]
    writer.restore(armature_object, saved)
    depsgraph.update()
    return _problems(tested, worst)


def _errors(evaluated: bpy.types.Object, tested: Tested, models: list[Matrix]) -> list[tuple[float, float]]:
    """How far each role bone is from where it was put: (metres at its head, radians)."""
    turn = tested.canonical.to_quaternion()
    errors = []
    for bone, wanted in zip(tested.skeleton.bones, models, strict=True):
        shown = evaluated.pose.bones[bone.name].matrix
        place = (tested.canonical @ shown.to_translation() - wanted.to_translation()).length
        angle = (turn @ shown.to_quaternion()).rotation_difference(wanted.to_quaternion()).angle
        errors.append((place, min(angle, 2.0 * pi - angle)))
    return errors


def _problems(tested: Tested, worst: list[tuple[float, float]]) -> list[Problem]:
    """A sentence for each bone that was not where it was put."""
    kinds = {bone.name: bone for bone in tested.roles.bones}
    heights = [bone.head.z for bone in tested.skeleton.bones]
    limit = PLACE_LIMIT * (max(heights) - min(heights))
    problems = []
    for bone, (place, angle) in zip(tested.skeleton.bones, worst, strict=True):
        if place > limit or (kinds[bone.name].role not in TWISTING and angle > TURN_LIMIT):
            reason = f"In a test pose it was {1000.0 * place:.1f} mm and {degrees(angle):.1f} degrees from its place."
            remedy = f"Clear the pose of the controls around {kinds[bone.name].control!r} (tweaks, hips, chest)."
            problems.append(Problem(bone.name, reason, remedy))
    return problems
