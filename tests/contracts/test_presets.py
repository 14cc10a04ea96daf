"""What holds for every preset file: it is read by its reader, and a damaged one is refused with its name."""

from __future__ import annotations

import copy
import json
import math
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.extension import ROOT
from surefoot.core.activity_presets import activities_of
from surefoot.core.course import pieces_of
from surefoot.core.fall_presets import check_falls
from surefoot.core.move_presets import check_move
from surefoot.core.movement_presets import check_movement
from surefoot.core.parkour_presets import check_parkour
from surefoot.core.presets import check_gait, check_style, read_toml
from surefoot.core.ragdoll_presets import check_kind
from surefoot.core.rig.blueprint import read_blueprint
from surefoot.core.rig.conventions import read_convention
from surefoot.core.rise_presets import check_rise

PRESETS = ROOT / "presets"
READERS = {
    "activities": lambda path: activities_of(read_toml(path), path.name),
    "gaits": lambda path: check_gait(read_toml(path), path.name),
    "rigs": read_convention,
    "courses": lambda path: pieces_of(read_toml(path), path.name),
    "falls": lambda path: check_falls(read_toml(path), path.name),
    "moves": lambda path: check_move(read_toml(path), path.name),
    "movement": lambda path: check_movement(read_toml(path), path.name),
    "parkour": lambda path: check_parkour(read_toml(path), path.name),
    "ragdoll": lambda path: check_kind(read_toml(path), path.name),
    "rises": lambda path: check_rise(read_toml(path), path.name),
    "styles": lambda path: check_style(read_toml(path), path.name),
    "characters": read_blueprint,
}
FILES = sorted(PRESETS.glob("*/*.toml"))
LARGEST = [max((PRESETS / folder).glob("*.toml"), key=lambda path: path.stat().st_size) for folder in READERS]
NONSENSE = ("", "nonsense", -1, 1e30, math.nan, True, [], {}, [[]], {"nonsense": 1})


def read(path: Path) -> object:
    """The preset through the reader of the folder that it is named after."""
    return READERS[path.parent.name](path)


def toml(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value)


def written(table: dict[str, Any], original: Path, folder: Path) -> Path:
    """The table as a file with the original's name, in a folder of the original's folder's name."""
    path = folder / original.parent.name / original.name
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(key)} = {toml(item)}\n" for key, item in table.items()), encoding="utf-8")
    return path


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value in a table, and to one of each kind of list item."""
    items = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, item in items:
        yield (*above, key)
        yield from places(item, (*above, key))


def changed(table: dict[str, Any], place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """A copy of the table with another value at this place."""
    result = copy.deepcopy(table)
    holder: Any = result
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return result


def test_every_preset_folder_has_a_reader():
    assert {path.name for path in PRESETS.iterdir() if path.is_dir()} == set(READERS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_shipped_preset_is_read_without_complaint(path: Path):
    assert read(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_preset_of_a_later_version_is_refused_by_name_and_version(path: Path, tmp_path: Path):
    later = written({**tomllib.loads(path.read_text(encoding="utf-8")), "version": 1_000}, path, tmp_path)
    with pytest.raises(ValueError, match=f"{path.name}.*version.*1000"):
        read(later)


@pytest.mark.parametrize("path", LARGEST, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("text", [b"version = ", b"\xff\xfe\x00", b"version = 1\n" + b"#" * 2_000_000], ids=len)
def test_a_file_that_is_no_toml_or_too_large_is_refused_by_name(path: Path, text: bytes, tmp_path: Path):
    (tmp_path / path.parent.name).mkdir()
    bad = tmp_path / path.parent.name / path.name
    bad.write_bytes(text)
    with pytest.raises(ValueError, match=path.name):
        read(bad)


@pytest.mark.parametrize("path", LARGEST, ids=lambda path: path.parent.name)
def test_a_preset_with_nonsense_at_any_place_is_accepted_or_refused_by_name(path: Path, tmp_path: Path):
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    crashed = []
    for place in places(table):
        for value in NONSENSE:
            damaged = written(changed(table, place, value), path, tmp_path)
            try:
                read(damaged)
            except ValueError as error:
                if path.name not in str(error):
                    crashed.append((place, value, f"refused without the file's name: {error}"))
            except Exception as error:  # noqa: BLE001 - any other exception is what this test looks for
                crashed.append((place, value, repr(error)))
    assert crashed == []
