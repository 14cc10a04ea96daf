"""Many motions on one rig: all Actions of an armature, or all files of a folder. One that fails stops no other."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Action, Object

from ..core.motion.file_check import CHECKS
from .action_names import on_target
from .arrivals import found_again
from .batch_table import BatchResult, BatchRow
from .known_action import played_action
from .motion import Motion, fps_of
from .motion_files import Imported, actions_of, import_motion, moves, remove_import, sources_of
from .motion_source import Resampling, motion_steps
from .refusal import RefusedError, why_not_armature
from .retarget import RetargetOptions, check, motion_retarget_steps, read_target, retarget_steps
from .retarget_result import RetargetResult, kept_result
from .saved_state import curves_of
from .scene_units import metres_per_unit
from .simulate import finished
from .target_reading import TargetReading
from .texts import text

log = logging.getLogger(__name__)

Steps = Generator[float, None, BatchResult]
Take = tuple[Object, Action | None]


@dataclass(frozen=True)
class BatchOptions:
    """How all of them are moved. `retarget` is for each alike; its name, Action, slot and range are not asked.

    resample: files come at the scene's frame rate, a key on each frame; without it, each keeps its own rate and its
    keys lie between frames. recursive: folders in the folder, too.
    """

    retarget: RetargetOptions = field(default_factory=RetargetOptions)
    resample: bool = True
    recursive: bool = False


class Progress:
    """The rows that are done while a batch runs, so that they are known if it is cancelled."""

    def __init__(self, target: str, count: int) -> None:
        self.target, self.count = target, count
        self.rows: list[BatchRow] = []

    def result(self, *, cancelled: bool = False) -> BatchResult:
        """What is done so far."""
        return BatchResult(self.target, tuple(self.rows), cancelled)


def retarget_actions(
    source: Object, target: Object, actions: Sequence[Action] | None = None, options: BatchOptions | None = None
) -> BatchResult:
    """Move Actions of an armature at once, by default all that it has: for scripts."""
    return finished(actions_steps(source, target, actions, options)[0])


def retarget_folder(folder: Path, target: Object, options: BatchOptions | None = None) -> BatchResult:
    """Move the motions of all files of a folder at once: for scripts."""
    return finished(folder_steps(folder, target, options)[0])


def actions_steps(
    source: Object | None,
    target: Object | None,
    actions: Sequence[Action] | None = None,
    options: BatchOptions | None = None,
) -> tuple[Steps, Progress]:
    """The same in steps, and what is done so far. Each Action is written as a whole in one step, or not at all."""
    options = options or BatchOptions()
    check(source, target)
    chosen = actions_for(source, target) if actions is None else list(actions)
    if not chosen:
        raise RefusedError(text("batch_no_actions", name=source.name))
    known = [(action.name, action.session_uid) for action in chosen]
    progress = Progress(target.name, len(known))
    pair = (source.session_uid, target.session_uid)

    def one(item: tuple[str, int]) -> Generator[float, None, list[BatchRow]]:
        return _of_action(item, pair, options)

    return _all(known, one, lambda item: item[0], progress), progress


def folder_steps(
    folder: Path, target: Object | None, options: BatchOptions | None = None
) -> tuple[Steps, Progress]:
    """The same of files in steps. All that comes of a file is written in one step, and what was imported is gone then.
    """
    options = options or BatchOptions()
    reason = why_not_armature(target)
    if reason:
        raise RefusedError(reason)
    files = files_in(folder, recursive=options.recursive)
    progress = Progress(target.name, len(files))
    known = (target.session_uid, read_target(target, metres_per_unit(bpy.context.scene)))

    def shown(path: Path) -> str:
        return str(path.relative_to(folder))

    def one(path: Path) -> Generator[float, None, list[BatchRow]]:
        return _of_file(path, shown(path), known, options)

    return _all(files, one, shown, progress), progress


def files_in(folder: Path, *, recursive: bool = False) -> list[Path]:
    """The files of motion in a folder, by name; a refusal where there are none."""
    if not folder.is_dir():
        raise RefusedError(text("batch_no_folder", path=folder))
    found = [path for path in (folder.rglob("*") if recursive else folder.iterdir()) if path.suffix.lower() in CHECKS]
    if not found:
        raise RefusedError(text("batch_no_files", path=folder, kinds=", ".join(sorted(CHECKS))))
    return sorted((path for path in found if path.is_file()), key=lambda path: (str(path).lower(), str(path)))


def actions_for(source: Object, target: Object) -> list[Action]:
    """The Actions of an armature: those that move its bones or were made for it, and those that hold nothing.

    Not those that a retarget made for another one, nor what the target plays.
    """
    own = f"OB{source.name}"
    found = []
    for action in bpy.data.actions:
        made = kept_result(action)
        if (made is not None and made["target"] != source.name) or action == played_action(target):
            continue
        empty = not any(curves_of(action, slot) for slot in action.slots)
        if empty or any(slot.identifier == own for slot in action.slots) or moves(action, source):
            found.append(action)
    return sorted(found, key=lambda action: (action.name.lower(), action.name))


def _all(
    items: Sequence[Any],
    one: Callable[[Any], Generator[float, None, list[BatchRow]]],
    name_of: Callable[[Any], str],
    progress: Progress,
) -> Steps:
    """One after the other; whatever stops one of them becomes its row."""
    for number, item in enumerate(items):
        yield number / len(items)
        job = one(item)
        try:
            while True:
                share = next(job)
                yield (number + share) / len(items)
        except StopIteration as end:
            progress.rows += end.value
        except RefusedError as refusal:
            progress.rows.append(BatchRow(name_of(item), reason=str(refusal)))
        except Exception as error:
            # What nobody has foreseen in one of hundreds must not cost the others.
            log.exception("%s", name_of(item))
            reason = text("batch_unforeseen", kind=type(error).__name__, reason=error)
            progress.rows.append(BatchRow(name_of(item), reason=reason))
        finally:
            job.close()
    return progress.result()


def _of_action(
    item: tuple[str, int], pair: tuple[int, int], options: BatchOptions
) -> Generator[float, None, list[BatchRow]]:
    name, uid = item
    source, target = (found_again("objects", one) for one in pair)
    action = found_again("actions", uid)
    if source is None or target is None or action is None:
        raise RefusedError(text("gone"))
    own = {"name": on_target(name, target.name, source.name), "action": action, "slot": "", "assign": False}
    asked = replace(options.retarget, frame_range=(None, None), **own)
    result = yield from retarget_steps(source, target, asked)
    return [_row(name, result)]


def _of_file(
    path: Path, shown: str, known: tuple[int, TargetReading], options: BatchOptions
) -> Generator[float, None, list[BatchRow]]:
    """All motions of a file, in one step: between two steps nothing of it is in the file that is open.

    known: the target's id, and what was read of it once for all.
    """
    yield 0.0
    obj = found_again("objects", known[0])
    if obj is None:
        raise RefusedError(text("gone"))
    target = (obj, known[1])
    with _imported(path) as imported:
        takes: list[Take] = []
        for obj in sources_of(imported):
            takes += [(obj, action) for action in actions_of(imported, obj)] or [(obj, None)]
        names = [""] if len(takes) == 1 else [_take_name(imported, take) for take in takes]
        done = zip(names, takes, strict=True)
        return [_of_take(imported, take, (shown, name), target, options) for name, take in done]


@contextmanager
def _imported(path: Path) -> Iterator[Imported]:
    imported = import_motion(path)
    try:
        yield imported
    finally:
        remove_import(imported)


def _take_name(imported: Imported, take: Take) -> str:
    """What the file calls a motion: without the number that it got because the name was taken."""
    obj, action = take
    if action is None:
        return obj.name
    stem, _, number = action.name.rpartition(".")
    other = bpy.data.actions.get(stem) if number.isdecimal() else None
    taken = other is not None and ("actions", other.session_uid) not in imported.blocks
    return stem if taken else action.name


def _of_take(
    imported: Imported, take: Take, names: tuple[str, str], target: tuple[Object, TargetReading], options: BatchOptions
) -> BatchRow:
    """One motion of a file. names: of the file as it is shown, and of the motion, "" where it is the only one."""
    shown = ": ".join(name for name in names if name)
    name = "_".join(name for name in (imported.path.stem, names[1]) if name)
    try:
        asked = replace(options.retarget, name=on_target(name, target[0].name), action=None, slot="", assign=False)
        reading = _read(imported, *take, options)
        row = _row(shown, finished(motion_retarget_steps(reading, take[0], target, asked)))
        return replace(row, notes=(*imported.notes, *row.notes))
    except RefusedError as refusal:
        return BatchRow(shown, reason=str(refusal))


def _read(
    imported: Imported, obj: Object, action: Action | None, options: BatchOptions
) -> Generator[float, None, Motion]:
    """The motion of an imported object, at the rate that its file says, or at the scene's."""
    scene = bpy.context.scene
    factor, fps = imported.fps / fps_of(scene), scene.render.fps / scene.render.fps_base
    resampling = Resampling(factor, fps) if options.resample else None
    motion = yield from motion_steps(obj, action, resampling=resampling)
    clip = motion.clip if options.resample else replace(motion.clip, fps=motion.clip.fps * factor)
    return replace(motion, clip=clip, name=imported.path.stem)


def _row(name: str, result: RetargetResult) -> BatchRow:
    return BatchRow(
        name,
        result.action,
        result.frames,
        result.fps,
        result.coverage,
        result.slide_before,
        result.slide_after,
        notes=(*result.problems, *result.notes),
    )


class Last:
    """What the last batch did: for the panel, as long as Blender runs."""

    result: BatchResult | None = None


def keep_batch(result: BatchResult) -> None:
    """Show this in the panel."""
    Last.result = result


def batch_last(target: Object) -> BatchResult | None:
    """What the last batch did, if it was for this armature."""
    return Last.result if Last.result is not None and Last.result.target == target.name else None


def unregister() -> None:
    """Forget it."""
    Last.result = None
