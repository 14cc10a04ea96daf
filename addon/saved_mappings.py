"""Mappings that a user keeps: saved from an object or a pair, found again for the same bones or the same family.

They are files in the extension's own folder for user files. A mapping that is found serves rigs of which nobody named
anything by hand; on others it is only put by `mapping_load`. No bone is ever renamed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

import bpy
from bpy.types import Object

from ..core.preset_text import preset_text
from ..core.retarget.mapping import (
    MAX_BYTES,
    MappedRig,
    MappingError,
    RigNames,
    SavedMapping,
    digest_of,
    fitting,
    mapping_table,
    read_mapping,
)
from .mapping_lines import pair_lines, role_lines, set_pair, set_role
from .refusal import RefusedError, why_not_armature, why_not_measured
from .rig_reading import read_rig
from .texts import text

# More files than this are not mappings that somebody keeps.
MOST_FILES = 500


class Listed(NamedTuple):
    """A file of the folder: its mapping, or why it cannot be read."""

    path: Path
    mapping: SavedMapping | None
    problem: str = ""


class Loaded(NamedTuple):
    """What a mapping put on an object: how many roles and pairs, and bones that are not there."""

    name: str
    roles: int
    pairs: int
    missing: tuple[str, ...]


def own_mappings_folder() -> Path:
    """Where the user's mappings are kept: in the extension's own folder for user files. It need not be there yet."""
    try:
        root = bpy.utils.extension_path_user(__package__.rpartition(".")[0], path="mappings")
    except ValueError:  # not installed as an extension, but run from its sources
        root = bpy.utils.user_resource("DATAFILES", path="surefoot/mappings")
    return Path(root)


def mapping_list() -> tuple[Listed, ...]:
    """Every file of the folder by name; one that cannot be read is listed with the reason."""
    folder = own_mappings_folder()
    paths = sorted(folder.glob("*.toml"))[:MOST_FILES] if folder.is_dir() else []
    return tuple(_listed(path) for path in paths)


def _listed(path: Path) -> Listed:
    try:
        with path.open("rb") as file:
            return Listed(path, read_mapping(file.read(MAX_BYTES + 1), path.name))
    except MappingError as error:
        return Listed(path, None, str(error))
    except OSError as error:
        return Listed(path, None, text("mapping_unreadable", file=path.name, reason=error.strerror))


def mapping_save(
    obj: Object, name: str, source: Object | None = None, find_by: Literal["BONES", "CONVENTION"] = "BONES"
) -> Path:
    """Keep the roles that are set by hand on an armature; with a source, the pairs and the source's roles too.

    find_by: whether it is found again for the same bones, or for every rig of the same family of names.
    """
    _refuse(why_not_measured(obj) or (why_not_measured(source) if source is not None else ""))
    path = _path(name)
    pairs = pair_lines(obj) if source is not None else ()
    roles = [each for each in (obj, source) if each is not None and role_lines(each)]
    if not roles and not pairs:
        raise RefusedError(text("mapping_empty", name=obj.name))
    rig, other = _mapped(obj, find_by), None if source is None else _mapped(source, find_by)
    _write(path, SavedMapping(name.strip(), find_by, rig, other, pairs))
    return path


def mapping_load(obj: Object, name: str, source: Object | None = None) -> Loaded:
    """Put a saved mapping on an armature (and its source) in place of what is set by hand there."""
    _refuse(why_not_armature(obj) or (why_not_armature(source) if source is not None else ""))
    mapping = _found(name)
    if mapping.source is not None and source is None:
        raise RefusedError(text("mapping_needs_source", mapping=mapping.name, name=obj.name))
    bones = _bones(obj)
    roles = mapping.roles_on(bones)
    _put_roles(obj, roles)
    missing = [bone for role, bone in mapping.rig.roles if role not in roles]
    pairs = 0
    if mapping.source is not None and source is not None:
        theirs = mapping.source_roles_on(_bones(source))
        _put_roles(source, theirs)
        missing += [bone for role, bone in mapping.source.roles if role not in theirs]
        found = mapping.pairs_on(bones, _bones(source))
        obj.surefoot.pairs.clear()
        for pair in found:
            set_pair(obj, *pair)
        obj.surefoot.source = source
        pairs = len(found)
    return Loaded(mapping.name, len(roles), pairs, tuple(missing))


def mapping_delete(name: str) -> Path:
    """Take a saved mapping's file away."""
    path = next((item.path for item in mapping_list() if _is_called(item, name)), None)
    if path is None:
        raise RefusedError(text("mapping_unknown", mapping=name, known=_known()))
    try:
        path.unlink()
    except OSError as error:
        raise RefusedError(text("not_writable", path=path, reason=error.strerror)) from error
    return path


