"""Settings of a character's body, and of the ground under it, that are no fields of a Config."""

from __future__ import annotations

from typing import Any

from bpy import props
from bpy.types import Object

from .changes import hints
from .config_properties import OVERRIDE
from .declared import declared


def ground_changed(settings: Any, _context: Any) -> None:
    """A setting of ground was changed: whoever stands on it is computed anew."""
    hints.objects[settings.id_data.session_uid] = None
    hints.announce()


class Pushing:
    """Who is told when pushing is switched: `push_switch` puts itself here, so that settings need not know it."""

    switched: Any = None


def pushing_changed(settings: Any, _context: Any) -> None:
    """Pushing was switched on or off, by a person or by a script."""
    hints.announce()
    if Pushing.switched is not None:
        Pushing.switched(settings.id_data)


def is_pusher(_settings: Any, obj: Object) -> bool:
    """What can push for a character."""
    return obj.type == "MESH"


BODY_OWN = {
    "push_bodies": props.BoolProperty(
        name="Push Rigid Bodies",
        description="A body with a shape pushes the scene's rigid bodies as hard as its strength lets it, while the "
        "preview is on; what is heavier is a wall. They are simulated again for it",
        options=set(),
        override=OVERRIDE,
        update=pushing_changed,
    ),
    "pusher": props.PointerProperty(
        type=Object,
        name="Pusher",
        description="The body in the rigid body world that pushes for the character",
        options={"HIDDEN"},
        override=OVERRIDE,
        poll=is_pusher,
    ),
    "added_velocity": declared(
        props.FloatVectorProperty,
        "Added Velocity (m/s)",
        "What else moves a body with a shape, along the axes of the world: wind, a current. On the ground it is pushed "
        "along, in the air it is carried. Can be keyed",
        keyed=True,
        size=3,
        precision=2,
    ),
    "field_influence": declared(
        props.FloatProperty,
        "Field Influence",
        "How many metres a second a force field of strength 1 moves a body with a shape: wind, force and vortex "
        "fields, by their falloff and limits. At 0 fields do nothing",
        soft_min=0.0,
        soft_max=2.0,
    ),
    "surface_velocity": props.FloatVectorProperty(
        name="Surface Velocity (m/s)",
        description="For ground: how fast its surface goes along its own axes while it stands, as a conveyor's. "
        "Carries who stands on it. Can be keyed",
        size=3,
        precision=2,
        override=OVERRIDE,
        update=ground_changed,
    ),
}
