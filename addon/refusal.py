"""A refusal is a sentence: why something cannot be done now, and the remedy."""

from __future__ import annotations

import bpy
from bpy.types import Depsgraph, Object, Scene, ViewLayer

from .roster import is_character
from .texts import text


class RefusedError(Exception):
    """What was asked cannot be done; the text is meant for a person."""


def why_not_armature(obj: Object | None) -> str:
    """Why this object cannot be set up; empty if it can."""
    reason = why_not_measured(obj)
    if reason or obj is None:
        return reason
    return "" if obj.is_editable else text("linked", name=obj.name)


def why_not_measured(obj: Object | None) -> str:
    """Why this object cannot even be looked at; empty if it can: a linked armature can."""
    if obj is None:
        return text("no_object")
    if obj.type != "ARMATURE":
        return text("no_armature", name=obj.name)
    if obj.mode == "EDIT":
        return text("edit_mode", name=obj.name)
    return ""


def why_not_character(obj: Object | None) -> str:
    """Why this object is no character that can be worked with; empty if it is one."""
    reason = why_not_armature(obj)
    if reason or obj is None:
        return reason
    return "" if is_character(obj) else text("not_set_up", name=obj.name)


def why_not_evaluated(obj: Object, scene: Scene) -> str:
    """Why this object does not take part in this scene; empty if it does. Lets Blender evaluate what is pending."""
    if scene not in obj.users_scene:
        return text("not_in_scene", name=obj.name, scene=scene.name)
    layer = layer_of(scene)
    layer.update()
    if not obj.evaluated_get(layer.depsgraph).is_evaluated:
        return text("hidden", name=obj.name)
    return ""


def layer_of(scene: Scene) -> ViewLayer:
    """The view layer whose evaluation counts: the window's, if it shows this scene, else the scene's first."""
    layer = bpy.context.view_layer
    if layer is not None and bpy.context.scene == scene:
        return layer
    return scene.view_layers[0]


def depsgraph_of(scene: Scene) -> Depsgraph:
    """The scene's evaluation that counts, made if there is none yet."""
    layer = layer_of(scene)
    depsgraph = layer.depsgraph
    if depsgraph is None:
        layer.update()
        return layer.depsgraph
    return depsgraph
