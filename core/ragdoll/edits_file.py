"""What is changed of bodies as a file: TOML with a version, angles in degrees, offsets as shares of the body's height.

So one file serves rigs of any size that have bodies of these roles. Nothing in it is believed before it was checked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import degrees, isfinite, radians
from typing import Any

from ..space.rigid import Triple
from .edits import NOWHERE, PLAIN, BodyEdit

VERSION = 1
MAX_BYTES = 1_000_000
MOST_BODIES = 500
LONGEST = 255
KEYS = ("role", "size", "offset", "mass", "shape", "low", "high", "friction", "off")
# The ranges of all numbers: factors of size and mass, shares of the height, degrees, N m for each kilogram.
SIZE, MASS, OFFSET, TURN, ASIDE, FRICTION = (
    (0.05, 20.0), (0.01, 100.0), (-1.0, 1.0), (-180.0, 180.0), (-90.0, 90.0), (0.0, 10.0),
)  # fmt: skip


class EditsError(ValueError):
    """A file of changes that cannot be used; the text names the file, the place and the reason."""


@dataclass(frozen=True, slots=True)
class SavedEdits:
    """A file's changes; their offsets are shares of the height."""

    name: str
    edits: tuple[BodyEdit, ...]

    def sized(self, height: float) -> tuple[BodyEdit, ...]:
        """The changes for a body of this height, metres."""
        return tuple(replace(edit, offset=_times(edit.offset, height)) for edit in self.edits)


def saved_edits(name: str, edits: Iterable[BodyEdit], height: float) -> SavedEdits:
    """Changes of a body of this height (metres), to be kept."""
    return SavedEdits(name, tuple(replace(edit, offset=_times(edit.offset, 1.0 / height)) for edit in edits))


def edits_table(saved: SavedEdits) -> dict[str, Any]:
    """The table of a file: of each body only what is changed."""
    return {"version": VERSION, "name": saved.name, "bodies": [_row(edit) for edit in saved.edits]}


def _row(edit: BodyEdit) -> dict[str, Any]:
    row: dict[str, Any] = {"role": edit.role}
    if edit.size != PLAIN:
        row["size"] = _rounded(edit.size)
    if edit.offset != NOWHERE:
        row["offset"] = _rounded(edit.offset)
    if edit.mass != 1.0:
        row["mass"] = round(edit.mass, 6)
    if edit.shape is not None:
        row["shape"] = edit.shape
    if edit.low is not None and edit.high is not None:
        row["low"], row["high"] = (_rounded((degrees(x), degrees(y), degrees(z))) for x, y, z in (edit.low, edit.high))
    if edit.friction is not None:
        row["friction"] = round(edit.friction, 6)
    if edit.off:
        row["off"] = True
    return row


def read_edits(data: bytes, place: str) -> SavedEdits:
    """The changes of a file's content; `place` is the file's name, for the sentence that refuses it."""
    if len(data) > MAX_BYTES:
        raise EditsError(f"{place} is larger than {MAX_BYTES} bytes; changes of bodies are a short list.")
    try:
        table = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise EditsError(f"{place} is no valid TOML: {error}") from error
    version = table.get("version")
    if type(version) is not int or version != VERSION:
        raise EditsError(f"{place}: version {version!r} is not known; this Surefoot reads {VERSION}. Update it.")
    _no_others(table, ("version", "name", "bodies"), place)
    rows = table.get("bodies")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or len(rows) > MOST_BODIES:
        raise EditsError(f"{place}: bodies must be a list of at most {MOST_BODIES} tables.")
    edits = tuple(_edit(row, f"{place}: bodies, number {k}") for k, row in enumerate(rows, start=1))
    roles = [edit.role for edit in edits]
    twice = next((role for k, role in enumerate(roles) if role in roles[:k]), None)
    if twice is not None:
        raise EditsError(f"{place}: {twice} is there twice.")
    return SavedEdits(_text(table.get("name"), f"{place}: name"), edits)


def _edit(row: Mapping[str, Any], place: str) -> BodyEdit:
    _no_others(row, KEYS, place)
    if ("low" in row) != ("high" in row):
        raise EditsError(f"{place}: needs both low and high, or neither.")
    low = high = None
    if "low" in row:
        low, high = (_limits(row[key], f"{place}.{key}") for key in ("low", "high"))
        if any(a > b for a, b in zip(low, high, strict=True)):
            raise EditsError(f"{place}: low must not be over high.")
    shape, off = row.get("shape"), row.get("off", False)
    if shape not in (None, "BOX", "CAPSULE") or not isinstance(off, bool):
        raise EditsError(f"{place}: shape must be BOX or CAPSULE, off must be true or false.")
    return BodyEdit(
        role=_text(row.get("role"), f"{place}.role"),
        size=_three(row.get("size", list(PLAIN)), (SIZE,) * 3, f"{place}.size"),
        offset=_three(row.get("offset", list(NOWHERE)), (OFFSET,) * 3, f"{place}.offset"),
        mass=_number(row.get("mass", 1.0), *MASS, f"{place}.mass"),
        shape=shape,
        low=low,
        high=high,
        friction=_number(row["friction"], *FRICTION, f"{place}.friction") if "friction" in row else None,
        off=off,
    )


def _limits(values: Any, place: str) -> Triple:
    x, y, z = _three(values, (TURN, ASIDE, TURN), place)
    return radians(x), radians(y), radians(z)


def _three(values: Any, ranges: tuple[tuple[float, float], ...], place: str) -> Triple:
    if not isinstance(values, list) or len(values) != 3:
        raise EditsError(f"{place} must be three numbers.")
    x, y, z = (_number(value, *span, place) for value, span in zip(values, ranges, strict=True))
    return x, y, z


def _number(value: Any, low: float, high: float, place: str) -> float:
    fine = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and low <= value <= high
    if not fine:
        raise EditsError(f"{place} is {value!r}; it must be a number from {low:g} to {high:g}.")
    return float(value)


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or not value or len(value) > LONGEST:
        raise EditsError(f"{place} must be a text of 1 to {LONGEST} letters.")
    return value


def _no_others(table: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    others = sorted(set(table) - set(known))
    if others:
        raise EditsError(f"{place}: {others[0]} is not known; there are {', '.join(known)}.")


def _times(values: Triple, factor: float) -> Triple:
    x, y, z = values
    return x * factor, y * factor, z * factor


def _rounded(values: Triple) -> list[float]:
    """Six digits: more than single precision holds is noise."""
    return [float(f"{value:.6g}") for value in values]
