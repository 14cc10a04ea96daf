"""The command line: `blender file.blend --command surefoot bake|report ...`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import bpy
from bpy.types import Object

from .bake import BakeOptions, bake
from .refusal import RefusedError
from .report import report, write_report
from .roster import characters_of
from .texts import text

COMMAND = "surefoot"
DONE, REFUSED = 0, 1
_handle: list[object] = []


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say; 0, or 1 with a sentence on the error output."""
    options = _parser().parse_args(list(arguments))
    try:
        objects = _objects(options.object)
        for obj in objects:
            line = _bake(obj, options) if options.task == "bake" else _report(obj, options, len(objects))
            sys.stdout.write(f"{line}\n")
        if options.task == "bake":
            _save(options.output)
    except RefusedError as refusal:
        sys.stderr.write(f"{COMMAND}: {refusal}\n")
        return REFUSED
    return DONE


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
    return parser


def _objects(name: str) -> list[Object]:
    """The named character, or all of the scene."""
    scene = bpy.context.scene
    if name:
        obj = scene.objects.get(name)
        if obj is None:
            raise RefusedError(text("no_such_object", name=name, scene=scene.name))
        return [obj]
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
