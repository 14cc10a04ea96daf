"""Changes of bodies that a user keeps: files in the extension's own folder for user files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import bpy
from bpy.types import Object, Scene

from ..core.preset_text import preset_text
from ..core.ragdoll.edits_file import MAX_BYTES, EditsError, SavedEdits, edits_table, read_edits, saved_edits
from .ragdoll_plan import plan_of, ragdoll_build
from .ragdoll_properties import edits_of, set_edit
from .refusal import RefusedError, why_not_armature
from .texts import text

MOST_FILES = 500


class ListedEdits(NamedTuple):
    """A file of the folder: its changes, or why it cannot be read."""

    path: Path
    saved: SavedEdits | None
    problem: str = ""


class LoadedEdits(NamedTuple):
    """What a file put on an object: of how many bodies, and those that it does not have."""

    name: str
    bodies: int
    missing: tuple[str, ...]


def own_ragdolls_folder() -> Path:
    """Where the user's changes of bodies are kept. It need not be there yet."""
    try:
        root = bpy.utils.extension_path_user(__package__.rpartition(".")[0], path="ragdolls")
    except ValueError:  # not installed as an extension, but run from its sources
        root = bpy.utils.user_resource("DATAFILES", path="surefoot/ragdolls")
    return Path(root)


def ragdoll_list() -> tuple[ListedEdits, ...]:
    """Every file of the folder by name; one that cannot be read is listed with the reason."""
    folder = own_ragdolls_folder()
    paths = sorted(folder.glob("*.toml"))[:MOST_FILES] if folder.is_dir() else []
    return tuple(_listed(path) for path in paths)


def _listed(path: Path) -> ListedEdits:
    try:
        with path.open("rb") as file:
            return ListedEdits(path, read_edits(file.read(MAX_BYTES + 1), path.name))
    except EditsError as error:
        return ListedEdits(path, None, str(error))
    except OSError as error:
        return ListedEdits(path, None, text("ragdoll_file_unreadable", file=path.name, reason=error.strerror))


def ragdoll_save(obj: Object, name: str, scene: Scene | None = None) -> Path:
    """Keep what is changed of an armature's bodies."""
    edits = edits_of(obj)
    if not edits:
        raise RefusedError(text("ragdoll_nothing", name=obj.name))
    stem = re.sub(r"[^\w-]+", "_", name.strip().lower()).strip("_-")
    if not stem or len(stem.encode()) > 100:
        raise RefusedError(text("ragdoll_no_name"))
    path = own_ragdolls_folder() / f"{stem}.toml"
    try:
        data = preset_text(edits_table(saved_edits(name.strip(), edits, plan_of(obj, scene).height)))
        read_edits(data.encode(), path.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data, encoding="utf-8")
    except EditsError as error:
        raise RefusedError(str(error)) from error
    except OSError as error:
        raise RefusedError(text("not_writable", path=path, reason=error.strerror)) from error
    return path


def ragdoll_load(obj: Object, name: str, scene: Scene | None = None) -> LoadedEdits:
    """Put saved changes on an armature in place of its own."""
    reason = why_not_armature(obj)
    if reason:
        raise RefusedError(reason)
    saved = _found(name)
    obj.surefoot.ragdoll_bodies.clear()
    plan = ragdoll_build(obj, scene)
    known = {body.role for body in plan.bodies}
    for edit in saved.sized(plan.height):
        if edit.role in known:
            set_edit(obj, edit)
    ragdoll_build(obj, scene)
    missing = tuple(edit.role for edit in saved.edits if edit.role not in known)
    return LoadedEdits(saved.name, len(saved.edits) - len(missing), missing)


def ragdoll_delete(name: str) -> Path:
    """Take a saved file away."""
    path = next((item.path for item in ragdoll_list() if _is_called(item, name)), None)
    if path is None:
        raise RefusedError(text("ragdoll_unknown", file=name, known=_known()))
    try:
        path.unlink()
    except OSError as error:
        raise RefusedError(text("not_writable", path=path, reason=error.strerror)) from error
    return path


def _found(name: str) -> SavedEdits:
    for item in ragdoll_list():
        if _is_called(item, name):
            if item.saved is None:
                raise RefusedError(item.problem)
            return item.saved
    raise RefusedError(text("ragdoll_unknown", file=name, known=_known()))


def _is_called(item: ListedEdits, name: str) -> bool:
    return name in (item.path.stem, item.path.name, item.saved.name if item.saved is not None else "")


def _known() -> str:
    names = (item.saved.name if item.saved is not None else item.path.name for item in ragdoll_list())
    return ", ".join(names) or text("none")
