"""What the galleries share: the extension put in place, a picture a name, and a clean way out of Blender."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import bpy
from support.extension import as_extension


def draw(choices: Iterable[str], folder: Path, picture_of: Callable[[str, Path], None]) -> None:
    """Make the pictures that the command line asks for, all choices by default, as FOLDER/name.png. Does not return."""
    extension = as_extension()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    extension.register()
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or choices:
        picture_of(name, folder / f"{name.lower()}.png")
    # Blender 4.5 would wait for classes that are still there.
    extension.unregister()
    sys.stdout.flush()
    os._exit(0)
