"""The Actions by which a character gets up: settings that are declared by hand."""

from __future__ import annotations

import bpy
from bpy import props
from bpy.types import PropertyGroup

from .fall_properties import STYLES, declared_of_falls, fall_changed


class SUREFOOT_PG_get_up(PropertyGroup):
    """One Action of a body that gets up, with its moments."""

    __annotations__ = {
        "action": props.PointerProperty(
            type=bpy.types.Action,
            name="Action",
            description="A body that gets up, on this armature",
            override={"LIBRARY_OVERRIDABLE"},
            update=fall_changed,
        ),
        "on": declared_of_falls(props.BoolProperty, "On", "Off: as if it were not in the list", default=True),
        "lying": declared_of_falls(
            props.FloatProperty,
            "Lies Until",
            "The frame of the Action at which the body still lies; later ones let it begin on its way",
            default=1.0,
        ),
        "standing": declared_of_falls(
            props.FloatProperty, "Stands From", "The frame of the Action from which on it stands", default=60.0
        ),
        "style": declared_of_falls(
            props.EnumProperty,
            "Style",
            "How it gets up: it is taken where that is asked for, or nothing else fits",
            items=[(*item[:3], "NONE", item[3]) for item in STYLES],
        ),
        "leaps": declared_of_falls(props.BoolProperty, "Leaps", "It is off the floor on its way"),
        "air_from": declared_of_falls(props.FloatProperty, "In the Air From", "The frame at which it leaves the floor"),
        "air_to": declared_of_falls(props.FloatProperty, "To", "The frame at which it is down again"),
    }


RISE_OWN = {
    "get_ups": props.CollectionProperty(
        type=SUREFOOT_PG_get_up,
        name="Get-Ups",
        description="Actions by which the character gets up: the one that begins most like it lies is taken, mirrored "
        "where that fits better; where none does it gets up by itself",
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    ),
    "active_get_up": props.IntProperty(
        name="Active Get-Up", description="The chosen Action", options={"SKIP_SAVE"}, override={"LIBRARY_OVERRIDABLE"}
    ),
    "get_ups_by_name": declared_of_falls(
        props.BoolProperty,
        "Find by Name",
        "Take Actions too that are called as the usual animation libraries call getting up (GetUp_Front, "
        "Getting_Up, Stand_Up_Back ...) and move this armature",
        default=True,
    ),
}


def register() -> None:
    """Declare the group."""
    bpy.utils.register_class(SUREFOOT_PG_get_up)


def unregister() -> None:
    """Take it away again."""
    bpy.utils.unregister_class(SUREFOOT_PG_get_up)
