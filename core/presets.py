"""Reading what ships as data: TOML presets, checked for version, keys and ranges before anything is built from them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from .gait.config import GaitConfig
from .gait.manner import MANNER
from .gait.patterns import AutoGait, Pattern, auto_gait_from, pattern_from
from .gait.style import StyleConfig
from .motion.gait_curves import curves_from

PRESETS = Path(__file__).resolve().parent.parent / "presets"
GAIT_VERSION = 1
STYLE_VERSION = 1
LARGEST_PRESET = 1_000_000

# What a style may set: sliders of style, and of the steps those that are times the gait's own. Default, low, high.
_OF_STEPS = ("bob", "sway", "lean", "arm_swing")
STYLE_SETTINGS: dict[str, tuple[float, float, float]] = {
    item.name: (float(getattr(config(), item.name)), item.metadata["low"], item.metadata["high"])
    for config in (StyleConfig, GaitConfig)
    for item in fields(config)
    if item.name in _OF_STEPS or (config is StyleConfig and item.name != "seed")
}

_GAIT_RANGES: dict[str, dict[str, tuple[float, float]]] = {
    "timing": {
        "cycle_fast": (0.05, 2.0),
        "cycle_slow": (0.1, 5.0),
        "stride_factor": (0.2, 6.0),
        "stride_exponent": (0.0, 1.0),
        "stride_scale": (0.1, 3.0),
    },
    "body": {
        "bob": (0.0, 0.3),
        "lower": (0.0, 0.4),
        "sway": (0.0, 0.3),
        "lean": (-45.0, 45.0),
    },
    "foot": {"step_height": (0.01, 1.0), "heel_lift": (0.0, 80.0), "landing_pitch": (0.0, 45.0)},
}

# What a row of legs may say for itself.
_LEG_RANGES = {
    "flex": (0.0, 60.0),
    "undulation": (0.0, 20.0),
    "nod": (0.0, 20.0),
    "flick": (0.0, 80.0),
    "ahead": (0.2, 0.8),
}


class PresetError(ValueError):
    """A preset that cannot be used; the text names the file, the place and the reason."""


def read_toml(path: Path) -> dict[str, Any]:
    """One preset file as a table, or a PresetError that names it."""
    try:
        if path.stat().st_size > LARGEST_PRESET:
            raise PresetError(f"{path.name}: the file is larger than {LARGEST_PRESET} bytes; it is no preset.")
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise PresetError(f"{path.name}: cannot be read ({error.strerror}). Reinstall the extension.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PresetError(f"{path.name}: is not valid TOML: {error}") from error


def check_gait(table: dict[str, Any], name: str) -> dict[str, Any]:
    """The table of a gait after all its numbers were found and are within range."""
    if table.get("version") != GAIT_VERSION:
        raise PresetError(f"{name}: version {table.get('version')!r} is not {GAIT_VERSION}.")
    for section, ranges in _GAIT_RANGES.items():
        values = _table(table, section, name)
        for key, (low, high) in ranges.items():
            _check_number(values.get(key), low, high, f"{name}: {section}.{key}")
    if table["body"].get("wave") not in ("PENDULUM", "SPRING"):
        raise PresetError(f"{name}: body.wave must be PENDULUM or SPRING.")
    for key, value in _table(table, "manner", name).items() if "manner" in table else ():
        if key not in MANNER:
            raise PresetError(f"{name}: manner.{key} is not known; there are {', '.join(MANNER)}.")
        _check_number(value, *MANNER[key][1:], f"{name}: manner.{key}")
    legs = _table(table, "legs", name)
    for count in legs:
        _check_legs(_table(legs, count, f"{name}: legs"), count, f"{name}: legs.{count}")
    if not isinstance(table.get("name"), str) or not legs:
        raise PresetError(f"{name}: needs a name and at least one legs table.")
    if "curves" in table:
        _check_curves(_table(table, "curves", name), legs, name)
    return table


def _check_curves(table: dict[str, Any], legs: dict[str, Any], name: str) -> None:
    try:
        curves = curves_from(table, f"{name}: curves")
    except ValueError as error:
        raise PresetError(str(error)) from error
    if set(legs) != {str(len(curves.feet))}:
        raise PresetError(f"{name}: curves are of {len(curves.feet)} feet, so legs must have that row alone.")


def _check_legs(row: dict[str, Any], count: str, place: str) -> None:
    if count != "more" and not count.isdigit():
        raise PresetError(f"{place}: a row of legs is called by their number, or more.")
    _check_number(row.get("duty"), 0.1, 0.95, f"{place}.duty")
    _check_ranges(row, place)
    if "on_toes" in row:
        unknown = set(_check_ranges(_table(row, "on_toes", place), f"{place}.on_toes")) ^ row["on_toes"].keys()
        if unknown:
            raise PresetError(f"{place}.on_toes.{min(unknown)} is not known.")
    if row.get("lead", "") not in ("", "LEFT", "RIGHT"):
        raise PresetError(f"{place}.lead is the side that leads in offsets: LEFT or RIGHT.")
    if "back" in row:
        _check_offsets(row["back"], count, f"{place}.back")
    _check_pace(row, place)
    if "duties" in row:
        _check_offsets(row["duties"], count, f"{place}.duties")
    if "offsets" in row:
        _check_offsets(row["offsets"], count, f"{place}.offsets")
    elif "pair_lag" in row:
        for key in ("pair_lag", "side_lag"):
            _check_number(row.get(key), 0.0, 1.0, f"{place}.{key}")
    else:
        raise PresetError(f"{place} needs offsets or pair_lag and side_lag.")


def _check_pace(row: dict[str, Any], place: str) -> None:
    """The stance share at speed, and between which Froude numbers it falls to it."""
    if "duty_fast" not in row and "froude" not in row:
        return
    _check_number(row.get("duty_fast"), 0.1, row["duty"], f"{place}.duty_fast")
    span = row.get("froude")
    if not isinstance(span, list) or len(span) != 2:
        raise PresetError(f"{place}.froude must be the two Froude numbers of duty and duty_fast.")
    _check_number(span[0], 0.0, 100.0, f"{place}.froude")
    _check_number(span[1], span[0] + 0.01, 100.0, f"{place}.froude")


def _check_ranges(row: dict[str, Any], place: str) -> list[str]:
    """The numbers of a row that have a range, after they were found to be in it."""
    known = {key: limits for ranges in (*_GAIT_RANGES.values(), _LEG_RANGES) for key, limits in ranges.items()}
    checked = [key for key in known if key in row]
    for key in checked:
        _check_number(row[key], *known[key], f"{place}.{key}")
    return checked


def _check_offsets(offsets: Any, count: str, place: str) -> None:
    if not isinstance(offsets, list) or str(len(offsets)) != count:
        raise PresetError(f"{place} must be a list with one number for each of its legs.")
    for offset in offsets:
        _check_number(offset, 0.0, 1.0, place)


def _table(table: dict[str, Any], key: str, place: str) -> dict[str, Any]:
    value = table.get(key)
    if not isinstance(value, dict):
        raise PresetError(f"{place}: {key} must be a table.")
    return value


def _check_number(value: Any, low: float, high: float, place: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise PresetError(f"{place} is {value!r}; it must be a number from {low} to {high}.")


def check_style(table: dict[str, Any], name: str) -> dict[str, Any]:
    """The table of a style after its settings were found to be some that styles may set, within their ranges."""
    if table.get("version") != STYLE_VERSION:
        raise PresetError(f"{name}: version {table.get('version')!r} is not {STYLE_VERSION}.")
    if not all(isinstance(table.get(key), str) for key in ("name", "title", "about")):
        raise PresetError(f"{name}: needs a name, a title and a line about it.")
    for key, value in _table(table, "style", name).items():
        if key not in STYLE_SETTINGS:
            raise PresetError(f"{name}: style.{key} is not known; there are {', '.join(STYLE_SETTINGS)}.")
        _check_number(value, *STYLE_SETTINGS[key][1:], f"{name}: style.{key}")
    return table


@lru_cache(maxsize=1)
def style_tables() -> dict[str, dict[str, Any]]:
    """All styles that ship, by name; the plain one first."""
    tables = [check_style(read_toml(path), path.name) for path in sorted((PRESETS / "styles").glob("*.toml"))]
    return {table["name"]: table for table in sorted(tables, key=lambda table: bool(table["style"]))}


def style_values(name: str) -> dict[str, float]:
    """Every setting of the style `name`: those that it does not say are at their defaults; the seed is nobody's, and
    variation stays as it is where a style says nothing of it."""
    tables = style_tables()
    if name not in tables:
        raise PresetError(f"There is no style called {name!r}; there are {', '.join(tables)}.")
    said = tables[name]["style"]
    return {
        key: float(said.get(key, default))
        for key, (default, _, _) in STYLE_SETTINGS.items()
        if key in said or key != "variation"
    }


@lru_cache(maxsize=1)
def gait_tables() -> dict[str, dict[str, Any]]:
    """All gaits that ship, by name, in the order of their files."""
    tables = [check_gait(read_toml(path), path.name) for path in sorted((PRESETS / "gaits").glob("*.toml"))]
    return {table["name"]: table for table in tables}


def gait_names() -> tuple[str, ...]:
    """The names of all gaits that ship."""
    return tuple(gait_tables())


class OwnGaits:
    """The gaits of the user's own folder, which is told here by whoever knows it."""

    folder: Path | None = None


