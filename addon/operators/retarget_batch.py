"""Retarget Batch: all Actions of an armature, or all files of a folder, on one rig."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Action, Context, Event, Object, Operator

from ...core.retarget.config import RetargetConfig
from ..batch_table import BatchResult, check_csv, told_batch, write_csv
from ..config_properties import config_from, properties_of
from ..known_action import known_action
from ..refusal import RefusedError
from ..retarget import RetargetOptions
from ..retarget_batch import BatchOptions, Progress, actions_steps, batch_last, folder_steps, keep_batch
from ..texts import text
from .long_job import Job, LongJob
from .retarget import LIMBS, PLACES, TRAVELS
from .subject import OnArmature, subject


class SUREFOOT_OT_retarget_batch(LongJob, Operator):
    """Move many motions to one rig, each into an Action of its own; one that fails stops no other."""

    bl_idname = "surefoot.retarget_batch"
    bl_label = "Retarget Batch"
    bl_description = text("tip_retarget_batch")
    bl_options = {"REGISTER", "UNDO"}
    result: BatchResult | None = None

    source: StringProperty(
        name="Source", description="The armature whose Actions are taken; not given, the target's source",
        options={"SKIP_SAVE"},
    )  # fmt: skip
    target: StringProperty(
        name="Target", description="The armature that takes them; not given, the active one", options={"SKIP_SAVE"}
    )
    actions: StringProperty(
        name="Actions",
        description="Names of the source's Actions with semicolons between them; not given, all that it has",
        options={"SKIP_SAVE"},
    )
    folder: StringProperty(
        name="Folder", subtype="DIR_PATH", options={"SKIP_SAVE", "PATH_SUPPORTS_BLEND_RELATIVE"},
        description="A folder of files (BVH, FBX, glTF, VRM animation) instead of a source",
    )  # fmt: skip
    recursive: BoolProperty(name="Folders in It", description="Take the folders in the folder, too", default=False)
    resample: BoolProperty(
        name="Scene Rate",
        description="Files come at the scene's frame rate, a key on each frame; without it, each keeps its own rate",
        default=True,
    )
    csv: StringProperty(
        name="Table", subtype="FILE_PATH", options={"SKIP_SAVE", "PATH_SUPPORTS_BLEND_RELATIVE"},
        description="A CSV file that is written with a row for each motion",
    )  # fmt: skip
    place: EnumProperty(items=PLACES, name="Place", description="Where each motion starts", default="TARGET")
    carrier: EnumProperty(
        items=TRAVELS, name="Carrier", description="What carries the way over the ground", default="AUTO"
    )
    limbs: EnumProperty(
        items=LIMBS, name="Limbs", description="Which controls of a control rig move arms and legs", default="AUTO"
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="Keys are left out where each channel stays within this of its value; 0 keeps every key",
        default=0.0,
        min=0.0,
        soft_max=0.01,
        precision=5,
    )
    pick: BoolProperty(options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Let a folder be chosen where the button asks for one; then in slices, with progress."""
        if self.pick and not self.folder and not bpy.app.background and context.window is not None:
            context.window_manager.fileselect_add(self)
            return {"RUNNING_MODAL"}
        return super().invoke(context, event)

    def execute(self, context: Context) -> set[str]:
        """All of them now; after a folder was chosen in a window, in slices."""
        if self.directory and not self.folder:
            self.folder = self.directory
            return super().invoke(context, None)
        return super().execute(context)

    def modal(self, context: Context, event: Event) -> set[str]:
        """One slice for each tick of the timer; Esc ends it and keeps what is done."""
        if event.type != "ESC":
            return super().modal(context, event)
        self._end(context)
        result = self._progress.result(cancelled=True)
        self._finished(result)
        return {"FINISHED"} if result.done else {"CANCELLED"}

    def job(self, context: Context) -> Job:
        """One motion after the other; refusals of all of them come first."""
        target = _named(self.target, context) if self.target else subject(context)
        self.who = target.name if target is not None else ""
        table = Path(bpy.path.abspath(self.csv)) if self.csv else None
        if self.folder:
            steps, progress = folder_steps(Path(bpy.path.abspath(self.folder)), target, self._options())
        else:
            source = _named(self.source, context) if self.source else _source_of(target)
            steps, progress = actions_steps(source, target, self._actions(), self._options())
        if table is not None:
            check_csv(table)
        self._progress: Progress = progress
        self._table = table
        return steps

    def done(self, result: Any) -> str:
        """How many are done; as a warning, each that is not, with its reason. Writes the table."""
        self.result = result
        keep_batch(result)
        if self._table is not None:
            write_csv(self._table, result.rows)
        if result.failed:
            self.report({"WARNING"}, "\n".join(f"{row.source}: {row.reason}" for row in result.failed))
        return told_batch(result)

    def _options(self) -> BatchOptions:
        options = RetargetOptions(
            config=config_from(RetargetConfig, self, {}),
            place=self.place,
            travel=self.carrier,
            limbs=self.limbs,
            tolerance=self.tolerance,
        )
        return BatchOptions(options, self.resample, self.recursive)

    def _actions(self) -> list[Action] | None:
        names = [name.strip() for name in self.actions.split(";") if name.strip()]
        return [action for action in map(known_action, names) if action is not None] if names else None


SUREFOOT_OT_retarget_batch.__annotations__ |= properties_of(RetargetConfig, frozenset(), None)


class SUREFOOT_OT_retarget_table(OnArmature, Operator):
    """Write what the last batch on this armature did as a CSV file."""

    bl_idname = "surefoot.retarget_table"
    bl_label = "Save Table"
    bl_description = text("tip_retarget_table")
    bl_options = {"REGISTER"}

    filepath: StringProperty(
        name="File", subtype="FILE_PATH", options={"SKIP_SAVE", "PATH_SUPPORTS_BLEND_RELATIVE"},
        description="The CSV file that is written with a row for each motion",
    )  # fmt: skip
    filter_glob: StringProperty(default="*.csv", options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask for the file."""
        self.filepath = text("batch_table_file", name=bpy.path.clean_name(subject(context).name))
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: Context) -> set[str]:
        """Write it."""
        obj = subject(context)
        result = batch_last(obj)
        try:
            if result is None:
                raise RefusedError(text("batch_none", name=obj.name))
            write_csv(Path(bpy.path.abspath(self.filepath)), result.rows)
        except RefusedError as refusal:
            self.report({"ERROR"}, str(refusal))
            return {"CANCELLED"}
        self.report({"INFO"}, text("batch_table_written", count=len(result.rows), path=self.filepath))
        return {"FINISHED"}


def _named(name: str, context: Context) -> Object:
    found = context.scene.objects.get(name) or bpy.data.objects.get(name)
    if found is None:
        raise RefusedError(text("no_such_object", name=name, scene=context.scene.name))
    return found


def _source_of(target: Object | None) -> Object | None:
    """What the target's panel names as its source."""
    return None if target is None else target.surefoot.source


def register() -> None:
    """Make the operators known."""
    for operator in (SUREFOOT_OT_retarget_batch, SUREFOOT_OT_retarget_table):
        bpy.utils.register_class(operator)


def unregister() -> None:
    """Take them away."""
    for operator in (SUREFOOT_OT_retarget_table, SUREFOOT_OT_retarget_batch):
        bpy.utils.unregister_class(operator)
