"""What moved a rig before an Action is written for it: what of that is kept, and what it holds other bones at."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from bpy.types import Action, Bone, FCurve, Object, PoseBone

from .action_curves import channel_of, curve_values, turn_name, turns
from .bake_record import read_record
from .carry_over import animated_paths, bone_of
from .pose_channels import REST
from .saved_state import curves_of

WRITTEN_KEY = "surefoot_written"
TURNS = ("rotation_quaternion", "rotation_euler", "rotation_axis_angle")


@dataclass(frozen=True)
class Former:
    """The Action and slot whose curves are kept where nothing else is written; both None where none are.

    animated: (bone, property) of what has moved bones ("": the object) or goes on doing so from the NLA. ours: data
    paths that an earlier clip or bake of ours wrote, which go with it.
    """

    action: Action | None
    slot: Any
    animated: frozenset[tuple[str, str]]
    ours: frozenset[str] = field(default=frozenset())

    def curves(self) -> list[FCurve]:
        """All its curves."""
        return curves_of(self.action, self.slot)

    def is_replaced(self, curve: FCurve, owned: Collection[str], bones: Collection[str]) -> bool:
        """Whether a curve gives way: it moves a written bone or the object, or was ours."""
        bone, name = channel_of(curve)
        moves = name in REST and (bone in bones if bone else name != "scale")
        return moves or curve.data_path in owned or curve.data_path in self.ours

    def own_turns(self, obj: Object, names: Collection[str], times: np.ndarray, scale: float) -> dict[str, np.ndarray]:
        """How bones that are not written are turned and placed from rest, (F, 4, 4), in their own axes and metres.

        Their curves that are kept say so, else how they are posed; what was ours goes back to rest.
        """
        curves = [] if not names else [curve for curve in self.curves() if channel_of(curve)[0] in names]
        values = curve_values([curve for curve in curves if curve.data_path not in self.ours], times)
        left = self.left(())
        return {
            name: np.tile(np.identity(4), (len(times), 1, 1))
            if name in left
            else _own_turn(obj.pose.bones[name], values, len(times), scale)
            for name in names
        }

    def left(self, bones: Collection[str]) -> frozenset[str]:
        """The bones that were ours and are none of these: nobody moves them any more."""
        return frozenset(bone for bone in map(bone_of, self.ours) if bone and bone not in bones)


def _own_turn(
    bone: PoseBone, values: dict[tuple[str, str], np.ndarray], count: int, scale: float
) -> np.ndarray:
    place, turn, _ = bone.matrix_basis.decompose()
    matrix = np.tile(np.identity(4), (count, 1, 1))
    matrix[:, :3, :3] = np.array(turn.to_matrix(), dtype=np.float64)
    rotation = values.get((bone.name, turn_name(bone.rotation_mode)))
    if rotation is not None:
        matrix[:, :3, :3] = turns(rotation, bone.rotation_mode)
    if not (bone.bone.use_connect and bone.parent is not None):
        channel = values.get((bone.name, "location"), np.array(place, dtype=np.float64))
        matrix[:, :3, 3] = channel @ _location_axes(bone.bone) * scale
    return matrix


def _location_axes(bone: Bone) -> np.ndarray:
    """The turn (3, 3) from a bone's own axes to those that its location counts in."""
    if bone.use_local_location:
        return np.identity(3)
    rest = bone.matrix_local if bone.parent is None else bone.parent.matrix_local.inverted() @ bone.matrix_local
    return np.array(rest.to_3x3(), dtype=np.float64)


def former_of(obj: Object, keep: Action | Literal["PRESENT"] | None, identifier: str) -> Former:
    """What is kept: an Action and its slot of this identifier, or the one in use on the rig."""
    animation = obj.animation_data
    action = slot = None
    if keep == "PRESENT":
        settings = obj.surefoot
        if animation is not None and animation.action is not None:
            action, slot = animation.action, animation.action_slot
        elif settings.action_before is not None:
            action, identifier = settings.action_before, settings.slot_before
    else:
        action = keep
        used = animation is not None and animation.action == action and action is not None
        slot = animation.action_slot if used and not identifier else None
    if slot is None and action is not None:
        slots = list(action.slots)
        slot = next((item for item in slots if item.identifier == identifier), slots[0] if slots else None)
    if slot is None or not curves_of(action, slot):
        action = slot = None
    return Former(action, slot, _animated(obj, curves_of(action, slot)), _ours(action))


def _ours(action: Action | None) -> frozenset[str]:
    if action is None:
        return frozenset()
    record = read_record(action)
    paths = {path for path, _ in record.channels} if record is not None else set()
    written = action.get(WRITTEN_KEY)
    return frozenset(paths | set(json.loads(written) if isinstance(written, str) else ()))


def _animated(obj: Object, curves: Collection[FCurve]) -> frozenset[tuple[str, str]]:
    """What the NLA moves, and what curves have moved from rest."""
    animation = obj.animation_data
    moved = {channel_of(curve) for curve in curves if _leaves_rest(curve)}
    if animation is None or not any(track.strips for track in animation.nla_tracks):
        return frozenset(moved)
    paths = [path for path, _ in animated_paths(obj)]
    return frozenset(moved | {(bone_of(path), path.rpartition(".")[2]) for path in paths})


# What importers in single precision make of a rest pose, in units of the channel.
NEAR_REST = 1e-4


def _leaves_rest(curve: FCurve) -> bool:
    _, name = channel_of(curve)
    if name not in REST or curve.array_index >= len(REST[name]) or not len(curve.keyframe_points):
        return False
    flat = np.empty(len(curve.keyframe_points) * 2, dtype=np.float32)
    curve.keyframe_points.foreach_get("co", flat)
    away = np.abs(flat[1::2] - REST[name][curve.array_index]).max()
    return bool(curve.modifiers) or bool(away > NEAR_REST)
