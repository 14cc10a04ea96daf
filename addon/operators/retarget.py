"""Retarget: the motion of one rig on another, with one press."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Action, Context, Object, Operator

from ...core.retarget.config import RetargetConfig
from ..config_properties import config_from, properties_of
from ..motion import FrameRange
from ..refusal import RefusedError
from ..retarget import RetargetOptions, retarget_steps
from ..retarget_result import RetargetResult, told
from ..texts import text
from .long_job import Job, LongJob
from .subject import subject

TRAVELS = (
    ("AUTO", "Automatic", "The root bone where the rig has one, else the pelvis", 0),
    ("ROOT_BONE", "Root Bone", "The root bone carries the way over the ground", 1),
    ("OBJECT", "Object", "The armature object carries the way over the ground", 2),
    ("PELVIS", "Pelvis", "The pelvis carries all of it, and root and object stay where they are", 3),
    ("IN_PLACE", "In Place", "The way over the ground is left out", 4),
)
REFERENCES = (
    ("REST", "Rest Poses", "Both rest poses are told apart by what they look like, and reconciled", 0),
    (
        "CURRENT_POSE",
        "Present Poses",
        "Pose both rigs alike first: how they are posed now counts as the same pose",
        1,
    ),
)
PLACES = (
    ("TARGET", "Where the Target Stands", "It starts where the target stands, on its own floor, facing as it does", 0),
    ("SOURCE", "Over the Source", "It goes over the source's own way in the scene, as high as that does", 1),
)
LIMBS = (
    ("AUTO", "Automatic", "Legs by their IK controls, arms by their FK controls", 0),
    ("FK", "FK", "Arms and legs by their FK controls", 1),
    ("IK", "IK", "Arms and legs by their IK controls; what a forearm turns about itself is left to the hand", 2),
)
CONFIG = properties_of(RetargetConfig, frozenset(), None)


class SUREFOOT_OT_retarget(LongJob, Operator):
    """Write the motion of one rig into an Action of another, with its feet planted; neither is changed otherwise."""

    bl_idname = "surefoot.retarget"
    bl_label = "Retarget"
    bl_description = text("tip_retarget")
    bl_options = {"REGISTER", "UNDO"}
    result: RetargetResult | None = None

    source: StringProperty(
        name="Source",
        description="The armature, or an empty of the hierarchy, that moves; not given, the target's source",
        options={"SKIP_SAVE"},
    )
    target: StringProperty(
        name="Target",
        description="The armature that takes the motion; not given, the active one",
        options={"SKIP_SAVE"},
    )
    action: StringProperty(
        name="Action",
        description="An Action of the source that need not be on it; not given, what the source shows is taken",
        options={"SKIP_SAVE"},
    )
    slot: StringProperty(
        name="Slot",
        description="The identifier of that Action's slot; not given, the one that moves most of the bones",
        options={"SKIP_SAVE"},
    )
    name: StringProperty(
        name="Name", description="Of the new Action; not given, the motion's and the target's", options={"SKIP_SAVE"}
    )
    frame_start: FloatProperty(
        name="Start", description="The source's first frame; not given, its motion's", options={"SKIP_SAVE"}
    )
    frame_end: FloatProperty(
        name="End", description="The source's last frame; not given, its motion's", options={"SKIP_SAVE"}
    )
    reference: EnumProperty(
        items=REFERENCES, name="Reference", description="What counts as the same pose of both rigs", default="REST"
    )
    place: EnumProperty(items=PLACES, name="Place", description="Where the motion starts", default="TARGET")
    carrier: EnumProperty(
        items=TRAVELS, name="Carrier", description="What carries the way over the ground", default="AUTO"
    )
    limbs: EnumProperty(
        items=LIMBS, name="Limbs", description="Which controls of a control rig move arms and legs", default="AUTO"
    )
    step: IntProperty(
        name="Step", description="Samples from key to key; the last one is always keyed", default=1, min=1
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Keys are left out where each channel stays within this of its value; 0 keeps every key",
        default=0.0,
        min=0.0,
        soft_max=0.01,
        precision=5,
    )
    assign: BoolProperty(name="Assign", description="Give the target the new Action at once", default=True)

    def job(self, context: Context) -> Job:
        """Read, move, write; refusals come first, and nothing is changed before the end."""
        target = self._named(self.target, context) if self.target else subject(context)
        source = self._named(self.source, context) if self.source else _source_of(target)
        self.who = target.name if target is not None else ""
        return retarget_steps(source, target, self._options())

    def done(self, result: Any) -> str:
        """The Action, and how far feet slide; as a warning, what to look at."""
        self.result = result
        said = [*result.problems, *result.notes]
        if said:
            self.report({"WARNING"}, "\n".join(said))
        return told(result)

    def _named(self, name: str, context: Context) -> Object:
        found = context.scene.objects.get(name) or bpy.data.objects.get(name)
        if found is None:
            raise RefusedError(text("no_such_object", name=name, scene=context.scene.name))
        return found

    def _options(self) -> RetargetOptions:
        return RetargetOptions(
            config=config_from(RetargetConfig, self, {}),
            frame_range=self._range(),
            reference=self.reference,
            place=self.place,
            travel=self.carrier,
            limbs=self.limbs,
            name=self.name,
            action=self._action(),
            slot=self.slot,
            step=self.step,
            tolerance=self.tolerance,
            assign=self.assign,
        )

    def _range(self) -> FrameRange:
        given = self.properties.is_property_set
        return (
            self.frame_start if given("frame_start") else None,
            self.frame_end if given("frame_end") else None,
        )

    def _action(self) -> Action | None:
        if not self.action:
            return None
        found = bpy.data.actions.get(self.action)
        if found is None:
            raise RefusedError(text("gait_unknown_action", action=self.action))
        return found


SUREFOOT_OT_retarget.__annotations__ |= CONFIG


def _source_of(target: Object | None) -> Object | None:
    """What the target's panel names as its source."""
    return None if target is None else target.surefoot.source


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_retarget)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_retarget)
