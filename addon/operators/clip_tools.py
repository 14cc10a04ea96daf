"""Loops, mirror images, and other ranges and rates of the active armature's Action: one operator each."""

from __future__ import annotations

from math import degrees
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty
from bpy.types import Object, Operator

from ..action_edit import Which
from ..join_loop import join_loop
from ..mirror_motion import mirror
from ..retime import resample, trim
from ..texts import text
from .on_action import OnAction

LAST_FRAMES = (
    ("AUTO", "Found", "As the clip has it: most loops end on a copy of their first frame, some one frame before it"),
    ("FIRST_AGAIN", "First Again", "The last frame is, or is made, the first one again"),
    ("ONE_BEFORE", "One Before First", "The first frame comes after the last one, and is added"),
)
GOES_ON = (
    ("HOLD", "Hold", "After its last key nothing moves any more"),
    ("CYCLE", "Repeat", "All goes on round after round, and travel gets farther"),
)


class SUREFOOT_OT_join_loop(OnAction, Operator):
    """A clip closed to a loop."""

    bl_idname = "surefoot.join_loop"
    bl_label = "Join Loop"
    bl_description = text("tip_join_loop")
    bl_options = {"REGISTER", "UNDO"}

    frame_start: FloatProperty(
        name="Start", description="The loop's first frame; not given, the Action's", options={"SKIP_SAVE"}
    )
    frame_end: FloatProperty(
        name="End", description="The last frame that is looked at; not given, the Action's", options={"SKIP_SAVE"}
    )
    last_frame: EnumProperty(name="Last Frame", description="What the last frame is to the first", items=LAST_FRAMES)
    blend_seconds: FloatProperty(
        name="Blend",
        description="How far from the seam on both sides the ends are led to each other, at most half the loop. Too "
        "short, they jerk",
        default=0.5,
        min=0.0,
        soft_max=2.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    extrapolation: EnumProperty(name="Afterwards", description="What comes after the loop's end", items=GOES_ON)

    def changed(self, obj: Object, which: Which) -> Any:
        """Close it."""
        given = self.properties.is_property_set
        joined = join_loop(
            obj,
            which,
            self.frame_start if given("frame_start") else None,
            self.frame_end if given("frame_end") else None,
            last_frame=self.last_frame,
            blend_seconds=self.blend_seconds,
            extrapolation=self.extrapolation,
        )
        before, after = joined.before, joined.after
        self.report(
            {"INFO"},
            text(
                "root_seam",
                frames=joined.frames,
                place=before.place * 100.0,
                turn=degrees(before.turn),
                velocity=before.velocity,
                closed=after.place * 100.0,
                turned=degrees(after.turn),
                faster=after.velocity,
            ),
        )
        return joined


class SUREFOOT_OT_mirror(OnAction, Operator):
    """Left for right."""

    bl_idname = "surefoot.mirror"
    bl_label = "Mirror"
    bl_description = text("tip_mirror")
    bl_options = {"REGISTER", "UNDO"}

    half_cycle: BoolProperty(
        name="Half a Cycle Later",
        description="Of a loop: taken half a round later, so that an even gait stays in step with what it was",
        default=False,
    )

    def changed(self, obj: Object, which: Which) -> Any:
        """Mirror."""
        return mirror(obj, which, half_cycle=self.half_cycle)


class SUREFOOT_OT_trim(OnAction, Operator):
    """An Action between two frames."""

    bl_idname = "surefoot.trim"
    bl_label = "Trim"
    bl_description = text("tip_trim")
    bl_options = {"REGISTER", "UNDO"}

    frame_start: FloatProperty(
        name="Start", description="The first frame that is kept; not given, the Action's", options={"SKIP_SAVE"}
    )
    frame_end: FloatProperty(
        name="End", description="The last frame that is kept; not given, the Action's", options={"SKIP_SAVE"}
    )
    move_to: FloatProperty(
        name="Move To", description="Where the first kept frame goes; not given, it stays", options={"SKIP_SAVE"}
    )

    def changed(self, obj: Object, which: Which) -> Any:
        """Trim."""
        given = self.properties.is_property_set
        names = ("frame_start", "frame_end", "move_to")
        return trim(obj, which, *(getattr(self, name) if given(name) else None for name in names))


class SUREFOOT_OT_resample(OnAction, Operator):
    """An Action at another rate."""

    bl_idname = "surefoot.resample"
    bl_label = "Resample"
    bl_description = text("tip_resample")
    bl_options = {"REGISTER", "UNDO"}

    fps: FloatProperty(
        name="Samples a Second",
        description="How many samples a second are keyed: 30, 59.94, 60, 120; 0: the scene's frame rate",
        default=0.0,
        min=0.0,
        soft_max=240.0,
    )
    source_fps: FloatProperty(
        name="Captured At",
        description="How many of the Action's frames make a second: a clip that was imported frame by frame goes at "
        "its own speed then; 0: as the scene plays it",
        default=0.0,
        min=0.0,
        soft_max=240.0,
    )

    def changed(self, obj: Object, which: Which) -> Any:
        """Resample."""
        return resample(obj, which, self.fps or None, self.source_fps or None)


CLASSES = (SUREFOOT_OT_join_loop, SUREFOOT_OT_mirror, SUREFOOT_OT_trim, SUREFOOT_OT_resample)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
