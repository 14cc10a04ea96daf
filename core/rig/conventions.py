"""Families of bone names, read from presets/rigs/*.toml, and which of them a skeleton follows.

A convention lists, for each part, the names that it uses (written as they occur, of the left or right side alike).
Matching is by understood names, never by list order or by case; a leg counts only if its thigh carries its shin and
its shin its foot (or the foot, hung elsewhere, lies where the shin ends). The convention that explains most bones
wins.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .names import BoneName, NameSide, read_name
from .outline import Outline

VERSION = 1
MAX_BYTES = 100_000
LEG_PARTS = ("hip", "thigh", "shin", "metatarsal", "foot", "toe")
ARM_PARTS = ("shoulder", "upper_arm", "forearm", "hand")
TRUNK_PARTS = ("root", "pelvis", "spine", "chest", "neck", "head", "tail")
FINGER_PARTS = ("thumb", "index", "middle", "ring", "pinky")
# Palms are between a hand and its fingers; helpers are named so that nothing else is seen in them.
OTHER_PARTS = ("palm", "helper")
PARTS = (*LEG_PARTS, *ARM_PARTS, *TRUNK_PARTS, *FINGER_PARTS, *OTHER_PARTS)
# How far, in shares of thigh and shin together, a foot that hangs elsewhere may lie from the end of the shin.
DETACHED_REACH = 0.15
# What names that only one family has count, in bones.
OWN_NAMES = 0.25


class ConventionError(ValueError):
    """A convention's file cannot be used; says which and why."""


@dataclass(frozen=True, slots=True)
class Convention:
    """One family of names. `keys` and `wholes` map what names say, without and with side and number, to parts.

    Without a name for each of `needs` it is not this family. `rank` counts against it, in bones: a list of general
    words must explain that many more than a real family.
    """

    name: str
    keys: dict[str, str]
    wholes: dict[str, str]
    rank: int = 0
    needs: tuple[BoneName, ...] = ()

    def part_of(self, name: BoneName) -> str:
        """The part that a bone of this name is; empty if the family has no such name."""
        found = next((self.wholes[whole] for whole in name.wholes if whole in self.wholes), "")
        found = found or self.keys.get(name.key, "")
        return found or ("" if name.helper or name.end else self.keys.get(name.bare, ""))

    def may_be(self, names: Sequence[BoneName]) -> bool:
        """True if every name that the family always has is there."""
        keys, wholes = {name.key for name in names}, {whole for name in names for whole in name.wholes}
        return all(
            not wholes.isdisjoint((*need.wholes, *need.others)) or (not _counts(need) and need.key in keys)
            for need in self.needs
        )


@dataclass(frozen=True, slots=True)
class NamedLeg:
    """A leg as the names tell it: bone indices, -1 where missing; `detached` if the foot hangs elsewhere."""

    side: NameSide
    thigh: int
    shin: int
    metatarsal: int
    foot: int
    toe: int
    detached: bool


@dataclass(frozen=True, slots=True)
class NamedArm:
    """An arm as the names tell it: bone indices, -1 where missing."""

    side: NameSide
    shoulder: int
    upper_arm: int
    forearm: int
    hand: int


@dataclass(frozen=True, slots=True)
class Match:
    """How a convention fits: the part of each bone ("" if none), its legs and arms, and its score."""

    convention: Convention
    part: tuple[str, ...]
    legs: tuple[NamedLeg, ...]
    arms: tuple[NamedArm, ...]
    score: float

    def bones(self, part: str) -> tuple[int, ...]:
        """The bones of one part, parents first."""
        return tuple(i for i, found in enumerate(self.part) if found == part)


def read_conventions(folder: Path) -> tuple[Convention, ...]:
    """All conventions of a folder of TOML files, by file name."""
    return tuple(read_convention(path) for path in sorted(folder.glob("*.toml")))


def read_convention(path: Path) -> Convention:
    """One convention; refused with the file's name and the place if it is not as expected."""
    if path.stat().st_size > MAX_BYTES:
        raise ConventionError(f"{path.name} is larger than {MAX_BYTES} bytes; a convention is a short list of names.")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConventionError(f"{path.name} is no valid TOML: {error}") from error
    if data.get("version") != VERSION:
        raise ConventionError(f"{path.name} has version {data.get('version')!r}; this Surefoot reads {VERSION}.")
    name, parts, rank = data.get("name"), data.get("bones"), data.get("rank", 0)
    if not isinstance(name, str) or not isinstance(parts, dict) or type(rank) is not int:
        raise ConventionError(f"{path.name} needs a text `name`, a table `bones`, and a whole number as `rank`.")
    needs = data.get("needs", [])
    for part, names in (*parts.items(), ("", needs)):
        if part and part not in PARTS:
            raise ConventionError(f"{path.name}: bones.{part} is no part; the parts are {', '.join(PARTS)}.")
        if not isinstance(names, list) or not all(isinstance(item, str) and item for item in names):
            raise ConventionError(f"{path.name}: {part or 'needs'} must be a list of bone names.")
    known = {part: [read_name(text) for text in names] for part, names in parts.items()}
    wholes = {said: part for part, names in known.items() for item in names for said in (*item.wholes, *item.others)}
    return Convention(name, _unambiguous(known), wholes, rank, tuple(read_name(text) for text in needs))


