"""Rest matrices of every bone of a control rig in model space, and Blender's own rules for a bone's location axes."""

from __future__ import annotations

import bpy
from mathutils import Matrix, Quaternion

from ...core.rig.pose import Numbers
from ...core.rig.skeleton import Skeleton


def rest_matrices(armature_object: bpy.types.Object, canonical: Matrix) -> dict[str, Matrix]:
    """Each bone's rest matrix in model space: orthonormal, metres."""
    turn = canonical.to_quaternion().to_matrix().to_4x4()
    rests = {}
    for bone in armature_object.data.bones:
        rest = turn @ bone.matrix_local
        rest.translation = canonical @ bone.matrix_local.to_translation()
        rests[bone.name] = rest
    return rests


def location_axes(bone: bpy.types.Bone, rests: dict[str, Matrix], canonical: Matrix) -> Matrix:
    """The turn (3, 3) from a bone's own axes to those that its location channel is in."""
    if bone.use_local_location:
        return Matrix.Identity(3)
    outer = rests[bone.parent.name] if bone.parent else canonical.to_quaternion().to_matrix().to_4x4()
    return (outer.inverted() @ rests[bone.name]).to_3x3()


class RoleModels:
    """Model matrices of the role bones of a pose: forward kinematics with everything constant prepared."""

    def __init__(self, skeleton: Skeleton) -> None:
        self._parents = [bone.parent for bone in skeleton.bones]
        self._local = [matrix.copy() for matrix in skeleton.rest_local]

    def __call__(self, rotations: list[Numbers], locations: list[Numbers]) -> list[Matrix]:
        """Matrices of all bones; rotations wxyz and locations as in a PoseFrame."""
        models: list[Matrix] = []
        for parent, local, rotation, location in zip(
            self._parents, self._local, rotations, locations, strict=True
        ):
            placed = models[parent] @ local if parent >= 0 else local
            if location[0] or location[1] or location[2]:
                placed = placed @ Matrix.Translation(location)
            models.append(placed @ Quaternion(rotation).to_matrix().to_4x4())
        return models
