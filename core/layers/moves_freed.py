"""A limb of two segments pushed out of faces: its joints as places that keep their distances.

Each face moves what of the limb is behind it, joints by how near they are to that (after M. Müller and others,
"Position Based Dynamics", 2007); the limb's root stays. What points straight into a face gives way to its own side.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from mathutils import Vector

# So often all faces and both lengths are gone through.
ROUNDS = 10
# How much of the way aside a segment takes that points into a face, over where it points already.
ASIDE = 0.35
UPPER, LOWER, END = 0, 1, 2


class Push(NamedTuple):
    """A place on a limb that is to be on a face's free side: on which `part` (upper or lower half at a `share` of it,
    or beside its end by `off`), the face's unit `normal`, and how far along it that place is to be at `least`.
    """

    part: int
    share: float
    off: Vector
    normal: Vector
    least: float


def place_on(joints: Sequence[Vector], push: Push) -> Vector:
    """Where the place is that is pushed."""
    if push.part == END:
        return joints[2] + push.off
    return joints[push.part].lerp(joints[push.part + 1], push.share)


def freed(
    joints: Sequence[Vector], lengths: tuple[float, float], pushes: Sequence[Push], gives: float, aside: Vector
) -> list[Vector]:
    """Root, middle and end of a limb that all pushes are heeded of as well as its `lengths` let them.

    `gives` is by how much the end moves rather than the middle: 1 is free, 0 held. `aside` is the unit direction that
    a segment turns to which points straight into a face.
    """
    root, middle, end = (joint.copy() for joint in joints)
    upper, lower = lengths
    for _ in range(ROUNDS):
        moved = False
        for push in pushes:
            over = push.least - place_on((root, middle, end), push).dot(push.normal)
            if over <= 1e-6:
                continue
            moved = True
            if push.part == UPPER:
                middle = _turned(root, middle, upper, push, aside)
                continue
            near, far = (0.0, 1.0) if push.part == END else (1.0 - push.share, push.share)
            whole = near * near + far * far * gives
            if whole <= 1e-6:
                continue
            middle += push.normal * (over * near / whole)
            end += push.normal * (over * far * gives / whole)
        if not moved:
            break
        middle = root + _long(middle - root, upper)
        way = end - middle
        error = way - _long(way, lower)
        # The end comes along as far as it may; what it may not the middle does.
        end -= error * (gives / (1.0 + gives))
        middle += error * (1.0 / (1.0 + gives))
        middle = root + _long(middle - root, upper)
    return [root, middle, end]


def _long(way: Vector, length: float) -> Vector:
    return way * (length / way.length) if way.length > 0.0 else way


def _turned(root: Vector, middle: Vector, length: float, push: Push, aside: Vector) -> Vector:
    """The middle turned about the root until the place on the upper half is at its least along the normal."""
    if push.share <= 0.0:
        return middle
    normal = push.normal
    along = (push.least - root.dot(normal)) / push.share
    along = max(-length, min(length, along))
    way = middle - root
    across = way - normal * way.dot(normal)
    across = across / length + (aside - normal * aside.dot(normal)) * ASIDE * (1.0 - across.length / length)
    if across.length <= 1e-6:
        return middle
    return root + normal * along + across.normalized() * sqrt(max(0.0, length * length - along * along))
