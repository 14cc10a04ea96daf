"""One tick, on one page: sense, decide, move, plan. The pose follows once a frame, from what the tick left.

decide   the director says where to: an Intent                      control/directors
         by the buttons that an autopilot presses                   locomotion/autopilot
move     the body goes there over the ground: Travel                control/point, or control/bodied with a shape,
         or the state that it is in                                 locomotion/machine
plan     the clock, the footholds, the swings, the body over them   gait/gait
pose     once a frame: body, spine, arms, legs to their feet        gait/posing
report   what was out of reach stands in the pose's report          measure

A body that clings to walls and ceilings does the same in a frame of its own: on_surfaces. One that plays a clip plans
nothing: from_clip. One that follows another rig plans nothing either: from_rig. What is hit, staggers and falls does so
in falling, and goes on here as that lets it.
"""

from __future__ import annotations

from dataclasses import replace
from math import floor, hypot
from typing import TYPE_CHECKING

from .control.bodied import added_to, foreseen, move_bodied
from .control.directors import decide, director_at, go_on_from, wait_for
from .control.intent import Inputs, Intent, Place, Travel
from .control.point import move
from .control.sound_inputs import sound
from .falling import tick_falling
from .falling_course import Course
from .from_clip import tick_from_clip
from .from_rig import tick_from_rig
from .gait.memory import GaitMemory
from .locomotion.machine import is_led, move_by_state
from .locomotion.state import Step
from .on_surfaces import tick_clinging
from .world.world import World

if TYPE_CHECKING:
    from .character import Character, Memory

IN_THE_WAY = "Something is in the way."
# Of its wish a body that gets no further than this share is stopped.
STOPPED = 0.02
NO_GROUND = "There is no ground below: it walks on at the height it had. Put a mesh there, or see which are chosen."


def ticks_per_frame(fps: float) -> int:
    """Equal ticks in a frame: about 60 a second, whole, at least one, so that frames are never between ticks."""
    if fps <= 0.0:
        raise ValueError(f"A scene of {fps} frames a second has no ticks.")
    return max(1, floor(60.0 / fps + 0.45))


def tick(character: Character, memory: Memory, inputs: Inputs, world: World, dt: float) -> None:
    """Advance `memory` by `dt` seconds. `inputs` and `world` are what holds at the end of the tick."""
    inputs = sound(inputs)
    if inputs.fall is not None or inputs.hits or memory.fall is not None:
        tick_falling(character, memory, inputs, world, dt, tick_of_its_own)
        return
    tick_of_its_own(character, memory, inputs, world, dt)


def tick_of_its_own(
    character: Character, memory: Memory, inputs: Inputs, world: World, dt: float, course: Course | None = None
) -> None:
    """A tick of its own motion, on the course of a body that was hit, if it was."""
    if memory.grip is not None:
        tick_clinging(character, memory, memory.grip, inputs, world, dt)
        return
    if character.clip is not None and memory.clip is not None:
        tick_from_clip(character, character.clip, memory, memory.clip, inputs, world, dt, course)
        return
    if character.follows is not None and memory.follow is not None:
        tick_from_rig(character, character.follows, memory, memory.follow, inputs, world, dt, course)
        return
    _walk(character, memory, inputs, world, dt, course)


def _walk(character: Character, memory: Memory, inputs: Inputs, world: World, dt: float, course: Course | None) -> None:
    """A tick of a body that a gait moves."""
    config, name = character.control, character.config.director
    inputs, waits = _piloted(character, memory, inputs, world, dt)
    here = memory.travel if course is None else course.seen(memory.travel)
    wanted = intent = decide(name, memory.director, inputs, here, config, dt)
    if memory.act is not None and character.activities is not None:
        intent = character.activities.acting.held(memory.act, intent, memory.travel)
    held = intent is not wanted
    if course is not None:
        intent = course.bend(intent, dt)
    travel, stopped = _moved(character, memory, intent, inputs, world, dt, course)
    director = director_at(name, inputs)
    wait_for(memory.director, intent, travel, config)

    def directed(body: Travel, seconds: float) -> Place:
        return director.predict(memory.director, inputs, body, config, seconds)

    def predict(seconds: float) -> Place:
        if held and course is None:
            return travel.place
        place = directed(travel, seconds) if course is None else course.foreseen(travel, seconds, directed)
        if memory.capsule is None or (course is not None and course.physical):
            return place
        return foreseen(memory.capsule, travel.place, place)

    gait = character.gait_at(inputs)
    if course is not None and isinstance(memory.gait, GaitMemory):
        gait = course.steps(character.gait, memory.gait, gait)
    character.gait.tick(memory.gait, travel, predict, world, dt, gait)
    if memory.act is not None and character.activities is not None:
        character.activities.acting.tick(memory.act, inputs.agent, wanted, travel, world, dt)
    if intent.event:
        memory.gait.events += ((intent.event, ""),)
    memory.travel = travel
    memory.reason = intent.reason or waits or stopped or ("" if travel.ground or travel.aloft else NO_GROUND)
    memory.ticks += 1


def _piloted(character: Character, memory: Memory, inputs: Inputs, world: World, dt: float) -> tuple[Inputs, str]:
    """The inputs with what an autopilot presses, and what it waits for."""
    if memory.pilot is None or character.autopilot is None:
        return inputs, ""
    pad, waits = character.autopilot.press(memory.pilot, inputs, memory.travel, memory.capsule, memory.state, world, dt)
    return replace(inputs, pad=pad), waits


def _moved(
    character: Character, memory: Memory, intent: Intent, inputs: Inputs, world: World, dt: float,
    course: Course | None,
) -> tuple[Travel, str]:  # fmt: skip
    """The body after the tick, a point as told, one with a shape as far as the level lets it; and what stopped it."""
    movement, config = character.movement, character.control
    if memory.capsule is None or movement is None or (course is not None and course.physical):
        return move(memory.travel, intent, config, world, dt), ""
    added = added_to(memory.capsule, inputs)
    if memory.state is not None and character.parkour is not None:
        parkour = character.parkour
        step = Step(intent, memory.travel, memory.capsule, memory.state, config, movement, parkour, world, dt, added)
        was_led = is_led(memory.state)
        travel = move_by_state(step)
        if is_led(memory.state):
            return travel, ""
        if was_led:
            go_on_from(memory.director, travel)
    else:
        travel = move_bodied(memory.travel, memory.capsule, intent, config, movement, world, dt, added)
    stopped = not travel.aloft and hypot(*travel.velocity) < STOPPED * hypot(*intent.velocity)
    return travel, IN_THE_WAY if stopped else ""
