"""Hands and feet of real rigs, fingers, twist bones, detached feet and all, come to what they reach for."""

from __future__ import annotations

import random

import pytest
from mathutils import Matrix, Vector
from support.extension import ROOT
from support.real_rigs import SHARED_DATA, is_complete, load_rigs
from surefoot.core.control.intent import LayerInput, Spot
from surefoot.core.layers.layer import Moment
from surefoot.core.layers.reach import Reach, ReachConfig
from surefoot.core.layers.reaching import ReachingArm, limbs_of
from surefoot.core.rig.conventions import read_conventions
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig
from surefoot.core.rig.understand import understand
from surefoot.core.world.solids import Flat

MOMENT = Moment(0.0, Ground(0.0, 0.0, 0.0, 0.0), Matrix(), Matrix(), Flat())


@pytest.fixture(scope="module")
def rigs() -> dict[str, Rig]:
    """One rig of every kind of file."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"No real data at {SHARED_DATA}.")
    if not is_complete(SHARED_DATA):
        pytest.skip("No dumped rigs yet: run tests/support/real_rigs.py in a Blender Python.")
    conventions = read_conventions(ROOT / "presets" / "rigs")
    found = {}
    for name, real in load_rigs().items():
        rig = understand(real.skeleton, conventions, real.vertices).rig
        found[f"{name[:6]} {len(rig.skeleton)} {name.partition('/')[2]}"] = rig
    return found


def goal_of(limb, pose: EditedPose, rig: Rig, seed: int) -> Vector:
    """Somewhere that it reaches: ahead of the shoulder, or where the foot is lifted to."""
    chance = random.Random(seed)
    bone = limb.touch.bone if limb.touch.bone >= 0 else limb.limb.bones[-1]
    if not isinstance(limb, ReachingArm):
        off = (chance.uniform(-0.05, 0.05), chance.uniform(-0.12, 0.05), chance.uniform(0.05, 0.2))
        return pose.model(bone) @ limb.touch.point + Vector(off) * rig.leg_length
    joints = limb.limb.joints(pose)
    length = sum((b - a).length for a, b in zip(joints, joints[1:], strict=False))
    way = Vector((limb.limb.side * chance.uniform(-0.3, 0.8), -1.0, chance.uniform(-0.8, 0.5))).normalized()
    return joints[0] + way * (length * chance.uniform(0.6, 0.9))


@pytest.mark.parametrize("match", [0.0, 1.0])
def test_every_hand_and_foot_of_every_rig_comes_to_its_target(rigs, match):
    off = {}
    for name, rig in rigs.items():
        for role in limbs_of(rig):
            layer = Reach(rig, ReachConfig(limb=role, match=match))
            for seed in range(3):
                pose, memory = EditedPose.rest(rig.skeleton), layer.start()
                goal = goal_of(layer.limb, pose, rig, seed)
                layer.apply(pose, memory, MOMENT, LayerInput(1.0, True, Spot(*goal)))
                bone = layer.limb.touch.bone if layer.limb.touch.bone >= 0 else layer.limb.limb.bones[-1]
                error = (pose.model(bone) @ layer.limb.touch.point - goal).length * 0.9 / rig.leg_length
                if error > 0.002 or memory.reason:
                    off[f"{name} {role}"] = f"{1000.0 * error:.1f} mm. {memory.reason}"
    assert off == {}
    assert len(rigs) > 20
