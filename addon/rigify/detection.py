"""What a generated Rigify rig is made of, read from its structure: limbs, torso, neck and head, tails, switches.

Nothing is guessed from the animal's name. A limb segment is an ORG bone whose second Copy Transforms is driven by
a custom property; spine, neck and tail start at the ORG bone that kept its Rigify type. Names and numbers only:
the result outlives undo and frame changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import bpy

LimbKind = Literal["LEG", "ARM", "REAR_PAW", "FRONT_PAW", "PAW"]

LIMB_KINDS: dict[str, LimbKind] = {
    "limbs.leg": "LEG",
    "limbs.arm": "ARM",
    "limbs.rear_paw": "REAR_PAW",
    "limbs.front_paw": "FRONT_PAW",
    "limbs.paw": "PAW",
}


@dataclass(frozen=True, slots=True)
class Segment:
    """One bone of a limb: the ORG bone that shows it, its FK control and the bone it copies in IK."""

    org: str
    fk: str
    ik: str


@dataclass(frozen=True, slots=True)
class LimbParts:
    """A limb from the body outward. `switches` is the bone that owns its custom properties.

    `end` is the last ORG bone where it has one control for FK and IK (the toes of a paw, a hoof), else "".
    `shoulder` is the ORG bone with a control of its own that the limb hangs on, or "".
    """

    kind: LimbKind
    side: Literal["L", "R", "M"]
    segments: tuple[Segment, ...]
    end: str
    end_control: str
    shoulder: str
    shoulder_control: str
    switches: str

    @property
    def roles(self) -> tuple[str, ...]:
        """The ORG bones of the limb, body first, the end last."""
        return (*(segment.org for segment in self.segments), *((self.end,) if self.end else ()))


@dataclass(frozen=True, slots=True)
class RigParts:
    """A generated rig's parts. `spine` holds (DEF segment, FK control) from the pelvis to the chest."""

    root: str
    torso: str
    spine: tuple[tuple[str, str], ...]
    neck: str
    neck_control: str
    head: str
    head_control: str
    tails: tuple[tuple[str, ...], ...]
    limbs: tuple[LimbParts, ...]


def is_generated(armature_object: bpy.types.Object) -> bool:
    """True for a rig that Rigify generated (a metarig has neither the id nor ORG bones)."""
    armature = armature_object.data
    return armature.get("rig_id") is not None and any(bone.name.startswith("ORG-") for bone in armature.bones)


def rigify_type(bone: bpy.types.PoseBone) -> str:
    """The sub-rig type that an ORG bone kept, with Rigify enabled or not, in every Blender since 4.5."""
    kind = getattr(bone, "rigify_type", None)
    if kind is None:
        kind = bone.get("rigify_type")
    if kind is None and hasattr(bone, "bl_system_properties_get"):
        system = bone.bl_system_properties_get()
        kind = system.get("rigify_type") if system else None
    return kind or ""


def influence_drivers(armature_object: bpy.types.Object) -> dict[str, str]:
    """The bone whose custom property drives each constraint influence: driven data path to the property's path."""
    animation = armature_object.animation_data
    found: dict[str, str] = {}
    for curve in animation.drivers if animation else ():
        if not curve.data_path.endswith(".influence"):
            continue
        for variable in curve.driver.variables:
            for target in variable.targets:
                if target.data_path.startswith("pose.bones["):
                    found.setdefault(curve.data_path, target.data_path)
    return found


def quoted_bone(data_path: str) -> str:
    """The bone name in `pose.bones["..."]...`, unescaped."""
    start = data_path.index('["') + 2
    end = start
    while data_path[end] != '"':
        end += 2 if data_path[end] == "\\" else 1
    return bpy.utils.unescape_identifier(data_path[start:end])


def constraint_path(bone: str, constraint: str) -> str:
    """The data path of a bone constraint's influence."""
    escape = bpy.utils.escape_identifier
    return f'pose.bones["{escape(bone)}"].constraints["{escape(constraint)}"].influence'


def copies(bone: bpy.types.PoseBone) -> list[bpy.types.Constraint]:
    """The bone's Copy Transforms constraints, first to last."""
    return [c for c in bone.constraints if c.type == "COPY_TRANSFORMS"]


def find_parts(armature_object: bpy.types.Object) -> RigParts | None:
    """The parts of a generated rig; None where the object is no generated rig or has no spine with FK controls."""
    if not is_generated(armature_object):
        return None
    bones = armature_object.pose.bones
    drivers = influence_drivers(armature_object)
    typed = {bone.name: kind for bone in bones if bone.name.startswith("ORG-") and (kind := rigify_type(bone))}
    spine = _spine(bones, typed)
    torso = next((bone.name for bone in bones if _is_torso(bone)), "")
    if not spine or not torso:
        return None
    neck, neck_control, head, head_control = _neck_and_head(bones, typed, {control for _, control in spine})
    return RigParts(
        root="root" if "root" in bones else "",
        torso=torso,
        spine=spine,
        neck=neck,
        neck_control=neck_control,
        head=head,
        head_control=head_control,
        tails=_tails(bones, typed),
        limbs=_limbs(bones, typed, drivers),
    )


