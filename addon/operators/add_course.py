"""Add > Mesh > Surefoot Course: test ground for walking bodies, and for bodies that read the level."""

from __future__ import annotations

import bpy
from bpy.types import Context, Event, Menu, Operator, OperatorProperties
from mathutils import Vector

from ...core.course import course_names
from ..course import add_course
from ..refusal import RefusedError
from ..texts import text

COURSES = course_names()


class SUREFOOT_OT_add_course(Operator):
    """One of the courses that ship."""

    bl_idname = "surefoot.add_course"
    bl_label = "Surefoot Course"
    bl_description = text("tip_add_course")
    bl_options = {"REGISTER", "UNDO"}

    course: bpy.props.EnumProperty(
        name="Course", description="Which test ground",
        items=[(*course, number) for number, course in enumerate(COURSES)],
    )  # fmt: skip
    location: bpy.props.FloatVectorProperty(
        name="Location", description="Where its middle is, on the floor", subtype="TRANSLATION", size=3
    )

    @classmethod
    def description(cls, _context: Context, properties: OperatorProperties) -> str:
        """What this course is."""
        return next(about for name, _, about in COURSES if name == properties.course)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """At the cursor."""
        self.location = context.scene.cursor.location
        return self.execute(context)

    def execute(self, context: Context) -> set[str]:
        """Add it."""
        try:
            collection = add_course(context, Vector(self.location), self.course)
        except (RefusedError, ValueError) as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.report({"INFO"}, text("course_added", name=collection.name))
        return {"FINISHED"}


class SUREFOOT_MT_courses(Menu):
    """The courses, each an entry."""

    bl_idname = "SUREFOOT_MT_courses"
    bl_label = "Surefoot Course"

    def draw(self, _context: Context) -> None:
        """One below the other."""
        for name, title, _ in COURSES:
            self.layout.operator(SUREFOOT_OT_add_course.bl_idname, text=title).course = name


def _menu(menu: Menu, _context: Context) -> None:
    menu.layout.menu(SUREFOOT_MT_courses.bl_idname, icon="MOD_BUILD")


def register() -> None:
    """The operator, and the entries in Add > Mesh."""
    bpy.utils.register_class(SUREFOOT_OT_add_course)
    bpy.utils.register_class(SUREFOOT_MT_courses)
    bpy.types.VIEW3D_MT_mesh_add.append(_menu)


def unregister() -> None:
    """All taken back."""
    bpy.types.VIEW3D_MT_mesh_add.remove(_menu)
    bpy.utils.unregister_class(SUREFOOT_MT_courses)
    bpy.utils.unregister_class(SUREFOOT_OT_add_course)
