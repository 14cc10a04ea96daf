"""What of a foot can touch the ground: heel, ball and toe at rest.

From the lowest rest vertices weighted to foot and toes where the reader gives them, else from bones and the rest
floor. The foot's direction follows its joints, not its bone axes, and where they do not tell, the facing (-Y).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from mathutils import Vector

from .chains import Cut
from .outline import Outline
from .rest_vertices import RestVertices
from .rig import Sole

FORWARD = Vector((0.0, -1.0, 0.0))
# Shares: of the ankle's height, below which a vertex belongs to the sole; of ankle to ball, by which a heel is behind.
SOLE_BAND = 0.25
HEEL_BEHIND = 0.3
# A whole foot whose skin is low only from this share of the way to its toes on has no heel that its skin shows.
HEEL_AHEAD = 0.4
# A rest pose that stands this little (share of the leg) over the model origin stands on it.
ORIGIN_IS_FLOOR = 0.1


def sole_of(outline: Outline, cut: Cut, floor: float, vertices: RestVertices | None) -> Sole:
    """The sole of one leg; `floor` is used where no vertex tells."""
    if cut.foot < 0:
        return _point_sole(outline, cut, vertices)
    toe_bones = [j for i in cut.toes for j in (i, *outline.skeleton.descendants(i))]
    foot_bones = [j for j in (cut.foot, *outline.skeleton.descendants(cut.foot)) if j not in set(toe_bones)]
    if vertices is not None:
        foot_points, toe_points = vertices.of(foot_bones), vertices.of(toe_bones)
        points = np.concatenate((foot_points, toe_points))
        if len(points) >= 3:
            sole = _mesh_sole(outline, cut, points, foot_points if len(foot_points) >= 3 else points)
            if sole is not None:
                return sole
    return _bone_sole(outline, cut, floor)


def mirrored_sole(sole: Sole, cut: Cut, middle: float) -> Sole:
    """The sole of the other side, for a leg whose skin a modifier makes; `middle` is the mirror plane's X."""

    def across(point: Vector) -> Vector:
        return Vector((2.0 * middle - point.x, point.y, point.z))

    toes = cut.toes[0] if cut.toes else cut.foot
    bone = cut.foot if cut.foot >= 0 else cut.bones[-1]
    return Sole(across(sole.heel), across(sole.ball), across(sole.toe), bone, toes if cut.foot >= 0 else bone, "MESH")


def bones_floor(lows: Sequence[float], cuts: Sequence[Cut]) -> float:
    """The ground under a rest pose as far as bones can tell (`lows`: each leg's lowest joint).

    It is the origin if the feet stand just over it.
    """
    low = min(lows, default=0.0)
    leg = max((cut.joints[0].z - low for cut in cuts), default=0.0)
    return 0.0 if 0.0 <= low < ORIGIN_IS_FLOOR * leg else low


def lowest_joint(outline: Outline, cut: Cut) -> float:
    """How low a leg's foot reaches at rest, by joints and by bone ends that can be believed."""
    if cut.foot < 0:
        return float(cut.joints[-1].z)
    under = [j for i in cut.toes for j in outline.skeleton.descendants(i) if not outline.idle[j]]
    bones = [cut.foot, *cut.toes, *under]
    heads = [outline.heads[i].z for i in bones]
    length = (cut.joints[-1] - cut.joints[0]).length
    ends = [
        outline.far[i].z
        for i in bones
        if outline.told[i] and (outline.sure[i] or (outline.far[i] - outline.heads[i]).length < 0.35 * length)
    ]
    return float(min(heads + [z for z in ends if z > min(heads) - 0.15 * length]))


def _ball_joint(outline: Outline, cut: Cut) -> Vector:
    """Where the toes bend: the middle of the toes' joints, else the foot bone's far end."""
    if cut.toes:
        return sum((outline.heads[i] for i in cut.toes), Vector()) / len(cut.toes)
    return outline.far[cut.foot].copy()


def _direction(outline: Outline, cut: Cut) -> Vector:
    """The level direction from heel to toe."""
    along = _ball_joint(outline, cut) - outline.heads[cut.foot]
    if not cut.toes and not outline.sure[cut.foot] and along.dot(FORWARD) < 0.3 * along.length:
        return FORWARD.copy()  # a guessed tail that leads nowhere
    level = Vector((along.x, along.y, 0.0))
    if level.length < 0.2 * along.length or level.length < 1e-9:
        ends = [outline.far[i] for i in cut.toes if outline.sure[i]]
        level = sum(ends, Vector()) / len(ends) - outline.heads[cut.foot] if ends else FORWARD.copy()
        level.z = 0.0
    return level.normalized() if level.length > 1e-9 else FORWARD.copy()


