"""What is neither leg nor foot: the bone that carries all, pelvis, spine, neck, head, tails and arms.

Structure decides, names help: the pelvis is where the (hind) legs attach, the chest where arms or front legs do,
and what goes on beyond it is neck and head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathutils import Vector

from .by_shape import common_ancestor
from .chains import Cut
from .conventions import Match
from .mirror import Plane
from .outline import Outline
from .rig import Arm, Side

# An unnamed side chain is an arm if it is this long, in shares of the legs.
ARM_LENGTH = (0.25, 2.4)
ROOT_NAMES = frozenset({"root", "reference", "master"})


@dataclass(frozen=True, slots=True)
class Trunk:
    """The middle of the body, as in `rig.Rig`; -1 and () where there is none."""

    body: int
    root: int
    pelvis: int
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int
    tails: tuple[tuple[int, ...], ...]


def head_of(outline: Outline, match: Match | None, legs: Sequence[int]) -> int:
    """The head bone by name, the topmost of them; -1 if no name tells."""
    limbs = {j for i in legs for j in (i, *outline.skeleton.descendants(i))}
    named = match.bones("head") if match else ()
    if not named:
        named = tuple(
            i for i, name in enumerate(outline.names) if name.key == "head" and not name.helper and not name.end
        )
    return next((i for i in named if i not in limbs), -1)


def trunk_of(outline: Outline, cuts: Sequence[Cut], plane: Plane, match: Match | None, arms: Sequence[Arm]) -> Trunk:
    """Find the trunk of a skeleton that faces -Y; `cuts` are its legs, front to back."""
    tops = [cut.bones[0] for cut in cuts]
    limbs = {j for i in tops for j in (i, *outline.skeleton.descendants(i))}
    head = head_of(outline, match, tops)
    if head < 0:
        head = _head_by_shape(outline, limbs, plane, arms, tops)
    hind = [_parent(outline, cut.bones[0]) for cut in cuts[-2:]]
    pelvis = common_ancestor(outline, hind) if min(hind) >= 0 else -1
    over = set(outline.skeleton.ancestors(pelvis)) if pelvis >= 0 else set()
    named = [i for i in (match.bones("pelvis") if match else ()) if i in over]
    pelvis = named[0] if named else pelvis
    body = _body(outline, cuts, head, match)
    spine, neck = (
        tuple(i for i in bones if match is None or match.part[i] != "helper")
        for bones in _spine_and_neck(outline, body, pelvis, head, [*tops, *(arm.bones[0] for arm in arms)])
    )
    taken = limbs | {
        head,
        *spine,
        *neck,
        *(j for a in arms for i in a.bones for j in (i, *outline.skeleton.descendants(i))),
    }
    if head >= 0:
        taken |= set(outline.skeleton.descendants(head))
    tails = _tails(outline, plane, match, taken, tops)
    return Trunk(body, _root(outline, body, cuts), pelvis, spine, neck, head, tails)


def _body(outline: Outline, cuts: Sequence[Cut], head: int, match: Match | None) -> int:
    """The lowest bone that carries all legs, the head, and whatever else is carried beside them (a tail, a trunk)."""
    carried = [_parent(outline, cut.bones[0]) for cut in cuts]
    if min(carried) < 0:
        return -1
    if _parent(outline, head) >= 0:
        carried.append(_parent(outline, head))
    body = common_ancestor(outline, carried)
    if body < 0:
        return -1
    root = _root(outline, body, cuts)
    over = {root, *outline.skeleton.ancestors(root)} if root >= 0 else set()
    above = [i for i in outline.skeleton.ancestors(body) if i not in over]
    named = match.bones("pelvis") if match else ()
    for i in above:
        beside = [j for j in outline.children[i] if j != body and j not in above]
        if _on_floor(outline, i, cuts):
            break
        if beside or i in named:
            body = i
    return body


def _on_floor(outline: Outline, bone: int, cuts: Sequence[Cut]) -> bool:
    """True for a bone that begins near the ground, closer to the soles than to the hips."""
    floor, hip = min(cut.joints[-1].z for cut in cuts), max(cut.joints[0].z for cut in cuts)
    return outline.heads[bone].z < floor + 0.25 * (hip - floor)


def _parent(outline: Outline, bone: int) -> int:
    return outline.skeleton.bones[bone].parent if bone >= 0 else -1


def _root(outline: Outline, body: int, cuts: Sequence[Cut]) -> int:
    """The topmost bone over the body that lies on the floor near the middle, or is called a root."""
    if body < 0:
        return -1
    length = max(sum((b - a).length for a, b in zip(cut.joints, cut.joints[1:], strict=False)) for cut in cuts)
    floor = min(cut.joints[-1].z for cut in cuts)
    center = sum((cut.joints[-1] for cut in cuts), Vector()) / len(cuts)
    for bone in reversed(tuple(outline.skeleton.ancestors(body))):
        away = outline.heads[bone] - center
        near = Vector((away.x, away.y, 0.0)).length < 1.5 * length
        if (abs(outline.heads[bone].z - floor) < 0.25 * length and near) or outline.names[bone].key in ROOT_NAMES:
            return bone
    return -1


def _head_by_shape(outline: Outline, limbs: set[int], plane: Plane, arms: Sequence[Arm], tops: Sequence[int]) -> int:
    """The end of the middle chain that leads up and ahead (two legs) or ahead (more) from where the limbs attach."""
    arm_bones = {j for arm in arms for i in arm.bones for j in (i, *outline.skeleton.descendants(i))}
    middle = [
        i
        for i in range(len(outline.skeleton))
        if i not in limbs and i not in arm_bones and not outline.idle[i] and plane.is_on(outline.heads[i])
    ]
    going_on = {outline.skeleton.bones[i].parent for i in middle}
    chains = [i for i in middle if i not in going_on and not _only_above(outline, i, tops)]
    if not chains:
        return -1
    if len(tops) <= 2:
        best = max(chains, key=lambda i: (outline.heads[i].z - outline.heads[i].y, -i))
    else:
        best = min(chains, key=lambda i: (outline.heads[i].y, i))
    # the head is the first bone of the last stretch from which several chains go on (jaw, ears), else the last bone
    attached = {j for top in (*tops, *(arm.bones[0] for arm in arms)) for j in outline.skeleton.ancestors(top)}
    path = [best, *outline.skeleton.ancestors(best)]
    free = [i for i in path if i not in attached]
    parting = [i for i in free if len(outline.children[i]) > 1]
    head = parting[-1] if parting else best
    above = _parent(outline, head)
    is_face = outline.names[head].key == "face" and above in free and outline.names[above].key != "neck"
    return above if is_face else head


def _only_above(outline: Outline, bone: int, tops: Sequence[int]) -> bool:
    """True for a leaf that is no part of the body: a bone of its own under a root, far from any limb's chain."""
    above = set(outline.skeleton.ancestors(bone))
    shared = {j for top in tops for j in outline.skeleton.ancestors(top)}
    return not (above & shared)


