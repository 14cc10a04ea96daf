"""From a skeleton in metres, Z up, of any facing, to a Rig that faces -Y: the one entry of rig reading.

Names first: the convention that explains most bones gives the legs. Where none does, or hand-made corrections say
so, shape. Geometry then decides sides, order and facing for both, so that a mirrored or oddly named rig is still
right; where names disagree it is said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mathutils import Matrix, Vector

from .by_shape import LegPath, legs_by_shape, rest_floor
from .chains import Cut, cut
from .conventions import Convention, Match, NamedLeg, best_match
from .corrections import (
    corrected_arms,
    corrected_fingers,
    corrected_legs,
    corrected_toes,
    corrected_trunk,
    role_problems,
)
from .fingers import fingers_of
from .long_body import legless, long_rig
from .mirror import SURE_VOTE, Plane, facing, mirror_plane
from .outline import Outline, outline_of
from .problems import leg_problems, no_bones, no_facing, on_its_head, side_problems, trunk_problems
from .rest_vertices import RestVertices
from .rig import Arm, Leg, Problem, Rig, Side, Sole
from .roles import leg_role, roles_of
from .skeleton import Skeleton
from .soles import bones_floor, lowest_joint, mirrored_sole, sole_of
from .trunk import arms_of, head_of, trunk_of

# A named leg whose tip ends this far (share of its height) over the lowest one's is an arm.
LEGS_END_WITHIN = 0.5
# What is called an arm is a leg if it ends this near the ground.
ARMS_END_WITHIN = 0.2
SNAP = math.radians(5.0)
# Two feet mirror each other if one's image is this near (share of the leg).
SAME_PLACE = 0.05


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known before legs are measured; the outline faces -Y."""

    outline: Outline
    paths: tuple[LegPath, ...]
    plane: Plane
    match: Match | None
    vertices: RestVertices | None
    convention: str


@dataclass(frozen=True, slots=True)
class Understanding:
    """A rig, and the yaw (radians about +Z) that was applied to the given skeleton so that it faces -Y."""

    rig: Rig
    turned: float


def understand(
    skeleton: Skeleton,
    conventions: Sequence[Convention],
    vertices: RestVertices | None = None,
    corrections: Mapping[str, str] | None = None,
) -> Understanding:
    """Find legs, sides, order, facing, trunk, arms and soles of a rest pose (metres, Z up).

    `corrections` maps roles to bone names, as set by hand. What was not understood is in `rig.problems`; a blocking
    one means that the rig cannot walk.
    """
    corrections = corrections or {}
    problems: list[Problem] = []
    if not len(skeleton):
        return Understanding(legless(skeleton, [no_bones()]), 0.0)
    outline = outline_of(skeleton)
    match = best_match(outline, conventions)
    paths, by_names = _leg_paths(outline, match)
    problems += role_problems(outline, corrections)
    paths = corrected_legs(outline, paths, corrections)
    plane = mirror_plane(outline, paths)
    paths = _without_tails(outline, paths, plane)
    if not paths or (len(paths) == 1 and not by_names and not corrections):
        # What one leg would be in the rest pose of others is the tail of a body that lies on the ground.
        turned, rig = long_rig(outline, vertices, corrections, problems)
        if rig.long_body is not None or not paths:
            return Understanding(rig, turned)
    head = skeleton.index.get(corrections.get("head", ""), head_of(outline, match, [leg.top for leg in paths]))
    seen = facing(outline, paths, plane, head, vertices)
    if seen.clarity < SURE_VOTE:
        problems.append(no_facing())
    turned = _snapped(-0.5 * math.pi - math.atan2(seen.forward.y, seen.forward.x))
    found = _Found(
        outline=outline_of(skeleton.moved(Matrix.Rotation(turned, 4, "Z"))),
        paths=paths,
        plane=Plane(Vector((1.0, 0.0, 0.0)), _offset(plane, seen.forward), plane.tolerance),
        match=match,
        vertices=vertices.turned(turned) if vertices is not None else None,
        convention=match.convention.name if match and by_names else "",
    )
    return Understanding(_rig(found, corrections, problems), turned)


def _offset(plane: Plane, forward: Vector) -> float:
    """Where the mirror plane stands on X after the turn to -Y."""
    left = Vector((-forward.y, forward.x, 0.0))
    return plane.offset * float(plane.across.dot(left))


def _snapped(angle: float) -> float:
    """The angle in (-pi, pi], on a quarter turn if it is near one."""
    quarter = round(angle / (0.5 * math.pi)) * 0.5 * math.pi
    angle = quarter if abs(angle - quarter) < SNAP else angle
    angle = math.remainder(angle, 2.0 * math.pi)
    return math.pi if angle <= -math.pi + 1e-12 else angle + 0.0


