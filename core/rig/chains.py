"""A leg's chain of bones cut into what bends, what is laid on the ground, and what follows.

Segments bend (two for a person, three for a dog's hind leg, any number for an insect). The foot is the first bone
that lies low enough: a steep third bone with its head high up is a metatarsal and bends too. Bones that continue
their parent (split limbs, twist bones in the chain) stay at rest and are rigid with the segment they follow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mathutils import Vector

from .by_shape import LegPath
from .mirror import Plane
from .outline import Outline
from .rig import Stance

# Shares of the highest joint of the leg over the floor, below which a bone's head may be an ankle.
LOW = 0.17
LOW_IF_FLAT = 0.36
STEEP = math.radians(50.0)
# A joint bent less than this at rest may be the middle of one split segment.
STRAIGHT = math.radians(20.0)
MOST_SEGMENTS = 3
# Toes begin at least this far along the foot and its toes; what begins at its joint is a part of it (palm bones).
TOES_BEGIN_AT = 0.2


@dataclass(frozen=True, slots=True)
class Cut:
    """`bones` bend, `joints` are their heads and the tip; the rest as in `rig.Leg`."""

    bones: tuple[int, ...]
    joints: tuple[Vector, ...]
    foot: int
    toes: tuple[int, ...]
    helpers: tuple[int, ...]
    stance: Stance


def cut(outline: Outline, leg: LegPath, plane: Plane, floor: float) -> Cut:
    """Cut one leg; a single bone gives one segment and no joint that bends."""
    leg = _without_namesake(outline, leg, plane) if leg.starts else leg
    path = leg.path if leg.starts else _without_connectors(outline, leg.path, plane)
    height = max(max(outline.heads[i].z for i in path) - floor, 1e-9)
    if leg.detached:
        above, foot = path, leg.foot
    elif _is_sprawled(outline, path, height, floor):
        above, foot = _without_claw(outline, path, floor, height), -1
    else:
        at = _foot_at(outline, leg, path, floor, height)
        above, foot = path[:at], (path[at] if at < len(path) else -1)
    starts = _segments(outline, above, leg, sprawled=foot < 0)
    if foot >= 0 and len(starts) > MOST_SEGMENTS:
        starts = starts[-MOST_SEGMENTS:]
    tip = outline.heads[foot] if foot >= 0 else _claw(outline, path, above)
    helpers = tuple(i for i in above if i not in starts and i > starts[0])
    toes = _toes(outline, foot, floor, height) if foot >= 0 else ()
    stance: Stance = "POINT" if foot < 0 else ("DIGITIGRADE" if len(starts) > 2 else "PLANTIGRADE")
    return Cut(starts, (*(outline.heads[i] for i in starts), tip), foot, toes, helpers, stance)


def _without_connectors(outline: Outline, path: tuple[int, ...], plane: Plane) -> tuple[int, ...]:
    """The chain without the bones that only lead from the middle of the body out to the hip."""
    while len(path) > 3:
        first, second = outline.heads[path[0]], outline.heads[path[1]]
        along = second - first
        across = abs(plane.side(second) - plane.side(first))
        outward = across > 0.85 * along.length and abs(plane.side(first)) < 0.6 * abs(plane.side(second))
        short = along.length < 0.5 * (outline.far[path[1]] - second).length
        if not plane.is_on(first) and not (outward and short):
            break
        path = path[1:]
    return path


def _without_namesake(outline: Outline, leg: LegPath, plane: Plane) -> LegPath:
    """The leg without a first bone in the middle of the body that only shares the thigh's name."""
    first, second = leg.path[:2]
    alike = outline.names[first].key == outline.names[second].key
    if second in leg.starts or not alike or not plane.is_on(outline.heads[first]):
        return leg
    return replace(leg, path=leg.path[1:], starts=(second, *leg.starts[1:]))


def _is_sprawled(outline: Outline, path: Sequence[int], height: float, floor: float) -> bool:
    """True for a leg that reaches out farther than it is high: an insect's or a spider's, which ends in a point."""
    tip = _end(outline, path, floor, height)
    away = tip - outline.heads[path[0]]
    return Vector((away.x, away.y, 0.0)).length > height and tip.z - floor < LOW * height


