"""How large each body is: from the skin that its bones move, else from its bones. Robust to strays by percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from mathutils import Quaternion, Vector

from ..rig.rest_vertices import RestVertices
from ..rig.rig import Rig
from .parts import Part
from .plan import Shape
from .proportions import is_erect

BOXES = frozenset({"pelvis", "spine", "chest", "hand", "foot"})
# Of bodies whose trunk goes ahead these are deeper than wide: no round body holds them.
DEEP = frozenset({"neck", "head"})
# These go on behind their joint.
OPEN = frozenset({"pelvis", "head"})
OF_OWN_BONES = frozenset({"body", "head"})
# Fewer points than these are no skin.
FEWEST = 8
# Between which shares of a limb its thickness is taken, and at which percentile of the skin's distance from the bone.
ALONG, THICK = (0.1, 0.9), 70.0
# The percentiles between which a box holds its skin: across, and at its ends.
ACROSS, ENDS = (2.0, 98.0), (2.0, 98.0)
# A solid is at least this large (share of the body's height), whatever skin and bones say.
LEAST = 0.01
# Shares of the length by which a limb without skin is thick.
THICKNESS = {"thigh": 0.36, "upper_arm": 0.34, "forearm": 0.3, "shin": 0.26, "head": 0.7, "neck": 0.5, "spine": 0.5}
THIN = 0.22
# Trunks without skin: widths as shares of how far apart hips and shoulders are, depth as a share of the width.
PELVIS_WIDTH, CHEST_WIDTH, DEPTH = 1.7, 0.95, 0.7
# The same of level trunks, which hang under their spine: how far, as a share of the depth.
LEVEL_WIDTH, LEVEL_DEPTH, HANGS = 1.25, 1.1, 0.24
# How far a pelvis goes on behind its joint, as a share of its width.
BEHIND = 0.37
HAND, FOOT = (0.45, 0.2), 0.38
# A round body is at most this thick (its radius, share of its length); beyond half it is a ball about its middle.
FATTEST = 0.7
# What hangs on a trunk without a role is flat where one side is this small against the other.
FLAT = 0.5
# How far a hand reaches from its wrist at most, and to each side of its line, as shares of its forearm: things that it
# holds are skinned to it too.
LARGEST_HAND = (0.9, 0.3)
# So much of the toes is as stiff as the foot: of half of them, the front of a hoof that rolls off is pressed into the
# floor and the leg is shoved aside by 4 cm; of none, a hoof tips over its edge.
STIFF = 0.25


class Solid(NamedTuple):
    """A body's shape, its whole lengths along its own axes, and its middle at rest (model space)."""

    shape: Shape
    size: Vector
    middle: Vector


def part_points(rig: Rig, parts: Sequence[Part], skin: RestVertices | None) -> list[np.ndarray]:
    """The skin of each part, (n, 3): of trunk and head what their bones move, if that is enough to tell; else also what
    hangs on them without a body of its own (twist bones and fingers; on a trunk it may be wings, or a skirt).
    """
    if skin is None:
        return [np.empty((0, 3))] * len(parts)
    owner = owners(rig, parts)
    found: list[np.ndarray] = []
    for k, part in enumerate(parts):
        points = skin.of(part.bones if part.limb in OF_OWN_BONES else ())
        found.append(points if len(points) >= FEWEST else skin.of([i for i, own in enumerate(owner) if own == k]))
    return found


def owners(rig: Rig, parts: Sequence[Part]) -> list[int]:
    """Of each bone the part that carries it: its own or the nearest above it; -1 over all of them."""
    own = {i: k for k, part in enumerate(parts) for i in part.bones}
    owner: list[int] = []
    for i, bone in enumerate(rig.skeleton.bones):
        owner.append(own.get(i, owner[bone.parent] if bone.parent >= 0 else -1))
    return owner


def solid_of(rig: Rig, part: Part, turn: Quaternion, points: np.ndarray, height: float) -> Solid:
    """The solid of a part whose own axes at rest are `turn`: Z along it, X across."""
    local = (points - np.array(part.head)) @ np.array(turn.to_matrix()) if len(points) >= FEWEST else None
    length = max((turn.inverted() @ part.along).z, 0.0)
    least = LEAST * height
    if part.part.endswith("foot") and part.leg >= 0:
        return _foot(rig, part, turn, local, least)
    flat = local is not None and (part.part == "any" and _is_flat(local))
    deep = local is not None and part.part in DEEP and not is_erect(rig)
    if part.part in BOXES or flat or deep:
        low, high = _box(rig, part, local, length)
        shape: Shape = "BOX"
    else:
        low, high = _round(part, local, length)
        shape = "CAPSULE"
    size = high - low
    for k in range(3):
        size[k] = max(size[k], least)
    if shape == "CAPSULE":
        size.z = max(size.z, size.x)
    return Solid(shape, size, part.head + turn @ (0.5 * (low + high)))


def _span(values: np.ndarray, ends: tuple[float, float]) -> tuple[float, float]:
    low, high = np.percentile(values, ends)
    return float(low), float(high)


def _box(rig: Rig, part: Part, local: np.ndarray | None, length: float) -> tuple[Vector, Vector]:
    if local is None:
        return _bare_box(rig, part, length)
    (x, right), (y, front) = _span(local[:, 0], ACROSS), _span(local[:, 1], ACROSS)
    begin, end = _span(local[:, 2], ENDS)
    if part.part not in OPEN:
        begin = 0.0
    if not part.ends and length > 0.0:
        end = length
    if part.part == "hand":
        reach, side = (share * _forearm(rig, part) for share in LARGEST_HAND)
        x, y, right, front = max(x, -side), max(y, -side), min(right, side), min(front, side)
        end = min(end, reach)
    return Vector((x, y, min(begin, end))), Vector((right, front, max(begin, end)))