def _leg_paths(outline: Outline, match: Match | None) -> tuple[tuple[LegPath, ...], bool]:
    """The legs by names where a convention gives a pair, else by shape; True if by names."""
    named = _named_paths(outline, match) if match else ()
    if len(named) >= 2:
        return named, True
    return legs_by_shape(outline), False


def _named_paths(outline: Outline, match: Match) -> tuple[LegPath, ...]:
    paths: list[LegPath] = []
    for leg in (*match.legs, *_arms_as_legs(match)):
        last = leg.metatarsal if leg.metatarsal >= 0 else leg.shin
        starts = tuple(i for i in (leg.thigh, leg.shin, leg.metatarsal) if i >= 0)
        end = last if leg.detached or leg.foot < 0 else (leg.toe if leg.toe >= 0 else leg.foot)
        if leg.foot < 0:
            continue
        path = list(outline.path(leg.thigh, end))
        while not leg.detached and (child := outline.main_child(path[-1])) >= 0:
            path.append(child)
        paths.append(LegPath(tuple(path), starts, leg.foot, leg.detached, leg.metatarsal >= 0, leg.side))
    if not paths:
        return ()
    low = {leg: _tip_height(outline, leg) for leg in paths}
    floor = min(low.values())
    arms = {arm.upper_arm for arm in match.arms}
    return tuple(
        leg
        for leg in paths
        if low[leg] - floor
        < (ARMS_END_WITHIN if leg.top in arms else LEGS_END_WITHIN) * max(outline.heads[leg.top].z - floor, 1e-9)
    )


def _arms_as_legs(match: Match) -> list[NamedLeg]:
    """What is called an arm, as a leg: a cat's front legs may be. Those that end in the air are dropped again."""
    return [
        NamedLeg(arm.side, arm.upper_arm, arm.forearm, -1, arm.hand, -1, detached=False)
        for arm in match.arms
        if match.legs and arm.hand >= 0
    ]


def _tip_height(outline: Outline, leg: LegPath) -> float:
    bones = (leg.foot, *leg.path[-1:]) if leg.foot >= 0 else leg.path[-1:]
    return min(outline.heads[i].z for i in bones)


def _without_tails(outline: Outline, paths: tuple[LegPath, ...], plane: Plane) -> tuple[LegPath, ...]:
    """The legs without chains that lie in the mirror plane, unless nothing else is there."""
    if any(leg.starts for leg in paths):
        return paths
    beside = tuple(leg for leg in paths if not all(plane.is_on(outline.heads[i]) for i in leg.path[1:] or leg.path))
    if len(beside) >= 2:
        return beside
    return beside or tuple(leg for leg in paths if leg.foot >= 0 or _goes_down(outline, leg))


def _goes_down(outline: Outline, leg: LegPath) -> bool:
    drop = outline.heads[leg.top].z - min(outline.far[leg.path[-1]].z, outline.heads[leg.path[-1]].z)
    return drop > 0.6 * outline.below[leg.top]


def _rig(found: _Found, corrections: Mapping[str, str], problems: list[Problem]) -> Rig:
    outline, plane = found.outline, found.plane
    placed = _placed(outline, found.paths, plane, problems)
    floor = rest_floor(outline)
    cuts = [_with_named_toes(outline, found.match, cut(outline, leg, plane, floor)) for _, _, leg in placed]
    cuts = corrected_toes(outline, cuts, corrections)
    floors = _floors(outline, placed, cuts)
    pairs = 1 + max(order for order, _, _ in placed)
    soles = [sole_of(outline, item, ground, found.vertices) for item, ground in zip(cuts, floors, strict=True)]
    soles = _soles_of_pairs(placed, cuts, soles, plane.offset)
    legs = [
        _leg(leg_cut, (order, pairs, side), sole, detached=path.detached)
        for (order, side, path), leg_cut, sole in zip(placed, cuts, soles, strict=True)
    ]
    arms = corrected_arms(outline, arms_of(outline, cuts, plane, found.match), corrections)
    trunk = corrected_trunk(outline, trunk_of(outline, cuts, plane, found.match, arms), corrections)
    problems.extend(leg_problems(outline, legs))
    problems.extend(trunk_problems(outline, trunk, legs))
    lowest = min(leg.sole.ball.z for leg in legs)
    leg_length = max(leg.hip.z for leg in legs) - lowest
    if leg_length <= 0.0:
        problems.insert(0, on_its_head(outline.skeleton.bones[legs[0].bones[0]].name))
    return Rig(
        skeleton=outline.skeleton,
        legs=tuple(legs),
        body=trunk.body,
        root=trunk.root,
        pelvis=trunk.pelvis,
        spine=trunk.spine,
        neck=trunk.neck,
        head=trunk.head,
        tails=trunk.tails,
        arms=arms,
        roles=roles_of(outline.skeleton, trunk, legs, arms, _fingers(found, arms, corrections)),
        convention=found.convention,
        floor=lowest,
        leg_length=leg_length,
        problems=tuple(problems),
    )


