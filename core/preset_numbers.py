"""Presets that are numbers alone: tables that go over the defaults of a Config of Configs, checked one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from math import isnan, radians
from typing import Any, TypeVar

from .presets import PRESETS, PresetError, read_toml
from .space.settings import range_errors

HEAD = ("version", "name", "title", "about")

T = TypeVar("T")
Listed = dict[str, tuple[str, str, T]]


def check_numbers(table: dict[str, Any], name: str, defaults: T, version: int, what: str) -> T:
    """A preset's numbers over `defaults`, a Config whose fields are Configs; PresetError names file, place and reason.

    `what` are its tables of, in a sentence.
    """
    if table.get("version") != version:
        raise PresetError(f"{name}: version {table.get('version')!r} is not {version}.")
    for key in HEAD[1:]:
        if not isinstance(table.get(key), str) or not table[key]:
            raise PresetError(f"{name}: needs a {key}.")
    tables = {item.name for item in fields(defaults)}  # type: ignore[arg-type]
    changed = {}
    for key, rows in table.items():
        if key in HEAD:
            continue
        if key not in tables or not isinstance(rows, dict):
            raise PresetError(f"{name}: {key} is no table of {what}; there are {', '.join(sorted(tables))}.")
        changed[key] = _filled(getattr(defaults, key), rows, f"{name}: {key}")
    return replace(defaults, **changed)  # type: ignore[type-var]


def numbers_in(folder: str, check: Callable[[dict[str, Any], str], T]) -> Listed[T]:
    """All presets of a folder that ship, by name: title, what it is, its numbers."""
    found = {}
    for path in sorted((PRESETS / folder).glob("*.toml")):
        table = read_toml(path)
        numbers = check(table, path.name)
        found[table["name"]] = (table["title"], table["about"], numbers)
    return found


def _filled(config: Any, rows: dict[str, Any], place: str) -> Any:
    """One table over its defaults."""
    known = {item.name: item for item in fields(config)}
    values = {}
    for key, value in rows.items():
        if key not in known:
            raise PresetError(f"{place}.{key} is not known; there are {', '.join(known)}.")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise PresetError(f"{place}.{key} must be a number.")
        values[key] = radians(value) if known[key].metadata.get("unit") == "deg" else float(value)
    filled = replace(config, **values)
    wrong = [f"{key} is no number." for key, value in values.items() if isnan(value)] or range_errors(filled)
    if wrong:
        raise PresetError(f"{place}.{wrong[0]}")
    return filled
