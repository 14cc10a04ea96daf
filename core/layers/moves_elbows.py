"""Elbows and knees turned about the line from a limb's root to its end: out of walls, and out to the side in a hang."""

from __future__ import annotations

from math import atan2, pi

from mathutils import Quaternion, Vector

from ..ik.swing import aim
from ..rig.edited_pose import EditedPose
from ..space.curves import share_of, smoothstep
from ..space.vectors import cross
from .moves_touching import TouchingLimb

# Between these bends (radians) a limb shows more and more how it is twisted.
SHOWN = (0.1, 0.8)
# Where the elbow of a left arm points that hangs: out, back and down.
OUT = Vector((0.85, 0.35, -0.4)).normalized()
# From here to straight away an elbow that points into the wall is brought out over its own side (radians).
TOWARD = 0.25 * pi


def swung(pose: EditedPose, limb: TouchingLimb, swing: float) -> None:
    """Turn a limb about the line from its root to its end; hand or foot stay as they are.

    One that is nearly straight is not twisted for it.
    """
    joints, end = limb.limb.joints(pose), pose.turn(limb.end)
    line = joints[-1] - joints[0]
    if line.length <= 0.0:
        return
    whole = Quaternion(line.normalized(), swing)
    ways = [(b - a).normalized() for a, b in zip(joints, joints[1:], strict=False)]
    shown = smoothstep(share_of(ways[0].angle(ways[1]), *SHOWN))
    turns = []
    for bone, way in zip(limb.limb.bones, ways, strict=True):
        least = aim(way, whole @ way, whole.axis)
        turns.append((least.slerp(whole, shown) @ pose.turn(bone)).normalized())
    for bone, turn in zip(limb.limb.bones, turns, strict=True):
        pose.set_turn(bone, turn)
    if limb.touch.bone >= 0 and not limb.detached:
        pose.set_turn(limb.end, end)


def elbow_out(pose: EditedPose, limb: TouchingLimb, share: float) -> None:
    """Turn the elbow of an arm that hangs out to its side, by a share of the way."""
    joints = limb.limb.joints(pose)
    line = joints[-1] - joints[0]
    if len(joints) != 3 or line.length <= 0.0 or share <= 0.0:
        return
    line = line.normalized()
    to = Vector((OUT.x * limb.limb.side, OUT.y, OUT.z))
    own, to = (way - line * way.dot(line) for way in (joints[1] - joints[0], to))
    if own.length <= 1e-4 or to.length <= 1e-3:
        return
    angle = atan2(line.dot(cross(own, to)), own.dot(to))
    if limb.limb.side * angle > pi - TOWARD:
        angle -= limb.limb.side * 2.0 * pi
    swung(pose, limb, share * angle)
