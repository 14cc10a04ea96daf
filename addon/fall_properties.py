"""The settings of falling: hits, what of the body is limp, getting up, and the record of what physics made of it."""

from __future__ import annotations

from typing import Any

import bpy
from bpy import props
from bpy.types import PropertyGroup

from .changes import hints
from .config_properties import OVERRIDE
from .declared import pointer

GET_UPS = (
    ("AUTO", "When It Lies Still", "It gets up by itself when it has lain still for a while", 0),
    ("NO", "Stays Down", "It stays where it lies", 1),
    ("NOW", "Now", "It gets up as soon as it lies", 2),
)
STYLES = (
    ("ORDINARY", "Ordinary", "As anybody gets up", 0),
    ("QUICK", "Quick", "Straight back onto its feet", 1),
)
TAILS = (
    ("SPRINGS", "Springs", "Tails swing by their layer; physics leaves them alone", 0),
    ("PHYSICS", "Physics", "Tails are part of the body that physics has, while it has it", 1),
)
LIMP = ("limp_body", "limp_head", "limp_arms", "limp_legs", "limp_tail")
"""How much of each part of the body physics has; all can be keyed."""
LIMBS = ("body", "head", "arm", "leg", "tail")
"""The limbs of a plan that each of them is about: by how their names begin, or, for legs, end."""
HIT_KEYED = ("strength",)
"""What of a hit can be keyed."""


def fall_changed(settings: Any, _context: Any) -> None:
    """Something of a character's falling was set: what is known of it is compared with that."""
    hints.falls[settings.id_data.session_uid] = None
    hints.announce()


def _declared(kind: Any, name: str, text: str, *, keyed: bool = False, **more: Any) -> Any:
    options = {"ANIMATABLE"} if keyed else set()
    return kind(name=name, description=text, options=options, override=OVERRIDE, update=fall_changed, **more)


declared_of_falls = _declared
"""The same for the settings of getting up."""


def _share(name: str, what: str) -> Any:
    return _declared(
        props.FloatProperty,
        name,
        f"How much of {what} hangs limp: 0 as it is animated, 1 as physics has it. Can be keyed",
        keyed=True,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )


class SUREFOOT_PG_hit(PropertyGroup):
    """One hit: when, which way, how hard, on what."""

    __annotations__ = {
        "name": _declared(props.StringProperty, "Name", "What the hit is called in the list"),
        "on": _declared(props.BoolProperty, "On", "Off: as if there were no such hit", default=True),
        "frame": _declared(props.IntProperty, "Frame", "The frame at which it comes", default=1),
        "direction": _declared(
            props.FloatVectorProperty,
            "Direction",
            "Which way it pushes, along the axes of the world; its length does not matter",
            size=3,
            subtype="XYZ",
            default=(0.0, 1.0, 0.0),
        ),
        "strength": _declared(
            props.FloatProperty,
            "Strength (m/s)",
            "The speed that it gives to what it hits, metres a second: 1 makes a person step, 4 fells it. Can be keyed",
            keyed=True,
            default=1.5,
            min=0.0,
            soft_max=10.0,
            max=60.0,
        ),
        "part": _declared(
            props.StringProperty,
            "Body Part",
            "What it hits: chest, head, upper_arm.L, front_thigh.R and so on; empty: the trunk with what it carries",
        ),
    }


FALL_OWN = {
    "hits": props.CollectionProperty(
        type=SUREFOOT_PG_hit,
        name="Hits",
        description="What hits the character, each at its frame",
        override={"LIBRARY_OVERRIDABLE", "USE_INSERTION"},
    ),
    "active_hit": props.IntProperty(
        name="Active Hit", description="The chosen hit", options={"SKIP_SAVE"}, override=OVERRIDE
    ),
    "limp_body": _share("Body", "the body"),
    "limp_head": _share("Head", "neck and head"),
    "limp_arms": _share("Arms", "the arms"),
    "limp_legs": _share("Legs", "the legs"),
    "limp_tail": _share("Tail", "the tail"),
    "get_up": props.EnumProperty(
        name="Get Up",
        description="Whether it gets up again after a fall. Can be keyed",
        items=[(*item[:3], "NONE", item[3]) for item in GET_UPS],
        options={"ANIMATABLE"},
        override=OVERRIDE,
        update=fall_changed,
    ),
    "get_up_style": _declared(
        props.EnumProperty,
        "Style",
        "How it gets up",
        items=[(*item[:3], "NONE", item[3]) for item in STYLES],
    ),
    "hit_by_bodies": _declared(
        props.BoolProperty,
        "Hit by Rigid Bodies",
        "Moving rigid bodies of the scene hit the character, by their mass and speed",
    ),
    "tail_physics": _declared(
        props.EnumProperty,
        "Tail by",
        "What moves a tail while physics has the body",
        items=[(*item[:3], "NONE", item[3]) for item in TAILS],
        default="PHYSICS",
    ),
    "fall_colliders": pointer(
        bpy.types.Collection,
        "Colliders",
        "The bodies that push the scene's rigid bodies for this character",
    ),
    "fall_record": props.StringProperty(
        name="Record of Falls",
        description="What physics made of the character, frame by frame",
        options={"HIDDEN"},
        override=OVERRIDE,
    ),
}


def register() -> None:
    """Declare the group."""
    bpy.utils.register_class(SUREFOOT_PG_hit)


def unregister() -> None:
    """Take it away again."""
    bpy.utils.unregister_class(SUREFOOT_PG_hit)
