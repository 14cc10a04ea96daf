"""A body that reads the level, without legs to plan: director, states and capsule alone, driven by a pad."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import NamedTuple

from surefoot.core.control.bodied import stand_bodied
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.directors import DirectorMemory, decide, go_on_from
from surefoot.core.control.intent import NO_PAD, Inputs, Pad, Place
from surefoot.core.control.movement import MovementConfig
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.locomotion.machine import is_led, move_by_state
from surefoot.core.locomotion.memory import StateMemory
from surefoot.core.locomotion.registry import STATES
from surefoot.core.locomotion.state import Step
from surefoot.core.tick import ticks_per_frame
from surefoot.core.world.world import World

AHEAD = Pad(0.0, -1.0)


class Seen(NamedTuple):
    """The body after one tick."""

    time: float
    state: str
    progress: float
    feet: tuple[float, float, float]
    velocity: tuple[float, float, float]
    heading: float
    aloft: bool


class Runner:
    """One body in one world at one rate of frames; its ticks are those of the scene."""

    def __init__(
        self, world: World, feet: tuple[float, float, float] = (0.0, 0.0, 0.0), *, heading: float = 0.0, fps: int = 60,
        speed: float = 3.0, config: ParkourConfig | None = None, movement: MovementConfig | None = None,
        size: float = 1.0,
    ) -> None:  # fmt: skip
        self.world, self.count, self.fps, self.speed = world, ticks_per_frame(fps), fps, speed
        self.dt = 1.0 / fps / self.count
        self.config = (config or ParkourConfig()).sized(0.9 * size)
        self.movement = (movement or MovementConfig()).sized(0.9 * size)
        self.control = ControlConfig(leg=0.9 * size)
        self.time, self.ticks, self.director, self.memory = 0.0, 0, DirectorMemory(), StateMemory()
        self.show()
        self.travel, self.capsule = stand_bodied(Place(*feet, heading), self.control, self.movement, world)
        self.seen: list[Seen] = []

    def show(self) -> None:
        """The world at this time, if it moves."""
        if hasattr(self.world, "set_time"):
            self.world.set_time(self.time)

    def tick(self, pad: Pad) -> None:
        """One tick as a character does it."""
        self.ticks += 1
        self.time = self.ticks * self.dt
        self.show()
        intent = decide("INPUT", self.director, Inputs(self.speed, pad=pad), self.travel, self.control, self.dt)
        step = Step(
            intent, self.travel, self.capsule, self.memory, self.control, self.movement, self.config, self.world,
            self.dt,
        )  # fmt: skip
        led = is_led(self.memory)
        self.travel = move_by_state(step)
        if led and not is_led(self.memory):
            go_on_from(self.director, self.travel)
        self.seen.append(
            Seen(
                self.time, self.memory.state, self.memory.progress, self.capsule.feet, self.travel.velocity,
                self.travel.place.heading, self.travel.aloft,
            )
        )  # fmt: skip

    def go(
        self, seconds: float, pad: Pad | Callable[[Runner], Pad] = NO_PAD,
        until: Callable[[Runner], bool] | None = None,
    ) -> Runner:  # fmt: skip
        """So long with what is pressed, told once a frame; or until something holds at the end of a frame."""
        for _ in range(round(seconds * self.fps)):
            held = pad(self) if callable(pad) else pad
            for _ in range(self.count):
                self.tick(held)
            if until is not None and until(self):
                break
        return self

    @property
    def states(self) -> list[str]:
        """The states that had the body, each time they began."""
        names = [one.state for one in self.seen]
        return [name for k, name in enumerate(names) if k == 0 or names[k - 1] != name]

    @property
    def moves(self) -> list[str]:
        """Of them those that are not the walking capsule's."""
        return [name for name in self.states if name in STATES]

    def of(self, state: str) -> list[Seen]:
        """All ticks in a state."""
        return [one for one in self.seen if one.state == state]

    @property
    def pace(self) -> float:
        """How fast it goes over the ground."""
        return hypot(*self.travel.velocity[:2])


def pressing(when: Callable[[Runner], bool], pad: Pad = AHEAD) -> Callable[[Runner], Pad]:
    """A direction, with going up pressed while something holds."""
    return lambda runner: pad._replace(go_up=when(runner))


def past(y: float) -> Callable[[Runner], bool]:
    """True once the body has come so far along -Y."""
    return lambda runner: runner.capsule.feet[1] < y
