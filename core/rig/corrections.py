"""What a person set by hand: roles given to bones, laid over what was found.

A thigh starts a leg (or replaces the one found there); a foot names where that leg's foot begins. `pelvis`, `head`,
`root` and `body` replace one bone. Side and pair of a leg's role are not taken from the text but from the bone's
place, as for all legs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .by_shape import LegPath
from .outline import Outline
from .rig import Problem
from .trunk import Trunk


def corrected_legs(
    outline: Outline, paths: tuple[LegPath, ...], corrections: Mapping[str, str], problems: list[Problem]
) -> tuple[LegPath, ...]:
    """The legs after corrections of thighs, shins and feet."""
    index = outline.skeleton.index
    legs = list(paths)
    for role, name in sorted(corrections.items()):
        if not _part(role):
            continue
        if name not in index:
            problems.append(Problem(name, f"It is set as {role}, but there is no such bone.", "Choose a bone again."))
        elif _part(role) == "thigh":
            legs = _with_leg(outline, legs, role, corrections)
    return tuple(legs)


def corrected_trunk(outline: Outline, trunk: Trunk, corrections: Mapping[str, str], problems: list[Problem]) -> Trunk:
    """The trunk after corrections of single bones."""
    found = {"root": trunk.root, "body": trunk.body, "pelvis": trunk.pelvis, "head": trunk.head}
    for role in found:
        name = corrections.get(role, "")
        if name in outline.skeleton.index:
            found[role] = outline.skeleton.index[name]
        elif name:
            problems.append(Problem(name, f"It is set as {role}, but there is no such bone.", "Choose a bone again."))
    return replace(trunk, root=found["root"], body=found["body"], pelvis=found["pelvis"], head=found["head"])


def _part(role: str) -> str:
    """thigh, shin or foot of `front_thigh.L`; empty for other roles."""
    stem = role.partition(".")[0].rstrip("0123456789")
    return next((part for part in ("thigh", "shin", "foot") if stem.endswith(part)), "")


def _with_leg(outline: Outline, legs: list[LegPath], role: str, corrections: Mapping[str, str]) -> list[LegPath]:
    index = outline.skeleton.index
    thigh = index[corrections[role]]
    shin = index.get(corrections.get(role.replace("thigh", "shin"), ""), -1)
    foot = index.get(corrections.get(role.replace("thigh", "foot"), ""), -1)
    under = {thigh, *outline.skeleton.descendants(thigh)}
    path = list(outline.path(thigh, foot)) if foot in under else [thigh]
    detached = foot >= 0 and foot not in under
    while (child := outline.main_child(path[-1])) >= 0:
        path.append(child)
    starts = (thigh, shin) if shin in under else ()
    found = LegPath(tuple(path), starts, foot, detached, on_toes=foot >= 0)
    touched = under | set(outline.skeleton.ancestors(thigh))
    return [leg for leg in legs if leg.top not in touched or not set(leg.path) & (under | {thigh})] + [found]
