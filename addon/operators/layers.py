"""Pose layers: add, remove, move; look at a thing and away again."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty, FloatVectorProperty, StringProperty
from bpy.types import Context, Event, Menu, Object, Operator

from ...core.layers.registry import LAYERS
from ..layers import layer_add, layer_move, layer_remove, look_at, look_away
from ..refusal import RefusedError
from ..texts import text
from .subject import OnCharacter, Refusing, named, subject

KINDS = [(kind.kind, kind.title, kind.about, kind.icon, i) for i, kind in enumerate(LAYERS.values())]
WAYS = (
    ("UP", "Up", "Before the one above", 0),
    ("DOWN", "Down", "After the one below", 1),
)


class SUREFOOT_OT_layer_add(Refusing, OnCharacter, Operator):
    """Add a layer; the second selected object is what it aims at."""

    bl_idname = "surefoot.layer_add"
    bl_label = "Add Layer"
    bl_description = text("tip_layer_add")
    bl_options = {"REGISTER", "UNDO"}

    kind: EnumProperty(name="Kind", description="What the layer does", items=KINDS)
    target: StringProperty(name="Target", description="The name of the object that it aims at")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Aim at the other selected object, where there is one."""
        others = [obj for obj in context.selected_objects if obj != subject(context)]
        if len(others) == 1 and LAYERS[self.kind].targets != "NONE":
            self.target = others[0].name
        return self.execute(context)

    def change(self, obj: Object, context: Context) -> None:
        """Add it."""
        layer_add(obj, self.kind, target=named(self.target, context))


class SUREFOOT_OT_layer_remove(Refusing, OnCharacter, Operator):
    """Remove the chosen layer with its keys."""

    bl_idname = "surefoot.layer_remove"
    bl_label = "Remove Layer"
    bl_description = text("tip_layer_remove")
    bl_options = {"REGISTER", "UNDO"}

    def change(self, obj: Object, _context: Context) -> None:
        """Remove it."""
        layer_remove(obj, obj.surefoot.active_layer)


class SUREFOOT_OT_layer_move(Refusing, OnCharacter, Operator):
    """Move the chosen layer among those of its kind of work; keys go along."""

    bl_idname = "surefoot.layer_move"
    bl_label = "Move Layer"
    bl_description = text("tip_layer_move")
    bl_options = {"REGISTER", "UNDO"}

    direction: EnumProperty(
        name="Direction", description="Where it goes", items=[(*way[:3], "NONE", way[3]) for way in WAYS]
    )

    def change(self, obj: Object, _context: Context) -> None:
        """Move it by one."""
        place = obj.surefoot.active_layer
        if not layer_move(obj, place, place + (1 if self.direction == "DOWN" else -1)):
            raise RefusedError(text("layer_stays"))


class SUREFOOT_OT_look_at(Refusing, OnCharacter, Operator):
    """Look at an object, a place or the camera."""

    bl_idname = "surefoot.look_at"
    bl_label = "Look At"
    bl_description = text("tip_look_at")
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(name="Target", description="The name of the object to look at; empty: the camera")
    bone: StringProperty(name="Bone", description="The bone of the target that is meant")
    place: FloatVectorProperty(name="Place", description="Where in the world, where no target is named")

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Look at the other selected object, where there is one."""
        others = [obj for obj in context.selected_objects if obj != subject(context)]
        if len(others) == 1:
            self.target = others[0].name
        return self.execute(context)

    def change(self, obj: Object, context: Context) -> None:
        """Look there."""
        place = tuple(self.place) if self.properties.is_property_set("place") and not self.target else None
        look_at(obj, named(self.target, context), self.bone, place)


class SUREFOOT_OT_look_away(Refusing, OnCharacter, Operator):
    """Look ahead again."""

    bl_idname = "surefoot.look_away"
    bl_label = "Look Away"
    bl_description = text("tip_look_away")
    bl_options = {"REGISTER", "UNDO"}

    def change(self, obj: Object, _context: Context) -> None:
        """Let go of what it looks at."""
        look_away(obj)


class SUREFOOT_MT_layer_add(Menu):
    """All kinds of layers."""

    bl_idname = "SUREFOOT_MT_layer_add"
    bl_label = "Add Layer"

    def draw(self, _context: Context) -> None:
        """One line a kind, by the order in which they work."""
        for kind in LAYERS.values():
            self.layout.operator(SUREFOOT_OT_layer_add.bl_idname, text=kind.title, icon=kind.icon).kind = kind.kind


CLASSES = (
    SUREFOOT_OT_layer_add,
    SUREFOOT_OT_layer_remove,
    SUREFOOT_OT_layer_move,
    SUREFOOT_OT_look_at,
    SUREFOOT_OT_look_away,
    SUREFOOT_MT_layer_add,
)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
