"""A folder of captures in batch: our part against the time that Blender's importers take for the same files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter

import bpy
from support.real_rigs import SHARED_DATA
from support.stage import add_person
from support.walk_files import walk_bvh

FILES = 12
FOLDER = SHARED_DATA / "mocap_cmu"


def bench_batch() -> dict[str, float]:
    """Our part (checks, reading, retarget, feet, keys, removal) at most half of what the importers take."""
    from surefoot.addon.retarget_batch import retarget_folder
    from surefoot.addon.setup import remove

    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    rig = add_person()
    remove(rig)
    with tempfile.TemporaryDirectory() as made:
        folder = FOLDER if FOLDER.is_dir() else _generated(Path(made))
        importing = _importing()
        began = perf_counter()
        result = retarget_folder(folder, rig)
        whole = perf_counter() - began
        importers = importing()
    return {
        "batch, motions": float(len(result.done)),
        "batch, importers, ms a motion": 1000.0 * importers / max(1, len(result.done)),
        "batch, ours, ms a motion": 1000.0 * (whole - importers) / max(1, len(result.done)),
        "batch, ours / importers (at most 0.5)": (whole - importers) / importers,
    }


def _importing():
    """Counts the seconds within Blender's importers from now on; called, it gives them and ends."""
    import surefoot.addon.motion_files as files

    run, spent = files._run, []

    def timed(path, importer):
        began = perf_counter()
        try:
            run(path, importer)
        finally:
            spent.append(perf_counter() - began)

    files._run = timed

    def seconds() -> float:
        files._run = run
        return sum(spent)

    return seconds


def _generated(folder: Path) -> Path:
    for i in range(FILES):
        walk_bvh(folder / f"walk_{i:02d}.bvh", frames=300, first=5 * i)
    return folder
