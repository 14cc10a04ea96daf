"""The sentences in which set-up says what it did not understand: the bone, the reason, the remedy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .by_shape import LegPath
from .outline import Outline
from .rig import Leg, Problem, Side
from .trunk import Trunk

UNEQUAL = 0.15
# A segment this short beside the longest of its leg bends nothing.
NO_LENGTH = 1e-4


def no_bones() -> Problem:
    """An armature without a bone."""
    return Problem("", "The armature has no bones.", "Add bones, or choose another armature.", blocking=True)


def no_facing() -> Problem:
    """A rig that is alike in front and behind."""
    return Problem(
        "", "Front and behind look alike.", "If it walks backwards, name its head under Mapping, or turn its bones."
    )


def no_legs(outline: Outline) -> Problem:
    """A rig that nothing stands on."""
    return Problem(
        outline.skeleton.bones[0].name,
        "No legs were found: no pair of bone chains leaves the body and comes down to the floor of the rest pose.",
        "Name a thigh and a foot of each leg under Mapping, or choose a rig with legs, or with a body of one long "
        "chain of bones.",
        blocking=True,
    )


def on_its_head(bone: str) -> Problem:
    """A rig whose feet are over its hips."""
    return Problem(
        bone,
        "The rig stands on its head at rest: its feet are over its hips.",
        "Turn it over: turn the armature object upright in Object Mode, or all of its bones in Edit Mode.",
        blocking=True,
    )


def upright_body(bone: str) -> Problem:
    """A long body whose rest pose does not lie on the ground."""
    return Problem(
        bone,
        "No legs were found, and its long chain of bones stands upright in the rest pose.",
        "Lay it along the ground in Edit Mode, its head toward -Y.",
        blocking=True,
    )


def guessed_head(bone: str) -> Problem:
    """A long body, no bone of which says by its name which end is the head."""
    return Problem(
        bone,
        "No bone is called head or tail; this end of the body was taken for the head.",
        "If it crawls backwards, name its head under Mapping.",
    )


def side_problems(outline: Outline, sides: Mapping[Side, Sequence[LegPath]]) -> list[Problem]:
    """Legs without a partner, and names that disagree with where a leg is."""
    problems = []
    names = outline.skeleton.bones
    left, right = len(sides["L"]), len(sides["R"])
    if left != right:
        odd = sides["L" if left > right else "R"][-1]
        reason = f"There are {left} legs on the left and {right} on the right."
        problems.append(Problem(names[odd.top].name, reason, "If one was missed, name its thigh under Mapping."))
    for side in ("L", "R"):
        for leg in sides[side]:
            told = leg.side or outline.names[leg.top].side
            if told and told != side:
                word = "left" if told == "L" else "right"
                reason = f"Its name says {word}, but it is on the other side of a rig that faces this way."
                problems.append(Problem(names[leg.top].name, reason, "Its place was believed, not its name."))
    return problems


def leg_problems(outline: Outline, legs: Sequence[Leg]) -> list[Problem]:
    """Legs that cannot bend, stand alone or differ within a pair."""
    problems = []
    names = outline.skeleton.bones
    if len(legs) == 1:
        problems.append(
            Problem(
                names[legs[0].bones[0]].name,
                "Only one leg was found; no gait is known for one leg.",
                "Name the other leg's thigh and foot under Mapping.",
                blocking=True,
            )
        )
    for leg in legs:
        reason = ""
        if len(leg.bones) < 2:
            reason = f"The leg {leg.role} has a single bone, so that it has no knee to bend."
        elif min(leg.lengths) < NO_LENGTH * max(leg.lengths):
            reason = f"The leg {leg.role} has a segment without length."
        if reason:
            problems.append(
                Problem(names[leg.bones[0]].name, reason, "Give it two bones or more of some length.", True)
            )
    totals = [sum(leg.lengths) for leg in legs]
    by_order: dict[int, list[float]] = {}
    for leg, total in zip(legs, totals, strict=True):
        by_order.setdefault(leg.order, []).append(total)
    for order, lengths in by_order.items():
        if max(lengths) - min(lengths) > UNEQUAL * max(lengths):
            bone = next(names[leg.bones[0]].name for leg in legs if leg.order == order)
            share = 100.0 * (1.0 - min(lengths) / max(lengths))
            problems.append(
                Problem(
                    bone, f"The legs of this pair differ in length by {share:.0f} %.", "The shorter one sets the pace."
                )
            )
    return problems


def trunk_problems(outline: Outline, trunk: Trunk, legs: Sequence[Leg]) -> list[Problem]:
    """A body that nothing carries, and a missing head."""
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
        problems.append(Problem("", "No head was found.", "It can be named under Mapping; it walks without."))
    return problems
