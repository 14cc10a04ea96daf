"""The panel of many motions: its buttons, and a line for each motion of the last batch."""

from __future__ import annotations

import bpy
from bpy.types import Context, Panel

from ...core.retarget.config import RetargetConfig
from ..batch_table import BatchResult, told_batch
from ..refusal import why_not_armature
from ..retarget_batch import batch_last
from ..texts import text
from .retarget import config_names
from .tab import MODES, InTab, active
from .wrapping import lines

OPTIONS = ("resample", "recursive", "place", "carrier", "limbs", *config_names(RetargetConfig), "tolerance")
MOST_LINES = 60


class SUREFOOT_PT_retarget_batch(InTab, Panel):
    """All Actions of the source, or a folder of files."""

    bl_idname = "SUREFOOT_PT_retarget_batch"
    bl_parent_id = "SUREFOOT_PT_retarget"
    bl_label = text("panel_batch")
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 10

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Wherever an armature is active that can be changed."""
        return context.mode in MODES and not why_not_armature(active(context))

    def draw(self, context: Context) -> None:
        """The two buttons with their options; then what came of each motion."""
        layout, obj = self.layout, active(context)
        options = context.window_manager.operator_properties_last("surefoot.retarget_batch")
        column = layout.column(align=True)
        row = column.row(align=True)
        row.enabled = obj.surefoot.source is not None
        row.operator("surefoot.retarget_batch", text=text("batch_actions_button"), icon="ACTION")
        column.operator("surefoot.retarget_batch", text=text("batch_folder_button"), icon="FILE_FOLDER").pick = True
        layout.use_property_split = True
        for name in OPTIONS:
            layout.prop(options, name)
        result = batch_last(obj)
        lines(layout, text("batch_hint") if result is None else told_batch(result))
        if result is not None:
            layout.operator("surefoot.retarget_table", text=text("batch_table_button"), icon="FILE_TEXT")
            _draw_rows(layout, result)


def _draw_rows(layout: bpy.types.UILayout, result: BatchResult) -> None:
    """Those that failed first, each with its reason; then the new Actions."""
    for row in result.failed[:MOST_LINES]:
        lines(layout, f"{row.source}: {row.reason}", "ERROR")
    column = layout.column(align=True)
    for row in result.done[:MOST_LINES]:
        slide = "" if row.slide_after is None else text("batch_slide", slide=1000.0 * row.slide_after)
        column.label(text=f"{row.action}{slide}", icon="CHECKMARK")
    more = len(result.done) - MOST_LINES
    if more > 0:
        column.label(text=text("and_more", count=more))


def register() -> None:
    """Show the panel."""
    bpy.utils.register_class(SUREFOOT_PT_retarget_batch)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_PT_retarget_batch)