def _unambiguous(known: dict[str, list[BoneName]]) -> dict[str, str]:
    """The part of each key that means one part only: fingers that are only numbered share theirs."""
    keys: dict[str, str] = {}
    shared = set()
    for part, names in known.items():
        for item in names:
            if keys.setdefault(item.key, part) != part:
                shared.add(item.key)
    return {key: part for key, part in keys.items() if key not in shared}


def _counts(name: BoneName) -> bool:
    return any(letter.isdigit() for letter in name.wholes[0])


def best_match(outline: Outline, conventions: Sequence[Convention]) -> Match | None:
    """The convention that explains the skeleton best, if it gives at least one leg; else None."""
    matches = [match_of(outline, convention) for convention in conventions if convention.may_be(outline.names)]
    legged = [match for match in matches if match.legs]
    if not legged:
        return None
    return max(legged, key=lambda match: (score_of(match), match.convention.name))


def score_of(match: Match) -> float:
    """How much of a skeleton a family explains; of two that explain as much, the one that has names of its own."""
    return match.score - match.convention.rank + (OWN_NAMES if match.convention.needs else 0.0)


def match_of(outline: Outline, convention: Convention) -> Match:
    """How one convention fits a skeleton."""
    part = tuple(convention.part_of(name) for name in outline.names)
    legs = _legs(outline, part)
    arms = _arms(outline, part)
    trunk = {found for found in part if found in TRUNK_PARTS}
    limb_bones = sum(_count(leg.thigh, leg.shin, leg.metatarsal, leg.foot, leg.toe) for leg in legs)
    arm_bones = sum(_count(arm.shoulder, arm.upper_arm, arm.forearm, arm.hand) for arm in arms)
    hips = sum(found == "hip" for found in part)
    return Match(convention, part, legs, arms, 2.0 * limb_bones + arm_bones + len(trunk) + 0.5 * hips)


def _count(*bones: int) -> int:
    return sum(bone >= 0 for bone in bones)


def _legs(outline: Outline, part: tuple[str, ...]) -> tuple[NamedLeg, ...]:
    legs = []
    for thigh, found in enumerate(part):
        if found != "thigh" or _above(outline, part, thigh, "thigh") >= 0:
            continue
        shin = _below(outline, part, thigh, "shin")
        if shin < 0:
            continue
        metatarsal = _below(outline, part, shin, "metatarsal")
        last = metatarsal if metatarsal >= 0 else shin
        foot = _below(outline, part, last, "foot")
        detached = foot < 0
        if detached:
            foot = _lying_at(outline, part, last, (outline.far[last] - outline.heads[thigh]).length)
        detached = detached and foot >= 0
        toe = _below(outline, part, foot if foot >= 0 else last, "toe")
        legs.append(NamedLeg(outline.names[thigh].side, thigh, shin, metatarsal, foot, toe, detached))
    return tuple(legs)


def _arms(outline: Outline, part: tuple[str, ...]) -> tuple[NamedArm, ...]:
    arms = []
    for upper, found in enumerate(part):
        if found != "upper_arm" or _above(outline, part, upper, "upper_arm") >= 0:
            continue
        forearm = _below(outline, part, upper, "forearm")
        if forearm < 0:
            continue
        shoulder = _above(outline, part, upper, "shoulder")
        hand = _below(outline, part, forearm, "hand")
        arms.append(NamedArm(outline.names[upper].side, shoulder, upper, forearm, hand))
    return tuple(arms)


def _below(outline: Outline, part: tuple[str, ...], bone: int, wanted: str) -> int:
    return next((i for i in outline.skeleton.descendants(bone) if part[i] == wanted), -1)


def _above(outline: Outline, part: tuple[str, ...], bone: int, wanted: str) -> int:
    return next((i for i in outline.skeleton.ancestors(bone) if part[i] == wanted), -1)


def _lying_at(outline: Outline, part: tuple[str, ...], last: int, length: float) -> int:
    """A foot that hangs elsewhere but lies where the last segment ends (the nearest one)."""
    end = outline.far[last]
    near = [
        ((outline.heads[i] - end).length, i)
        for i, found in enumerate(part)
        if found == "foot" and (outline.heads[i] - end).length <= DETACHED_REACH * length
    ]
    return min(near)[1] if near else -1
