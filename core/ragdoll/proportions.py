"""What a kind of body weighs, part by part, and how far its joints go: as read from a preset.

A person's shares are de Leva's (1996, men), the joint limits those of clinical tables. Of animals on four legs the
shares are estimates near what Kubo and others (1992) weighed on horses (trunk 60 %, head and neck 11 %, the legs the
rest), with lighter thighs; what folds goes as far as Jaegger, Marcellin-Little and Levine (2002) measured on dogs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..rig.rig import Rig
from ..space.rigid import Triple
from ..space.settings import setting

KINDS = ("person", "bird", "four", "many", "long", "any")
# What comes before or after a part's name in a role: front_thigh.L, thigh4.R.
PREFIXES = ("front_", "middle_", "hind_")
# What is weighed by its size is at least so heavy against the first body.
LEAST_BULK = 0.005
# A trunk this upright (share of its length) stands as a person's.
ERECT = 0.7


@dataclass(frozen=True, slots=True)
class PartRow:
    """One part: its share of the mass (each limb's), and how far its joint goes from the zero pose.

    `low` and `high` are of a left side (radians, of X, Y, Z, as in `plan.Joint`); `friction` is newton metres for each
    kilogram of the heavier body.
    """

    mass: float
    low: Triple
    high: Triple
    friction: float


@dataclass(frozen=True)
class BodyKind:
    """A kind of body. One of `height` metres weighs `mass` kilograms, others by the cube of theirs."""

    name: str
    height: float
    mass: float
    parts: Mapping[str, PartRow]

    def row(self, part: str) -> PartRow:
        """What is said of a part: `front_shin` where that has a row, else `shin`, else `any`."""
        return next(self.parts[name] for name in names_of(part) if name in self.parts)


@dataclass(frozen=True)
class PlanNumbers:
    """What a plan is made with, beside the rig and its skin."""

    kinds: Mapping[str, BodyKind]
    mass: float = setting(
        0.0,
        "What the whole body weighs. At 0 it follows from the size: a person of 1.75 m weighs 75 kg",
        unit="kg",
        low=0.0,
        high=1e6,
    )
    chains: bool = setting(
        False,
        "Chains of bones that hang on trunk and head (hair, ropes, skirts) have bodies too, and fall by physics in "
        "place of their springs. Many of them make simulating slow",
    )


def names_of(part: str) -> tuple[str, ...]:
    """The names under which a part may have a row, the most special first."""
    plain = part.rstrip("0123456789_")
    short = next((plain.removeprefix(prefix) for prefix in PREFIXES if plain.startswith(prefix)), plain)
    return part, plain, short, "any"


def kind_of(rig: Rig) -> str:
    """Which kind of body a rig is."""
    if rig.long_body is not None and not rig.legs:
        return "long"
    count = len(rig.legs)
    if count == 0:
        return "any"
    if count == 2:
        return "person" if is_erect(rig) and rig.legs[0].stance == "PLANTIGRADE" else "bird"
    return "four" if count == 4 and all(leg.stance != "POINT" for leg in rig.legs) else "many"


def is_erect(rig: Rig) -> bool:
    """True for a trunk that stands up."""
    bones = rig.skeleton.bones
    start = rig.pelvis if rig.pelvis >= 0 else rig.body
    if not rig.spine or start < 0:
        return len(rig.legs) == 2
    top = bones[rig.neck[0]].head if rig.neck else bones[rig.spine[-1]].tail
    up = top - bones[start].head
    return up.length > 0.0 and up.z > ERECT * up.length


def whole_mass(kind: BodyKind, config: PlanNumbers, height: float) -> float:
    """What a body of this height weighs, kilograms."""
    return config.mass if config.mass > 0.0 else kind.mass * (height / kind.height) ** 3


def shared_mass(kind: BodyKind, parts: list[tuple[str, str, float, float]], whole: float) -> list[float]:
    """The whole mass shared out by the kind's rows, kilograms each.

    parts: part, limb and length of each body, and how large it is against the first where that tells how heavy it is,
    up to its row (0: its row tells). Bodies of one part and limb (a tail's) share its row by their lengths; a trunk of
    fewer bodies has the rows of all.
    """
    shares = [kind.row(part).mass for part, _, _, _ in parts]
    names = [part for part, _, _, _ in parts]
    if "spine" not in names and "spine" in kind.parts:
        heir = names.index("chest") if "chest" in names else 0
        shares[heir] += kind.parts["spine"].mass
    if "chest" not in names and "chest" in kind.parts:
        shares[0] += kind.parts["chest"].mass
    alike: dict[tuple[str, str], float] = {}
    keys = [(names_of(part)[1], limb) for part, limb, _, _ in parts]
    for key, (_, _, length, _) in zip(keys, parts, strict=True):
        alike[key] = alike.get(key, 0.0) + length
    for k, (key, (_, _, length, bulk)) in enumerate(zip(keys, parts, strict=True)):
        if bulk > 0.0:
            shares[k] = min(shares[0] * max(bulk, LEAST_BULK), shares[k])
        elif alike[key] > 0.0:
            shares[k] *= length / alike[key]
    total = sum(shares)
    return [whole * share / total for share in shares]
