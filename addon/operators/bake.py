"""Bake: what the preview shows, as an ordinary Action."""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty
from bpy.types import Context, Operator

from ..bake import BakeOptions, bake_steps
from ..properties import TRAVELS
from ..texts import text
from .long_job import Job, LongJob
from .subject import OnCharacter, subject

KEEP_TRAVEL = ("SETTING", "As Set", "What the character's settings say", 100)


class SUREFOOT_OT_bake(LongJob, OnCharacter, Operator):
    """Write the walk into an Action of its own and end the preview; everything else stays as it is."""

    bl_idname = "surefoot.bake"
    bl_label = "Bake"
    bl_description = text("tip_bake")
    bl_options = {"REGISTER", "UNDO"}

    frame_start: IntProperty(
        name="Start",
        description="The first frame; not given, the character's start frame",
        default=1,
        options={"SKIP_SAVE"},
    )
    frame_end: IntProperty(
        name="End",
        description="The last frame; not given, the end of the scene's range",
        default=250,
        options={"SKIP_SAVE"},
    )
    step: IntProperty(
        name="Step", description="Frames from key to key; the last frame is always keyed", default=1, min=1
    )
    travel: EnumProperty(
        items=(KEEP_TRAVEL, *TRAVELS),
        name="Travel",
        description="What carries the motion through space in the Action",
        default="SETTING",
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Keys are left out where each channel stays within this of its value; 0 keeps every key",
        default=0.0,
        min=0.0,
        soft_max=0.01,
        precision=5,
    )
    markers: BoolProperty(
        name="Contact Markers", description="Pose markers in the Action where each foot lands and lifts", default=False
    )
    replace: BoolProperty(
        name="Replace Last Bake", description="Write into the Action of the last bake, if the rig has it", default=False
    )

    def job(self, context: Context) -> Job:
        """Fill the cache, then write; nothing is changed before all frames are known."""
        obj, given = subject(context), self.properties.is_property_set
        self.who = obj.name
        options = BakeOptions(
            frame_start=self.frame_start if given("frame_start") else obj.surefoot.frame_start,
            frame_end=self.frame_end if given("frame_end") else context.scene.frame_end,
            step=self.step,
            travel="" if self.travel == "SETTING" else self.travel,
            tolerance=self.tolerance,
            markers=self.markers,
            replace=self.replace,
        )
        return bake_steps(obj, options)

    def done(self, result: Any) -> str:
        """The Action's name and length; beside it as a warning, what to know of it."""
        if result.notes:
            self.report({"WARNING"}, "\n".join(result.notes))
        return text("baked", name=self.who, frames=result.frames, action=result.action)


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_bake)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_bake)
