"""Over the shoulder after a heavy landing: what would stop the run becomes a turn that keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING

from ..control.intent import Travel
from ..layers.request import Move
from ..space.settings import setting
from ..world.world import World
from .memory import StateMemory, StateName
from .slide import moved_low
from .state import Step

if TYPE_CHECKING:
    from .config import ParkourConfig


@dataclass(frozen=True, slots=True)
class RollConfig:
    """A roll's numbers."""

    from_height: float = setting(
        2.5, "From how high it must have fallen to roll. At low values every jump ends in a roll", unit="m",
        low=0.1, high=50.0,
    )  # fmt: skip
    slowest: float = setting(
        1.5, "How fast it must go to roll: slower it gives way where it is", unit="m/s", low=0.0, high=20.0
    )
    lasts: float = setting(0.6, "How long a roll takes", unit="s", low=0.1, high=5.0)
    keeps: float = setting(0.9, "The share of its speed that it has left behind the roll", low=0.0, high=1.0)
    height: float = setting(
        0.8, "How tall the body is that rolls. It is never lower than it is wide", unit="m", low=0.1, high=5.0
    )


class Roll:
    """ROLLING: `normal` points back along it, `speed` is what it landed with."""

    name: StateName = "ROLLING"

    def starts(self, step: Step) -> bool:
        """After a heavy landing, while a direction is held."""
        config, speed = step.config.roll, hypot(*step.flat)
        fell = step.travel.impact**2 / (2.0 * step.movement.gravity) if step.movement.gravity > 0.0 else 0.0
        held = step.wish != (0.0, 0.0)
        if not step.on_ground or not held or fell < config.from_height or speed < config.slowest:
            return False
        memory = step.memory
        # What would hold it where it came down it rolls away.
        step.capsule.held = 0.0
        memory.begin(self.name, config.lasts)
        memory.speed, memory.height = speed, fell
        memory.normal = (-step.flat[0] / speed, -step.flat[1] / speed, 0.0)
        return True

    def goes(self, step: Step) -> Travel | None:
        """On along its way, as a ball."""
        return moved_low(step, step.config.roll.height, step.config.roll.keeps)

    def move(self, memory: StateMemory, _travel: Travel, _config: ParkourConfig, _world: World) -> Move:
        """Over the shoulder."""
        return Move("ROLL", memory.progress, "", memory.height, memory.speed)
