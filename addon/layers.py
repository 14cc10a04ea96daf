"""The layers of a character as a person and a script handle them: added, removed, moved; looking at things."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from bpy.types import Object

from ..core.layers.layer import STAGES, LayerKind, LayerSettings
from ..core.layers.registry import LAYERS
from .clip_reading import clip_key, clip_poses_of
from .config_properties import config_from
from .layer_inputs import live_layers
from .layer_properties import GROUPS, KEYED, REFERENCES, SHARED, group_name
from .refusal import RefusedError, why_not_character
from .saved_state import channelbag_of
from .texts import text

LAYER_PATH = re.compile(r"surefoot\.layers\[(\d+)\]")


def layer_add(
    obj: Object,
    kind: str,
    *,
    name: str = "",
    target: Object | None = None,
    bone: str = "",
    place: tuple[float, float, float] | None = None,
    mask: str = "",
    weight: float = 1.0,
    **settings: Any,
) -> Any:
    """Add a layer of a kind to a character, behind those of its stage; its settings by their names. Returns it.

    `place` is in the world; angles are radians. What plays an Action takes it as `action`, and its slot's identifier as
    `action_slot`. A refusal names what is not there.
    """
    reason = why_not_character(obj)
    if reason:
        raise RefusedError(reason)
    if kind not in LAYERS:
        raise RefusedError(text("no_such_layer", kind=kind, kinds=", ".join(LAYERS)))
    known = LAYERS[kind]
    shared = [name for name in ("action", "action_slot") if "action" in known.uses]
    own = {prop.identifier for prop in GROUPS[kind].bl_rna.properties} - {"rna_type", "name"} | set(shared)
    wrong = [key for key in settings if key not in own]
    if wrong:
        raise RefusedError(text("no_such_setting", kind=known.title, setting=wrong[0], settings=", ".join(sorted(own))))
    layers = obj.surefoot.layers
    layer = layers.add()
    layer.kind, layer.weight, layer.mask = kind, weight, mask
    layer.name = _free_name(obj, name or known.title)
    layer.target, layer.bone = target, bone
    if place is not None:
        layer.aim, layer.place = "PLACE", place
    group = getattr(layer, group_name(kind))
    for key, value in settings.items():
        setattr(layer if key in shared else group, key, value)
    at = _place_of_stage(obj, known)
    _move(obj, len(layers) - 1, at)
    obj.surefoot.active_layer = at
    return layers[at]


def layer_remove(obj: Object, place: int) -> None:
    """Remove a layer with its keys; those of the layers behind it go along with them."""
    layers = obj.surefoot.layers
    if not 0 <= place < len(layers):
        raise RefusedError(text("no_layer_there", name=obj.name, place=place))
    _remap(obj, lambda i: None if i == place else i - (i > place))
    layers.remove(place)
    obj.surefoot.active_layer = max(0, min(place, len(layers) - 1))


def layer_move(obj: Object, place: int, to: int) -> bool:
    """Move a layer within its stage; keys go along. False where its stage ends."""
    layers = obj.surefoot.layers
    if not (0 <= place < len(layers) and 0 <= to < len(layers)):
        return False
    between = layers[min(place, to) : max(place, to) + 1]
    if len({stage_of(item) for item in between}) > 1:
        return False
    _move(obj, place, to)
    obj.surefoot.active_layer = to
    return True


def look_at(
    obj: Object, target: Object | None = None, bone: str = "", place: tuple[float, float, float] | None = None
) -> Any:
    """Let a character look at an object, a bone, a place or, without any, the camera. Returns its look-at layer."""
    found = next((item for item in obj.surefoot.layers if item.kind == "LOOK_AT"), None)
    layer = found or layer_add(obj, "LOOK_AT")
    layer.target, layer.bone = target, bone
    if place is not None:
        layer.aim, layer.place = "PLACE", place
    else:
        layer.aim = "OBJECT" if target is not None else "CAMERA"
    layer.on = True
    return layer


def look_away(obj: Object) -> None:
    """Let a character look ahead again, in its own time."""
    for layer in obj.surefoot.layers:
        if layer.kind == "LOOK_AT":
            layer.on = False


def layer_settings(obj: Object, reading: Any = None) -> tuple[LayerSettings, ...]:
    """The layers that take part, as the core knows them; their clips are only in it with a reading of the rig."""
    made = []
    for _, layer in live_layers(obj):
        kind = LAYERS[layer.kind]
        given = {}
        if "action" in kind.uses and layer.action is not None and reading is not None:
            given["poses"] = clip_poses_of(obj, reading, layer.action, layer.action_slot)
        config = config_from(kind.config, getattr(layer, group_name(kind.kind)), given)
        made.append(LayerSettings(kind.kind, config, layer.mask))
    return tuple(made)


def chosen_bones(obj: Object) -> tuple[Any, ...]:
    """What decides which bones the layers move: all but how far sliders are, beyond that they are not at zero."""
    if not obj.surefoot.layers:
        return ()
    made: list[Any] = [clip_key(layer.action, layer.action_slot) for _, layer in live_layers(obj) if layer.action]
    for item in layer_settings(obj):
        values = [getattr(item.settings, field.name) for field in fields(item.settings)]
        made.append((item.kind, item.mask, *(value != 0.0 if isinstance(value, float) else value for value in values)))
    return tuple(made)


def layer_signature(obj: Object) -> tuple[Any, ...]:
    """All that is set by hand on the layers, to be compared; what is animated is left to the inputs."""
    layers = obj.surefoot.layers
    if not layers:
        return ()
    animated = _animated(obj)
    values: list[Any] = []
    for i, layer in enumerate(layers):
        kind = LAYERS.get(layer.kind)
        for name in SHARED:
            value = getattr(layer, name)
            values.append(tuple(value) if name == "place" else value)
        references = [getattr(layer, name) for name in REFERENCES]
        values += [None if item is None else item.session_uid for item in references]
        values += [None if f"surefoot.layers[{i}].{name}" in animated else getattr(layer, name) for name in KEYED]
        if layer.action is not None:
            values.append(clip_key(layer.action, layer.action_slot))
        if kind is not None:
            values.append(config_from(kind.config, getattr(layer, group_name(kind.kind)), {}))
    return tuple(values)


def stage_of(layer: Any) -> int:
    """In which part of the order a layer works; of a kind that is not known, the last."""
    kind = LAYERS.get(layer.kind)
    return len(STAGES) if kind is None else STAGES.index(kind.stage)


def _free_name(obj: Object, wanted: str) -> str:
    """A name that no other layer of the character has."""
    taken = {item.name for item in obj.surefoot.layers}
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def _place_of_stage(obj: Object, kind: LayerKind) -> int:
    """Where a layer that was just added at the end belongs: behind the last one of its stage or of one before."""
    layers = obj.surefoot.layers
    stage = STAGES.index(kind.stage)
    before = [i for i in range(len(layers) - 1) if stage_of(layers[i]) <= stage]
    return before[-1] + 1 if before else 0


def _move(obj: Object, place: int, to: int) -> None:
    if place == to:
        return
    step = 1 if to > place else -1

    def moved(i: int) -> int:
        if i == place:
            return to
        return i - step if min(place, to) <= i <= max(place, to) else i

    _remap(obj, moved)
    obj.surefoot.layers.move(place, to)


def _remap(obj: Object, moved: Any) -> None:
    """Let keys and drivers follow their layers: `moved` says where each goes, None where it is removed."""
    animation = obj.animation_data
    if animation is None:
        return
    curves = [(bag.fcurves, list(bag.fcurves)) for bag in _own_bags(obj)]
    curves.append((animation.drivers, list(animation.drivers)))
    for holder, items in curves:
        # All are renamed at once in the end, since two curves of one path cannot be.
        renamed = []
        for curve in items:
            match = LAYER_PATH.match(curve.data_path)
            if match is None:
                continue
            now = moved(int(match.group(1)))
            if now is None:
                holder.remove(curve)
            else:
                renamed.append((curve, f"surefoot.layers[{now}]{curve.data_path[match.end() :]}"))
        for curve, path in renamed:
            curve.data_path = path


def _own_bags(obj: Object) -> list[Any]:
    """The channelbags of the rig's Action, and of that which a preview set aside, that may be changed."""
    animation, settings = obj.animation_data, obj.surefoot
    aside = settings.action_before
    slot = None if aside is None else next((s for s in aside.slots if s.identifier == settings.slot_before), None)
    pairs = ((animation.action, animation.action_slot), (aside, slot))
    bags = [channelbag_of(action, slot) for action, slot in pairs if action is not None and action.library is None]
    return [bag for bag in bags if bag is not None]


def _animated(obj: Object) -> frozenset[str]:
    """The paths of layer settings that something animates: the property then holds the shown frame's value."""
    animation = obj.animation_data
    if animation is None:
        return frozenset()
    paths = {curve.data_path for curve in animation.drivers}
    bag = channelbag_of(animation.action, animation.action_slot)
    if bag is not None:
        paths.update(curve.data_path for curve in bag.fcurves)
    for action in (strip.action for track in animation.nla_tracks for strip in track.strips):
        for layer in action.layers if action is not None else ():
            for strip in layer.strips:
                paths.update(curve.data_path for bag in strip.channelbags for curve in bag.fcurves)
    return frozenset(path for path in paths if path.startswith("surefoot.layers["))
