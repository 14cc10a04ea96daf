"""What a state is: it says whether it may start and whether it goes on, and moves the body while it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..control.capsule_memory import CapsuleMemory
from ..control.config import ControlConfig
from ..control.intent import Intent, Travel
from ..control.movement import MovementConfig
from ..layers.request import Move
from ..world.world import World
from .config import ParkourConfig
from .memory import StateMemory, StateName


@dataclass(frozen=True, slots=True)
class Step:
    """All that a state sees in a tick. `travel` is the body before it; `capsule` and `memory` are changed in place.

    Everything is sized for the body already: `movement` and `config` hold metres of this character.
    """

    intent: Intent
    travel: Travel
    capsule: CapsuleMemory
    memory: StateMemory
    control: ControlConfig
    movement: MovementConfig
    config: ParkourConfig
    world: World
    dt: float


class State(Protocol):
    """One state. Immutable and without numbers of its own: those are in the Config, what changes in the memory."""

    name: StateName

    def starts(self, step: Step) -> bool:
        """May it start? If so the memory is entered (`memory.begin`) and holds its checked way. It moves nothing."""

    def goes(self, step: Step) -> Travel | None:
        """Does it go on? One tick of the body, or None: the walking capsule has it again, as this state left it."""

    def move(self, memory: StateMemory, travel: Travel, config: ParkourConfig, world: World) -> Move:
        """What the pose is to show at this moment, with what hands and feet touch."""
