"""Under a low bar: the capsule lies low and slides on with its run; walls and floors are the capsule's own affair."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING

from ..control.bodied import move_bodied
from ..control.intent import Travel
from ..layers.request import Move
from ..space.curves import share_of
from ..space.settings import setting
from ..world.world import World
from .memory import StateMemory, StateName
from .state import Step

if TYPE_CHECKING:
    from .config import ParkourConfig


@dataclass(frozen=True, slots=True)
class SlideConfig:
    """A slide's numbers."""

    starts_from: float = setting(
        2.5, "How fast it must go to slide. At 0 it lies down where it stands", unit="m/s", low=0.0, high=20.0
    )
    fast: float = setting(6.0, "The speed from which on a slide takes longest", unit="m/s", low=0.1, high=50.0)
    shortest: float = setting(0.5, "How long the slowest slide takes", unit="s", low=0.05, high=5.0)
    longest: float = setting(0.9, "How long the fastest slide takes", unit="s", low=0.05, high=5.0)
    keeps: float = setting(0.9, "The share of its speed that it has left behind the slide", low=0.0, high=1.0)
    height: float = setting(
        0.75, "How tall the body is that slides. It is never lower than it is wide", unit="m", low=0.1, high=5.0
    )


def slide_lasts(config: SlideConfig, speed: float) -> float:
    """How long a slide takes that is begun at a speed."""
    share = share_of(speed, config.starts_from, config.fast)
    return config.shortest + (config.longest - config.shortest) * share


def slide_way(config: SlideConfig, speed: float) -> float:
    """How far it leads on free ground."""
    return 0.5 * (1.0 + config.keeps) * speed * slide_lasts(config, speed)


class Slide:
    """SLIDING: `normal` points back along it, `speed` is what it came in with."""

    name: StateName = "SLIDING"

    def starts(self, step: Step) -> bool:
        """At a run, when crouch is pressed, or going up is where a bar can only be slid under."""
        config, memory = step.config.slide, step.memory
        crouches = step.intent.crouch and hypot(*step.flat) >= config.starts_from
        goes = step.intent.go_up and step.run >= config.starts_from
        if not step.stands or not (crouches or (goes and step.look(step.sensor).verdict == "LOW_BAR")):
            return False
        speed, (x, y) = step.run, step.flat if crouches else step.wish
        length = hypot(x, y)
        if length == 0.0:
            return False
        memory.begin(self.name, slide_lasts(config, speed))
        memory.speed, memory.height = speed, config.height
        memory.normal = (-x / length, -y / length, 0.0)
        return True

    def goes(self, step: Step) -> Travel | None:
        """On along its way, low; over when its time is, or when it is stopped or has no floor."""
        return moved_low(step, step.config.slide.height, step.config.slide.keeps)

    def move(self, memory: StateMemory, _travel: Travel, _config: ParkourConfig, _world: World) -> Move:
        """Low, feet first."""
        return Move("SLIDE", memory.progress, "", memory.height, memory.speed)


STOPPED = 0.25
"""A body that has only so much of its speed is stopped."""


def moved_low(step: Step, height: float, keeps: float) -> Travel | None:
    """One tick of a body that goes on by itself, low, with less and less of its speed; None when that is over."""
    memory, dt = step.memory, step.dt
    stopped = memory.time > dt and hypot(*step.flat) < STOPPED * memory.speed
    if not step.on_ground or stopped or memory.time >= memory.lasts + dt:
        return None
    # The speed in the middle of the tick, so that its way is the same at every rate.
    middle = min(1.0, (memory.time - 0.5 * dt) / memory.lasts)
    speed = memory.speed * (1.0 + (keeps - 1.0) * middle)
    x, y, _ = memory.normal
    intent = step.intent._replace(
        velocity=(-x * speed, -y * speed), wish=None, carried=None, crouch=True, jump=False, at_once=True
    )
    low = replace(step.movement, crouch_height=height)
    # Low from the first moment, so that it does not feel for a bar that is over it.
    step.capsule.height = min(step.capsule.height, low.height(crouched=True))
    travel = move_bodied(step.travel, step.capsule, intent, step.control, low, step.world, dt, step.added)
    travel.lower = step.movement.height(crouched=False) - step.capsule.shown
    # No foot walks now; at its end they stand under the body again.
    travel.aloft, travel.lands_in = True, max(0.0, memory.lasts - memory.time)
    return travel
