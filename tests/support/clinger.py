"""A body that hangs from edges and runs on walls, in a test: told where to, to go up or to crouch, and watched."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import dist, hypot
from typing import Any

from mathutils import Vector
from support.ledges import TOP, turned
from surefoot.core.control.bodied import stand_bodied
from surefoot.core.control.capsule_memory import CapsuleMemory
from surefoot.core.control.config import ControlConfig
from surefoot.core.control.intent import Intent, Place, Travel
from surefoot.core.control.movement import MovementConfig
from surefoot.core.layers.request import Contact, Move
from surefoot.core.locomotion.config import ParkourConfig
from surefoot.core.locomotion.machine import move_by_state, request_of
from surefoot.core.locomotion.memory import StateMemory
from surefoot.core.locomotion.state import Step
from surefoot.core.space.angles import heading_of, turn_between
from surefoot.core.world.solid import Solid
from surefoot.core.world.world import World

RATES = (15, 24, 60, 120)
LEG = 0.9
SPHERES = 6
BEFORE = -0.45
"""So far along Y the body is that is about to catch the edge of a wall whose face is at -1."""
HELD = ("HANGING", "LEAPING", "WALL_RUNNING")

Flat = tuple[float, float]
Point = tuple[float, float, float]


class Clinger:
    """One body in one world at one rate. `states` are (state, step) of all ticks, `places` the feet, `deepest` how deep
    the whole capsule ever was in something while a state of edges and walls had it.
    """

    def __init__(
        self, world: World, feet: Point, rate: int = 60, leg: float = LEG, config: ParkourConfig | None = None,
        movement: MovementConfig | None = None, heading: float = 0.0, *, aloft: bool = False,
        velocity: Point = (0.0, 0.0, 0.0),
    ) -> None:  # fmt: skip
        self.world, self.rate, self.scale = world, rate, leg / LEG
        self.movement = (movement or MovementConfig()).sized(leg)
        self.config = (config or ParkourConfig()).sized(leg)
        self.control = ControlConfig(leg=leg)
        self.memory = StateMemory()
        self.ticks = 0
        self.show()
        self.travel, self.capsule = stand_bodied(Place(*feet, heading), self.control, self.movement, world)
        if aloft:
            height = self.movement.height(crouched=False)
            self.capsule = CapsuleMemory(feet, height, height, velocity, risen=True, take_off=hypot(*velocity[:2]))
            self.travel = Travel(Place(*feet, heading), velocity, ground=False, aloft=True)
        self.states: list[tuple[str, str]] = []
        self.places: list[Point] = [feet]
        self.headings: list[float] = [heading]
        self.deepest = 0.0

    def show(self) -> None:
        """The world at this time, if it is a test's and moves."""
        if isinstance(self.world, Solid) and hasattr(self.world, "set_time"):
            self.world.set_time(self.time)

    @property
    def time(self) -> float:
        return self.ticks / self.rate

    @property
    def feet(self) -> Point:
        return self.capsule.feet

    @property
    def state(self) -> str:
        return self.memory.state

    @property
    def heading(self) -> float:
        return self.travel.place.heading

    def tick(
        self, wish: Flat = (0.0, 0.0), speed: float = 5.0, *, go_up: bool = False, held: bool = False,
        crouch: bool = False, jump: bool = False,
    ) -> Clinger:  # fmt: skip
        """One tick with a wish of any length but none (its direction counts) at a speed."""
        self.ticks += 1
        self.show()
        length = hypot(*wish)
        way = (wish[0] / length, wish[1] / length) if length > 0.0 else (0.0, 0.0)
        pace = speed * self.scale**0.5
        intent = Intent(
            (way[0] * pace, way[1] * pace), heading_of(*way) if length > 0.0 else self.heading, jump=jump,
            crouch=crouch, turn_rate=6.0, at_once=True, go_up=go_up, go_up_held=held or go_up, wish=way,
        )  # fmt: skip
        step = Step(
            intent, self.travel, self.capsule, self.memory, self.control, self.movement, self.config, self.world,
            1.0 / self.rate,
        )  # fmt: skip
        self.travel = move_by_state(step)
        self.states.append((self.memory.state, self.memory.step))
        self.places.append(self.feet)
        self.headings.append(self.heading)
        if self.memory.state in HELD:
            self.deepest = max(self.deepest, self.depth())
        return self

    def go(
        self, seconds: float, wish: Flat = (0.0, 0.0), speed: float = 5.0,
        until: Callable[[Clinger], bool] | None = None, **pressed: bool,
    ) -> Clinger:  # fmt: skip
        """So many seconds with one wish, or until something holds."""
        for _ in range(round(seconds * self.rate)):
            self.tick(wish, speed, **pressed)
            if until is not None and until(self):
                break
        return self

    def until(
        self, state: str, wish: Flat, seconds: float = 3.0, step: str | None = None, speed: float = 5.0
    ) -> Clinger:
        """Go on with a wish until a state, and a part of it, has the body; fails where it never does."""
        for _ in range(round(seconds * self.rate)):
            self.tick(wish, speed)
            if self.memory.state == state and step in (None, self.memory.step):
                return self
        raise AssertionError(f"never {state} {step}: at {self.feet} it is {self.memory.state} {self.memory.step}")

    def depth(self) -> float:
        """How deep the capsule is in something."""
        x, y, z = self.feet
        radius, height = self.movement.radius, self.capsule.height
        deepest = 0.0
        for k in range(SPHERES):
            level = z + radius + (height - 2.0 * radius) * k / (SPHERES - 1)
            hit = self.world.nearest(Vector((x, y, level)), 2.0 * radius)
            if hit is not None:
                deepest = max(deepest, radius + hit.distance if hit.back else radius - hit.distance)
        return deepest

    @property
    def move(self) -> Move | None:
        """What the pose is told."""
        return request_of(self.memory, self.travel, self.config, self.world).move

    def contact(self, limb: str) -> Contact | None:
        """What a limb touches."""
        move = self.move
        return None if move is None else next((c for c in move.contacts if c.limb == limb), None)

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The states and their parts, one after the other."""
        return [now for before, now in zip([("", ""), *self.states], self.states, strict=False) if before != now]

    def largest_step(self, since: int = 0) -> float:
        """The largest way of the feet in a tick."""
        places = self.places[since:]
        return max((dist(a, b) for a, b in pairwise(places)), default=0.0)

    def largest_kick(self, since: int = 0) -> float:
        """The largest change of velocity from one tick to the next, metres a second."""
        places = self.places[since:]
        ways = [tuple(q - p for p, q in zip(a, b, strict=True)) for a, b in pairwise(places)]
        return max((dist(a, b) for a, b in pairwise(ways)), default=0.0) * self.rate

    def largest_turn(self, since: int = 0) -> float:
        """The largest turn in a tick, radians."""
        turns = self.headings[since:]
        return max((abs(turn_between(a, b)) for a, b in pairwise(turns)), default=0.0)


def hung(world: World, rate: int = 60, x: float = 0.0, angle: float = 0.0, leg: float = LEG, **more: Any) -> Clinger:
    """A body at rest on the edge of the wall in front of it, `x` along it, in a world turned by an angle."""
    scale = leg / LEG
    place = turned(x * scale, BEFORE * scale, angle)
    top = TOP * scale
    hang = ParkourConfig().sized(leg).hang
    body = Clinger(world, (*place, top - hang.below), rate, leg, heading=angle, aloft=True, **more)
    return body.until("HANGING", turned(0.0, -1.0, angle), step="")
