"""Mirrored Actions: the body's other half does it, on any rest, roll and mode, and twice mirrored is as before."""

from __future__ import annotations

from math import pi, sin

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support.armatures import BonePlan, build_armature
from support.moved_rigs import PERSON, Y_UP, act, curve, moved_about, person, points, worlds

PELVIS = (0.0, 0.0, 0.95)
ACROSS = np.diag([-1.0, 1.0, 1.0, 1.0])
# The same person, its right side rolled in other ways than its left.
ROLLED = tuple(plan._replace(roll=plan.roll + 0.9) if plan.name.endswith(".R") else plan for plan in PERSON)


def leaning(rig: bpy.types.Object, count: int = 25, turn: Quaternion | None = None, scale: float = 1.0):
    """Something without any symmetry: a curved way, and turns of both sides that have nothing in common."""
    times = np.arange(float(count))
    moves = moved_about(
        lambda t: (0.1 * t / 24 + 0.03 * sin(t / 3), -0.04 * t, 0.95 + 0.02 * sin(t)), lambda t: 0.02 * t, PELVIS, times
    )
    bones = {"pelvis": moves}
    turned = (("thigh.L", "X", 0.6), ("upper_arm.L", "Y", 0.8), ("forearm.L", "Z", 0.7), ("upper_arm.R", "X", 0.3))
    for name, axis, size in turned:
        above = bones["upper_arm.L"] if name == "forearm.L" else moves
        head = Matrix.Translation(next(plan.head for plan in PERSON if plan.name == name))
        swings = [head @ Matrix.Rotation(size * sin(t / 4 + size), 4, axis) @ head.inverted() for t in times]
        bones[name] = [m @ swing for m, swing in zip(above, swings, strict=True)]
    return act(rig, bones, turn=turn, scale=scale)


def image(name: str) -> str:
    """The name of the other side's bone."""
    swapped = {".L": ".R", ".R": ".L"}
    return name[:-2] + swapped.get(name[-2:], name[-2:])


def mirrored_worlds(found: np.ndarray, names: list[str]) -> np.ndarray:
    """Joints (F, bones, 3) in the mirror, each in the place of its image."""
    order = [names.index(image(name)) for name in names]
    return found[:, order][..., :3, 3] * [-1.0, 1.0, 1.0]


@pytest.mark.parametrize("space", [(None, 1.0), (Y_UP, 0.01)], ids=["plain", "Y up, 0.01"])
@pytest.mark.parametrize("plans", [PERSON, ROLLED], ids=["mirrored rolls", "other rolls"])
@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "AXIS_ANGLE"])
def test_the_image_does_what_the_other_side_did(plans: tuple[BonePlan, ...], mode: str, space: tuple):
    from surefoot.addon.mirror_motion import mirror

    turn, scale = space
    rig = build_armature(plans, turn=turn, scale=scale)
    for bone in rig.pose.bones:
        if bone.name.endswith(".R"):
            bone.rotation_mode = mode
    leaning(rig, turn=turn, scale=scale)
    names, frames = [plan.name for plan in PERSON], range(1, 26)
    before = worlds(rig, names, frames)
    mirror(rig)
    after = worlds(rig, names, frames)
    assert np.abs(after[..., :3, 3] - mirrored_worlds(before, names)).max() < 2e-5
    mirror(rig)
    assert np.abs(worlds(rig, names, frames) - before).max() < 2e-5
