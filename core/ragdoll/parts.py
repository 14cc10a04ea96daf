"""Which bodies a rig falls apart into: by roles, and where nothing is understood by its longest bones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathutils import Vector

from ..rig.outline import outline_of
from ..rig.rest_vertices import RestVertices
from ..rig.rig import Arm, Leg, Rig
from ..rig.roles import PAIR_NAMES, pair_prefix
from .proportions import kind_of

# How much of a trunk in front of the pelvis is the chest, at least.
CHEST_SHARE = 0.4
# Bodies that necks, tails and long bodies have at most.
NECKS, TAILS, LINKS = 2, 4, 15
SEGMENTS = ("thigh", "shin", "metatarsal")
# Where nothing is understood: bones of this share of the whole size are bodies, and so many of them at most.
LONG_ENOUGH, MOST_UNKNOWN = 0.05, 24
# What hangs on these kinds of trunks is a body where it is this long (share of the leg) and moves so many points of the
# skin; a chain of it is so many bodies at most.
BESIDE_OF = ("bird", "four", "many")
BESIDE, FEWEST_POINTS, LINKS_BESIDE = 0.35, 8, 3
# The same for chains that are asked for, and how many bodies of such there are at most.
HANGING, LINKS_HANGING, MOST_HANGING = 0.1, 4, 40
# A bone between a leg and the trunk that is this long (share of the leg) is a blade.
BLADE = 0.12


@dataclass(frozen=True, slots=True)
class Part:
    """One body before it has a size: its `role` and `limb`, the row of its kind (`part`), the bones that it stands for.

    `head` is its joint, `tail` its far end, at rest in model space. `leg` and `arm` are the places of the limb in the
    rig, `segment` which of a leg's it is (all -1: none); `ends` says that nothing goes on at its far end.
    """

    role: str
    limb: str
    part: str
    bones: tuple[int, ...]
    head: Vector
    tail: Vector
    leg: int = -1
    arm: int = -1
    segment: int = -1
    ends: bool = False

    @property
    def along(self) -> Vector:
        """From its joint to its far end."""
        return self.tail - self.head

    @property
    def side(self) -> str:
        """L, R or nothing."""
        return self.role[-1] if self.role.endswith((".L", ".R")) else ""


def parts_of(rig: Rig) -> list[Part]:
    """All parts of a rig; the first one carries the rest. Not yet in the order of the skeleton."""
    kind = kind_of(rig)
    if kind == "any":
        return _unknown(rig)
    parts = _long(rig) if kind == "long" else [*_trunk(rig, one_neck=kind == "person"), *_tails(rig)]
    for k, arm in enumerate(rig.arms):
        parts.extend(_arm(rig, arm, k))
    for k, leg in enumerate(rig.legs):
        parts.extend(_leg(rig, leg, k, [i for part in parts if part.limb == "body" for i in part.bones]))
    return _with_own_names(parts)


def _trunk(rig: Rig, *, one_neck: bool) -> list[Part]:
    bones = rig.skeleton.bones
    pelvis = rig.pelvis if rig.pelvis >= 0 else rig.body
    spine = [i for i in rig.spine if i != pelvis]
    neck = [i for i in rig.neck if i != pelvis]
    head = rig.head if rig.head not in (pelvis, rig.body) else -1
    after = bones[neck[0]].head if neck else (bones[head].head if head >= 0 else None)
    back, chest = _parted(rig, spine)
    parts = [_stretch(rig, "pelvis", "body", (pelvis,), bones[spine[0]].head if spine else None)]
    if back:
        parts.append(_stretch(rig, "spine", "body", back, bones[chest[0]].head))
    if chest:
        parts.append(_stretch(rig, "chest", "body", chest, after))
    if one_neck:
        top = (*neck, head) if head >= 0 else tuple(neck)
        return [*parts, _stretch(rig, "head", "head", top, None, ends=True)] if top else parts
    top_joint = bones[head].head if head >= 0 else None
    parts.extend(_chain(rig, "neck", "head", neck, NECKS, top_joint))
    if head >= 0:
        parts.append(_stretch(rig, "head", "head", (head,), None, ends=True))
    return parts


def _parted(rig: Rig, spine: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The bones of spine and chest: the chest is the last ones, as long as they must be."""
    lengths = [rig.skeleton.bones[i].length for i in spine]
    first = max(0, len(spine) - 1)
    while first > 1 and sum(lengths[first:]) < CHEST_SHARE * sum(lengths):
        first -= 1
    return tuple(spine[:first]), tuple(spine[first:])


