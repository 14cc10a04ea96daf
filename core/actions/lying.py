"""How a body lies: on its front, back or a side, where its head points, what the floor under it is like.

A body on two legs whose trunk goes up lies on its front where its chest faces down; one whose trunk goes ahead lies on
its belly. What is propped up on an arm lies too: its trunk may be up as far as it likes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import asin, atan2, radians, sqrt
from typing import Literal, NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.rig import Rig
from ..space.rigid import Triple
from ..space.vectors import triple
from ..world.probe import DOWN
from ..world.world import World

Lies = Literal["PRONE", "SUPINE", "LEFT", "RIGHT"]
"""On its front or belly, on its back, on its left or its right side."""
UPRIGHT = 1.0
PROPPED = radians(40.0)
"""A body whose trunk is so far up is propped on something."""
ABOVE, DEPTH = 1.2, 4.0
"""The floor is felt from so far over the lowest of a body on, so deep; shares of the leg."""
STEEPEST = 0.6
"""A plane under a body rises at most so much a metre, for what it is turned by: 31 degrees."""
ON_END = 0.1
"""A trunk that goes along the ground by less than this share of its length is on end."""
BESIDE = 0.1
"""So far to both sides of its middle the ground under a trunk is felt too, shares of the leg."""
UP = Vector((0.0, 0.0, 1.0))


class Lie(NamedTuple):
    """`lies` is the side that is down, `way` the heading in which the head points (radians, 0: -Y), `up` how far the
    trunk is up (radians). `normal` is that of the plane under the body, world; `floors` are the heights (world) under
    `pelvis`, `chest`, hands and feet, where there is a floor.
    """

    lies: Lies
    way: float
    up: float
    normal: Triple
    floors: tuple[tuple[str, float], ...]

    @property
    def propped(self) -> bool:
        """True for a trunk that is well up, on an arm or on both."""
        return self.up > PROPPED


@dataclass(frozen=True, slots=True)
class Trunk:
    """How a rig's trunk goes at rest, model space: along to its head, to its front or belly, to its left."""

    upright: bool
    along: Vector
    front: Vector
    left: Vector

    @classmethod
    def of(cls, rig: Rig) -> Trunk:
        """That of one rig."""
        upright = trunk_goes_up(rig)
        up, ahead = Vector((0.0, 0.0, 1.0)), Vector((0.0, -1.0, 0.0))
        return cls(upright, up if upright else ahead, ahead if upright else -up, Vector((1.0, 0.0, 0.0)))


def trunk_goes_up(rig: Rig) -> bool:
    """True for a body on two legs whose trunk goes up at rest, not ahead."""
    chain = (*rig.neck, *((rig.head,) if rig.head >= 0 else ()), *rig.spine[-1:])
    if len(rig.legs) != 2 or not chain:
        return False
    line = rig.skeleton.bones[chain[0]].head - rig.skeleton.bones[rig.body].head
    return bool(line.z > UPRIGHT * abs(line.y))


def trunk_turn(rig: Rig, pose: EditedPose, to_world: Matrix) -> Quaternion:
    """How the trunk is turned from rest, world space: half way from the pelvis to the chest."""
    turn = to_world.to_quaternion()
    low = turn @ pose.moved(rig.body).to_quaternion()
    if not rig.spine:
        return low
    high = turn @ pose.moved(rig.spine[-1]).to_quaternion()
    return low.slerp(high if low.dot(high) >= 0.0 else -high, 0.5)


def how_it_lies(rig: Rig, pose: EditedPose, to_world: Matrix, world: World | None) -> Lie:
    """How a posed body lies in the world (None: on level ground); `to_world` is where its model space stands."""
    trunk = Trunk.of(rig)
    turn = trunk_turn(rig, pose, to_world)
    along, front, left = turn @ trunk.along, turn @ trunk.front, turn @ trunk.left
    floors = [] if world is None else _floors(rig, pose, to_world, world)
    normal = _normal([place for _, place in floors])
    under = normal if world is None else _under_trunk(rig, pose, to_world, world, along, normal)
    return Lie(
        _side(front.dot(under), left.dot(under)),
        heading_of(along if abs(along.z) < 0.999 else front),
        asin(max(-1.0, min(1.0, along.z))),
        triple(normal),
        tuple((name, place.z) for name, place in floors),
    )


