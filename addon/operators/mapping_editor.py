"""Roles and pairs set by hand, one at a time: the buttons of the mapping's panel."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Event, Object, Operator, OperatorProperties

from ...core.rig.corrections import stem_of
from ..mapping_lines import clear_pair, set_pair, set_role
from ..mapping_view import candidates_of, roles_of
from ..refusal import RefusedError
from ..texts import text
from .saved_mappings import changed, source_of
from .subject import OnAnyArmature, OnArmature, subject

ROLE = {"name": "Role", "description": "The role, such as thigh.L", "options": {"SKIP_SAVE"}}


class SUREFOOT_OT_mapping_take(OnArmature, Operator):
    """Set by hand which bone has a role."""

    bl_idname = "surefoot.mapping_take"
    bl_label = "Use Bone"
    bl_description = text("tip_mapping_take")
    bl_options = {"REGISTER", "UNDO"}

    role: StringProperty(**ROLE)
    bone: StringProperty(name="Bone", description="The bone; not given, the active one", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> set[str]:
        """One line of the mapping."""
        obj = subject(context)
        try:
            set_role(obj, _role(self.role), _bone(obj, self.bone))
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        changed()
        return {"FINISHED"}


class SUREFOOT_OT_mapping_clear(OnArmature, Operator):
    """Have a role as it is understood."""

    bl_idname = "surefoot.mapping_clear"
    bl_label = "By Itself"
    bl_description = text("tip_mapping_clear")
    bl_options = {"REGISTER", "UNDO"}

    role: StringProperty(**ROLE)

    def execute(self, context: Context) -> set[str]:
        """The line goes, if there is one."""
        set_role(subject(context), self.role, "")
        changed()
        return {"FINISHED"}


class SUREFOOT_OT_mapping_candidates(OnAnyArmature, Operator):
    """Show which bones could have a role, with what speaks for them."""

    bl_idname = "surefoot.mapping_candidates"
    bl_label = "Candidates"
    bl_options = {"INTERNAL"}
    result: Any = None

    role: StringProperty(**ROLE)

    @classmethod
    def description(cls, context: Context, properties: OperatorProperties) -> str:
        """Why the bone has the role, under the mouse."""
        obj = subject(context)
        line = next((line for line in roles_of(obj).explained.lines if line.role == properties.role), None)
        if line is None:
            return text("tip_mapping_candidates")
        return f"{', '.join(line.bones) or text('none')}: {why(line)}. {text('tip_mapping_candidates')}"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """A menu to choose from."""
        role, found = self.role, candidates_of(subject(context), self.role)

        def draw(menu: Any, _context: Context) -> None:
            for item in found:
                said = text("mapping_candidate", bone=item.bone, score=item.score, reasons=", ".join(item.reasons))
                button = menu.layout.operator("surefoot.mapping_take", text=said)
                button.role, button.bone = role, item.bone
            if not found:
                menu.layout.label(text=text("mapping_no_candidates"))

        context.window_manager.popup_menu(draw, title=role, icon="BONE_DATA")
        return {"FINISHED"}

    def execute(self, context: Context) -> set[str]:
        """The list itself, for scripts."""
        self.result = candidates_of(subject(context), self.role)
        return {"FINISHED"}


class SUREFOOT_OT_pair_take(OnArmature, Operator):
    """Set by hand which bone of the source a bone follows."""

    bl_idname = "surefoot.pair_take"
    bl_label = "Follow"
    bl_description = text("tip_pair_take")
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(name="Bone", description="The bone of this armature", options={"SKIP_SAVE"})
    source: StringProperty(
        name="Source Bone", description="What it follows; not given, it stays at rest", options={"SKIP_SAVE"}
    )

    def execute(self, context: Context) -> set[str]:
        """One line of the pairs."""
        obj = subject(context)
        try:
            target, other = _bone(obj, self.target), source_of(obj)
            if self.source and other is not None:
                _bone(other, self.source)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        set_pair(obj, target, self.source)
        changed()
        return {"FINISHED"}


class SUREFOOT_OT_pair_clear(OnArmature, Operator):
    """Have a bone follow what is matched by itself."""

    bl_idname = "surefoot.pair_clear"
    bl_label = "By Itself"
    bl_description = text("tip_pair_clear")
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(name="Bone", description="The bone of this armature", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> set[str]:
        """The line goes, if there is one."""
        clear_pair(subject(context), self.target)
        changed()
        return {"FINISHED"}


def why(line: Any) -> str:
    """In words, why a bone has a role."""
    if line.why == "NAME":
        return text("mapping_why_NAME", family=line.family) if line.family else text("mapping_why_WORDS")
    return text(f"mapping_why_{line.why}")


def _role(role: str) -> str:
    if not stem_of(role):
        raise RefusedError(text("mapping_no_role", role=role))
    return role


def _bone(obj: Object, name: str) -> str:
    """The bone that is meant: the one of this name, or the active one where none is given."""
    if not name:
        active = obj.data.bones.active
        if active is None:
            raise RefusedError(text("mapping_no_active", name=obj.name))
        return active.name
    if name not in obj.data.bones:
        raise RefusedError(text("mapping_no_bone", name=obj.name, bone=name))
    return name


CLASSES = (
    SUREFOOT_OT_mapping_take,
    SUREFOOT_OT_mapping_clear,
    SUREFOOT_OT_mapping_candidates,
    SUREFOOT_OT_pair_take,
    SUREFOOT_OT_pair_clear,
)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
