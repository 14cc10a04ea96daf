"""Pictures of all gaits: for each character one row a gait, one stride in eight small pictures, as docs/gaits/NAME.png.

Runs in a Blender wheel from the root of a checkout (all characters, or those that are named):

    python tools/gallery.py [PERSON HORSE ...]
"""

# ruff: noqa: E402, PLC0415 - the extension can be imported only after it was put in place.

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import bpy
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

import film_strip
import pictures

PICTURES, SIZE, FPS = 8, (150, 130), 60
# Gait and Froude number of each row, slow ones first.
ROWS: dict[str, tuple[tuple[str, float], ...]] = {
    "PERSON": (
        ("WALK", 0.22), ("RUN", 1.2), ("SPRINT", 6.0), ("SNEAK", 0.06), ("MARCH", 0.22), ("LIMP", 0.08),
    ),
    "DOG": (
        ("WALK", 0.15), ("TROT", 0.8), ("PACE", 0.8), ("CANTER", 3.0), ("GALLOP", 6.0), ("BOUND", 4.0), ("PRONK", 1.5),
    ),
    "HORSE": (("WALK", 0.2), ("TROT", 0.8), ("CANTER", 3.0), ("GALLOP", 6.0)),
    "BIRD": (("WALK", 0.15), ("RUN", 1.0)),
    "BEETLE": (("WAVE", 0.07), ("TRIPOD", 0.3)),
    "SPIDER": (("WAVE", 0.07), ("TRIPOD", 0.3)),
}  # fmt: skip


def picture_of(name: str, out: Path) -> None:
    """One row a gait of a character, walked on level ground and baked."""
    rows = []
    for gait, froude in ROWS[name]:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        rows.append(_row(name, gait, froude))
    film_strip.write_picture(film_strip.joined(rows, 1), out)


def _row(name: str, gait: str, froude: float) -> np.ndarray:
    from support.stage import add_ground
    from surefoot.addon.add_character import add_character
    from surefoot.addon.bake import BakeOptions, bake
    from surefoot.addon.performers import performers
    from surefoot.addon.setup import setup
    from surefoot.core.gait.patterns import speed_at

    scene = bpy.context.scene
    scene.render.fps = FPS
    add_ground(400.0)
    rig = add_character(bpy.context, name, (0.0, 0.0, 0.0))
    setup(rig, scene)
    settings = rig.surefoot
    leg = performers.get(rig.session_uid).character.rig.leg_length
    settings.gait, settings.speed, settings.variation = gait, speed_at(froude, leg), 0.0
    settings.preview = True
    last = 5 * FPS
    bake(rig, BakeOptions(1, last))
    cycle = round(_cycle(rig, last))
    frames = [last - cycle + round(cycle * k / PICTURES) for k in range(PICTURES)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "row.png"
        film_strip.film_strip(scene, rig, frames, path, SIZE, PICTURES, "SIDE")
        return film_strip.read_picture(str(path))


def _cycle(rig: bpy.types.Object, last: int) -> float:
    """Frames from one landing of the first foot to the next, near the end of what was baked."""
    from surefoot.addon.bake_record import read_record

    spans = next(iter(read_record(rig.animation_data.action).contacts.values())).foot
    starts = [span.start for span in spans if span.start > 0.4 * last]
    return (starts[-1] - starts[0]) / (len(starts) - 1)


if __name__ == "__main__":
    pictures.draw(ROWS, ROOT / "docs" / "gaits", picture_of)
