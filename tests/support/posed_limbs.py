"""Limbs that are posed, for the tests of what brings them elsewhere."""

import math

import numpy as np
from mathutils import Euler, Matrix, Quaternion, Vector
from surefoot.core.ik.posed import PosedLimb
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.rig import Leg, Rig, Sole
from surefoot.core.rig.skeleton import Bone, Skeleton


def rig_of(places, rolls=(0.0,) * 8, gap=(0.0, 0.0, 0.0), side="L"):
    """A rig that is one leg under one body bone; each segment's bone is rolled, and the first stands off by `gap`."""
    places = [Vector(place) for place in places]
    bones = [Bone("body", -1, Matrix.Translation(places[0] - Vector(gap)), 0.1)]
    for k, (a, b) in enumerate(zip(places, places[1:], strict=False)):
        along = (b - a).normalized() if (b - a).length else Vector((0.0, 0.0, -1.0))
        turn = Vector((0.0, 1.0, 0.0)).rotation_difference(along) @ Quaternion((0.0, 1.0, 0.0), rolls[k])
        rest = turn.to_matrix().to_4x4()
        rest.translation = a
        bones.append(Bone(f"segment{k}", k, rest, (b - a).length, connected=k > 0))
    tip = places[-1]
    sole = Sole(tip, tip, tip, len(bones) - 1, len(bones) - 1, "BONES")
    leg = Leg(f"leg.{side}", side, 0, "DIGITIGRADE", tuple(range(1, len(bones))), tuple(places), -1, (), sole)
    return Rig(Skeleton(tuple(bones)), (leg,), 0, -1, 0, (), (), -1, (), (), {}, "", 0.0, 1.0)


def limb_of(rig):
    return PosedLimb.of_leg(rig, rig.legs[0])


def turned(pose, limb, seed=3, amount=0.5):
    """The pose with each segment of the limb turned about some axis."""
    chance = np.random.default_rng(seed)
    for i in limb.bones:
        pose.turn_by(i, Quaternion(Vector(chance.normal(size=3)).normalized(), amount * chance.uniform(0.4, 1.0)))
    return pose


def posed(rig, seed=3, amount=0.5):
    limb = limb_of(rig)
    pose = turned(EditedPose.rest(rig.skeleton), limb, seed, amount)
    pose.set_basis(0, Euler((0.3, -0.2, 0.5)).to_quaternion(), Vector((0.2, 0.1, -0.3)))
    return pose, limb


def bent(places, degrees, axis=(1.0, 0.0, 0.0)):
    """A limb of `places` with its middle joint turned by some degrees."""
    rig = rig_of(places)
    pose, limb = EditedPose.rest(rig.skeleton), limb_of(rig)
    pose.turn_by(limb.bones[1], Quaternion(Vector(axis), math.radians(degrees)))
    return pose, limb


def array(pose, limb):
    return np.array([tuple(joint) for joint in limb.joints(pose)], dtype=np.float64)


def rotations(pose):
    return [tuple(rotation) for rotation in pose.rotations]
