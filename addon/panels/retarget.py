"""The panel of retargeting: the source, the button, and what the last one did. Drawing reads settings and nothing else.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import bpy
from bpy.types import Context, Object, Panel, UILayout

from ...core.retarget.config import RetargetConfig
from ..config_properties import default_of
from ..motion import listed
from ..refusal import why_not_armature
from ..retarget_result import kept_result
from ..texts import text
from .state import BIG
from .tab import MODES, InTab, active
from .wrapping import lines

FIRST_OPTIONS = ("reference", "place", "carrier", "limbs")
LAST_OPTIONS = ("step", "tolerance", "assign")
MOST_LINES = 60


class _OnArmature(InTab):
    """Wherever an armature is active that can be changed: it need not be a character."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Whether there is one."""
        return context.mode in MODES and not why_not_armature(active(context))


class _OfResult(InTab):
    """Where the active armature plays an Action that a retarget made."""

    bl_parent_id = "SUREFOOT_PT_retarget_result"
    bl_options = {"DEFAULT_CLOSED"}
    key = ""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Only where there is something to list."""
        result = shown_result(context)
        return result is not None and bool(result[cls.key])

    def draw_header(self, context: Context) -> None:
        """How many there are, so that it can stay closed."""
        self.layout.label(text=text(f"panel_retarget_{self.key}", count=len(shown_result(context)[self.key])))


class SUREFOOT_PT_retarget(_OnArmature, Panel):
    """Whose motion is taken, and the button."""

    bl_idname = "SUREFOOT_PT_retarget"
    bl_label = text("panel_retarget")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """The source with a line of what it is, the button, what to know of it."""
        layout, settings = self.layout, active(context).surefoot
        layout.prop(settings, "source")
        line, usable = source_line(settings.source)
        lines(layout, line, "INFO" if usable else "ERROR")
        row = layout.row()
        row.scale_y, row.enabled = BIG, usable
        row.operator("surefoot.retarget", text=text("retarget_button"), icon="CON_ARMATURE")
        lines(layout, text("retarget_hint"))


class SUREFOOT_PT_retarget_options(_OnArmature, Panel):
    """What the next retarget does; Blender keeps it with the operator."""

    bl_idname = "SUREFOOT_PT_retarget_options"
    bl_parent_id = "SUREFOOT_PT_retarget"
    bl_label = text("panel_retarget_options")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """One line an option, those of the core between the operator's own."""
        layout = self.layout
        layout.use_property_split = True
        options = context.window_manager.operator_properties_last("surefoot.retarget")
        for name in (*FIRST_OPTIONS, *config_names(RetargetConfig), *LAST_OPTIONS):
            layout.prop(options, name)


class SUREFOOT_PT_retarget_result(_OnArmature, Panel):
    """What the retarget did whose Action the armature plays."""

    bl_idname = "SUREFOOT_PT_retarget_result"
    bl_parent_id = "SUREFOOT_PT_retarget"
    bl_label = text("panel_retarget_result")

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Only after one."""
        return super().poll(context) and shown_result(context) is not None

    def draw(self, context: Context) -> None:
        """How much follows, how far feet slide, then what to look at and what to know."""
        layout, result = self.layout, shown_result(context)
        follow, of = result["coverage"]
        whose = result["source_action"] or result["source"]
        lines(layout, text("result_line", source_action=whose, follow=follow, of=of, frames=result["frames"]))
        before, after = result["slide_before"], result["slide_after"]
        if before is None:
            lines(layout, text("result_no_feet"))
        else:
            lines(layout, text("result_feet", before=1000.0 * before, after=1000.0 * after))
        for problem in result["problems"]:
            lines(layout, problem, "ERROR")
        for note in result["notes"]:
            lines(layout, note, "INFO")


class SUREFOOT_PT_retarget_matched(_OfResult, Panel):
    """Which bones follow which."""

    bl_idname = "SUREFOOT_PT_retarget_matched"
    bl_label = ""
    key = "matched"

    def draw(self, context: Context) -> None:
        """One line a role: the target's bones, then the source's."""
        column = self.layout.column(align=True)
        for pair in shown_result(context)["matched"][:MOST_LINES]:
            row = column.split(factor=0.5)
            row.label(text=", ".join(pair["target"]), icon="BONE_DATA")
            row.label(text=", ".join(pair["source"]))


class SUREFOOT_PT_retarget_stayed(_OfResult, Panel):
    """Which bones stay at rest, and why."""

    bl_idname = "SUREFOOT_PT_retarget_stayed"
    bl_label = ""
    key = "stayed"

    def draw(self, context: Context) -> None:
        """One line a reason, with its bones."""
        reasons: dict[str, list[str]] = {}
        for item in shown_result(context)["stayed"]:
            reasons.setdefault(item["reason"], []).append(item["bone"])
        for reason, bones in reasons.items():
            _draw_names(self.layout, f"{reason[:1].upper()}{reason[1:]}:", bones)


class SUREFOOT_PT_retarget_unused(_OfResult, Panel):
    """Which of the source's bones lead nothing."""

    bl_idname = "SUREFOOT_PT_retarget_unused"
    bl_label = ""
    key = "unused"

    def draw(self, context: Context) -> None:
        """Their names."""
        _draw_names(self.layout, "", shown_result(context)["unused"])


def shown_result(context: Context) -> dict[str, Any] | None:
    """The result of the retarget whose Action the active armature plays."""
    obj = active(context)
    animation = obj.animation_data if obj is not None else None
    return kept_result(animation.action) if animation is not None else None


def source_line(source: Object | None) -> tuple[str, bool]:
    """What a source is, in a line, and whether a motion can be expected of it; cheap enough for every redraw."""
    if source is None:
        return text("retarget_choose"), False
    if source.type != "ARMATURE":
        return text("source_empties" if source.type == "EMPTY" else "source_no_rig"), source.type == "EMPTY"
    animation = source.animation_data
    if animation is not None and animation.action is not None:
        return text("source_action", action=animation.action.name), True
    if animation is not None and any(len(track.strips) for track in animation.nla_tracks):
        return text("source_strips"), True
    led = source.parent is not None or len(source.constraints) or (animation is not None and len(animation.drivers))
    if led or any(len(bone.constraints) for bone in source.pose.bones):
        return text("source_led"), True
    return text("source_still"), False


def config_names(config: type) -> tuple[str, ...]:
    """The names of a Config's settings, nested ones in their place."""
    found: list[str] = []
    for item in fields(config):
        default = default_of(item)
        found += config_names(type(default)) if is_dataclass(default) else [item.name]
    return tuple(found)


def _draw_names(layout: UILayout, title: str, names: list[str]) -> None:
    """A title and a list of names, wrapped."""
    lines(layout, f"{title} {listed(names, MOST_LINES)}".strip())


# Parents before children.
PANELS = (
    SUREFOOT_PT_retarget,
    SUREFOOT_PT_retarget_options,
    SUREFOOT_PT_retarget_result,
    SUREFOOT_PT_retarget_matched,
    SUREFOOT_PT_retarget_stayed,
    SUREFOOT_PT_retarget_unused,
)


def register() -> None:
    """Make the panels known."""
    for item in PANELS:
        bpy.utils.register_class(item)


def unregister() -> None:
    """Take them away."""
    for item in reversed(PANELS):
        bpy.utils.unregister_class(item)
