"""Skeletons for tests, in canonical space (metres, Z up, facing -Y), made from the character presets.

`person_skeleton()`, `dog_skeleton()` and so on are the presets as they ship; `hexapod_skeleton()` is the spider with
three pairs of legs. A person also comes with straight legs (no knee to measure a hinge from), and with
its arms out level (T).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import atan2
from pathlib import Path
from typing import Literal

import numpy as np
from mathutils import Matrix, Vector
from surefoot.core.rig.blueprint import Blueprint, read_blueprint
from surefoot.core.rig.body_mesh import build_body
from surefoot.core.rig.skeleton import Bone, Skeleton
from surefoot.core.rig.soles import RestVertices

CHARACTERS = Path(__file__).resolve().parents[2] / "presets" / "characters"


@lru_cache
def blueprint(name: str) -> Blueprint:
    """The character preset with this file name."""
    return read_blueprint(CHARACTERS / f"{name}.toml")


def person_skeleton(arms: Literal["A", "T"] = "A", legs: Literal["BENT", "STRAIGHT"] = "BENT") -> Skeleton:
    """A person of 1.75 m: hips 0.92 m up, knees bent about 4 degrees unless straight."""
    skeleton = blueprint("person").skeleton()
    if arms == "T":
        skeleton = _with_level_arms(skeleton)
    if legs == "STRAIGHT":
        skeleton = _with_straight_legs(skeleton)
    return skeleton


def dog_skeleton() -> Skeleton:
    """A dog, 0.55 m at the hip, on its toes."""
    return blueprint("dog").skeleton()


def spider_skeleton() -> Skeleton:
    """Eight legs of three segments that end in points."""
    return blueprint("spider").skeleton()


def horse_skeleton() -> Skeleton:
    """A horse of 1.6 m, on its hooves."""
    return blueprint("horse").skeleton()


def bird_skeleton() -> Skeleton:
    """A bird of half a metre that walks on its toes, with wings that are no arms."""
    return blueprint("bird").skeleton()


def beetle_skeleton() -> Skeleton:
    """Six legs of three segments under a body of 15 cm."""
    return blueprint("beetle").skeleton()


def snake_skeleton() -> Skeleton:
    """A snake of 1.5 m: a head, a body of 27 bones that hangs on its middle, no legs."""
    return blueprint("snake").skeleton()


def hexapod_skeleton() -> Skeleton:
    """The spider without its third pair: six legs, numbered 1 to 3 from the front."""
    kept = [bone for bone in spider_skeleton().bones if not bone.name.startswith("leg3")]
    return with_bones(
        [bone.name.replace("leg4", "leg3") for bone in kept],
        kept,
        [
            spider_skeleton().bones[bone.parent].name.replace("leg4", "leg3") if bone.parent >= 0 else ""
            for bone in kept
        ],
    )


def rest_vertices(name: str) -> RestVertices:
    """The skin of the character preset with this file name, its bones numbered as in the preset's skeleton."""
    body, index = build_body(blueprint(name)), blueprint(name).skeleton().index
    rows = [
        (body.vertices[which], np.full(len(which), index[bone]), share) for bone, (which, share) in body.weights.items()
    ]
    points, bones, weights = (np.concatenate(column) for column in zip(*rows, strict=True))
    return RestVertices(points, bones, weights)


def renamed(skeleton: Skeleton, name_of: Callable[[str], str]) -> Skeleton:
    """The same bones under other names."""
    return Skeleton(tuple(replace(bone, name=name_of(bone.name)) for bone in skeleton.bones))


def with_bones(names: list[str], bones: list[Bone], parents: list[str]) -> Skeleton:
    """A skeleton of these bones with these names and parents ("" for none), parents first."""
    index = {name: i for i, name in enumerate(names)}
    return Skeleton(
        tuple(
            replace(bone, name=name, parent=index.get(parent, -1))
            for name, bone, parent in zip(names, bones, parents, strict=True)
        )
    )


def _with_straight_legs(skeleton: Skeleton) -> Skeleton:
    """Each knee moved onto the line from hip to ankle."""
    bones = list(skeleton.bones)
    for side in "LR":
        i, j = skeleton.index[f"thigh.{side}"], skeleton.index[f"shin.{side}"]
        hip, ankle = bones[i].head, bones[j].tail
        knee = hip.lerp(ankle, bones[i].length / (bones[i].length + bones[j].length))
        bones[i] = _between(bones[i], hip, knee)
        bones[j] = _between(bones[j], knee, ankle)
    return Skeleton(tuple(bones))


def _between(bone: Bone, head: Vector, tail: Vector) -> Bone:
    """The bone laid between two points, turned from where it was by the shortest arc."""
    along = tail - head
    turn = (bone.tail - bone.head).rotation_difference(along).to_matrix()
    rest = (turn @ bone.rest.to_3x3()).to_4x4()
    rest.translation = head
    return replace(bone, rest=rest, length=along.length)


def _with_level_arms(skeleton: Skeleton) -> Skeleton:
    """The arms turned up about the shoulder joint until the upper arm is level."""
    bones = list(skeleton.bones)
    for side in "LR":
        top = skeleton.index[f"upper_arm.{side}"]
        pivot = bones[top].head
        along = bones[top].tail - pivot
        drop = atan2(-along.z, abs(along.x))
        turn = Matrix.Rotation(-drop if along.x > 0 else drop, 4, "Y")
        about = Matrix.Translation(pivot) @ turn @ Matrix.Translation(-pivot)
        for i in (top, *skeleton.descendants(top)):
            bones[i] = replace(bones[i], rest=about @ bones[i].rest)
    return Skeleton(tuple(bones))
