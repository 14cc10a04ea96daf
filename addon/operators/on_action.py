"""What operators share that change an Action: which one is meant, where the result goes, what is said of it."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy.types import Context, Object, UILayout

from ..action_edit import Which
from ..refusal import RefusedError
from ..texts import text
from .subject import OnArmature, subject


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
