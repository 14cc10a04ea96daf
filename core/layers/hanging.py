"""What hangs on a body and can swing: tails, ears, antennae, hair and loose things, by role, by name and by shape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..rig.names import BoneName, read_names, words_of
from ..rig.rig import Problem, Rig
from .masks import GROUPS, bone_mask


class HangingKind(NamedTuple):
    """How one kind of thing swings: times a second at a chain of `size` metres, halflife (s), largest bend (radians).

    Of two chains alike but for size the longer one swings slower, by the root of its length, as pendulums do.
    """

    words: frozenset[str]
    size: float
    frequency: float
    halflife: float
    limit: float


KINDS: dict[str, HangingKind] = {
    "tails": HangingKind(frozenset({"tail", "tails", "dock"}), 0.35, 1.3, 0.18, 1.1),
    "ears": HangingKind(frozenset({"ear", "ears"}), 0.12, 6.0, 0.05, 0.7),
    "antennae": HangingKind(
        frozenset({"antenna", "antennae", "antennas", "feeler", "feelers", "whisker", "whiskers"}), 0.1, 6.0, 0.1, 0.8
    ),
    "hair": HangingKind(
        frozenset(
            {"hair", "hairs", "ponytail", "pigtail", "braid", "plait", "bang", "bangs", "fringe", "mane", "beard"}
            | {"moustache", "mustache", "fur", "tuft"}
        ),
        0.3, 1.7, 0.14, 1.2,
    ),
    "props": HangingKind(
        frozenset(
            {"skirt", "cape", "cloak", "coat", "scarf", "ribbon", "strap", "rope", "pendant", "necklace", "earring"}
            | {"cloth", "dress", "sleeve", "flap", "tassel", "pouch", "bag", "hood", "dangle"}
            | {"jiggle", "tentacle", "comb", "wattle", "lace", "sash", "veil", "crest"}
        ),
        0.25, 2.2, 0.11, 1.0,
    ),
}  # fmt: skip
"""By group, each with the words that tell it in a bone's name."""

# What leads bones, and is none that hangs.
_CONTROLS = frozenset({"ik", "fk", "pole", "target", "ctrl", "control", "anchor"})
# What a chain without a telling name may not be called: it moves by muscle, or carries what does.
_NOT_LOOSE = frozenset(
    {"lip", "lid", "brow", "jaw", "tongue", "teeth", "tooth", "nose", "chin", "cheek", "eye", "oris", "levator"}
    | {"orbicularis", "special", "temple", "forehead", "mouth", "beak", "skull", "face", "wing", "feather", "shoulder"}
    | {"scapula", "clavicle", "leg", "foot", "arm", "hand", "finger", "thumb", "pelvis", "hip", "thigh", "shin", "toe"}
    | {"spine", "neck", "abdomen", "stomach", "fin", "trunk"}
    | _CONTROLS
)
# An unnamed chain hangs if so many bones follow one another without a fork, as long as this share of the legs.
_LEAST_BONES = 3
_LEAST_LENGTH = 0.15


class Hanging(NamedTuple):
    """One thing that hangs: its kind, and its bones, parents first."""

    kind: str
    bones: tuple[int, ...]


def hanging_of(rig: Rig, text: str) -> tuple[tuple[Hanging, ...], tuple[Problem, ...]]:
    """What of a rig swings, in the order of its bones, and what of `text` is not there.

    `text` names groups (tails, ears, antennae, hair, props), roles or bones, with all that hangs on these; empty, it is
    all that is found.
    """
    names = read_names([bone.name for bone in rig.skeleton.bones])
    said = text.replace(",", " ").split()
    found = _found(rig, names)
    if not said:
        return _whole(rig, names, found), ()
    firsts: dict[int, str] = {}
    problems = []
    for word in said:
        if word in KINDS:
            chosen = {i: kind for i, kind in found.items() if kind == word}
        else:
            chosen = {i: _kind_of(rig, i) or "props" for i in _named(rig, word)}
        if not chosen:
            reason = f"Springs are asked for {word!r}, but this rig has no such role, bone or group."
            groups = ", ".join((*KINDS, *GROUPS))
            problems.append(Problem("", reason, f"Use the name of a bone, a role, or one of {groups}."))
        firsts |= chosen
    return _whole(rig, names, firsts), tuple(problems)


