"""A walking capsule in a test: put somewhere, told what to want, watched."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

from surefoot.core.control.capsule import move, put
from surefoot.core.control.capsule_memory import CapsuleMemory, Wish
from surefoot.core.control.movement import MovementConfig
from surefoot.core.world.solid import Solid

RATES = (24, 30, 60, 120)
NOTHING = Wish()


class Body:
    """One capsule in one world at one rate; `states` are all ground states since it was put there."""

    def __init__(
        self,
        world: Solid,
        feet: tuple[float, float, float] = (0.0, 0.0, 0.0),
        rate: int = 60,
        config: MovementConfig | None = None,
        *,
        aloft: bool = False,
    ) -> None:
        self.world, self.rate, self.config = world, rate, config or MovementConfig()
        self.time, self.ticks = 0.0, 0
        self.show()
        height = self.config.height(crouched=False)
        self.memory = CapsuleMemory(feet, height, height) if aloft else put(feet, self.config, world)
        self.states: list[str] = []
        self.fastest = 0.0

    def show(self) -> None:
        """The world at this time, if it moves."""
        if hasattr(self.world, "set_time"):
            self.world.set_time(self.time)

    def tick(self, wish: Wish = NOTHING) -> None:
        """One tick."""
        self.ticks += 1
        self.time = self.ticks / self.rate
        self.show()
        before = self.memory.feet
        move(self.memory, wish, self.config, self.world, 1.0 / self.rate)
        x, y, _ = self.memory.feet
        self.fastest = max(self.fastest, hypot(x - before[0], y - before[1]) * self.rate)
        self.states.append(self.memory.state)

    def go(
        self, seconds: float, velocity: tuple[float, float] = (0.0, 0.0), *, crouch: bool = False,
        until: Callable[[Body], bool] | None = None,
    ) -> Body:  # fmt: skip
        """So many seconds with one wish, or until something holds."""
        for _ in range(round(seconds * self.rate)):
            self.tick(Wish(velocity, crouch=crouch))
            if until is not None and until(self):
                break
        return self

    def jump(self, velocity: tuple[float, float] = (0.0, 0.0)) -> Body:
        """A tick with the jump pressed."""
        self.tick(Wish(velocity, jump=True))
        return self

    @property
    def feet(self) -> tuple[float, float, float]:
        return self.memory.feet

    @property
    def x(self) -> float:
        return self.memory.feet[0]

    @property
    def y(self) -> float:
        return self.memory.feet[1]

    @property
    def z(self) -> float:
        return self.memory.feet[2]
