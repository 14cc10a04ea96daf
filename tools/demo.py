"""`dev.py demo`, the part that runs in Blender: five characters cross hills, stairs and a ramp, are baked and measured.

    python tools/demo.py FOLDER

The extension is installed and enabled in the Blender user folder that BLENDER_USER_RESOURCES names. FOLDER receives
demo.blend, film_strip.png, one strip a character, and one motion report a character.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))

import demo_bodies
import film_strip
from demo_ground import Lane, add_lane, course_length, landmarks

PACKAGE = "bl_ext.user_default.surefoot"
FPS = 24
SECONDS = 9
GAP = 0.6


class StepError(Exception):
    """A step of the demo that did not give what it has to give; the text says what."""


@dataclass(frozen=True, slots=True)
class Walker:
    """One character of the demo: what it is, how high its hips are (metres), how fast it goes (metres a second)."""

    name: str
    hips: float
    speed: float
    add: Callable[[tuple[float, float, float]], bpy.types.Object]

    @property
    def scale(self) -> float:
        """Its size beside a person with hips 0.9 m up."""
        return self.hips / 0.9


def ours(preset: str) -> Callable[[tuple[float, float, float]], bpy.types.Object]:
    """Adds one of Surefoot's own characters."""

    def add(place: tuple[float, float, float]) -> bpy.types.Object:
        bpy.ops.surefoot.add_character(preset=preset, location=place)
        return bpy.context.view_layer.objects.active

    return add


def rigify(kind: str, body_file: str) -> Callable[[tuple[float, float, float]], bpy.types.Object]:
    """Generates a Rigify rig and gives it a body to be seen by."""

    def add(place: tuple[float, float, float]) -> bpy.types.Object:
        getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
        metarig = bpy.context.view_layer.objects.active
        with redirect_stdout(StringIO()):  # it tells of each of its own steps
            bpy.ops.pose.rigify_generate()
        rig = bpy.context.view_layer.objects.active
        if rig is metarig or "rig_id" not in rig.data:
            raise StepError(f"Rigify generated no rig from its {kind} metarig.")
        bpy.data.objects.remove(metarig)
        rig.location = place
        demo_bodies.dress(rig, body_file, PACKAGE)
        return rig

    return add


WALKERS = (
    Walker("Person", 0.92, 1.4, ours("PERSON")),
    Walker("Rigify human", 1.07, 1.5, rigify("basic_human", "rigify_human.toml")),
    Walker("Dog", 0.55, 1.2, ours("DOG")),
    Walker("Rigify wolf", 0.74, 1.3, rigify("wolf", "rigify_wolf.toml")),
    Walker("Spider", 0.27, 0.55, ours("SPIDER")),
)


class Progress:
    """Numbered lines on the terminal, with the time that each step took."""

    def __init__(self, total: int) -> None:
        self.total, self.number = total, 0
        self.begin = time.perf_counter()

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """Say what begins, and how long it took; what goes wrong in it is told with the step's name."""
        self.number += 1
        say(f"[{self.number:2}/{self.total}] {text} ...")
        start = time.perf_counter()
        try:
            yield
        except Exception as error:
            raise StepError(f"The demo stopped at step {self.number}, {text}: {error}") from error
        say(f"        {time.perf_counter() - start:.1f} s")


def say(line: str) -> None:
    """A line that is seen at once, also beside what Blender prints itself."""
    print(line, flush=True)


def demo(folder: Path) -> None:
    """All steps in order."""
    progress = Progress(total=4 + 3 * len(WALKERS))
    last = SECONDS * FPS
    with progress.step("Opening an empty scene and enabling Rigify"):
        scene = _empty_scene(last)
    rigs: dict[str, bpy.types.Object] = {}
    grounds: dict[str, bpy.types.Object] = {}
    x = 0.0
    for walker in WALKERS:
        with progress.step(f"{walker.name}: building it, its lane, and setting it up"):
            width = max(1.4, 2.4 * walker.scale)
            length = max(course_length(walker.scale), walker.speed * SECONDS) + 2.0
            x += width / 2
            grounds[walker.name] = add_lane(scene, Lane(walker.name, x, width, walker.scale, length))
            rigs[walker.name] = _set_up(walker, (x, 0.0, 0.0))
            x += width / 2 + GAP
    for walker in WALKERS:
        with progress.step(f"{walker.name}: baking {last} frames"):
            _bake(rigs[walker.name], last)
    reports = {}
    for walker in WALKERS:
        with progress.step(f"{walker.name}: measuring"):
            reports[walker.name] = _report(rigs[walker.name], folder / f"{_file(walker)}.json", last)
    with progress.step("Saving demo.blend"):
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "demo.blend"), compress=True)
    with progress.step("Film strips: each on the flat, on hills, on stairs and on the ramp"):
        _pictures(scene, rigs, grounds, folder, last)
    with progress.step("The motion report"):
        say(table(reports))
    say(f"Done in {time.perf_counter() - progress.begin:.0f} s.")


