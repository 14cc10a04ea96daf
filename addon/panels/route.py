"""The list of spots in the sidebar, under the director that walks them."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, UILayout, UIList

from ..texts import text
from .wrapping import lines


class SUREFOOT_UL_spots(UIList):
    """One line a spot: its name, its wait, whether it turns there."""

    bl_idname = "SUREFOOT_UL_spots"

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        _settings: object,
        spot: Any,
        _icon: int,
        _active_data: object,
        _active_name: str,
    ) -> None:
        """Name, wait and the turn."""
        lost = spot.aim == "OBJECT" and spot.target is None
        layout.use_property_split = layout.use_property_decorate = False
        halves = layout.split(factor=0.55)
        halves.prop(spot, "name", text="", emboss=False, icon="ERROR" if lost else "EMPTY_AXIS")
        row = halves.row(align=True)
        row.prop(spot, "wait", text="")
        row.prop(spot, "turns", text="", icon="ORIENTATION_GIMBAL", emboss=False)


def draw_route(layout: UILayout, settings: Any) -> None:
    """The list with its buttons, then the chosen spot."""
    row = layout.row()
    row.template_list("SUREFOOT_UL_spots", "", settings, "route", settings, "active_spot", rows=3)
    column = row.column(align=True)
    column.operator("surefoot.spot_add", icon="ADD", text="")
    column.operator("surefoot.spot_remove", icon="REMOVE", text="")
    column.separator()
    column.operator("surefoot.spot_move", icon="TRIA_UP", text="").direction = "UP"
    column.operator("surefoot.spot_move", icon="TRIA_DOWN", text="").direction = "DOWN"
    layout.prop(settings, "route_loops")
    if not settings.route:
        lines(layout, text("no_spots"), "ERROR")
    if not 0 <= settings.active_spot < len(settings.route):
        return
    spot = settings.route[settings.active_spot]
    layout.prop(spot, "aim")
    if spot.aim == "OBJECT":
        layout.prop(spot, "target")
    else:
        layout.prop(spot, "place")
    layout.prop(spot, "turns")
    if spot.turns and spot.aim == "PLACE":
        layout.prop(spot, "heading")
    layout.prop(spot, "pace")
    layout.prop(spot, "wait")
