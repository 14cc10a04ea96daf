"""Keys and drivers of the settings in a list (layers, spots of a route): they name an item by its number, and follow it
where that changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import bpy
from bpy.types import Action, Object

from .saved_state import channelbag_of
from .texts import text

PATHS = {name: re.compile(rf"surefoot\.{name}\[(\d+)\]") for name in ("layers", "route", "hits")}
WHAT = {"layers": "layers", "route": text("spots_of_route"), "hits": text("hits_of_list")}

Moved = Callable[[int], int | None]
"""Where the item of a number goes; None where it is removed."""


def why_not_moved(obj: Object, moved: Moved, items: str = "layers") -> str:
    """Why keys or drivers cannot follow their items, in a sentence; empty where they can, or none has to."""
    animation = obj.animation_data
    if animation is None:
        return ""
    if obj.override_library is not None and _any_moves(animation.drivers, moved, items):
        return text("layer_drivers_linked", name=obj.name, what=WHAT[items])
    for action, slot in _played(obj):
        if not _any_moves(channelbag_of(action, slot).fcurves, moved, items):
            continue
        if action.library is not None or action.override_library is not None:
            return text("layer_keys_linked", action=action.name, name=obj.name, what=WHAT[items])
        other = _other_user(obj, action, slot)
        if other is not None:
            return text("layer_keys_shared", action=action.name, name=obj.name, other=other.name, what=WHAT[items])
    return ""


def remap(obj: Object, moved: Moved, items: str = "layers") -> None:
    """Let keys and drivers follow their items, in every Action that is, was or will be played on the object."""
    animation = obj.animation_data
    if animation is None:
        return
    holders = [channelbag_of(action, slot).fcurves for action, slot in _played(obj)]
    for holder in (*holders, animation.drivers):
        # All are renamed at once in the end, since two curves of one path cannot be.
        renamed = []
        for curve in list(holder):
            number = _number(curve, items)
            now = number if number is None else moved(number)
            if now == number:
                continue
            if now is None:
                holder.remove(curve)
            else:
                renamed.append((curve, PATHS[items].sub(f"surefoot.{items}[{now}]", curve.data_path, count=1)))
        for curve, path in renamed:
            curve.data_path = path


def animated_settings(obj: Object, items: str = "layers") -> frozenset[str]:
    """The paths of the settings in a list that something animates: the property then holds the shown frame's value."""
    animation = obj.animation_data
    if animation is None:
        return frozenset()
    paths = {curve.data_path for curve in animation.drivers}
    bag = channelbag_of(animation.action, animation.action_slot)
    if bag is not None:
        paths.update(curve.data_path for curve in bag.fcurves)
    for action in (strip.action for track in animation.nla_tracks for strip in _strips(track.strips)):
        for layer in action.layers if action is not None else ():
            for strip in layer.strips:
                paths.update(curve.data_path for bag in strip.channelbags for curve in bag.fcurves)
    return frozenset(path for path in paths if path.startswith(f"surefoot.{items}["))


def _number(curve: Any, items: str) -> int | None:
    """The number of the item that a curve animates, if it does one."""
    match = PATHS[items].match(curve.data_path)
    return None if match is None else int(match.group(1))


def _any_moves(curves: Iterable[Any], moved: Moved, items: str) -> bool:
    """True where a curve animates an item whose number changes."""
    numbers = (_number(curve, items) for curve in curves)
    return any(number is not None and moved(number) != number for number in numbers)


def _played(obj: Object) -> list[tuple[Action, Any]]:
    """The Actions that have keys for the object, each with its slot, once: the one on it, the one that a preview or the
    editing of a strip set aside, and those of its strips.
    """
    animation, settings = obj.animation_data, obj.surefoot
    pairs = [(animation.action, animation.action_slot)]
    aside, edited = settings.action_before, animation.action_tweak_storage
    if aside is not None:
        pairs.append((aside, next((slot for slot in aside.slots if slot.identifier == settings.slot_before), None)))
    if edited is not None:
        handle = animation.action_slot_handle_tweak_storage
        pairs.append((edited, next((slot for slot in edited.slots if slot.handle == handle), None)))
    for track in animation.nla_tracks:
        pairs += [(strip.action, strip.action_slot) for strip in _strips(track.strips)]
    found = {
        (action.session_uid, slot.handle): (action, slot)
        for action, slot in pairs
        if channelbag_of(action, slot) is not None
    }
    return list(found.values())


def _strips(strips: Iterable[Any]) -> Iterator[Any]:
    """NLA strips, and those in strips."""
    for strip in strips:
        yield strip
        yield from _strips(strip.strips)


def _other_user(obj: Object, action: Action, slot: Any) -> Any:
    """What else the slot of an Action animates, or will when a preview ends; None where there is nothing."""
    animated = [user for user in slot.users() if user != obj]
    waiting = [
        other
        for other in bpy.data.objects
        if other != obj and other.surefoot.action_before == action and other.surefoot.slot_before == slot.identifier
    ]
    return next(iter([*animated, *waiting]), None)
