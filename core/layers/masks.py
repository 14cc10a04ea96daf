"""Masks by role, and poses blended through them or added on top of each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose, Held
from ..rig.rig import Problem, Rig

NOTHING = Vector((0.0, 0.0, 0.0)).freeze()
GROUPS = ("upper_body", "lower_body", "spine", "chest", "neck", "head", "arms", "legs", "tails", "all")
"""Words that a mask may have beside roles and bone names."""


def bone_mask(rig: Rig, roles: Iterable[str], *, below: bool = True) -> frozenset[int]:
    """The bones that have one of these roles, or names, or belong to a group; with all that hangs on them.

    `upper_body` is the first spine bone over the pelvis and all above it; `lower_body` is all else. A name with a minus
    in front takes its bones out again. KeyError names what is not there.
    """
    found: set[int] = set()
    for name in roles:
        taken = _members(rig, name.removeprefix("-"))
        if below:
            taken = taken | {j for i in taken for j in rig.skeleton.below[i]}
        found = found - taken if name.startswith("-") else found | taken
    return frozenset(found)


def read_mask(rig: Rig, text: str) -> tuple[frozenset[int] | None, tuple[Problem, ...]]:
    """A mask as settings have it, words with commas or blanks between: its bones (None: no mask), and its problems."""
    words = text.replace(",", " ").split()
    if not words:
        return None, ()
    if words[0].startswith("-"):
        words.insert(0, "all")
    problems, known = [], []
    for word in words:
        try:
            _members(rig, word.removeprefix("-"))
        except KeyError:
            reason = f"The mask names {word!r}, which is no role, bone or group of this rig."
            problems.append(Problem("", reason, f"Use a role such as chest or upper_arm.L, or {', '.join(GROUPS)}."))
        else:
            known.append(word)
    return bone_mask(rig, known), tuple(problems)


def _members(rig: Rig, name: str) -> set[int]:
    """The bones that a word of a mask means, without what hangs on them."""
    index = rig.skeleton.index
    if name in rig.roles:
        return {index[bone] for bone in rig.roles[name] if bone in index}
    if name in index:
        return {index[name]}
    groups = {
        "all": lambda: set(range(len(rig.skeleton))),
        "legs": lambda: {leg.bones[0] for leg in rig.legs} | {leg.foot for leg in rig.legs if leg.foot >= 0},
        "arms": lambda: {arm.shoulder if arm.shoulder >= 0 else arm.bones[0] for arm in rig.arms},
        "tails": lambda: {tail[0] for tail in rig.tails},
        "spine": lambda: set(_over_pelvis(rig)),
        "chest": lambda: set(rig.spine[-1:]),
        "neck": lambda: set(rig.neck),
        "head": lambda: {rig.head} - {-1},
        "upper_body": lambda: _upper(rig),
        "lower_body": lambda: set(range(len(rig.skeleton))) - _with_below(rig, _upper(rig)),
    }
    if name not in groups:
        raise KeyError(name)
    return groups[name]()


def _with_below(rig: Rig, bones: set[int]) -> set[int]:
    return bones | {j for i in bones for j in rig.skeleton.below[i]}


def _over_pelvis(rig: Rig) -> tuple[int, ...]:
    """The spine without what carries the legs."""
    carriers = {rig.body, rig.pelvis, *(j for leg in rig.legs for j in rig.skeleton.ancestors(leg.bones[0]))}
    return tuple(i for i in rig.spine if i not in carriers) or rig.spine[1:]


def _upper(rig: Rig) -> set[int]:
    over = _over_pelvis(rig)
    if over:
        return {over[0]}
    shoulders = {arm.shoulder if arm.shoulder >= 0 else arm.bones[0] for arm in rig.arms}
    return {*shoulders, *rig.neck, *([rig.head] if rig.head >= 0 else [])}


def nearer(before: Quaternion, after: Quaternion, share: float) -> Quaternion:
    """A rotation a share of the shorter way from one to another."""
    return before.slerp(after if before.dot(after) >= 0.0 else -after, share)


def blend(pose: EditedPose, held: Held, bones: Iterable[int], weight: float) -> None:
    """Leave these bones `weight` of the way from what was held to what the pose has now: 0 gives back the very same."""
    rotations, locations = held
    if weight >= 1.0:
        return
    if weight <= 0.0:
        pose.take(held, bones)
        return
    for i in bones:
        turn, place = pose.rotations[i], pose.locations.get(i)
        turned, moved = turn is not rotations[i], place is not locations.get(i)
        if turned or moved:
            if moved:
                place = locations.get(i, NOTHING).lerp(place or NOTHING, weight)
            pose.set_basis(i, nearer(rotations[i], turn, weight) if turned else turn, place)


def blend_poses_masked(base: EditedPose, over: EditedPose, mask: Iterable[int], weight: float) -> None:
    """Bring the masked bones of `base` a share of the way to those of `over`; all others stay as they are, to the bit.

    Rotations go the shorter way. Both poses are over one skeleton.
    """
    held, bones = base.held(), sorted(mask)
    for i in bones:
        base.set_basis(i, over.rotations[i], over.locations.get(i))
    blend(base, held, bones, weight)


def add_pose(
    pose: EditedPose,
    over: EditedPose,
    reference: EditedPose,
    weight: float,
    mask: Sequence[int] | frozenset[int] | None = None,
) -> None:
    """Put what `over` differs from `reference` on top of a pose, `weight` of it, bone by bone in their own axes.

    A bone that is in `over` as in `reference` stays as it is, to the bit: basis * (reference^-1 * over).
    """
    if weight == 0.0:
        return
    for i in range(len(pose.rotations)) if mask is None else sorted(mask):
        more = reference.rotations[i].inverted() @ over.rotations[i]
        shift = over.locations.get(i, NOTHING) - reference.locations.get(i, NOTHING)
        turns = over.rotations[i] != reference.rotations[i]
        if not turns and shift.length == 0.0:
            continue
        turn = pose.rotations[i] @ nearer(Quaternion(), more, weight) if turns else pose.rotations[i]
        place = pose.locations.get(i)
        if shift.length > 0.0:
            place = (place or NOTHING) + shift * weight
        pose.set_basis(i, turn, place)
