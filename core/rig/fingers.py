"""The fingers of a hand: by the names of a family, by words that most families use, else counted from the front."""

from __future__ import annotations

from collections.abc import Sequence

from .conventions import FINGER_PARTS
from .names import BoneName
from .skeleton import Skeleton

WORDS: dict[str, tuple[str, ...]] = {
    "thumb": ("thumb", "親指"),
    "index": ("index", "fore", "人指", "人差指"),
    "middle": ("middle", "mid", "中指"),
    "ring": ("ring", "薬指"),
    "pinky": ("pinky", "pinkie", "little", "小指"),
}
PALMS = ("palm", "metacarp", "carpal")


def fingers_of(
    skeleton: Skeleton, names: Sequence[BoneName], part: Sequence[str], hand: int
) -> dict[str, tuple[int, ...]]:
    """The fingers of a hand, first bone first: `thumb` to `pinky`, else `finger1` and on, from the front at rest.

    `part` is what a family of names says of each bone, or nothing; `hand` is -1 where there is none.
    """
    if hand < 0:
        return {}
    named: dict[str, tuple[int, ...]] = {}
    unnamed: list[tuple[int, ...]] = []
    for start in _starts(skeleton, names, part, hand):
        name = names[start]
        if name.helper or name.end or _part(part, start) == "helper":
            continue
        chain = _down(skeleton, names, part, start)
        finger = _finger(name, _part(part, start))
        if finger and finger not in named:
            named[finger] = chain
        elif len(chain) > 1:
            unnamed.append(chain)
    if named:
        return {finger: named[finger] for finger in FINGER_PARTS if finger in named}
    unnamed.sort(key=lambda chain: (skeleton.bones[chain[0]].tail.y, chain[0]))
    return {f"finger{k + 1}": chain for k, chain in enumerate(unnamed)}


def is_finger(role: str) -> bool:
    """True for the role of a finger, without its side."""
    return role in FINGER_PARTS or (role.startswith("finger") and role[6:].isdigit())


def _finger(name: BoneName, part: str) -> str:
    if part in FINGER_PARTS:
        return part
    return next((finger for finger, words in WORDS.items() if any(word in name.key for word in words)), "")


def _starts(skeleton: Skeleton, names: Sequence[BoneName], part: Sequence[str], hand: int) -> list[int]:
    """The first bones of fingers under a hand, through the bones of its palm."""
    found: list[int] = []
    for first in skeleton.children[hand]:
        is_palm = _is_palm(names, part, first)
        found += _starts(skeleton, names, part, first) if is_palm else [first]
    return found


def _part(part: Sequence[str], bone: int) -> str:
    return part[bone] if part else ""


def _down(skeleton: Skeleton, names: Sequence[BoneName], part: Sequence[str], start: int) -> tuple[int, ...]:
    """The bones from one on to the end of its chain, without what only marks the end."""
    found = [start]
    while following := [j for j in skeleton.children[found[-1]] if not names[j].helper and _part(part, j) != "helper"]:
        found.append(following[0])
    return tuple(i for i in found if not names[i].end)


def _is_palm(names: Sequence[BoneName], part: Sequence[str], bone: int) -> bool:
    told = _part(part, bone)
    return told == "palm" or (told not in FINGER_PARTS and any(mark in names[bone].key for mark in PALMS))
