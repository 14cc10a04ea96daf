"""Whether a rest pose stands, and which of several ways to turn it is the one in which it does."""

from __future__ import annotations

from collections.abc import Sequence

from .rig import Rig

STANDS = 0.5
"""A body is upright if its head is over its hips, and those over its feet, by this share of the way there."""
STRAIGHT_DOWN = 0.8
"""Legs of two that go down by this share of their way leave no doubt."""
FEW_LEGS = 4
BETTER = 0.3
"""What stands lies on its back or side only if that is better by so much than any other way."""


def stands(rig: Rig) -> bool:
    """True for a rest pose with legs below its hips and a head above them; of more than two legs, with legs."""
    if not rig.legs or any(problem.blocking for problem in rig.problems):
        return False
    if len(rig.legs) != 2:
        return True
    return _down(rig) >= STANDS and (rig.head < 0 or _up(rig) > STANDS)


def clearly_stands(rig: Rig) -> bool:
    """True where no other way to turn a rest pose needs to be looked at: of a body that lies, its arms and legs are
    legs too, but they go along the ground.
    """
    if not stands(rig):
        return False
    return len(rig.legs) > FEW_LEGS or _down(rig) > (STRAIGHT_DOWN if len(rig.legs) == 2 else STANDS)


def best_way(rigs: Sequence[Rig]) -> int:
    """Which of the ways in which one rest pose was turned (the first: not at all) is the one in which it stands.

    Names of a family tell; else a shape does by itself, if it is that of a body on two legs that mirror each other,
    with two arms and a head. The first way is left only for one that is the best by far.
    """
    if clearly_stands(rigs[0]):
        return 0
    marks = [_mark(rig) if i == 0 or rig.convention or _is_a_body(rig) else 0.0 for i, rig in enumerate(rigs)]
    best = max(range(len(rigs)), key=lambda i: marks[i])
    others = max((mark for i, mark in enumerate(marks) if i != best), default=0.0)
    return best if marks[best] >= others + BETTER else 0


def _mark(rig: Rig) -> float:
    """How much a rest pose is that of a standing body; 0 where it does not stand."""
    if not stands(rig):
        return 0.0
    sides = {leg.side for leg in rig.legs} == {"L", "R"}
    mark = 2.0 * bool(rig.convention) + (len(rig.arms) == 2) + sides
    if len(rig.legs) == 2:
        mark += _down(rig)
    return mark + (_up(rig) if rig.head >= 0 else 0.0)


def _is_a_body(rig: Rig) -> bool:
    if len(rig.legs) != 2 or len(rig.arms) != 2 or rig.head < 0 or {leg.side for leg in rig.legs} != {"L", "R"}:
        return False
    return _down(rig) > STRAIGHT_DOWN


def _down(rig: Rig) -> float:
    """The share of its way from hip to tip by which each leg goes down, at least."""
    ways = [leg.hip - leg.tip for leg in rig.legs]
    return min(float(way.z) / max(float(way.length), 1e-9) for way in ways)


def _up(rig: Rig) -> float:
    """The share of its way from the hips by which the head is up."""
    hips = [leg.hip for leg in rig.legs]
    way = rig.skeleton.bones[rig.head].head - hips[0].lerp(hips[-1], 0.5)
    return float(way.z) / max(float(way.length), 1e-9)
