"""Build: the bodies of the active armature, one line each; and what is changed of them, mirrored or taken back."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy.types import Context, Object, Operator

from ...core.ragdoll.edits import BodyEdit, mirror_edit, other_side
from ..changes import redraw_panels
from ..ragdoll_plan import ragdoll_build
from ..ragdoll_properties import edit_of, set_edit
from ..refusal import RefusedError
from ..texts import text
from .subject import OnAnyArmature, OnArmature, subject


class SUREFOOT_OT_ragdoll_build(OnAnyArmature, Operator):
    """Find the bodies of this armature."""

    bl_idname = "surefoot.ragdoll_build"
    bl_label = "Build"
    bl_description = text("tip_ragdoll_build")
    bl_options = {"REGISTER", "UNDO"}
    result: Any = None

    def execute(self, context: Context) -> set[str]:
        """Make the plan anew and say what was understood."""
        obj = subject(context)
        try:
            plan = ragdoll_build(obj, context.scene)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.result = plan
        for note in plan.notes:
            self.report({"WARNING"}, note)
        self.report({"INFO"}, text("ragdoll_built", name=obj.name, bodies=len(plan.bodies), mass=plan.mass))
        redraw_panels()
        return {"FINISHED"}


class SUREFOOT_OT_ragdoll_mirror(OnArmature, Operator):
    """Give the other side the same changes."""

    bl_idname = "surefoot.ragdoll_mirror"
    bl_label = "Mirror"
    bl_description = text("tip_ragdoll_mirror")
    bl_options = {"REGISTER", "UNDO"}

    role: StringProperty(
        name="Body", description="The body, by its role; not given, the chosen one", options={"SKIP_SAVE"}
    )
    all: BoolProperty(name="All", description=text("tip_ragdoll_mirror_all"), options={"SKIP_SAVE"})

    def execute(self, context: Context) -> set[str]:
        """From one side to the other."""
        obj = subject(context)
        role = self.role or _chosen(obj)
        if not other_side(role):
            self.report({"ERROR"}, text("ragdoll_no_mirror", role=role))
            return {"CANCELLED"}
        lines = obj.surefoot.ragdoll_bodies
        found = [line.name for line in lines if line.name[-2:] == role[-2:]] if self.all else [role]
        edits = [mirror_edit(edit_of(lines[name])) for name in found if name in lines]
        for edit in edits:
            if edit is not None:
                set_edit(obj, edit)
        _refresh(obj, context)
        self.report({"INFO"}, text("ragdoll_mirrored", count=len(edits)))
        return {"FINISHED"}


class SUREFOOT_OT_ragdoll_reset(OnArmature, Operator):
    """Leave a body as it is understood."""

    bl_idname = "surefoot.ragdoll_reset"
    bl_label = "Reset Body"
    bl_description = text("tip_ragdoll_reset")
    bl_options = {"REGISTER", "UNDO"}

    role: StringProperty(
        name="Body", description="The body, by its role; not given, the chosen one", options={"SKIP_SAVE"}
    )

    def execute(self, context: Context) -> set[str]:
        """All of its line back at the defaults."""
        obj = subject(context)
        role = self.role or _chosen(obj)
        if role in obj.surefoot.ragdoll_bodies:
            set_edit(obj, BodyEdit(role))
        _refresh(obj, context)
        return {"FINISHED"}


def _chosen(obj: Object) -> str:
    lines, k = obj.surefoot.ragdoll_bodies, obj.surefoot.active_ragdoll_body
    return str(lines[k].name) if 0 <= k < len(lines) else ""


def _refresh(obj: Object, context: Context) -> None:
    """The lines show the limits that hold now."""
    ragdoll_build(obj, context.scene)
    redraw_panels()


CLASSES = (SUREFOOT_OT_ragdoll_build, SUREFOOT_OT_ragdoll_mirror, SUREFOOT_OT_ragdoll_reset)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
