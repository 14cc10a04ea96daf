"""Simulate: compute all frames up to the last one, so that scrubbing and exports see them."""

from typing import Any

import bpy
from bpy.props import IntProperty
from bpy.types import Context, Operator

from ..simulate import simulate_steps
from ..texts import text
from .long_job import Job, LongJob
from .subject import OnCharacter, subject


class SUREFOOT_OT_simulate(LongJob, OnCharacter, Operator):
    """Compute all frames up to the end of the scene's range; Esc stops and keeps what is there."""

    bl_idname = "surefoot.simulate"
    bl_label = "Simulate"
    bl_description = text("tip_simulate")
    bl_options = {"REGISTER"}

    frame_end: IntProperty(
        name="End",
        description="The last frame to compute; not given, the end of the scene's range",
        default=250,
        options={"SKIP_SAVE"},
    )

    def job(self, context: Context) -> Job:
        """Fill the cache of the active character and of those whom it follows."""
        obj = subject(context)
        self.who = obj.name
        end = self.frame_end if self.properties.is_property_set("frame_end") else context.scene.frame_end
        return simulate_steps(obj, end)

    def done(self, result: Any) -> str:
        """How far it is known now."""
        return text("simulated", name=self.who, frame=result)


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_simulate)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_simulate)
