"""Teleport: put the character elsewhere at a frame, its feet placed anew."""

from math import radians

import bpy
from bpy.props import FloatProperty, FloatVectorProperty
from bpy.types import Context, Operator

from ..setup import teleport
from ..texts import text
from .subject import OnCharacter, subject


class SUREFOOT_OT_teleport(OnCharacter, Operator):
    """Put the character at another place from the current frame on."""

    bl_idname = "surefoot.teleport"
    bl_label = "Teleport"
    bl_description = text("tip_teleport")
    bl_options = {"REGISTER", "UNDO"}

    location: FloatVectorProperty(
        name="Location", description="The place in the world", subtype="TRANSLATION", unit="LENGTH"
    )
    heading: FloatProperty(
        name="Heading", description="0 faces -Y, 90 degrees faces +X", subtype="ANGLE", default=radians(0.0)
    )

    def execute(self, context: Context) -> set[str]:
        """Teleport the active character at the current frame."""
        teleport(subject(context), context.scene.frame_current, tuple(self.location), self.heading)
        return {"FINISHED"}


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_teleport)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_teleport)