def use_own_gaits(folder: Path | None) -> None:
    """Read the user's own gaits from this folder (or none), and anew if it is the same one."""
    OwnGaits.folder = folder
    _own_gaits.cache_clear()
    pattern.cache_clear()


@lru_cache(maxsize=1)
def _own_gaits() -> tuple[dict[str, dict[str, Any]], tuple[str, ...]]:
    """The user's gaits by name, and what is wrong with the files that hold none. A name that ships is not taken."""
    tables: dict[str, dict[str, Any]] = {}
    wrong: list[str] = []
    for path in sorted(OwnGaits.folder.glob("*.toml")) if OwnGaits.folder is not None else ():
        try:
            table = check_gait(read_toml(path), path.name)
            if table["name"] in gait_tables():
                raise PresetError(f"{path.name}: a gait called {table['name']} ships; give this one another name.")
            tables[table["name"]] = table
        except PresetError as error:
            wrong.append(str(error))
    return tables, tuple(wrong)


def gait_identifier(title: str) -> str:
    """How a gait that a person calls `title` is called in files and settings: Her Walk is HER_WALK."""
    return re.sub(r"\W+", "_", title.strip()).strip("_").upper()


def own_gait_names() -> tuple[str, ...]:
    """The names of the user's own gaits."""
    return tuple(_own_gaits()[0])


