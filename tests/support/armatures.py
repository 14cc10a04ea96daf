"""Armature objects for tests, built in code from bones in model space, and the reading that a writer needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import radians
from types import SimpleNamespace
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from surefoot.core.rig.pose import Ground, PoseFrame
from surefoot.core.rig.skeleton import Bone, Skeleton


class BonePlan(NamedTuple):
    """One bone in model space (metres)."""

    name: str
    parent: str
    head: tuple[float, float, float]
    tail: tuple[float, float, float]
    roll: float = 0.0
    connected: bool = False


WALKER = (
    BonePlan("root", "", (0, 0, 0), (0, 0.3, 0)),
    BonePlan("pelvis", "root", (0, 0, 0.9), (0, 0.02, 1.1), 0.2),
    BonePlan("chest", "pelvis", (0, 0.02, 1.1), (0, 0, 1.4), -0.4),
    BonePlan("thigh.L", "pelvis", (0.1, 0, 0.9), (0.1, -0.03, 0.5), 0.7),
    BonePlan("shin.L", "thigh.L", (0.1, -0.03, 0.5), (0.1, 0.02, 0.08), -1.3),
    BonePlan("face", "chest", (0, -0.1, 1.45), (0, -0.2, 1.45)),
)


AT_THE_ORIGIN = Ground(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class ReadRig:
    """A stand-in for the rig reader: the numbers that a writer asks for."""

    rig: SimpleNamespace
    canonical: Matrix
    scale: float
    metres: float = 1.0


def build_armature(
    plans: tuple[BonePlan, ...], *, turn: Quaternion | None = None, scale: float = 1.0, name: str = "Walker"
) -> bpy.types.Object:
    """An armature whose object matrix (`turn` and `scale`, as an import leaves them) makes it stand upright."""
    canonical = canonical_of(turn, scale)
    inverse = canonical.inverted()
    armature = bpy.data.armatures.new(name)
    rig = bpy.data.objects.new(name, armature)
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for plan in plans:
        bone = armature.edit_bones.new(plan.name)
        bone.head, bone.tail, bone.roll = inverse @ Vector(plan.head), inverse @ Vector(plan.tail), plan.roll
        bone.parent = armature.edit_bones.get(plan.parent)
        bone.use_connect = plan.connected
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.rotation_mode = "QUATERNION"
    rig.matrix_world = canonical
    bpy.context.view_layer.update()
    return rig


def canonical_of(turn: Quaternion | None, scale: float) -> Matrix:
    """Armature space to model space."""
    return (turn or Quaternion()).to_matrix().to_4x4() @ Matrix.Scale(scale, 4)


def read_armature(rig: bpy.types.Object, *, turn: Quaternion | None = None, scale: float = 1.0) -> ReadRig:
    """All bones of an armature as a skeleton in model space."""
    canonical = canonical_of(turn, scale)
    bones = list(rig.data.bones)
    index = {bone.name: i for i, bone in enumerate(bones)}
    read = [
        Bone(
            bone.name,
            index[bone.parent.name] if bone.parent else -1,
            model_matrix(canonical, bone.matrix_local),
            bone.length * scale,
            bone.use_connect,
        )
        for bone in bones
    ]
    return ReadRig(SimpleNamespace(skeleton=Skeleton(tuple(read)), root=index.get("root", -1)), canonical, scale)


def model_matrix(canonical: Matrix, matrix: Matrix) -> Matrix:
    """An armature-space bone matrix in model space: rotation and place, no scale."""
    moved = canonical @ matrix
    turned = moved.to_quaternion().to_matrix().to_4x4()
    turned.translation = moved.to_translation()
    return turned


def random_pose(
    skeleton: Skeleton,
    seed: int,
    *,
    turned: Sequence[str] = ("pelvis", "chest", "thigh.L", "shin.L"),
    located: Sequence[str] = (),
    degrees: float = 70.0,
    ground: Ground = AT_THE_ORIGIN,
) -> PoseFrame:
    """Turns of up to `degrees` about random axes on the turned bones, and places for the located ones."""
    generator = np.random.default_rng(seed)
    pose = rest_pose(skeleton, ground)
    for name in turned:
        axis = Vector(generator.normal(size=3).tolist()).normalized()
        angle = radians(generator.uniform(-degrees, degrees))
        pose.rotations[skeleton.index[name]] = tuple(Quaternion(axis, angle))
    for name in located:
        pose.locations[skeleton.index[name]] = generator.uniform(-0.3, 0.3, size=3)
    return pose


def rest_pose(skeleton: Skeleton, ground: Ground = AT_THE_ORIGIN) -> PoseFrame:
    """No bone moved."""
    rotations = np.zeros((len(skeleton), 4))
    rotations[:, 0] = 1.0
    return PoseFrame(ground, rotations, np.zeros((len(skeleton), 3)))


def evaluated(rig: bpy.types.Object) -> bpy.types.Object:
    """The rig as the view layer's dependency graph shows it now."""
    return rig.evaluated_get(bpy.context.evaluated_depsgraph_get())


def world_matrices(rig: bpy.types.Object, names: list[str]) -> list[Matrix]:
    """Where bones are shown, world space, without scale."""
    shown = evaluated(rig)
    return [model_matrix(shown.matrix_world, shown.pose.bones[name].matrix) for name in names]


def ground_transform(ground: Ground) -> Matrix:
    """Model space in the world."""
    return Matrix.Translation((ground.x, ground.y, ground.z)) @ Matrix.Rotation(ground.heading, 4, "Z")


def largest_difference(first: list[Matrix], second: list[Matrix]) -> float:
    """The largest difference of any number of two lists of matrices."""
    return max(float(np.abs(np.array(a) - np.array(b)).max()) for a, b in zip(first, second, strict=True))
