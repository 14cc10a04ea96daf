"""The IK side of a limb, found by structure: switch parents, pole, heel, mechanism chains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import bpy

from .detection import LimbParts, quoted_bone


@dataclass(frozen=True, slots=True)
class ChainParts:
    """Two mechanism bones with an IK constraint on the second, and its pole angle (0 without a pole)."""

    first: str
    second: str
    pole_angle: float


@dataclass(frozen=True, slots=True)
class IkParts:
    """Names of a limb's IK controls and mechanism. "" or None where it has none.

    between: controls from the main one down to the heel, which stay at rest. `roll` is the mechanism bone that
    turns the heel up about the ball, `toe_parent` the one that carries a leg's toes. `track` turns a front paw's
    heel, `track_rest` is the bone with a stored turn between both.
    """

    main: str
    pole: str
    heel: str
    between: tuple[str, ...]
    chain: ChainParts
    toe: str
    roll: str
    flat: str
    toe_parent: str
    inner: ChainParts | None
    lower: ChainParts | None
    track: str
    stretching: tuple[str, ...]


class SwitchParents:
    """Which mechanism bone each parent switch drives, and what value of the switch means which parent."""

    def __init__(self, armature_object: bpy.types.Object) -> None:
        self._bones: dict[tuple[str, str], str] = {}
        self._object_bones = armature_object.pose.bones
        animation = armature_object.animation_data
        for curve in animation.drivers if animation else ():
            if '].targets[' not in curve.data_path or not curve.data_path.startswith("pose.bones["):
                continue
            for variable in curve.driver.variables:
                for target in variable.targets:
                    if target.data_path.startswith("pose.bones["):
                        owner, key = quoted_bone(target.data_path), target.data_path.rpartition('["')[2][:-2]
                        self._bones.setdefault((owner, key), quoted_bone(curve.data_path))

    def child(self, owner: str, key: str) -> str:
        """The control whose parent the switch chooses; "" where there is none."""
        name = self._bones.get((owner, key), "")
        bone = self._object_bones.get(name) if name else None
        return bone.children[0].name if bone is not None and bone.children else ""

    def number_of(self, owner: str, key: str, parent: str) -> int | None:
        """The switch's value that makes `parent` the parent."""
        bone = self._object_bones.get(self._bones.get((owner, key), ""))
        for constraint in bone.constraints if bone is not None else ():
            if constraint.type == "ARMATURE":
                for number, target in enumerate(constraint.targets, start=1):
                    if target.subtarget == parent:
                        return number
        return None


def ik_parts(bones: bpy.types.bpy_prop_collection, limb: LimbParts, parents: SwitchParents) -> IkParts | None:
    """A limb's IK controls; None where it lacks one of them (a limb without IK, a foreign build)."""
    main, pole = parents.child(limb.switches, "IK_parent"), parents.child(limb.switches, "pole_parent")
    chain = _chain(bones, limb.segments[1].ik, poled=True)
    if not main or not pole or chain is None:
        return None
    target = bones[limb.segments[2].ik]
    above = list(_parents_up_to(target, main))
    if limb.kind == "ARM":
        return _of_arm(main, pole, chain, above)
    if not above or above[-1].name != main:
        heel, between, inner, lower, track = _paw_heel(bones, target)
        roll = flat = toe_parent = ""
    elif limb.kind == "LEG":
        heel, roll, flat = _roll(above)
        between = tuple(bone.name for bone in above if not bone.name.startswith("MCH-") and bone.name != main)
        toe_parent = _mechanism_above(bones, limb.segments[3].ik) if len(limb.segments) > 3 else ""
        inner = lower = None
        track = ""
    else:
        heel, between, inner, lower, track = _paw_heel(bones, target)
        roll = flat = toe_parent = ""
    if not heel:
        return None
    chains = [c for c in (chain, inner, lower) if c is not None]
    stretching = tuple(name for c in chains for name in (c.first, c.second))
    return IkParts(
        main, pole, heel, between, chain, _toe(bones, limb), roll, flat, toe_parent, inner, lower, track, stretching
    )


def _of_arm(main: str, pole: str, chain: ChainParts, above: list[bpy.types.PoseBone]) -> IkParts | None:
    """An arm's: nothing but the hand's control, a wrist pivot where there is one, and the pole."""
    if not above or above[-1].name != main:
        return None
    between = tuple(bone.name for bone in above if not bone.name.startswith("MCH-") and bone.name != main)
    return IkParts(
        main, pole, "", between, chain, "", "", "", "", None, None, "", stretching=(chain.first, chain.second)
    )


def _parents_up_to(bone: bpy.types.PoseBone, name: str) -> Iterator[bpy.types.PoseBone]:
    parent = bone.parent
    while parent is not None:
        yield parent
        if parent.name == name:
            return
        parent = parent.parent


def _chain(bones: bpy.types.bpy_prop_collection, second: str, *, poled: bool) -> ChainParts | None:
    bone = bones[second]
    found = [c for c in bone.constraints if c.type == "IK" and bool(c.pole_subtarget) == poled]
    if not found or bone.parent is None:
        return None
    return ChainParts(bone.parent.name, second, found[0].pole_angle if poled else 0.0)


def _roll(above: list[bpy.types.PoseBone]) -> tuple[str, str, str]:
    """Heel control, the bone that turns about the ball, and its parent, which stays flat while the heel is up."""
    for bone in above:
        for constraint in bone.constraints:
            if constraint.type == "COPY_ROTATION":
                return constraint.subtarget, bone.name, bone.parent.name
    return "", "", ""


def _mechanism_above(bones: bpy.types.bpy_prop_collection, control: str) -> str:
    parent = bones[control].parent
    return parent.name if parent is not None and parent.name.startswith("MCH-") else ""


def _toe(bones: bpy.types.bpy_prop_collection, limb: LimbParts) -> str:
    """The IK control of a fourth segment: the bone that it copies, or that bone's parent."""
    if len(limb.segments) < 4:
        return ""
    bone = bones[limb.segments[3].ik]
    return bone.parent.name if bone.name.startswith("MCH-") and bone.parent is not None else bone.name


def _paw_heel(
    bones: bpy.types.bpy_prop_collection, target: bpy.types.PoseBone
) -> tuple[str, tuple[str, ...], ChainParts | None, ChainParts | None, str]:
    """Heel control and what carries it: inner chains of a rear paw, a tracking bone of a front paw, or neither."""
    heel = target.parent
    if heel is None or heel.parent is None:
        return "", (), None, None, ""
    carrier = heel.parent
    lower = _chain(bones, carrier.name, poled=False)
    if lower is not None:
        inner = _inner(bones[lower.first].parent)
        return (heel.name, (), inner, lower, "") if inner is not None else ("", (), None, None, "")
    for bone in (carrier, carrier.parent):
        track = next((c for c in bone.constraints if c.type == "DAMPED_TRACK"), None) if bone is not None else None
        if track is not None:
            inner = _chain(bones, track.subtarget, poled=True)
            return (heel.name, (), inner, None, bone.name) if inner is not None else ("", (), None, None, "")
    return heel.name, (), None, None, ""


def _inner(first: bpy.types.PoseBone | None) -> ChainParts | None:
    for child in first.children if first is not None else ():
        poled = [c for c in child.constraints if c.type == "IK" and c.pole_subtarget]
        if poled:
            return ChainParts(first.name, child.name, poled[0].pole_angle)
    return None
