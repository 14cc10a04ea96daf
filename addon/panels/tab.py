"""What all panels of the tab share: where they are, and when they are drawn."""

from __future__ import annotations

from bpy.types import Context, Object

from ..roster import is_character
from ..texts import TAB

MODES = {"OBJECT", "POSE"}


class InTab:
    """A mixin: in our tab, where the active object is a character."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = TAB

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Drawn wherever a character can be worked on."""
        return context.mode in MODES and is_character(active(context))


def active(context: Context) -> Object | None:
    """The object that the panels are about."""
    return context.view_layer.objects.active
