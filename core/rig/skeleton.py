"""A rig's rest pose as the core sees it: metres, Z up, facing -Y, parents before children."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from mathutils import Matrix, Quaternion, Vector


@dataclass(frozen=True, slots=True)
class Bone:
    """One bone at rest. `rest` is model space and orthonormal, with Blender's axes (Y along the bone)."""

    name: str
    parent: int
    rest: Matrix
    length: float
    connected: bool = False
    deform: bool = True
    inherit_rotation: bool = True

    @property
    def head(self) -> Vector:
        """The joint that the bone turns about, model space."""
        return self.rest.to_translation()

    @property
    def tail(self) -> Vector:
        """The bone's far end, model space."""
        return self.rest @ Vector((0.0, self.length, 0.0))


@dataclass(frozen=True)
class Skeleton:
    """The bones of one armature; a parent's index is always smaller than its child's."""

    bones: tuple[Bone, ...]
    index: dict[str, int] = field(init=False)
    children: tuple[tuple[int, ...], ...] = field(init=False)
    rest_local: tuple[Matrix, ...] = field(init=False)
    links: tuple[tuple[int, Matrix, bool], ...] = field(init=False)
    """Of each bone its parent, its rest under it, and whether it turns with it: asked together for every pose."""
    turn_links: tuple[tuple[int, Quaternion], ...] = field(init=False)
    """Of each bone the bone that it turns with (-1: none), and its rest turn under that."""

    def __post_init__(self) -> None:
        children: list[list[int]] = [[] for _ in self.bones]
        local = []
        for i, bone in enumerate(self.bones):
            if bone.parent >= i:
                raise ValueError(f"Bone {bone.name!r} comes before its parent; sort parents first.")
            if bone.parent >= 0:
                children[bone.parent].append(i)
                local.append(self.bones[bone.parent].rest.inverted() @ bone.rest)
            else:
                local.append(bone.rest.copy())
        object.__setattr__(self, "index", {bone.name: i for i, bone in enumerate(self.bones)})
        object.__setattr__(self, "children", tuple(tuple(c) for c in children))
        object.__setattr__(self, "rest_local", tuple(local))
        links = ((bone.parent, rest, bone.inherit_rotation) for bone, rest in zip(self.bones, local, strict=True))
        object.__setattr__(self, "links", tuple(links))
        turns = (
            (bone.parent, rest.to_quaternion()) if bone.inherit_rotation else (-1, bone.rest.to_quaternion())
            for bone, rest in zip(self.bones, local, strict=True)
        )
        object.__setattr__(self, "turn_links", tuple(turns))

    def __len__(self) -> int:
        return len(self.bones)

    @cached_property
    def below(self) -> tuple[tuple[int, ...], ...]:
        """Of each bone all bones below it, parents first."""
        return tuple(tuple(self.descendants(i)) for i in range(len(self.bones)))

    @cached_property
    def unrest(self) -> tuple[Matrix, ...]:
        """Of each bone what brings its rest matrix to the identity."""
        return tuple(bone.rest.inverted() for bone in self.bones)

    def ancestors(self, i: int) -> Iterable[int]:
        """The bones above bone `i`, nearest first."""
        i = self.bones[i].parent
        while i >= 0:
            yield i
            i = self.bones[i].parent

    def descendants(self, i: int) -> Iterable[int]:
        """The bones below bone `i`, parents first."""
        stack = list(self.children[i])
        while stack:
            j = stack.pop(0)
            yield j
            stack.extend(self.children[j])

    def moved(self, transform: Matrix) -> Skeleton:
        """The same skeleton after a rigid `transform` of model space."""
        return Skeleton(
            tuple(
                Bone(b.name, b.parent, transform @ b.rest, b.length, b.connected, b.deform, b.inherit_rotation)
                for b in self.bones
            )
        )
