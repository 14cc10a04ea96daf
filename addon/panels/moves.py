"""The part of the tab that names an Action for each move that no gait has."""

from __future__ import annotations

from bpy.types import Context, Panel

from ..move_clips import has_moves
from ..move_properties import MOVE_CLIPS
from ..texts import text
from .tab import InTab, active


class SUREFOOT_PT_moves(InTab, Panel):
    """Actions for vaults, climbs, hanging and the like; without one each has a pose of its own."""

    bl_idname = "SUREFOOT_PT_moves"
    bl_parent_id = "SUREFOOT_PT_body"
    bl_label = text("panel_moves")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """One Action each; without effect on a character that does no such moves."""
        layout, chosen = self.layout, active(context).surefoot.moves
        layout.active = has_moves(active(context))
        layout.prop(chosen, "by_name")
        column = layout.column(align=True)
        for name in MOVE_CLIPS:
            column.prop(chosen, name)
