"""FK controls as a parent table: with the rig's switches in FK, a control rig is a plain skeleton of its controls.

A control's model matrix is its role bone's times a constant; its channels follow from its carrier, the driven control
that moves it rigidly. No Blender data is asked for a pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy
from mathutils import Matrix, Quaternion, Vector

from ...core.rig.skeleton import Skeleton
from .detection import RigParts
from .role_skeleton import carrier_of


@dataclass(frozen=True, slots=True)
class Control:
    """One control. offset: rest of the role bone to rest of the control. seat: from the carrier's matrix to where
    the control is at rest under it, inverted. `carrier` is "" for what nothing carries.
    """

    name: str
    role: int
    offset: Matrix
    carrier: str
    seat: Matrix


@dataclass(frozen=True, slots=True)
class CopiedTurn:
    """A tail control turns with the one before it as well; `axes` says about which of its own axes."""

    name: str
    source: str
    axes: tuple[bool, bool, bool]

    def own(self, wanted: Quaternion, source: Quaternion) -> Quaternion:
        """The control's own turn, so that with the copied one it is as wanted (all local to rest)."""
        copied = source.to_euler("XYZ")
        for axis, used in enumerate(self.axes):
            if not used:
                copied[axis] = 0.0
        return copied.to_quaternion().inverted() @ wanted


class ControlTable:
    """The FK controls of torso, neck, head, tail, shoulders and arms, and how to place them."""

    def __init__(
        self,
        bones: bpy.types.bpy_prop_collection,
        parts: RigParts,
        roles: dict[str, int],
        rests: dict[str, Matrix],
        skeleton: Skeleton,
        switched: dict[str, str],
    ) -> None:
        """roles: each FK control's role bone in the skeleton. rests: every bone's rest matrix, model space. switched:
        the carriers of controls whose parent a switch chooses.
        """
        self.root = parts.root
        self._root_rest = rests[parts.root] if parts.root else Matrix()
        names = {parts.torso, *roles, *([parts.root] if parts.root else [])}
        itself = {name: name for name in names}

        def control(name: str, role: int) -> Control:
            carrier = switched.get(name) or carrier_of(bones, name, itself)
            under = rests[carrier].inverted() @ rests[name] if carrier else rests[name]
            offset = skeleton.bones[role].rest.inverted() @ rests[name]
            return Control(name, role, offset, carrier, under.inverted())

        self.controls = tuple(control(name, role) for name, role in roles.items())
        ends = (roles[parts.spine[0][1]], roles[parts.spine[-1][1]])
        self.torso = control(parts.torso, ends[0])
        self._below = next(item.name for item in self.controls if item.carrier == parts.torso)
        self._torso_rest = rests[parts.torso].to_quaternion()
        self._to_joint: Vector = rests[parts.torso].inverted() @ rests[self._below].to_translation()
        self._ends = tuple((end, skeleton.bones[end].rest.to_quaternion().inverted()) for end in ends)
        self.copied = _copied_turns(bones, parts)

    def place(self, models: list[Matrix]) -> dict[str, Matrix]:
        """Model matrices of root, torso and all FK controls for the role bones' model matrices."""
        placed = {control.name: models[control.role] @ control.offset for control in self.controls}
        if self.root:
            placed[self.root] = self._root_rest
        placed[self.torso.name] = self._torso(models, placed[self._below].to_translation())
        return placed

    def _torso(self, models: list[Matrix], joint: Vector) -> Matrix:
        """Half-way between pelvis and chest, where it has the joint at the pivot in its place."""
        pelvis, chest = (models[end].to_quaternion() @ rest for end, rest in self._ends)
        turn = pelvis.slerp(chest, 0.5) @ self._torso_rest
        matrix = turn.to_matrix().to_4x4()
        matrix.translation = joint - turn @ self._to_joint
        return matrix

    def basis(self, control: Control, placed: dict[str, Matrix]) -> Matrix:
        """The control's matrix relative to rest under its carrier."""
        matrix = placed[control.name]
        if control.carrier:
            return control.seat @ placed[control.carrier].inverted() @ matrix
        return control.seat @ matrix


def _copied_turns(bones: bpy.types.bpy_prop_collection, parts: RigParts) -> dict[str, CopiedTurn]:
    found = {}
    for tail in parts.tails:
        for source, name in zip(tail, tail[1:], strict=False):
            constraint = next(c for c in bones[name].constraints if c.type == "COPY_ROTATION" and c.subtarget == source)
            if constraint.influence > 0.0 and not constraint.mute:
                found[name] = CopiedTurn(name, source, (constraint.use_x, constraint.use_y, constraint.use_z))
    return found
