"""Off a wall: back from a hang, or to the side from a wall run. The capsule flies, the body turns to where it goes.

It gives way to any other state that starts: the next wall, the next edge.
"""

from __future__ import annotations

from ..control.bodied import move_bodied
from ..control.intent import Travel
from ..layers.request import Move
from ..space.angles import turn_between, wrapped
from ..space.curves import smoothstep
from ..space.rigid import Triple
from ..world.world import World
from .config import ParkourConfig
from .holding import released
from .memory import StateMemory, StateName
from .state import Step


class JumpOff:
    """JUMPING_OFF: `phase` is how much of the turn is done, `step` the move's name until the others are asked."""

    name: StateName = "JUMPING_OFF"

    def starts(self, step: Step) -> bool:
        """It goes on where no other state has started in this tick."""
        return step.memory.state == self.name and step.memory.held

    def goes(self, step: Step) -> Travel | None:
        """One tick of flight, after all the others were asked; until the turn is done or it lands."""
        memory = step.memory
        if not memory.held:
            memory.held = memory.phase < 1.0
            return None
        memory.held = False
        return fly(step)

    def move(self, memory: StateMemory, _travel: Travel, _config: ParkourConfig, _world: World) -> Move:
        """As much of it as is turned."""
        variant = "" if memory.step == "JUMP_BACK" else "LEFT" if memory.side > 0.0 else "RIGHT"
        return Move(memory.step, memory.phase, variant, 0.0, memory.speed)


def jump_off(step: Step, velocity: Triple, heading: float, lasts: float, name: str) -> Travel:
    """Leave a wall with a velocity, turning to a heading in a time; the tick's part of it at once."""
    memory = step.memory
    side, start = memory.side, step.travel.place.heading
    released(step, velocity)
    memory.begin("JUMPING_OFF", lasts)
    turn = turn_between(start, heading)
    memory.way = ((start, start + turn, 0.0),)
    memory.step, memory.side, memory.heading, memory.held = name, side, start, False
    memory.speed = step.capsule.take_off
    return fly(step)


def fly(step: Step) -> Travel:
    """One tick by the capsule, with the heading of the turn."""
    memory = step.memory
    memory.phase = min(1.0, memory.phase + step.dt / memory.lasts)
    travel = move_bodied(
        step.travel,
        step.capsule,
        step.intent._replace(jump=False),
        step.control,
        step.movement,
        step.world,
        step.dt,
        step.added,
    )
    start, goal, _ = memory.way[0]
    travel.place = travel.place._replace(heading=wrapped(start + (goal - start) * smoothstep(memory.phase)))
    if not travel.aloft:
        memory.begin("GROUNDED")
    return travel
