"""One tick, on one page: sense, decide, move, plan. The pose follows once a frame, from what the tick left.

decide   the director says where to: an Intent                      control/directors
move     the body goes there over the ground: Travel                control/point (senses slope and support)
plan     the clock, the footholds, the swings, the body over them   gait/gait
pose     once a frame: body, spine, arms, legs to their feet        gait/posing
report   what was out of reach stands in the pose's report          measure

A body that clings to walls and ceilings does the same in a frame of its own: on_surfaces. One that plays a clip plans
nothing: from_clip. One that follows another rig plans nothing either: from_rig.
"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from .control.directors import DIRECTORS, decide
from .control.intent import Inputs, Place
from .control.point import move
from .from_clip import tick_from_clip
from .from_rig import tick_from_rig
from .on_surfaces import tick_clinging
from .world.world import World

if TYPE_CHECKING:
    from .character import Character, Memory

NO_GROUND = "There is no ground below: it walks on at the height it had. Put a mesh there, or see which are chosen."


def ticks_per_frame(fps: float) -> int:
    """Equal ticks in a frame: about 60 a second, whole, at least one, so that frames are never between ticks."""
    if fps <= 0.0:
        raise ValueError(f"A scene of {fps} frames a second has no ticks.")
    return max(1, floor(60.0 / fps + 0.45))


def tick(character: Character, memory: Memory, inputs: Inputs, world: World, dt: float) -> None:
    """Advance `memory` by `dt` seconds. `inputs` and `world` are what holds at the end of the tick."""
    if memory.grip is not None:
        tick_clinging(character, memory, memory.grip, inputs, world, dt)
        return
    if character.clip is not None and memory.clip is not None:
        tick_from_clip(character, character.clip, memory, memory.clip, inputs, world, dt)
        return
    if character.follows is not None and memory.follow is not None:
        tick_from_rig(character, character.follows, memory, memory.follow, inputs, world, dt)
        return
    config, name = character.control, character.config.director
    intent = decide(name, memory.director, inputs, memory.travel, config, dt)
    travel = move(memory.travel, intent, config, world, dt)
    director = DIRECTORS[name]

    def predict(seconds: float) -> Place:
        return director.predict(memory.director, inputs, travel, config, seconds)

    character.gait.tick(memory.gait, travel, predict, world, dt, character.gait_at(inputs))
    if intent.event:
        memory.gait.events += ((intent.event, ""),)
    memory.travel = travel
    memory.reason = intent.reason or ("" if travel.ground else NO_GROUND)
    memory.ticks += 1
