"""The mapping's panel: each role with its bone and why, the pairs with the source, and the saved mappings."""

from __future__ import annotations

from bpy.types import Context, Object, Panel, UILayout

from ...core.rig.corrections import stem_of
from ...core.rig.explained import RoleLine
from ...core.rig.fingers import is_finger
from ..mapping_view import PairsView, pairs_of, roles_of
from ..operators.saved_mappings import source_of
from ..refusal import why_not_measured
from ..roster import is_character
from ..texts import text
from .tab import MODES, InTab, active
from .wrapping import lines

ICONS = {"HAND": "GREASEPENCIL", "NAME": "SORTALPHA", "SHAPE": "OUTLINER_OB_ARMATURE", "MISSING": "QUESTION"}
LEGEND = (
    ("SORTALPHA", "mapping_by_NAME"),
    ("OUTLINER_OB_ARMATURE", "mapping_by_SHAPE"),
    ("GREASEPENCIL", "mapping_by_HAND"),
)
ROLE_SHARE = 0.34
PAIR_SHARE = 0.45
MOST_STAYED = 40


class OfArmature(InTab):
    """A mixin: drawn on any armature, since a source need not be a character."""

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Wherever an armature is active that can be looked at."""
        return context.mode in MODES and not why_not_measured(active(context))


class SUREFOOT_PT_mapping(OfArmature, Panel):
    """Each role, the bone that has it, and why."""

    bl_idname = "SUREFOOT_PT_mapping"
    bl_label = text("panel_mapping")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """What the names are, what the icons mean, then the roles, limb by limb."""
        layout, obj = self.layout, active(context)
        found = roles_of(obj).explained
        family = found.rig.convention
        lines(layout, text("mapping_family", family=family) if family else text("mapping_no_names"), "INFO")
        row = layout.row(align=True)
        for icon, key in LEGEND:
            row.label(text=text(key), icon=icon)
        column = layout.column(align=True)
        for line in found.lines:
            if not is_finger(stem_of(line.role)):
                _draw_role(column, line)
        if is_character(obj):
            lines(layout, text("mapping_again"), "INFO")
            layout.operator("surefoot.setup", text=text("set_up_again"), icon="FILE_REFRESH")


class SUREFOOT_PT_mapping_fingers(OfArmature, Panel):
    """The fingers, which are many."""

    bl_idname = "SUREFOOT_PT_mapping_fingers"
    bl_parent_id = "SUREFOOT_PT_mapping"
    bl_label = text("panel_fingers")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """As the other roles."""
        column = self.layout.column(align=True)
        fingers = [line for line in roles_of(active(context)).explained.lines if is_finger(stem_of(line.role))]
        for line in fingers:
            _draw_role(column, line)
        if not fingers:
            lines(column, text("no_fingers"), "INFO")


def _draw_role(layout: UILayout, line: RoleLine) -> None:
    """Role, bone (a menu of candidates), active bone, and back."""
    split = layout.split(factor=ROLE_SHARE, align=True)
    split.label(text=line.role)
    row = split.row(align=True)
    more = text("mapping_more", count=len(line.bones) - 1) if len(line.bones) > 1 else ""
    bones = " ".join((line.bones[0], more)).strip() if line.bones else text("none")
    row.operator("surefoot.mapping_candidates", text=bones, icon=ICONS[line.why]).role = line.role
    row.operator("surefoot.mapping_take", text="", icon="EYEDROPPER").role = line.role
    if line.why == "HAND":
        row.operator("surefoot.mapping_clear", text="", icon="X").role = line.role


class SUREFOOT_PT_pairs(OfArmature, Panel):
    """What of the source each bone follows, and what stays at rest and why."""

    bl_idname = "SUREFOOT_PT_pairs"
    bl_parent_id = "SUREFOOT_PT_mapping"
    bl_label = text("panel_pairs")
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        """The source; then lines by hand, what is matched by itself, what stays, what leads nothing."""
        layout, obj = self.layout, active(context)
        layout.prop(obj.surefoot, "source")
        view = pairs_of(obj)
        if view is None:
            lines(layout, text("pairs_hint"), "INFO")
            return
        if view.mapping:
            lines(layout, text("mapping_used", mapping=view.mapping), "INFO")
        follow = sum(len(line.target) for line in view.matched)
        layout.label(text=text("pair_counts", follow=follow, stay=len(view.stayed)))
        _draw_by_hand(layout, obj)
        _draw_matched(layout, view)
        _draw_stayed(layout, obj, view)
        if view.unused:
            lines(layout, text("pair_unused", names=", ".join(view.unused)))


def _draw_by_hand(layout: UILayout, obj: Object) -> None:
    source = source_of(obj)
    column = layout.column(align=True)
    for line in obj.surefoot.pairs:
        row = column.row(align=True)
        row.label(text=line.target, icon=ICONS["HAND"])
        if source is not None:
            row.prop_search(line, "source", source.data, "bones", text="")
        row.operator("surefoot.pair_clear", text="", icon="X").target = line.target


def _draw_matched(layout: UILayout, view: PairsView) -> None:
    """A row for each bone; a chain that shares the turns of another is one row from end to end."""
    column = layout.column(align=True)
    for line in view.matched:
        if line.how == "HAND":
            continue
        if line.how != "CHAIN" and len(line.target) == len(line.source):
            for bone, other in zip(line.target, line.source, strict=True):
                _draw_pair(column, bone, other, (bone, other))
        else:
            _draw_pair(column, _ends(line.target), _ends(line.source), (line.target[0], line.source[0]))


def _draw_pair(layout: UILayout, ours: str, theirs: str, pair: tuple[str, str]) -> None:
    """What follows what, and a button that makes it a line by hand."""
    row = layout.split(factor=PAIR_SHARE, align=True)
    row.label(text=ours)
    side = row.row(align=True)
    side.label(text=theirs, icon="FORWARD")
    button = side.operator("surefoot.pair_take", text="", icon=ICONS["HAND"])
    button.target, button.source = pair


def _ends(bones: tuple[str, ...]) -> str:
    return bones[0] if len(bones) == 1 else f"{bones[0]} \u2026 {bones[-1]}"


def _draw_stayed(layout: UILayout, obj: Object, view: PairsView) -> None:
    by_hand = {line.target for line in obj.surefoot.pairs}
    stayed = [line for line in view.stayed if line.bone not in by_hand]
    column = layout.column(align=True)
    for line in stayed[:MOST_STAYED]:
        row = column.row(align=True)
        row.label(text=f"{line.bone}: {line.reason}", icon="PINNED")
        row.operator("surefoot.pair_take", text="", icon=ICONS["HAND"]).target = line.bone
    if len(stayed) > MOST_STAYED:
        column.label(text=text("mapping_more", count=len(stayed) - MOST_STAYED))


class SUREFOOT_PT_saved_mappings(OfArmature, Panel):
    """Keep the mapping, and put one that was kept."""

    bl_idname = "SUREFOOT_PT_saved_mappings"
    bl_parent_id = "SUREFOOT_PT_mapping"
    bl_label = text("panel_saved")

    def draw(self, context: Context) -> None:
        """The two buttons, and which mapping is found for this armature."""
        layout, obj = self.layout, active(context)
        row = layout.row(align=True)
        row.operator("surefoot.mapping_save", text=text("save_button"), icon="FILE_TICK")
        row.menu("SUREFOOT_MT_saved_mappings", text=text("load_button"), icon="FILE_FOLDER")
        found = roles_of(obj).mapping
        if found:
            row = layout.row(align=True)
            row.label(text=text("mapping_found", mapping=found), icon="CHECKMARK")
            row.operator("surefoot.mapping_delete", text="", icon="TRASH").name = found


PANELS = (SUREFOOT_PT_mapping, SUREFOOT_PT_mapping_fingers, SUREFOOT_PT_pairs, SUREFOOT_PT_saved_mappings)
