"""Every rig of the shared data and of Rigify: legs, sides, order and facing, as they are and after four changes."""

from __future__ import annotations

import importlib.util
import math
import os
import random
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from mathutils import Matrix
from support.extension import ROOT
from support.real_rigs import RealRig, data_files, dump_in_subprocess, is_complete, load_rigs
from support.rig_truth import NO_ARMATURE, truth_of
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.rest_vertices import RestVertices
from surefoot.core.rig.skeleton import Skeleton
from surefoot.core.rig.understand import understand

CONVENTIONS = read_conventions(ROOT / "presets" / "rigs")
SHARED_DATA = Path(os.environ.get("SUREFOOT_SHARED", ROOT.parent / "shared")) / "data"
# Rest poses taken in mid-stride face only roughly where the body goes.
FACING_WITHIN = math.radians(12.0)
Case = tuple[Skeleton, RestVertices | None, dict[str, str]]


@lru_cache(maxsize=1)
def rigs() -> dict[str, RealRig]:
    """All real rigs, from the cache; filled first where this Python has Blender."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"No real data at {SHARED_DATA}.")
    if not is_complete(SHARED_DATA):
        if importlib.util.find_spec("bpy") is None:
            pytest.skip("No dumped rigs yet: run tests/support/real_rigs.py in a Blender Python.")
        dump_in_subprocess(SHARED_DATA)
    return load_rigs()


def named(rig: RealRig, vertices: RestVertices | None = None) -> Case:
    """The rig as it is."""
    return rig.skeleton, vertices, {bone.name: bone.name for bone in rig.skeleton.bones}


def scrambled(case: Case, seed: int = 7) -> Case:
    """Names that mean nothing."""
    skeleton, vertices, names = case
    numbers = list(range(len(skeleton)))
    random.Random(seed).shuffle(numbers)
    bones = tuple(replace(b, name=f"Bone.{n:03d}") for b, n in zip(skeleton.bones, numbers, strict=True))
    return (
        Skeleton(bones),
        vertices,
        {f"Bone.{n:03d}": names[b.name] for b, n in zip(skeleton.bones, numbers, strict=True)},
    )


def reordered(case: Case, seed: int = 5) -> Case:
    """Another order of the bones, parents still first."""
    skeleton, vertices, names = case
    chance = random.Random(seed)
    ready, order = [i for i, bone in enumerate(skeleton.bones) if bone.parent < 0], []
    while ready:
        order.append(ready.pop(chance.randrange(len(ready))))
        ready.extend(skeleton.children[order[-1]])
    place = {old: new for new, old in enumerate(order)}
    bones = tuple(replace(skeleton.bones[i], parent=place.get(skeleton.bones[i].parent, -1)) for i in order)
    if vertices is not None:
        vertices = replace(vertices, bones=np.array([place[bone] for bone in vertices.bones]))
    return Skeleton(bones), vertices, names


def mirrored(case: Case) -> Case:
    """The mirror image; names stay with their bones."""
    skeleton, vertices, names = case
    mirror = Matrix.Diagonal((-1.0, 1.0, 1.0, 1.0))
    bones = tuple(replace(bone, rest=mirror @ bone.rest @ mirror) for bone in skeleton.bones)
    if vertices is not None:
        vertices = replace(vertices, points=vertices.points * (-1.0, 1.0, 1.0))
    return Skeleton(bones), vertices, names


def turned(case: Case, yaw: float) -> Case:
    """The rig facing another way."""
    skeleton, vertices, names = case
    vertices = vertices.turned(yaw) if vertices is not None else None
    return skeleton.moved(Matrix.Rotation(yaw, 4, "Z")), vertices, names


def wrong(name: str, case: Case, *, mirror: bool = False, yaw: float = 0.0) -> str:
    """What is not as it should be; empty if all is."""
    skeleton, vertices, names = case
    found = understand(skeleton, CONVENTIONS, vertices)
    truth = truth_of(name)
    if truth is None:
        return "" if not found.rig.legs and any(p.blocking for p in found.rig.problems) else "legs were found"
    other = {"L": "R", "R": "L"} if mirror else {"L": "L", "R": "R"}
    expected = {bone: (other[side], order) for bone, (side, order) in truth.expected().items()}
    bones = found.rig.skeleton.bones
    seen = {names[bones[i].name]: (leg.side, leg.order) for leg in found.rig.legs for i in (*leg.bones, *leg.helpers)}
    legs = {bone: seen.get(bone) for bone in expected}
    if legs != expected or len(found.rig.legs) != len(expected):
        return f"legs {[leg.role for leg in found.rig.legs]}: {legs}"
    body = found.rig.long_body
    head = "" if body is None else names[bones[body.bones[0]].name]
    if head != truth.head:
        return f"a body from {head}"
    wanted = math.radians(-truth.yaw if mirror else truth.yaw) - yaw
    off = math.remainder(found.turned - wanted, 2.0 * math.pi)
    return "" if abs(off) < FACING_WITHIN else f"turned {math.degrees(off):.0f} degrees too far"


def failures(change, **told) -> dict[str, str]:
    found = {name: wrong(name, change(named(rig, rig.vertices)), **told) for name, rig in rigs().items()}
    return {name: reason for name, reason in found.items() if reason}


def test_every_file_of_the_folder_was_looked_at():
    if not SHARED_DATA.is_dir():
        pytest.skip(f"No real data at {SHARED_DATA}.")
    known = {name.partition("#")[0] for name in rigs()}
    assert {path.name for path in data_files(SHARED_DATA)} - known == NO_ARMATURE
    for name in rigs():
        truth_of(name)


def test_legs_sides_order_and_facing_are_right_on_every_rig():
    assert failures(lambda case: case) == {}


def test_they_are_right_without_skin():
    assert {name: reason for name, rig in rigs().items() if (reason := wrong(name, named(rig)))} == {}


def test_they_are_right_when_the_bones_are_reordered():
    assert failures(reordered) == {}


def test_they_are_right_when_the_rig_is_mirrored():
    assert failures(mirrored, mirror=True) == {}


def test_they_are_right_when_the_names_are_scrambled():
    assert failures(scrambled) == {}


def test_they_are_right_when_names_are_scrambled_and_there_is_no_skin():
    assert {n: reason for n, rig in rigs().items() if (reason := wrong(n, scrambled(named(rig))))} == {}


def test_they_are_right_when_all_is_changed_at_once():
    assert failures(lambda case: scrambled(mirrored(reordered(case))), mirror=True) == {}


@pytest.mark.parametrize("degrees", [90.0, 130.0, -100.0])
def test_they_are_right_whichever_way_the_rig_faces(degrees):
    yaw = math.radians(degrees)
    assert failures(lambda case: scrambled(turned(case, yaw)), yaw=yaw) == {}


def test_soles_come_from_the_skin_where_feet_have_one():
    told = {
        name: {leg.sole.source for leg in understand(rig.skeleton, CONVENTIONS, rig.vertices).rig.legs}
        for name, rig in rigs().items()
        if rig.vertices is not None and truth_of(name) is not None
    }
    assert set().union(*told.values()) == {"MESH"}


def test_no_skin_of_a_foot_lies_under_its_sole():
    for rig in (rig for name, rig in rigs().items() if rig.vertices is not None and truth_of(name)):
        found = understand(rig.skeleton, CONVENTIONS, rig.vertices).rig
        for leg in found.legs:
            foot = leg.foot if leg.foot >= 0 else leg.bones[-1]
            points = rig.vertices.of((foot, *found.skeleton.descendants(foot)))
            assert points[:, 2].min() > leg.sole.ball.z - 0.001 * found.leg_length, (rig.name, leg.role)
