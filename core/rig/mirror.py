"""Which way a skeleton is mirrored, and which way it faces.

The mirror plane is the upright plane that maps legs onto legs and joints onto joints best. The facing is voted on:
toes point forward, heads lead, tails follow, knees bend forward, and names know left from right. A rig that is
alike in front and behind is said to be so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from mathutils import Vector

from .by_shape import LegPath, rest_floor
from .outline import Outline
from .rest_vertices import RestVertices

# A share of the rig's size within which a joint counts as lying in the mirror plane.
ON_PLANE = 0.03
SNAP = math.radians(5.0)
SURE_VOTE = 0.15
MOST_JOINTS = 200
MOST_PLANES = 100
# What names say counts less than one clear foot: a rig may have been mirrored with its names.
NAMES_COUNT = 0.6


@dataclass(frozen=True, slots=True)
class Plane:
    """The upright mirror plane: `across` is its unit normal (either way), `offset` the plane's place along it."""

    across: Vector
    offset: float
    tolerance: float

    def side(self, point: Vector) -> float:
        """How far across a point lies, metres."""
        return float(point.dot(self.across)) - self.offset

    def is_on(self, point: Vector) -> bool:
        """True for a point in the middle."""
        return abs(self.side(point)) < self.tolerance


@dataclass(frozen=True, slots=True)
class Facing:
    """The direction faced (unit, level) and how clear the votes were (0: a guess, 1: all agree)."""

    forward: Vector
    clarity: float


def mirror_plane(outline: Outline, legs: Sequence[LegPath]) -> Plane:
    """The plane that mirrors the legs, and the rest of the skeleton, best. Ties go to X, then Y."""
    heads = np.array(outline.heads, dtype=np.float64)
    size = max(float(np.max(np.ptp(heads, axis=0))), 1e-6)
    hips = [outline.heads[leg.top] for leg in legs]
    tips = [_tip(outline, leg) for leg in legs]
    center = sum(hips, Vector()) / max(len(hips), 1)
    best: tuple[float, Vector] | None = None
    for across in _some((*_candidates(hips), *_candidates(tips)[2:])):
        offset = float(center.dot(across))
        cost = _leg_cost(hips, tips, across, offset, size) + 2.0 * _joint_cost(heads, across, offset, size)
        if best is None or cost < 0.97 * best[0] - 1e-4:
            best = (cost, across)
    across = best[1] if best else Vector((1.0, 0.0, 0.0))
    return Plane(across, float(center.dot(across)), ON_PLANE * size)


def _tip(outline: Outline, leg: LegPath) -> Vector:
    return outline.far[leg.path[-1]] if outline.sure[leg.path[-1]] else outline.heads[leg.path[-1]]


def _candidates(hips: Sequence[Vector]) -> list[Vector]:
    found = [Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0))]
    for i, a in enumerate(hips):
        for b in hips[i + 1 :]:
            across = Vector((a.x - b.x, a.y - b.y, 0.0))
            if across.length > 1e-6:
                across.normalize()
                found.append(_snapped(across))
    return found


def _some(candidates: Sequence[Vector]) -> Sequence[Vector]:
    """X, Y, and of the others at most MOST_PLANES, of all alike: a brush of hundreds of chains has as many pairs."""
    others = candidates[2:]
    return (*candidates[:2], *others[:: 1 + len(others) // MOST_PLANES])


def _snapped(direction: Vector) -> Vector:
    """A level direction, moved onto X or Y if it is within a few degrees of it."""
    for axis in (Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0))):
        along = direction.dot(axis)
        if abs(along) > math.cos(SNAP):
            return axis * math.copysign(1.0, along)
    return direction


def _mirrored(point: Vector, across: Vector, offset: float) -> Vector:
    return point - across * (2.0 * (float(point.dot(across)) - offset))


