"""Root motion of the active armature's Action: one operator each."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty
from bpy.types import Object, Operator

from ..action_edit import Which
from ..root_motion import in_place, remove_lift, root_extract, root_put_back, straighten_heading
from ..texts import text
from .on_action import OnAction

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


CLASSES = (
    SUREFOOT_OT_root_extract,
    SUREFOOT_OT_root_put_back,
    SUREFOOT_OT_in_place,
    SUREFOOT_OT_remove_lift,
    SUREFOOT_OT_straighten_heading,
)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
