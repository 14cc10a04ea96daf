"""Add > Armature > Surefoot: the characters that ship."""

from __future__ import annotations

import bpy
from bpy.types import Context, Menu, Operator
from mathutils import Vector

from ..add_character import add_character, characters
from ..refusal import RefusedError
from ..texts import TAB, text

# Blender does not keep the texts of a changing list alive; this one is built once.
_ITEMS: list[tuple[str, str, str]] = []


def _presets(_operator: Operator, _context: Context) -> list[tuple[str, str, str]]:
    if not _ITEMS:
        _ITEMS.extend((key, blueprint.name, blueprint.text) for key, blueprint in characters().items())
    return _ITEMS


class SUREFOOT_OT_add_character(Operator):
    bl_idname = "surefoot.add_character"
    bl_label = "Add Character"
    bl_description = "Add an armature with a simple body, ready to be set up"
    bl_options = {"REGISTER", "UNDO"}

    preset: bpy.props.EnumProperty(name="Character", description="Which character to add", items=_presets)
    location: bpy.props.FloatVectorProperty(
        name="Location", description="Where it stands, its soles on the ground", subtype="TRANSLATION", size=3
    )

    def invoke(self, context: Context, _event: bpy.types.Event) -> set[str]:
        self.location = context.scene.cursor.location
        return self.execute(context)

    def execute(self, context: Context) -> set[str]:
        try:
            armature = add_character(context, self.preset, Vector(self.location))
        except (RefusedError, ValueError) as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.report({"INFO"}, text("character_added", name=armature.name, tab=TAB))
        return {"FINISHED"}


class SUREFOOT_MT_add_character(Menu):
    bl_idname = "SUREFOOT_MT_add_character"
    bl_label = TAB

    def draw(self, context: Context) -> None:
        for key, label, _ in _presets(self, context):
            self.layout.operator(SUREFOOT_OT_add_character.bl_idname, text=label, icon="ARMATURE_DATA").preset = key


def _menu(menu: Menu, _context: Context) -> None:
    menu.layout.menu(SUREFOOT_MT_add_character.bl_idname, icon="ARMATURE_DATA")


_CLASSES = (SUREFOOT_OT_add_character, SUREFOOT_MT_add_character)


def register() -> None:
    """The operator, and the entry in Add > Armature."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.VIEW3D_MT_armature_add.append(_menu)


def unregister() -> None:
    """Both taken back."""
    bpy.types.VIEW3D_MT_armature_add.remove(_menu)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
