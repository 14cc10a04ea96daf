"""Plans of bodies for tests, made of the character presets and of skeletons that are changed on the way."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache
from math import degrees

from mathutils import Matrix, Quaternion, Vector
from support.extension import ROOT
from support.rigs import blueprint, rest_vertices
from surefoot.core.ragdoll.limits import beyond, pose_angles
from surefoot.core.ragdoll.make_plan import make_plan
from surefoot.core.ragdoll.plan import RagdollPlan
from surefoot.core.ragdoll_presets import plan_config
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rest_vertices import RestVertices
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.skeleton import Bone, Skeleton
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
OURS = ("person", "dog", "spider", "horse", "bird", "beetle", "snake")


@lru_cache
def our_rig(name: str) -> Rig:
    """The rig of one of the project's characters, read with its skin."""
    return understand(blueprint(name).skeleton(), CONVENTIONS, rest_vertices(name)).rig


@lru_cache
def our_plan(name: str) -> RagdollPlan:
    """Its bodies, sized by its skin."""
    return make_plan(our_rig(name), rest_vertices(name), plan_config())


def read(skeleton: Skeleton, vertices: RestVertices | None = None) -> Rig:
    """A rig of any skeleton."""
    return understand(skeleton, CONVENTIONS, vertices).rig


def plan_of(skeleton: Skeleton, mass: float = 0.0) -> RagdollPlan:
    """The bodies of any skeleton, sized by its bones."""
    return make_plan(read(skeleton), None, plan_config(mass))


def without(skeleton: Skeleton, *names: str) -> Skeleton:
    """The skeleton without some bones (any side); their children hang on what they hung on."""
    gone = {i for i, bone in enumerate(skeleton.bones) if bone.name in names or bone.name[:-2] in names}
    above: dict[int, int] = {-1: -1}
    for i, bone in enumerate(skeleton.bones):
        above[i] = above[bone.parent] if i in gone else i
    kept = [i for i in range(len(skeleton)) if i not in gone]
    place = {-1: -1, **{i: k for k, i in enumerate(kept)}}
    return Skeleton(tuple(replace(skeleton.bones[i], parent=place[above[skeleton.bones[i].parent]]) for i in kept))


def split(skeleton: Skeleton, name: str, count: int) -> Skeleton:
    """The skeleton with one bone cut into `count` equal ones, called name_2 and so on after the first."""
    bones: list[Bone] = []
    place = {-1: -1}
    for i, bone in enumerate(skeleton.bones):
        here = replace(bone, parent=place[bone.parent])
        if bone.name != name:
            bones.append(here)
        else:
            for k in range(count):
                rest = bone.rest @ Matrix.Translation((0.0, bone.length * k / count, 0.0))
                parent = here.parent if k == 0 else len(bones) - 1
                title = name if k == 0 else f"{name}_{k + 1}"
                bones.append(replace(bone, name=title, parent=parent, rest=rest, length=bone.length / count))
        place[i] = len(bones) - 1
    return Skeleton(tuple(bones))


def resized(skeleton: Skeleton, factor: float) -> Skeleton:
    """The skeleton at another size."""
    bones = []
    for bone in skeleton.bones:
        rest = bone.rest.copy()
        rest.translation = rest.translation * factor
        bones.append(replace(bone, rest=rest, length=bone.length * factor))
    return Skeleton(tuple(bones))


def rolled(skeleton: Skeleton, angle: float) -> Skeleton:
    """The skeleton with every bone rolled about itself: nothing is elsewhere, all axes are others."""
    roll = Matrix.Rotation(angle, 4, "Y")
    return Skeleton(tuple(replace(bone, rest=bone.rest @ roll) for bone in skeleton.bones))


def turned(skeleton: Skeleton, name: str, turn: Quaternion) -> Skeleton:
    """The skeleton with another rest pose: a bone and all that hangs on it turned about its joint (model space)."""
    bones = list(skeleton.bones)
    top = skeleton.index[name]
    about = Matrix.Translation(bones[top].head) @ turn.to_matrix().to_4x4() @ Matrix.Translation(-bones[top].head)
    for i in (top, *skeleton.descendants(top)):
        bones[i] = replace(bones[i], rest=about @ bones[i].rest)
    return Skeleton(tuple(bones))


def random_pose(rig: Rig, plan: RagdollPlan, seed: int, spread: float = 0.3) -> EditedPose:
    """Every bone turned at random (radians, standard deviation), the whole moved."""
    chance = random.Random(seed)
    pose = EditedPose.rest(rig.skeleton)
    for i in range(len(rig.skeleton)):
        axis = Vector([chance.gauss(0.0, 1.0) for _ in range(3)]).normalized()
        pose.set_basis(i, Quaternion(axis, chance.gauss(0.0, spread)))
    move = Vector([chance.gauss(0.0, 0.3) for _ in range(3)])
    pose.set_basis(plan.carrier, pose.rotations[plan.carrier], move)
    return pose


def worst_beyond(plan: RagdollPlan, bodies: tuple[float, ...]) -> tuple[float, str]:
    """By how many degrees the worst joint of a pose is past its limits, and which."""
    found = [
        (degrees(beyond(body, angles)), body.role)
        for body, angles in zip(plan.bodies, pose_angles(plan, bodies), strict=True)
        if angles is not None
    ]
    return max(found)
