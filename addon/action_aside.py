"""The rig's own Action where it plays along with the walk: what it moves beside it, and taking it off the rig."""

from __future__ import annotations

from typing import Any, NamedTuple

from bpy.types import Action, Object

from . import carry_over
from .bake_record import read_record
from .changes import hints, redraw_panels
from .performers import performers
from .pose_channels import REST, PoseChannels
from .refusal import RefusedError, why_not_armature
from .saved_state import as_text, curves_of, from_text, keep_action
from .texts import text


class Beside(NamedTuple):
    """What an Action moves that the walk does not: how many bones, and how many curves that belong to no bone."""

    action: str
    bones: int
    curves: int


class _Counted(NamedTuple):
    """What was found, and for which Action and slot, which writer and after how many edits of Actions that holds."""

    action: tuple[int, str]
    owned: frozenset[tuple[str, int]]
    edits: int
    beside: Beside


_known: dict[int, _Counted] = {}


def why_no_action(obj: Object | None) -> str:
    """Why there is no Action that could be set aside; empty if there is one."""
    reason = why_not_armature(obj)
    if reason or obj is None:
        return reason
    animation = obj.animation_data
    if animation is None or animation.action is None:
        return text("no_action", name=obj.name)
    return text("tweak_mode", name=obj.name) if animation.use_tweak_mode else ""


def moved_beside(obj: Object) -> Beside | None:
    """What the rig's Action moves that the walk does not; None if nothing, if it is our bake, or while not known.

    Cheap enough for a panel: counted again only for another Action, after an edit of one, or for another walk.
    """
    performer = performers.get(obj.session_uid)
    action = obj.animation_data.action if obj.animation_data is not None else None
    if performer is None or action is None or read_record(action) is not None:
        return None
    owned, edits = performer.writer.owned, carry_over.Paths.forgotten
    slot = obj.animation_data.action_slot
    which = (action.session_uid, "" if slot is None else slot.identifier)
    known = _known.get(obj.session_uid)
    if known is None or (known.action, known.edits) != (which, edits) or known.owned != owned:
        known = _Counted(which, owned, edits, _counted(obj, action, owned))
        _known[obj.session_uid] = known
    return known.beside if known.beside.bones or known.beside.curves else None


def _counted(obj: Object, action: Action, owned: frozenset[tuple[str, int]]) -> Beside:
    # What is keyed of the walk's own settings is no motion beside it.
    paths = [
        (curve.data_path, curve.array_index)
        for curve in curves_of(action, obj.animation_data.action_slot)
        if (curve.data_path, curve.array_index) not in owned and not curve.data_path.startswith("surefoot.")
    ]
    # A bone that the walk turns is not one that does something else, whatever more of it is keyed.
    driven = {carry_over.bone_of(path) for path, _ in owned}
    bones = {carry_over.bone_of(path) for path, _ in paths} & set(obj.pose.bones.keys())
    return Beside(action.name, len(bones - driven), sum(not carry_over.bone_of(path) for path, _ in paths))


def set_aside(obj: Object) -> str:
    """Take the Action off the rig; its name. It stays in the file, and the bones that it moved go back to rest."""
    reason = why_no_action(obj)
    if reason:
        raise RefusedError(reason)
    animation = obj.animation_data
    action, curves = animation.action, curves_of(animation.action, animation.action_slot)
    moved = {(curve.data_path, curve.array_index) for curve in curves}
    animation.action = None
    keep_action(action)
    performer = performers.get(obj.session_uid)
    walked = performer.writer.owned if performer is not None and obj.surefoot.preview else frozenset()
    _rest(obj, moved - walked)
    _rest_before(obj, moved)
    carry_over.forget_paths()
    hints.everything()
    obj.update_tag(refresh={"OBJECT"})
    redraw_panels()
    return action.name


def _rest(obj: Object, channels: set[tuple[str, int]]) -> None:
    """Bone channels at rest; what is no bone's keeps its value."""
    for path, index in sorted(channels):
        bone, name = carry_over.bone_of(path), path.rpartition(".")[2]
        if bone in obj.pose.bones and index < len(REST.get(name, ())):
            getattr(obj.pose.bones[bone], name)[index] = REST[name][index]


def _rest_before(obj: Object, channels: set[tuple[str, int]]) -> None:
    """The same in the pose that the end of the preview puts back."""
    if not obj.surefoot.pose_before:
        return
    saved = from_text(obj.surefoot.pose_before)
    layout: Any = PoseChannels(saved.slots)
    rest = layout.template[layout.keep]
    for place, channel in enumerate(layout.channels):
        if channel.group and (channel.data_path, channel.index) in channels:
            saved.values[place] = rest[place]
    obj.surefoot.pose_before = as_text(saved)
