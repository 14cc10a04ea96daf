"""Each test in Blender gets an empty file with the add-on enabled, and leaves the add-on disabled."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import bpy
import pytest


@pytest.fixture(scope="session")
def extension() -> object:
    """The extension's root module, run as Blender runs it."""
    module = sys.modules["surefoot"]
    if not hasattr(module, "register"):
        module.__spec__.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def empty_file(extension: object) -> Iterator[None]:
    """An empty scene at frame 1 with the add-on registered."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    extension.register()
    yield
    extension.unregister()
