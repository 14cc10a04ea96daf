"""A skeleton reduced to what can be trusted: joints, who continues whom, and which bones only mark an end.

Importers guess the tails of bones (glTF and FBX files state joints only), so a bone's far end is its main child's
head wherever it has one. Bones added at the tips by exporters are recognised by name or by being an exact copy of
their parent's direction and length.
"""

from __future__ import annotations

from dataclasses import dataclass

from mathutils import Vector

from .names import BoneName, read_names
from .skeleton import Skeleton

_SAME_DIRECTION = 0.9999
_SAME_LENGTH = 0.02
MOST_LEAVES = 0.6


@dataclass(frozen=True)
class Outline:
    """`heads` and `far` are each bone's two ends, model space. `idle` bones are ends and helpers: no chain goes on
    through them. `below` is the length of the longest chain under a bone, itself included; `sure` says that a
    bone's far end is a joint, `told` that it is one or a tail which can be believed, since its parent's tail is right.
    """

    skeleton: Skeleton
    names: tuple[BoneName, ...]
    heads: tuple[Vector, ...]
    far: tuple[Vector, ...]
    sure: tuple[bool, ...]
    told: tuple[bool, ...]
    idle: tuple[bool, ...]
    below: tuple[float, ...]
    children: tuple[tuple[int, ...], ...]

    def main_child(self, bone: int) -> int:
        """The child that goes on farthest, or -1."""
        return max(self.children[bone], key=lambda i: (self.below[i], -i), default=-1)

    def path(self, top: int, bone: int) -> tuple[int, ...]:
        """The bones from `top` down to `bone`, both included; empty if `top` is not above it."""
        found = [bone]
        while found[-1] != top:
            above = self.skeleton.bones[found[-1]].parent
            if above < 0:
                return ()
            found.append(above)
        return tuple(reversed(found))

    @property
    def leaves(self) -> tuple[int, ...]:
        """The bones at which chains end, ends and helpers left out."""
        return tuple(i for i in range(len(self.skeleton)) if not self.idle[i] and not self.children[i])


def outline_of(skeleton: Skeleton) -> Outline:
    """Read the outline of a skeleton; names help to tell ends and helpers, and are not needed."""
    names = read_names([bone.name for bone in skeleton.bones])
    heads = tuple(bone.head for bone in skeleton.bones)
    ends = _ends(skeleton, names)
    idle = [end or name.helper for end, name in zip(ends, names, strict=True)]
    for i in range(len(skeleton)):
        if idle[i] and not ends[i] and any(not idle[j] for j in skeleton.descendants(i)):
            idle[i] = False  # a helper that carries real bones is part of their chain
    children = tuple(tuple(j for j in skeleton.children[i] if not idle[j]) for i in range(len(skeleton)))
    below = [0.0] * len(skeleton)
    far = [bone.tail for bone in skeleton.bones]
    sure = [False] * len(skeleton)
    for i in reversed(range(len(skeleton))):
        main = max(children[i], key=lambda j: (below[j], -j), default=-1)
        marks = [j for j in skeleton.children[i] if ends[j]]
        if main < 0 and marks:
            main = marks[0]
        if main >= 0:
            far[i], sure[i] = heads[main], True
        below[i] = (far[i] - heads[i]).length + (below[main] if main >= 0 else 0.0)
    told = tuple(known or _is_told(skeleton, i) for i, known in enumerate(sure))
    return Outline(skeleton, names, heads, tuple(far), tuple(sure), told, tuple(idle), tuple(below), children)


def _is_told(skeleton: Skeleton, i: int) -> bool:
    bone = skeleton.bones[i]
    if bone.parent < 0:
        return True
    parent = skeleton.bones[bone.parent]
    return bool((parent.tail - bone.head).length < 0.02 * max(parent.length, 1e-9))


def _ends(skeleton: Skeleton, names: tuple[BoneName, ...]) -> list[bool]:
    """Which bones only mark their parent's end: by name, or where most chains go on straight in a copy of their last.

    One or two such chains are straight legs; an exporter marks all.
    """
    leaves = [i for i in range(len(skeleton)) if not skeleton.children[i]]
    copies = [i for i in leaves if _repeats_parent(skeleton, i)]
    marked = set(copies) if len(copies) >= 3 and len(copies) >= MOST_LEAVES * len(leaves) else set()
    ends = [False] * len(skeleton)
    for i in reversed(range(len(skeleton))):
        ends[i] = (i in marked or names[i].end) and all(ends[j] for j in skeleton.children[i])
    return ends


def _repeats_parent(skeleton: Skeleton, i: int) -> bool:
    bone = skeleton.bones[i]
    if bone.parent < 0 or bone.length < 1e-9:
        return False
    parent = skeleton.bones[bone.parent]
    along, above = bone.tail - bone.head, parent.tail - parent.head
    alike = abs(bone.length - parent.length) <= _SAME_LENGTH * parent.length
    straight = along.dot(above) > _SAME_DIRECTION * along.length * above.length
    return alike and straight and (bone.head - parent.tail).length < 0.01 * parent.length