def _end(outline: Outline, path: Sequence[int], floor: float, height: float) -> Vector:
    last = path[-1]
    if outline.heads[last].z - floor < 0.05 * height and not outline.sure[last]:
        return outline.heads[last]
    return outline.far[last]


def _without_claw(outline: Outline, path: tuple[int, ...], floor: float, height: float) -> tuple[int, ...]:
    """The chain without a last bone that only marks the tip."""
    last = path[-1]
    marks = outline.heads[last].z - floor < 0.05 * height and not outline.sure[last]
    return path[:-1] if marks and len(path) > 2 else path


def _claw(outline: Outline, path: Sequence[int], above: Sequence[int]) -> Vector:
    return outline.heads[path[len(above)]] if len(above) < len(path) else outline.far[path[-1]]


def _foot_at(outline: Outline, leg: LegPath, path: Sequence[int], floor: float, height: float) -> int:
    """The place in the chain of the bone that is laid on the ground; past the end if there is none."""
    named = path.index(leg.foot) if leg.foot in path else -1
    if named >= 0 and (leg.on_toes or not _is_metatarsal(outline, path, named, floor, height)):
        return named
    if named >= 0:
        return named + 1
    for at in range(2, len(path)):
        if not _is_metatarsal(outline, path, at, floor, height):
            return at
    return len(path)


def _is_metatarsal(outline: Outline, path: Sequence[int], at: int, floor: float, height: float) -> bool:
    """True for a bone that begins high and goes down steeply to a next one."""
    rise = (outline.heads[path[at]].z - floor) / height
    if rise < LOW:
        return False
    along = outline.far[path[at]] - outline.heads[path[at]]
    steep = -along.z > math.sin(STEEP) * along.length
    if at + 1 >= len(path):
        return rise > LOW_IF_FLAT
    return steep or rise > LOW_IF_FLAT


def _segments(outline: Outline, above: Sequence[int], leg: LegPath, *, sprawled: bool) -> tuple[int, ...]:
    """The first bone of each segment."""
    if leg.starts:
        starts = list(leg.starts)
        if leg.foot in above and leg.foot not in starts:
            starts.append(leg.foot)  # what is called a foot, but bends: a metatarsal
        return tuple(starts)
    if sprawled or len(above) < 3:
        return tuple(above)
    bends = [_bend(outline, a, b) for a, b in zip(above, above[1:], strict=False)]
    if max(bends) < STRAIGHT:
        return _halved(outline, above)
    starts = list(above)
    while len(starts) > MOST_SEGMENTS:
        straightest = min(range(1, len(starts)), key=lambda k: _bend(outline, starts[k - 1], starts[k]))
        if _bend(outline, starts[straightest - 1], starts[straightest]) > STRAIGHT / 2:
            break
        starts.pop(straightest)
    return tuple(starts)


def _bend(outline: Outline, a: int, b: int) -> float:
    first, second = outline.far[a] - outline.heads[a], outline.far[b] - outline.heads[b]
    return float(first.angle(second, 0.0))


def _halved(outline: Outline, above: Sequence[int]) -> tuple[int, ...]:
    """A nearly straight chain of many bones: thigh and shin, with the knee at the joint nearest to its middle."""
    lengths = [(outline.far[i] - outline.heads[i]).length for i in above]
    middle = 0.5 * sum(lengths)
    knee = min(range(1, len(above)), key=lambda k: abs(sum(lengths[:k]) - middle))
    return (above[0], above[knee])


def _toes(outline: Outline, foot: int, floor: float, height: float) -> tuple[int, ...]:
    """The bones on the foot that stay flat while the heel lifts: those that begin low and ahead of its joint."""
    begin = outline.heads[foot]
    ahead = TOES_BEGIN_AT * outline.below[foot]
    return tuple(
        child
        for child in outline.children[foot]
        if "heel" not in outline.names[child].key
        and outline.heads[child].z - floor < LOW_IF_FLAT * height
        and (outline.heads[child] - begin).length > ahead
    )
