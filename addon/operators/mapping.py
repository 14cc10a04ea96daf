"""The mapping by hand: lines that name a bone for a role."""

from __future__ import annotations

import bpy
from bpy.types import Context, Operator

from ..texts import text
from .subject import OnArmature, subject


class SUREFOOT_OT_correction_add(OnArmature, Operator):
    """Add a line that names a bone for a role; in Pose Mode it takes the active bone."""

    bl_idname = "surefoot.correction_add"
    bl_label = "Add"
    bl_description = text("tip_correction_add")
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """A new line at the end, chosen."""
        obj = subject(context)
        settings = obj.surefoot
        line = settings.corrections.add()
        active = obj.data.bones.active
        line.bone = active.name if active is not None and obj.mode == "POSE" else ""
        settings.active_correction = len(settings.corrections) - 1
        return {"FINISHED"}


class SUREFOOT_OT_correction_remove(OnArmature, Operator):
    """Remove the chosen line."""

    bl_idname = "surefoot.correction_remove"
    bl_label = "Remove"
    bl_description = text("tip_correction_remove")
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """The chosen line goes, the one before it is chosen."""
        settings = subject(context).surefoot
        place = settings.active_correction
        if not 0 <= place < len(settings.corrections):
            return {"CANCELLED"}
        settings.corrections.remove(place)
        settings.active_correction = max(0, place - 1)
        return {"FINISHED"}


CLASSES = (SUREFOOT_OT_correction_add, SUREFOOT_OT_correction_remove)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