def _spine_and_neck(
    outline: Outline, body: int, pelvis: int, head: int, limbs: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The bones between pelvis and head, parted after the last one that carries a limb."""
    if body < 0 or head < 0:
        return (), ()
    start = body if pelvis < 0 else pelvis
    path = outline.path(start, head) or outline.path(body, head)
    between = path[1:-1] if path else ()
    carriers = [k for k, bone in enumerate(between) if any(bone in set(outline.skeleton.ancestors(i)) for i in limbs)]
    if not carriers:
        return between, ()
    return between[: carriers[-1] + 1], between[carriers[-1] + 1 :]


def _tails(
    outline: Outline, plane: Plane, match: Match | None, taken: set[int], tops: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """Chains by name, else middle chains of two and more bones that lead off behind the hindmost hip."""
    named = [i for i in (match.bones("tail") if match else ()) if i not in taken]
    named += [i for i, name in enumerate(outline.names) if name.key == "tail" and i not in taken and i not in named]
    firsts = [i for i in sorted(set(named)) if not any(j in named for j in outline.skeleton.ancestors(i))]
    if not firsts:
        behind = max(outline.heads[i].y for i in tops)
        length = max(outline.below[i] for i in tops)
        attached = {j for i in tops for j in outline.skeleton.ancestors(i)}
        for leaf in outline.leaves:
            chain = [leaf, *outline.skeleton.ancestors(leaf)]
            free = chain[: next((k for k, i in enumerate(chain) if i in attached or i in taken), len(chain))]
            leads = outline.far[leaf].y > behind + 0.2 * length and plane.is_on(outline.heads[leaf])
            if leaf not in taken and len(free) > 1 and leads and len(free) < len(chain):
                firsts.append(free[-1])
    return tuple(_down(outline, first) for first in dict.fromkeys(firsts))


def _down(outline: Outline, first: int) -> tuple[int, ...]:
    chain = [first]
    while (child := outline.main_child(chain[-1])) >= 0:
        chain.append(child)
    return tuple(chain)


def arms_of(outline: Outline, cuts: Sequence[Cut], plane: Plane, match: Match | None) -> tuple[Arm, ...]:
    """Arms by name, else (of two-legged rigs) the longest side chains that leave the middle above the legs."""
    limbs = {j for cut in cuts for i in cut.bones[:1] for j in (i, *outline.skeleton.descendants(i))}
    arms = []
    for arm in match.arms if match else ():
        if arm.upper_arm not in limbs:
            arms.append(
                Arm(_side(plane, outline.far[arm.forearm]), arm.shoulder, (arm.upper_arm, arm.forearm), arm.hand)
            )
    if match:
        arms.extend(_lifted_legs(outline, match, plane, limbs))
    if arms or len(cuts) != 2:
        return tuple(sorted(arms, key=lambda arm: arm.side))
    return tuple(_arms_by_shape(outline, cuts, plane, limbs))


def _lifted_legs(outline: Outline, match: Match, plane: Plane, limbs: set[int]) -> list[Arm]:
    """What is called a leg but ends in the air: an arm."""
    arms = []
    for leg in match.legs:
        if leg.thigh not in limbs and leg.shin not in limbs:
            above = outline.skeleton.ancestors(leg.thigh)
            shoulder = next((i for i in above if match.part[i] in ("hip", "shoulder")), -1)
            arms.append(Arm(_side(plane, outline.far[leg.shin]), shoulder, (leg.thigh, leg.shin), leg.foot))
    return arms


def _side(plane: Plane, point: Vector) -> Side:
    across = plane.side(point)
    return "M" if abs(across) < plane.tolerance else ("L" if across > 0.0 else "R")


def _arms_by_shape(outline: Outline, cuts: Sequence[Cut], plane: Plane, limbs: set[int]) -> list[Arm]:
    hip = max(cut.joints[0].z for cut in cuts)
    leg = max(sum((b - a).length for a, b in zip(cut.joints, cut.joints[1:], strict=False)) for cut in cuts)
    best: dict[Side, tuple[float, tuple[int, ...]]] = {}
    for top in range(len(outline.skeleton)):
        length = outline.below[top] / leg
        if outline.heads[top].z < hip or not ARM_LENGTH[0] < length < ARM_LENGTH[1]:
            continue
        side = _leads_aside(outline, top, plane, limbs)
        if side != "M" and length > best.get(side, (0.0, ()))[0]:
            best[side] = (length, _down(outline, top))
    if len(best) < 2:
        return []
    return [_arm(outline, "L", best["L"][1]), _arm(outline, "R", best["R"][1])]


def _leads_aside(outline: Outline, top: int, plane: Plane, limbs: set[int]) -> Side:
    """The side that a chain of at least two bones leads to from the middle, all of it; else M."""
    above = outline.skeleton.bones[top].parent
    under = tuple(outline.skeleton.descendants(top))
    if above < 0 or top in limbs or outline.idle[top] or not outline.children[top] or limbs.intersection(under):
        return "M"
    if plane.is_on(outline.far[top]) or not plane.is_on(outline.heads[above]):
        return "M"
    side = _side(plane, outline.far[top])
    return side if all(_side(plane, outline.heads[i]) == side for i in under) else "M"


def _arm(outline: Outline, side: Side, chain: tuple[int, ...]) -> Arm:
    """Shoulder, upper arm, forearm, hand along a chain: a first bone much shorter than the next is the shoulder."""
    lengths = [(outline.far[i] - outline.heads[i]).length for i in chain]
    shoulder = chain[0] if len(chain) > 3 and lengths[0] < 0.8 * lengths[1] else -1
    rest = chain[1:] if shoulder >= 0 else chain
    return Arm(side, shoulder, rest[:2], rest[2] if len(rest) > 2 else -1)
