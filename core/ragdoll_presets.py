"""What ships of falling bodies: mass shares and joint limits of each kind of body, from their files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import radians
from types import MappingProxyType
from typing import Any

from .presets import PRESETS, PresetError, read_toml
from .ragdoll.proportions import KINDS, BodyKind, PartRow, PlanNumbers
from .space.rigid import Triple

KIND_VERSION = 1
# X and Z may turn all the way; Y is the middle one of three angles and stays inside a quarter turn.
MOST_TURN, MOST_ASIDE = 180.0, 85.0


def plan_config(mass: float = 0.0, *, chains: bool = False) -> PlanNumbers:
    """What plans are made with; `mass` is the whole body's (kg; 0: by its size), `chains`: hair and ropes too."""
    return PlanNumbers(body_kinds(), mass, chains)


@lru_cache(maxsize=1)
def body_kinds() -> Mapping[str, BodyKind]:
    """All kinds of bodies, by name."""
    return MappingProxyType({name: _kind(name) for name in KINDS})


def _kind(name: str) -> BodyKind:
    path = PRESETS / "ragdoll" / f"{name}.toml"
    return check_kind(read_toml(path), path.name)


def check_kind(table: dict[str, Any], place: str) -> BodyKind:
    """A kind of body from its table, after all its numbers were found and are within range."""
    if table.get("version") != KIND_VERSION:
        raise PresetError(f"{place}: version {table.get('version')!r} is not {KIND_VERSION}.")
    rows = table.get("parts")
    if table.get("name") not in KINDS or not isinstance(rows, dict) or "any" not in rows:
        raise PresetError(f"{place}: needs a name out of {', '.join(KINDS)}, and parts with a row called any.")
    height, mass = (_number(table, key, 0.01, 1e5, place) for key in ("height", "mass"))
    return BodyKind(
        table["name"], height, mass, {part: _row(row, f"{place}: parts.{part}") for part, row in rows.items()}
    )


def _row(row: Any, place: str) -> PartRow:
    if not isinstance(row, dict) or set(row) != {"mass", "low", "high", "friction"}:
        raise PresetError(f"{place}: needs mass, low, high and friction, and nothing else.")
    low, high = (_limits(row[key], f"{place}.{key}") for key in ("low", "high"))
    if any(a > b for a, b in zip(low, high, strict=True)):
        raise PresetError(f"{place}: low must not be over high.")
    return PartRow(_number(row, "mass", 1e-6, 1.0, place), low, high, _number(row, "friction", 0.0, 10.0, place))


def _limits(values: Any, place: str) -> Triple:
    if not isinstance(values, list) or len(values) != 3:
        raise PresetError(f"{place}: needs three numbers: of flexion, to the side, of twist.")
    table = dict(zip("xyz", values, strict=True))
    x, z = (_number(table, key, -MOST_TURN, MOST_TURN, place) for key in "xz")
    return radians(x), radians(_number(table, "y", -MOST_ASIDE, MOST_ASIDE, place)), radians(z)


def _number(table: Mapping[str, Any], key: str, low: float, high: float, place: str) -> float:
    value = table.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise PresetError(f"{place}: {key} is {value!r}; it must be a number from {low} to {high}.")
    return float(value)
