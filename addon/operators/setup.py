"""Set Up: find legs, sides and roles of the active armature."""

from __future__ import annotations

import bpy
from bpy.types import Context, Operator

from ..refusal import RefusedError
from ..setup import setup
from ..texts import text
from .subject import OnArmature, subject


class SUREFOOT_OT_setup(OnArmature, Operator):
    """Find the legs, sides and roles of this armature, and list what was not understood."""

    bl_idname = "surefoot.setup"
    bl_label = "Set Up"
    bl_description = text("tip_setup")
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Set up the active armature in the current scene."""
        obj = subject(context)
        try:
            result = setup(obj, context.scene)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        kind = "set_up" if result.legs or not result.ready else "set_up_long"
        if result.problems:
            message = text(f"{kind}_problems", name=obj.name, legs=result.legs, count=len(result.problems))
            self.report({"WARNING"}, message)
        else:
            self.report({"INFO"}, text(kind, name=obj.name, legs=result.legs))
        if result.mapping:
            self.report({"INFO"}, text("mapping_used", mapping=result.mapping))
        return {"FINISHED"}


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_setup)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_setup)
