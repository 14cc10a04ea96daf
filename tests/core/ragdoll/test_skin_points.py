"""The outermost points of a skin, solids that hold it, and what hangs loose turned off the floor."""

from __future__ import annotations

import numpy as np
import pytest
from mathutils import Matrix, Quaternion
from support.ragdolls import our_plan, our_rig
from surefoot.core.falling_loose import Loose
from surefoot.core.ragdoll.skin_points import skin_points
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rest_vertices import RestVertices

# So far may skin of trunk, neck and head be outside all solids, as a share of the height.
OUTSIDE = 0.033


def outside(body, places):
    """How far places are outside a solid, metres."""
    half = 0.5 * np.array(body.size)
    local = (places - np.array(body.rest.origin)) @ np.array(Quaternion(body.rest.turn).to_matrix())
    if body.shape == "BOX":
        return np.linalg.norm(np.maximum(np.abs(local) - half, 0.0), axis=1)
    radius = half[:2].max()
    line = max(half[2] - radius, 0.0)
    local[:, 2] -= np.clip(local[:, 2], -line, line)
    return np.maximum(np.linalg.norm(local, axis=1) - radius, 0.0)


def test_of_a_block_of_points_its_corners_are_kept():
    grid = np.array([(x, y, z) for x in range(5) for y in range(5) for z in range(5)], dtype=float)
    bone = 2
    skin = RestVertices(grid, np.full(len(grid), bone), np.ones(len(grid)))
    found = skin_points(our_rig("person"), skin)
    assert {point.bone for point in found} == {bone}
    assert {(x, y, z) for x in (0.0, 4.0) for y in (0.0, 4.0) for z in (0.0, 4.0)} <= {point.at for point in found}


def test_without_skin_there_are_no_points():
    assert skin_points(our_rig("person"), None) == ()


@pytest.mark.parametrize("who", ["person", "dog", "horse", "bird"])
def test_solids_hold_the_skin_of_trunk_neck_head_and_hands(who):
    plan = our_plan(who)
    bones = {i for body in plan.bodies if body.limb in ("body", "head") or body.role[:4] == "hand" for i in body.bones}
    places = np.array([point.at for point in plan.skin if point.bone in bones])
    off = np.min([outside(body, places) for body in plan.bodies], axis=0)
    assert off.max() < OUTSIDE * plan.height


def test_toes_are_turned_off_a_floor_that_their_foot_is_in():
    rig, plan = our_rig("person"), our_plan("person")
    loose, pose = Loose(rig, plan), EditedPose.rest(rig.skeleton)
    toes = [each for each in loose.hanging if each.points[0].bone in {i for leg in rig.legs for i in leg.toes}]
    assert len(toes) == 2
    floor = 0.01

    def low():
        return min((pose.moved(p.bone) @ p.at).z for each in toes for p in each.points)

    assert low() < 0.002
    loose.lift(pose, Matrix(), (floor,) * len(loose.carriers))
    # What of them is behind their joint comes no higher.
    assert low() > floor - 0.005
