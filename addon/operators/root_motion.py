"""Root motion, loops, mirror images and other rates of the active armature's Action: one operator each."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Context, Object, Operator, UILayout

from ..action_edit import Which
from ..join_loop import join_loop
from ..mirror_motion import mirror
from ..refusal import RefusedError
from ..retime import resample, trim
from ..root_motion import in_place, remove_lift, root_extract, root_put_back, straighten_heading
from ..texts import text
from .subject import OnArmature, subject

AXES = (
    ("X", "X", "Across, along the world's X (of a root bone: along its rest pose's left)", 1),
    ("Y", "Y", "Along the world's Y (of a root bone: along its rest pose's back)", 2),
    ("Z", "Z", "Up and down", 4),
    ("YAW", "Yaw", "Turns about the upright axis", 8),
)
CARRIERS = (
    ("AUTO", "Root Bone or Object", "The root bone where the rig has one, else the object"),
    ("ROOT_BONE", "Root Bone", "The rig's root bone"),
    ("OBJECT", "Object", "The armature object"),
)
TOWARD = (
    ("FIRST", "As It Begins", "Along the direction in which the travel begins"),
    ("-Y", "-Y", "Along the world's -Y"),
    ("Y", "Y", "Along the world's Y"),
    ("X", "X", "Along the world's X"),
    ("-X", "-X", "Along the world's -X"),
)
LAST_FRAMES = (
    ("AUTO", "Found", "As the clip has it: most loops end on a copy of their first frame, some one frame before it"),
    ("FIRST_AGAIN", "First Again", "The last frame is, or is made, the first one again"),
    ("ONE_BEFORE", "One Before First", "The first frame comes after the last one, and is added"),
)
GOES_ON = (
    ("HOLD", "Hold", "After its last key nothing moves any more"),
    ("CYCLE", "Repeat", "All goes on round after round, and travel gets farther"),
)


class OnAction(OnArmature):
    """A mixin: an Action of the armature, by default the one that it plays, changed beside the old one or in its place.

    `function` is what is called: with the object, which Action, and what `settings` gives.
    """

    result: Any = None
    action: StringProperty(
        name="Action", description="The Action; not given, the one that the armature plays", options={"SKIP_SAVE"}
    )
    slot: StringProperty(
        name="Slot",
        description="The identifier of the Action's slot; not given, the one that moves most of the bones",
        options={"SKIP_SAVE"},
    )
    replace: BoolProperty(
        name="Replace",
        description="Put the result in the old Action's place, wherever that is used, instead of making a new one",
        default=False,
        options={"SKIP_SAVE"},
    )

    def changed(self, obj: Object, which: Which) -> Any:
        """The work."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Do it, and say what to know of it."""
        try:
            self.result = self.changed(subject(context), Which(self._action(), self.slot, self.replace))
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.report({"INFO"}, text("root_done", action=self.result.action, frames=self.result.frames))
        for note in self.result.notes:
            self.report({"WARNING"}, note)
        return {"FINISHED"}

    def draw(self, _context: Context) -> None:
        """The options, one below the other."""
        layout: UILayout = self.layout
        layout.use_property_split = True
        for name in (*self.__annotations__, "replace"):
            layout.prop(self, name)

    def _action(self) -> Any:
        if not self.action:
            return None
        found = bpy.data.actions.get(self.action)
        if found is None:
            raise RefusedError(text("gait_unknown_action", action=self.action))
        return found


