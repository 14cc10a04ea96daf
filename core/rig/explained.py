"""Why each bone has its role, and which bones else could have it: for a person who looks over what was understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from mathutils import Vector

from .conventions import Convention, Match, best_match
from .corrections import ARM_ROLES, LEG_ROLES, stem_of
from .fingers import PALMS, WORDS, is_finger
from .outline import Outline, outline_of
from .rig import Rig

Why = Literal["HAND", "NAME", "SHAPE", "MISSING"]

# What each reason counts, of 1.
OWN_FAMILY = 0.45
OTHER_FAMILY = 0.2
WORD = 0.15
MIRRORS = 0.35
FOLLOWS = 0.2
CARRIES = 0.15
HEIGHT = 0.1
WRONG_SIDE = -0.5
# Less than this is no candidate.
LEAST = 0.15
# A bone mirrors another if it is this near to its mirror image, and stands at a height if this near to it (shares of
# the rig's own height).
SAME_PLACE = 0.03
SAME_HEIGHT = 0.05
# Where joints of people are at rest, in shares of the height of the highest joint.
HEIGHTS = {
    "pelvis": 0.62,
    "thigh": 0.6,
    "shin": 0.33,
    "foot": 0.06,
    "toe": 0.01,
    "neck": 0.95,
    "head": 1.0,
    "shoulder": 0.92,
    "upper_arm": 0.92,
}
TRUNK = ("pelvis", "spine", "neck", "head")
OTHER_WORDS = {"pelvis": ("hip",), "shin": ("calf", "knee"), "foot": ("ankle",), "shoulder": ("clavicle", "collar")}


class RoleLine(NamedTuple):
    """A role with the bones that have it, from the body outward, and why the first one does.

    `family` is the convention whose name it is, where it is by name; empty for words that many families use. Without
    bones the role is missing.
    """

    role: str
    bones: tuple[str, ...]
    why: Why
    family: str = ""


class Candidate(NamedTuple):
    """A bone that could have a role: how well it fits (0 to 1), and what speaks for it and against it."""

    bone: str
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Explained:
    """What was understood of a rig, with reasons. `corrections` are the roles that were set by hand."""

    rig: Rig
    conventions: tuple[Convention, ...]
    corrections: Mapping[str, str]

    @cached_property
    def lines(self) -> tuple[RoleLine, ...]:
        """Every role that can be set by hand: those that have bones, and those that such a rig should have."""
        return tuple(self._line(role) for role in self._roles())

    def candidates(self, role: str, most: int = 8) -> tuple[Candidate, ...]:
        """The bones that could have a role, the likeliest first. Ends of chains and bones of other families' helpers
        are none.
        """
        stem = stem_of(role)
        if not stem:
            return ()
        found = []
        for i, bone in enumerate(self.rig.skeleton.bones):
            if self._outline.names[i].end or self._part(i) == "helper":
                continue
            told = self._reasons(i, role, stem)
            score = sum(count for count, _ in told)
            if score >= LEAST:
                found.append(Candidate(bone.name, min(1.0, score), tuple(text for _, text in told)))
        order = {bone.name: i for i, bone in enumerate(self.rig.skeleton.bones)}
        return tuple(sorted(found, key=lambda item: (-item.score, order[item.bone]))[:most])

    @cached_property
    def _outline(self) -> Outline:
        return outline_of(self.rig.skeleton)

    @cached_property
    def _match(self) -> Match | None:
        return best_match(self._outline, self.conventions)

    @cached_property
    def _families(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What every convention calls each bone."""
        names = self._outline.names
        return tuple((item.name, tuple(item.part_of(name) for name in names)) for item in self.conventions)

    @cached_property
    def _height(self) -> float:
        return max((head.z for head in self._outline.heads), default=0.0) - self.rig.floor

    @cached_property
    def _middle(self) -> float:
        """Where the mirror plane is on X."""
        legs = self.rig.legs
        return sum(leg.hip.x for leg in legs) / len(legs) if legs else 0.0

    def _roles(self) -> tuple[str, ...]:
        settable = [role for role in self.rig.roles if stem_of(role)]
        missing = [role for role in self._expected() if role not in settable]
        return tuple(sorted(dict.fromkeys((*settable, *missing)), key=_place_of))

    def _expected(self) -> Iterable[str]:
        legs, rig = self.rig.legs, self.rig
        yield from ("pelvis", "spine", "neck", "head") if legs else ("head",)
        for leg in legs:
            prefix, _, side = leg.role.partition("leg")
            yield from (f"{prefix}{part}{side}" for part in LEG_ROLES if part != "toe" or leg.stance == "PLANTIGRADE")
        if len(legs) == 2 or rig.arms:
            yield from (f"{part}.{side}" for side in "LR" for part in ARM_ROLES)

    def _line(self, role: str) -> RoleLine:
        bones = self.rig.roles.get(role, ())
        if not bones:
            return RoleLine(role, (), "MISSING")
        if self.corrections.get(role, "") == (bones[-1] if role == "chest" else bones[0]):
            return RoleLine(role, bones, "HAND")
        parts = {self._part(self.rig.skeleton.index[name]) for name in bones}
        # A chest is the last of the spine, and what carries all is called a root or a pelvis.
        alike = {"chest": ("spine", "chest"), "spine": ("spine", "chest"), "body": ("pelvis", "root")}
        stem = stem_of(role)
        if self._match is not None and parts & set(alike.get(stem, (stem,))):
            return RoleLine(role, bones, "NAME", self._match.convention.name)
        key = self._outline.names[self.rig.skeleton.index[bones[0]]].key
        return RoleLine(role, bones, "NAME" if any(word in key for word in WORDS.get(stem, ())) else "SHAPE")

    def _part(self, bone: int) -> str:
        return self._match.part[bone] if self._match is not None else ""

    def _reasons(self, i: int, role: str, stem: str) -> list[tuple[float, str]]:
        """What speaks for a bone and against it, each with what it counts."""
        return [*self._by_name(i, stem), *self._by_place(i, role, stem), *self._by_chain(i, role, stem)]

    def _by_name(self, i: int, stem: str) -> Iterable[tuple[float, str]]:
        if self._match is not None and self._part(i) == stem:
            yield OWN_FAMILY, f"{self._match.convention.name} names it so"
        elif other := next((name for name, parts in self._families if parts[i] == stem), ""):
            yield OTHER_FAMILY, f"{other} names it so"
        words = (stem.replace("_", ""), *OTHER_WORDS.get(stem, ()), *WORDS.get(stem, ()))
        key, helper = self._outline.names[i].key, self._outline.names[i].helper
        if not helper and (word := next((word for word in words if word in key), "")):
            yield WORD, f"its name holds {word!r}"

    def _by_place(self, i: int, role: str, stem: str) -> Iterable[tuple[float, str]]:
        head, side = self._outline.heads[i], role.rpartition(".")[2]
        across = 0.5 * (head.x + self._outline.far[i].x) - self._middle
        if side in ("L", "R") and (across > 0.0) != (side == "L") and abs(across) > SAME_PLACE * self._height:
            yield WRONG_SIDE, "it is on the other side"
        elif side not in ("L", "R") and abs(across) > SAME_PLACE * self._height:
            yield WRONG_SIDE, "it is at the side"
        twin = self._bone_of(f"{role[:-1]}{'R' if side == 'L' else 'L'}", 0) if side in ("L", "R") else -1
        if twin == i:
            yield WRONG_SIDE, "it has this role on the other side"
        elif twin >= 0:
            ends = ((self._outline.heads, head), (self._outline.far, self._outline.far[i]))
            apart = [(self._image(points[twin]) - point).length for points, point in ends]
            if max(apart) < SAME_PLACE * self._height:
                yield MIRRORS, f"it mirrors {self.rig.skeleton.bones[twin].name}"
        wanted = HEIGHTS.get(stem)
        if wanted is not None and len(self.rig.legs) == 2 and self._height > 0.0:
            share = (head.z - self.rig.floor) / self._height
            if abs(share - wanted) < SAME_HEIGHT:
                yield HEIGHT, f"it is as high as a {stem.replace('_', ' ')}"

    def _image(self, point: Vector) -> Vector:
        """The mirror image of a point."""
        return Vector((2.0 * self._middle - point.x, point.y, point.z))

    def _by_chain(self, i: int, role: str, stem: str) -> Iterable[tuple[float, str]]:
        before, after = _beside(role, stem)
        above, below = self._bone_of(before, -1), self._bone_of(after, 0)
        bones = self.rig.skeleton.bones
        if above >= 0 and above != i and self._carrier(i) == above:
            yield FOLLOWS, f"it follows {bones[above].name}"
        if below >= 0 and below != i and self._carrier(below) == i:
            yield CARRIES, f"it carries {bones[below].name}"

    def _carrier(self, i: int) -> int:
        """The nearest ancestor that is no palm, twist bone or other helper."""
        names = self._outline.names
        return next(
            (
                j
                for j in self.rig.skeleton.ancestors(i)
                if self._part(j) not in ("helper", "palm")
                and not names[j].helper
                and not any(mark in names[j].key for mark in PALMS)
            ),
            -1,
        )

    def _bone_of(self, role: str, which: int) -> int:
        """The first bone of a role (0), or its last (-1); -1 without any."""
        bones = self.rig.roles.get(role, ())
        return self.rig.skeleton.index[bones[which]] if bones else -1


