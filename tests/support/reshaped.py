"""Skeletons of tests made larger, mirrored, uneven."""

from __future__ import annotations

from dataclasses import replace

from mathutils import Matrix, Vector
from surefoot.core.rig.skeleton import Skeleton

MIRROR = Matrix.Diagonal((-1.0, 1.0, 1.0, 1.0))


def scaled(skeleton: Skeleton, factor: float) -> Skeleton:
    """The same skeleton at another size."""
    bones = []
    for bone in skeleton.bones:
        rest = bone.rest.copy()
        rest.translation = rest.to_translation() * factor
        bones.append(replace(bone, rest=rest, length=bone.length * factor))
    return Skeleton(tuple(bones))


def mirrored(skeleton: Skeleton) -> Skeleton:
    """The skeleton's mirror image, left called right and right left; a bone's own X is mirrored too."""
    return Skeleton(
        tuple(replace(bone, name=_other_side(bone.name), rest=MIRROR @ bone.rest @ MIRROR) for bone in skeleton.bones)
    )


def with_short_shin(skeleton: Skeleton, side: str, shorter: float) -> Skeleton:
    """A person whose one shin is shorter: its foot hangs `shorter` metres over the floor at rest."""
    bones = list(skeleton.bones)
    shin = skeleton.index[f"shin.{side}"]
    along = (bones[shin].tail - bones[shin].head).normalized()
    bones[shin] = replace(bones[shin], length=bones[shin].length - shorter)
    for i in skeleton.descendants(shin):
        bones[i] = replace(bones[i], rest=Matrix.Translation(-shorter * along) @ bones[i].rest)
    return Skeleton(tuple(bones))


def with_wide_stance(skeleton: Skeleton, side: str, wider: float) -> Skeleton:
    """A person whose one leg hangs further out."""
    bones = list(skeleton.bones)
    thigh = skeleton.index[f"thigh.{side}"]
    shift = Matrix.Translation(Vector((wider if side == "L" else -wider, 0.0, 0.0)))
    for i in (thigh, *skeleton.descendants(thigh)):
        bones[i] = replace(bones[i], rest=shift @ bones[i].rest)
    return Skeleton(tuple(bones))


def _other_side(name: str) -> str:
    if name.endswith(".L"):
        return name[:-2] + ".R"
    return name[:-2] + ".L" if name.endswith(".R") else name
