"""The route: spots added, removed, moved."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty, FloatVectorProperty, StringProperty
from bpy.types import Context, Event, Object, Operator

from ..refusal import RefusedError
from ..route_edit import spot_add, spot_move, spot_remove
from ..texts import text
from .subject import OnCharacter, Refusing, named, subject

WAYS = (
    ("UP", "Up", "Before the one above", 0),
    ("DOWN", "Down", "After the one below", 1),
)


class SUREFOOT_OT_spot_add(Refusing, OnCharacter, Operator):
    """Add a spot: the other selected object, or the 3D cursor."""

    bl_idname = "surefoot.spot_add"
    bl_label = "Add Spot"
    bl_description = text("tip_spot_add")
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(name="Object", description="The name of the object whose place it is")
    location: FloatVectorProperty(
        name="Location", description="Where in the world, where no object is named", subtype="TRANSLATION"
    )

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """The other selected object, where there is one, else the cursor."""
        others = [obj for obj in context.selected_objects if obj != subject(context)]
        if len(others) == 1:
            self.target = others[0].name
        else:
            self.location = context.scene.cursor.location
        return self.execute(context)

    def change(self, obj: Object, context: Context) -> None:
        """Add it."""
        target = named(self.target, context)
        spot_add(obj, target, place=None if target is not None else tuple(self.location))


class SUREFOOT_OT_spot_remove(Refusing, OnCharacter, Operator):
    """Remove the chosen spot with its keys."""

    bl_idname = "surefoot.spot_remove"
    bl_label = "Remove Spot"
    bl_description = text("tip_spot_remove")
    bl_options = {"REGISTER", "UNDO"}

    def change(self, obj: Object, _context: Context) -> None:
        """Remove it."""
        spot_remove(obj, obj.surefoot.active_spot)


class SUREFOOT_OT_spot_move(Refusing, OnCharacter, Operator):
    """Move the chosen spot; keys go along."""

    bl_idname = "surefoot.spot_move"
    bl_label = "Move Spot"
    bl_description = text("tip_spot_move")
    bl_options = {"REGISTER", "UNDO"}

    direction: EnumProperty(
        name="Direction", description="Where it goes", items=[(*way[:3], "NONE", way[3]) for way in WAYS]
    )

    def change(self, obj: Object, _context: Context) -> None:
        """Move it by one."""
        place = obj.surefoot.active_spot
        if not spot_move(obj, place, place + (1 if self.direction == "DOWN" else -1)):
            raise RefusedError(text("spot_stays"))


CLASSES = (SUREFOOT_OT_spot_add, SUREFOOT_OT_spot_remove, SUREFOOT_OT_spot_move)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
