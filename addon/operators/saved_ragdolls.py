"""Changes of bodies kept as files: save, load, delete, from the panel or a script."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import StringProperty
from bpy.types import Context, Event, Menu, Operator

from ..changes import redraw_panels
from ..refusal import RefusedError
from ..saved_ragdolls import ragdoll_delete, ragdoll_list, ragdoll_load, ragdoll_save
from ..texts import text
from .subject import OnAnyArmature, OnArmature, subject


class SUREFOOT_OT_ragdoll_save(OnAnyArmature, Operator):
    """Keep what is changed of the bodies as a file."""

    bl_idname = "surefoot.ragdoll_save"
    bl_label = "Save Bodies"
    bl_description = text("tip_ragdoll_save")
    bl_options = {"REGISTER"}

    name: StringProperty(
        name="Name", description="What it will be called; not given, as the armature is", options={"SKIP_SAVE"}
    )

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the name."""
        self.name = self.name or subject(context).name
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: Context) -> set[str]:
        """Write the file."""
        obj = subject(context)
        try:
            path = ragdoll_save(obj, self.name or obj.name, context.scene)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.report({"INFO"}, text("ragdoll_saved", file=path.stem, path=path))
        return {"FINISHED"}


class SUREFOOT_OT_ragdoll_load(OnArmature, Operator):
    """Put saved changes of bodies on this armature."""

    bl_idname = "surefoot.ragdoll_load"
    bl_label = "Load Bodies"
    bl_description = text("tip_ragdoll_load")
    bl_options = {"REGISTER", "UNDO"}
    result: Any = None

    name: StringProperty(name="Name", description="The saved changes", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> set[str]:
        """Replace what is changed."""
        obj = subject(context)
        try:
            loaded = ragdoll_load(obj, self.name, context.scene)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.result = loaded
        redraw_panels()
        said = {"file": loaded.name, "count": loaded.bodies, "name": obj.name}
        if loaded.missing:
            self.report({"WARNING"}, text("ragdoll_loaded_missing", missing=", ".join(loaded.missing), **said))
        else:
            self.report({"INFO"}, text("ragdoll_loaded", **said))
        return {"FINISHED"}


class SUREFOOT_OT_ragdoll_delete(Operator):
    """Take a saved file of changes away."""

    bl_idname = "surefoot.ragdoll_delete"
    bl_label = "Delete Saved Bodies"
    bl_description = text("tip_ragdoll_delete")
    bl_options = {"REGISTER"}

    name: StringProperty(name="Name", description="The saved changes", options={"SKIP_SAVE"})

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Ask first: a file cannot be brought back by undo."""
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, _context: Context) -> set[str]:
        """Delete the file."""
        try:
            path = ragdoll_delete(self.name)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        redraw_panels()
        self.report({"INFO"}, text("ragdoll_deleted", file=path.stem))
        return {"FINISHED"}


class SUREFOOT_MT_saved_ragdolls(Menu):
    """The saved changes of bodies."""

    bl_idname = "SUREFOOT_MT_saved_ragdolls"
    bl_label = text("ragdoll_menu")

    def draw(self, _context: Context) -> None:
        """One line for each that can be read; the others with their reason."""
        listed = ragdoll_list()
        for item in listed:
            if item.saved is None:
                self.layout.label(text=item.problem, icon="ERROR")
            else:
                self.layout.operator("surefoot.ragdoll_load", text=item.saved.name).name = item.path.name
        if not listed:
            self.layout.label(text=text("none"))


CLASSES = (
    SUREFOOT_OT_ragdoll_save,
    SUREFOOT_OT_ragdoll_load,
    SUREFOOT_OT_ragdoll_delete,
    SUREFOOT_MT_saved_ragdolls,
)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
