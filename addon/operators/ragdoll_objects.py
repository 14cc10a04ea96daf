"""Show Bodies as Objects, and take them away again."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.types import Context, Operator

from ..ragdoll_objects import hide_bodies, show_bodies
from ..refusal import RefusedError
from ..texts import text
from .subject import OnArmature, subject


class SUREFOOT_OT_ragdoll_show_objects(OnArmature, Operator):
    """Put the bodies into the scene as wire meshes."""

    bl_idname = "surefoot.ragdoll_show_objects"
    bl_label = "Show Bodies as Objects"
    bl_description = text("tip_ragdoll_show_objects")
    bl_options = {"REGISTER", "UNDO"}
    result: Any = None

    def execute(self, context: Context) -> set[str]:
        """One collection of the active armature's bodies."""
        obj = subject(context)
        try:
            collection = show_bodies(obj, context.scene)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.result = collection
        count = len(collection.objects)
        self.report({"INFO"}, text("ragdoll_shown", count=count, name=obj.name, collection=collection.name))
        return {"FINISHED"}


class SUREFOOT_OT_ragdoll_hide_objects(OnArmature, Operator):
    """Remove them."""

    bl_idname = "surefoot.ragdoll_hide_objects"
    bl_label = "Remove Body Objects"
    bl_description = text("tip_ragdoll_hide_objects")
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context: Context) -> set[str]:
        """Nothing of them stays."""
        obj = subject(context)
        self.report({"INFO"}, text("ragdoll_hidden", count=hide_bodies(obj), name=obj.name))
        return {"FINISHED"}


CLASSES = (SUREFOOT_OT_ragdoll_show_objects, SUREFOOT_OT_ragdoll_hide_objects)


register, unregister = bpy.utils.register_classes_factory(CLASSES)
