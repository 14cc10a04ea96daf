"""The tab in the sidebar of the 3D view, in Object and in Pose Mode. Drawing reads settings and nothing else."""

from __future__ import annotations

import bpy
from bpy.types import Context, Object, Panel, UILayout

from ..performers import moves_itself, performers
from ..preview import failure_of
from ..properties import CONFIG_NAMES
from ..refusal import why_not_armature
from ..roster import is_character
from ..texts import TAB, text

MODES = {"OBJECT", "POSE"}
LONGEST_LINE = 46


class InTab:
    """A mixin: in our tab."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = TAB

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Drawn wherever a character can be worked on."""
        return context.mode in MODES and _character(context) is not None


class SUREFOOT_PT_setup(InTab, Panel):
    """Set up and what came of it."""

    bl_idname = "SUREFOOT_PT_setup"
    bl_label = text("panel_setup")

    @classmethod
    def poll(cls, context: Context) -> bool:
        """The way in: always there, and says why nothing can be done."""
        return context.mode in MODES

    def draw(self, context: Context) -> None:
        """The button, the problems, the way out."""
        layout, obj = self.layout, context.view_layer.objects.active
        reason = why_not_armature(obj)
        if reason:
            lines(layout, reason, "INFO")
            return
        if not is_character(obj):
            layout.operator("surefoot.setup", text=text("set_up_button"), icon="ARMATURE_DATA")
            return
        layout.label(text=obj.name, icon="OUTLINER_OB_ARMATURE")
        _draw_problems(layout, obj)
        row = layout.row(align=True)
        row.operator("surefoot.setup", text=text("set_up_again"), icon="FILE_REFRESH")
        row.operator("surefoot.remove", text=text("remove_button"), icon="X")


class SUREFOOT_PT_preview(InTab, Panel):
    """The preview, and how far it is computed."""

    bl_idname = "SUREFOOT_PT_preview"
    bl_label = text("panel_preview")

    def draw(self, context: Context) -> None:
        """The switch, the reach, Simulate."""
        layout, obj = self.layout, _character(context)
        settings = obj.surefoot
        layout.prop(settings, "preview", toggle=True, icon="PLAY")
        failure = failure_of(obj.session_uid)
        if failure and settings.preview:
            lines(layout, failure, "ERROR")
        _draw_reach(layout, context, obj)
        layout.operator("surefoot.simulate", text=text("simulate_button"), icon="TIME")
        if not settings.preview:
            return
        if settings.action_before is None and obj.animation_data is not None and obj.animation_data.action is not None:
            lines(layout, text("keeps_action"), "INFO")
        if not context.scene.render.use_lock_interface:
            lines(layout, text("lock_interface"), "INFO")


class SUREFOOT_PT_motion(InTab, Panel):
    """Where to, how fast, in which gait, on what."""

    bl_idname = "SUREFOOT_PT_motion"
    bl_label = text("panel_motion")

    def draw(self, context: Context) -> None:
        """Director with what it needs, speed, gait, ground, travel."""
        layout, obj = self.layout, _character(context)
        settings = obj.surefoot
        layout.use_property_split = True
        layout.prop(settings, "director")
        _draw_director(layout, obj)
        if settings.director in {"AHEAD", "PATH", "TARGET"}:
            layout.prop(settings, "speed")
        layout.prop(settings, "gait")
        if settings.gait == "PRESET":
            layout.prop(settings, "gait_preset")
        layout.prop(settings, "ground")
        if settings.ground is None:
            lines(layout, text("default_ground"), "NONE")
        layout.prop(settings, "travel")
        layout.prop(settings, "frame_start")
        layout.prop(settings, "seed")


class SUREFOOT_PT_details(InTab, Panel):
    """The settings of the core, as they are declared there."""

    bl_idname = "SUREFOOT_PT_details"
    bl_parent_id = "SUREFOOT_PT_motion"
    bl_label = text("panel_details")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """One line a setting."""
        layout, settings = self.layout, _character(context).surefoot
        layout.use_property_split = True
        for name in CONFIG_NAMES:
            layout.prop(settings, name)


