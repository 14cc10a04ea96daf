"""Mappings kept as files: save, load, delete, from the panel or a script."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy.types import Context, Event, Menu, Object, Operator

from ..changes import hints, redraw_panels
from ..mapping_view import forget_views
from ..refusal import RefusedError
from ..saved_mappings import mapping_delete, mapping_list, mapping_load, mapping_save
from ..texts import text
from .subject import OnAnyArmature, OnArmature, subject


def changed() -> None:
    """What is shown of mappings, and what is read with them, is looked at again."""
    forget_views()
    hints.everything()
    redraw_panels()


def source_of(obj: Object) -> Object | None:
    """The armature that an object's pairs are with."""
    source = obj.surefoot.source
    return source if source is not None and source.type == "ARMATURE" and source != obj else None


class SUREFOOT_OT_mapping_save(OnAnyArmature, Operator):
    """Keep what is set by hand on this armature as a file."""

    bl_idname = "surefoot.mapping_save"
    bl_label = "Save Mapping"
    bl_description = text("tip_mapping_save")
    bl_options = {"REGISTER"}

    name: StringProperty(
        name="Name", description="What the mapping will be called; not given, as the armature is", options={"SKIP_SAVE"}
    )
    pair: BoolProperty(
        name="With the Source",
        description="Keep the pairs with the source too; it is then found for this armature and this source together",
        options={"SKIP_SAVE"},
    )
    find_by: EnumProperty(
        name="Find By",
        description="For which armatures it is found again",
        items=(
            ("BONES", "Same Bones", "Armatures with exactly these bones"),
            ("CONVENTION", "Family of Names", "Every armature whose names are of the same family"),
        ),
        options={"SKIP_SAVE"},
    )

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the name."""
        obj = subject(context)
        self.name = self.name or obj.name
        self.pair = len(obj.surefoot.pairs) > 0 and source_of(obj) is not None
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: Context) -> None:
        """The questions."""
        self.layout.use_property_split = True
        self.layout.prop(self, "name")
        self.layout.prop(self, "find_by")
        if source_of(subject(context)) is not None:
            self.layout.prop(self, "pair")

    def execute(self, context: Context) -> set[str]:
        """Write the file."""
        obj = subject(context)
        try:
            source = source_of(obj) if self.pair else None
            path = mapping_save(obj, self.name or obj.name, source, self.find_by)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        changed()
        self.report({"INFO"}, text("mapping_saved", mapping=self.name or obj.name, path=path))
        return {"FINISHED"}


class SUREFOOT_OT_mapping_load(OnArmature, Operator):
    """Put a saved mapping on this armature."""

    bl_idname = "surefoot.mapping_load"
    bl_label = "Load Mapping"
    bl_description = text("tip_mapping_load")
    bl_options = {"REGISTER", "UNDO"}
    result: Any = None

    name: StringProperty(name="Name", description="The saved mapping", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> set[str]:
        """Replace what is set by hand."""
        obj = subject(context)
        try:
            loaded = mapping_load(obj, self.name, source_of(obj))
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.result = loaded
        changed()
        said = {"mapping": loaded.name, "name": obj.name, "roles": loaded.roles, "pairs": loaded.pairs}
        if loaded.missing:
            message = text("mapping_loaded_missing", missing=", ".join(loaded.missing), **said)
            self.report({"WARNING"}, message)
        else:
            self.report({"INFO"}, text("mapping_loaded", **said))
        return {"FINISHED"}


class SUREFOOT_OT_mapping_delete(Operator):
    """Take a saved mapping's file away."""

    bl_idname = "surefoot.mapping_delete"
    bl_label = "Delete Mapping"
    bl_description = text("tip_mapping_delete")
    bl_options = {"REGISTER"}

    name: StringProperty(name="Name", description="The saved mapping", options={"SKIP_SAVE"})

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Ask first: a file cannot be brought back by undo."""
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, _context: Context) -> set[str]:
        """Delete the file."""
        try:
            mapping_delete(self.name)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        changed()
        self.report({"INFO"}, text("mapping_deleted", mapping=self.name))
        return {"FINISHED"}


class SUREFOOT_MT_saved_mappings(Menu):
    """The saved mappings, to put one on the armature."""

    bl_idname = "SUREFOOT_MT_saved_mappings"
    bl_label = "Load Mapping"

    def draw(self, _context: Context) -> None:
        """One line for each that can be read; the others with their reason."""
        listed = mapping_list()
        for item in listed:
            if item.mapping is None:
                self.layout.label(text=item.problem, icon="ERROR")
            else:
                self.layout.operator("surefoot.mapping_load", text=item.mapping.name).name = item.path.name
        if not listed:
            self.layout.label(text=text("none"))


CLASSES = (
    SUREFOOT_OT_mapping_save,
    SUREFOOT_OT_mapping_load,
    SUREFOOT_OT_mapping_delete,
    SUREFOOT_MT_saved_mappings,
)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
