"""Limbs for the tests of the solvers, and a second forward kinematics, in double precision, to check them by."""

import math

import numpy as np
from mathutils import Euler, Matrix, Vector

FORWARD = Vector((0.0, -1.0, 0.0))
CARRIERS = {
    "at rest": Matrix.Identity(4),
    "moved": Matrix.Translation((1.0, -2.0, 0.5)),
    "turned": Matrix.Rotation(math.radians(70.0), 4, "Z") @ Matrix.Rotation(0.4, 4, "X"),
    "moved and turned": Matrix.Translation((0.3, 4.0, 0.1)) @ Euler((0.5, -0.8, 2.0)).to_matrix().to_4x4(),
}
PERSON = ((0.1, 0.0, 0.9), (0.1, -0.03, 0.48), (0.1, 0.01, 0.08))
DOG_HIND = ((0.08, 0.1, 0.5), (0.08, -0.02, 0.32), (0.08, 0.17, 0.17), (0.08, 0.13, 0.04))
HORSE_FRONT = ((0.2, -0.6, 1.1), (0.2, -0.45, 0.8), (0.2, -0.5, 0.42), (0.2, -0.47, 0.1))
INSECT = ((0.1, 0.0, 0.2), (0.25, 0.0, 0.35), (0.45, 0.02, 0.2), (0.55, 0.03, 0.0))
SEVEN = tuple((0.05 * (k % 2), 0.08 * (-1) ** k, 1.0 - 0.12 * k) for k in range(8))
STRAIGHT = ((0.1, 0.0, 0.9), (0.1, 0.0, 0.5), (0.1, 0.0, 0.1))
FOLDS = {"dog hind": DOG_HIND, "horse front": HORSE_FRONT, "insect": INSECT, "seven segments": SEVEN}
ALL = {"person": PERSON, **FOLDS}


def vectors(places):
    return [Vector(place) for place in places]


def total(places):
    return sum(math.dist(a, b) for a, b in zip(places, places[1:], strict=False))


def goal_at(places, carrier, share, direction=(0.1, -0.3, -1.0)):
    """A goal at `share` of the leg's length from its carried root, along a direction of the carrier."""
    root = carrier @ Vector(places[0])
    return root + carrier.to_3x3() @ Vector(direction).normalized() * (share * total(places))


def forward_kinematics(places, carrier, rotations):
    """The joints of a leg whose segments are turned from rest: numpy, float64."""
    joints = [np.array(carrier @ Vector(places[0]), dtype=np.float64)]
    for k, q in enumerate(rotations):
        w, *v = np.array(q, dtype=np.float64)
        segment = np.array(places[k + 1]) - np.array(places[k])
        t = 2.0 * np.cross(v, segment)
        joints.append(joints[k] + segment + w * t + np.cross(v, t))
    return np.array(joints)


def bends(joints, across):
    """Signed bend at each interior joint as seen along `across`, radians."""
    joints = np.asarray(joints, dtype=np.float64)
    segments = np.diff(joints, axis=0)
    cross = np.cross(segments[:-1], segments[1:])
    sines = np.linalg.norm(cross, axis=-1) * np.sign(cross @ np.asarray(across))
    return np.arctan2(sines, np.sum(segments[:-1] * segments[1:], axis=-1))