def _is_flat(local: np.ndarray) -> bool:
    """True for skin that is much wider than thick: a wing."""
    wide, deep = (b - a for a, b in (_span(local[:, 0], ACROSS), _span(local[:, 1], ACROSS)))
    return min(wide, deep) < FLAT * max(wide, deep)


def _forearm(rig: Rig, part: Part) -> float:
    return (part.head - rig.skeleton.bones[rig.arms[part.arm].bones[-1]].head).length


def _bare_box(rig: Rig, part: Part, length: float) -> tuple[Vector, Vector]:
    begin = middle = 0.0
    if part.part == "hand":
        width, depth = HAND[0] * length, HAND[1] * length
    else:
        width = trunk_width(rig, part)
        depth = (DEPTH if is_erect(rig) else LEVEL_DEPTH) * width
        middle = 0.0 if is_erect(rig) else -HANGS * depth
        begin = -BEHIND * width if part.part == "pelvis" else 0.0
    return Vector((-0.5 * width, middle - 0.5 * depth, begin)), Vector((0.5 * width, middle + 0.5 * depth, length))


def trunk_width(rig: Rig, part: Part) -> float:
    """How wide a trunk is as its limbs' joints tell; a spine is as wide as the middle of pelvis and chest."""
    shoulders = [rig.skeleton.bones[arm.bones[0]].head for arm in rig.arms]
    first = [leg.hip for leg in rig.legs if leg.order == 0]
    last = [leg.hip for leg in rig.legs if leg.order == max(each.order for each in rig.legs)]
    wide = PELVIS_WIDTH if is_erect(rig) else LEVEL_WIDTH
    pelvis = wide * _apart(last, 0.15 * rig.leg_length)
    chest = CHEST_WIDTH * _apart(shoulders, 0.0) if len(shoulders) > 1 else wide * _apart(first, 0.15 * rig.leg_length)
    return {"pelvis": pelvis, "chest": chest}.get(part.part, 0.5 * (pelvis + chest))


def _apart(points: Sequence[Vector], otherwise: float) -> float:
    return max((a - b).length for a in points for b in points) if len(points) > 1 else otherwise


def _round(part: Part, local: np.ndarray | None, length: float) -> tuple[Vector, Vector]:
    """A capsule about the bone, as thick as the skin in its middle part; a head about its skin."""
    plain = next((name for name in THICKNESS if part.part.endswith(name) or part.part == name), "")
    radius, middle, end = 0.5 * THICKNESS.get(plain, THIN) * length, (0.0, 0.0), length
    begin = 0.0
    if local is not None:
        if part.part == "head":
            far = local[local[:, 2] > 0.4 * length]
            far = far if len(far) >= FEWEST else local
            sides = [_span(far[:, k], ACROSS) for k in (0, 1)]
            middle = (0.5 * sum(sides[0]), 0.5 * sum(sides[1]))
            radius = 0.5 * max(b - a for a, b in sides)
            begin, end = 0.0, float(np.percentile(local[:, 2], 99.0))
        else:
            inner = local[(local[:, 2] > ALONG[0] * length) & (local[:, 2] < ALONG[1] * length)]
            inner = inner if len(inner) >= FEWEST else local
            radius = float(np.percentile(np.hypot(inner[:, 0], inner[:, 1]), THICK))
            if part.ends and part.leg < 0:
                end = max(0.5 * length, float(np.percentile(local[:, 2], ENDS[1])))
    radius = min(radius, FATTEST * max(end - begin, 1e-9))
    over = max(0.0, radius - 0.5 * (end - begin))
    begin, end = begin - over, end + over
    return Vector((middle[0] - radius, middle[1] - radius, begin)), Vector(
        (middle[0] + radius, middle[1] + radius, end)
    )


def _foot(rig: Rig, part: Part, turn: Quaternion, local: np.ndarray | None, least: float) -> Solid:
    """A box that stands flat on its sole: from the heel to where toes bend up as it rolls off, and up to the ankle."""
    sole = rig.legs[part.leg].sole
    back = turn.inverted()
    front = sole.ball.lerp(sole.toe, STIFF)
    heel, toe, floor = (back @ (p - part.head) for p in (sole.heel, front, sole.ball))
    begin, end = min(heel.z, toe.z), max(heel.z, toe.z)
    if local is not None:
        sides = _span(local[:, 0], ACROSS)
        ends = _span(local[:, 2], ENDS)
        if end - begin < 0.3 * (ends[1] - ends[0]):
            begin, end = ends
    else:
        length = max(end - begin, 0.3 * abs(floor.y))
        middle = 0.5 * (begin + end)
        begin, end = middle - 0.5 * length, middle + 0.5 * length
        across = 0.5 * (heel.x + toe.x)
        sides = (across - 0.5 * FOOT * length, across + 0.5 * FOOT * length)
    top = max(0.0, floor.y + least)
    low, high = Vector((sides[0], floor.y, begin)), Vector((sides[1], top, end))
    size = Vector([max(high[k] - low[k], least) for k in range(3)])
    return Solid("BOX", size, part.head + turn @ (0.5 * (low + high)))
