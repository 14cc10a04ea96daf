"""The tab in the sidebar of the 3D view, in Object and in Pose Mode. Drawing reads settings and nothing else."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import bpy
from bpy.types import Context, Object, Panel, UILayout, UIList

from ...core.control.config import ControlConfig
from ...core.gait.config import GaitConfig
from ...core.gait.slither_config import SlitherConfig
from ...core.presets import STYLE_SETTINGS, own_gait_problems
from ..performers import moves_itself, performers
from ..properties import CONFIG_NAMES
from ..refusal import why_not_armature
from ..roster import GOES_TO_TARGET, is_carried, is_character
from ..texts import text
from . import mapping
from .agent import draw_agent
from .body import SUREFOOT_PT_body
from .fall import SUREFOOT_PT_fall, SUREFOOT_UL_hits
from .follow import draw_followed
from .get_ups import SUREFOOT_PT_get_ups, SUREFOOT_UL_get_ups
from .layers import SUREFOOT_PT_adjustment, SUREFOOT_PT_layers, SUREFOOT_UL_layers
from .moves import SUREFOOT_PT_moves
from .ragdoll import SUREFOOT_PT_ragdoll, SUREFOOT_UL_ragdoll_bodies
from .root_motion import SUREFOOT_PT_root_motion
from .route import SUREFOOT_UL_spots, draw_route
from .state import BIG, draw_name, draw_playback, draw_state, listed
from .tab import MODES, InTab, active
from .wrapping import lines

STEPS = tuple(item.name for item in fields(GaitConfig) if item.name in CONFIG_NAMES and item.name not in STYLE_SETTINGS)
SLITHERS = tuple(item.name for item in fields(SlitherConfig) if item.name in CONFIG_NAMES)
LIMITS = tuple(item.name for item in fields(ControlConfig) if item.name in CONFIG_NAMES)
BAKE_OPTIONS = ("step", "travel", "tolerance", "markers", "replace")


class SUREFOOT_PT_character(InTab, Panel):
    """The way in: set up, preview, play, and what keeps it from walking."""

    bl_idname = "SUREFOOT_PT_character"
    bl_label = text("panel_character")

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Always there, and says why nothing can be done; in Edit Mode too."""
        return context.mode in {*MODES, "EDIT_ARMATURE"}

    def draw(self, context: Context) -> None:
        """Before set-up its button; after it, preview and play."""
        layout, obj = self.layout, active(context)
        reason = why_not_armature(obj)
        if reason:
            lines(layout, reason, "INFO")
            if context.mode == "OBJECT":
                layout.menu("SUREFOOT_MT_add_character", text=text("add_button"), icon="ADD")
        elif is_character(obj):
            draw_name(layout, obj)
            draw_playback(layout, context, obj)
            draw_state(layout, context, obj)
        else:
            row = layout.row()
            row.scale_y = BIG
            row.operator("surefoot.setup", text=text("set_up_button"), icon="ARMATURE_DATA")
            lines(layout, text("set_up_hint", name=obj.name))


class SUREFOOT_PT_problems(InTab, Panel):
    """What set-up did not understand."""

    bl_idname = "SUREFOOT_PT_problems"
    bl_parent_id = "SUREFOOT_PT_character"
    bl_label = ""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Only where there is something to say."""
        return super().poll(context) and len(listed(active(context))) > 0

    def draw_header(self, context: Context) -> None:
        """How many lines there are, so that it can stay closed."""
        problems = listed(active(context))
        icon = "ERROR" if any(problem.blocking for problem in problems) else "INFO"
        self.layout.label(text=text("panel_problems", count=len(problems)), icon=icon)

    def draw(self, context: Context) -> None:
        """One sentence each: where, what, and the remedy."""
        for problem in listed(active(context)):
            lines(self.layout, problem.text, "ERROR" if problem.blocking else "DOT")


class SUREFOOT_PT_motion(InTab, Panel):
    """In which gait, how fast, where to, on what."""

    bl_idname = "SUREFOOT_PT_motion"
    bl_label = text("panel_motion")

    def draw(self, context: Context) -> None:
        """Gait, speed, director with what it needs, ground, travel."""
        layout, obj = self.layout, active(context)
        settings = obj.surefoot
        layout.use_property_split = True
        layout.prop(settings, "base")
        if settings.base == "CLIP":
            _draw_clip(layout, settings)
        elif settings.base == "RIG":
            draw_followed(layout, settings)
        else:
            layout.prop(settings, "gait")
            if settings.gait == "PRESET":
                layout.prop(settings, "gait_preset")
        _draw_unfitting(layout, obj)
        if not is_carried(obj):
            row = layout.row()
            row.enabled = settings.director != "MOVER"
            row.prop(settings, "speed")
            layout.prop(settings, "director")
            _draw_director(layout, obj)
        layout.prop(settings, "surfaces")
        layout.prop(settings, "ground", placeholder=text("default_ground"))
        layout.prop(settings, "travel")


class SUREFOOT_PT_steps(InTab, Panel):
    """How steps are planned and taken: the core's settings, as they are declared there."""

    bl_idname = "SUREFOOT_PT_steps"
    bl_parent_id = "SUREFOOT_PT_motion"
    bl_label = text("panel_steps")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """One line a setting; other ones for a body without legs."""
        obj = active(context)
        performer = performers.get(obj.session_uid)
        slithers = performer is not None and performer.reading.rig.long_body is not None
        _draw_settings(self.layout, obj, SLITHERS if slithers else STEPS)


