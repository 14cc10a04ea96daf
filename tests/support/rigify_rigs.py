"""Rigify's generated rigs for tests, kept in a temporary folder since one takes five seconds to generate."""

from __future__ import annotations

import tempfile
from math import copysign, radians
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from surefoot.core.ik.leg import LegRest, solve
from surefoot.core.rig.pose import Ground, Pose, PoseFrame
from surefoot.core.rig.rig import Leg
from surefoot.core.rig.skeleton import Bone, Skeleton

from .armatures import AT_THE_ORIGIN, ReadRig, model_matrix, rest_pose

KEPT = Path(tempfile.gettempdir()) / f"surefoot-rigify-{bpy.app.version[0]}.{bpy.app.version[1]}"


def generated_rig(kind: str) -> bpy.types.Object:
    """A generated rig ("human", "wolf", "horse", "cat", "bird", "basic_quadruped") in the current scene."""
    path = KEPT / f"{kind}.blend"
    if not path.is_file():
        _generate(kind, path)
    with bpy.data.libraries.load(str(path)) as (source, target):
        target.objects = [name for name in source.objects if name == "rig"]
    rig = target.objects[0]
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.context.view_layer.update()
    return rig


def overridden_rig(kind: str) -> bpy.types.Object:
    """The same rig linked from its file, with a library override in the current scene."""
    generated_rig(kind)
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    with bpy.data.libraries.load(str(KEPT / f"{kind}.blend"), link=True) as (source, target):
        target.objects = [name for name in source.objects if name == "rig"]
    bpy.context.scene.collection.objects.link(target.objects[0])
    rig = target.objects[0].override_create(remap_local_usages=True)
    bpy.context.view_layer.update()
    return rig


def metarig(kind: str) -> bpy.types.Object:
    """The metarig that a rig is generated from; Rigify stays enabled."""
    bpy.ops.preferences.addon_enable(module="rigify")
    _drop_its_handlers()
    getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
    return bpy.context.object


def _generate(kind: str, path: Path) -> None:
    before = set(bpy.data.objects)
    metarig(kind)
    bpy.ops.pose.rigify_generate()
    rig = bpy.context.object
    rig.name = "rig"
    path.parent.mkdir(parents=True, exist_ok=True)
    bpy.data.libraries.write(str(path), {rig}, compress=True)
    for item in set(bpy.data.objects) - before:
        bpy.data.objects.remove(item)
    bpy.ops.preferences.addon_disable(module="rigify")


def _drop_its_handlers() -> None:
    """From 5.0 on it leaves one behind when it is disabled, which fails on every file that is loaded then."""
    loaded = bpy.app.handlers.load_post
    for handler in [each for each in loaded if each.__module__.startswith("rigify")]:
        loaded.remove(handler)


def read_roles(rig: bpy.types.Object, canonical: Matrix, scale: float = 1.0) -> tuple[ReadRig, object]:
    """The role skeleton as a reading, and the roles."""
    from surefoot.addon.rigify import role_skeleton

    roles = role_skeleton(rig)
    index = {bone.name: i for i, bone in enumerate(roles.bones)}
    bones = [
        Bone(
            bone.name,
            index.get(bone.carrier, -1),
            model_matrix(canonical, rig.data.bones[bone.name].matrix_local),
            rig.data.bones[bone.name].length * scale,
        )
        for bone in roles.bones
    ]
    reading = ReadRig(SimpleNamespace(skeleton=Skeleton(tuple(bones)), root=index["root"]), canonical, scale)
    return reading, roles


def moving_pose(skeleton: Skeleton, roles: object, seed: int, ground: Ground = AT_THE_ORIGIN) -> PoseFrame:
    """A lively pose: trunk turned and moved, each leg swung, bent about its hinge, its foot and toes turned."""
    generator = np.random.default_rng(seed)
    pose = rest_pose(skeleton, ground)
    spread = {"SPINE": 8.0, "NECK": 20.0, "HEAD": 20.0, "TAIL": 20.0, "SHOULDER": 6.0}
    for bone in roles.bones:
        if bone.role in spread:
            pose.rotations[skeleton.index[bone.name]] = _turn(generator, spread[bone.role])
    pelvis = skeleton.index[roles.spine[0]]
    pose.rotations[pelvis] = _turn(generator, 15.0)
    pose.locations[pelvis] = generator.uniform(-0.05, 0.05, 3) * skeleton.bones[pelvis].head.z
    for limb in roles.limbs:
        indices = [skeleton.index[name] for name in limb.bones]
        side = copysign(1.0, (skeleton.rest_local[indices[1]].to_3x3() @ Vector((0.0, 1.0, 0.0))).z)
        pose.rotations[indices[0]] = _turn(generator, 25.0)
        pose.rotations[indices[1]] = _hinge(side * generator.uniform(2.0, 35.0))
        for i in indices[2:]:
            pose.rotations[i] = _hinge(generator.uniform(-20.0, 20.0))
        if limb.kind in {"LEG", "ARM"}:
            pose.rotations[indices[2]] = _turn(generator, 25.0)
    return pose


def folded_pose(skeleton: Skeleton, leg: Leg, share: float, tilt: float, pitch: float) -> PoseFrame:
    """The rest pose with one leg's tip at a share of its length from its root, as the core folds a leg.

    `tilt` turns the line to the tip forward, `pitch` the foot and what follows it (radians, about the character's X).
    """
    pose = Pose(skeleton)
    ahead = Vector((0.0, -1.0, 0.0))
    rest = LegRest.from_rest(leg.chain, ahead, "BACK" if leg.role.startswith("front") else "FORWARD")
    line = Matrix.Rotation(-tilt, 3, "X") @ rest.line
    turns = solve(rest, Matrix(), rest.joints[0] + line * (share * sum(leg.lengths)), ahead).rotations
    pitched = Quaternion((1.0, 0.0, 0.0), pitch)
    for bone, turn in [*zip(leg.bones, turns, strict=True), *((bone, pitched) for bone in (leg.foot, *leg.toes))]:
        pose.set_model(bone, (turn @ skeleton.bones[bone].rest.to_quaternion()).to_matrix().to_4x4())
    return pose.frame(AT_THE_ORIGIN, (), ())


def _turn(generator: np.random.Generator, spread: float) -> tuple[float, ...]:
    axis = Vector(generator.normal(size=3).tolist()).normalized()
    return tuple(Quaternion(axis, radians(generator.uniform(-spread, spread))))


def _hinge(angle: float) -> tuple[float, ...]:
    return tuple(Quaternion((1.0, 0.0, 0.0), radians(angle)))
