"""Legs found by shape alone, for skeletons whose names mean nothing.

A leg is a chain that leaves the body and comes down to the rest floor. Ends of chains near the floor are gathered;
the lowest bone above all of them is the body; where the chains part decides whether they are several legs or the
toes of one. How many legs there are, and how many segments each has, makes no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathutils import Vector

from .names import NameSide
from .outline import Outline

# Shares of the rig's height: how near the floor a chain must end, and how far down it must come.
NEAR_FLOOR = 0.15
LEAST_DROP = 0.15
# Toes part low (share of the highest joint of their chain) and are short (share of the way from the body).
TOES_PART_BELOW = 0.35
TOES_SHORTER_THAN = 0.6
# A foot that hangs elsewhere lies this near to the end of its leg (share of the leg's length).
DETACHED_REACH = 0.06


@dataclass(frozen=True, slots=True)
class LegPath:
    """A leg before it is measured: its bones from the top down to one tip.

    `starts` are the first bones of the segments where names tell them. `foot` is the foot where names tell it or it
    hangs elsewhere (`detached`), else -1; `on_toes` says that names tell a metatarsal of its own.
    """

    path: tuple[int, ...]
    starts: tuple[int, ...] = ()
    foot: int = -1
    detached: bool = False
    on_toes: bool = False
    side: NameSide = ""

    @property
    def top(self) -> int:
        """The first bone."""
        return self.path[0]


def rest_floor(outline: Outline) -> float:
    """The height of the lowest end of any chain."""
    return min((_lowest(outline, i) for i in outline.leaves), default=0.0)


def rest_height(outline: Outline, floor: float) -> float:
    """The height of the highest joint over the floor."""
    return max((head.z for head in outline.heads), default=floor) - floor


def legs_by_shape(outline: Outline) -> tuple[LegPath, ...]:
    """All chains that leave the body and come down to the floor (tails that drag are among them: see `mirror`)."""
    floor = rest_floor(outline)
    height = rest_height(outline, floor)
    tips = [i for i in outline.leaves if _comes_down(outline, i, floor, height)]
    tips = _largest_family(outline, tips)
    if not tips:
        return ()
    if len(tips) == 1:
        return _single(outline, tips[0])
    body = common_ancestor(outline, tips)
    groups = []
    for child in outline.children[body]:
        groups.extend(_part(outline, body, child, set(tips), floor))
    return tuple(_with_detached_foot(outline, LegPath(_longest(outline, top, found)), floor) for top, found in groups)


def _lowest(outline: Outline, i: int) -> float:
    """How low a chain's last bone reaches, by what can be believed of it."""
    return min(outline.heads[i].z, outline.far[i].z) if outline.told[i] else outline.heads[i].z


def _root_path(outline: Outline, bone: int) -> list[int]:
    return [bone, *outline.skeleton.ancestors(bone)]


def _comes_down(outline: Outline, tip: int, floor: float, height: float) -> bool:
    low = _lowest(outline, tip)
    top = max(outline.heads[i].z for i in _root_path(outline, tip))
    return low - floor < NEAR_FLOOR * height and top - low > LEAST_DROP * height


def _largest_family(outline: Outline, tips: Sequence[int]) -> list[int]:
    """The tips under one root: the root with the most of them."""
    families: dict[int, list[int]] = {}
    for tip in tips:
        families.setdefault(_root_path(outline, tip)[-1], []).append(tip)
    return max(families.values(), key=len, default=[])


def common_ancestor(outline: Outline, bones: Sequence[int]) -> int:
    """The lowest bone that is, or is above, all of these; -1 if there is none."""
    shared = _root_path(outline, bones[0])
    for bone in bones[1:]:
        above = set(_root_path(outline, bone))
        shared = [i for i in shared if i in above]
    return shared[0] if shared else -1


def _single(outline: Outline, tip: int) -> tuple[LegPath, ...]:
    """One chain that stands on the floor: a leg if it goes down more than along."""
    path = _root_path(outline, tip)[::-1]
    top = max(path, key=lambda i: outline.heads[i].z)
    path = path[path.index(top) :]
    drop = outline.heads[path[0]].z - _lowest(outline, tip)
    if len(path) < 3 or drop < 0.6 * outline.below[path[0]]:
        return ()
    return (LegPath(tuple(path[1:])),)


def _part(outline: Outline, body: int, top: int, tips: set[int], floor: float) -> list[tuple[int, list[int]]]:
    """The legs under one bone: (first bone, tips)."""
    found = sorted(i for i in (top, *outline.skeleton.descendants(top)) if i in tips)
    if not found:
        return []
    bone = top
    while True:
        ways = [child for child in outline.children[bone] if any(outline.path(child, tip) for tip in found)]
        if len(ways) != 1:
            break
        bone = ways[0]
    if not ways or _are_toes(outline, body, bone, ways, floor):
        return [(top, found)]
    return [group for way in ways for group in _part(outline, body, way, tips, floor)]


def _are_toes(outline: Outline, body: int, bone: int, ways: Sequence[int], floor: float) -> bool:
    path = outline.path(body, bone)
    under = [bone, *outline.skeleton.descendants(bone)]
    highest = max(outline.heads[i].z for i in (*path[1:], *under)) - floor
    low = outline.heads[bone].z - floor < TOES_PART_BELOW * highest
    return low and max(outline.below[child] for child in ways) < TOES_SHORTER_THAN * _way(outline, path)


def _longest(outline: Outline, top: int, tips: Sequence[int]) -> tuple[int, ...]:
    """The way to the tip that is farthest by joints (last tails may be guesses)."""
    paths = [outline.path(top, tip) for tip in tips]
    return max(paths, key=lambda path: (_way(outline, path), outline.below[path[-1]]))


def _length(outline: Outline, path: Sequence[int]) -> float:
    return _way(outline, path) + (outline.far[path[-1]] - outline.heads[path[-1]]).length


def _way(outline: Outline, path: Sequence[int]) -> float:
    return sum((outline.heads[b] - outline.heads[a]).length for a, b in zip(path, path[1:], strict=False))


def _with_detached_foot(outline: Outline, leg: LegPath, floor: float) -> LegPath:
    """The same leg with the foot that lies at its end but hangs elsewhere, if it has none of its own."""
    end = outline.far[leg.path[-1]]
    length = _length(outline, leg.path)
    if len(leg.path) < 2 or not outline.sure[leg.path[-1]] or _lies_flat(outline, leg.path[-1], floor, length):
        return leg
    own = set(_root_path(outline, leg.top)) | set(outline.skeleton.descendants(leg.top))
    near = [
        ((outline.heads[i] - end).length, i)
        for i in range(len(outline.skeleton))
        if i not in own and not outline.idle[i] and (outline.heads[i] - end).length < DETACHED_REACH * length
    ]
    if not near:
        return leg
    return LegPath(leg.path, foot=min(near)[1], detached=True)


def _lies_flat(outline: Outline, bone: int, floor: float, length: float) -> bool:
    """True for a last bone that is a foot on the floor already."""
    along: Vector = outline.far[bone] - outline.heads[bone]
    return outline.heads[bone].z - floor < 0.15 * length and abs(along.z) < 0.7 * along.length
