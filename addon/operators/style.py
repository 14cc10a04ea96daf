"""Style: set all sliders of a style at once, from what ships."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty
from bpy.types import Context, Menu, Operator

from ...core.presets import style_tables, style_values
from ..texts import text
from .subject import OnCharacter, subject

STYLES = [(name, table["title"], table["about"]) for name, table in style_tables().items()]


class SUREFOOT_OT_style(OnCharacter, Operator):
    """Set the sliders of a style; the seed stays."""

    bl_idname = "surefoot.style"
    bl_label = "Style"
    bl_description = text("tip_style")
    bl_options = {"REGISTER", "UNDO"}

    style: EnumProperty(name="Style", description="Which sliders are set", items=STYLES)

    def execute(self, context: Context) -> set[str]:
        """Set them on the active character."""
        settings = subject(context).surefoot
        for name, value in style_values(self.style).items():
            setattr(settings, name, value)
        return {"FINISHED"}


class SUREFOOT_MT_style(Menu):
    """All styles that ship."""

    bl_idname = "SUREFOOT_MT_style"
    bl_label = "Style"

    def draw(self, _context: Context) -> None:
        """One line a style."""
        for name, title, _about in STYLES:
            self.layout.operator(SUREFOOT_OT_style.bl_idname, text=title).style = name


CLASSES = (SUREFOOT_OT_style, SUREFOOT_MT_style)


def register() -> None:
    """Make operator and menu known."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister() -> None:
    """Take them away."""
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