def _is_torso(bone: bpy.types.PoseBone) -> bool:
    """The torso control owns its parent switch; older rigs know it by both follow switches."""
    return bone.get("torso_parent") is not None or (
        bone.get("neck_follow") is not None and bone.get("head_follow") is not None
    )


def _spine(bones: bpy.types.bpy_prop_collection, typed: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The connected DEF chain that starts at the basic_spine bone, as far as segments have an FK control."""
    start = next((name for name, kind in typed.items() if kind == "spines.basic_spine"), "")
    bone = bones.get("DEF-" + start.removeprefix("ORG-")) if start else None
    chain: list[tuple[str, str]] = []
    while bone is not None:
        control = fk_name(bone.name.removeprefix("DEF-"))
        if control not in bones:
            break
        chain.append((bone.name, control))
        bone = next((child for child in bone.children if child.bone.use_connect), None)
    return tuple(chain)


def fk_name(name: str) -> str:
    """Rigify's name of a segment's FK control: the suffix goes before `.001` and `.L`."""
    base, dot, tail = name.partition(".")
    return f"{base}_fk{dot}{tail}"


def _neck_and_head(
    bones: bpy.types.bpy_prop_collection, typed: Mapping[str, str], spine_controls: set[str]
) -> tuple[str, str, str, str]:
    start = next((name for name, kind in typed.items() if kind == "spines.super_head"), "")
    if not start:
        return "", "", "", ""
    bone = bones[start]
    while child := next((c for c in bone.children if c.bone.use_connect and c.name.startswith("ORG-")), None):
        bone = child
    copied = copies(bone)
    if not copied:
        return "", "", "", ""
    head_control = copied[0].subtarget
    above = bones[head_control].parent
    while above is not None and above.name.startswith("MCH-"):
        above = above.parent
    if above is None or above.name in spine_controls or bone.name == start:
        return "", "", bone.name, head_control
    return start, above.name, bone.name, head_control


def _tails(bones: bpy.types.bpy_prop_collection, typed: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """Each tail's controls, root first. They stand for the tail themselves: the ORG chain may run tip to root."""
    tails = []
    for name, kind in typed.items():
        if kind != "spines.basic_tail":
            continue
        bone = bones.get(name.removeprefix("ORG-"))
        chain: list[str] = []
        while bone is not None:
            chain.append(bone.name)
            bone = next((child for child in bone.children if _copies_rotation_of(child, bone.name)), None)
        if chain:
            tails.append(tuple(chain))
    return tuple(tails)


def _copies_rotation_of(bone: bpy.types.PoseBone, source: str) -> bool:
    return any(c.type == "COPY_ROTATION" and c.subtarget == source for c in bone.constraints)


def _limbs(
    bones: bpy.types.bpy_prop_collection, typed: Mapping[str, str], drivers: Mapping[str, str]
) -> tuple[LimbParts, ...]:
    limbs = []
    for name, type_name in typed.items():
        kind = LIMB_KINDS.get(type_name)
        if kind is None:
            continue
        segments: list[Segment] = []
        switches = ""
        bone: bpy.types.PoseBone | None = bones[name]
        while bone is not None and (found := _segment(bone, drivers)) is not None:
            segments.append(found[0])
            switches = found[1]
            last = bone
            bone = next((c for c in bone.children if c.name.startswith("ORG-") and _segment(c, drivers)), None)
        if len(segments) < 3:
            continue
        end, end_control = _end(last, drivers, bones)
        shoulder, shoulder_control = _shoulder(bones[name])
        limbs.append(
            LimbParts(kind, _side(bones[name]), tuple(segments), end, end_control, shoulder, shoulder_control, switches)
        )
    return tuple(limbs)


def _segment(bone: bpy.types.PoseBone, drivers: Mapping[str, str]) -> tuple[Segment, str] | None:
    copied = copies(bone)
    if len(copied) < 2:
        return None
    path = drivers.get(constraint_path(bone.name, copied[1].name))
    if path is None:
        return None
    return Segment(bone.name, copied[0].subtarget, copied[1].subtarget), quoted_bone(path)


def _end(
    last: bpy.types.PoseBone, drivers: Mapping[str, str], bones: bpy.types.bpy_prop_collection
) -> tuple[str, str]:
    """The ORG child with one control whose parent is switched between FK and IK: the toes of a paw, a hoof."""
    for child in last.children:
        copied = copies(child)
        if not child.name.startswith("ORG-") or len(copied) != 1 or len(child.constraints) != 1:
            continue
        carrier = bones[copied[0].subtarget].parent
        if carrier and any(constraint_path(carrier.name, c.name) in drivers for c in copies(carrier)):
            return child.name, copied[0].subtarget
    return "", ""


def _shoulder(first: bpy.types.PoseBone) -> tuple[str, str]:
    parent = first.parent
    if parent is None or not parent.name.startswith("ORG-"):
        return "", ""
    copied = copies(parent)
    if len(copied) != 1 or len(parent.constraints) != 1:
        return "", ""
    return parent.name, copied[0].subtarget


def _side(bone: bpy.types.PoseBone) -> Literal["L", "R", "M"]:
    if bone.name.endswith(".L"):
        return "L"
    if bone.name.endswith(".R"):
        return "R"
    x = bone.bone.head_local.x
    return "M" if abs(x) < 0.01 * bone.bone.length else ("L" if x > 0.0 else "R")