class SUREFOOT_PT_bake(InTab, Panel):
    """Bake and report."""

    bl_idname = "SUREFOOT_PT_bake"
    bl_label = text("panel_bake")

    def draw(self, context: Context) -> None:
        """Two buttons and the range that they take."""
        layout, obj = self.layout, _character(context)
        scene = context.scene
        layout.label(text=text("range", start=obj.surefoot.frame_start, end=scene.frame_end))
        layout.operator("surefoot.bake", text=text("bake_button"), icon="ACTION")
        layout.operator("surefoot.report", text=text("report_button"), icon="TEXT")
        lines(layout, text("physics"), "INFO")


class SUREFOOT_PT_mapping(InTab, Panel):
    """Bones named for roles by hand."""

    bl_idname = "SUREFOOT_PT_mapping"
    bl_label = text("panel_mapping")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """One row a correction, and the buttons to add and remove them."""
        layout, obj = self.layout, _character(context)
        settings = obj.surefoot
        lines(layout, text("mapping_hint"), "INFO")
        for line in settings.corrections:
            row = layout.row(align=True)
            row.prop(line, "role", text="")
            row.prop_search(line, "bone", obj.data, "bones", text="")
        row = layout.row(align=True)
        row.operator("surefoot.correction_add", icon="ADD")
        row.operator("surefoot.correction_remove", icon="REMOVE")


def _character(context: Context) -> Object | None:
    obj = context.view_layer.objects.active
    return obj if is_character(obj) else None


def _draw_problems(layout: UILayout, obj: Object) -> None:
    problems = obj.surefoot.problems
    if not problems:
        layout.label(text=text("no_problems"), icon="CHECKMARK")
        return
    box = layout.box()
    for problem in problems:
        lines(box, problem.text, "ERROR" if problem.blocking else "INFO")


def _draw_director(layout: UILayout, obj: Object) -> None:
    settings = obj.surefoot
    if settings.director == "PATH":
        layout.prop(settings, "path")
        if settings.path is None:
            lines(layout, text("no_path"), "ERROR")
    elif settings.director == "TARGET":
        layout.prop(settings, "target")
        if settings.target is None:
            lines(layout, text("no_target"), "ERROR")
    elif settings.director == "MOVER":
        layout.prop(settings, "mover")
        if moves_itself(obj):
            lines(layout, text("own_animation"), "INFO")


def _draw_reach(layout: UILayout, context: Context, obj: Object) -> None:
    performer = performers.get(obj.session_uid)
    reach = performer.cache.reach if performer is not None else None
    if reach is None:
        layout.label(text=text("reach_nothing"))
        return
    layout.label(text=text("reach", start=obj.surefoot.frame_start, end=reach))
    if context.scene.frame_current > reach and obj.surefoot.preview:
        lines(layout, text("reach_behind", frame=context.scene.frame_current), "ERROR")


def lines(layout: UILayout, sentence: str, icon: str) -> None:
    """A sentence on as many lines as it needs; Blender's labels do not wrap."""
    column = layout.column(align=True)
    column.scale_y = 0.8
    line = ""
    for word in sentence.split():
        if line and len(line) + len(word) >= LONGEST_LINE:
            column.label(text=line, icon=icon)
            line, icon = word, "BLANK1"
        else:
            line = f"{line} {word}".strip()
    column.label(text=line, icon=icon)


CLASSES = (
    SUREFOOT_PT_setup,
    SUREFOOT_PT_preview,
    SUREFOOT_PT_motion,
    SUREFOOT_PT_details,
    SUREFOOT_PT_bake,
    SUREFOOT_PT_mapping,
)


def register() -> None:
    """Make the panels known, parents before children."""
    for item in CLASSES:
        bpy.utils.register_class(item)


def unregister() -> None:
    """Take them away."""
    for item in reversed(CLASSES):
        bpy.utils.unregister_class(item)