def _empty_scene(last: int) -> bpy.types.Scene:
    bpy.ops.wm.read_homefile(use_factory_startup=False, use_empty=True)
    if PACKAGE not in bpy.context.preferences.addons:
        raise StepError(f"{PACKAGE} is not enabled; install the zip first (dev.py demo does).")
    bpy.ops.preferences.addon_enable(module="rigify")
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = 1, last
    return scene


def _set_up(walker: Walker, place: tuple[float, float, float]) -> bpy.types.Object:
    rig = walker.add(place)
    rig.name = walker.name
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.setup()
    rig.surefoot.director = "AHEAD"
    rig.surefoot.speed = walker.speed
    return rig


def _bake(rig: bpy.types.Object, last: int) -> None:
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.bake(frame_start=1, frame_end=last)
    if rig.animation_data is None or rig.animation_data.action is None:
        raise StepError(f"{rig.name} has no Action after the bake.")


def _report(rig: bpy.types.Object, path: Path, last: int) -> dict[str, Any]:
    bpy.context.view_layer.objects.active = rig
    bpy.ops.surefoot.report(filepath=str(path), frame_start=1, frame_end=last)
    return json.loads(path.read_text(encoding="utf-8"))


def _pictures(
    scene: bpy.types.Scene,
    rigs: dict[str, bpy.types.Object],
    grounds: dict[str, bpy.types.Object],
    folder: Path,
    last: int,
) -> None:
    """One row a character, alone on its lane; the rows together are film_strip.png."""
    rows = []
    for walker in WALKERS:
        for name, rig in rigs.items():
            for item in (*rig.children, grounds[name]):
                item.hide_render = name != walker.name
        frames = [min(last, round(FPS * (way / walker.speed + 0.3))) for way in landmarks(walker.scale)]
        path = folder / f"{_file(walker)}.png"
        film_strip.film_strip(scene, rigs[walker.name], frames, path, (300, 220), len(frames), "SIDE")
        rows.append(film_strip.read_picture(str(path)))
    film_strip.write_picture(film_strip.joined(rows, 1), folder / "film_strip.png")


def _file(walker: Walker) -> str:
    return walker.name.lower().replace(" ", "_")


def table(reports: dict[str, dict[str, Any]]) -> str:
    """The motion reports, a line a foot: what slides, sinks, hovers and pops."""
    columns = ("foot", "contacts", "slide mm", "below mm", "above mm", "duty", "steps/min", "pop deg")
    lines = [f"{'':14}{columns[0]:>18}" + "".join(f"{column:>10}" for column in columns[1:])]
    for name, report in reports.items():
        for i, (role, foot) in enumerate(report["feet"].items()):
            spans = foot["contacts"]
            below = max((span["below_m"] or 0.0 for span in spans), default=0.0)
            above = max((span["above_m"] or 0.0 for span in spans), default=0.0)
            pop = foot["pop_deg"] or 0.0
            lines.append(
                f"{'' if i else name:14}{role:>18}{len(spans):10}{1000 * foot['slide_max_m']:10.2f}{1000 * below:10.1f}"
                f"{1000 * above:10.1f}{foot['duty_factor']:10.2f}{foot['cadence_spm']:10.0f}{pop:10.1f}"
            )
    return "\n".join(lines)


def main() -> int:
    """The command line; the exit code."""
    if len(sys.argv) != 2:
        say("Usage: python tools/demo.py FOLDER")
        return 2
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        demo(folder)
    except StepError as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    CODE = main()
    sys.stdout.flush()
    os._exit(CODE)  # the 4.5 wheel hangs at exit while an add-on is enabled
