"""Movement: set all numbers of a walking capsule and of its steering at once, from what ships."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty
from bpy.types import Context, Menu, Operator

from ...core.movement_presets import movement_tables, movement_values
from ..texts import text
from .subject import OnCharacter, subject

MOVEMENTS = [(name, table["title"], table["about"]) for name, table in movement_tables().items()]


class SUREFOOT_OT_movement(OnCharacter, Operator):
    """Set the numbers of a movement."""

    bl_idname = "surefoot.movement"
    bl_label = "Movement"
    bl_description = text("tip_movement")
    bl_options = {"REGISTER", "UNDO"}

    movement: EnumProperty(name="Movement", description="Which numbers are set", items=MOVEMENTS)

    def execute(self, context: Context) -> set[str]:
        """Set them on the active character."""
        settings = subject(context).surefoot
        for name, value in movement_values(self.movement).items():
            setattr(settings, name, value)
        return {"FINISHED"}


class SUREFOOT_MT_movement(Menu):
    """All movements that ship."""

    bl_idname = "SUREFOOT_MT_movement"
    bl_label = "Movement"

    def draw(self, _context: Context) -> None:
        """One line a movement."""
        for name, title, _about in MOVEMENTS:
            self.layout.operator(SUREFOOT_OT_movement.bl_idname, text=title).movement = name


CLASSES = (SUREFOOT_OT_movement, SUREFOOT_MT_movement)


def register() -> None:
    """Make operator and menu known."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    """Take them away."""
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
