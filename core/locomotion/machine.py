"""The machine: which state has the body in a tick. States are asked in their order; without one the capsule walks."""

from __future__ import annotations

from ..control.intent import Travel
from ..layers.request import NOTHING_ASKED, Request
from ..world.world import World
from .config import ParkourConfig
from .handing import walked
from .memory import StateMemory
from .reaching import reaches
from .registry import STATES
from .state import Step


def move_by_state(step: Step) -> Travel:
    """The body after one tick, by the state that has it."""
    memory, dt = step.memory, step.dt
    memory.time += dt
    memory.no_grab = max(0.0, memory.no_grab - dt)
    memory.no_wall = max(0.0, memory.no_wall - dt)
    if step.intent.jumped:
        memory.begin("GROUNDED")
        return walked(step)
    if memory.state in STATES:
        travel = STATES[memory.state].goes(step)
        if travel is not None:
            return travel
    # Until another state starts or the capsule walks, the memory tells what it comes from.
    for state in STATES.values():
        if state.starts(step):
            memory.time = dt
            travel = state.goes(step)
            if travel is not None:
                return travel
    _tell(step)
    return walked(step)


def _tell(step: Step) -> None:
    """Why a press became a jump and nothing else."""
    if step.intent.go_up:
        step.memory.reason = next((seen.reason for seen in step.looks.values() if seen.reason), "")


def is_led(memory: StateMemory) -> bool:
    """True while a state has the body, and not the walking capsule."""
    return memory.state in STATES


def request_of(memory: StateMemory, travel: Travel, config: ParkourConfig, world: World) -> Request:
    """What the state asks of the pose at a frame."""
    if memory.state not in STATES:
        reach = reaches(memory, travel, config, world)
        return NOTHING_ASKED if reach is None else Request(move=reach)
    return Request(move=STATES[memory.state].move(memory, travel, config, world))