def _mesh_sole(outline: Outline, cut: Cut, points: np.ndarray, foot_points: np.ndarray) -> Sole | None:
    """Heel, ball and toe on the foot's middle line, at the height of its lowest vertex. None where nothing of a
    whole foot but its toes is low: a skin of sticks has no heel.

    A vertex belongs to the sole if it is low; the line runs along the foot's direction, midway between the sole's
    edges.
    """
    ankle = outline.heads[cut.foot]
    direction = _direction(outline, cut)
    low = float(points[:, 2].min())
    band = low + max(SOLE_BAND * (ankle.z - low), 0.01 * (cut.joints[0].z - low), 0.0)
    sole = points[points[:, 2] <= band]
    rear = foot_points[foot_points[:, 2] <= band]
    forward, across = np.array((direction.x, direction.y)), np.array((-direction.y, direction.x))
    begin = np.array((ankle.x, ankle.y))
    aside = (sole[:, :2] - begin) @ across
    ahead = (sole[:, :2] - begin) @ forward
    behind = (rear[:, :2] - begin) @ forward if len(rear) else ahead
    middle = 0.5 * float(aside.min() + aside.max())
    toe_lead, heel_lead = float(ahead.max()), float(behind.min())
    if cut.stance == "PLANTIGRADE" and heel_lead > HEEL_AHEAD * toe_lead:
        return None
    ball_lead = toe_lead
    if cut.toes:
        joint = _ball_joint(outline, cut)
        ball_lead = min(max(float((joint - ankle).dot(direction)), heel_lead), toe_lead)

    def at(lead: float) -> Vector:
        spot = begin + forward * lead + across * middle
        return Vector((float(spot[0]), float(spot[1]), low))

    bone = cut.toes[0] if cut.toes else cut.foot
    return Sole(at(heel_lead), at(ball_lead), at(toe_lead), cut.foot, bone, "MESH")


def _bone_sole(outline: Outline, cut: Cut, floor: float) -> Sole:
    direction = _direction(outline, cut)
    ankle = outline.heads[cut.foot]
    joint = _ball_joint(outline, cut)
    if not cut.toes and not outline.sure[cut.foot]:
        joint = _end_along(outline, cut.foot, direction, 0.5 * (ankle.z - floor))
    ball = Vector((joint.x, joint.y, floor))
    level = Vector((ankle.x, ankle.y, floor))
    behind = HEEL_BEHIND if cut.stance == "PLANTIGRADE" else 0.0
    heel = level - direction * (behind * max(float((ball - level).dot(direction)), 0.0))
    if not cut.toes:
        return Sole(heel, ball, ball.copy(), cut.foot, cut.foot, "BONES")
    ends = [_end_along(outline, i, direction, 0.5 * (joint - ankle).length) for i in cut.toes]
    end = max(ends, key=lambda point: float(point.dot(direction)))
    toe = ball + direction * max(float((end - joint).dot(direction)), 0.0)
    bone = cut.toes[0]
    return Sole(heel, ball, toe, cut.foot, bone, "BONES")


def _end_along(outline: Outline, bone: int, direction: Vector, default: float) -> Vector:
    """The far end of a toe, or a guess of it where the bone's tail leads elsewhere. Follows the chain to its end."""
    last = bone
    while (child := outline.main_child(last)) >= 0:
        last = child
    along = outline.far[last] - outline.heads[last]
    if outline.sure[last] or along.dot(direction) > 0.6 * along.length:
        return outline.far[last]
    return outline.heads[last] + direction * (default if last == bone else 0.0)


def _point_sole(outline: Outline, cut: Cut, vertices: RestVertices | None) -> Sole:
    tip, bone = cut.joints[-1].copy(), cut.bones[-1]
    if vertices is not None:
        under = list(outline.skeleton.descendants(bone))
        points = vertices.of((bone, *under))
        if len(points):
            low = points[int(np.argmin(points[:, 2]))]
            reach = 0.15 * (cut.joints[-1] - cut.joints[0]).length
            if np.linalg.norm(low - np.array(tip)) < reach:
                tip.z = float(low[2])
                return Sole(tip, tip.copy(), tip.copy(), bone, bone, "MESH")
    return Sole(tip, tip.copy(), tip.copy(), bone, bone, "BONES")
