"""The pose adjustment: keep how the rig is posed, or forget what was kept."""

from __future__ import annotations

import bpy
from bpy.types import Context, Operator

from ..adjustment import clear_adjustment, take_adjustment
from ..filling import Walk
from ..performers import performers, pose_shown, reading_of
from ..refusal import RefusedError, depsgraph_of, layer_of
from ..texts import text
from .subject import OnCharacter, subject


class SUREFOOT_OT_adjustment_take(OnCharacter, Operator):
    """Keep how the rig is posed as its adjustment."""

    bl_idname = "surefoot.adjustment_take"
    bl_label = "Keep Pose as Adjustment"
    bl_description = text("tip_adjustment_take")
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Take it."""
        obj = subject(context)
        known = performers.get(obj.session_uid)
        # What was turned is evaluated now, and must not be shown over by the handler that hears of it.
        outer, Walk.busy = Walk.busy, True
        try:
            layer_of(context.scene).update()
            reading = known.reading if known is not None else reading_of(obj, depsgraph_of(context.scene))
            take_adjustment(obj, context.scene, reading, pose_shown(obj, context.scene))
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        finally:
            Walk.busy = outer
        return {"FINISHED"}


class SUREFOOT_OT_adjustment_clear(OnCharacter, Operator):
    """Forget the adjustment."""

    bl_idname = "surefoot.adjustment_clear"
    bl_label = "Clear Adjustment"
    bl_description = text("tip_adjustment_clear")
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Clear it."""
        clear_adjustment(subject(context))
        return {"FINISHED"}


CLASSES = (SUREFOOT_OT_adjustment_take, SUREFOOT_OT_adjustment_clear)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
