"""Hits, limpness and getting up, from the current frame on or from any."""

from __future__ import annotations

from math import degrees
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, StringProperty
from bpy.types import Context, Object, Operator

from ..fall_colliders import add_colliders, has_colliders, remove_colliders
from ..fall_properties import STYLES
from ..hits import PARTS, clear_falls, get_up, hit_remove, limp, parts_of, shove
from ..texts import text
from .subject import OnCharacter, Refusing

FRAME = {"description": "The frame; not given, the current one", "options": {"SKIP_SAVE"}}


def known_parts(_operator: Any, context: Context, typed: str) -> list[str]:
    """The body parts of the active character."""
    obj = context.view_layer.objects.active
    return [part for part in (parts_of(obj) if obj is not None else ()) if typed.lower() in part.lower()]


class AtFrame(Refusing, OnCharacter):
    """A mixin: at a frame of the active character."""

    def at(self, context: Context) -> int:
        """The frame that is given, else the current one."""
        return self.frame if self.properties.is_property_set("frame") else context.scene.frame_current


class SUREFOOT_OT_shove(AtFrame, Operator):
    """Hit the character: a direction, a strength, a body part."""

    bl_idname = "surefoot.shove"
    bl_label = "Shove"
    bl_description = text("tip_shove")
    bl_options = {"REGISTER", "UNDO"}

    direction: FloatVectorProperty(
        name="Direction", description="Which way it pushes, in the world", subtype="XYZ", default=(0.0, 1.0, 0.0)
    )
    use_heading: BoolProperty(name="By Heading", description="The heading says which way, not the direction")
    heading: FloatProperty(
        name="Heading",
        description="Which way it pushes over the ground: 0 along -Y, 90 degrees along +X",
        subtype="ANGLE",
    )
    strength: FloatProperty(
        name="Strength (m/s)",
        description="The speed that it gives, metres a second",
        default=1.5,
        min=0.0,
        max=60.0,
        soft_max=10.0,
    )
    part: StringProperty(
        name="Body Part", description="What it hits; empty: the trunk with all that it carries", search=known_parts
    )
    frame: IntProperty(name="Frame", **FRAME)

    def change(self, obj: Object, context: Context) -> None:
        """Add the hit."""
        way = degrees(self.heading) if self.use_heading else tuple(self.direction)
        frame = self.at(context)
        shove(obj, way, self.strength, self.part, frame)
        self.report({"INFO"}, text("shoved", name=obj.name, frame=frame))


class SUREFOOT_OT_limp(AtFrame, Operator):
    """Let the character, or parts of it, go limp."""

    bl_idname = "surefoot.limp"
    bl_label = "Go Limp"
    bl_description = text("tip_limp")
    bl_options = {"REGISTER", "UNDO"}

    parts: EnumProperty(
        name="Parts",
        description="What of it goes limp",
        items=[(part, part.title(), f"The {part}") for part in PARTS],
        options={"ENUM_FLAG"},
        default=set(PARTS),
    )
    share: FloatProperty(
        name="Share", description="How much of it physics has: 0 hands it back", default=1.0, min=0.0, max=1.0
    )
    over: IntProperty(name="Over", description="The frames in which it goes over", min=0)
    frame: IntProperty(name="Frame", **FRAME)

    def change(self, obj: Object, context: Context) -> None:
        """Key it."""
        chosen = [part for part in PARTS if part in self.parts]
        frame = limp(obj, self.at(context), chosen, self.share, self.over)
        self.report({"INFO"}, text("went_limp" if self.share > 0.0 else "handed_back", name=obj.name, frame=frame))


class SUREFOOT_OT_get_up(AtFrame, Operator):
    """Let the character get up."""

    bl_idname = "surefoot.get_up"
    bl_label = "Get Up"
    bl_description = text("tip_get_up")
    bl_options = {"REGISTER", "UNDO"}

    style: EnumProperty(name="Style", description="How it gets up", items=[item[:3] for item in STYLES])
    frame: IntProperty(name="Frame", **FRAME)

    def change(self, obj: Object, context: Context) -> None:
        """Key it; a style that is not given stays as it is."""
        style = self.style if self.properties.is_property_set("style") else ""
        frame = get_up(obj, self.at(context), style)
        self.report({"INFO"}, text("gets_up", name=obj.name, frame=frame))


class SUREFOOT_OT_hit_remove(Refusing, OnCharacter, Operator):
    """Remove the chosen hit."""

    bl_idname = "surefoot.hit_remove"
    bl_label = "Remove Hit"
    bl_description = text("tip_hit_remove")
    bl_options = {"REGISTER", "UNDO"}

    place: IntProperty(
        name="Place", description="Its number in the list; not given, the chosen one", min=0, options={"SKIP_SAVE"}
    )

    def change(self, obj: Object, _context: Context) -> None:
        """Remove it."""
        given = self.properties.is_property_set("place")
        hit_remove(obj, self.place if given else obj.surefoot.active_hit)


class SUREFOOT_OT_clear_falls(Refusing, OnCharacter, Operator):
    """Forget hits, limpness, and what physics made of them."""

    bl_idname = "surefoot.clear_falls"
    bl_label = "Forget Falls"
    bl_description = text("tip_clear_falls")
    bl_options = {"REGISTER", "UNDO"}

    def change(self, obj: Object, _context: Context) -> None:
        """All of it."""
        clear_falls(obj)
        self.report({"INFO"}, text("falls_cleared", name=obj.name))


class SUREFOOT_OT_fall_colliders(Refusing, OnCharacter, Operator):
    """Bodies that push the scene's rigid bodies: there, or gone again."""

    bl_idname = "surefoot.fall_colliders"
    bl_label = "Push Rigid Bodies"
    bl_description = text("tip_fall_colliders")
    bl_options = {"REGISTER", "UNDO"}

    def change(self, obj: Object, _context: Context) -> None:
        """The other of the two."""
        there = has_colliders(obj)
        if there:
            remove_colliders(obj)
        else:
            add_colliders(obj)
        self.report({"INFO"}, text("fall_colliders_off" if there else "fall_colliders_on", name=obj.name))


OPERATORS = (
    SUREFOOT_OT_shove,
    SUREFOOT_OT_limp,
    SUREFOOT_OT_get_up,
    SUREFOOT_OT_hit_remove,
    SUREFOOT_OT_clear_falls,
    SUREFOOT_OT_fall_colliders,
)


def register() -> None:
    """Make the operators known."""
    for item in OPERATORS:
        bpy.utils.register_class(item)


def unregister() -> None:
    """Take them away."""
    for item in reversed(OPERATORS):
        bpy.utils.unregister_class(item)
