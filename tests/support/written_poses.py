"""Writers for rigs built in code, and how far what they show is from what was asked."""

from __future__ import annotations

from math import pi, radians

import numpy as np
from mathutils import Quaternion
from support.armatures import (
    ground_transform,
    largest_difference,
    rest_pose,
    world_matrices,
)
from surefoot.core.rig.pose import model_matrices

ON_ITS_FACE = Quaternion((1.0, 0.0, 0.0), pi / 2)
TURNED = ("pelvis", "chest", "thigh.L", "shin.L")
MODES = ("QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE")


def writer_for(rig, reading, turned=TURNED, located=("pelvis",), travel="IN_PLACE"):
    from surefoot.addon.pose_writing import make_writer

    index = reading.rig.skeleton.index
    driven = (tuple(sorted(index[name] for name in turned)), tuple(index[name] for name in located))
    return make_writer(rig, reading, driven, travel)


def names_of(reading):
    return [bone.name for bone in reading.rig.skeleton.bones]


def wanted_world(reading, pose, ground):
    place = ground_transform(ground)
    return [place @ matrix for matrix in model_matrices(reading.rig.skeleton, pose)]


def shown_error(rig, reading, pose, ground):
    return largest_difference(world_matrices(rig, names_of(reading)), wanted_world(reading, pose, ground))


def yawing_pose(reading, degrees):
    pose = rest_pose(reading.rig.skeleton)
    pose.rotations[reading.rig.skeleton.index["pelvis"]] = tuple(Quaternion((0.0, 0.0, 1.0), radians(degrees)))
    return pose


def rows_of(writer, poses):
    rows, previous = [], None
    for pose in poses:
        previous = writer.row(pose, previous)
        rows.append(previous)
    return np.array(rows)
