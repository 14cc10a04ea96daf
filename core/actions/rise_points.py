"""The points of a body by which lying poses are compared, and those that are kept over a floor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, sin
from typing import NamedTuple

from mathutils import Vector

from ..layers.spheres import body_spheres
from ..ragdoll.skin_points import SkinPoint
from ..rig.edited_pose import EditedPose
from ..rig.rig import Arm, Rig
from .lying import trunk_goes_up

# A hand that is shorter than this share of the leg is a stub.
PALM = 0.08
# How thick a body lies: shares of the spheres that its proportions say, and of the leg at elbow, wrist, knee and ankle.
FLESH = 0.7
ELBOW, WRIST, KNEE, ANKLE = 0.035, 0.01, 0.045, 0.03


class Point(NamedTuple):
    """A point of the rest pose (model space) that goes with a bone, and how far over a floor it lies at least."""

    bone: int
    at: Vector
    radius: float


class Fit(NamedTuple):
    """What brings one body over another in the plan: a turn about the vertical, then a shift; and what is left then,
    the mean distance between their points (metres).
    """

    turn: float
    x: float
    y: float
    distance: float


@dataclass(frozen=True)
class BodyPoints:
    """Those of one rig. `trunk` are kept over a floor with the whole body, `limbs` of each limb (by the role of its
    end) its middle joints and its end; `compared` are the joints by which poses are told apart. `palms` are
    the hands that are long enough to be laid on a floor; a stub is only put there. `skins` are the skin of each limb's
    end, `hanging` that of bones that only hang on the body (ears, wings, tails), of each bone its own, outward.
    """

    trunk: tuple[Point, ...]
    middles: dict[str, tuple[Point, ...]]
    ends: dict[str, tuple[Point, ...]]
    compared: tuple[Point, ...]
    palms: frozenset[str]
    skins: dict[str, tuple[Point, ...]]
    hanging: tuple[tuple[Point, ...], ...]

    @classmethod
    def of(cls, rig: Rig, skin: Sequence[SkinPoint] = ()) -> BodyPoints:
        """All points of a rig; of its skin those that are given."""
        size, bones = rig.leg_length, rig.skeleton.bones
        legs = {bone for leg in rig.legs for bone in leg.bones}
        worn = _by_bone(skin)
        trunk = [Point(s.bone, s.center, FLESH * s.radius) for s in body_spheres(rig) if s.bone not in legs]
        carries = {rig.body, rig.pelvis, *rig.spine, *rig.neck, rig.head}
        trunk = [point for point in trunk if point.bone not in worn]
        trunk += [point for bone in sorted(carries & worn.keys()) for point in worn[bone]]
        if rig.head >= 0:
            trunk.append(Point(rig.head, bones[rig.head].tail, 0.0))
        middles: dict[str, tuple[Point, ...]] = {}
        ends: dict[str, tuple[Point, ...]] = {}
        compared = [Point(rig.body, _hips(rig), 0.0), *(Point(i, bones[i].head, 0.0) for i in rig.spine)]
        if rig.head >= 0:
            compared += [Point(rig.head, bones[rig.head].head, 0.0), Point(rig.head, bones[rig.head].tail, 0.0)]
        for arm in rig.arms:
            # What hangs on a trunk that goes ahead carries nothing.
            if len(arm.bones) < 2 or not trunk_goes_up(rig):
                continue
            role = f"hand{'' if arm.side == 'M' else '.' + arm.side}"
            middles[role] = tuple(Point(i, bones[i].head, ELBOW * size) for i in arm.bones[1:])
            ends[role] = _hand(rig, arm)
            compared += [Point(arm.bones[0], bones[arm.bones[0]].head, 0.0), *middles[role], ends[role][0]]
        for leg in rig.legs:
            role = leg.role.replace("leg", "foot")
            joints = zip(leg.bones, leg.joints, strict=False)
            middles[role] = tuple(Point(i, at, KNEE * size) for i, at in list(joints)[1:])
            sole = leg.sole
            toe = leg.toes[-1] if leg.toes else sole.ball_bone
            touching = [(sole.heel_bone, sole.heel), (sole.ball_bone, sole.ball), (toe, sole.toe)]
            thin = 0.0 if leg.foot < 0 else ANKLE * size
            ends[role] = (Point(leg.bones[-1], leg.tip, thin), *(Point(i, at, 0.0) for i, at in touching))
            compared += [Point(leg.bones[0], leg.hip, 0.0), *middles[role], ends[role][0]]
        hands = {f"hand{'' if arm.side == 'M' else '.' + arm.side}": arm.hand for arm in rig.arms if arm.hand >= 0}
        palms = frozenset(role for role, i in hands.items() if bones[i].length >= PALM * size)
        skins = _of_ends(rig, ends, worn)
        hanging = _hanging(rig, carries, worn)
        return cls(tuple(trunk), middles, ends, tuple(compared), palms, skins, hanging)

    def every(self) -> list[Point]:
        """All that is kept over a floor, in one order."""
        limbs = (point for role in self.ends for point in (*self.middles[role], *self.ends[role], *self.skins[role]))
        return [*self.trunk, *limbs, *(point for own in self.hanging for point in own)]


def _by_bone(skin: Sequence[SkinPoint]) -> dict[int, tuple[Point, ...]]:
    found: dict[int, list[Point]] = {}
    for bone, at in skin:
        found.setdefault(bone, []).append(Point(bone, Vector(at), 0.0))
    return {bone: tuple(points) for bone, points in found.items()}


def _of_ends(rig: Rig, roles: Iterable[str], worn: Mapping[int, tuple[Point, ...]]) -> dict[str, tuple[Point, ...]]:
    """The skin of hands and feet with all that hangs on them."""
    ends = {f"hand{'' if arm.side == 'M' else '.' + arm.side}": arm.hand for arm in rig.arms}
    ends |= {leg.role.replace("leg", "foot"): leg.foot for leg in rig.legs}
    found = {}
    for role in roles:
        end = ends[role]
        bones = (end, *rig.skeleton.below[end]) if end >= 0 else ()
        found[role] = tuple(point for bone in bones for point in worn.get(bone, ()))
    return found


def _hanging(rig: Rig, trunk: set[int], worn: Mapping[int, tuple[Point, ...]]) -> tuple[tuple[Point, ...], ...]:
    """The skin of bones that hang on the trunk and are no limbs, each bone's own, outward from the trunk."""
    bones, limbs = rig.skeleton.bones, {i for limb in (*rig.legs, *rig.arms) for i in limb.bones}
    found = []
    for i, bone in enumerate(bones):
        above = rig.skeleton.ancestors(i)
        free = i not in trunk | limbs and not limbs & {*above, *rig.skeleton.below[i]}
        if free and bone.parent >= 0 and trunk & set(above) and i in worn:
            found.append(worn[i])
    return tuple(found)


