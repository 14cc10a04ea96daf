"""Legs of generated Rigify rigs, folded as the core folds them: what is shown is what was planned."""

from __future__ import annotations

from math import asin, radians, sqrt

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support.armatures import canonical_of, evaluated
from support.rigify_rigs import folded_pose, generated_rig
from surefoot.addon.pose_writing import make_writer
from surefoot.addon.rig_reading import read_rig
from surefoot.core.rig.pose import model_matrices

A_THOUSANDTH = 0.001  # radians


@pytest.mark.parametrize("kind", ["human", "wolf", "horse", "cat"])
@pytest.mark.parametrize(("turned", "scale"), [(0.0, 1.0), (2.0, 0.4)])
def test_a_leg_follows_its_plan_however_deep_it_folds(kind, turned, scale):
    rig = generated_rig(kind)
    rig.matrix_world = canonical_of(Quaternion((0.0, 0.0, 1.0), turned), scale)
    bpy.context.view_layer.update()
    reading = read_rig(rig)
    writer, skeleton = make_writer(rig, reading, ((), ()), "IN_PLACE"), reading.rig.skeleton
    for leg in reading.rig.legs:
        names = [skeleton.bones[i].name for i in (*leg.bones, leg.foot, *leg.toes)]
        shown_by = [name.replace("ORG-", "DEF-") for name in names]
        for share in np.arange(0.95, 0.34, -0.05):
            pose = folded_pose(skeleton, leg, share, radians(20.0 - 40.0 * share), radians(80.0 * (1.0 - share)))
            writer.apply(rig, writer.row(pose, None, writer.travel_frame(evaluated(rig))))
            wanted = model_matrices(skeleton, pose)
            place = rig.matrix_world @ reading.canonical.inverted()
            bones = evaluated(rig).pose.bones
            for name, deform in zip(names, shown_by, strict=True):
                should = place @ wanted[skeleton.index[name]]
                has = rig.matrix_world @ bones[name].matrix
                assert turned_by(has, should) < A_THOUSANDTH, (leg.role, name, share)
                off = (has.to_translation() - should.to_translation()).length
                assert off < 0.001 * place.median_scale * sum(leg.lengths), (leg.role, name, share)
                along = (rig.matrix_world @ bones[deform].matrix).col[1].to_3d()
                assert along.normalized().cross(should.col[1].to_3d().normalized()).length < A_THOUSANDTH


def turned_by(first, second):
    """The angle between two matrices' rotations, exact for small ones too."""
    turns = [np.array(matrix.to_3x3()) for matrix in (first, second)]
    first, second = (turn / np.linalg.norm(turn, axis=0) for turn in turns)
    return 2.0 * asin(min(1.0, float(np.linalg.norm(first - second)) / sqrt(8.0)))
