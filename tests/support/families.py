"""Skeletons of persons in the names of each family, with the fingers, twist bones and helpers that the family has.

A family is a tree as text: a line for each bone, indented under its parent, as `name | place | role`. `{}` stands for
a side and makes two bones. A place is a joint of the person below, or one between two (`thigh>shin 0.5`); a bone ends
where its first child begins that is elsewhere. The role is what the bone must be understood as; several are parted by
commas.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mathutils import Matrix, Vector
from surefoot.core.rig.skeleton import Bone, Skeleton

TREES = Path(__file__).with_name("family_trees.txt")
# A person of 1.75 m in a T-pose, metres, Z up, facing -Y; of the sides the left one.
MIDDLE = {
    "floor": (0.0, 0.0, 0.0),
    "hips": (0.0, 0.01, 0.96),
    "spine1": (0.0, 0.01, 1.04),
    "spine2": (0.0, 0.01, 1.13),
    "spine3": (0.0, 0.015, 1.22),
    "spine4": (0.0, 0.02, 1.31),
    "neck": (0.0, 0.03, 1.46),
    "neck2": (0.0, 0.025, 1.50),
    "head": (0.0, 0.02, 1.54),
    "top": (0.0, 0.0, 1.75),
    "jaw": (0.0, -0.03, 1.58),
    "jaw_tip": (0.0, -0.08, 1.56),
    "behind": (0.0, 0.2, 0.95),
}
LEFT = {
    "eye": (0.03, -0.06, 1.64),
    "eye_tip": (0.03, -0.09, 1.64),
    "breast": (0.08, -0.08, 1.32),
    "thigh": (0.09, 0.0, 0.92),
    "shin": (0.095, -0.015, 0.50),
    "foot": (0.10, 0.03, 0.09),
    "instep": (0.105, -0.05, 0.05),
    "toe": (0.11, -0.11, 0.02),
    "toe_tip": (0.115, -0.18, 0.02),
    "shoulder": (0.02, 0.01, 1.42),
    "upper_arm": (0.17, 0.03, 1.43),
    "forearm": (0.43, 0.035, 1.43),
    "hand": (0.68, 0.025, 1.43),
}
FINGERS = {"thumb": -0.035, "index": -0.01, "middle": 0.015, "ring": 0.035, "pinky": 0.055}
KNUCKLES = (0.71, 0.765, 0.80, 0.825, 0.845)


def _places() -> dict[str, Vector]:
    found = {**MIDDLE, **LEFT}
    for finger, across in FINGERS.items():
        for k, along in enumerate(KNUCKLES):
            found[f"{finger}{k}"] = (along - (0.05 if finger == "thumb" else 0.0), across, 1.43)
    return {name: Vector(place) for name, place in found.items()}


PLACES = _places()


@dataclass(frozen=True)
class Family:
    """One family's person: its convention's name, its skeleton, and the bones of each role."""

    convention: str
    skeleton: Skeleton
    roles: dict[str, tuple[str, ...]]


@dataclass
class _Row:
    name: str
    parent: int
    head: Vector
    tail: Vector | None
    roles: tuple[str, ...]


def families() -> dict[str, Family]:
    """All families by the titles of their trees."""
    found = {}
    for block in TREES.read_text(encoding="utf-8").split("\n== ")[1:]:
        title, sides, *lines = block.split("\n")
        left, right = (side.strip("'") for side in sides.split())
        convention = title.partition(" / ")[0].strip()
        found[title.strip()] = _family(convention, [line for line in lines if line.strip()], (left, right))
    return found


def _family(convention: str, lines: list[str], sides: tuple[str, str]) -> Family:
    rows: list[_Row] = []
    above: list[tuple[int, dict[str, int]]] = []
    for line in lines:
        depth = len(line) - len(line.lstrip())
        while above and above[-1][0] >= depth:
            above.pop()
        parents = above[-1][1] if above else {}
        name, place, roles = (part.strip() for part in f"{line}||".split("|")[:3])
        made = {}
        for side, spelt in zip("LR", sides, strict=True) if "{}" in name else (("", ""),):
            made[side] = len(rows)
            parent = parents.get(side, parents.get("", -1))
            rows.append(_row(name.replace("{}", spelt), place, roles, side, parent))
        above.append((depth, made))
    return Family(convention, _skeleton(rows), _roles(rows))


def _row(name: str, place: str, roles: str, side: str, parent: int) -> _Row:
    named = tuple(role if not side else f"{role}.{side}" for role in roles.replace(" ", "").split(",") if role)
    head = _point(place.partition("->")[0], side)
    tail = _point(place.partition("->")[2], side) if "->" in place else None
    return _Row(name, parent, head, tail, named)


def _point(text: str, side: str) -> Vector:
    ends, _, share = text.strip().partition(" ")
    first, _, second = ends.partition(">")
    point = PLACES[first].lerp(PLACES[second], float(share)) if second else PLACES[first].copy()
    return Vector((-point.x if side == "R" else point.x, point.y, point.z))


def _skeleton(rows: list[_Row]) -> Skeleton:
    bones = []
    for i, row in enumerate(rows):
        below = [other.head for other in rows if other.parent == i and (other.head - row.head).length > 1e-4]
        tail = row.tail if row.tail is not None else (below[0] if below else None)
        if tail is None:
            before = row.head - rows[row.parent].head if row.parent >= 0 else Vector((0.0, 0.0, 0.1))
            tail = row.head + (before.normalized() if before.length else Vector((0.0, 0.0, 1.0))) * 0.04
        along = tail - row.head
        rest: Matrix = Vector((0.0, 1.0, 0.0)).rotation_difference(along).to_matrix().to_4x4()
        rest.translation = row.head
        bones.append(Bone(row.name, row.parent, rest, along.length))
    return Skeleton(tuple(bones))


def _roles(rows: list[_Row]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        for role in row.roles:
            found[role] = (*found.get(role, ()), row.name)
    return found
