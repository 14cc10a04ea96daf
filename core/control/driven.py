"""The director that is driven: what a person presses, or what was pressed and is keyed."""

from __future__ import annotations

from math import hypot

from ..space.angles import facing, heading_of
from .config import ControlConfig
from .intent import Inputs, Intent, Travel
from .steering import SteeringMemory, steer

LEAST = 1e-3
"""A wish that is shorter than this share of the speed is none."""


def drive(memory: SteeringMemory, inputs: Inputs, travel: Travel, config: ControlConfig, dt: float) -> Intent:
    """The intent of one tick. A jump is asked for on the press, not while it is held."""
    pad, settings = inputs.pad, config.steering
    share = min(1.0, hypot(pad.x, pad.y))
    wished = heading_of(pad.x, pad.y) if share > LEAST else None
    sprints = pad.sprint and not pad.crouch
    speed = inputs.speed * share
    speed *= settings.sprint_factor if sprints else settings.crouch_factor if pad.crouch else 1.0
    steer(memory, wished, speed, settings, dt, sprints=sprints)
    pressed, memory.pressed = pad.jump and not memory.pressed, pad.jump
    goes_up, memory.going_up = pad.go_up and not memory.going_up, pad.go_up
    if travel.aloft and wished is not None:
        # There is no course in the air: a wish corrects the flight, whatever the last steps were heading for.
        memory.course = wished
    x, y = facing(memory.course)
    ax, ay = facing(memory.course if wished is None else wished)
    return Intent(
        (x * memory.speed, y * memory.speed),
        travel.place.heading if wished is None else wished,
        jump=pressed,
        crouch=pad.crouch,
        turn_rate=settings.facing_rate,
        at_once=True,
        go_up=goes_up,
        go_up_held=pad.go_up,
        sprint=sprints,
        aim=None if wished is None else (ax * memory.speed, ay * memory.speed),
        wish=(pad.x, pad.y) if wished is not None else (0.0, 0.0),
    )
