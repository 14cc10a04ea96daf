"""The list of pose layers in the sidebar, and what the chosen one can be told."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Object, Panel, UILayout, UIList

from ...core.layers.registry import LAYERS
from ..layer_inputs import live_layers
from ..layer_properties import GROUPS, group_name
from ..performers import performers
from ..texts import text
from .tab import InTab, active
from .wrapping import lines


class SUREFOOT_UL_layers(UIList):
    """One line a layer: its name, its weight, whether it takes part."""

    bl_idname = "SUREFOOT_UL_layers"

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        _settings: object,
        layer: Any,
        _icon: int,
        _active_data: object,
        _active_name: str,
    ) -> None:
        """Name, weight and the switch."""
        kind = LAYERS.get(layer.kind)
        row = layout.row(align=True)
        row.active = not layer.mute
        row.prop(layer, "name", text="", emboss=False, icon=kind.icon if kind is not None else "QUESTION")
        row.prop(layer, "weight", text="")
        row.prop(layer, "mute", text="", icon="HIDE_ON" if layer.mute else "HIDE_OFF", emboss=False)


class SUREFOOT_PT_layers(InTab, Panel):
    """What changes the pose after the base motion."""

    bl_idname = "SUREFOOT_PT_layers"
    bl_label = text("panel_layers")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """The list with its buttons, then the chosen layer."""
        layout, obj = self.layout, active(context)
        settings = obj.surefoot
        row = layout.row()
        row.template_list("SUREFOOT_UL_layers", "", settings, "layers", settings, "active_layer", rows=3)
        column = row.column(align=True)
        column.menu("SUREFOOT_MT_layer_add", icon="ADD", text="")
        column.operator("surefoot.layer_remove", icon="REMOVE", text="")
        column.separator()
        column.operator("surefoot.layer_move", icon="TRIA_UP", text="").direction = "UP"
        column.operator("surefoot.layer_move", icon="TRIA_DOWN", text="").direction = "DOWN"
        place = settings.active_layer
        if 0 <= place < len(settings.layers):
            _draw_layer(layout, context, obj, place)


class SUREFOOT_PT_adjustment(InTab, Panel):
    """The correction that lies under everything."""

    bl_idname = "SUREFOOT_PT_adjustment"
    bl_parent_id = "SUREFOOT_PT_layers"
    bl_label = text("panel_adjustment")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """What it does, its buttons, and which bones it turns."""
        layout, settings = self.layout, active(context).surefoot
        lines(layout, text("adjustment_hint"))
        row = layout.row(align=True)
        row.operator("surefoot.adjustment_take", text=text("adjustment_take_button"), icon="POSE_HLT")
        if settings.adjustment or any(settings.adjustment_move):
            row.operator("surefoot.adjustment_clear", text="", icon="X")
            column = layout.column(align=True)
            for line in settings.adjustment:
                column.label(text=line.bone, icon="BONE_DATA")
            layout.use_property_split = True
            layout.prop(settings, "adjustment_move")


def _draw_layer(layout: UILayout, context: Context, obj: Object, place: int) -> None:
    layer = obj.surefoot.layers[place]
    kind = LAYERS.get(layer.kind)
    if kind is None:
        lines(layout, text("layer_unknown", kind=layer.kind), "ERROR")
        return
    reason = _reason(obj, place, context.scene.frame_current)
    if reason:
        lines(layout, reason, "INFO")
    layout.use_property_split = True
    layout.use_property_decorate = True
    layout.prop(layer, "weight")
    if kind.targets != "NONE":
        layout.prop(layer, "on")
        _draw_aim(layout, layer)
    if "action" in kind.uses:
        layout.prop(layer, "action")
        layout.prop(layer, "action_slot")
    if "progress" in kind.uses:
        layout.prop(layer, "progress")
    layout.prop(layer, "mask")
    group = getattr(layer, group_name(kind.kind))
    layout.use_property_decorate = False
    column = layout.column(align=True)
    for prop in GROUPS[kind.kind].bl_rna.properties:
        if prop.identifier not in {"rna_type", "name"}:
            column.prop(group, prop.identifier)


def _draw_aim(layout: UILayout, layer: Any) -> None:
    layout.prop(layer, "aim")
    if layer.aim == "PLACE":
        layout.prop(layer, "place")
    elif layer.aim == "OBJECT":
        layout.prop(layer, "target", placeholder=text("camera"))
        if layer.target is not None and layer.target.type == "ARMATURE":
            layout.prop_search(layer, "bone", layer.target.data, "bones")


def _reason(obj: Object, place: int, frame: int) -> str:
    """Why the layer cannot do as asked at this frame; empty while it can."""
    performer = performers.get(obj.session_uid)
    snapshot = performer.cache.get(frame) if performer is not None else None
    if snapshot is None:
        return ""
    order = [i for i, _ in live_layers(obj)]
    memories = snapshot.memory.layers
    if place not in order or order.index(place) >= len(memories):
        return ""
    return str(memories[order.index(place)].reason)
