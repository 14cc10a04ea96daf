"""What a bone's name says: its side, its plain key, and whether it is only a helper.

A name is cut into words at separators, at capitals and at digits; letters of double width are as the plain ones.
Namespaces (`ns:sub:`, `Char01|`), words that all names of the rig begin with, sides, numbers and places in a row
(`front`, `back`) are taken off; what is left is the key.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

NameSide = Literal["L", "R", ""]

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_SIDES: dict[str, NameSide] = {
    **{"l": "L", "left": "L", "lft": "L", "左": "L"},
    **{"r": "R", "right": "R", "rgt": "R", "右": "R"},
}
_MARKS: dict[str, NameSide] = {"left": "L", "right": "R", "左": "L", "右": "R"}
_OTHER = {"l": "r", "left": "right", "lft": "rgt", "左": "右"}
_OTHER_SIDE = {**_OTHER, **{right: left for left, right in _OTHER.items()}}
_PLACES = frozenset({"front", "hind", "back", "rear", "mid", "middle"})
# What is put behind a name that another bone has already.
_COPY = re.compile(r"\.\d{3}$")
_ENDS = frozenset({"end", "tip", "nub", "site", "leaf", "effector", "endsite"})
_HELPERS = frozenset(
    {
        *("twist", "roll", "ik", "fk", "pole", "poletarget", "target", "ctrl", "control", "helper", "adj", "mch"),
        *("tweak", "slot", "handslot", "corrective", "jiggle", "muscle", "bulge", "vis", "dummy", "sec", "socket"),
    }
)
# A word that ends so is a helper's, though other words are written together with it.
_HELPER_ENDINGS = ("twist", "捩")
_PREFIXES = frozenset(
    {"mixamorig", "bip", "biped", "j", "b", "c", "m", "def", "org", "cc", "base", "valvebiped", "bn", "jnt"}
)
# A first word that this share of the bones has in common says nothing about one of them.
_COMMON = 0.7


@dataclass(frozen=True, slots=True)
class BoneName:
    """One name, understood. `bare` is the key without places in a row; `end` marks the tip of a chain.

    `wholes` are all that was said, side and numbers too (but for that of a copy, `.001`), without and with the
    prefix; `others` are the same of the other side.
    """

    key: str
    bare: str
    side: NameSide
    helper: bool
    end: bool
    wholes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def read_name(text: str, prefix: Sequence[str] = ()) -> BoneName:
    """Understand one name; `prefix` are first words that all bones share."""
    spelt = words_of(_COPY.sub("", text) or text)
    said = _without_prefix(spelt, prefix)
    words = [word for word in said if not word.isdigit()]
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
        helper=any(word in _HELPERS or word.endswith(_HELPER_ENDINGS) for word in kept),
        end=any(word in _ENDS for word in kept),
        wholes=("".join(said), "".join(spelt)),
        others=tuple("".join(_mirrored(word) for word in row) for row in (said, spelt)),
    )


def read_names(texts: Sequence[str]) -> tuple[BoneName, ...]:
    """Understand the names of one rig together, without the words that most of them begin with."""
    return _read_together(tuple(texts))


@lru_cache(maxsize=32)
def _read_together(texts: tuple[str, ...]) -> tuple[BoneName, ...]:
    """The same rigs are read again and again: for every turn of a rest pose, for every clip of a batch."""
    prefix = _shared([words_of(text) for text in texts]) if len(texts) > 3 else ()
    return tuple(read_name(text, prefix) for text in texts)


def _shared(names: Sequence[list[str]]) -> tuple[str, ...]:
    """The first words that most names have in common, before the word that tells them apart."""
    found: list[str] = []
    while True:
        nexts = Counter(words[0] for words in names if len(words) > 1 and not words[0].isdigit())
        word, count = nexts.most_common(1)[0] if nexts else ("", 0)
        if word in _SIDES or count < _COMMON * len(names):
            return tuple(found)
        found.append(word)
        names = [words[1:] if len(words) > 1 and words[0] == word else words for words in names]
        names = [words[1:] if len(words) > 1 and words[0].isdigit() else words for words in names]


def _without_prefix(words: list[str], prefix: Sequence[str]) -> list[str]:
    waiting = list(prefix)
    while len(words) > 1 and (words[0] in _PREFIXES or words[0].isdigit() or words[0] == next(iter(waiting), "")):
        if words[0] == next(iter(waiting), ""):
            waiting.pop(0)
        words = words[1:]
    return words


def _mirrored(word: str) -> str:
    """The word of the other side, whether it is a side or only holds one."""
    if word in _OTHER_SIDE:
        return _OTHER_SIDE[word]
    for mark in _MARKS:
        if mark in word:
            return word.replace(mark, _OTHER_SIDE[mark])
    return word


def words_of(text: str) -> list[str]:
    """The words of a name in small letters, without its namespace: cut at separators, capitals and digits."""
    for separator in ":|":
        text = text.rsplit(separator, 1)[-1] or text
    text = unicodedata.normalize("NFKC", text)
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
