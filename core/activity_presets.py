"""Activity presets: how each kind of body eats, drinks, sniffs, rests and attacks, as files that ship."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import lru_cache
from math import radians
from typing import Any, Literal

from .actions.config import ActivityConfig
from .presets import PRESETS, PresetError, read_toml
from .rig.rig import Rig

ACTIVITIES_VERSION = 1
Kind = Literal["PERSON", "BIRD", "FOUR", "MANY"]
UPRIGHT = 1.0
OWN = "activities"
"""The table of what holds for all activities of a body."""


def _groups() -> dict[str, type]:
    """The tables of a file, each with the Config that it fills."""
    usual = ActivityConfig()
    nested = {item.name: type(getattr(usual, item.name)) for item in fields(ActivityConfig)}
    return {name: config for name, config in nested.items() if is_dataclass(config)}


def activities_of(table: dict[str, Any], name: str) -> ActivityConfig:
    """The activities of a file's table, after its numbers were found to be some that there are, within their ranges."""
    if table.get("version") != ACTIVITIES_VERSION:
        raise PresetError(f"{name}: version {table.get('version')!r} is not {ACTIVITIES_VERSION}.")
    for key in ("name", "title"):
        if not isinstance(table.get(key), str) or not table[key]:
            raise PresetError(f"{name}: needs a {key}.")
    groups = _groups()
    unknown = sorted(set(table) - {"version", "name", "title", OWN, *groups})
    if unknown:
        raise PresetError(f"{name}: {unknown[0]} is not known; there are {', '.join((OWN, *groups))}.")
    made: dict[str, Any] = {key: config(**_read(table, key, config, name)) for key, config in groups.items()}
    made.update(_read(table, OWN, ActivityConfig, name))
    return ActivityConfig(**made)


def _read(table: dict[str, Any], group: str, config: type, name: str) -> dict[str, float]:
    """One table's numbers, angles in radians."""
    rows = table.get(group, {})
    if not isinstance(rows, dict):
        raise PresetError(f"{name}: {group} must be a table.")
    known = {item.name: item for item in fields(config) if item.metadata.get("text")}
    made = {}
    for key, value in rows.items():
        if key not in known:
            raise PresetError(f"{name}: {group}.{key} is not known; there are {', '.join(known)}.")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise PresetError(f"{name}: {group}.{key} must be a number.")
        said = known[key].metadata
        made[key] = number = radians(value) if said.get("unit") == "deg" else float(value)
        if not said["low"] - 1e-9 <= number <= said["high"] + 1e-9:
            raise PresetError(f"{name}: {group}.{key} is {value}, which is out of its range.")
    return made


@lru_cache(maxsize=1)
def activity_presets() -> dict[str, ActivityConfig]:
    """All that ship, by the kind of body."""
    tables = {path.name: read_toml(path) for path in sorted((PRESETS / "activities").glob("*.toml"))}
    return {str(table.get("name")): activities_of(table, name) for name, table in tables.items()}


def is_upright(rig: Rig) -> bool:
    """True for a body on two legs whose trunk goes up, not ahead."""
    if len(rig.legs) != 2 or rig.head < 0:
        return False
    bones = rig.skeleton.bones
    line = bones[(*rig.neck, rig.head)[0]].head - bones[rig.body].head
    return bool(line.z > UPRIGHT * abs(line.y))


def kind_of(rig: Rig) -> Kind:
    """Which preset a body has, by its legs and its trunk."""
    if len(rig.legs) == 2:
        return "PERSON" if is_upright(rig) else "BIRD"
    return "FOUR" if len(rig.legs) == 4 else "MANY"
