"""What a state is: it says whether it may start and whether it goes on, and moves the body while it does."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import TYPE_CHECKING, Protocol

from ..control.capsule_memory import STILL, CapsuleMemory
from ..control.config import ControlConfig
from ..control.intent import Intent, Travel
from ..control.movement import MovementConfig
from ..layers.request import Move
from ..space.angles import facing
from ..space.rigid import Triple
from ..space.triples import minus, plus
from ..space.vectors import triple
from ..world.sensing import SensorName, Stance
from ..world.surroundings import Surroundings, look
from ..world.world import World
from .memory import StateMemory, StateName

if TYPE_CHECKING:
    from .config import ParkourConfig

NO_WISH = 1e-3
"""A wish that is shorter is none."""


@dataclass(frozen=True, slots=True)
class Step:
    """All that a state sees in a tick. `travel` is the body before it; `capsule` and `memory` are changed in place.

    Everything is sized for the body already: `movement` and `config` hold metres of this character. `added` is
    what wind or a conveyor adds to the body's velocity. `looks` are the looks of this tick, so that no two states look
    twice.
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
    added: Triple = STILL
    looks: dict[tuple[SensorName, tuple[float, float]], Surroundings] = field(default_factory=dict)

    @property
    def wish(self) -> tuple[float, float]:
        """The unit direction in the plan that is asked for; zeros where none is."""
        x, y = self.intent.velocity if self.intent.wish is None else self.intent.wish
        length = hypot(x, y)
        return (x / length, y / length) if length > NO_WISH else (0.0, 0.0)

    @property
    def run(self) -> float:
        """How fast it runs, or has run when something stopped it just now."""
        return max(hypot(*self.flat), self.memory.run if self.on_ground else 0.0)

    @property
    def feet(self) -> Triple:
        """Where the feet are now: what moves under them has carried them since the tick before."""
        support = self.capsule.support
        now = None if support is None else self.world.locate(support)
        if now is None:
            return self.capsule.feet
        return plus(self.capsule.feet, minus(triple(now.position), self.capsule.support_at))

    @property
    def stands(self) -> bool:
        """True where it stands upright: who is crouched, or has no room to rise, goes up nothing."""
        return self.on_ground and self.capsule.height >= self.movement.height(crouched=False)

    @property
    def on_ground(self) -> bool:
        """True where the capsule stands."""
        return self.capsule.state == "ON_GROUND"

    @property
    def flat(self) -> tuple[float, float]:
        """How fast the body goes in the plan: over its floor, or through the air."""
        return self.capsule.flat if self.on_ground else self.capsule.velocity[:2]

    def look(self, name: SensorName, ahead: tuple[float, float] | None = None) -> Surroundings:
        """What is ahead: in a direction, else where it wishes to go, else where it faces. Asked once a tick at most."""
        stance = stance_of(self, ahead)
        asked = (name, stance.ahead)
        if asked not in self.looks:
            self.looks[asked] = look(self.world, stance, name, self.config.surroundings)
        return self.looks[asked]

    def look_at_hold(self) -> Surroundings:
        """What it hangs on: the edge that its hands hold, before its chest, wherever it wishes to go."""
        nx, ny, _ = self.memory.normal
        stance = stance_of(self, (-nx, -ny))
        seen = look(self.world, stance, "AIR", self.config.surroundings, held=self.memory.edge[2] - stance.feet[2])
        self.looks["AIR", stance.ahead] = seen
        return seen

    @property
    def sensor(self) -> SensorName:
        """The sensor of what it does: in the air, at a sprint, or at a walk."""
        if not self.on_ground:
            return "AIR"
        sprints = self.intent.sprint and self.run >= self.config.machine.sprints_from
        return "SPRINT" if sprints else "WALK"


def stance_of(step: Step, ahead: tuple[float, float] | None = None) -> Stance:
    """The body as one who looks, in a direction or where it wishes to go."""
    wish, movement = step.wish if ahead is None else ahead, step.movement
    return Stance(
        step.feet,
        wish if wish != (0.0, 0.0) else facing(step.travel.place.heading),
        step.flat,
        step.config.machine.window,
        movement.radius,
        movement.height(crouched=False),
        max(step.config.slide.height, 2.0 * movement.radius),
        movement.upright,
        movement.highest_step,
    )


class State(Protocol):
    """One state. Immutable and without numbers of its own: those are in the Config, what changes in the memory."""

    name: StateName

    def starts(self, step: Step) -> bool:
        """May it start? If so the memory is entered (`memory.begin`) and holds its checked way. It moves nothing."""

    def goes(self, step: Step) -> Travel | None:
        """Does it go on? One tick of the body, or None: the walking capsule has it again, as this state left it.

        `memory.time` is at the end of the tick already, also in the first one.
        """

    def move(self, memory: StateMemory, travel: Travel, config: ParkourConfig, world: World) -> Move:
        """What the pose is to show at this moment, with what hands and feet touch."""
