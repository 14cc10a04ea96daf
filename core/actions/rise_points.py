"""The points of a body by which lying poses are compared, and those that are kept over a floor."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, sin
from typing import NamedTuple

import numpy as np
from mathutils import Vector

from ..layers.spheres import body_spheres
from ..ragdoll.skin_points import WAYS, SkinPoint
from ..rig.edited_pose import EditedPose
from ..rig.rig import Arm, Rig
from .lying import trunk_goes_up

# A hand that is shorter than this share of the leg is a stub.
PALM = 0.08
# How thick a body lies: shares of the spheres that its proportions say, and of the leg at elbow, wrist, knee and ankle.
FLESH = 0.7
ELBOW, WRIST, KNEE, ANKLE = 0.035, 0.01, 0.045, 0.03


# What hangs on a trunk bends on its own where it is so long (share of the leg), and so thin for its length.
HANGS, THIN = 0.1, 0.4


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
        trunk = [point for point in trunk if point.bone not in worn]
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
            joints = [bones[i].head for i in arm.bones]
            middles[role] = _middles(arm.bones, joints, ELBOW * size, worn)
            ends[role] = _hand(rig, arm)
            compared += _joints(arm.bones, joints, ends[role][0])
        for leg in rig.legs:
            role = leg.role.replace("leg", "foot")
            middles[role] = _middles(leg.bones, leg.joints, KNEE * size, worn)
            sole = leg.sole
            toe = leg.toes[-1] if leg.toes else sole.ball_bone
            touching = [(sole.heel_bone, sole.heel), (sole.ball_bone, sole.ball), (toe, sole.toe)]
            thin = 0.0 if leg.foot < 0 else ANKLE * size
            ends[role] = (Point(leg.bones[-1], leg.tip, thin), *(Point(i, at, 0.0) for i, at in touching))
            compared += _joints(leg.bones, leg.joints, ends[role][0])
        hands = {f"hand{'' if arm.side == 'M' else '.' + arm.side}": arm.hand for arm in rig.arms if arm.hand >= 0}
        palms = frozenset(role for role, i in hands.items() if bones[i].length >= PALM * size)
        skins = _of_ends(rig, ends, worn)
        for role, bones_of in _limbs(rig).items():
            if role in ends:
                at_root, by_middle, by_end = _along(rig, bones_of, worn)
                middles[role], skins[role] = (*middles[role], *by_middle), (*skins[role], *by_end)
                trunk += at_root
        firm, hanging = _on_trunk(rig, middles, worn)
        trunk += firm
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


def _joints(bones: Sequence[int], joints: Sequence[Vector], end: Point) -> list[Point]:
    """The joints of a limb, and its end."""
    return [*(Point(i, at, 0.0) for i, at in zip(bones, joints, strict=False)), end]


def _middles(
    bones: Sequence[int], joints: Sequence[Vector], radius: float, worn: Mapping[int, tuple[Point, ...]]
) -> tuple[Point, ...]:
    """The middle joints of a limb, as thick as is said where no skin does."""
    rows = list(zip(bones, joints, strict=False))
    return tuple(
        Point(i, at, 0.0 if i in worn and above in worn else radius)
        for (above, _), (i, at) in zip(rows, rows[1:], strict=False)
    )


def _limbs(rig: Rig) -> dict[str, Sequence[int]]:
    """The bones of all limbs, by the role of their ends."""
    found: dict[str, Sequence[int]] = {
        f"hand{'' if arm.side == 'M' else '.' + arm.side}": arm.bones for arm in rig.arms
    }
    return found | {leg.role.replace("leg", "foot"): leg.bones for leg in rig.legs}


def _along(
    rig: Rig, bones: Sequence[int], worn: Mapping[int, tuple[Point, ...]]
) -> tuple[list[Point], list[Point], list[Point]]:
    """The skin of a limb's segments: what is at its root and comes up with the trunk, what does with its middle joints,
    and what with its end.
    """
    at_root: list[Point] = []
    by_middle: list[Point] = []
    by_end: list[Point] = []
    for rank, bone in enumerate(bones):
        rest = rig.skeleton.bones[bone]
        line = rest.tail - rest.head
        near: list[Point] = []
        far: list[Point] = []
        for point in worn.get(bone, ()):
            (near if (point.at - rest.head).dot(line) < 0.5 * line.length_squared else far).append(point)
        last = rank == len(bones) - 1
        (by_middle if rank else at_root).extend(outermost(near))
        (by_end if last else by_middle).extend(outermost(far))
    return at_root, by_middle, by_end


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


def _on_trunk(
    rig: Rig, limbs: Collection[str], worn: Mapping[int, tuple[Point, ...]]
) -> tuple[list[Point], tuple[tuple[Point, ...], ...]]:
    """The skin of the trunk with all that goes along with it as one, and that of each bone that only hangs on it: what
    is long and thin, as ears, tails, wings that carry nothing.
    """
    bones = rig.skeleton.bones
    arms = [arm for arm in rig.arms if f"hand{'' if arm.side == 'M' else '.' + arm.side}" in limbs]
    own = {i for leg in rig.legs for i in leg.bones} | {i for arm in arms for i in arm.bones}
    swings = {i for tail in rig.tails for i in tail} | {i for arm in rig.arms if arm not in arms for i in arm.bones}
    trunk = {rig.body, rig.pelvis, *rig.spine, *rig.neck, rig.head}
    parts: dict[int, list[Point]] = {i: [] for i in sorted(trunk) if i >= 0}
    hanging = []
    for i in range(len(bones)):
        above = tuple(rig.skeleton.ancestors(i))
        if i not in worn or own & {i, *above, *rig.skeleton.below[i]}:
            if i in parts and i in worn:
                parts[i] += worn[i]
            continue
        carrier = i if i in parts else next((j for j in above if j in parts), -1)
        if carrier < 0:
            continue
        if i not in parts and (swings & {i, *above} or is_thin(worn[i], HANGS * rig.leg_length)):
            hanging.append(worn[i])
        else:
            parts[carrier] += worn[i]
    return [point for points in parts.values() for point in outermost(points)], tuple(hanging)


def is_thin(points: Sequence[Point], least: float) -> bool:
    """True for skin that is long, and much longer than thick."""
    sizes = sorted(_extents(points))
    return sizes[-1] >= least and sizes[0] < THIN * sizes[-1]


def _extents(points: Sequence[Point]) -> list[float]:
    """How far points spread along their own main directions, metres."""
    places = np.array([point.at for point in points])
    places -= places.mean(axis=0)
    along = places @ np.linalg.svd(places, full_matrices=False)[2].T
    return [float(size) for size in along.max(axis=0) - along.min(axis=0)]


def outermost(points: Sequence[Point]) -> list[Point]:
    """Those of some points that are farthest out in any direction."""
    if not points:
        return []
    places = np.array([point.at for point in points])
    chosen = np.argmax(places @ WAYS.T, axis=0)
    return [points[k] for k in sorted({int(k) for k in chosen})]


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
