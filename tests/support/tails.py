"""Skeletons that are a body and a tail, for the tests of chains of bones."""

import math

from mathutils import Matrix, Vector
from surefoot.core.rig.skeleton import Bone, Skeleton


def laid(head, tail, roll=0.0):
    """The rest matrix of a bone between two points, with its Z as near to up as can be, and rolled from there."""
    along = (tail - head).normalized()
    side = along.cross(Vector((0.0, 0.0, 1.0)))
    side = side.normalized() if side.length > 1e-4 else Vector((1.0, 0.0, 0.0))
    turn = Matrix((side, along, side.cross(along))).transposed() @ Matrix.Rotation(roll, 3, "Y")
    return Matrix.LocRotScale(head, turn, None)


def tailed(joints, rolls=(0.0,), gap=0.0):
    """A body bone at the first joint, and a tail of bones through the joints; one more hangs on the tail's middle.

    rolls: of the tail's bones, again and again. gap: each bone ends that much short of the next one's head.
    """
    joints = [Vector(joint) for joint in joints]
    root = joints[0] + Vector((0.0, -0.3, 0.1))
    bones = [Bone("body", -1, laid(root, root + Vector((0.0, 0.2, 0.0))), 0.2)]
    for k, (a, b) in enumerate(zip(joints, joints[1:], strict=False)):
        length = (b - a).length - (gap if k + 2 < len(joints) else 0.0)
        bones.append(
            Bone(f"tail.{k + 1:03}", k, laid(a, b, rolls[k % len(rolls)]), length, connected=k > 0 and not gap)
        )
    middle = len(joints) // 2
    top = bones[middle].tail
    bones.append(Bone("bell", middle, laid(top, top + Vector((0.0, 0.0, 0.1))), 0.1))
    return Skeleton(tuple(bones))


def hooked(count, curl=1.0, length=1.0):
    """Joints of a tail that leaves level behind and curls up."""
    step = length / count
    joints = [(0.0, 0.2, 0.8)]
    for k in range(count):
        angle = curl * (k + 0.5) / count
        _, y, z = joints[-1]
        joints.append((0.0, y + step * math.cos(angle), z + step * math.sin(angle)))
    return joints
