"""A saved mapping: which bone has which role on a rig, and which source bone a target bone follows.

It is found again for the same bones (by a digest of their names), or for any rig of one family of names. Bones are
kept by name; on a rig of the same family whose names have another prefix, the bone of the same understood name is
meant. Files are TOML with a version; nothing in them is believed before it was checked.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ..rig.corrections import stem_of
from ..rig.names import read_names

VERSION = 1
MAX_BYTES = 1_000_000
MOST_ROLES = 500
MOST_PAIRS = 10_000
LONGEST = 255
FindBy = Literal["BONES", "CONVENTION"]


class MappingError(ValueError):
    """A mapping that cannot be used; the text names the file, the place and the reason."""


class Pair(NamedTuple):
    """A target bone and the source bone that it follows; without one it stays at rest under its parent."""

    target: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class MappedRig:
    """Which rig is meant, and its roles by hand: (role, bone). `bones` is the digest of all its bones' names."""

    bones: str
    convention: str = ""
    roles: tuple[tuple[str, str], ...] = ()


class RigNames(NamedTuple):
    """What a mapping is looked for by: the names of all bones of a rig, and the family that they are of."""

    bones: tuple[str, ...]
    convention: str = ""


@dataclass(frozen=True, slots=True)
class SavedMapping:
    """One mapping: of a rig alone, or of a pair where it has a `source` (then `rig` is the target)."""

    name: str
    find_by: FindBy
    rig: MappedRig
    source: MappedRig | None = None
    pairs: tuple[Pair, ...] = ()

    def fits(self, rig: RigNames, source: RigNames | None = None) -> bool:
        """True for a rig, or a pair of rigs, that this mapping is of."""
        if source is None or self.source is None:
            return source is None and self.source is None and self._is(self.rig, rig)
        return self._is(self.rig, rig) and self._is(self.source, source)

    def _is(self, known: MappedRig, asked: RigNames) -> bool:
        if self.find_by == "CONVENTION":
            return bool(known.convention) and known.convention == asked.convention
        return known.bones == digest_of(asked.bones)

    def roles_on(self, bones: Sequence[str]) -> dict[str, str]:
        """The rig's roles by hand, as its bones are called here; without those that it does not have."""
        return _named_here(self.rig.roles, bones)

    def source_roles_on(self, bones: Sequence[str]) -> dict[str, str]:
        """The same of the source."""
        return _named_here(self.source.roles if self.source is not None else (), bones)

    def pairs_on(self, bones: Sequence[str], source: Sequence[str]) -> tuple[Pair, ...]:
        """The pairs as the bones of two rigs are called here; without those that one of them does not have."""
        ours, theirs = _translations(bones), _translations(source)
        found = [Pair(ours(pair.target), theirs(pair.source) if pair.source else "") for pair in self.pairs]
        return tuple(
            pair
            for pair, saved in zip(found, self.pairs, strict=True)
            if pair.target and bool(pair.source) == bool(saved.source)
        )


def digest_of(bones: Iterable[str]) -> str:
    """The same for the same names, in whatever order."""
    return hashlib.sha256("\n".join(sorted(bones)).encode()).hexdigest()[:32]


def fitting(mappings: Iterable[SavedMapping], rig: RigNames, source: RigNames | None = None) -> SavedMapping | None:
    """The mapping for a rig or a pair: of its bones before of its family; of several the first by name."""
    found = [item for item in mappings if item.fits(rig, source)]
    return min(found, key=lambda item: (item.find_by != "BONES", item.name), default=None)


def _named_here(roles: Iterable[tuple[str, str]], bones: Sequence[str]) -> dict[str, str]:
    name_of = _translations(bones)
    found = {role: name_of(bone) for role, bone in roles}
    return {role: bone for role, bone in found.items() if bone}


def _translations(bones: Sequence[str]) -> Callable[[str], str]:
    """What a saved bone is called among these: by its name, else by what its name says; empty if nothing."""
    known = set(bones)
    said: dict[str, list[str]] = {}
    for bone, name in zip(bones, read_names(bones), strict=True):
        said.setdefault(name.wholes[0], []).append(bone)

    def name_of(bone: str) -> str:
        if bone in known:
            return bone
        alike = said.get(read_names([bone])[0].wholes[0], ())
        return alike[0] if len(alike) == 1 else ""

    return name_of


def mapping_table(mapping: SavedMapping) -> dict[str, Any]:
    """A mapping as the table of its file."""
    table: dict[str, Any] = {"version": VERSION, "name": mapping.name, "find_by": mapping.find_by}
    table["rig"] = _rig_table(mapping.rig)
    if mapping.source is not None:
        table["source"] = _rig_table(mapping.source)
    if mapping.pairs:
        table["pairs"] = [{"target": pair.target, "source": pair.source} for pair in mapping.pairs]
    return table


def _rig_table(rig: MappedRig) -> dict[str, Any]:
    table: dict[str, Any] = {"bones": rig.bones, "convention": rig.convention}
    if rig.roles:
        table["roles"] = [{"role": role, "bone": bone} for role, bone in rig.roles]
    return table


