"""A pose on the controls of a generated Rigify rig: legs by IK and all else by FK where nothing else is asked for,
switches set to match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

import bpy
import numpy as np
from mathutils import Matrix

from ...core.rig.pose import PoseFrame
from ...core.rig.rig import Problem
from ..channel_writer import Driven, Reading, Writer
from ..key_writing import Interpolation, write_keys
from ..pose_channels import Channel, SavedPose, location_slot, rotation_slot
from ..switches import Switch, are_set, captured, custom, set_switches, value_of
from ..travel_writing import TravelName
from .controls import ControlTable
from .detection import LimbKind, LimbParts, RigParts, find_parts
from .ik_parts import SwitchParents, ik_parts
from .limb_ik import ArmIk, LegIk, LimbAtRest, LimbIk, PawIk
from .rest import RoleModels, location_axes, rest_matrices
from .role_skeleton import skeleton_of
from .self_check import Tested, check_writer

LimbControls = Literal["AUTO", "FK", "IK"]
LEGS: frozenset[LimbKind] = frozenset({"LEG", "REAR_PAW", "FRONT_PAW", "PAW"})
IKS: dict[LimbKind, type[LegIk] | type[ArmIk]] = {"LEG": LegIk, "ARM": ArmIk}


class RigifyWriter(Writer):
    """Rows of control channels; see `Writer`. The skeleton of the reading is the rig's role skeleton."""

    def __init__(
        self,
        armature_object: bpy.types.Object,
        reading: Reading,
        driven: Driven,
        travel: TravelName,
        limbs: LimbControls = "AUTO",
    ) -> None:
        """limbs: which controls move arms and legs; AUTO is IK for legs and FK for arms."""
        parts = find_parts(armature_object)
        bones, skeleton = armature_object.pose.bones, reading.rig.skeleton
        self._rests = rest_matrices(armature_object, reading.canonical)
        self._skeleton, self._roles = skeleton, skeleton_of(armature_object, parts)
        self._models = RoleModels(skeleton)
        self._root = parts.root
        found: list[Problem] = []
        by_ik = {"AUTO": LEGS, "FK": frozenset(), "IK": frozenset({*LEGS, "ARM"})}[limbs]
        self._limbs, fk_limbs = self._find_limbs(armature_object, parts, skeleton.index, reading.scale, by_ik, found)
        roles = self._fk_roles(parts, fk_limbs, skeleton.index)
        ends = {limb.end_control: limb.segments[-1].fk for limb in fk_limbs if limb.end_control}
        self._table = ControlTable(bones, parts, roles, self._rests, skeleton, ends)
        self.switches = tuple(_switches(armature_object, parts, self._limbs, fk_limbs))
        located = self._located(travel)
        rotated = self._rotated(travel)
        slots = [rotation_slot(bones[name], name) for name in rotated]
        slots += [location_slot(bones[name], name) for name in located]
        super().__init__(armature_object, reading, slots, travel)
        self.problems.extend(found)
        canonical = reading.canonical
        self._axes = {
            name: location_axes(bones[name].bone, self._rests, canonical) * (1.0 / reading.scale) for name in located
        }
        own = list(zip(self._layout.slots, self._layout.starts, strict=True))
        self._turns = {slot.bone: i for i, (slot, _) in enumerate(own) if slot.name != "location"}
        self._places = {slot.bone: start for slot, start in own if slot.name == "location"}

    def _find_limbs(
        self,
        armature_object: bpy.types.Object,
        parts: RigParts,
        index: dict[str, int],
        scale: float,
        kinds: frozenset[LimbKind],
        problems: list[Problem],
    ) -> tuple[list[tuple[LimbParts, LimbIk]], list[LimbParts]]:
        """Limbs of these kinds with their IK, and the limbs that go by FK: also those whose IK was not understood."""
        bones = armature_object.pose.bones
        lengths = {bone.name: bone.length * scale for bone in armature_object.data.bones}
        parents = SwitchParents(armature_object)
        by_ik: list[tuple[LimbParts, LimbIk]] = []
        by_fk: list[LimbParts] = []
        for limb in parts.limbs:
            if any(name not in index for name in limb.roles):
                continue
            ik = ik_parts(bones, limb, parents) if limb.kind in kinds else None
            if ik is None:
                by_fk.append(limb)
                if limb.kind in kinds:
                    problems.append(_without_ik(limb))
                continue
            roles = [index[name] for name in limb.roles]
            at_rest = LimbAtRest(limb, ik, roles, self._root, self._rests, lengths)
            made = IKS[limb.kind](at_rest) if limb.kind in IKS else PawIk(at_rest, bones)
            by_ik.append((limb, made))
        return by_ik, by_fk

    def _fk_roles(self, parts: RigParts, fk_limbs: list[LimbParts], index: dict[str, int]) -> dict[str, int]:
        """Each FK control's role bone. Spine controls that go with the segment below share its role bone."""
        roles = {control: self._roles.merged.get(control, segment) for segment, control in parts.spine}
        roles.update({parts.neck_control: parts.neck, parts.head_control: parts.head})
        for tail in parts.tails:
            roles.update({name: name for name in tail})
        for limb in parts.limbs:
            roles.update({limb.shoulder_control: limb.shoulder})
        for limb in fk_limbs:
            roles.update({segment.fk: segment.org for segment in limb.segments})
            roles.update({limb.end_control: limb.end})
        return {control: index[role] for control, role in roles.items() if control and role in index}

    def _rotated(self, travel: TravelName) -> list[str]:
        names = [self._root] if travel == "ROOT_BONE" else []
        names += [self._table.torso.name, *(control.name for control in self._table.controls)]
        for _, limb in self._limbs:
            parts = limb.parts
            names += [name for name in (parts.main, *parts.between, parts.heel, parts.toe) if name]
        return names

    def _located(self, travel: TravelName) -> list[str]:
        names = [self._root] if travel == "ROOT_BONE" else []
        names.append(self._table.torso.name)
        for _, limb in self._limbs:
            names += [limb.parts.main, limb.parts.pole]
        return names

    @property
    def shown_by(self) -> dict[str, int]:
        """The role bone that each FK control moves."""
        return {control.name: control.role for control in self._table.controls}

    def from_role(self, name: str) -> Matrix:
        """The constant from a role bone's rest to that of its FK control."""
        return next(control.offset for control in self._table.controls if control.name == name)

    def idle(self, driven: Collection[int]) -> frozenset[str]:
        """Controls that show none of these bones of the skeleton, and nothing else that they carry along."""
        wanted = set(driven)
        roles = {control.name: {control.role} for control in self._table.controls}
        for _, limb in self._limbs:
            parts = limb.parts
            roles.update({name: set(limb.roles) for name in (parts.main, parts.pole, parts.heel, *parts.between)})
            roles.update({parts.toe: set(limb.roles)})
        return frozenset(name for name, own in roles.items() if name and not own & wanted)

    @property
    def owned(self) -> frozenset[tuple[str, int]]:
        """(data path, index) of all that this writer sets, switches included."""
        return super().owned | {(switch.data_path, 0) for switch in self.switches}

    def row(self, pose: PoseFrame, previous: np.ndarray | None, frame: np.ndarray | None = None) -> np.ndarray:
        """The control channels of a pose (see `Writer.row`)."""
        full = self._layout.rest_row()
        before = None if previous is None else self._layout.full(previous)
        models = self._models(*pose.numbers())
        for name, basis in self._bases(models).items():
            self._put(full, before, name, basis)
        if self.travel == "ROOT_BONE":
            shift = self._root_travel.shift(pose.ground, self._frame if frame is None else frame)
            rest = self._rests[self._root]
            self._put(full, before, self._root, rest.inverted() @ Matrix(shift.tolist()) @ rest)
        elif self.travel == "OBJECT":
            self._put_object(full, before, pose.ground, self._frame if frame is None else frame)
        return self._layout.kept(full)

    def folds(self, poses: Iterable[PoseFrame]) -> np.ndarray:
        """How far each limb on IK folds beside its hinge in each pose, and how much that says, (F, limbs, 2)."""
        rows = [[limb.fold_of(models) for _, limb in self._limbs] for models in self._all_models(poses)]
        return np.array(rows).reshape(len(rows), -1, 2)

    def lead_folds(self, turns: Iterable[float | None]) -> None:
        """Fold the limbs on IK beside their hinges by so much in the rows to come; None: as each pose says."""
        for (_, limb), turn in zip(self._limbs, turns, strict=True):
            limb.fold = turn

    def _all_models(self, poses: Iterable[PoseFrame]) -> Iterator[list[Matrix]]:
        for pose in poses:
            yield self._models(*pose.numbers())

    def _bases(self, models: list[Matrix]) -> dict[str, Matrix]:
        """Each control's matrix relative to rest under its parent."""
        table = self._table
        placed = table.place(models)
        bases = {control.name: table.basis(control, placed) for control in (table.torso, *table.controls)}
        tail = {name for turn in table.copied.values() for name in (turn.name, turn.source)}
        wanted = {name: bases[name].to_quaternion() for name in tail}
        for name, turn in table.copied.items():
            bases[name] = turn.own(wanted[name], wanted[turn.source]).to_matrix().to_4x4()
        root = placed[self._root] if self._root else Matrix()
        for _, limb in self._limbs:
            bases.update(limb.solve(models, root))
        return bases

    def _put(self, full: list[float], before: list[float] | None, name: str, basis: Matrix) -> None:
        """One control's matrix into its slots."""
        slot = self._turns.get(name)
        if slot is not None:
            self._put_rotation(full, before, slot, basis.to_quaternion())
        start = self._places.get(name)
        if start is not None:
            full[start : start + 3] = self._axes[name] @ basis.to_translation()

    def apply(self, armature_object: bpy.types.Object, row: np.ndarray) -> None:
        """Show a row: bulk writes, switches where they differ, and one tag."""
        set_switches(armature_object, self.switches)
        super().apply(armature_object, row)

    def shown(self, evaluated_object: bpy.types.Object, row: np.ndarray) -> bool:
        """True where the evaluated object holds exactly this row, and the switches that it needs."""
        return super().shown(evaluated_object, row) and are_set(evaluated_object, self.switches)

    def capture(self, armature_object: bpy.types.Object) -> SavedPose:
        """What channels and switches hold now."""
        saved = super().capture(armature_object)
        switches = tuple(tuple(item) for item in captured(armature_object, self.switches))
        return SavedPose(saved.slots, saved.values, switches)

    def check(self, armature_object: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> list[Problem]:
        """What does not follow its control: three fixed poses are shown and evaluated; all is put back after."""
        tested = Tested(self._skeleton, self._roles, Matrix(self._canonical.tolist()), self._metres)
        return check_writer(armature_object, depsgraph, tested, self)

    def write_keys(
        self,
        channelbag: bpy.types.ActionChannelbag,
        frames: np.ndarray,
        rows: np.ndarray,
        interpolation: Interpolation = "LINEAR",
    ) -> None:
        """Key rows at frames, and every switch once, constant, at the first."""
        super().write_keys(channelbag, frames, rows, interpolation)
        channels = [Channel(switch.data_path, 0, switch.bone) for switch in self.switches]
        values = np.array([[float(switch.value) for switch in self.switches]])
        write_keys(channelbag, channels, frames[:1], values, "CONSTANT")


def _switches(
    armature_object: bpy.types.Object,
    parts: RigParts,
    by_ik: list[tuple[LimbParts, LimbIk]],
    by_fk: list[LimbParts],
) -> list[Switch]:
    """The switch values under which the controls act as worked out here; only those that the rig has."""
    bones = armature_object.pose.bones
    parents = SwitchParents(armature_object)
    wanted = [custom(bone.name, key, 1.0) for bone in bones for key in FOLLOW if bone.get(key) is not None]
    wanted.append(custom(parts.torso, "torso_parent", parents.number_of(parts.torso, "torso_parent", parts.root) or 0))
    for limb in by_fk:
        wanted += [custom(limb.switches, "IK_FK", 1.0), custom(limb.switches, "FK_limb_follow", 0.0)]
    for limb, ik in by_ik:
        wanted += [custom(limb.switches, "IK_FK", 0.0), custom(limb.switches, "pole_vector", True)]
        for key in ("IK_parent", "pole_parent"):
            wanted.append(custom(limb.switches, key, parents.number_of(limb.switches, key, parts.root) or 0))
        wanted += [Switch(name, "ik_stretch", 0.0) for name in ik.parts.stretching]
        if ik.parts.lower is not None:
            wanted.append(Switch(ik.parts.lower.second, "lock_ik_y", True))
    return [item for item in wanted if not item.path.startswith("[") or value_of(armature_object, item) is not None]


FOLLOW = ("neck_follow", "head_follow", "tail_follow")


def _without_ik(limb: LimbParts) -> Problem:
    return Problem(
        limb.segments[0].org,
        "The IK controls of this limb were not understood, so it is moved by its FK controls.",
        "Generate the rig anew with Rigify, or key the limb by FK.",
    )
