"""Any file of motion judged by its kind before anything is made of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .bvh_file import check_bvh
from .fbx_file import check_fbx
from .gltf_file import check_gltf
from .motion_file import BrokenFileError, FileFacts

CHECKS: dict[str, Callable[[Path], FileFacts]] = {
    ".bvh": check_bvh,
    ".fbx": check_fbx,
    ".glb": check_gltf,
    ".gltf": check_gltf,
    ".vrm": check_gltf,
    ".vrma": check_gltf,
}


def check_file(path: Path) -> FileFacts:
    """What a sound file holds; a BrokenFileError with a sentence where it is none, or of a kind that is not read."""
    check = CHECKS.get(path.suffix.lower())
    if check is None:
        kinds = ", ".join(sorted(CHECKS))
        raise BrokenFileError(f"{path.name} is of no kind that is read ({kinds}). Convert it to one of them.")
    return check(path)
