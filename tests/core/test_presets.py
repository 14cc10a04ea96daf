"""Gaits and the choice between them as they ship, and what is said of a file that cannot be used."""

from copy import deepcopy
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from surefoot.core.presets import (
    PRESETS,
    PresetError,
    auto_gait,
    check_gait,
    gait_names,
    gait_tables,
    pattern,
    read_toml,
)

FILES = sorted((PRESETS / "gaits").glob("*.toml"))


def walk() -> dict[str, Any]:
    """The walk's table, to be spoilt."""
    return deepcopy(gait_tables()["WALK"])


def test_every_file_is_a_gait_of_its_own_name():
    assert {path.stem.upper() for path in FILES} == set(gait_names())


def test_the_gaits_of_the_source_are_there():
    assert {"WALK", "TROT", "PACE", "CANTER", "GALLOP", "BOUND", "PRONK", "TRIPOD", "WAVE", "RUN"} <= set(gait_names())


@pytest.mark.parametrize("count", [2, 4, 6, 8, 10, 12])
def test_every_number_of_pairs_has_a_gait_to_walk(count: int):
    assert any(pattern(name, count) for name in gait_names())
    assert all(pattern(name, count) for name, _ in auto_gait(count).steps)


@pytest.mark.parametrize("count", [3, 5, 7])
def test_an_odd_number_of_legs_chooses_as_the_next_even_one(count: int):
    assert auto_gait(count).steps == auto_gait(count + 1).steps


def test_a_gait_that_does_not_ship_is_refused_with_those_that_do():
    with pytest.raises(PresetError, match="no gait called 'MOONWALK'.*WALK"):
        pattern("MOONWALK", 2)


@pytest.mark.parametrize(("section", "key"), [("timing", "cycle_fast"), ("body", "bob"), ("foot", "step_height")])
@pytest.mark.parametrize("value", [None, "fast", True, nan, inf, -1.0, 1e9])
def test_a_number_out_of_range_is_refused_with_its_place(section: str, key: str, value: object):
    table = walk()
    table[section][key] = value
    with pytest.raises(PresetError, match=rf"mine.toml: {section}.{key}"):
        check_gait(table, "mine.toml")


@pytest.mark.parametrize("section", ["timing", "body", "foot", "legs"])
def test_a_missing_section_is_named(section: str):
    table = walk()
    del table[section]
    with pytest.raises(PresetError, match=f"mine.toml.*{section}"):
        check_gait(table, "mine.toml")


@pytest.mark.parametrize("offsets", [[0.0], [0.0, 0.5, 0.25], [0.0, 1.5], [0.0, "half"], 0.5])
def test_offsets_that_are_not_one_for_each_leg_are_refused(offsets: object):
    table = walk()
    table["legs"]["2"]["offsets"] = offsets
    with pytest.raises(PresetError, match=r"mine.toml: legs.2"):
        check_gait(table, "mine.toml")


def test_a_row_without_offsets_or_lags_is_refused():
    table = walk()
    table["legs"]["2"] = {"duty": 0.6}
    with pytest.raises(PresetError, match="offsets or pair_lag"):
        check_gait(table, "mine.toml")


def test_a_row_for_no_number_of_legs_is_refused():
    table = walk()
    table["legs"]["many"] = {"duty": 0.6, "pair_lag": 0.2, "side_lag": 0.5}
    with pytest.raises(PresetError, match=r"mine.toml: legs.many"):
        check_gait(table, "mine.toml")


def test_a_version_of_another_time_is_refused():
    with pytest.raises(PresetError, match=r"mine.toml: version 2 is not 1"):
        check_gait({**walk(), "version": 2}, "mine.toml")


def test_a_file_that_is_not_there_says_what_to_do(tmp_path: Path):
    with pytest.raises(PresetError, match=r"gone.toml: cannot be read .*Reinstall"):
        read_toml(tmp_path / "gone.toml")


def test_angles_are_degrees_in_the_file_and_radians_in_the_pattern():
    assert pattern("WALK", 2).heel_lift == pytest.approx(walk()["legs"]["2"]["heel_lift"] * 3.141592653589793 / 180.0)
