"""The settings that another add-on or a script writes to direct a character: `object.surefoot.agent`."""

from __future__ import annotations

from typing import Any

import bpy
from bpy import props
from bpy.types import Object, PropertyGroup

from .config_properties import OVERRIDE
from .declared import declared, enum, pointer

MOVES = (
    ("VELOCITY", "Velocity", "As fast as the velocity says, its way", 0),
    ("PLACE", "To a Place", "To the position at the character's speed, and stop there", 1),
    ("CARRIED", "Carried", "At the position at every frame, as something else moves it", 2),
)
ACTIVITIES = (
    ("NONE", "None", "Stand, or go", 0),
    ("EAT", "Eat", "The mouth at the ground ahead, bite by bite", 1),
    ("DRINK", "Drink", "The mouth at the very ground, lapping", 2),
    ("SNIFF", "Sniff", "The nose over the ground, from side to side; in a slow walk too", 3),
    ("REST", "Rest", "Down on folded legs, and up again before it goes on", 4),
    ("ATTACK", "Attack", "Lunge ahead and return, again and again", 5),
    ("ALERT", "Alert", "Stand still with the head high, and look at what there is to look at, or round", 6),
    ("FLEE", "Flee", "Run from the place to flee from, as far as the safe distance", 7),
)
KEYED = {
    "enabled": 1, "position": 3, "heading": 1, "velocity": 3, "activity": 1, "has_look_at": 1, "look_at": 3,
    "flee_from": 3,
}  # fmt: skip
"""What can be keyed, with how many numbers each has."""


def is_other(settings: Any, obj: Object) -> bool:
    """What can be looked at or fled from: any object but the character itself."""
    return obj != settings.id_data


class SUREFOOT_PG_agent(PropertyGroup):
    """What another program wants of a character. All but the objects and two choices can be keyed."""

    __annotations__ = {
        "enabled": declared(
            props.BoolProperty, "Enabled", "Off: it stands where it is and does nothing. Can be keyed", keyed=True,
            default=True,
        ),
        "moves": enum(MOVES, "Moves By", "What says where it goes"),
        "velocity": declared(
            props.FloatVectorProperty, "Velocity (m/s)", "Metres a second along X and Y of the world. Can be keyed",
            keyed=True, size=3,
        ),
        "position": declared(
            props.FloatVectorProperty, "Position", "Where to be, in the world. Can be keyed", keyed=True,
            subtype="TRANSLATION", unit="LENGTH",
        ),
        "turns": declared(
            props.BoolProperty, "Face the Heading", "Face the heading; off: face where it goes"
        ),
        "heading": declared(
            props.FloatProperty, "Heading", "Where to face: 0 is -Y, 90 degrees is +X. Can be keyed", keyed=True,
            subtype="ANGLE",
        ),
        "activity": enum(ACTIVITIES, "Activity", "What it does where it stands. Can be keyed", keyed=True),
        "has_look_at": declared(
            props.BoolProperty, "Look At", "Look at the object, or at the place where there is none. Can be keyed",
            keyed=True,
        ),
        "look_at_object": pointer(Object, "Look at Object", "What it looks at; a character is looked in the face",
                                  is_other),
        "look_at": declared(
            props.FloatVectorProperty, "Look at Place", "Where it looks, in the world. Can be keyed", keyed=True,
            subtype="TRANSLATION", unit="LENGTH",
        ),
        "flee_object": pointer(Object, "Flee from Object", "What it runs from", is_other),
        "flee_from": declared(
            props.FloatVectorProperty, "Flee from Place", "Where it runs from, in the world. Can be keyed", keyed=True,
            subtype="TRANSLATION", unit="LENGTH",
        ),
    }  # fmt: skip


AGENT_OWN = {
    "agent": props.PointerProperty(
        type=SUREFOOT_PG_agent,
        name="Agent",
        description="What another add-on or a script wants of the character while the director is Agent",
        override=OVERRIDE,
    ),
}


def register() -> None:
    """Declare the group."""
    bpy.utils.register_class(SUREFOOT_PG_agent)


def unregister() -> None:
    """Take it away again."""
    bpy.utils.unregister_class(SUREFOOT_PG_agent)
