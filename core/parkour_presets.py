"""Parkour presets: the numbers of area awareness and of each state, as files that ship."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache
from math import isnan, radians
from typing import Any

from .locomotion.config import ParkourConfig
from .presets import PRESETS, PresetError, read_toml
from .space.settings import range_errors

PARKOUR_VERSION = 1
USUAL = "USUAL"


def check_parkour(table: dict[str, Any], name: str) -> ParkourConfig:
    """The numbers of a parkour preset, after they were found to be some that there are, within their ranges."""
    if table.get("version") != PARKOUR_VERSION:
        raise PresetError(f"{name}: version {table.get('version')!r} is not {PARKOUR_VERSION}.")
    for key in ("name", "title", "about"):
        if not isinstance(table.get(key), str) or not table[key]:
            raise PresetError(f"{name}: needs a {key}.")
    config, tables = ParkourConfig(), {item.name for item in fields(ParkourConfig)}
    said = {key: rows for key, rows in table.items() if key not in {"version", "name", "title", "about"}}
    changed = {}
    for key, rows in said.items():
        if key not in tables or not isinstance(rows, dict):
            raise PresetError(f"{name}: {key} is no table of parkour; there are {', '.join(sorted(tables))}.")
        changed[key] = _filled(getattr(config, key), rows, f"{name}: {key}")
    return replace(config, **changed)


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


@lru_cache(maxsize=1)
def parkour_tables() -> dict[str, tuple[str, str, ParkourConfig]]:
    """All that ship, by name: title, what it is, its numbers."""
    found = {}
    for path in sorted((PRESETS / "parkour").glob("*.toml")):
        table = read_toml(path)
        config = check_parkour(table, path.name)
        found[table["name"]] = (table["title"], table["about"], config)
    return found


def parkour(name: str) -> ParkourConfig:
    """The numbers of a preset; the usual ones where there is none of this name."""
    tables = parkour_tables()
    return tables[name if name in tables else USUAL][2]
