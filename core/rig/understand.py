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
from .conventions import Convention, Match, best_match
from .corrections import corrected_legs, corrected_trunk
from .mirror import SURE_VOTE, Plane, facing, mirror_plane
from .outline import Outline, outline_of
from .rig import Arm, Leg, Problem, Rig, Side
from .roles import leg_role, roles_of
from .skeleton import Skeleton
from .soles import RestVertices, bones_floor, sole_of
from .trunk import Trunk, arms_of, head_of, trunk_of

# A named leg whose tip ends this far (share of its height) over the lowest one's is an arm.
LEGS_END_WITHIN = 0.3
UNEQUAL = 0.15
SNAP = math.radians(5.0)


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
        return Understanding(_legless(skeleton, "", [Problem("", "The armature has no bones.", "Add bones.", True)]), 0.0)
    outline = outline_of(skeleton)
    match = best_match(outline, conventions)
    paths, by_names = _leg_paths(outline, match)
    paths = corrected_legs(outline, paths, corrections, problems)
    if not paths:
        problems.append(_no_legs(outline))
        return Understanding(_legless(skeleton, "", problems), 0.0)
    plane = mirror_plane(outline, paths)
    paths = _without_tails(outline, paths, plane)
    if not paths:
        problems.append(_no_legs(outline))
        return Understanding(_legless(skeleton, "", problems), 0.0)
    seen = facing(outline, paths, plane, head_of(outline, match, [leg.top for leg in paths]))
    if seen.clarity < SURE_VOTE:
        problems.append(
            Problem("", "Front and behind look alike.", "If it walks backwards, name the head's bone under Corrections.")
        )
    turned = _snapped(math.atan2(-1.0, 0.0) - math.atan2(seen.forward.y, seen.forward.x))
    turn = Matrix.Rotation(turned, 4, "Z")
    plane = Plane(Vector((1.0, 0.0, 0.0)), _offset(plane, seen.forward), plane.tolerance)
    moved = replace(outline_of(skeleton.moved(turn)))
    kept = vertices.turned(turned) if vertices is not None else None
    name = match.convention.name if match and by_names else ""
    return Understanding(_rig(moved, paths, plane, match, kept, name, corrections, problems), turned)


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
    paths = []
    for leg in match.legs:
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
    return tuple(
        leg for leg in paths if low[leg] - floor < LEGS_END_WITHIN * max(outline.heads[leg.top].z - floor, 1e-9)
    )


def _tip_height(outline: Outline, leg: LegPath) -> float:
    bones = (leg.foot, *leg.path[-1:]) if leg.foot >= 0 else leg.path[-1:]
    return min(outline.heads[i].z for i in bones)


def _without_tails(outline: Outline, paths: tuple[LegPath, ...], plane: Plane) -> tuple[LegPath, ...]:
    """The legs without chains that lie in the mirror plane, unless nothing else is there."""
    beside = tuple(leg for leg in paths if not all(plane.is_on(outline.heads[i]) for i in leg.path[1:] or leg.path))
    if len(beside) >= 2:
        return beside
    upright = tuple(leg for leg in paths if leg.starts or leg.foot >= 0 or _goes_down(outline, leg))
    return beside or upright


def _goes_down(outline: Outline, leg: LegPath) -> bool:
    drop = outline.heads[leg.top].z - min(outline.far[leg.path[-1]].z, outline.heads[leg.path[-1]].z)
    return drop > 0.6 * outline.below[leg.top]


def _no_legs(outline: Outline) -> Problem:
    return Problem(
        outline.skeleton.bones[0].name,
        "No legs were found: no pair of bone chains leaves the body and comes down to the floor of the rest pose.",
        "Name a thigh and a foot of each leg under Corrections, or choose a rig with legs.",
        blocking=True,
    )


def _rig(
    outline: Outline,
    paths: Sequence[LegPath],
    plane: Plane,
    match: Match | None,
    vertices: RestVertices | None,
    convention: str,
    corrections: Mapping[str, str],
    problems: list[Problem],
) -> Rig:
    placed = _placed(outline, paths, plane, problems)
    floor = rest_floor(outline)
    cuts = {leg: cut(outline, leg, plane, floor) for _, _, leg in placed}
    floor = bones_floor(outline, cuts.values())
    pairs = 1 + max(order for order, _, _ in placed)
    legs = tuple(_leg(outline, cuts[leg], leg, (order, pairs, side), floor, vertices) for order, side, leg in placed)
    ordered = [cuts[leg] for _, _, leg in placed]
    arms = arms_of(outline, ordered, plane, match)
    trunk = trunk_of(outline, ordered, plane, match, arms)
    trunk = corrected_trunk(outline, trunk, corrections, problems)
    problems.extend(_leg_problems(outline, legs))
    problems.extend(_trunk_problems(outline, trunk, legs))
    soles = min(leg.sole.ball.z for leg in legs)
    return Rig(
        skeleton=outline.skeleton,
        legs=legs,
        body=trunk.body,
        root=trunk.root,
        pelvis=trunk.pelvis,
        spine=trunk.spine,
        neck=trunk.neck,
        head=trunk.head,
        tails=trunk.tails,
        arms=tuple(arms),
        roles=roles_of(outline.skeleton, trunk, legs, arms),
        convention=convention,
        floor=soles,
        leg_length=max(leg.hip.z for leg in legs) - soles,
        problems=tuple(problems),
    )