def _leg_cost(hips: Sequence[Vector], tips: Sequence[Vector], across: Vector, offset: float, size: float) -> float:
    """Mean distance, in sizes, from each leg's mirror image to the nearest other leg."""
    if len(hips) < 2:
        return 0.0
    total = 0.0
    for i, (hip, tip) in enumerate(zip(hips, tips, strict=True)):
        hip_image, tip_image = _mirrored(hip, across, offset), _mirrored(tip, across, offset)
        total += min((hip_image - hips[j]).length + (tip_image - tips[j]).length for j in range(len(hips)) if j != i)
    return total / len(hips) / size


def _joint_cost(heads: np.ndarray, across: Vector, offset: float, size: float) -> float:
    """Mean distance, in sizes, from the mirror images of (a sample of) the joints to the nearest joints."""
    normal = np.array(across, dtype=np.float64)
    sample = heads[:: 1 + len(heads) // MOST_JOINTS]
    images = sample - 2.0 * ((sample @ normal) - offset)[:, None] * normal
    nearest = np.sqrt(((images[:, None, :] - heads[None, :, :]) ** 2).sum(axis=2)).min(axis=1)
    return float(nearest.mean()) / size


def facing(
    outline: Outline, legs: Sequence[LegPath], plane: Plane, head: int, vertices: RestVertices | None = None
) -> Facing:
    """Which of the two ways along the plane is forward. `head` is the head bone where names tell it, else -1."""
    ahead = Vector((plane.across.y, -plane.across.x, 0.0))  # so that the left is across
    votes = [*_toe_votes(outline, legs, ahead), *_end_votes(outline, legs, plane, ahead, head)]
    votes.extend(_name_votes(outline, legs, plane))
    if len(legs) <= 2:
        votes.extend(_knee_votes(outline, legs, ahead))
    if vertices is not None:
        votes.extend(_skin_votes(outline, legs, ahead, vertices))
    total = sum(votes)
    weight = sum(abs(vote) for vote in votes)
    clarity = abs(total) / max(weight, 1.0) if weight else 0.0
    if clarity < SURE_VOTE:
        default = Vector((0.0, -1.0, 0.0))
        along = ahead.dot(default)
        sign = 1.0 if along > 1e-3 or (abs(along) <= 1e-3 and ahead.x > 0.0) else -1.0
        return Facing(ahead * sign, clarity)
    return Facing(ahead * math.copysign(1.0, total), clarity)


def _toe_votes(outline: Outline, legs: Sequence[LegPath], ahead: Vector) -> list[float]:
    """Feet point forward: the last bones near the floor, from the ankle to the farthest sure joint."""
    floor = rest_floor(outline)
    votes = []
    for leg in legs:
        length = max(_chain_length(outline, leg), 1e-9)
        ankle, end, sure = _foot_line(outline, leg, floor, length)
        along = end - ankle
        level = Vector((along.x, along.y, 0.0)).length
        if level > 0.02 * length:
            vote = max(-1.0, min(1.0, float(along.dot(ahead)) / length / 0.12))
            lies = level / along.length  # a lifted foot tells little
            votes.append(vote * lies * (1.0 if sure else 0.3))
    return votes


def _knee_votes(outline: Outline, legs: Sequence[LegPath], ahead: Vector) -> list[float]:
    """Knees of two-legged rigs bend forward: how far the second joint lies off the line from the first to the tip."""
    votes = []
    for leg in legs:
        hip, tip = outline.heads[leg.top], outline.heads[leg.foot if leg.foot >= 0 else leg.path[-1]]
        knee = outline.heads[leg.starts[1] if len(leg.starts) > 1 else leg.path[min(1, len(leg.path) - 1)]]
        line = tip - hip
        if line.length > 1e-9:
            off = (knee - hip) - line * ((knee - hip).dot(line) / line.length_squared)
            votes.append(0.5 * max(-1.0, min(1.0, float(off.dot(ahead)) / line.length / 0.15)))
    return votes


def _skin_votes(outline: Outline, legs: Sequence[LegPath], ahead: Vector, vertices: RestVertices) -> list[float]:
    """A foot's skin reaches farther ahead of its ankle than behind."""
    floor = rest_floor(outline)
    votes = []
    for leg in legs:
        length = max(_chain_length(outline, leg), 1e-9)
        ankle, foot = _ankle(outline, leg, floor, length)
        points = vertices.of((foot, *outline.skeleton.descendants(foot)))
        if len(points) >= 3:
            along = (points - np.array(ankle, dtype=np.float64)) @ np.array(ahead, dtype=np.float64)
            middle = 0.5 * float(along.min() + along.max())
            votes.append(max(-1.0, min(1.0, middle / length / 0.05)))
    return votes


def _chain_length(outline: Outline, leg: LegPath) -> float:
    return sum((outline.far[i] - outline.heads[i]).length for i in leg.path)


def _ankle(outline: Outline, leg: LegPath, floor: float, length: float) -> tuple[Vector, int]:
    """The joint that the foot hangs on, and the foot: the first bone that begins low where names do not tell."""
    if leg.foot >= 0:
        return outline.heads[leg.foot], leg.foot
    low = [i for i in leg.path[1:] if outline.heads[i].z - floor < 0.17 * length]
    foot = low[0] if low else leg.path[-1]
    return outline.heads[foot], foot


def _foot_line(outline: Outline, leg: LegPath, floor: float, length: float) -> tuple[Vector, Vector, bool]:
    """The ankle (or paw joint) and the front end of the foot, with whether that end can be believed."""
    ankle, first = _ankle(outline, leg, floor, length)
    last = leg.foot if leg.detached else leg.path[-1]
    end = outline.far[last]
    if outline.told[last]:
        return ankle, end, True
    guess = end - outline.heads[last]
    if last != first or guess.z > 0.3 * guess.length or guess.length > 0.5 * length:
        return ankle, outline.heads[last], last != first
    return ankle, end, False


def _end_votes(outline: Outline, legs: Sequence[LegPath], plane: Plane, ahead: Vector, head: int) -> list[float]:
    """Heads lead and tails follow: what lies in the middle plane before and behind the legs."""
    limbs = {j for leg in legs for i in leg.path for j in (i, *outline.skeleton.descendants(i))}
    length = max(outline.below[leg.top] for leg in legs)
    hips = [float(outline.heads[leg.top].dot(ahead)) for leg in legs]
    center = 0.5 * (min(hips) + max(hips))
    if head >= 0:
        lead = (float((0.5 * (outline.heads[head] + outline.far[head])).dot(ahead)) - center) / length
        return [max(-1.0, min(1.0, lead)) * (3.0 if len(legs) > 2 else 0.5)]
    middle = [outline.heads[i] for i in range(len(outline.heads)) if i not in limbs and plane.is_on(outline.heads[i])]
    middle += [
        outline.far[i] for i in outline.leaves if i not in limbs and outline.sure[i] and plane.is_on(outline.far[i])
    ]
    before = [point for point in middle if float(point.dot(ahead)) > center]
    behind = [point for point in middle if float(point.dot(ahead)) <= center]
    if not before or not behind:
        return []
    reach_before = max(float(point.dot(ahead)) for point in before) - center
    reach_behind = center - min(float(point.dot(ahead)) for point in behind)
    if len(legs) > 4:
        return [2.0 * (reach_behind - reach_before) / max(reach_behind + reach_before, 1e-9)]
    rise = (max(point.z for point in before) - max(point.z for point in behind)) / length
    return [max(-1.0, min(1.0, 2.0 * rise)) * (1.5 if len(legs) > 2 else 0.3)]


def _name_votes(outline: Outline, legs: Sequence[LegPath], plane: Plane) -> list[float]:
    """Names know left from right; left is across where ahead is forward."""
    votes = []
    for leg in legs:
        side = leg.side or outline.names[leg.top].side
        if side and not plane.is_on(outline.heads[leg.path[-1]]):
            left = plane.side(outline.heads[leg.path[-1]]) > 0.0
            votes.append(1.0 if left == (side == "L") else -1.0)
    return [NAMES_COUNT * sum(votes) / len(votes)] if votes else []
