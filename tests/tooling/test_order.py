"""The order in which the entry point runs the extension's modules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.order import ordered
from tools.steps import Stop


def write(root: Path, **files: str) -> Path:
    """An extension with these modules: dots in a name are written as two underscores."""
    for name, text in {"core": "", "addon": "", **files}.items():
        path = root / name.replace("__", "/")
        path = path / "__init__.py" if name in ("core", "addon", "core__rig") else path.with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_a_module_comes_after_what_it_imports(tmp_path: Path):
    root = write(tmp_path, core__a="from .b import one", core__b="from . import c", core__c="")
    assert ordered(root) == ["core", "core.c", "core.b", "core.a", "addon"]


def test_the_addon_comes_after_the_core(tmp_path: Path):
    root = write(tmp_path, core__z="", addon__a="from ..core import z")
    assert ordered(root) == ["core", "core.z", "addon", "addon.a"]


def test_a_package_that_hands_on_its_modules_comes_after_them(tmp_path: Path):
    root = write(tmp_path, core__rig="from .pose import Pose", core__rig__pose="", core__a="from .rig import Pose")
    assert ordered(root) == ["core", "core.rig.pose", "core.rig", "core.a", "addon"]


def test_an_import_for_type_checkers_or_inside_a_function_orders_nothing(tmp_path: Path):
    checked = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .b import B\n"
    root = write(tmp_path, core__a=checked, core__b="def late():\n    from .a import A\n")
    assert ordered(root) == ["core", "core.a", "core.b", "addon"]


def test_modules_that_import_each_other_are_named(tmp_path: Path):
    root = write(tmp_path, core__a="from .b import B", core__b="from .a import A")
    with pytest.raises(Stop, match="core.a > core.b > core.a"):
        ordered(root)
