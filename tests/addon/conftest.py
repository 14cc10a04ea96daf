"""Each test in Blender gets an empty file with the add-on enabled, and leaves the add-on disabled."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import bpy
import pytest
from support.extension import as_extension


@pytest.fixture(scope="session")
def extension() -> ModuleType:
    """The extension's root module, run as Blender runs it."""
    return as_extension()


@pytest.fixture(autouse=True)
def empty_file(extension: ModuleType) -> Iterator[None]:
    """An empty scene at frame 1 with the add-on registered."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    extension.register()
    yield
    extension.unregister()


@pytest.fixture
def scene_world() -> type:
    """The scene as a World; its module imports only where the extension has run."""
    from surefoot.addon.scene_world import SceneWorld

    return SceneWorld
