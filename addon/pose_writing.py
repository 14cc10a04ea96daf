"""A computed pose becomes channel values of a plain skeleton: each driven bone's own channels, and the travel."""

from __future__ import annotations

from math import copysign

import bpy
import numpy as np
from mathutils import Quaternion

from ..core.rig.pose import Numbers, PoseFrame
from ..core.rig.rig import Problem, Rig
from .carry_over import animated_paths
from .channel_writer import Driven, Reading, Writer
from .pose_channels import REST, Slot, location_slot, rotation_slot, scale_slot
from .rigify import RigifyWriter, is_generated, role_skeleton
from .travel_writing import BoneTravel, TravelName

NO_SPINE_CONTROLS = Problem(
    "",
    "This is a generated Rigify rig whose spine has no FK controls, so that its body cannot be placed.",
    "Switch on FK Controls in the spine's Rigify options on the metarig and generate again.",
    blocking=True,
)


class PlainWriter(Writer):
    """Local channels of a plain skeleton: rotations and locations as they are, in each bone's own mode."""

    def __init__(self, armature_object: bpy.types.Object, reading: Reading, driven: Driven, travel: TravelName) -> None:
        rig = reading.rig
        self._carried = _travellers(rig, driven) if travel == "ROOT_BONE" else ()
        rotated = sorted({*driven[0], *self._carried})
        located = sorted({*driven[1], *self._carried})
        names = [bone.name for bone in rig.skeleton.bones]
        bones = armature_object.pose.bones
        slots = [rotation_slot(bones[names[i]], names[i]) for i in rotated]
        slots += [location_slot(bones[names[i]], names[i]) for i in located]
        slots += _settling_slots(armature_object, [names[i] for i in rotated], {names[i] for i in located})
        super().__init__(armature_object, reading, slots, travel)
        self.problems.extend(_location_problems(bones, [names[i] for i in located]))
        self.problems.extend(_constraint_problems(bones, [names[i] for i in rotated]))
        self._carriers = [
            (bone, BoneTravel(rig.skeleton.bones[bone].rest, self._canonical, reading.metres)) for bone in self._carried
        ]
        self._prepare(rig, bones, reading.scale)

    def _prepare(self, rig: Rig, bones: bpy.types.bpy_prop_collection, scale: float) -> None:
        """Which bone's numbers go where in a full row; for locations also the turn to the axes of the channel."""
        index = rig.skeleton.index
        self._turned: list[tuple[int, int]] = []
        self._located: list[tuple[int, int, list[list[float]]]] = []
        self._others: list[tuple[int, int]] = []
        for slot, (item, start) in enumerate(zip(self._layout.slots, self._layout.starts, strict=True)):
            if not item.bone:
                continue
            bone = index[item.bone]
            if item.name == "rotation_quaternion":
                self._turned.append((bone, start))
            elif item.name == "location":
                axes = location_axes(rig, bone, bones[item.bone], self._canonical) / scale
                self._located.append((bone, start, axes.tolist()))
            elif item.name != "scale":
                self._others.append((slot, bone))

    def row(self, pose: PoseFrame, previous: np.ndarray | None, frame: np.ndarray | None = None) -> np.ndarray:
        """The channel values of a pose (see `Writer.row`).

        Plain floats: numpy takes longer for as few numbers as these, twice as long after Blender has evaluated a frame.
        """
        full = self._layout.rest_row()
        before = None if previous is None else self._layout.full(previous)
        rotations, locations = pose.numbers()
        for bone, travel in self._carriers:
            against = self._frame if frame is None else frame
            rotations[bone], locations[bone] = travel.moved(rotations[bone], locations[bone], pose.ground, against)
        self._turn_on(full, before, rotations)
        for bone, start, axes in self._located:
            x, y, z = locations[bone]
            full[start : start + 3] = [a * x + b * y + c * z for a, b, c in axes]
        for slot, bone in self._others:
            self._put_rotation(full, before, slot, Quaternion(rotations[bone]))
        if self.travel == "OBJECT":
            self._put_object(full, before, pose.ground, self._frame if frame is None else frame)
        return self._layout.kept(full)

    def _turn_on(self, full: list[float], before: list[float] | None, rotations: list[Numbers]) -> None:
        """All quaternions into the full row, each on the side of the one before."""
        for bone, start in self._turned:
            w, x, y, z = turn = rotations[bone]
            facing, end = w, start + 4
            if before is not None:
                a, b, c, d = before[start:end]
                facing = w * a + x * b + y * c + z * d
            if facing > 0.0 or copysign(1.0, facing) > 0.0:
                full[start:end] = turn
            else:
                full[start:end] = -w, -x, -y, -z


