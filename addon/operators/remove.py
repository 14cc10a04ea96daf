"""Remove: make the character an ordinary armature again."""

from __future__ import annotations

import bpy
from bpy.types import Context, Operator

from ..setup import remove
from ..texts import text
from .subject import OnCharacter, subject


class SUREFOOT_OT_remove(OnCharacter, Operator):
    """End the preview, put pose and Action back, and forget all settings of this character."""

    bl_idname = "surefoot.remove"
    bl_label = "Remove"
    bl_description = text("tip_remove")
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Remove the active character; baked Actions stay."""
        obj = subject(context)
        remove(obj)
        self.report({"INFO"}, text("removed", name=obj.name))
        return {"FINISHED"}


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_remove)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_remove)
