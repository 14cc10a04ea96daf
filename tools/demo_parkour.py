"""`dev.py demo lane` and `dev.py demo tricks`, the part that runs in Blender: a person on a course, in pictures.

    python tools/demo_parkour.py lane|tricks FOLDER

The lane is run by the autopilot, which is only told where to go; the tricks are played with keys. FOLDER receives a
.blend and a film strip of each move.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import film_strip

PACKAGE = "bl_ext.user_default.surefoot"
FPS, WALKING = 24, frozenset({"GROUNDED", "AIRBORNE", "CROUCHED"})
PICTURES, ROWS, SIZE = 8, 2, (220, 260)
LEDGE = (0.0, -29.0, 2.1)
LAST = 300


def part(name: str) -> Any:
    """A module of the installed extension."""
    return import_module(f"{PACKAGE}.{name}")


def say(line: str) -> None:
    """A line that is seen at once, also beside what Blender prints itself."""
    print(line, flush=True)


def scene_with(course: str) -> bpy.types.Scene:
    """A scene with nothing but a course and some light."""
    bpy.ops.wm.read_homefile(use_factory_startup=False, use_empty=True)
    bpy.ops.surefoot.add_course(course=course)
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = 1, LAST
    return scene


def person(place: tuple[float, float, float], speed: float) -> bpy.types.Object:
    """A person with a shape that reads the level."""
    bpy.ops.surefoot.add_character(preset="PERSON", location=place)
    rig = bpy.context.view_layer.objects.active
    bpy.ops.surefoot.setup()
    settings = rig.surefoot
    settings.body, settings.parkour, settings.speed = "CAPSULE", True, speed
    return rig


def memory_of(rig: bpy.types.Object, frame: int) -> Any:
    """What a character remembers at a frame that was shown."""
    return part("addon.performers").performers.get(rig.session_uid).cache.get(frame).memory


def states_of(rig: bpy.types.Object, frames: range) -> list[str]:
    """The state at each of these frames; each is shown for it."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append(memory_of(rig, frame).state.state)
    return found


def moves_in(states: list[str]) -> Iterator[tuple[str, int, int]]:
    """The moves of a run: name, first and last number."""
    begin = 0
    for k in range(1, len(states) + 1):
        if k == len(states) or states[k] != states[begin]:
            if states[begin] not in WALKING:
                yield states[begin], begin, k - 1
            begin = k


def strip(rig: bpy.types.Object, first: int, last: int, path: Path, view: film_strip.View = "SIDE") -> None:
    """Pictures evenly from a little before a move to a little behind it."""
    frames = np.linspace(max(1, first - 3), last + 4, PICTURES * ROWS)
    film_strip.film_strip(
        bpy.context.scene, rig, sorted({round(frame) for frame in frames}), path, SIZE, PICTURES, view
    )
    say(f"  {path.name}: frames {first} to {last}")


def lane(folder: Path) -> None:
    """Over the lane by the autopilot."""
    scene = scene_with("LANE")
    goal = bpy.data.objects.new("Goal", None)
    goal.location = LEDGE
    scene.collection.objects.link(goal)
    rig = person((0.0, 0.0, 0.0), 3.0)
    rig.surefoot.director, rig.surefoot.target = "AUTOPILOT", goal
    rig.surefoot.preview = True
    states = states_of(rig, range(1, LAST + 1))
    found = list(moves_in(states))
    off = (rig.matrix_world.translation - goal.location).length
    say(f"The lane: {', '.join(name.lower() for name, _, _ in found)}; {100.0 * off:.1f} cm from the goal at the end.")
    bpy.ops.surefoot.bake(frame_start=1, frame_end=LAST)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "lane.blend"), compress=True)
    for number, (name, first, last) in enumerate(found, 1):
        strip(rig, first + 1, last + 1, folder / f"lane_{number}_{name.lower()}.png")


Press = Callable[[Any, int], Any]
"""What is pressed, by the memory and the number of frames that its state has lasted."""


@dataclass(frozen=True)
class Trick:
    """A take: where it begins, how fast, how long, what is pressed, and which states must come in it."""

    name: str
    start: tuple[float, float, float]
    speed: float
    frames: int
    press: Callable[[], Press]
    shows: tuple[str, ...]
    view: film_strip.View = "SIDE"


def pad(x: float = 0.0, y: float = 0.0, **pressed: bool) -> Any:
    """A direction and what is pressed."""
    return part("core.control.intent").Pad(x, y, **pressed)


def along_a_wall() -> Press:
    """A run, a jump beside the wall, a run on it, and a jump off."""

    def press(memory: Any, lasted: int) -> Any:
        running = memory.state.state == "WALL_RUNNING"
        jump = memory.travel.place.y < -3.6 and memory.state.state == "GROUNDED" and memory.travel.place.y > -5.0
        return pad(0.0, -1.0, sprint=True, jump=jump, go_up=running and lasted > 15)

    return press


