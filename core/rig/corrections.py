"""What a person set by hand: roles given to bones, laid over what was found.

A thigh starts a leg (or replaces the one found there); a shin and a foot name where the parts of their leg begin, a
toe what stays flat on it. `spine`, `chest` and `neck` name where these parts of the back begin or end; `shoulder`,
`upper_arm`, `forearm`, `hand` and fingers name the arm's. `pelvis`, `head`, `root` and `body` replace one bone. Side
and pair of a leg's role are not taken from the text but from the bone's place, as for all legs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from .by_shape import LegPath
from .chains import Cut
from .fingers import is_finger
from .outline import Outline
from .rig import Arm, Problem, Side
from .trunk import Trunk

LEG_ROLES = ("thigh", "shin", "foot", "toe")
ARM_ROLES = ("shoulder", "upper_arm", "forearm", "hand")
TRUNK_ROLES = ("root", "body", "pelvis", "spine", "chest", "neck", "head")


def stem_of(role: str) -> str:
    """A role without its side, pair and number: `thigh` of `front_thigh.L`; empty for what can not be set by hand."""
    stem, numberless = role.partition(".")[0], role.partition(".")[0].rstrip("0123456789")
    if stem in TRUNK_ROLES or stem in ARM_ROLES or is_finger(stem):
        return stem
    return next((part for part in LEG_ROLES if numberless == part or numberless.endswith(f"_{part}")), "")


def role_problems(outline: Outline, corrections: Mapping[str, str]) -> list[Problem]:
    """What is set by hand, but cannot be: bones that are not there, and roles that there are none of."""
    found = []
    for role, name in sorted(corrections.items()):
        if name not in outline.skeleton.index:
            found.append(Problem(name, f"It is set as {role}, but there is no such bone.", "Choose a bone again."))
        elif not stem_of(role):
            found.append(Problem(name, f"It is set as {role}, which is no role.", "Use one like thigh.L or head."))
    return found


def corrected_legs(outline: Outline, paths: tuple[LegPath, ...], corrections: Mapping[str, str]) -> tuple[LegPath, ...]:
    """The legs after corrections of thighs, shins and feet."""
    index = outline.skeleton.index
    legs = list(paths)
    for role, name in sorted(corrections.items()):
        part = stem_of(role)
        if name not in index or part not in ("thigh", "shin", "foot"):
            continue
        of_leg = {p: corrections.get(role.replace(part, p), "") for p in ("thigh", "shin", "foot")}
        if part == "thigh":
            legs = _with_leg(outline, legs, index[name], of_leg)
        elif of_leg["thigh"] not in index and (part == "shin" or of_leg["shin"] not in index):
            thigh = _thigh_of(outline, legs, index[name])
            legs = legs if thigh < 0 else _with_leg(outline, legs, thigh, of_leg)
    return tuple(legs)


def corrected_toes(outline: Outline, cuts: Sequence[Cut], corrections: Mapping[str, str]) -> list[Cut]:
    """The legs with toes that were set by hand: each belongs to the foot that carries it."""
    index = outline.skeleton.index
    wanted = [index[name] for role, name in sorted(corrections.items()) if stem_of(role) == "toe" and name in index]
    toes = {above: bone for bone in wanted for above in outline.skeleton.ancestors(bone)}
    return [replace(cut, toes=(toes[cut.foot],)) if cut.foot in toes else cut for cut in cuts]


def corrected_trunk(outline: Outline, trunk: Trunk, corrections: Mapping[str, str]) -> Trunk:
    """The trunk after corrections of single bones, and of where back and neck begin."""
    index = outline.skeleton.index
    known = {role: index[corrections[role]] for role in TRUNK_ROLES if corrections.get(role, "") in index}
    trunk = replace(
        trunk,
        root=known.get("root", trunk.root),
        body=known.get("body", trunk.body),
        pelvis=known.get("pelvis", trunk.pelvis),
        head=known.get("head", trunk.head),
    )
    if not {"pelvis", "head", "spine", "chest", "neck"} & known.keys() or trunk.head < 0:
        return trunk
    start = known.get("spine", trunk.spine[0] if trunk.spine and "pelvis" not in known else -1)
    whole = outline.path(start if start >= 0 else max(trunk.pelvis, trunk.body), trunk.head)[:-1]
    whole = whole if start >= 0 else whole[1:]
    if not whole:
        return trunk
    neck = known.get("neck", trunk.neck[0] if trunk.neck else -1)
    at = whole.index(neck) if neck in whole else len(whole)
    if known.get("chest", -1) in whole:
        at = whole.index(known["chest"]) + 1
    return replace(trunk, spine=whole[:at], neck=whole[at:])


def corrected_arms(outline: Outline, arms: tuple[Arm, ...], corrections: Mapping[str, str]) -> tuple[Arm, ...]:
    """The arms after corrections; an upper arm and a forearm make one where none was found."""
    index = outline.skeleton.index
    for side in cast("tuple[Side, ...]", ("L", "R")):
        known = [index.get(corrections.get(f"{part}.{side}", ""), -1) for part in ARM_ROLES]
        old = next((arm for arm in arms if arm.side == side), None)
        before = (old.shoulder, *old.bones[:2], old.hand) if old is not None else (-1, -1, -1, -1)
        shoulder, upper, forearm, hand = (new if new >= 0 else was for new, was in zip(known, before, strict=True))
        if max(known) >= 0 and upper >= 0 and forearm in outline.skeleton.descendants(upper):
            others = [arm for arm in arms if arm is not old]
            arms = tuple(sorted([*others, Arm(side, shoulder, (upper, forearm), hand)], key=lambda arm: arm.side))
    return arms


def corrected_fingers(
    outline: Outline, fingers: dict[str, tuple[int, ...]], side: Side, corrections: Mapping[str, str]
) -> dict[str, tuple[int, ...]]:
    """The fingers of one hand after corrections of their first bones."""
    index = outline.skeleton.index
    end = "" if side == "M" else f".{side}"
    changed = dict(fingers)
    for role, name in sorted(corrections.items()):
        finger = role.removesuffix(end)
        if role.endswith(end) and is_finger(finger) and name in index:
            chain = [index[name]]
            while (child := outline.main_child(chain[-1])) >= 0:
                chain.append(child)
            changed = {other: bones for other, bones in changed.items() if not set(bones) & set(chain)}
            changed[finger] = tuple(chain)
    return changed


def _thigh_of(outline: Outline, legs: Sequence[LegPath], bone: int) -> int:
    """The top of the leg that a bone is in, else of the one that ends nearest to it; -1 without legs."""
    above = {bone, *outline.skeleton.ancestors(bone)}
    inside = [leg.top for leg in legs if leg.top in above]
    if inside:
        return inside[0]
    head = outline.heads[bone]
    away = [((outline.far[leg.path[-1]] - head).length, leg.top) for leg in legs]
    return min(away, default=(0.0, -1))[1]


def _with_leg(outline: Outline, legs: list[LegPath], thigh: int, names: Mapping[str, str]) -> list[LegPath]:
    """The legs with one that starts at this thigh; `names` are those of its shin and foot, where they are set."""
    index = outline.skeleton.index
    shin, foot = (index.get(names[part], -1) for part in ("shin", "foot"))
    old = next((leg for leg in legs if leg.top == thigh and leg.starts), None)
    if old is not None:
        shin = old.starts[1] if shin < 0 and len(old.starts) == 2 else shin
        foot = old.foot if foot < 0 else foot
    under = {thigh, *outline.skeleton.descendants(thigh)}
    through = next((bone for bone in (foot, shin) if bone in under), thigh)
    path = list(outline.path(thigh, through))
    detached = foot >= 0 and foot not in under
    while (child := outline.main_child(path[-1])) >= 0:
        path.append(child)
    starts = (thigh, shin) if shin in under else ()
    found = LegPath(tuple(path), starts, foot, detached, on_toes=foot >= 0)
    touched = under | set(outline.skeleton.ancestors(thigh))
    return [leg for leg in legs if leg.top not in touched or not set(leg.path) & (under | {thigh})] + [found]
