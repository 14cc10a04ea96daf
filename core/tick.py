"""One tick, on one page: sense, decide, move, plan. The pose follows once a frame, from what the tick left.

decide   the director says where to: an Intent                      control/directors
         by the buttons that an autopilot presses                   locomotion/autopilot
move     the body goes there over the ground: Travel                control/point, or control/bodied with a shape,
         or the state that it is in                                 locomotion/machine
plan     the clock, the footholds, the swings, the body over them   gait/gait
pose     once a frame: body, spine, arms, legs to their feet        gait/posing
report   what was out of reach stands in the pose's report          measure

A body that clings to walls and ceilings does the same in a frame of its own: on_surfaces. One that plays a clip plans
nothing: from_clip. One that follows another rig plans nothing either: from_rig.
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
from .from_clip import tick_from_clip
from .from_rig import tick_from_rig
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
    if memory.grip is not None:
        tick_clinging(character, memory, memory.grip, inputs, world, dt)
        return
    if character.clip is not None and memory.clip is not None:
        tick_from_clip(character, character.clip, memory, memory.clip, inputs, world, dt)
        return
    if character.follows is not None and memory.follow is not None:
        tick_from_rig(character, character.follows, memory, memory.follow, inputs, world, dt)
        return
    config, name, waits = character.control, character.config.director, ""
    if memory.pilot is not None and character.autopilot is not None:
        pad, waits = character.autopilot.press(
            memory.pilot, inputs, memory.travel, memory.capsule, memory.state, world, dt
        )
        inputs = replace(inputs, pad=pad)
    wanted = intent = decide(name, memory.director, inputs, memory.travel, config, dt)
    if memory.act is not None and character.activities is not None:
        intent = character.activities.acting.held(memory.act, intent, memory.travel)
    travel, stopped = _moved(character, memory, intent, inputs, world, dt)
    director = director_at(name, inputs)
    wait_for(memory.director, intent, travel, config)

    def predict(seconds: float) -> Place:
        if intent is not wanted:
            return travel.place
        place = director.predict(memory.director, inputs, travel, config, seconds)
        return place if memory.capsule is None else foreseen(memory.capsule, travel.place, place)

    character.gait.tick(memory.gait, travel, predict, world, dt, character.gait_at(inputs))
    if memory.act is not None and character.activities is not None:
        character.activities.acting.tick(memory.act, inputs.agent, wanted, travel, world, dt)
    if intent.event:
        memory.gait.events += ((intent.event, ""),)
    memory.travel = travel
    memory.reason = intent.reason or waits or stopped or ("" if travel.ground or travel.aloft else NO_GROUND)
    memory.ticks += 1


def _moved(
    character: Character, memory: Memory, intent: Intent, inputs: Inputs, world: World, dt: float
) -> tuple[Travel, str]:
    """The body after the tick, a point as told, one with a shape as far as the level lets it; and what stopped it."""
    movement, config = character.movement, character.control
    if memory.capsule is None or movement is None:
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
