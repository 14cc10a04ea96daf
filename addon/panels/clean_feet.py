"""The panel of the clean-up of feet: the button, and what the last one did."""

from __future__ import annotations

import bpy
from bpy.types import Context, Panel

from ..clean_feet import CleanedFeet, cleaned_last, told_foot
from ..refusal import why_not_armature
from ..texts import text
from .tab import MODES, InTab, active
from .wrapping import lines

DRIFTS = 0.01
"""A floor that drifts by more is said, metres."""


class SUREFOOT_PT_clean_feet(InTab, Panel):
    """Feet held where they stand, on any armature with an Action."""

    bl_idname = "SUREFOOT_PT_clean_feet"
    bl_label = text("panel_clean_feet")
    bl_order = 20
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Wherever an armature is active that can be changed: it need not be a character."""
        return context.mode in MODES and not why_not_armature(active(context))

    def draw(self, context: Context) -> None:
        """The button, a line of what it does, then each foot's slide before and after."""
        layout = self.layout
        layout.operator("surefoot.clean_feet", text=text("clean_feet_button"), icon="SNAP_FACE")
        result = cleaned_last(active(context))
        if result is None:
            lines(layout, text("clean_feet_hint"))
            return
        for sentence in told(result):
            lines(layout, sentence)
        for note in result.notes:
            lines(layout, note, "INFO")


def told(result: CleanedFeet) -> list[str]:
    """Sentences about the floor, the body and each foot."""
    report = result.report
    said = [told_foot(foot) for foot in report.feet]
    said.append(text("clean_floor", floor=report.floor))
    if abs(report.drift) > DRIFTS:
        said.append(text("clean_drift", drift=1000.0 * report.drift))
    if report.lowered > 0.001:
        said.append(text("clean_lowered", lowered=1000.0 * report.lowered))
    return said


def register() -> None:
    """Show the panel."""
    bpy.utils.register_class(SUREFOOT_PT_clean_feet)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_PT_clean_feet)