def _stretch(
    rig: Rig, role: str, limb: str, bones: tuple[int, ...], end: Vector | None, *, ends: bool = False, part: str = ""
) -> Part:
    """A body along some bones, to where the next one begins or its last bone ends."""
    all_bones = rig.skeleton.bones
    tail = end if end is not None else all_bones[bones[-1]].tail
    return Part(role, limb, part or role, bones, all_bones[bones[0]].head, tail.copy(), ends=ends or end is None)


def _chain(rig: Rig, role: str, limb: str, bones: Sequence[int], most: int, end: Vector | None) -> list[Part]:
    """Bones one after the other in at most so many bodies, as even as can be."""
    count = min(most, len(bones))
    if not count:
        return []
    cuts = [round(k * len(bones) / count) for k in range(count + 1)]
    groups = [tuple(bones[a:b]) for a, b in zip(cuts, cuts[1:], strict=False)]
    heads = [rig.skeleton.bones[group[0]].head for group in groups[1:]]
    return [
        _stretch(rig, role if k == 0 else f"{role}_{k + 1}", limb, group, joint, part=role)
        for k, (group, joint) in enumerate(zip(groups, [*heads, end], strict=True))
    ]


def _tails(rig: Rig) -> list[Part]:
    parts: list[Part] = []
    for k, tail in enumerate(rig.tails):
        name = "tail" if k == 0 else f"tail{k + 1}"
        found = _chain(rig, name, name, tail, TAILS, None)
        parts.extend(Part(p.role, p.limb, "tail", p.bones, p.head, p.tail, ends=p.ends) for p in found)
    return parts


def _arm(rig: Rig, arm: Arm, place: int) -> list[Part]:
    bones, side = rig.skeleton.bones, "" if arm.side == "M" else f".{arm.side}"
    chain = [*zip(("upper_arm", "forearm"), arm.bones, strict=False)]
    if arm.hand >= 0:
        chain.append(("hand", arm.hand))
    heads = [bones[i].head for _, i in chain]
    ends = [*heads[1:], _hand_end(rig, arm) if arm.hand >= 0 else bones[chain[-1][1]].tail]
    return [
        Part(f"{name}{side}", f"arm{side}", name, (i,), head, end, arm=place, segment=k, ends=k == len(chain) - 1)
        for k, ((name, i), head, end) in enumerate(zip(chain, heads, ends, strict=True))
    ]


def _hand_end(rig: Rig, arm: Arm) -> Vector:
    """Where the fingers end: twice as far as their joints are, as far as bones tell."""
    bones = rig.skeleton.bones
    wrist = bones[arm.hand].head
    joints = [bones[i].head for i in rig.skeleton.children[arm.hand] if (bones[i].head - wrist).length > 1e-6]
    if len(joints) < 2:
        return bones[arm.hand].tail
    return wrist + 2.0 * (sum(joints, Vector()) / len(joints) - wrist)


def _leg(rig: Rig, leg: Leg, place: int, trunk: Sequence[int]) -> list[Part]:
    pairs = 1 + max(each.order for each in rig.legs)
    prefix = pair_prefix(leg.order, pairs)
    ending = ("" if pairs in PAIR_NAMES else str(leg.order + 1)) + ("" if leg.side == "M" else f".{leg.side}")
    parts = []

    def add(name: str, bone: int, head: Vector, tail: Vector, segment: int) -> None:
        role = f"{prefix}{name}{ending}"
        parts.append(Part(role, leg.role, prefix + name, (bone,), head.copy(), tail.copy(), place, -1, segment))

    blade = rig.skeleton.bones[leg.bones[0]].parent
    if pairs > 1 and leg.stance != "POINT" and blade >= 0 and blade not in (*trunk, rig.body, rig.pelvis, rig.root):
        head = rig.skeleton.bones[blade].head
        if (leg.hip - head).length > BLADE * sum(leg.lengths):
            add("blade", blade, head, leg.hip, -1)
    for k, (bone, head, tail) in enumerate(zip(leg.bones, leg.chain, leg.chain[1:], strict=False)):
        add(SEGMENTS[k] if k < len(SEGMENTS) else f"segment{k + 1}", bone, head, tail, k)
    if leg.foot >= 0:
        add("foot", leg.foot, leg.tip, leg.sole.toe, len(leg.bones))
    last = parts[-1]
    parts[-1] = Part(
        last.role, last.limb, last.part, last.bones, last.head, last.tail, place, -1, last.segment, ends=True
    )
    return parts


