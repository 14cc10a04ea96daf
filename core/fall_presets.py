"""Fall presets: the numbers of bodies that are hit, stagger and fall, as files that ship."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache
from math import isnan, radians
from typing import Any

from .presets import PRESETS, PresetError, read_toml
from .ragdoll.config import RagdollConfig
from .space.settings import range_errors

FALLS_VERSION = 1
USUAL = "USUAL"


def check_falls(table: dict[str, Any], name: str) -> RagdollConfig:
    """The numbers of a fall preset, after they were found to be some that there are, within their ranges."""
    if table.get("version") != FALLS_VERSION:
        raise PresetError(f"{name}: version {table.get('version')!r} is not {FALLS_VERSION}.")
    for key in ("name", "title", "about"):
        if not isinstance(table.get(key), str) or not table[key]:
            raise PresetError(f"{name}: needs a {key}.")
    config, tables = RagdollConfig(), {item.name for item in fields(RagdollConfig)}
    changed = {}
    for key, rows in table.items():
        if key in {"version", "name", "title", "about"}:
            continue
        if key not in tables or not isinstance(rows, dict):
            raise PresetError(f"{name}: {key} is no table of falls; there are {', '.join(sorted(tables))}.")
        changed[key] = _filled(getattr(config, key), rows, f"{name}: {key}")
    return replace(config, **changed)


def _filled(config: Any, rows: dict[str, Any], place: str) -> Any:
    """One table over its defaults."""
    known = {item.name: item for item in fields(config)}
    values = {}
    for key, value in rows.items():
        if key not in known:
            raise PresetError(f"{place}.{key} is not known; there are {', '.join(known)}.")
        if isinstance(value, bool) or not isinstance(value, int | float) or isnan(value):
            raise PresetError(f"{place}.{key} must be a number.")
        values[key] = radians(value) if known[key].metadata.get("unit") == "deg" else float(value)
    filled = replace(config, **values)
    wrong = range_errors(filled)
    if wrong:
        raise PresetError(f"{place}.{wrong[0]}")
    return filled


@lru_cache(maxsize=1)
def fall_tables() -> dict[str, tuple[str, str, RagdollConfig]]:
    """All that ship, by name: title, what it is, its numbers."""
    found = {}
    for path in sorted((PRESETS / "falls").glob("*.toml")):
        table = read_toml(path)
        found[table["name"]] = (table["title"], table["about"], check_falls(table, path.name))
    return found


def falls(name: str) -> RagdollConfig:
    """The numbers of a preset; the usual ones where there is none of this name."""
    tables = fall_tables()
    return tables[name if name in tables else USUAL][2]