def _with_named_toes(outline: Outline, match: Match | None, leg: Cut) -> Cut:
    """The leg without toes that a family's names know as helpers; the toes that they name instead."""
    part = match.part if match is not None else ()
    if not part or all(part[i] != "helper" for i in leg.toes):
        return leg
    named = [i for i in outline.skeleton.descendants(leg.foot) if part[i] == "toe"]
    first = [i for i in named if not any(j in named for j in outline.skeleton.ancestors(i))]
    return replace(leg, toes=tuple(first) or tuple(i for i in leg.toes if part[i] != "helper"))


def _fingers(found: _Found, arms: Sequence[Arm], corrections: Mapping[str, str]) -> list[dict[str, tuple[int, ...]]]:
    """The fingers of each arm's hand."""
    outline = found.outline
    part = found.match.part if found.match is not None else ()
    hands = [fingers_of(outline.skeleton, outline.names, part, arm.hand) for arm in arms]
    return [corrected_fingers(outline, hand, arm.side, corrections) for hand, arm in zip(hands, arms, strict=True)]


def _soles_of_pairs(
    placed: Sequence[tuple[int, Side, LegPath]], cuts: Sequence[Cut], soles: Sequence[Sole], middle: float
) -> list[Sole]:
    """The soles, where skin tells only one of a pair (a mirror modifier makes the other) with its mirror image."""
    told = {(order, side): k for k, (order, side, _) in enumerate(placed) if soles[k].source == "MESH"}
    whole = list(soles)
    for k, (order, side, _) in enumerate(placed):
        partner = told.get((order, "R" if side == "L" else "L"))
        if partner is None or side == "M" or soles[k].source == "MESH":
            continue
        tip = cuts[k].joints[-1]
        image = Vector((2.0 * middle - tip.x, tip.y, tip.z))
        if (image - cuts[partner].joints[-1]).length < SAME_PLACE * (tip - cuts[k].joints[0]).length:
            whole[k] = mirrored_sole(soles[partner], cuts[k], middle)
    return whole


def _floors(outline: Outline, placed: Sequence[tuple[int, Side, LegPath]], cuts: Sequence[Cut]) -> list[float]:
    """The ground under each leg at rest as bones tell it; a foot that is lifted at rest keeps the sole of its pair."""
    lows = [lowest_joint(outline, item) for item in cuts]
    ground = bones_floor(lows, cuts)
    lowest: dict[int, float] = {}
    for (order, _, _), low in zip(placed, lows, strict=True):
        lowest[order] = min(low, lowest.get(order, low))
    return [ground + low - lowest[order] for (order, _, _), low in zip(placed, lows, strict=True)]


def _leg(found: Cut, place: tuple[int, int, Side], sole: Sole, *, detached: bool) -> Leg:
    order, pairs, side = place
    return Leg(
        role=leg_role(order, pairs, side),
        side=side,
        order=order,
        stance=found.stance,
        bones=found.bones,
        joints=found.joints,
        foot=found.foot,
        toes=found.toes,
        sole=sole,
        detached=detached,
        helpers=found.helpers,
    )


def _placed(
    outline: Outline, paths: Sequence[LegPath], plane: Plane, problems: list[Problem]
) -> list[tuple[int, Side, LegPath]]:
    """Each leg's place in the order from the front and its side; front to back, left before right."""
    sides: dict[Side, list[LegPath]] = {"L": [], "R": [], "M": []}
    for leg in paths:
        across = sum(plane.side(outline.heads[i]) for i in leg.path) / len(leg.path)
        sides["M" if abs(across) < 0.5 * plane.tolerance else ("L" if across > 0.0 else "R")].append(leg)
    for row in sides.values():
        row.sort(key=lambda leg: (_lead(outline, leg), leg.top))
    problems.extend(side_problems(outline, sides))
    placed: list[tuple[int, Side, LegPath]] = []
    for side in ("L", "R"):
        placed.extend((order, side, leg) for order, leg in enumerate(sides[side]))
    for leg in sides["M"]:
        order = sum(_lead(outline, other) < _lead(outline, leg) for other in sides["L"])
        placed.append((order, "M", leg))
    return sorted(placed, key=lambda item: (item[0], item[1]))


def _lead(outline: Outline, leg: LegPath) -> float:
    """How far back a leg is: the mean of hip and tip along +Y (the rig faces -Y)."""
    return 0.5 * (outline.heads[leg.top].y + outline.heads[leg.path[-1]].y)
