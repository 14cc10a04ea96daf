"""What holds for every Config: it is frozen, and each field says what it does within which range."""

from __future__ import annotations

import dataclasses
import importlib
from typing import Any

import pytest
from support.extension import ROOT
from surefoot.core.space.settings import range_errors

from tools import order


def configs() -> list[type]:
    """All classes of the core that are called Config."""
    found: dict[str, type] = {}
    for name in order.modules(ROOT):
        if name.startswith("core"):
            module = importlib.import_module(f"surefoot.{name}")
            for value in vars(module).values():
                if isinstance(value, type) and value.__name__.endswith("Config"):
                    found[value.__qualname__] = value
    return list(found.values())


# Taken from the rig, not set by anyone.
MEASURED = {"ControlConfig.leg", "ControlConfig.span"}


def own_fields(config: type) -> list[dataclasses.Field[Any]]:
    """The fields that are settings: not other Configs, nor what is measured on the rig."""
    return [
        item
        for item in dataclasses.fields(config)
        if "Config" not in str(item.type) and f"{config.__name__}.{item.name}" not in MEASURED
    ]


def test_there_are_configs():
    assert configs()


@pytest.mark.parametrize("config", configs())
def test_a_config_cannot_be_changed(config: type):
    assert config.__dataclass_params__.frozen


@pytest.mark.parametrize("config", configs())
def test_each_setting_says_what_it_does(config: type):
    silent = [item.name for item in own_fields(config) if len(item.metadata.get("text", "")) < 20]
    assert silent == []


@pytest.mark.parametrize("config", configs())
def test_no_setting_s_text_ends_in_a_full_stop_that_blender_would_double(config: type):
    assert [item.name for item in own_fields(config) if item.metadata["text"].endswith(".")] == []


@pytest.mark.parametrize("config", configs())
def test_each_number_has_a_range(config: type):
    endless = [
        item.name
        for item in own_fields(config)
        if isinstance(item.default, float | int)
        and not isinstance(item.default, bool)
        and None in (item.metadata.get("low"), item.metadata.get("high"))
    ]
    assert endless == []


@pytest.mark.parametrize("config", configs())
def test_the_defaults_are_within_their_ranges(config: type):
    assert range_errors(config()) == []