def read_mapping(data: bytes, name: str) -> SavedMapping:
    """The mapping of a file's content; `name` is the file's, for the sentence that refuses it."""
    if len(data) > MAX_BYTES:
        raise MappingError(f"{name} is larger than {MAX_BYTES} bytes; a mapping is a short list of bones.")
    try:
        table = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MappingError(f"{name} is no valid TOML: {error}") from error
    return mapping_from(table, name)


def mapping_from(table: Mapping[str, Any], name: str) -> SavedMapping:
    """The mapping of a table after all of it was checked."""
    version = table.get("version", 0)
    if type(version) is not int or not 0 <= version <= VERSION:
        raise MappingError(f"{name}: version {version!r} is not known; this Surefoot reads up to {VERSION}. Update it.")
    for step in range(version, VERSION):
        table = _MIGRATIONS[step](table, name)
    _no_others(table, ("version", "name", "find_by", "rig", "source", "pairs"), name)
    find_by = table.get("find_by")
    if find_by not in ("BONES", "CONVENTION"):
        raise MappingError(f"{name}: find_by is {find_by!r}; it must be BONES or CONVENTION.")
    rig = _rig(table.get("rig"), f"{name}: rig")
    source = _rig(table["source"], f"{name}: source") if "source" in table else None
    pairs = _pairs(table.get("pairs", []), f"{name}: pairs")
    if pairs and source is None:
        raise MappingError(f"{name}: pairs need a source; without one only roles can be set.")
    wanted = "bones" if find_by == "BONES" else "convention"
    for place, each in (("rig", rig), ("source", source)):
        if each is not None and not getattr(each, wanted):
            raise MappingError(f"{name}: {place}.{wanted} is missing, by which it is to be found.")
    return SavedMapping(_text(table.get("name"), f"{name}: name"), find_by, rig, source, pairs)


def _rig(table: Any, place: str) -> MappedRig:
    if not isinstance(table, dict):
        raise MappingError(f"{place} must be a table.")
    _no_others(table, ("bones", "convention", "roles"), place)
    digest, convention = table.get("bones", ""), table.get("convention", "")
    if not isinstance(digest, str) or len(digest) > 64 or not set(digest) <= set("0123456789abcdef"):
        raise MappingError(f"{place}.bones is no digest of bone names.")
    if convention != "":
        _text(convention, f"{place}.convention")
    rows = _rows(table.get("roles", []), ("role", "bone"), MOST_ROLES, f"{place}.roles")
    for number, (role, _) in enumerate(rows, start=1):
        if not stem_of(role):
            raise MappingError(f"{place}.roles, line {number}: {role!r} is no role that can be set by hand.")
    _once([role for role, _ in rows], f"{place}.roles")
    return MappedRig(digest, convention, tuple((role, bone) for role, bone in rows))


def _pairs(rows: Any, place: str) -> tuple[Pair, ...]:
    found = _rows(rows, ("target", "source"), MOST_PAIRS, place, may_be_empty=("source",))
    _once([target for target, _ in found], place)
    return tuple(Pair(target, source) for target, source in found)


def _rows(
    rows: Any, keys: tuple[str, str], most: int, place: str, may_be_empty: tuple[str, ...] = ()
) -> list[tuple[str, str]]:
    """The two texts of each line of a list of tables."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise MappingError(f"{place} must be a list of tables with {keys[0]} and {keys[1]}.")
    if len(rows) > most:
        raise MappingError(f"{place} has {len(rows)} lines; {most} are the most.")
    found = []
    for number, row in enumerate(rows, start=1):
        where = f"{place}, line {number}"
        _no_others(row, keys, where)
        first, second = (
            "" if key in may_be_empty and row.get(key, "") == "" else _text(row.get(key), f"{where}: {key}")
            for key in keys
        )
        found.append((first, second))
    return found


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or not value or len(value) > LONGEST:
        raise MappingError(f"{place} must be a text of 1 to {LONGEST} letters.")
    return value


def _no_others(table: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    others = sorted(set(table) - set(known))
    if others:
        raise MappingError(f"{place}: {others[0]} is not known; there are {', '.join(known)}.")


def _once(names: Sequence[str], place: str) -> None:
    for number, name in enumerate(names, start=1):
        if name in names[: number - 1]:
            raise MappingError(f"{place}, line {number}: {name!r} is there twice.")


def _from_plain_list(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A file without a version, as somebody writes it: `convention`, and a table `roles` of role = bone."""
    _no_others(table, ("name", "convention", "roles"), name)
    roles = table.get("roles")
    if not isinstance(roles, dict) or not roles:
        raise MappingError(f"{name}: without a version it needs a table `roles` of role = bone.")
    convention = table.get("convention")
    rows = [{"role": role, "bone": bone} for role, bone in roles.items()]
    return {
        "version": 1,
        "name": table.get("name", name.partition(".")[0]),
        "find_by": "CONVENTION",
        "rig": {"convention": convention, "roles": rows},
    }


_MIGRATIONS: dict[int, Callable[[Mapping[str, Any], str], dict[str, Any]]] = {0: _from_plain_list}
