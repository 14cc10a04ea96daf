"""Report: measure what the feet do."""

import bpy
from bpy.props import IntProperty, StringProperty
from bpy.types import Context, Operator

from ..refusal import RefusedError
from ..report import report, write_report
from ..texts import text
from .subject import OnArmature, subject


class SUREFOOT_OT_report(OnArmature, Operator):
    """Measure slide, ground clearance and gait of the preview or of the Action, and write them as JSON."""

    bl_idname = "surefoot.report"
    bl_label = "Report"
    bl_description = text("tip_report")
    bl_options = {"REGISTER"}

    filepath: StringProperty(
        name="File", description="Where to write the JSON; empty only shows the summary", subtype="FILE_PATH"
    )
    frame_start: IntProperty(
        name="Start", description="The first frame; not given, the scene's", default=1, options={"SKIP_SAVE"}
    )
    frame_end: IntProperty(
        name="End", description="The last frame; not given, the scene's", default=250, options={"SKIP_SAVE"}
    )

    def execute(self, context: Context) -> set[str]:
        """Measure the active character over a range."""
        scene = context.scene
        start = self.frame_start if self.properties.is_property_set("frame_start") else scene.frame_start
        end = self.frame_end if self.properties.is_property_set("frame_end") else scene.frame_end
        obj = subject(context)
        try:
            result = report(obj, scene, start, end)
            if self.filepath:
                write_report(result, bpy.path.abspath(self.filepath))
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        feet = result["feet"]
        slide = max((foot["slide_max_m"] for foot in feet.values()), default=0.0)
        self.report({"INFO"}, text("reported", name=obj.name, feet=len(feet), slide=slide * 1000.0))
        return {"FINISHED"}


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_report)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_report)
