"""`dev.py demo fall`, the part that runs in Blender: a person is shoved, staggers, falls and gets up, in pictures.

    python tools/demo_fall.py fall FOLDER

One walks on after two shoves, a light and a hard one; others are felled where they stand, one to each side, one onto a
block that props it, and a dog. FOLDER receives a .blend and film strips.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import film_strip

PACKAGE = "bl_ext.user_default.surefoot"
FPS, LAST = 24, 320
PICTURES, SIZE = 8, (220, 220)
LIGHT, HARD = 1.0, 4.5
STAGGER, FALL = 40, 100
Direction = tuple[float, float, float]


@dataclass(frozen=True)
class Fall:
    """Who is felled, which way, where it stands, and over what."""

    name: str
    push: Direction
    place: Direction
    preset: str = "PERSON"
    block: bool = False


FALLS = (
    Fall("back", (0.0, 1.0, 0.0), (6.0, 0.0, 0.0)),
    Fall("front", (0.0, -1.0, 0.0), (12.0, 0.0, 0.0)),
    Fall("left", (1.0, 0.0, 0.0), (18.0, 0.0, 0.0)),
    Fall("right", (-1.0, 0.0, 0.0), (24.0, 0.0, 0.0)),
    Fall("propped", (0.0, 1.0, 0.0), (30.0, 0.0, 0.0), block=True),
    Fall("dog", (1.0, 0.0, 0.0), (36.0, 0.0, 0.0), preset="DOG"),
)


def part(name: str) -> Any:
    """A module of the installed extension."""
    return import_module(f"{PACKAGE}.{name}")


def say(line: str) -> None:
    """A line that is seen at once, also beside what Blender prints itself."""
    print(line, flush=True)


def ground() -> bpy.types.Scene:
    """A scene with a wide floor."""
    bpy.ops.wm.read_homefile(use_factory_startup=False, use_empty=True)
    box("Floor", (20.0, -10.0, -0.5), (60.0, 60.0, 1.0))
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = 1, LAST
    return scene


def box(name: str, middle: Direction, size: Direction) -> None:
    """A box as a mesh."""
    x, y, z = (0.5 * length for length in size)
    corners = [(sx * x, sy * y, sz * z) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    solid = bpy.data.objects.new(name, mesh)
    solid.location = middle
    bpy.context.scene.collection.objects.link(solid)


def character(preset: str, place: Direction, speed: float) -> bpy.types.Object:
    """A character of ours that walks ahead, or stands at a speed of 0."""
    bpy.ops.surefoot.add_character(preset=preset, location=place)
    rig = bpy.context.view_layer.objects.active
    bpy.ops.surefoot.setup()
    rig.surefoot.speed = speed
    return rig


def states_of(rig: bpy.types.Object) -> list[tuple[str, str]]:
    """What physics or getting up had of a character at each frame, and how it lay."""
    ahead = part("addon.simulate")
    ahead.finished(ahead.simulate_steps(rig, LAST))
    cache, found = part("addon.performers").performers.get(rig.session_uid).cache, []
    for frame in range(1, LAST + 1):
        fall = cache.get(frame).memory.fall
        rise = None if fall is None else fall.rise
        found.append(("ANIMATED" if fall is None else fall.state, "" if rise is None else rise.lies))
    return found


def spans(states: list[str]) -> Iterator[tuple[str, int, int]]:
    """The states one after the other: name, first and last frame."""
    begin = 0
    for k in range(1, len(states) + 1):
        if k == len(states) or states[k] != states[begin]:
            yield states[begin], begin + 1, k
            begin = k


def told(name: str, seen: list[tuple[str, str]]) -> list[tuple[str, int, int]]:
    """Say what happened to one; its spans."""
    found = list(spans([state for state, _ in seen]))
    lies = next((way.lower() for _, way in seen if way), "never")
    course = ", ".join(f"{state.lower().replace('_', ' ')} {first} to {last}" for state, first, last in found)
    say(f"{name}: lies {lies}; {course}")
    return found


def strip(rig: bpy.types.Object, span: tuple[int, int], path: Path, rows: int = 2) -> None:
    """Pictures evenly over some frames."""
    frames = sorted({round(frame) for frame in np.linspace(*span, PICTURES * rows)})
    film_strip.film_strip(bpy.context.scene, rig, frames, path, SIZE, PICTURES, "THREE_QUARTER")
    say(f"  {path.name}: frames {span[0]} to {span[1]}")


def walker(folder: Path) -> list[str]:
    """Walks, is shoved, staggers, is shoved harder, falls, gets up, walks on; what of that is missing."""
    rig = character("PERSON", (0.0, 0.0, 0.0), 1.4)
    shove = part("addon.hits").shove
    shove(rig, (1.0, 0.0, 0.0), LIGHT, frame=STAGGER)
    shove(rig, (0.0, -1.0, 0.0), HARD, frame=FALL)
    found = told("walker", states_of(rig))
    end = last_of(found, "GETTING_UP") or LAST
    bpy.ops.surefoot.bake(frame_start=1, frame_end=LAST)
    strip(rig, (STAGGER - 4, STAGGER + 44), folder / "fall_1_stagger.png")
    strip(rig, (FALL - 4, FALL + 44), folder / "fall_2_falls.png")
    strip(rig, (last_of(found, "FALLEN") or FALL, min(LAST, end + 36)), folder / "fall_3_rises.png", rows=3)
    hide(rig)
    before = {state for state, first, _ in found if first < FALL}
    after = {state for state, first, _ in found if first >= FALL}
    lacks = {"ACTIVE"} - before | {"FALLEN", "GETTING_UP", "ANIMATED"} - after | before & {"FALLEN"}
    return [f"the walker is not as it should be: {', '.join(sorted(lacks))}"] if lacks else []


def felled(fall: Fall, folder: Path) -> list[str]:
    """One that stands and is felled; what is missing."""
    if fall.block:
        box("Block", (fall.place[0], fall.place[1] + 1.15, 0.25), (1.2, 0.5, 0.5))
    rig = character(fall.preset, fall.place, 0.0)
    rig.name = fall.name
    part("addon.hits").shove(rig, fall.push, HARD, frame=10)
    found = told(fall.name, states_of(rig))
    lies, stands = last_of(found, "FALLEN"), last_of(found, "GETTING_UP")
    bpy.ops.surefoot.bake(frame_start=1, frame_end=LAST)
    strip(rig, (8, lies or LAST), folder / f"fall_{fall.name}_falls.png", rows=1)
    strip(rig, (lies or 10, (stands or LAST - 6) + 6), folder / f"fall_{fall.name}_rises.png")
    hide(rig)
    return [f"{fall.name} does not {what}" for what, at in (("fall", lies), ("get up", stands)) if at is None]


def last_of(found: list[tuple[str, int, int]], state: str) -> int | None:
    """The last frame in a state; None where it never was."""
    return next((last for name, _, last in reversed(found) if name == state), None)


def hide(rig: bpy.types.Object) -> None:
    """Out of the others' pictures."""
    for child in rig.children:
        child.hide_render = True


def main() -> int:
    """The command line; the exit code."""
    if len(sys.argv) != 3 or sys.argv[1] != "fall":
        say("Usage: python tools/demo_fall.py fall FOLDER")
        return 2
    folder = Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if PACKAGE not in bpy.context.preferences.addons:
        say(f"{PACKAGE} is not enabled; install the zip first (dev.py demo does).")
        return 1
    ground()
    missing = walker(folder)
    for fall in FALLS:
        missing += felled(fall, folder)
    bpy.context.scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "fall.blend"), compress=True)
    if missing:
        raise SystemExit("; ".join(missing))
    return 0


if __name__ == "__main__":
    CODE: int | str | None = 1
    try:
        CODE = main()
    except SystemExit as end:
        say(str(end.code))
    sys.stdout.flush()
    os._exit(CODE if isinstance(CODE, int) else 1)