def heading_of(direction: Vector) -> float:
    """The heading that looks in a direction of the plan, radians."""
    return atan2(direction.x, -direction.y)


def _side(front: float, left: float) -> Lies:
    """Which side is down, by how far front and left face up off the floor; on end, as the front leans."""
    if abs(front) >= abs(left):
        return "PRONE" if front < 0.0 else "SUPINE"
    return "LEFT" if left < 0.0 else "RIGHT"


def _floors(rig: Rig, pose: EditedPose, to_world: Matrix, world: World) -> list[tuple[str, Vector]]:
    """What is under the parts of a body, world space."""
    bones = {"pelvis": rig.body, "chest": rig.spine[-1] if rig.spine else rig.body}
    bones |= {f"hand.{arm.side}": arm.hand if arm.hand >= 0 else arm.bones[-1] for arm in rig.arms}
    bones |= {leg.role.replace("leg", "foot"): leg.foot if leg.foot >= 0 else leg.bones[-1] for leg in rig.legs}
    places = {name: to_world @ pose.head(bone) for name, bone in bones.items()}
    found = []
    for name, place in places.items():
        hit = world.cast_ray(place + Vector((0.0, 0.0, ABOVE * rig.leg_length)), DOWN, DEPTH * rig.leg_length)
        if hit is not None:
            found.append((name, hit.position.copy()))
    return found


def _under_trunk(rig: Rig, pose: EditedPose, to_world: Matrix, world: World, along: Vector, normal: Vector) -> Vector:
    """The unit normal of what the trunk itself lies on: along it as all of the body does, across it as its own ground
    faces. Who lies along a tread lies level there, whatever the stairs do under hands and feet.
    """
    flat = Vector((along.x, along.y, 0.0))
    if flat.length < ON_END:
        return normal
    flat = flat.normalized()
    across = UP.cross(flat)
    ends = [to_world @ pose.head(bone) for bone in (rig.body, rig.spine[-1] if rig.spine else rig.body)]
    faces = Vector()
    for k in range(3):
        middle = ends[0].lerp(ends[1], 0.5 * k)
        for aside in (-BESIDE, 0.0, BESIDE):
            top = middle + across * (aside * rig.leg_length) + UP * (ABOVE * rig.leg_length)
            hit = world.cast_ray(top, DOWN, DEPTH * rig.leg_length)
            faces += UP if hit is None else hit.normal
    if faces.z <= 0.0:
        return normal
    lengthwise, sideways = -normal.dot(flat) / normal.z, -faces.dot(across) / faces.z
    return Vector((*(-flat * lengthwise - across * sideways).xy, 1.0)).normalized()


def _normal(places: Sequence[Vector]) -> Vector:
    """The unit normal of the plane through places, by least squares in height; upright where they say too little."""
    count = len(places)
    if count < 3:
        return Vector((0.0, 0.0, 1.0))
    middle = sum(places, Vector()) / count
    rows = [place - middle for place in places]
    xx, yy = sum(r.x * r.x for r in rows), sum(r.y * r.y for r in rows)
    xy, xz, yz = sum(r.x * r.y for r in rows), sum(r.x * r.z for r in rows), sum(r.y * r.z for r in rows)
    # A body that lies in a line says nothing of the slope across it: a little of all is held level.
    held = 0.02 * (xx + yy)
    xx, yy = xx + held, yy + held
    det = xx * yy - xy * xy
    if det <= 0.0:
        return Vector((0.0, 0.0, 1.0))
    a, b = (xz * yy - yz * xy) / det, (yz * xx - xz * xy) / det
    steep = sqrt(a * a + b * b)
    share = min(1.0, STEEPEST / steep) if steep > 0.0 else 1.0
    return Vector((-a * share, -b * share, 1.0)).normalized()
