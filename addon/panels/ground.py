"""The part of the tab for ground: shown where the active object is a mesh."""

from __future__ import annotations

import bpy
from bpy.types import Context, Panel

from ..texts import TAB, text
from .tab import active


class SUREFOOT_PT_ground(Panel):
    """What a mesh does to those who stand on it."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = TAB
    bl_idname = "SUREFOOT_PT_ground"
    bl_label = text("panel_ground")
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Only for a mesh."""
        obj = active(context)
        return context.mode == "OBJECT" and obj is not None and obj.type == "MESH"

    def draw(self, context: Context) -> None:
        """How its surface goes along."""
        self.layout.column().prop(active(context).surefoot, "surface_velocity")


def register() -> None:
    """Show the panel."""
    bpy.utils.register_class(SUREFOOT_PT_ground)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_PT_ground)