def own_gait_problems() -> tuple[str, ...]:
    """A sentence for each file of the user's own folder that cannot be used."""
    return _own_gaits()[1]


def _gait_table(name: str) -> dict[str, Any] | None:
    return gait_tables().get(name) or _own_gaits()[0].get(name)


def gait_title(name: str) -> str:
    """How a gait is called where people read of it; the name itself where there is no such gait."""
    return str((_gait_table(name) or {}).get("title", name))


@lru_cache(maxsize=256)
def pattern(name: str, legs: int, *, on_toes: bool = False) -> Pattern | None:
    """The gait `name` for this many legs, or for a body on its toes; None where it is not made for them."""
    table = _gait_table(name)
    if table is None:
        raise PresetError(
            f"There is no gait called {name!r}; there are {', '.join((*gait_names(), *own_gait_names()))}."
        )
    return pattern_from(table, legs, on_toes=on_toes)


@lru_cache(maxsize=64)
def auto_gait(legs: int) -> AutoGait:
    """The choice by Froude number for this many legs."""
    table = read_toml(PRESETS / "auto_gait.toml")
    if table.get("version") != GAIT_VERSION:
        raise PresetError(f"auto_gait.toml: version {table.get('version')!r} is not {GAIT_VERSION}.")
    return auto_gait_from(table, legs)
