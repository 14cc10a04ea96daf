"""Settings that are set many at once, from what ships: styles, and movements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import bpy
from bpy.props import EnumProperty
from bpy.types import Context, Menu, Operator

from ...core.movement_presets import movement_tables, movement_values
from ...core.presets import style_tables, style_values
from ..texts import text
from .subject import OnCharacter, subject

Items = list[tuple[str, str, str]]


def _items(tables: dict[str, dict[str, Any]]) -> Items:
    """What there is to choose from: name, title, what it is."""
    return [(name, table["title"], table["about"]) for name, table in tables.items()]


STYLES, MOVEMENTS = _items(style_tables()), _items(movement_tables())


class _Sets(OnCharacter):
    """A mixin: sets on the active character what the preset says that its property `choice` names."""

    choice: ClassVar[str]
    values: ClassVar[Callable[[str], dict[str, float]]]

    def execute(self, context: Context) -> set[str]:
        """Set them all."""
        settings = subject(context).surefoot
        for name, value in type(self).values(getattr(self, self.choice)).items():
            setattr(settings, name, value)
        return {"FINISHED"}


class _Lists:
    """A mixin: one line for each of an operator's presets."""

    operator: ClassVar[type]
    items: ClassVar[Items]

    def draw(self, _context: Context) -> None:
        """The titles."""
        for name, title, _about in self.items:
            setattr(self.layout.operator(self.operator.bl_idname, text=title), self.operator.choice, name)


class SUREFOOT_OT_style(_Sets, Operator):
    """Set the sliders of a style; the seed stays."""

    bl_idname = "surefoot.style"
    bl_label = "Style"
    bl_description = text("tip_style")
    bl_options = {"REGISTER", "UNDO"}
    choice, values = "style", staticmethod(style_values)

    style: EnumProperty(name="Style", description="Which sliders are set", items=STYLES)


class SUREFOOT_MT_style(_Lists, Menu):
    """All styles that ship."""

    bl_idname = "SUREFOOT_MT_style"
    bl_label = "Style"
    operator, items = SUREFOOT_OT_style, STYLES


class SUREFOOT_OT_movement(_Sets, Operator):
    """Set the numbers of a movement."""

    bl_idname = "surefoot.movement"
    bl_label = "Movement"
    bl_description = text("tip_movement")
    bl_options = {"REGISTER", "UNDO"}
    choice, values = "movement", staticmethod(movement_values)

    movement: EnumProperty(name="Movement", description="Which numbers are set", items=MOVEMENTS)


class SUREFOOT_MT_movement(_Lists, Menu):
    """All movements that ship."""

    bl_idname = "SUREFOOT_MT_movement"
    bl_label = "Movement"
    operator, items = SUREFOOT_OT_movement, MOVEMENTS


register, unregister = bpy.utils.register_classes_factory(
    (SUREFOOT_OT_style, SUREFOOT_MT_style, SUREFOOT_OT_movement, SUREFOOT_MT_movement)
)
