"""Spheres in which a body's head, trunk and thighs lie, and the directions that a bone beside one may not take.

A bone that turns about its joint meets a sphere for all directions within a cone about the sphere's middle: with the
cone, whatever is blocked is put right by a turn, and the bone keeps its length exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, asin, cos, pi, sin, sqrt
from typing import NamedTuple

from mathutils import Vector

from ..rig.pose import NO_TURN
from ..rig.rig import Leg, Rig
from ..space.vectors import cross

# Where along a thigh its spheres lie, and their radius: shares of its length.
_ALONG_THIGH = (0.3, 0.75)
_THIGH = 0.2
# How thick a trunk is, as a share of how far apart its limbs are, and a neck, as a share of the head.
_TRUNK = 0.42
_NECK = 0.6
# A body with more legs has thin ones, which nothing swings between.
_MOST_LEGS = 4
# Between these shares of the leg length the radius of head and trunk is believed.
_RADII = (0.05, 0.28)
# A joint that lies inside a sphere by more than this share of the radius is not carried out of it by any turn.
_INSIDE = 0.7
_PARALLEL = 1e-6
_STANDING = 0.97
# How often cones are gone through, and in how many steps a way out of all is looked for.
_PASSES = 4
_SHARES = 16


class Sphere(NamedTuple):
    """A sphere fixed to a bone: its middle at rest (model space), and radius, metres."""

    bone: int
    center: Vector
    radius: float


class Cone(NamedTuple):
    """Blocked directions: all within `spread` (radians) of a unit axis."""

    axis: Vector
    spread: float


Blocked = tuple[Cone, Vector | None]
"""A cone, and where the bone pointed at the frame before, carried along with it (None: not known)."""


def body_spheres(rig: Rig) -> tuple[Sphere, ...]:
    """Head, neck, chest, spine, pelvis and thighs, as large as the rig's proportions say."""
    low, high = (share * rig.leg_length for share in _RADII)
    bones, spheres = rig.skeleton.bones, []

    def add(bone: int, radius: float) -> None:
        center = bones[bone].head.lerp(bones[bone].tail, 0.5)
        spheres.append(Sphere(bone, center, min(max(radius, low), high)))

    shoulders = [bones[arm.bones[0]].head for arm in rig.arms if arm.bones]
    hips = [leg.hip for leg in rig.legs]
    chest = _TRUNK * _width(shoulders if len(shoulders) > 1 else hips[:2], 0.25 * rig.leg_length)
    pelvis = _TRUNK * _width(hips[-2:], 0.25 * rig.leg_length)
    head = 0.5 * bones[rig.head].length if rig.head >= 0 else 0.0
    trunk = list(dict.fromkeys((rig.pelvis, *rig.spine)))
    for k, bone in enumerate(trunk):
        share = k / (len(trunk) - 1) if len(trunk) > 1 else 0.0
        if bone >= 0:
            add(bone, pelvis + (chest - pelvis) * share)
    for bone in rig.neck:
        add(bone, _NECK * head)
    if rig.head >= 0:
        add(rig.head, head)
    if len(rig.legs) <= _MOST_LEGS:
        spheres += [sphere for leg in rig.legs for sphere in _thigh(leg)]
    return tuple(spheres)


def _width(points: list[Vector], otherwise: float) -> float:
    return max((a - b).length for a in points for b in points) if len(points) > 1 else otherwise


def _thigh(leg: Leg) -> list[Sphere]:
    hip, knee = leg.joints[0], leg.joints[1]
    radius = _THIGH * (knee - hip).length
    return [Sphere(leg.bones[0], hip.lerp(knee, share), radius) for share in _ALONG_THIGH] if radius > 0.0 else []


def clearance(head: Vector, tail: Vector, point: Vector) -> float:
    """How far a point is from a bone, metres."""
    along = tail - head
    square = along.length_squared
    share = min(max((point - head).dot(along) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return (point - head - along * share).length


def blocked_by(joint_to_center: Vector, length: float, radius: float) -> Cone | None:
    """The directions in which a bone of this length meets a sphere; None where it meets it in none, or in all."""
    distance = joint_to_center.length
    if distance >= length + radius or distance < _INSIDE * radius or length <= 0.0:
        return None
    square = distance * distance - radius * radius
    if square <= length * length:
        spread = asin(radius / distance) if square > 0.0 else 0.5 * pi
    else:
        spread = acos(min((square + length * length) / (2.0 * distance * length), 1.0))
    return Cone(joint_to_center / distance, spread)


def blocked_under(normal: Vector, height: float, length: float) -> Cone | None:
    """The directions in which a bone dips under a plane that its joint is so high over; None where it dips in none."""
    if height >= length or length <= 0.0:
        return None
    # A joint deep under the plane cannot be helped: the bone stands up, almost.
    return Cone(-normal, acos(max(height / length, -_STANDING)))


def clear_of(cones: Sequence[Blocked], along: Vector) -> tuple[Vector, list[Vector]]:
    """Where a bone points that all cones keep out, and the ways out of those that it met (none: it is as it was).

    Out of one it may come into another, so that they are gone through again; if that does not end, it goes the shortest
    way towards where it is away from all of them.
    """
    ways: list[Vector] = []
    for _ in range(_PASSES):
        met = False
        for cone, before in cones:
            kept = kept_out(cone, along, before)
            if kept is not None:
                along, met = kept[0], True
                ways.append(kept[1])
        if not met:
            return along, ways
    away = sum((cone.axis * -cone.spread for cone, _ in cones), Vector((0.0, 0.0, 0.0)))
    if away.length > _PARALLEL:
        turn = along.rotation_difference(away.normalized())
        for k in range(1, _SHARES):
            there = NO_TURN.slerp(turn, k / _SHARES) @ along
            if all(there.dot(cone.axis) <= cos(cone.spread) + _PARALLEL for cone, _ in cones):
                return there, ways
    return along, ways


def kept_out(cone: Cone, along: Vector, before: Vector | None) -> tuple[Vector, Vector] | None:
    """Where a bone points that a cone keeps out, and the way from there out of the cone; None where it is not met.

    `before` is where it pointed at the frame before, carried along with the cone: a bone that went in, or
    through, comes to lie on the side that it came from.
    """
    axis, spread = cone
    edge = cos(spread)
    depth = along.dot(axis)
    from_side = along
    if depth > edge + _PARALLEL:
        if before is not None and _beside(before, axis).dot(_beside(along, axis)) < 0.0:
            from_side = before
    elif before is not None and (nearest := _passed(axis, before, along, edge)) is not None:
        from_side = nearest if _beside(nearest, axis).length > 0.1 else before
    else:
        return None
    side = _beside(from_side, axis)
    if side.length < _PARALLEL:
        side = axis.orthogonal()
    side = side.normalized()
    return axis * edge + side * sin(spread), side * edge - axis * sin(spread)


def _beside(direction: Vector, axis: Vector) -> Vector:
    return direction - axis * direction.dot(axis)


def _passed(axis: Vector, a: Vector, b: Vector, edge: float) -> Vector | None:
    """The direction on the way from a to b that is nearest to an axis, if it lies between them and in the cone."""
    normal = cross(a, b)
    square = normal.length_squared
    if square < _PARALLEL * _PARALLEL:
        return None
    flat = axis - normal * (normal.dot(axis) / square)
    length = sqrt(flat.length_squared)
    if length <= edge or length < _PARALLEL:
        return None
    nearest = flat / length
    within = cross(a, nearest).dot(normal) > 0.0 and cross(nearest, b).dot(normal) > 0.0
    return nearest if within else None
