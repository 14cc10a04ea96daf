"""Actions by which the character gets up, marked and unmarked."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Object, Operator

from ..fall_properties import STYLES
from ..get_up_marks import get_up_remove, mark_get_up
from ..refusal import RefusedError
from ..texts import text
from .subject import OnCharacter, Refusing


class SUREFOOT_OT_get_up_mark(Refusing, OnCharacter, Operator):
    """Mark an Action as a get-up of the character."""

    bl_idname = "surefoot.get_up_mark"
    bl_label = "Mark as Get-Up"
    bl_description = text("tip_get_up_mark")
    bl_options = {"REGISTER", "UNDO"}
    bl_property = "action"

    action: StringProperty(name="Action", description="Its name; not given, the one that the armature plays")
    style: EnumProperty(name="Style", description="How it gets up", items=[item[:3] for item in STYLES])

    def change(self, obj: Object, _context: Context) -> None:
        """Add it to the list."""
        playing = obj.animation_data.action if obj.animation_data is not None else None
        action = bpy.data.actions.get(self.action) if self.action else obj.surefoot.action_before or playing
        if action is None:
            raise RefusedError(text("get_up_no_action", name=obj.name))
        entry = mark_get_up(obj, action, style=self.style)
        told = {"action": action.name, "lying": entry.lying, "standing": entry.standing}
        self.report({"INFO"}, text("get_up_marked", name=obj.name, **told))


class SUREFOOT_OT_get_up_remove(Refusing, OnCharacter, Operator):
    """Take the chosen Action out of the list."""

    bl_idname = "surefoot.get_up_remove"
    bl_label = "Remove Get-Up"
    bl_description = text("tip_get_up_remove")
    bl_options = {"REGISTER", "UNDO"}

    place: IntProperty(
        name="Place", description="Its number in the list; not given, the chosen one", min=0, options={"SKIP_SAVE"}
    )

    def change(self, obj: Object, _context: Context) -> None:
        """Remove it."""
        given = self.properties.is_property_set("place")
        get_up_remove(obj, self.place if given else obj.surefoot.active_get_up)


OPERATORS = (SUREFOOT_OT_get_up_mark, SUREFOOT_OT_get_up_remove)


def register() -> None:
    """Declare the operators."""
    for item in OPERATORS:
        bpy.utils.register_class(item)


def unregister() -> None:
    """Take them away again."""
    for item in reversed(OPERATORS):
        bpy.utils.unregister_class(item)
