"""The repository as the package `surefoot`, whatever its folder is called."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent.parent
NAME = "surefoot"


def as_package() -> ModuleType:
    """The package without its `__init__.py` having run: enough to import `surefoot.core` where no Blender is."""
    if NAME not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            NAME, ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
        )
        sys.modules[NAME] = importlib.util.module_from_spec(spec)
    return sys.modules[NAME]


def as_extension() -> ModuleType:
    """The package with its `__init__.py` run, as Blender runs it: ready to register."""
    module = as_package()
    if not hasattr(module, "register"):
        module.__spec__.loader.exec_module(module)
    return module
