"""Clean Feet: the feet of an Action held where they stand."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, BoolVectorProperty, StringProperty
from bpy.types import Context, Event, Operator

from ...core.retarget.feet_config import CleanFeetConfig
from ..clean_feet import CleanedFeet, CleanOptions, clean_feet_steps, feet_of, keep_cleaned, told_feet
from ..config_properties import config_from, properties_of
from ..known_action import known_action, played_action
from ..refusal import RefusedError
from ..texts import text
from .long_job import Job, LongJob
from .subject import OnArmature, subject

MOST_FEET = 32


class SUREFOOT_OT_clean_feet(OnArmature, LongJob, Operator):
    """Hold the feet of an Action where they stand; only curves that have to change do, in a new Action."""

    bl_idname = "surefoot.clean_feet"
    bl_label = "Clean Feet"
    bl_description = text("tip_clean_feet")
    bl_options = {"REGISTER", "UNDO"}
    result: CleanedFeet | None = None

    action: StringProperty(
        name="Action", description="The Action; not given, the one that the armature plays", options={"SKIP_SAVE"}
    )
    slot: StringProperty(
        name="Slot",
        description="The identifier of the Action's slot; not given, the one in use, or that moves most of the bones",
        options={"SKIP_SAVE"},
    )
    feet: StringProperty(
        name="Feet",
        description="The roles of the feet that are held, with commas (leg.L, leg.R); not given, all",
        options={"SKIP_SAVE"},
    )
    name: StringProperty(
        name="Name", description="Of the new Action; not given, the old one's and Clean", options={"SKIP_SAVE"}
    )
    replace: BoolProperty(
        name="Change the Action Itself",
        description="Change the Action instead of making a new one beside it",
        default=False,
    )
    roles: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    held: BoolVectorProperty(size=MOST_FEET, default=(True,) * MOST_FEET, options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Ask which Action and which feet."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        obj = subject(context)
        current = played_action(obj)
        self.action = self.action or (current.name if current is not None else "")
        self.roles = ",".join(feet_of(obj)[:MOST_FEET])
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, _context: Context) -> None:
        """The Action, the feet with a switch each, the options."""
        layout = self.layout
        layout.use_property_split = True
        layout.prop_search(self, "action", bpy.data, "actions")
        column = layout.column(heading="Feet", align=True)
        for i, role in enumerate(_names(self.roles)):
            column.prop(self, "held", index=i, text=role)
        for name in CONFIG:
            layout.prop(self, name)
        layout.prop(self, "replace")
        if not self.replace:
            layout.prop(self, "name")

    def job(self, context: Context) -> Job:
        """Read, hold, write; refusals come first, and nothing is changed before the end."""
        obj = subject(context)
        if obj is None:
            raise RefusedError(text("no_object"))
        self.who = obj.name
        self.uid = obj.session_uid
        config = config_from(CleanFeetConfig, self, {})
        options = CleanOptions(config, self._feet(), self.name, self.replace)
        return clean_feet_steps(obj, known_action(self.action), self.slot, options)

    def done(self, result: Any) -> str:
        """What the feet did before and do now; as a warning, what was not held and why."""
        self.result = result
        keep_cleaned(self.uid, result)
        if result.notes:
            self.report({"WARNING"}, "\n".join(result.notes))
        return told_feet(self.who, result)

    def _feet(self) -> frozenset[str] | None:
        if self.feet:
            return frozenset(_names(self.feet))
        if not self.roles:
            return None
        roles = _names(self.roles)
        chosen = frozenset(role for role, held in zip(roles, self.held, strict=False) if held)
        return None if len(chosen) == len(roles) else chosen


CONFIG = properties_of(CleanFeetConfig, frozenset(), None)
SUREFOOT_OT_clean_feet.__annotations__ |= CONFIG


def _names(text_with_commas: str) -> list[str]:
    return [name.strip() for name in text_with_commas.split(",") if name.strip()]


def register() -> None:
    """Make the operator known."""
    bpy.utils.register_class(SUREFOOT_OT_clean_feet)


def unregister() -> None:
    """Take it away."""
    bpy.utils.unregister_class(SUREFOOT_OT_clean_feet)