class SUREFOOT_PT_style(InTab, Panel):
    """How it moves, whatever gait it is in: a few sliders, and all of them at once from what ships."""

    bl_idname = "SUREFOOT_PT_style"
    bl_parent_id = "SUREFOOT_PT_motion"
    bl_label = text("panel_style")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """The menu of styles, then one line a slider."""
        self.layout.menu("SUREFOOT_MT_style", text=text("style_menu"), icon="PRESET")
        _draw_settings(self.layout, active(context), (*STYLE_SETTINGS, "seed"))


class SUREFOOT_PT_limits(InTab, Panel):
    """How quickly the body speeds up, turns and stops, and when it starts."""

    bl_idname = "SUREFOOT_PT_limits"
    bl_parent_id = "SUREFOOT_PT_motion"
    bl_label = text("panel_limits")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """One line a setting."""
        _draw_settings(self.layout, active(context), ("frame_start", *LIMITS))


class SUREFOOT_PT_bake(InTab, Panel):
    """Bake and report."""

    bl_idname = "SUREFOOT_PT_bake"
    bl_label = text("panel_bake")

    def draw(self, context: Context) -> None:
        """The range, and the two buttons that take it."""
        layout, obj, scene = self.layout, active(context), context.scene
        start, end = obj.surefoot.frame_start, scene.frame_end
        layout.label(text=text("range", start=start, end=end), icon="PREVIEW_RANGE")
        if end < start:
            lines(layout, text("no_range", start=start, end=end), "ERROR")
        row = layout.row()
        row.scale_y = BIG
        row.enabled = end >= start
        row.operator("surefoot.bake", text=text("bake_button"), icon="ACTION")
        row = layout.row(align=True)
        row.operator("surefoot.report", text=text("report_button"), icon="TEXT")
        row.operator("surefoot.report", text="", icon="EXPORT").choose_file = True
        row = layout.row(align=True)
        row.operator("surefoot.gait_chart", text=text("chart_button"), icon="IMAGE_DATA")
        row.operator("surefoot.gait_chart", text="", icon="EXPORT").choose_file = True
        row.prop(obj.surefoot, "chart", text="", icon="OVERLAY")


class SUREFOOT_PT_bake_options(InTab, Panel):
    """What the next bake does; Blender keeps it with the operator."""

    bl_idname = "SUREFOOT_PT_bake_options"
    bl_parent_id = "SUREFOOT_PT_bake"
    bl_label = text("panel_bake_options")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """One line an option."""
        layout = self.layout
        layout.use_property_split = True
        options = context.window_manager.operator_properties_last("surefoot.bake")
        for name in BAKE_OPTIONS:
            layout.prop(options, name)


class SUREFOOT_PT_render(InTab, Panel):
    """What renders, physics and exports need."""

    bl_idname = "SUREFOOT_PT_render"
    bl_parent_id = "SUREFOOT_PT_bake"
    bl_label = text("panel_render")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """Two recommendations, the first as the switch that it is about."""
        layout = self.layout
        lines(layout, text("lock_interface"), "RENDER_ANIMATION")
        layout.prop(context.scene.render, "use_lock_interface", text=text("lock_button"))
        lines(layout, text("physics"), "PHYSICS")


class SUREFOOT_PT_performance(InTab, Panel):
    """A gait from an Action, of any armature: set up or not."""

    bl_idname = "SUREFOOT_PT_performance"
    bl_label = text("panel_performance")
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Wherever an armature is active: the performer need not be a character."""
        return context.mode in MODES and not why_not_armature(active(context))

    def draw(self, context: Context) -> None:
        """What it does, its button, and which of the user's gaits cannot be read."""
        lines(self.layout, text("performance_hint"))
        self.layout.operator("surefoot.gait_from_action", text=text("performance_button"), icon="ACTION")
        for problem in own_gait_problems():
            lines(self.layout, problem, "ERROR")


