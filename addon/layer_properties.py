"""The settings of pose layers: one group for what all layers have, and one a kind, made from the core's Configs."""

from __future__ import annotations

from typing import Any

import bpy
from bpy import props
from bpy.types import Object, PropertyGroup

from ..core.layers.registry import LAYERS
from .changes import hints
from .config_properties import OVERRIDE, properties_of

AIMS = (
    ("OBJECT", "Object", "An object, one of its bones, or a character's head; the camera while none is chosen", 0),
    ("PLACE", "Place", "A place in the world", 1),
    ("CAMERA", "Camera", "The scene's camera", 2),
    ("AHEAD", "Way Ahead", "Nothing; it looks where the body goes", 3),
)
KEYED = ("weight", "on", "progress")
"""What of a layer can be keyed."""
REFERENCES = ("target", "action")
SHARED = ("kind", "mute", "aim", "bone", "place", "mask", "action_slot")


def _changed(_settings: Any, _context: Any) -> None:
    hints.announce()


def _is_other(layer: Any, obj: Object) -> bool:
    """What can be aimed at: anything but what has no place."""
    return obj is not None


class SUREFOOT_PG_layer(PropertyGroup):
    """One pose layer: its kind, how much of it, on which bones, and what it aims at."""

    __annotations__ = {
        "name": props.StringProperty(
            name="Name", description="What the layer is called in the list", options=set(), override=OVERRIDE
        ),
        "kind": props.StringProperty(
            name="Kind", description="What the layer does", options={"HIDDEN"}, override=OVERRIDE, update=_changed
        ),
        "mute": props.BoolProperty(
            name="Mute", description="Leave the layer out", options=set(), override=OVERRIDE, update=_changed
        ),
        "weight": props.FloatProperty(
            name="Weight",
            description="How much of its change is made: 0 leaves the pose as it is to the bit. Can be keyed",
            default=1.0,
            min=0.0,
            max=1.0,
            subtype="FACTOR",
            override=OVERRIDE,
            update=_changed,
        ),
        "on": props.BoolProperty(
            name="Hold On",
            description="Off, it lets go in its own time: a look comes back to the front, a hand leaves. Can be keyed",
            default=True,
            override=OVERRIDE,
            update=_changed,
        ),
        "progress": props.FloatProperty(
            name="Progress",
            description="Where in its clip it is, from 0 to 1, for a layer that goes by progress. Can be keyed",
            min=0.0,
            max=1.0,
            subtype="FACTOR",
            override=OVERRIDE,
            update=_changed,
        ),
        "mask": props.StringProperty(
            name="Mask",
            description="Which bones it may move, with all that hang on them: roles, bones or groups with commas "
            "between, such as upper_body, arms, neck, -head. Empty: all",
            options=set(),
            override=OVERRIDE,
            update=_changed,
        ),
        "aim": props.EnumProperty(
            name="Goal",
            description="What it looks or reaches at",
            items=[(*item[:3], "NONE", item[3]) for item in AIMS],
            options=set(),
            override=OVERRIDE,
            update=_changed,
        ),
        "target": props.PointerProperty(
            type=Object,
            name="Target",
            description="The object that it looks or reaches at; of a character its head",
            override=OVERRIDE,
            update=_changed,
            poll=_is_other,
        ),
        "bone": props.StringProperty(
            name="Bone", description="The bone of the target that is meant", options=set(), override=OVERRIDE,
            update=_changed,
        ),
        "place": props.FloatVectorProperty(
            name="Place",
            description="Where in the world it looks or reaches",
            subtype="TRANSLATION",
            unit="LENGTH",
            options=set(),
            override=OVERRIDE,
            update=_changed,
        ),
        "action": props.PointerProperty(
            type=bpy.types.Action,
            name="Action",
            description="The Action that is laid over the pose",
            override=OVERRIDE,
            update=_changed,
        ),
        "action_slot": props.StringProperty(
            name="Slot",
            description="The slot of the Action; empty: the one that moves most of the rig's bones",
            options=set(),
            override=OVERRIDE,
            update=_changed,
        ),
    }  # fmt: skip


def group_name(kind: str) -> str:
    """The name of a kind's own group on a layer; a bare aim or clip would hide what all layers have by that name."""
    return f"{kind.lower()}_settings"


def _groups() -> dict[str, type]:
    """One group a kind, made from its Config; and its pointer on the layer."""
    made = {}
    for kind in LAYERS.values():
        fields = properties_of(kind.config, frozenset(), _changed)
        name = f"SUREFOOT_PG_layer_{group_name(kind.kind)}"
        text = f"The settings of a layer of the kind {kind.title}."
        made[kind.kind] = type(name, (PropertyGroup,), {"__annotations__": fields, "__doc__": text})
        SUREFOOT_PG_layer.__annotations__[group_name(kind.kind)] = props.PointerProperty(
            type=made[kind.kind], name=kind.title, description=kind.about, override=OVERRIDE
        )
    return made


GROUPS = _groups()


def register() -> None:
    """Declare the groups."""
    for item in (*GROUPS.values(), SUREFOOT_PG_layer):
        bpy.utils.register_class(item)


def unregister() -> None:
    """Take them away again."""
    for item in (SUREFOOT_PG_layer, *reversed(GROUPS.values())):
        bpy.utils.unregister_class(item)
