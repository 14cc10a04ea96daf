"""Add > Mesh > Surefoot Course: test ground for walking bodies."""

from __future__ import annotations

import bpy
from bpy.types import Context, Event, Menu, Operator
from mathutils import Vector

from ..course import add_course
from ..refusal import RefusedError
from ..texts import text


class SUREFOOT_OT_add_course(Operator):
    """Stairs, ramps, kerbs, a tunnel, gaps, a lift, a turntable and a platform on its way."""

    bl_idname = "surefoot.add_course"
    bl_label = "Surefoot Course"
    bl_description = text("tip_add_course")
    bl_options = {"REGISTER", "UNDO"}

    location: bpy.props.FloatVectorProperty(
        name="Location", description="Where its middle is, on the floor", subtype="TRANSLATION", size=3
    )

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """At the cursor."""
        self.location = context.scene.cursor.location
        return self.execute(context)

    def execute(self, context: Context) -> set[str]:
        """Add it."""
        try:
            collection = add_course(context, Vector(self.location))
        except (RefusedError, ValueError) as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.report({"INFO"}, text("course_added", name=collection.name))
        return {"FINISHED"}


def _menu(menu: Menu, _context: Context) -> None:
    menu.layout.operator(SUREFOOT_OT_add_course.bl_idname, icon="MOD_BUILD")


def register() -> None:
    """The operator, and the entry in Add > Mesh."""
    bpy.utils.register_class(SUREFOOT_OT_add_course)
    bpy.types.VIEW3D_MT_mesh_add.append(_menu)


def unregister() -> None:
    """Both taken back."""
    bpy.types.VIEW3D_MT_mesh_add.remove(_menu)
    bpy.utils.unregister_class(SUREFOOT_OT_add_course)