def make_writer(
    armature_object: bpy.types.Object, reading: Reading, driven: Driven, travel: TravelName = "OBJECT"
) -> Writer:
    """The writer that fits the rig. `driven`: (rotated, located) bone indices of the reading's skeleton.

    A generated Rigify rig that was read as its role skeleton gets its controls, all others their own bones' channels.
    """
    if travel == "ROOT_BONE" and reading.rig.root < 0:
        raise ValueError("This rig has no root bone to carry the travel; choose Object or In Place.")
    if is_control_rig(armature_object, reading):
        return RigifyWriter(armature_object, reading, driven, travel)
    writer = PlainWriter(armature_object, reading, driven, travel)
    if is_generated(armature_object) and role_skeleton(armature_object) is None:
        writer.problems.append(NO_SPINE_CONTROLS)
    return writer


def is_control_rig(armature_object: bpy.types.Object, reading: Reading) -> bool:
    """Whether this is a generated Rigify rig that was read as its role skeleton."""
    roles = role_skeleton(armature_object)
    return roles is not None and reading.rig.skeleton.index.keys() <= {bone.name for bone in roles.bones}


def _travellers(rig: Rig, driven: Driven) -> tuple[int, ...]:
    """The root bone, and bones with no parent whose driven parts the root does not carry."""
    skeleton = rig.skeleton
    tops = {(i, *skeleton.ancestors(i))[-1] for i in {*driven[0], *driven[1]}}
    under_root = {rig.root, *skeleton.ancestors(rig.root)}
    return (rig.root, *sorted(tops - under_root))


def _settling_slots(obj: bpy.types.Object, driven: list[str], located: set[str]) -> list[Slot]:
    """Location and scale of driven bones that something else has moved or may move: they are held at rest.

    A clip of another program keys all channels of all bones; under our rotations its locations would pull legs apart.
    """
    moved = {path for path, _ in animated_paths(obj)}
    slots = []
    for name in driven:
        bone = obj.pose.bones[name]
        candidates = [] if name in located else [(location_slot(bone, name), bone.location)]
        candidates.append((scale_slot(bone, name), bone.scale))
        for slot, value in candidates:
            if slot.data_path in moved or tuple(value) != REST[slot.name]:
                slots.append(slot)
    return slots


def location_axes(rig: Rig, bone: int, pose_bone: bpy.types.PoseBone, canonical: np.ndarray) -> np.ndarray:
    """The turn (3, 3) from the bone's own axes to those that its location channel is in."""
    if pose_bone.bone.use_local_location:
        return np.identity(3)
    rest = np.array(rig.skeleton.rest_local[bone], dtype=np.float64)[:3, :3]
    if rig.skeleton.bones[bone].parent >= 0:
        return rest
    axes = canonical[:3, :3]
    return (axes / np.linalg.norm(axes, axis=0)).T @ rest


def _location_problems(bones: bpy.types.bpy_prop_collection, located: list[str]) -> list[Problem]:
    return [
        Problem(
            name,
            "The bone is connected to its parent, so Blender ignores its location, which has to be written.",
            "Switch off Connected for it in Edit Mode.",
            blocking=True,
        )
        for name in located
        if bones[name].bone.use_connect and bones[name].parent is not None
    ]


def _constraint_problems(bones: bpy.types.bpy_prop_collection, rotated: list[str]) -> list[Problem]:
    found = []
    for name in rotated:
        active = [c.name for c in bones[name].constraints if not c.mute and c.influence > 0.0]
        if active:
            reason = f"The constraint {active[0]!r} changes what is written on this bone."
            found.append(Problem(name, reason, "Mute it while Surefoot moves the rig, or expect the difference."))
    return found
