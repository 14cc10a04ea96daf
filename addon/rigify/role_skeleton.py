"""A generated Rigify rig as a plain skeleton: the bones that show each role, under the bones that really carry them.

The parenthood of ORG and DEF bones is not their kinematics (a wolf's thigh is a child of the second spine bone and
rides the first): a role bone's parent here is its carrier, found by walking through mechanism bones and constraints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import bpy

from .detection import LimbKind, LimbParts, RigParts, copies, find_parts

RoleName = Literal["ROOT", "SPINE", "NECK", "HEAD", "TAIL", "SHOULDER", "LIMB"]


@dataclass(frozen=True, slots=True)
class RoleBone:
    """One bone of the plain skeleton. `control` is the bone that is written for it in FK; `carrier` is its parent."""

    name: str
    carrier: str
    role: RoleName
    control: str


@dataclass(frozen=True, slots=True)
class RoleLimb:
    """One limb's role bones, body first. `end` says that the last is the toes or hoof laid on the ground.

    LEG: thigh, shin, foot, toe. ARM: upper arm, forearm, hand. Paws: all segments, the toes last.
    """

    kind: LimbKind
    side: Literal["L", "R", "M"]
    shoulder: str
    bones: tuple[str, ...]
    end: bool


@dataclass(frozen=True, slots=True)
class RoleSkeleton:
    """The role bones, carriers before what they carry, and which is which. `spine` starts at the pelvis.

    `merged` maps a spine segment's FK control to the segment that it is one rigid body with: limbs that hang on the
    half-way mechanism at the torso's pivot would otherwise move apart from the body.
    """

    bones: tuple[RoleBone, ...]
    root: str
    spine: tuple[str, ...]
    neck: str
    head: str
    tails: tuple[tuple[str, ...], ...]
    limbs: tuple[RoleLimb, ...]
    merged: dict[str, str]

    @property
    def legs(self) -> tuple[RoleLimb, ...]:
        """The limbs that the rig stands on."""
        return tuple(limb for limb in self.limbs if limb.kind != "ARM")


def role_skeleton(armature_object: bpy.types.Object) -> RoleSkeleton | None:
    """The role skeleton of a generated rig; None where the object is no generated rig."""
    parts = find_parts(armature_object)
    return skeleton_of(armature_object, parts) if parts else None


def skeleton_of(armature_object: bpy.types.Object, parts: RigParts) -> RoleSkeleton:
    """The role skeleton of the parts found."""
    bones = armature_object.pose.bones
    merged = _merged(bones, parts)
    shown = _shown_by_control(parts, merged)
    found = [RoleBone(parts.root, "", "ROOT", parts.root)] if parts.root else []
    above = parts.root
    for segment, control in parts.spine:
        if control not in merged:
            found.append(RoleBone(segment, above, "SPINE", control))
            above = segment
    if parts.neck:
        carrier = carrier_of(bones, parts.neck_control, shown)
        found.append(RoleBone(parts.neck, carrier, "NECK", parts.neck_control))
    if parts.head:
        carrier = carrier_of(bones, parts.head_control, shown)
        found.append(RoleBone(parts.head, carrier, "HEAD", parts.head_control))
    for tail in parts.tails:
        found.extend(RoleBone(name, carrier_of(bones, name, shown), "TAIL", name) for name in tail)
    limbs = []
    for limb in parts.limbs:
        found.extend(_limb_bones(bones, limb, shown))
        limbs.append(RoleLimb(limb.kind, limb.side, limb.shoulder, limb.roles, bool(limb.end) or limb.kind == "LEG"))
    return RoleSkeleton(
        bones=tuple(found),
        root=parts.root,
        spine=tuple(bone.name for bone in found if bone.role == "SPINE"),
        neck=parts.neck,
        head=parts.head,
        tails=parts.tails,
        limbs=tuple(limbs),
        merged=merged,
    )


def _limb_bones(bones: bpy.types.bpy_prop_collection, limb: LimbParts, shown: dict[str, str]) -> list[RoleBone]:
    found = []
    if limb.shoulder:
        carrier = carrier_of(bones, limb.shoulder_control, shown)
        found.append(RoleBone(limb.shoulder, carrier, "SHOULDER", limb.shoulder_control))
    above = carrier_of(bones, limb.segments[0].fk, shown)
    for segment in limb.segments:
        found.append(RoleBone(segment.org, above, "LIMB", segment.fk))
        above = segment.org
    if limb.end:
        found.append(RoleBone(limb.end, above, "LIMB", limb.end_control))
    return found


def carrier_of(bones: bpy.types.bpy_prop_collection, control: str, shown: dict[str, str]) -> str:
    """The role bone that rigidly carries a control while everything in between is at rest; "" where there is none.

    Up through the parents; a bone that copies another's whole transform hands over to that one, and so does an
    Armature constraint with one weight; a half-way copy stays with its parent (see `RoleSkeleton.merged`).
    """
    bone = bones[control].parent
    while bone is not None:
        if bone.name in shown:
            return shown[bone.name]
        bone = _handed_over(bones, bone) or bone.parent
    return ""


def _handed_over(bones: bpy.types.bpy_prop_collection, bone: bpy.types.PoseBone) -> bpy.types.PoseBone | None:
    full = [c for c in copies(bone) if not c.mute and c.influence == 1.0 and c.owner_space == "WORLD"]
    if full:
        return bones.get(full[-1].subtarget)
    for constraint in bone.constraints:
        if constraint.type == "ARMATURE" and not constraint.mute:
            weighted = [target for target in constraint.targets if target.weight == 1.0]
            if len(weighted) == 1:
                return bones.get(weighted[0].subtarget)
    return None


def _shown_by_control(parts: RigParts, merged: dict[str, str]) -> dict[str, str]:
    """The role bone that shows what each control does."""
    shown = {control: merged.get(control, segment) for segment, control in parts.spine}
    shown.update({parts.root: parts.root} if parts.root else {})
    if parts.neck:
        shown[parts.neck_control] = parts.neck
    if parts.head:
        shown[parts.head_control] = parts.head
    for tail in parts.tails:
        shown.update({name: name for name in tail})
    for limb in parts.limbs:
        shown.update({segment.fk: segment.org for segment in limb.segments})
        shown.update({segment.org: segment.org for segment in limb.segments})
        if limb.shoulder:
            shown[limb.shoulder_control] = shown[limb.shoulder] = limb.shoulder
    return shown


def _merged(bones: bpy.types.bpy_prop_collection, parts: RigParts) -> dict[str, str]:
    """FK controls at the torso's pivot that must move as one with the segment below, since limbs hang half-way.

    The pivot mechanism is a child of one FK control and copies half of the control on the other side.
    """
    controls = {control: segment for segment, control in parts.spine}
    order = [control for _, control in parts.spine]
    merged: dict[str, str] = {}
    for limb in parts.limbs:
        bone = bones[limb.shoulder_control or limb.segments[0].fk].parent
        while bone is not None and bone.name not in controls:
            half = [c for c in copies(bone) if 0.0 < c.influence < 1.0 and c.subtarget in controls]
            if half and bone.parent is not None and bone.parent.name in controls:
                first, second = sorted((half[0].subtarget, bone.parent.name), key=order.index)
                merged[second] = merged.get(first, controls[first])
            bone = _handed_over(bones, bone) or bone.parent
    return merged
