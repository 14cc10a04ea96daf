"""Root motion in the sidebar: what can be done to the Action of the active armature, set up or not."""

from __future__ import annotations

from bpy.types import Context, Panel

from ..refusal import why_not_armature
from ..texts import text
from .tab import MODES, InTab, active
from .wrapping import lines

GROUPS = (
    (
        ("surefoot.root_extract", "TRACKING_FORWARDS_SINGLE"),
        ("surefoot.root_put_back", "TRACKING_BACKWARDS_SINGLE"),
        ("surefoot.in_place", "PINNED"),
        ("surefoot.remove_lift", "SORT_ASC"),
        ("surefoot.straighten_heading", "ORIENTATION_VIEW"),
    ),
    (
        ("surefoot.join_loop", "FILE_REFRESH"),
        ("surefoot.mirror", "MOD_MIRROR"),
        ("surefoot.trim", "PREVIEW_RANGE"),
        ("surefoot.resample", "TIME"),
    ),
)


class SUREFOOT_PT_root_motion(InTab, Panel):
    """Travel and time of an Action."""

    bl_idname = "SUREFOOT_PT_root_motion"
    bl_label = text("panel_root_motion")
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Wherever an armature is active: it need not be a character."""
        return context.mode in MODES and not why_not_armature(active(context))

    def draw(self, context: Context) -> None:
        """Which Action it is about, and the buttons."""
        layout, animation = self.layout, active(context).animation_data
        action = animation.action if animation is not None else None
        if action is None:
            lines(layout, text("root_panel_none"), "INFO")
        else:
            layout.label(text=action.name, icon="ACTION")
        for group in GROUPS:
            column = layout.column(align=True)
            column.enabled = action is not None
            for name, icon in group:
                column.operator(name, icon=icon)
        lines(layout, text("root_panel_hint"))