def _hips(rig: Rig) -> Vector:
    hips = [leg.hip for leg in rig.legs]
    return sum(hips, Vector()) / len(hips) if hips else rig.skeleton.bones[rig.body].head


def _hand(rig: Rig, arm: Arm) -> tuple[Point, ...]:
    bones, size = rig.skeleton.bones, rig.leg_length
    if arm.hand < 0:
        return (Point(arm.bones[-1], bones[arm.bones[-1]].tail, WRIST * size),)
    wrist = Point(arm.hand, bones[arm.hand].head, WRIST * size)
    # A stub points anywhere.
    return (wrist, Point(arm.hand, bones[arm.hand].tail, 0.0)) if bones[arm.hand].length >= PALM * size else (wrist,)


def places(pose: EditedPose, points: Sequence[Point]) -> list[Vector]:
    """Where points are as posed, model space."""
    return [pose.moved(point.bone) @ point.at for point in points]


def fitted(own: Sequence[Vector], to: Sequence[Vector]) -> Fit:
    """The turn and the shift in the plan that bring points nearest to others (least squares), heights left as they are.

    Turned about the vertical as in B. Horn, "Closed-form solution of absolute orientation" (1987), for two dimensions.
    """
    count = len(own)
    a, b = sum(own, Vector()) / count, sum(to, Vector()) / count
    dots = sum((p.x - a.x) * (q.x - b.x) + (p.y - a.y) * (q.y - b.y) for p, q in zip(own, to, strict=True))
    crosses = sum((p.x - a.x) * (q.y - b.y) - (p.y - a.y) * (q.x - b.x) for p, q in zip(own, to, strict=True))
    turn = atan2(crosses, dots)
    c, s = cos(turn), sin(turn)
    x, y = b.x - (c * a.x - s * a.y), b.y - (s * a.x + c * a.y)
    left = sum(
        (Vector((c * p.x - s * p.y + x, s * p.x + c * p.y + y, p.z)) - q).length for p, q in zip(own, to, strict=True)
    )
    return Fit(turn, x, y, left / count)
