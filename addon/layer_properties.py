"""The settings of pose layers: one group for what all layers have, and one a kind, made from the core's Configs."""

from __future__ import annotations

import bpy
from bpy import props
from bpy.types import Action, Object, PropertyGroup

from ..core.layers.registry import LAYERS
from .config_properties import OVERRIDE, properties_of
from .declared import declared, enum, pointer, settings_changed

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


class SUREFOOT_PG_layer(PropertyGroup):
    """One pose layer: its kind, how much of it, on which bones, and what it aims at."""

    __annotations__ = {
        "name": declared(props.StringProperty, "Name", "What the layer is called in the list"),
        "kind": declared(props.StringProperty, "Kind", "What the layer does", options={"HIDDEN"}),
        "mute": declared(props.BoolProperty, "Mute", "Leave the layer out"),
        "weight": declared(
            props.FloatProperty,
            "Weight",
            "How much of its change is made: 0 leaves the pose as it is to the bit. Can be keyed",
            keyed=True,
            default=1.0,
            min=0.0,
            max=1.0,
            subtype="FACTOR",
        ),
        "on": declared(
            props.BoolProperty,
            "Hold On",
            "Off, it lets go in its own time: a look comes back to the front, a hand leaves. Can be keyed",
            keyed=True,
            default=True,
        ),
        "progress": declared(
            props.FloatProperty,
            "Progress",
            "Where in its clip it is, from 0 to 1, for a layer that goes by progress. Can be keyed",
            keyed=True,
            min=0.0,
            max=1.0,
            subtype="FACTOR",
        ),
        "mask": declared(
            props.StringProperty,
            "Mask",
            "Which bones it may move, with all that hang on them: roles, bones or groups with commas between, such as "
            "upper_body, arms, neck, -head. Empty: all",
        ),
        "aim": enum(AIMS, "Goal", "What it looks or reaches at"),
        "target": pointer(Object, "Target", "The object that it looks or reaches at; of a character its head"),
        "bone": declared(props.StringProperty, "Bone", "The bone of the target that is meant"),
        "place": declared(
            props.FloatVectorProperty,
            "Place",
            "Where in the world it looks or reaches",
            subtype="TRANSLATION",
            unit="LENGTH",
        ),
        "action": pointer(Action, "Action", "The Action that is laid over the pose"),
        "action_slot": declared(
            props.StringProperty,
            "Slot",
            "The slot of the Action; empty: the one that moves most of the rig's bones",
        ),
    }


def group_name(kind: str) -> str:
    """The name of a kind's own group on a layer; a bare aim or clip would hide what all layers have by that name."""
    return f"{kind.lower()}_settings"


def _groups() -> dict[str, type]:
    """One group a kind, made from its Config; and its pointer on the layer."""
    made = {}
    for kind in LAYERS.values():
        fields = properties_of(kind.config, frozenset(), settings_changed)
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