def corrections_of(obj: Object) -> dict[str, str]:
    """The roles by hand that an armature is read with: its own lines, else those of the mapping that is found for it.

    A character has its own lines alone: set-up wrote what was found into them.
    """
    lines = role_lines(obj)
    if lines or obj.surefoot.version > 0:
        return lines
    mapping = found_for(obj)
    return mapping.roles_on(_bones(obj)) if mapping is not None else {}


def found_for(obj: Object) -> SavedMapping | None:
    """The saved mapping of this armature alone."""
    mappings = [item for item in _mappings() if item.source is None]
    return fitting(mappings, _names(obj, mappings)) if mappings else None


def found_for_pair(obj: Object, source: Object) -> SavedMapping | None:
    """The mapping that a pair is retargeted with: the pairs set by hand, else the saved one that is found for them."""
    if obj.surefoot.source == source and len(obj.surefoot.pairs):
        digests = [digest_of(_bones(each)) for each in (obj, source)]
        return SavedMapping(text("mapping_by_hand"), "BONES", *map(MappedRig, digests), pair_lines(obj))
    mappings = [item for item in _mappings() if item.source is not None]
    if not mappings or source.type != "ARMATURE":
        return None
    return fitting(mappings, _names(obj, mappings), _names(source, mappings))


def put_found(obj: Object) -> str:
    """Write the roles of the mapping that is found for a new character into its lines; gives its name, or nothing."""
    mapping = None if len(obj.surefoot.corrections) else found_for(obj)
    if mapping is None:
        return ""
    _put_roles(obj, mapping.roles_on(_bones(obj)))
    return mapping.name


def _names(obj: Object, mappings: Iterable[SavedMapping]) -> RigNames:
    """What a mapping is looked for by; the family is only looked up where one asks for it."""
    asked = any(item.find_by == "CONVENTION" for item in mappings)
    return RigNames(_bones(obj), read_rig(obj).rig.convention if asked else "")


def _mappings() -> list[SavedMapping]:
    return [item.mapping for item in mapping_list() if item.mapping is not None]


def _bones(obj: Object) -> tuple[str, ...]:
    return tuple(bone.name for bone in obj.data.bones) if obj.type == "ARMATURE" else ()


def _mapped(obj: Object, find_by: str) -> MappedRig:
    convention = read_rig(obj, None, role_lines(obj)).rig.convention
    if find_by == "CONVENTION" and not convention:
        raise RefusedError(text("mapping_no_family", name=obj.name))
    return MappedRig(digest_of(_bones(obj)), convention, tuple(sorted(role_lines(obj).items())))


def _put_roles(obj: Object, roles: dict[str, str]) -> None:
    obj.surefoot.corrections.clear()
    for role, bone in roles.items():
        set_role(obj, role, bone)


def _refuse(reason: str) -> None:
    if reason:
        raise RefusedError(reason)


def _path(name: str) -> Path:
    stem = re.sub(r"[^\w-]+", "_", name.strip().lower()).strip("_-")
    if not stem:
        raise RefusedError(text("mapping_no_name"))
    if len(stem.encode()) > 100:
        raise RefusedError(text("mapping_long_name"))
    return own_mappings_folder() / f"{stem}.toml"


def _write(path: Path, mapping: SavedMapping) -> None:
    data = preset_text(mapping_table(mapping))
    try:
        read_mapping(data.encode(), path.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data, encoding="utf-8")
    except MappingError as error:
        raise RefusedError(text("mapping_not_saved", reason=error)) from error
    except OSError as error:
        raise RefusedError(text("not_writable", path=path, reason=error.strerror)) from error


def _found(name: str) -> SavedMapping:
    for item in mapping_list():
        if _is_called(item, name):
            if item.mapping is None:
                raise RefusedError(item.problem)
            return item.mapping
    raise RefusedError(text("mapping_unknown", mapping=name, known=_known()))


def _is_called(item: Listed, name: str) -> bool:
    return name in (item.path.stem, item.path.name, item.mapping.name if item.mapping is not None else "")


def _known() -> str:
    return ", ".join(item.mapping.name if item.mapping else item.path.name for item in mapping_list()) or text("none")