class SUREFOOT_UL_corrections(UIList):
    """The lines of the mapping."""

    bl_idname = "SUREFOOT_UL_corrections"

    def draw_item(
        self,
        _context: Context,
        layout: UILayout,
        settings: object,
        line: object,
        _icon: int,
        _active_data: object,
        _active_name: str,
    ) -> None:
        """Role and bone side by side, both to be typed or picked."""
        row = layout.row(align=True)
        row.prop(line, "role", text="", placeholder=text("role_placeholder"))
        row.prop_search(line, "bone", settings.id_data.data, "bones", text="")


class SUREFOOT_PT_rig(InTab, Panel):
    """Bones named for roles by hand, set-up again, and the way out."""

    bl_idname = "SUREFOOT_PT_rig"
    bl_label = text("panel_rig")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """The lines of the mapping with their buttons, then what reads the rig anew, then what ends it."""
        layout, settings = self.layout, active(context).surefoot
        lines(layout, text("mapping_hint"))
        row = layout.row()
        row.template_list("SUREFOOT_UL_corrections", "", settings, "corrections", settings, "active_correction", rows=3)
        column = row.column(align=True)
        column.operator("surefoot.correction_add", icon="ADD", text="")
        column.operator("surefoot.correction_remove", icon="REMOVE", text="")
        layout.operator("surefoot.setup", text=text("set_up_again"), icon="FILE_REFRESH")
        layout.separator()
        layout.operator("surefoot.remove", text=text("remove_button"), icon="X")


def _draw_unfitting(layout: UILayout, obj: Object) -> None:
    """A gait that is not made for these legs."""
    performer = performers.get(obj.session_uid)
    for problem in performer.character.gait_problems(obj.surefoot.gait) if performer is not None else ():
        lines(layout, str(problem), "ERROR")


def _draw_clip(layout: UILayout, settings: Any) -> None:
    """The clip that is played, and how."""
    layout.prop(settings, "clip")
    if settings.clip is None:
        lines(layout, text("no_clip"), "ERROR")
    elif len(settings.clip.slots) > 1:
        layout.prop(settings, "clip_slot")
    layout.prop(settings, "clip_timing")
    if settings.clip_timing == "PROGRESS":
        layout.prop(settings, "clip_progress")
    else:
        for name in ("clip_repeat", "clip_rate", "clip_start"):
            layout.prop(settings, name)
    layout.prop(settings, "clip_travel")
    if settings.clip_travel == "DIRECTOR" and settings.clip_timing == "TIME":
        layout.prop(settings, "clip_keeps_pace")
    layout.prop(settings, "clip_lift")


def _draw_director(layout: UILayout, obj: Object) -> None:
    settings = obj.surefoot
    if settings.director == "PATH":
        layout.prop(settings, "path")
        if settings.path is None:
            lines(layout, text("no_path"), "ERROR")
    elif settings.director in GOES_TO_TARGET:
        layout.prop(settings, "target")
        if settings.target is None:
            lines(layout, text("no_target"), "ERROR")
    elif settings.director == "ROUTE":
        draw_route(layout, settings)
    elif settings.director == "AGENT":
        draw_agent(layout, settings)
    elif settings.director == "MOVER":
        layout.prop(settings, "mover")
        lines(layout, text("own_animation" if moves_itself(obj) else "mover_speed"), "INFO")


def _draw_settings(layout: UILayout, obj: Object, names: tuple[str, ...]) -> None:
    # Name and number in one field: beside each other, the longer names would be cut in a narrow sidebar.
    column = layout.column(align=True)
    for name in names:
        column.prop(obj.surefoot, name)


LISTS = (
    SUREFOOT_UL_corrections,
    SUREFOOT_UL_layers,
    SUREFOOT_UL_spots,
    SUREFOOT_UL_hits,
    SUREFOOT_UL_get_ups,
    SUREFOOT_UL_ragdoll_bodies,
)
# Parents before children.
PANELS = (
    SUREFOOT_PT_character,
    SUREFOOT_PT_problems,
    SUREFOOT_PT_motion,
    SUREFOOT_PT_style,
    SUREFOOT_PT_steps,
    SUREFOOT_PT_body,
    SUREFOOT_PT_moves,
    SUREFOOT_PT_limits,
    SUREFOOT_PT_layers,
    SUREFOOT_PT_adjustment,
    SUREFOOT_PT_fall,
    SUREFOOT_PT_get_ups,
    SUREFOOT_PT_ragdoll,
    SUREFOOT_PT_bake,
    SUREFOOT_PT_bake_options,
    SUREFOOT_PT_render,
    SUREFOOT_PT_root_motion,
    SUREFOOT_PT_performance,
    SUREFOOT_PT_rig,
    *mapping.PANELS,
)


def register() -> None:
    """Make the panels known, and the lists that they hold."""
    for item in (*LISTS, *PANELS):
        bpy.utils.register_class(item)


def unregister() -> None:
    """Take them away."""
    for item in (*reversed(PANELS), *LISTS):
        bpy.utils.unregister_class(item)
