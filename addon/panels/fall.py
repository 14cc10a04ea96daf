"""The part of the tab about falling: what hits the character, what of it is limp, and what is recorded of that."""

from __future__ import annotations

from typing import Any

from bpy.types import Context, Object, Panel, UILayout, UIList

from ..fall_inputs import why_no_physics
from ..fall_properties import LIMP
from ..performers import Performer, performers
from ..texts import text
from .tab import InTab, active
from .wrapping import lines


class SUREFOOT_UL_hits(UIList):
    """One line a hit: its name, its frame, its strength, whether it is on."""

    bl_idname = "SUREFOOT_UL_hits"

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        _settings: object,
        hit: Any,
        _icon: int,
        _active_data: object,
        _active_name: str,
    ) -> None:
        """Name, frame and strength."""
        layout.use_property_split = layout.use_property_decorate = False
        halves = layout.split(factor=0.36)
        halves.prop(hit, "name", text="", emboss=False)
        row = halves.row(align=True)
        row.prop(hit, "frame", text="")
        row.prop(hit, "strength", text="")
        row.prop(hit, "on", text="", icon="CHECKBOX_HLT" if hit.on else "CHECKBOX_DEHLT", emboss=False)


class SUREFOOT_PT_fall(InTab, Panel):
    """Hits, limpness, getting up, and how it is with their record."""

    bl_idname = "SUREFOOT_PT_fall"
    bl_label = text("panel_fall")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """What is known of it; then what is to happen."""
        layout, obj = self.layout, active(context)
        settings = obj.surefoot
        layout.prop(settings, "falls")
        draw_record(layout, context, obj)
        _draw_hits(layout, settings)
        row = layout.row(align=True)
        row.operator("surefoot.limp", text=text("limp_button"), icon="ARMATURE_DATA")
        row.operator("surefoot.get_up", text=text("get_up_button"), icon="TRIA_UP")
        column = layout.column(align=True)
        for name in LIMP:
            column.prop(settings, name)
        layout.use_property_split = True
        for name in ("get_up", "get_up_style", "fall_numbers", "fall_base", "hit_by_bodies", "tail_physics"):
            layout.prop(settings, name)
        pushes = settings.fall_colliders is not None
        layout.operator("surefoot.fall_colliders", text=text("fall_colliders_button"), icon="PHYSICS", depress=pushes)


def _draw_hits(layout: UILayout, settings: Any) -> None:
    """The list with its buttons, then the chosen hit."""
    row = layout.row()
    row.template_list("SUREFOOT_UL_hits", "", settings, "hits", settings, "active_hit", rows=2)
    column = row.column(align=True)
    column.operator("surefoot.shove", icon="ADD", text="")
    column.operator("surefoot.hit_remove", icon="REMOVE", text="")
    if 0 <= settings.active_hit < len(settings.hits):
        hit = settings.hits[settings.active_hit]
        layout.column().prop(hit, "direction")
        layout.prop(hit, "part")


def draw_record(layout: UILayout, context: Context, obj: Object) -> None:
    """The state at the frame that is shown, which frames are recorded, and what does not hold and why."""
    performer, box = performers.get(obj.session_uid), layout.box()
    said = told(performer, context.scene.frame_current)
    for sentence, icon in said or [(text("fall_none"), "INFO")]:
        lines(box, sentence, icon)
    why = why_no_physics(context.scene)
    if why and obj.surefoot.hits:
        lines(box, text(why), "ERROR")
    row = box.row(align=True)
    row.operator("surefoot.simulate", icon="TIME")
    row.operator("surefoot.clear_falls", text=text("clear_falls_button"), icon="X")


def told(performer: Performer | None, frame: int) -> list[tuple[str, str]]:
    """Sentences with their icons: what physics has at a frame, what is recorded, what is not or not any more."""
    if performer is None:
        return []
    track, found = performer.fall, []
    row = track.row_at(frame)
    if row is not None:
        found.append((text(f"fall_state_{row.state}"), "ARMATURE_DATA"))
    if track.runs:
        spans = ", ".join(f"{run.first}-{run.last}" for run in track.runs)
        found.append((text("fall_recorded", frames=spans), "CHECKMARK"))
    if track.open_end is not None:
        found.append((text("fall_open", frame=track.open_end), "INFO"))
    if track.is_stale:
        first = track.record.runs[track.held].first
        found.append((text(f"fall_stale_{track.why}", frame=first), "ERROR"))
    elif track.unmade is not None:
        found.append((text("fall_unmade", frame=track.unmade), "ERROR"))
    return found
