"""Gait chart: draw which foot is down when."""

from typing import Any

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Event, Operator

from ...core.measure.chart_image import headline, why_empty
from ..gait_chart import chart_image, gait_chart, write_chart
from ..refusal import RefusedError
from ..texts import text
from .frame_range import OverFrames
from .subject import OnAnyArmature, subject


class SUREFOOT_OT_gait_chart(OverFrames, OnAnyArmature, Operator):
    """Draw a Hildebrand diagram of the preview or of the Action, as an image of this file or as a PNG."""

    bl_idname = "surefoot.gait_chart"
    bl_label = "Gait Chart"
    bl_description = text("tip_gait_chart")
    bl_options = {"REGISTER", "UNDO"}
    result: Any = None

    filepath: StringProperty(
        name="File",
        description="Where to write the PNG; empty makes an image in this file, for the Image Editor",
        subtype="FILE_PATH",
        options={"SKIP_SAVE", "PATH_SUPPORTS_BLEND_RELATIVE"},
    )
    filter_glob: StringProperty(default="*.png", options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the file where one is wanted."""
        if not self.choose_file:
            return self.execute(context)
        self.filepath = f"{text('chart_name', name=bpy.path.clean_name(subject(context).name))}.png"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: Context) -> set[str]:
        """Chart the active armature over a range."""
        scene, obj = context.scene, subject(context)
        start, end = self.frames(scene)
        try:
            chart = gait_chart(obj, scene, start, end)
            if self.filepath:
                write_chart(chart, bpy.path.abspath(self.filepath))
            else:
                chart_image(chart, text("chart_name", name=obj.name))
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.result = chart
        level = "WARNING" if why_empty(chart) else "INFO"
        self.report({level}, text("charted", name=obj.name, line=headline(chart).lower()))
        return {"FINISHED"}


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_gait_chart)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_gait_chart)