def _leg(
    outline: Outline,
    found: Cut,
    path: LegPath,
    place: tuple[int, int, Side],
    floor: float,
    vertices: RestVertices | None,
) -> Leg:
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
        sole=sole_of(outline, found, floor, vertices),
        detached=path.detached,
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
    if len(sides["L"]) != len(sides["R"]):
        odd = max(("L", "R"), key=lambda side: len(sides[side]))
        bone = outline.skeleton.bones[sides[odd][-1].top].name
        problems.append(
            Problem(
                bone,
                f"There are {len(sides['L'])} legs on the left and {len(sides['R'])} on the right.",
                "If one was missed, name its thigh and foot under Corrections.",
            )
        )
    placed = [(order, side, leg) for side in ("L", "R") for order, leg in enumerate(sides[side])]
    for leg in sides["M"]:
        order = sum(_lead(outline, other) < _lead(outline, leg) for other in sides["L"])
        placed.append((order, "M", leg))
    for leg in paths:
        found = next(side for side, row in sides.items() if leg in row)
        if leg.side and found not in (leg.side, "M"):
            bone = outline.skeleton.bones[leg.top].name
            told = "left" if leg.side == "L" else "right"
            problems.append(
                Problem(bone, f"The name says {told}, but the bone is on the other side.", "Its place was believed.")
            )
    return sorted(placed, key=lambda item: (item[0], item[1]))


def _lead(outline: Outline, leg: LegPath) -> float:
    """How far back a leg is: the mean of hip and tip along +Y (the rig faces -Y)."""
    return 0.5 * (outline.heads[leg.top].y + outline.heads[leg.path[-1]].y)


def _leg_problems(outline: Outline, legs: Sequence[Leg]) -> list[Problem]:
    problems = []
    names = outline.skeleton.bones
    if len(legs) == 1:
        problems.append(
            Problem(
                names[legs[0].bones[0]].name,
                "Only one leg was found; no gait is known for one leg.",
                "Name the other leg's thigh and foot under Corrections.",
                blocking=True,
            )
        )
    for leg in legs:
        reason = ""
        if len(leg.bones) < 2:
            reason = f"The leg {leg.role} has a single bone, so that it has no knee to bend."
        elif min(leg.lengths) < 1e-6 * max(leg.lengths):
            reason = f"The leg {leg.role} has a segment without length."
        if reason:
            problems.append(Problem(names[leg.bones[0]].name, reason, "Give it two bones or more of some length.", True))
    totals = [sum(leg.lengths) for leg in legs]
    by_order: dict[int, list[float]] = {}
    for leg, total in zip(legs, totals, strict=True):
        by_order.setdefault(leg.order, []).append(total)
    for order, lengths in by_order.items():
        if max(lengths) - min(lengths) > UNEQUAL * max(lengths):
            bone = next(names[leg.bones[0]].name for leg in legs if leg.order == order)
            share = 100.0 * (1.0 - min(lengths) / max(lengths))
            problems.append(
                Problem(bone, f"The legs of this pair differ in length by {share:.0f} %.", "The shorter one sets the pace.")
            )
    return problems


def _trunk_problems(outline: Outline, trunk: Trunk, legs: Sequence[Leg]) -> list[Problem]:
    problems = []
    if trunk.body < 0:
        problems.append(
            Problem(
                outline.skeleton.bones[legs[0].bones[0]].name,
                "The legs hang on no common bone, so that nothing can carry the body.",
                "Parent them all (directly or not) to one bone.",
                blocking=True,
            )
        )
    if trunk.head < 0:
        problems.append(Problem("", "No head was found.", "It can be named under Corrections; it walks without."))
    return problems


def _legless(skeleton: Skeleton, convention: str, problems: Sequence[Problem]) -> Rig:
    empty: tuple[Arm, ...] = ()
    return Rig(skeleton, (), -1, -1, -1, (), (), -1, (), empty, {}, convention, 0.0, 0.0, tuple(problems))
