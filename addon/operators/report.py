"""Report: measure what the feet do."""

from typing import Any

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Event, Menu, Object, Operator

from ...core.measure.gait_chart import PAIR
from ..refusal import RefusedError
from ..report import report, write_report
from ..texts import text
from .frame_range import OverFrames
from .subject import OnAnyArmature, subject

AS_ASKED = 0.0005
"""The share under which a speed's error would be shown as none."""


class SUREFOOT_OT_report(OverFrames, OnAnyArmature, Operator):
    """Measure slide, ground clearance and gait of the preview or of the Action, and write them as JSON."""

    bl_idname = "surefoot.report"
    bl_label = "Report"
    bl_description = text("tip_report")
    bl_options = {"REGISTER"}
    result: Any = None

    filepath: StringProperty(
        name="File",
        description="Where to write the JSON; empty only shows the summary",
        subtype="FILE_PATH",
        options={"SKIP_SAVE", "PATH_SUPPORTS_BLEND_RELATIVE"},
    )
    filter_glob: StringProperty(default="*.json", options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the file where one is wanted, else show the summary beside the pointer."""
        if self.choose_file:
            self.filepath = text("report_file", name=bpy.path.clean_name(subject(context).name))
            context.window_manager.fileselect_add(self)
            return {"RUNNING_MODAL"}
        done = self.execute(context)
        if done == {"FINISHED"} and not bpy.app.background:
            shown, name = summary(self.result), subject(context).name

            def draw(menu: Menu, _context: Context) -> None:
                for line in shown:
                    menu.layout.label(text=line)

            title = text("report_title", name=name, start=self.result["frame_start"], end=self.result["frame_end"])
            context.window_manager.popup_menu(draw, title=title, icon="TEXT")
        return done

    path: StringProperty(
        name="Path",
        description="A curve object to compare the footprints with; not given, the character's own path",
        options={"SKIP_SAVE"},
    )

    def _path(self, context: Context) -> Object | None:
        if not self.path:
            return None
        found = context.scene.objects.get(self.path)
        if found is None or found.type != "CURVE":
            raise RefusedError(text("no_such_curve", name=self.path, scene=context.scene.name))
        return found

    def execute(self, context: Context) -> set[str]:
        """Measure the active character over a range."""
        scene = context.scene
        start, end = self.frames(scene)
        obj = subject(context)
        try:
            result = report(obj, scene, start, end, self._path(context))
            if self.filepath:
                write_report(result, bpy.path.abspath(self.filepath))
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.result = result
        feet = result["feet"]
        slide = max((foot["slide_max_m"] for foot in feet.values()), default=0.0)
        done = text("reported", name=obj.name, feet=len(feet), slide=slide * 1000.0)
        self.report({"INFO"}, done if feet else text("reported_no_feet", name=obj.name))
        return {"FINISHED"}


def summary(result: dict[str, Any]) -> list[str]:
    """The report in a few lines: one a foot, then the speed; what could not be measured with the reason."""
    lines = [
        text("report_foot", role=role, stance=_stance(foot), stride=_stride(foot, len(result["feet"])))
        for role, foot in result["feet"].items()
    ]
    error = result["speed_error"]
    if error is not None:
        kind = "report_as_asked" if abs(error) < AS_ASKED else "report_slower" if error < 0.0 else "report_faster"
        lines.append(text(kind, error=abs(error)))
    return lines


def _stance(foot: dict[str, Any]) -> str:
    if not foot["contacts"]:
        return text("report_never_down")
    slide = 1000.0 * foot["slide_max_m"]
    below = [span["below_m"] for span in foot["contacts"] if span["below_m"] is not None]
    above = [span["above_m"] for span in foot["contacts"] if span["above_m"] is not None]
    if not below or not above:
        return text("report_no_ground", slide=slide)
    return text("report_stance", slide=slide, below=1000.0 * max(below), above=1000.0 * max(above))


def _stride(foot: dict[str, Any], feet: int) -> str:
    duty, cadence = foot["duty_factor"], foot["cadence_spm"]
    if duty is None or cadence is None:
        return text("report_no_stride")
    return text("report_stride" if feet <= PAIR else "report_stride_of_pair", duty=duty, cadence=cadence)


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_report)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_report)