def _beside(role: str, stem: str) -> tuple[str, str]:
    """The roles before and after one along its chain; empty where there is none."""
    for chain in (LEG_ROLES, ARM_ROLES, TRUNK):
        if stem in chain:
            k = chain.index(stem)
            before = role.replace(stem, chain[k - 1]) if k > 0 else ""
            after = role.replace(stem, chain[k + 1]) if k + 1 < len(chain) else ""
            return before, after
    return (role.replace(stem, "hand"), "") if is_finger(stem) else ("", "")


def _place_of(role: str) -> tuple[int, str, int]:
    """From root and trunk to the arms with their fingers and the legs, each limb together."""
    stem, side = stem_of(role), role.rpartition(".")[2] if "." in role else ""
    trunk: Sequence[str] = ("root", "body", "pelvis", "spine", "chest", "neck", "head")
    if stem in trunk:
        return 0, "", trunk.index(stem)
    if stem in LEG_ROLES:
        return 2, f"{role.partition(stem)[0]}{role.partition(stem)[2]}", LEG_ROLES.index(stem)
    fingers = tuple(WORDS)
    place = ARM_ROLES.index(stem) if stem in ARM_ROLES else len(ARM_ROLES)
    return 1, side, place + (fingers.index(stem) if stem in fingers else 0)
