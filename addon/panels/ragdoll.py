"""The bodies that physics has, one line each: size, weight, shape, how far the joint goes; mirrored, saved, shown."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Object, Panel, UILayout, UIList

from ..ragdoll_plan import shown_of
from ..texts import text
from .tab import InTab, active
from .wrapping import lines

ROWS = 6


class SUREFOOT_UL_ragdoll_bodies(UIList):
    """One line a body: its role, whether its limits are its own, whether there is one."""

    bl_idname = "SUREFOOT_UL_ragdoll_bodies"

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        _settings: object,
        line: Any,
        _icon: int,
        _active_data: object,
        _active_name: str,
    ) -> None:
        """Role and switches."""
        row = layout.row(align=True)
        row.active = not line.off
        row.label(text=line.name)
        row.prop(line, "own_limits", text="", icon="CON_ROTLIMIT", emboss=False)
        row.prop(line, "off", text="", icon="HIDE_ON" if line.off else "HIDE_OFF", emboss=False)


class SUREFOOT_PT_ragdoll(InTab, Panel):
    """Build, the list, the chosen body."""

    bl_idname = "SUREFOOT_PT_ragdoll"
    bl_parent_id = "SUREFOOT_PT_fall"
    bl_label = text("panel_ragdoll")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """What there is, then what can be changed of the chosen one."""
        layout, obj = self.layout, active(context)
        settings = obj.surefoot
        layout.operator("surefoot.ragdoll_build", icon="MOD_PHYSICS")
        if not len(settings.ragdoll_bodies):
            lines(layout, text("ragdoll_not_built"), "INFO")
            return
        built = shown_of(obj, context.scene)
        if built is not None:
            plan = built.plan
            layout.label(text=text("ragdoll_counts", bodies=len(plan.bodies), mass=plan.mass, height=plan.height))
            for note in plan.notes:
                lines(layout, note, "ERROR")
        layout.prop(settings, "ragdoll_mass")
        layout.prop(settings, "ragdoll_chains")
        row = layout.row(align=True)
        row.prop(settings, "ragdoll_show", toggle=True, icon="OVERLAY")
        row.prop(settings, "ragdoll_show_limits", toggle=True, icon="CON_ROTLIMIT")
        row = layout.row()
        row.template_list(
            "SUREFOOT_UL_ragdoll_bodies", "", settings, "ragdoll_bodies", settings, "active_ragdoll_body", rows=ROWS
        )
        column = row.column(align=True)
        column.operator("surefoot.ragdoll_mirror", icon="MOD_MIRROR", text="")
        column.operator("surefoot.ragdoll_reset", icon="LOOP_BACK", text="")
        column.separator()
        column.operator("surefoot.ragdoll_save", icon="FILE_TICK", text="")
        column.menu("SUREFOOT_MT_saved_ragdolls", icon="FILE_FOLDER", text="")
        _draw_chosen(layout, obj)
        layout.operator("surefoot.ragdoll_show_objects", icon="OUTLINER_COLLECTION")
        if settings.ragdoll_collection is not None:
            layout.operator("surefoot.ragdoll_hide_objects", icon="X")


def _draw_chosen(layout: UILayout, obj: Object) -> None:
    settings = obj.surefoot
    if not 0 <= settings.active_ragdoll_body < len(settings.ragdoll_bodies):
        return
    line = settings.ragdoll_bodies[settings.active_ragdoll_body]
    column = layout.column()
    column.active = not line.off
    for name in ("shape", "size", "offset", "mass"):
        column.prop(line, name)
    column.separator()
    if settings.active_ragdoll_body == 0:
        lines(column, text("ragdoll_no_joint"), "INFO")
        return
    column.prop(line, "friction")
    column.prop(line, "own_limits", text=text("ragdoll_limits_of", role=line.name))
    limits = column.column(align=True)
    limits.active = line.own_limits
    limits.label(text=text("ragdoll_axes"))
    limits.row().prop(line, "low")
    limits.row().prop(line, "high")
