"""The part of the tab that says what moves through the level, and how it is driven."""

from __future__ import annotations

from dataclasses import fields

from bpy.types import Context, Panel

from ...core.control.movement import MovementConfig
from ...core.control.steering import SteeringConfig
from ..pad import PAD
from ..roster import is_carried
from ..texts import text
from .tab import InTab, active

MOVEMENT = tuple(item.name for item in fields(MovementConfig))
BESIDES = ("added_velocity", "field_influence", "push_bodies")
STEERING = tuple(item.name for item in fields(SteeringConfig))


class SUREFOOT_PT_body(InTab, Panel):
    """A point or a body with a shape; the numbers of its movement; what is pressed where it is driven."""

    bl_idname = "SUREFOOT_PT_body"
    bl_parent_id = "SUREFOOT_PT_motion"
    bl_label = text("panel_body")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """Only what has an effect as things are."""
        layout, settings = self.layout, active(context).surefoot
        shaped, driven = settings.body == "CAPSULE", settings.director == "INPUT"
        layout.active = not is_carried(active(context))
        layout.prop(settings, "body")
        if shaped:
            layout.prop(settings, "parkour")
        if shaped and settings.parkour:
            row = layout.row(align=True)
            row.prop(settings, "parkour_preset")
            row.prop(settings, "surroundings", text="", icon="OVERLAY")
        layout.operator("surefoot.drive", text=text("drive_button"), icon="PLAY")
        row = layout.row(align=True)
        row.operator("surefoot.send", text=text("send_button"), icon="RESTRICT_SELECT_OFF")
        row.operator("surefoot.stop_walk", icon="PAUSE")
        if settings.goal is not None:
            layout.prop(settings, "goal")
            layout.prop(settings, "sent")
        if driven:
            column = layout.column(align=True)
            for name in PAD:
                column.prop(settings, name)
        if shaped:
            for name in BESIDES:
                layout.column().prop(settings, name)
        if shaped or driven:
            layout.menu("SUREFOOT_MT_movement", text=text("movement_menu"), icon="PRESET")
        column = layout.column(align=True)
        for name in (*(MOVEMENT if shaped else ()), *(STEERING if driven else ())):
            column.prop(settings, name)