def from_pillar_to_pillar() -> Press:
    """A jump at the first one, leaps to the left to the last, and up."""
    leaps = [0]

    def press(memory: Any, lasted: int) -> Any:
        state = memory.state.state
        if state == "HANGING" and memory.state.step == "" and lasted > 8:
            if leaps[0] < 3:
                leaps[0] += 1
                return pad(1.0, 0.0, go_up=True)
            return pad(0.0, -1.0, go_up=lasted % 4 == 0)
        if state == "GROUNDED" and memory.travel.place.z < 1.0:
            return pad(0.0, -1.0, jump=memory.travel.place.y < -6.6)
        return pad(0.0, -1.0) if state == "AIRBORNE" else pad()

    return press


def under_a_beam() -> Press:
    """A jump at the thin wall, and a leap up to the beam."""

    def press(memory: Any, lasted: int) -> Any:
        state = memory.state.state
        if state == "HANGING":
            return pad(0.0, -1.0, go_up=memory.state.step == "" and lasted > 8 and lasted % 4 == 0)
        if state == "GROUNDED" and memory.travel.place.z < 1.0:
            return pad(0.0, -1.0, jump=memory.travel.place.y < -6.6)
        return pad(0.0, -1.0) if state == "AIRBORNE" else pad()

    return press


def around_corners() -> Press:
    """A jump at a wing, along it to the left, around its corner, and around the one inside."""

    def press(memory: Any, lasted: int) -> Any:
        state = memory.state.state
        if state == "HANGING":
            return pad(1.0, 0.0) if lasted > 6 else pad()
        if state == "GROUNDED" and memory.travel.place.z < 1.0:
            return pad(0.0, -1.0, jump=memory.travel.place.y < -6.6)
        return pad(0.0, -1.0) if state == "AIRBORNE" else pad()

    return press


TRICKS = (
    Trick("wall_run", (-8.3, 2.0, 0.0), 3.0, 80, along_a_wall, ("WALL_RUNNING", "JUMPING_OFF")),
    Trick("leaps", (-3.7, -5.0, 0.0), 3.0, 150, from_pillar_to_pillar, ("HANGING", "LEAPING", "CLIMBING")),
    Trick("leap_up", (7.0, -5.0, 0.0), 3.0, 70, under_a_beam, ("HANGING", "LEAPING")),
    Trick("corners", (11.6, -5.0, 0.0), 3.0, 125, around_corners, ("HANGING",), "THREE_QUARTER"),
)


def tricks(folder: Path) -> None:
    """All tricks, each a take of its own person."""
    scene = scene_with("TRICKS")
    missing = []
    for trick in TRICKS:
        rig = person(trick.start, trick.speed)
        rig.name = trick.name
        seen = played(rig, trick)
        lacks = [name for name in trick.shows if name not in seen]
        missing += [f"{trick.name} has no {name.lower()}" for name in lacks]
        moves = list(moves_in(seen))
        say(f"{trick.name}: {', '.join(name.lower() for name, _, _ in moves)}")
        bpy.ops.surefoot.bake(frame_start=1, frame_end=trick.frames)
        if moves:
            strip(rig, moves[0][1] + 1, moves[-1][2] + 1, folder / f"tricks_{trick.name}.png", trick.view)
        for child in rig.children:
            child.hide_render = True
    scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "tricks.blend"), compress=True)
    if missing:
        raise SystemExit("; ".join(missing))


def played(rig: bpy.types.Object, trick: Trick) -> list[str]:
    """A take of a trick, and its states."""
    driving = part("addon.drive")
    bpy.context.scene.frame_set(1)
    driving.prepare(rig, bpy.context.scene)
    bpy.context.scene.frame_set(1)
    take, press = driving.Take(rig), trick.press()
    states, lasted = [memory_of(rig, 1).state.state], 0
    for _ in range(trick.frames):
        memory = memory_of(rig, take.frame)
        lasted = lasted + 1 if len(states) > 1 and states[-1] == states[-2] else 0
        take.step(press(memory, lasted))
        states.append(memory_of(rig, take.frame).state.state)
    take.finish()
    return states


def main() -> int:
    """The command line; the exit code."""
    jobs = {"lane": lane, "tricks": tricks}
    if len(sys.argv) != 3 or sys.argv[1] not in jobs:
        say("Usage: python tools/demo_parkour.py lane|tricks FOLDER")
        return 2
    folder = Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if PACKAGE not in bpy.context.preferences.addons:
        say(f"{PACKAGE} is not enabled; install the zip first (dev.py demo does).")
        return 1
    jobs[sys.argv[1]](folder)
    return 0


if __name__ == "__main__":
    CODE: int | str | None = 1
    try:
        CODE = main()
    except SystemExit as end:
        say(str(end.code))
    sys.stdout.flush()
    os._exit(CODE if isinstance(CODE, int) else 1)
