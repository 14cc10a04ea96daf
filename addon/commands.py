"""The command line: `blender file.blend --command surefoot bake|report|retarget ...`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import bpy
from bpy.types import Object

from .bake import BakeOptions, bake
from .batch_table import check_csv, table, told_batch, write_csv
from .refusal import RefusedError
from .report import report, write_report
from .retarget import RetargetOptions, retarget
from .retarget_batch import BatchOptions, retarget_actions, retarget_folder
from .retarget_result import told
from .roster import characters_of
from .texts import text

COMMAND = "surefoot"
DONE, REFUSED = 0, 1
_handle: list[object] = []


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say; 0, or 1 with a sentence on the error output."""
    options = _parser().parse_args(list(arguments))
    try:
        for line in _lines(options):
            sys.stdout.write(f"{line}\n")
        if options.task != "report":
            _save(options.output)
    except RefusedError as refusal:
        sys.stderr.write(f"{COMMAND}: {refusal}\n")
        return REFUSED
    return DONE


def _lines(options: argparse.Namespace) -> Iterator[str]:
    """Do the task, one line for each object."""
    if options.task == "retarget":
        yield from _batch(options) if options.folder or options.all_actions else [_retarget(options)]
        return
    objects = _objects(options.object)
    for obj in objects:
        yield _bake(obj, options) if options.task == "bake" else _report(obj, options, len(objects))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"blender FILE --command {COMMAND}")
    tasks = parser.add_subparsers(dest="task", required=True)
    for name, tip in (("bake", text("tip_bake")), ("report", text("tip_report"))):
        task = tasks.add_parser(name, help=tip, description=tip)
        task.add_argument("--object", default="", help=text("arg_object"))
        task.add_argument("--frame-start", type=int, help=text("arg_start"))
        task.add_argument("--frame-end", type=int, help=text("arg_end"))
        task.add_argument("--output", default="", help=text(f"arg_output_{name}"))
        if name == "bake":
            task.add_argument("--step", type=int, default=1, help=text("arg_step"))
            task.add_argument("--tolerance", type=float, default=0.0, help=text("arg_tolerance"))
            task.add_argument("--markers", action="store_true", help=text("arg_markers"))
    task = tasks.add_parser("retarget", help=text("tip_retarget"), description=text("tip_retarget"))
    task.add_argument("--source", default="", help=text("arg_source"))
    task.add_argument("--folder", default="", help=text("arg_folder"))
    task.add_argument("--recursive", action="store_true", help=text("arg_recursive"))
    task.add_argument("--all-actions", action="store_true", help=text("arg_all_actions"))
    task.add_argument("--csv", default="", help=text("arg_csv"))
    task.add_argument("--target", required=True, help=text("arg_target"))
    task.add_argument("--action", default="", help=text("arg_action"))
    task.add_argument("--frame-start", type=float, help=text("arg_start"))
    task.add_argument("--frame-end", type=float, help=text("arg_end"))
    task.add_argument("--report", default="", help=text("arg_report"))
    task.add_argument("--output", default="", help=text("arg_output_bake"))
    return parser


def _objects(name: str) -> list[Object]:
    """The named character, or all of the scene."""
    scene = bpy.context.scene
    if name:
        return [_named(name)]
    found = characters_of(scene)
    if not found:
        raise RefusedError(text("no_characters", scene=scene.name))
    return found


def _bake(obj: Object, options: argparse.Namespace) -> str:
    scene = bpy.context.scene
    start = obj.surefoot.frame_start if options.frame_start is None else options.frame_start
    end = scene.frame_end if options.frame_end is None else options.frame_end
    result = bake(obj, BakeOptions(start, end, step=options.step, tolerance=options.tolerance, markers=options.markers))
    return "\n".join((text("baked", name=obj.name, frames=result.frames, action=result.action), *result.notes))


def _report(obj: Object, options: argparse.Namespace, count: int) -> str:
    scene = bpy.context.scene
    start = scene.frame_start if options.frame_start is None else options.frame_start
    end = scene.frame_end if options.frame_end is None else options.frame_end
    result = report(obj, scene, start, end)
    path = Path(options.output or f"{obj.name}.json")
    if count > 1 and options.output:
        path = path.with_stem(f"{path.stem}_{obj.name}")
    write_report(result, str(path))
    return text("written", name=obj.name, path=path)


def _batch(options: argparse.Namespace) -> Iterator[str]:
    """Many motions: a line for each. Refused where none could be moved; one that failed is only a line."""
    target = _named(options.target)
    if options.csv:
        check_csv(Path(options.csv))
    if options.csv:
        check_csv(Path(options.csv))
    if options.folder:
        result = retarget_folder(Path(options.folder), target, BatchOptions(recursive=options.recursive))
    else:
        result = retarget_actions(_source(options), target)
    if options.csv:
        write_csv(Path(options.csv), result.rows)
    yield from table(result)
    if not result.done:
        raise RefusedError(told_batch(result))
    yield told_batch(result)


def _source(options: argparse.Namespace) -> Object:
    if not options.source:
        raise RefusedError(text("no_source_or_folder"))
    return _named(options.source)


def _retarget(options: argparse.Namespace) -> str:
    action = bpy.data.actions.get(options.action) if options.action else None
    if options.action and action is None:
        raise RefusedError(text("gait_unknown_action", action=options.action))
    asked = RetargetOptions(frame_range=(options.frame_start, options.frame_end), action=action)
    result = retarget(_source(options), _named(options.target), asked)
    if options.report:
        write_report(result.as_dict(), options.report)
    return "\n".join((told(result), *result.problems, *result.notes))


def _named(name: str) -> Object:
    scene = bpy.context.scene
    obj = scene.objects.get(name)
    if obj is None:
        raise RefusedError(text("no_such_object", name=name, scene=scene.name))
    return obj


def _save(output: str) -> None:
    """Save to `output`, or over the file that was opened."""
    path = output or bpy.data.filepath
    if not path:
        raise RefusedError(text("no_output"))
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(Path(path).resolve()))
    except RuntimeError as error:
        raise RefusedError(text("not_saved", path=path, reason=str(error).strip().removeprefix("Error: "))) from error


def register() -> None:
    """Make the command known (its handle must be kept)."""
    _handle.append(bpy.utils.register_cli_command(COMMAND, run))


def unregister() -> None:
    """Take it away."""
    while _handle:
        bpy.utils.unregister_cli_command(_handle.pop())
