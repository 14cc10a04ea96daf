"""A new Action beside a rig's former one: with a copy of all that is not written anew, to the last handle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from bpy.types import Action, FCurve, Object

from .saved_state import channelbag_of
from .texts import text


def new_action(obj: Object, name: str) -> tuple[Action, Any]:
    """An empty Action with a slot for the object and room for its curves."""
    action = bpy.data.actions.new(name)
    slot = action.slots.new("OBJECT", obj.name)
    strip = action.layers.new(text("layer_name")).strips.new(type="KEYFRAME")
    strip.channelbag(slot, ensure=True)
    return action, slot


def action_beside(former: Action, identifier: str, name: str, dropped: Callable[[FCurve], bool]) -> tuple[Action, Any]:
    """A copy of an Action with one of its slots, without the curves that are `dropped`; it is no asset and unused."""
    action = former.copy()
    action.name = name
    if action.asset_data is not None:
        action.asset_clear()
    action.use_fake_user = False
    for other in [item for item in action.slots if item.identifier != identifier]:
        action.slots.remove(other)
    slot = action.slots[0]
    bag = channelbag_of(action, slot)
    for curve in [item for item in bag.fcurves if dropped(item)]:
        bag.fcurves.remove(curve)
    return action, slot
