"""Set Action Aside: take the rig's own Action off where it moves other things beside the walk."""

from __future__ import annotations

import bpy
from bpy.types import Context, Operator

from ..action_aside import set_aside, why_no_action
from ..refusal import RefusedError
from ..texts import text
from .subject import available, subject


class SUREFOOT_OT_set_action_aside(Operator):
    """Take the rig's Action off, so that only the walk moves it; the Action stays in the file."""

    bl_idname = "surefoot.set_action_aside"
    bl_label = "Set Action Aside"
    bl_description = text("tip_set_action_aside")
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Says in a sentence why not."""
        return available(cls, why_no_action(subject(context)))

    def execute(self, context: Context) -> set[str]:
        """Set the active armature's Action aside."""
        obj = subject(context)
        try:
            action = set_aside(obj)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.report({"INFO"}, text("action_set_aside", name=obj.name, action=action))
        return {"FINISHED"}


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_set_action_aside)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_set_action_aside)