def _named(rig: Rig, word: str) -> list[int]:
    """The topmost bones that a word means."""
    try:
        meant = bone_mask(rig, (word,), below=False)
    except KeyError:
        return []
    return [i for i in sorted(meant) if not meant.intersection(rig.skeleton.ancestors(i))]


def _found(rig: Rig, names: tuple[BoneName, ...]) -> dict[int, str]:
    """The first bones of all that hangs, with their kinds."""
    firsts = {tail[0]: "tails" for tail in rig.tails}
    held = _held(rig)
    for i in range(len(rig.skeleton)):
        kind = _kind_of(rig, i)
        # What has no legs goes on its tail.
        if kind and i not in held and not names[i].end and (rig.legs or kind != "tails"):
            firsts.setdefault(i, kind)
    named = frozenset(firsts)
    for i in range(len(rig.skeleton)):
        if i not in held and rig.skeleton.bones[i].parent in held and _is_loose(rig, names, i, named):
            firsts[i] = "props"
    return firsts


def _kind_of(rig: Rig, bone: int) -> str:
    """The kind that a bone's name tells, else nothing."""
    words = set(words_of(rig.skeleton.bones[bone].name))
    if words & _CONTROLS:
        return ""
    return next((kind for kind, item in KINDS.items() if words & item.words), "")


def _held(rig: Rig) -> set[int]:
    """The bones that muscles move: trunk and limbs, with all that carries them."""
    below = rig.skeleton.below
    tops = [leg.bones[0] for leg in rig.legs] + [leg.foot for leg in rig.legs if leg.foot >= 0]
    tops += [arm.shoulder if arm.shoulder >= 0 else arm.bones[0] for arm in rig.arms]
    limbs = {j for i in tops for j in (i, *below[i])}
    # What is named and hangs on a limb (a sleeve, a strap) is loose all the same.
    limbs -= {j for i in limbs if _kind_of(rig, i) for j in (i, *below[i])}
    trunk = {rig.root, rig.body, rig.pelvis, rig.head, *rig.spine, *rig.neck} - {-1}
    return limbs | trunk | {j for i in (*trunk, *tops) for j in rig.skeleton.ancestors(i)}


def _is_loose(rig: Rig, names: tuple[BoneName, ...], first: int, named: frozenset[int]) -> bool:
    """True for a row of bones without a fork, long enough, none of which is called something that muscles move."""
    bones, row = rig.skeleton.bones, [first]
    while True:
        if row[-1] in named or _NOT_LOOSE.intersection(words_of(bones[row[-1]].name)):
            return False
        following = [j for j in rig.skeleton.children[row[-1]] if not names[j].end]
        if len(following) != 1:
            break
        row.append(following[0])
    long = sum(bones[i].length for i in row) >= _LEAST_LENGTH * rig.leg_length
    return not following and len(row) >= _LEAST_BONES and long


def _whole(rig: Rig, names: tuple[BoneName, ...], firsts: dict[int, str]) -> tuple[Hanging, ...]:
    """Each first bone with what hangs on it; a first bone under another one goes with that."""
    tops = [i for i in sorted(firsts) if not any(j in firsts for j in rig.skeleton.ancestors(i))]
    return tuple(Hanging(firsts[i], tuple(_with_below(rig, names, i))) for i in tops)


def _with_below(rig: Rig, names: tuple[BoneName, ...], first: int) -> Iterable[int]:
    """A bone and all below it, without those that only mark an end."""
    yield first
    for j in rig.skeleton.below[first]:
        if not (names[j].end and not rig.skeleton.children[j]):
            yield j
