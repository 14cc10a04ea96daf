"""Heads of the rigs of the shared data and of Rigify: found, and on their target within its limits."""

import importlib.util
import os
from functools import lru_cache
from math import degrees
from pathlib import Path

import pytest
from support.extension import ROOT
from support.layered import understood
from support.looking import LOOK, at, looks, steps
from support.real_rigs import data_files, is_complete, load_rigs
from surefoot.core.layers.look_at import LookAt

SHARED_DATA = Path(os.environ.get("SUREFOOT_SHARED", ROOT.parent / "shared")) / "data"
# One clip of each family of the mocap is enough: its clips share a skeleton.
CLIPS = ("Walk1.bvh", "cmu_007_03.bvh", "cmu_12_01_walk.bvh", "humanoid3d_walk.bvh")
# Without legs, or without a head that names or shape tell.
HEADLESS = ("mesh2motion_snake.glb", "quaternius_bird.fbx")


@lru_cache(maxsize=1)
def real_rigs():
    if not SHARED_DATA.is_dir():
        pytest.skip(f"No real data at {SHARED_DATA}.")
    if not is_complete(SHARED_DATA):
        where = "this" if importlib.util.find_spec("bpy") else "a"
        pytest.skip(f"No dumped rigs yet: run tests/support/real_rigs.py in {where} Blender Python.")
    return load_rigs()


def names():
    if not SHARED_DATA.is_dir():
        return ["none"]
    files = [path.name for path in data_files(SHARED_DATA) if path.suffix != ".bvh" or path.name in CLIPS]
    return [*files, "rigify/human", "rigify/wolf", "rigify/horse", "rigify/cat", "rigify/bird"]


@pytest.mark.parametrize("name", names())
def test_the_head_of_a_real_rig_meets_its_target(name):
    known = real_rigs()
    if name not in known:
        pytest.skip(f"{name} holds no armature.")
    rig = understood(known[name].skeleton)
    layer = LookAt(rig, LOOK)
    if name in HEADLESS:
        assert layer.problems
        return
    yaw = min(40.0, 0.8 * degrees(layer.bounds.yaw))
    for target in ((yaw, 10.0, 3.0), (-yaw, -15.0, 2.0)):
        spot = at(rig, *target)
        found = looks(rig, lambda time, spot=spot: spot if time > 0.1 else None, 1.3)
        assert found[0].angles == pytest.approx((0.0, 0.0), abs=2.0)
        assert found[-1].off(spot) < 0.5
        assert max(steps(found)) < 4.0
