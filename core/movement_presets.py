"""Movement presets: all numbers of a walking capsule and of how it is steered, as files that ship."""

from __future__ import annotations

from dataclasses import fields
from math import radians
from typing import Any

from .control.movement import MovementConfig
from .control.steering import SteeringConfig
from .presets import PRESETS, PresetError, read_toml

MOVEMENT_VERSION = 1

SETTINGS = {item.name: item for config in (MovementConfig, SteeringConfig) for item in fields(config)}
"""What a movement preset may set, by name: the fields of both Configs."""


def check_movement(table: dict[str, Any], name: str) -> dict[str, Any]:
    """The table of a movement after its numbers were found to be some that there are, within their ranges."""
    if table.get("version") != MOVEMENT_VERSION:
        raise PresetError(f"{name}: version {table.get('version')!r} is not {MOVEMENT_VERSION}.")
    for key in ("name", "title", "about"):
        if not isinstance(table.get(key), str) or not table[key]:
            raise PresetError(f"{name}: needs a {key}.")
    rows = table.get("movement")
    if not isinstance(rows, dict):
        raise PresetError(f"{name}: needs a table called movement.")
    for key, value in rows.items():
        if key not in SETTINGS:
            raise PresetError(f"{name}: movement.{key} is not known; there are {', '.join(SETTINGS)}.")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise PresetError(f"{name}: movement.{key} must be a number.")
        low, high = (SETTINGS[key].metadata.get(end) for end in ("low", "high"))
        said = _in_code(key, value)
        if (low is not None and said < low) or (high is not None and said > high):
            raise PresetError(f"{name}: movement.{key} is {value}, which is out of its range.")
    return table


def movement_tables() -> dict[str, dict[str, Any]]:
    """All movements that ship, by name; the one that changes nothing first."""
    tables = [check_movement(read_toml(path), path.name) for path in sorted((PRESETS / "movement").glob("*.toml"))]
    return {table["name"]: table for table in sorted(tables, key=lambda table: bool(table["movement"]))}


def movement_values(name: str) -> dict[str, float]:
    """Every number of a movement, angles in radians: what it does not say is at its default."""
    tables = movement_tables()
    if name not in tables:
        raise PresetError(f"There is no movement called {name!r}; there are {', '.join(tables)}.")
    said = tables[name]["movement"]
    usual = (MovementConfig(), SteeringConfig())
    defaults = {item.name: getattr(config, item.name) for config in usual for item in fields(config)}
    return {key: _in_code(key, said[key]) if key in said else defaults[key] for key in SETTINGS}


def _in_code(key: str, value: float) -> float:
    return radians(value) if SETTINGS[key].metadata.get("unit") == "deg" else float(value)
