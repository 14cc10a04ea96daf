"""The names of roles: of legs by pair and side, and of every bone that was understood, down to the fingers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .rig import Arm, Leg
from .skeleton import Skeleton
from .trunk import Trunk

PAIR_NAMES: dict[int, tuple[str, ...]] = {
    1: ("",),
    2: ("front_", "hind_"),
    3: ("front_", "middle_", "hind_"),
}


def pair_prefix(order: int, pairs: int) -> str:
    """What comes before `leg`, `thigh`, `foot` for a pair counted from the front: front_, middle_, hind_ or none."""
    return PAIR_NAMES[pairs][order] if pairs in PAIR_NAMES else ""


def leg_role(order: int, pairs: int, side: str) -> str:
    """`leg.L`, `front_leg.R`, `leg4.L`; a leg in the middle has no side."""
    number = "" if pairs in PAIR_NAMES else str(order + 1)
    ending = "" if side == "M" else f".{side}"
    return f"{pair_prefix(order, pairs)}leg{number}{ending}"


def roles_of(
    skeleton: Skeleton,
    trunk: Trunk,
    legs: Sequence[Leg],
    arms: Sequence[Arm],
    fingers: Sequence[Mapping[str, Sequence[int]]] = (),
) -> dict[str, tuple[str, ...]]:
    """Each role's bones by name, from the body outward. Of more than three pairs, thighs are `thigh1.L` and so on.

    `fingers` are those of each arm, by `thumb` to `pinky` or by number.
    """
    found: dict[str, list[int]] = {}

    def add(role: str, *bones: int) -> None:
        found.setdefault(role, []).extend(i for i in bones if i >= 0)

    add("root", trunk.root)
    add("body", trunk.body)
    add("pelvis", trunk.pelvis)
    add("spine", *trunk.spine)
    add("chest", *trunk.spine[-1:])
    add("neck", *trunk.neck)
    add("head", trunk.head)
    for k, tail in enumerate(trunk.tails):
        add("tail" if k == 0 else f"tail{k + 1}", *tail)
    pairs = 1 + max((leg.order for leg in legs), default=0)
    for leg in legs:
        prefix = pair_prefix(leg.order, pairs)
        number = "" if pairs in PAIR_NAMES else str(leg.order + 1)
        side = "" if leg.side == "M" else f".{leg.side}"
        segments = ("thigh", "shin", "metatarsal")
        for k, bone in enumerate(leg.bones):
            name = segments[k] if k < len(segments) else f"segment{k + 1}"
            add(f"{prefix}{name}{number}{side}", bone)
        add(f"{prefix}foot{number}{side}", leg.foot)
        add(f"{prefix}toe{number}{side}", *leg.toes)
    for arm in arms:
        side = "" if arm.side == "M" else f".{arm.side}"
        add(f"shoulder{side}", arm.shoulder)
        add(f"upper_arm{side}", *arm.bones[:1])
        add(f"forearm{side}", *arm.bones[1:])
        add(f"hand{side}", arm.hand)
    for arm, hand in zip(arms, fingers, strict=False):
        for finger, bones in hand.items():
            add(f"{finger}{'' if arm.side == 'M' else f'.{arm.side}'}", *bones)
    names = skeleton.bones
    return {role: tuple(names[i].name for i in bones) for role, bones in found.items() if bones}
