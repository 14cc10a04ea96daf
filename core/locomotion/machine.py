"""The machine: which state has the body in a tick. States are asked in their order; without one the capsule walks."""

from __future__ import annotations

from ..control.bodied import move_bodied
from ..control.intent import Travel
from ..layers.request import NOTHING_ASKED, Request
from ..world.world import World
from .config import ParkourConfig
from .memory import StateMemory
from .registry import STATES
from .state import Step


def move_by_state(step: Step) -> Travel:
    """The body after one tick, by the state that has it."""
    memory = step.memory
    _pass_time(memory, step.dt)
    if memory.state in STATES:
        travel = None if step.intent.jumped else STATES[memory.state].goes(step)
        if travel is not None:
            return travel
    for state in STATES.values():
        if not step.intent.jumped and state.starts(step):
            travel = state.goes(step)
            if travel is not None:
                return travel
    return _walk(step)


def _walk(step: Step) -> Travel:
    """By the walking capsule."""
    memory = step.memory
    travel = move_bodied(
        step.travel, step.capsule, step.intent, step.control, step.movement, step.world, step.dt
    )
    crouched = step.capsule.height < step.movement.height(crouched=False)
    state = "AIRBORNE" if travel.aloft else "CROUCHED" if crouched else "GROUNDED"
    if memory.state != state:
        memory.begin(state)
    return travel


def _pass_time(memory: StateMemory, dt: float) -> None:
    memory.time += dt
    memory.no_grab = max(0.0, memory.no_grab - dt)
    memory.no_wall = max(0.0, memory.no_wall - dt)


def request_of(memory: StateMemory, travel: Travel, config: ParkourConfig, world: World) -> Request:
    """What the state asks of the pose at a frame."""
    if memory.state not in STATES:
        return NOTHING_ASKED
    return Request(move=STATES[memory.state].move(memory, travel, config, world))
