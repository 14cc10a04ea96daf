"""What a bone's name says: its side, its plain key, and whether it is only a helper.

A name is cut into words at separators, at capitals and at digits. Namespaces (`ns:sub:`, `Char01|`), the rig's
common prefix, sides, numbers and places in a row (`front`, `back`) are taken off; what is left is the key.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

NameSide = Literal["L", "R", ""]

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_SIDES: dict[str, NameSide] = {
    **{"l": "L", "left": "L", "lft": "L", "左": "L"},
    **{"r": "R", "right": "R", "rgt": "R", "右": "R"},
}
_PLACES = frozenset({"front", "hind", "back", "rear", "mid", "middle"})
_ENDS = frozenset({"end", "tip", "nub", "site", "leaf", "effector", "endsite"})
_HELPERS = frozenset(
    {
        *("twist", "roll", "ik", "fk", "pole", "poletarget", "target", "ctrl", "control", "helper", "adj", "mch"),
        *("tweak", "slot", "handslot", "corrective", "jiggle", "muscle", "bulge", "vis", "dummy", "sec", "socket"),
    }
)
_PREFIXES = frozenset(
    {"mixamorig", "bip", "biped", "j", "b", "c", "def", "org", "cc", "base", "valvebiped", "bn", "jnt"}
)
# A first word that this share of the bones has in common says nothing about one of them.
_COMMON = 0.7


@dataclass(frozen=True, slots=True)
class BoneName:
    """One name, understood. `bare` is the key without places in a row; `end` marks the tip of a chain."""

    key: str
    bare: str
    side: NameSide
    helper: bool
    end: bool


def read_name(text: str, prefix: str = "") -> BoneName:
    """Understand one name; `prefix` is a first word that all bones share."""
    words = words_of(text)
    while len(words) > 1 and (words[0] == prefix or words[0] in _PREFIXES or words[0].isdigit()):
        words = words[1:]
    words = [word for word in words if not word.isdigit()]
    side: NameSide = ""
    kept = []
    for word in words:
        found, rest = _side_of(word, alone=len(words) > 1)
        side = side or found
        if rest and rest != "c":
            kept.append(rest)
    bare = [word for word in kept if word not in _PLACES] or kept
    return BoneName(
        key="".join(kept),
        bare="".join(bare),
        side=side,
        helper=any(word in _HELPERS for word in kept),
        end=any(word in _ENDS for word in kept),
    )


def read_names(texts: Sequence[str]) -> tuple[BoneName, ...]:
    """Understand the names of one rig together, without the word that most of them begin with."""
    firsts = Counter(words[0] for text in texts if len(words := words_of(text)) > 1)
    word, count = firsts.most_common(1)[0] if firsts else ("", 0)
    prefix = word if len(texts) > 3 and count >= _COMMON * len(texts) and word not in _SIDES else ""
    return tuple(read_name(text, prefix) for text in texts)


def words_of(text: str) -> list[str]:
    """The words of a name in small letters, without its namespace: cut at separators, capitals and digits."""
    for separator in ":|":
        text = text.rsplit(separator, 1)[-1] or text
    return [word.lower() for word in _WORD.findall(text)] or [text.lower()]


def without_side(text: str) -> tuple[NameSide, tuple[str, ...]]:
    """The side that a name says, and all its other words and numbers in order: two names that are alike in these and
    of opposite sides are each other's.
    """
    words = words_of(text)
    side: NameSide = ""
    kept = []
    for word in words:
        found, rest = _side_of(word, alone=len(words) > 1)
        side = side or found
        if rest:
            kept.append(rest)
    return side, tuple(kept)


def _side_of(word: str, *, alone: bool) -> tuple[NameSide, str]:
    """The side that a word is or holds, and what is left of the word."""
    if alone and word in _SIDES:
        return _SIDES[word], ""
    for mark in ("left", "right"):
        if word.startswith(mark) and len(word) > len(mark):
            return _SIDES[mark], word[len(mark) :]
        if word.endswith(mark) and len(word) > len(mark):
            return _SIDES[mark], word[: -len(mark)]
    for mark in "左右":
        if mark in word:
            return _SIDES[mark], word.replace(mark, "")
    return "", word
