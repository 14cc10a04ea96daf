"""The layers of a character as a person and a script handle them: added, removed, moved; looking at things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from bpy.types import Object

from ..core.layers.layer import STAGES, LayerKind, LayerSettings
from ..core.layers.registry import LAYERS
from .clip_reading import clip_key, clip_poses_of
from .config_properties import config_from
from .layer_inputs import live_layers
from .layer_keys import Moved, animated_settings, remap, why_not_moved
from .layer_properties import GROUPS, KEYED, REFERENCES, SHARED, group_name
from .refusal import RefusedError, why_not_character
from .texts import text


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
    known = LAYERS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise RefusedError(text("no_such_layer", kind=kind, kinds=", ".join(LAYERS)))
    shared = [name for name in ("action", "action_slot") if "action" in known.uses]
    own = {prop.identifier for prop in GROUPS[kind].bl_rna.properties} - {"rna_type", "name"} | set(shared)
    wrong = [key for key in settings if key not in own]
    if wrong:
        raise RefusedError(text("no_such_setting", kind=known.title, setting=wrong[0], settings=", ".join(sorted(own))))
    free, layers = _free_name(obj, name or known.title), obj.surefoot.layers
    layer = layers.add()
    values = {"kind": kind, "name": free, "weight": weight, "mask": mask, "target": target, "bone": bone}
    if place is not None:
        values |= {"aim": "PLACE", "place": place}
    values |= {key: settings.pop(key) for key in shared if key in settings}
    try:
        _set_all(layer, known, values)
        _set_all(getattr(layer, group_name(kind)), known, settings)
    except RefusedError:
        layers.remove(len(layers) - 1)
        raise
    last, at = len(layers) - 1, _place_of_stage(obj, known)
    if why_not_moved(obj, _moving(last, at)):
        # It works at its stage wherever it stands; at the end no other one's keys have to follow.
        at = last
    if at != last:
        layers.move(last, at)
        remap(obj, _moving(last, at))
    obj.surefoot.active_layer = at
    return layers[at]


def layer_remove(obj: Object, place: int) -> None:
    """Remove a layer with its keys; those of the layers behind it go along with them."""
    layers = obj.surefoot.layers
    if not 0 <= place < len(layers):
        raise RefusedError(text("no_layer_there", name=obj.name, place=place))

    def moved(i: int) -> int | None:
        return None if i == place else i - (i > place)

    _renumber(obj, place, moved, lambda: layers.remove(place))
    obj.surefoot.active_layer = max(0, min(place, len(layers) - 1))


def layer_move(obj: Object, place: int, to: int) -> bool:
    """Move a layer within its stage; keys go along. False where its stage ends."""
    layers = obj.surefoot.layers
    if not (0 <= place < len(layers) and 0 <= to < len(layers)):
        return False
    between = layers[min(place, to) : max(place, to) + 1]
    if len({stage_of(item) for item in between}) > 1:
        return False
    if place != to:
        _renumber(obj, place, _moving(place, to), lambda: layers.move(place, to))
    obj.surefoot.active_layer = to
    return True


def look_at(
    obj: Object, target: Object | None = None, bone: str = "", place: tuple[float, float, float] | None = None
) -> Any:
    """Let a character look at an object, a bone, a place or, without any, the camera. Returns its look-at layer."""
    found = next((item for item in obj.surefoot.layers if item.kind == "LOOK_AT"), None)
    layer = found or layer_add(obj, "LOOK_AT", target=target, bone=bone, place=place)
    values: dict[str, Any] = {"target": target, "bone": bone}
    if place is not None:
        values |= {"aim": "PLACE", "place": place}
    else:
        values["aim"] = "OBJECT" if target is not None else "CAMERA"
    _set_all(layer, LAYERS["LOOK_AT"], {**values, "on": True})
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
    animated = animated_settings(obj)
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


def _set_all(group: Any, kind: LayerKind, values: dict[str, Any]) -> None:
    """Set properties by name; where one does not take its value a refusal says which, and all are as before."""
    before: dict[str, Any] = {}
    for key, value in values.items():
        kept = getattr(group, key)
        before[key] = tuple(kept) if key == "place" else kept
        try:
            setattr(group, key, value)
        except (TypeError, ValueError, OverflowError, ReferenceError) as error:
            for name, old in before.items():
                setattr(group, name, old)
            raise RefusedError(text("wrong_setting", kind=kind.title, setting=key, reason=error)) from error


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


def _moving(place: int, to: int) -> Moved:
    """Where each layer goes when one is moved."""
    step = 1 if to > place else -1

    def moved(i: int) -> int:
        if i == place:
            return to
        return i - step if min(place, to) <= i <= max(place, to) else i

    return moved


def _renumber(obj: Object, place: int, moved: Moved, change: Callable[[], None]) -> None:
    """Make a change to the list, and let the keys follow; a refusal, and no change, where either cannot be."""
    name, override = obj.surefoot.layers[place].name, obj.override_library
    stays = text("layer_of_library", layer=name, name=obj.name)
    reason = why_not_moved(obj, moved)
    if reason:
        given = override is not None and name in override.reference.surefoot.layers
        raise RefusedError(stays if given else reason)
    try:
        change()
    except TypeError as error:
        # In an override, what the library has can be set, but stays where it is.
        raise RefusedError(stays) from error
    remap(obj, moved)
