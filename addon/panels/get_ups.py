"""The part of the tab that lists the Actions by which a character gets up."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Panel, UILayout, UIList

from ..texts import text
from .tab import InTab, active


class SUREFOOT_UL_get_ups(UIList):
    """One line an Action: which, in which style, whether it is on."""

    bl_idname = "SUREFOOT_UL_get_ups"

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        _settings: object,
        entry: Any,
        _icon: int,
        _active_data: object,
        _active_name: str,
    ) -> None:
        """The Action and its style."""
        layout.use_property_split = layout.use_property_decorate = False
        halves = layout.split(factor=0.6)
        halves.prop(entry, "action", text="")
        row = halves.row(align=True)
        row.prop(entry, "style", text="")
        row.prop(entry, "on", text="", icon="CHECKBOX_HLT" if entry.on else "CHECKBOX_DEHLT", emboss=False)


class SUREFOOT_PT_get_ups(InTab, Panel):
    """Actions of getting up with their moments; without any it gets up by itself."""

    bl_idname = "SUREFOOT_PT_get_ups"
    bl_parent_id = "SUREFOOT_PT_fall"
    bl_label = text("panel_get_ups")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """The list with its buttons, then the chosen one."""
        layout, settings = self.layout, active(context).surefoot
        layout.prop(settings, "get_ups_by_name")
        row = layout.row()
        row.template_list("SUREFOOT_UL_get_ups", "", settings, "get_ups", settings, "active_get_up", rows=2)
        column = row.column(align=True)
        column.operator("surefoot.get_up_mark", icon="ADD", text="")
        column.operator("surefoot.get_up_remove", icon="REMOVE", text="")
        if not 0 <= settings.active_get_up < len(settings.get_ups):
            return
        entry = settings.get_ups[settings.active_get_up]
        layout.use_property_split = True
        moments = layout.column(align=True)
        moments.prop(entry, "lying")
        moments.prop(entry, "standing")
        layout.prop(entry, "leaps")
        air = layout.column(align=True)
        air.active = entry.leaps
        air.prop(entry, "air_from")
        air.prop(entry, "air_to")