class SUREFOOT_OT_root_extract(OnAction, Operator):
    """Travel of the pelvis onto the root bone or the object."""

    bl_idname = "surefoot.root_extract"
    bl_label = "Extract Root Motion"
    bl_description = text("tip_root_extract")
    bl_options = {"REGISTER", "UNDO"}

    carrier: EnumProperty(name="Carrier", description="What carries the travel", items=CARRIERS)
    axes: EnumProperty(
        name="Axes",
        description="What of the travel it carries; the rest stays on the pelvis",
        items=AXES,
        default={"X", "Y", "YAW"},
        options={"ENUM_FLAG"},
    )
    smooth: BoolProperty(
        name="Smooth", description="The carrier goes evenly; sway and bob stay on the pelvis", default=False
    )
    smooth_seconds: FloatProperty(
        name="Over",
        description="Seconds over which the way is averaged; 0: one stride of the clip",
        default=0.0,
        min=0.0,
        soft_max=5.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    add_root: BoolProperty(
        name="Add Root Bone",
        description="Give a rig without a root bone one. This changes the armature itself, for all its Actions",
        default=False,
        options={"SKIP_SAVE"},
    )

    def changed(self, obj: Object, which: Which) -> Any:
        """Extract."""
        return root_extract(
            obj,
            which,
            self.carrier,
            frozenset(self.axes),
            smooth=self.smooth,
            smooth_seconds=self.smooth_seconds,
            add_root=self.add_root,
        )


class SUREFOOT_OT_root_put_back(OnAction, Operator):
    """Travel of the root bone or the object back onto the pelvis."""

    bl_idname = "surefoot.root_put_back"
    bl_label = "Put Root Motion Back"
    bl_description = text("tip_root_put_back")
    bl_options = {"REGISTER", "UNDO"}

    carrier: EnumProperty(name="Carrier", description="What carries the travel", items=CARRIERS)
    axes: EnumProperty(
        name="Axes",
        description="What of its travel goes back to the pelvis",
        items=AXES,
        default={"X", "Y", "Z", "YAW"},
        options={"ENUM_FLAG"},
    )

    def changed(self, obj: Object, which: Which) -> Any:
        """Put it back."""
        return root_put_back(obj, which, self.carrier, frozenset(self.axes))


class SUREFOOT_OT_in_place(OnAction, Operator):
    """Net travel taken out."""

    bl_idname = "surefoot.in_place"
    bl_label = "In Place"
    bl_description = text("tip_in_place")
    bl_options = {"REGISTER", "UNDO"}

    axes: EnumProperty(
        name="Axes",
        description="What of the net travel is taken out",
        items=AXES,
        default={"X", "Y"},
        options={"ENUM_FLAG"},
    )

    def changed(self, obj: Object, which: Which) -> Any:
        """Take it out."""
        return in_place(obj, which, frozenset(self.axes))


class SUREFOOT_OT_remove_lift(OnAction, Operator):
    """Climbing taken out."""

    bl_idname = "surefoot.remove_lift"
    bl_label = "Remove Lift"
    bl_description = text("tip_remove_lift")
    bl_options = {"REGISTER", "UNDO"}

    keep_bounce: BoolProperty(
        name="Keep Bounce",
        description="Only what the ground under the feet rises is taken out; off, the body stays at one height",
        default=True,
    )

    def changed(self, obj: Object, which: Which) -> Any:
        """Take it out."""
        return remove_lift(obj, which, keep_bounce=self.keep_bounce)


class SUREFOOT_OT_straighten_heading(OnAction, Operator):
    """The turn taken out of the travel."""

    bl_idname = "surefoot.straighten_heading"
    bl_label = "Straighten Heading"
    bl_description = text("tip_straighten_heading")
    bl_options = {"REGISTER", "UNDO"}

    toward: EnumProperty(name="Toward", description="Where the travel ends", items=TOWARD)

    def changed(self, obj: Object, which: Which) -> Any:
        """Straighten."""
        return straighten_heading(obj, which, self.toward)


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
        seams = [(seam.place * 100.0, seam.turn * 57.29578, seam.velocity) for seam in (joined.before, joined.after)]
        (place, turn, velocity), (closed, turned, faster) = seams
        self.report(
            {"INFO"},
            text(
                "root_seam",
                place=place,
                turn=turn,
                velocity=velocity,
                closed=closed,
                turned=turned,
                faster=faster,
                frames=joined.frames,
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


CLASSES = (
    SUREFOOT_OT_root_extract,
    SUREFOOT_OT_root_put_back,
    SUREFOOT_OT_in_place,
    SUREFOOT_OT_remove_lift,
    SUREFOOT_OT_straighten_heading,
    SUREFOOT_OT_join_loop,
    SUREFOOT_OT_mirror,
    SUREFOOT_OT_trim,
    SUREFOOT_OT_resample,
)


def register() -> None:
    """Make the operators known."""
    for item in CLASSES:
        bpy.utils.register_class(item)


def unregister() -> None:
    """Take them away."""
    for item in reversed(CLASSES):
        bpy.utils.unregister_class(item)