def _long(rig: Rig) -> list[Part]:
    """The bone that carries all, then what goes on headward and tailward of it."""
    assert rig.long_body is not None
    chain = list(rig.long_body.bones)
    at = chain.index(rig.body)
    ahead, behind = chain[:at][::-1], chain[at + 1 :]
    most = max(1, -(-len(chain) // LINKS))
    bones = rig.skeleton.bones
    parts = [_stretch(rig, "pelvis", "body", (rig.body,), bones[ahead[0]].head if ahead else None)]
    head = ahead[-1:] if rig.head >= 0 else []
    body = ahead[: len(ahead) - len(head)]
    joint = bones[head[0]].head if head else None
    parts.extend(_chain(rig, "spine", "body", body, -(-len(body) // most), joint))
    if head:
        parts.append(_stretch(rig, "head", "head", tuple(head), rig.long_body.joints[0], ends=True))
    parts.extend(_chain(rig, "tail", "tail", behind, -(-len(behind) // most), None))
    return parts


def parts_beside(rig: Rig, parts: Sequence[Part], skin: RestVertices | None) -> list[Part]:
    """What hangs on an animal's trunk or head and has no role (wings, an abdomen), where it is long and moves skin.

    People have none: what hangs on them is clothes, hair and tools.
    """
    if skin is None or kind_of(rig) not in BESIDE_OF:
        return []
    found: list[Part] = []
    for chain in _hanging(rig, parts, BESIDE * rig.leg_length):
        name = rig.skeleton.bones[chain[0]].name
        moving = [j for j in chain if len(skin.of([j])) >= FEWEST_POINTS]
        found.extend(_chain(rig, name, name, moving, LINKS_BESIDE, None))
    return [Part(p.role, p.limb, "any", p.bones, p.head, p.tail, ends=p.ends) for p in found]


def parts_hanging(rig: Rig, parts: Sequence[Part]) -> list[Part]:
    """Chains of two and more bones that hang on trunk or head (hair, ropes, skirts), the longest first; their limbs are
    handed over as tails are.
    """
    bones, found = rig.skeleton.bones, list[Part]()
    chains = [chain for chain in _hanging(rig, parts, HANGING * rig.leg_length) if len(chain) > 1]
    for chain in sorted(chains, key=lambda c: (-round(sum(bones[i].length for i in c), 6), c)):
        name = bones[chain[0]].name
        links = _chain(rig, name, f"{name}_tail", chain, LINKS_HANGING, None)
        if len(found) + len(links) <= MOST_HANGING:
            found.extend(Part(p.role, p.limb, "any", p.bones, p.head, p.tail, ends=p.ends) for p in links)
    return found


def _hanging(rig: Rig, parts: Sequence[Part], least: float) -> list[list[int]]:
    """Chains of deforming bones that begin on trunk or head, carry no part, and are this long."""
    outline, bones = outline_of(rig.skeleton), rig.skeleton.bones
    taken = {i for part in parts for i in part.bones}
    trunk = {i for part in parts if part.limb in ("body", "head") for i in part.bones}
    found = []
    for i, bone in enumerate(bones):
        free = i not in taken and bone.parent in trunk and bone.deform and not outline.idle[i]
        if not free or outline.below[i] < least or taken & set(rig.skeleton.below[i]):
            continue
        found.append([i])
        while (child := outline.main_child(found[-1][-1])) >= 0:
            found[-1].append(child)
    return found


def _unknown(rig: Rig) -> list[Part]:
    """The longest bones, each by its own name."""
    outline, bones = outline_of(rig.skeleton), rig.skeleton.bones
    points = [point for i in range(len(bones)) for point in (outline.heads[i], outline.far[i])]
    size = max(max(p[k] for p in points) - min(p[k] for p in points) for k in range(3)) if points else 0.0
    lengths = [(outline.far[i] - outline.heads[i]).length for i in range(len(bones))]
    real = [i for i in range(len(bones)) if not outline.idle[i] and lengths[i] >= LONG_ENOUGH * size > 0.0]
    longest = sorted(real, key=lambda i: (-round(lengths[i], 6), i))[:MOST_UNKNOWN]
    return [
        Part(bones[i].name, bones[i].name, "any", (i,), outline.heads[i], outline.far[i], ends=not outline.children[i])
        for i in sorted(longest)
    ]


def _with_own_names(parts: Sequence[Part]) -> list[Part]:
    """No two of one name: a second left arm is `arm2.L`."""
    seen: dict[str, int] = {}
    found = []
    for part in parts:
        count = seen[part.role] = seen.get(part.role, 0) + 1
        if count == 1:
            found.append(part)
            continue
        role, limb = (f"{n[:-2]}{count}{n[-2:]}" if part.side else f"{n}{count}" for n in (part.role, part.limb))
        found.append(
            Part(
                role,
                limb,
                part.part,
                part.bones,
                part.head,
                part.tail,
                part.leg,
                part.arm,
                part.segment,
                ends=part.ends,
            )
        )
    return found
