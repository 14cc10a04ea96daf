"""The settings of a route, of one of its spots, and of the goal that a character is sent to."""

from __future__ import annotations

from typing import Any

import bpy
from bpy import props
from bpy.types import Object, PropertyGroup

from .config_properties import OVERRIDE
from .declared import declared, enum, pointer

SPOTS = (
    ("OBJECT", "Object", "Where an object is, turned as it is: an empty, a mark, another character", 0),
    ("PLACE", "Place", "A place in the world", 1),
)
SENT = (
    ("NO", "No", "The director says where to go", 0),
    ("GO", "Go", "To the goal, whatever the director says", 1),
    ("FACE", "Go and Turn", "To the goal, and turn there as the goal is turned", 2),
)
KEYED = ("pace", "wait")
"""What of a spot can be keyed."""


def is_other(settings: Any, obj: Object) -> bool:
    """What can be a spot or a goal: any object but the character itself."""
    return obj != settings.id_data


class SUREFOOT_PG_spot(PropertyGroup):
    """One spot of a route: where, how to stand there, how fast to come and how long to stay."""

    __annotations__ = {
        "name": declared(props.StringProperty, "Name", "What the spot is called in the list"),
        "aim": enum(SPOTS, "Where", "What says where the spot is"),
        "target": pointer(Object, "Object", "The object whose place the spot is", is_other),
        "place": declared(
            props.FloatVectorProperty, "Place", "Where in the world", subtype="TRANSLATION", unit="LENGTH"
        ),
        "heading": declared(
            props.FloatProperty, "Heading", "Where to face there: 0 is -Y, 90 degrees is +X", subtype="ANGLE"
        ),
        "turns": declared(
            props.BoolProperty, "Turn to Facing", "Turn there as the object is turned, or to the heading of the place"
        ),
        "pace": declared(
            props.FloatProperty,
            "Pace (m/s)",
            "Metres a second on the way to this spot; 0 goes at the character's speed. Can be keyed",
            keyed=True,
            min=0.0,
            soft_max=8.0,
            max=60.0,
        ),
        "wait": declared(
            props.FloatProperty,
            "Wait (s)",
            "For how long it stays there, seconds. With no wait and no turn it goes past without a stop. Can be keyed",
            keyed=True,
            min=0.0,
            soft_max=60.0,
        ),
    }


ROUTE_OWN = {
    "route": props.CollectionProperty(
        type=SUREFOOT_PG_spot,
        name="Route",
        description="The spots to walk to while the director is Route, from first to last",
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    ),
    "active_spot": props.IntProperty(
        name="Active Spot", description="The chosen spot of the route", options={"SKIP_SAVE"}, override=OVERRIDE
    ),
    "route_loops": declared(props.BoolProperty, "Loop", "After the last spot of the route the first one comes again"),
    "goal": pointer(Object, "Goal", "Where it is sent: it goes to where this object is while Sent says so", is_other),
    "sent": enum(SENT, "Sent", "Whether it goes to its goal, not where its director says. Can be keyed", keyed=True),
}


def register() -> None:
    """Declare the group."""
    bpy.utils.register_class(SUREFOOT_PG_spot)


def unregister() -> None:
    """Take it away again."""
    bpy.utils.unregister_class(SUREFOOT_PG_spot)
