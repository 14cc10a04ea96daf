"""Gait from Action: a performance baked to a gait preset."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import FloatProperty, StringProperty
from bpy.types import Action, Context, Event, Object, Operator

from ..gait_from_action import gait_from_action
from ..refusal import RefusedError
from ..texts import text
from .subject import OnArmature, subject


class SUREFOOT_OT_gait_from_action(OnArmature, Operator):
    """Bake an Action's straight steady strides to a gait preset."""

    bl_idname = "surefoot.gait_from_action"
    bl_label = "Gait from Action"
    bl_description = text("tip_gait_from_action")
    bl_options = {"REGISTER"}
    result: Any = None

    name: StringProperty(
        name="Name", description="What the gait will be called; not given, as the Action is", options={"SKIP_SAVE"}
    )
    action: StringProperty(
        name="Action", description="The Action; not given, the one that the armature plays", options={"SKIP_SAVE"}
    )
    slot: StringProperty(
        name="Slot",
        description="The identifier of the Action's slot; not given, the one that moves most of the bones",
        options={"SKIP_SAVE"},
    )
    frame_start: FloatProperty(
        name="Start", description="The first frame; not given, the Action's", options={"SKIP_SAVE"}
    )
    frame_end: FloatProperty(name="End", description="The last frame; not given, the Action's", options={"SKIP_SAVE"})

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask which Action, and what to call the gait."""
        current = _played(subject(context))
        if not self.action and current is not None:
            self.action = current.name
        self.name = self.name or self.action
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, _context: Context) -> None:
        """The two questions."""
        self.layout.use_property_split = True
        self.layout.prop_search(self, "action", bpy.data, "actions")
        self.layout.prop(self, "name")

    def execute(self, context: Context) -> set[str]:
        """Bake and keep the gait."""
        obj = subject(context)
        given = self.properties.is_property_set
        try:
            action = self._action(obj)
            saved = gait_from_action(
                obj,
                action,
                self.name or (action.name if action is not None else ""),
                self.slot,
                self.frame_start if given("frame_start") else None,
                self.frame_end if given("frame_end") else None,
            )
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.result = saved
        curves = saved.bake.curves
        speed = curves.speed * curves.leg_length
        title = self.name or action.name
        self.report(
            {"INFO"}, text("gait_saved", title=title, strides=saved.bake.strides, speed=speed, period=curves.period)
        )
        return {"FINISHED"}

    def _action(self, obj: Object) -> Action | None:
        if not self.action:
            return _played(obj)
        found = bpy.data.actions.get(self.action)
        if found is None:
            raise RefusedError(text("gait_unknown_action", action=self.action))
        return found


def _played(obj: Object) -> Action | None:
    return obj.animation_data.action if obj.animation_data is not None else None


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_gait_from_action)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_gait_from_action)
