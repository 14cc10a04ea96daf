"""Somebody who climbs about in a random level, presses whatever comes to mind, and is watched."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, hypot, pi, sin
from random import Random
from typing import NamedTuple

from mathutils import Vector
from support.clinger import HELD, Clinger
from support.ledges import TOP

ARENA = 10.0
DEEPEST = 0.02


class Wall(NamedTuple):
    """A box: its size, the middle of its floor, how far off the ground, its turn about Z and how far it leans."""

    size: tuple[float, float, float]
    place: tuple[float, float]
    low: float
    turn: float
    lean: float


def walls(seed: int, count: int = 26) -> list[Wall]:
    """Blocks, thin walls and beams around the origin, some of them askew, some leaning."""
    some, found = Random(seed), []
    for _ in range(count):
        at, away = some.uniform(0.0, 2.0 * pi), some.uniform(1.8, ARENA)
        top = some.choice((some.uniform(1.0, 6.0), TOP - 0.2, TOP))
        thick = some.random() < 0.6
        long, slim = (some.uniform(0.3, 3.0), some.uniform(0.3, 3.0))
        plan = (long, slim) if thick else (some.uniform(2.0, 6.0), some.uniform(0.05, 0.3))
        low = some.uniform(0.3, top - 0.3) if some.random() < 0.2 else 0.0
        turn = some.choice((0.0, 0.0, 0.25 * pi, some.uniform(0.0, 2.0 * pi)))
        lean = some.uniform(-0.25, 0.25) if some.random() < 0.15 else 0.0
        found.append(Wall((*plan, top - low), (away * cos(at), away * sin(at)), low, turn, lean))
    return found


@dataclass
class Roamer:
    """`wrong` are the moments in which something was: too deep in a wall, or fallen without letting go."""

    body: Clinger
    seed: int
    wish: tuple[float, float] = (0.0, -1.0)
    wrong: list[tuple[float, str, str, float]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.some = Random(self.seed)

    def roam(self, seconds: float) -> Roamer:
        for _ in range(round(seconds * self.body.rate)):
            self._tick()
        return self

    def _often(self, a_second: float) -> bool:
        return self.some.random() < a_second / self.body.rate

    def _tick(self) -> None:
        body, some = self.body, self.some
        before, step = body.state, body.memory.step
        self._look_for_a_way()
        on_wall = before in ("HANGING", "WALL_RUNNING")
        go_up, crouch = self._often(1.2 if on_wall else 0.3), self._often(0.3)
        jump = self._often(1.5) and before != "HANGING"
        body.tick(self.wish, some.choice((5.0, 5.0, 6.0)), go_up=go_up, jump=jump, crouch=crouch)
        self.seen.add(f"{body.state} {body.memory.step}".strip())
        if body.state in HELD and body.depth() > DEEPEST:
            self.wrong.append((body.time, body.state, body.memory.step, body.depth()))
        if before in ("HANGING", "LEAPING") and body.state == "AIRBORNE" and not crouch:
            self.wrong.append((body.time, "FELL", step, 0.0))

    def _look_for_a_way(self) -> None:
        """Anywhere, now and then; along, into or out of a wall that it hangs on; into walls in the air; back inside."""
        body, some = self.body, self.some
        x, y, z = body.feet
        if self._often(2.0):
            self.wish = _direction(some)
        if body.state == "HANGING" and self._often(2.0):
            nx, ny, _ = body.memory.normal
            self.wish = some.choice(((ny, -nx), (ny, -nx), (-ny, nx), (-ny, nx), (-nx, -ny), (nx, ny)))
        elif body.state == "AIRBORNE" and self._often(6.0):
            hit = body.world.nearest(Vector((x, y, z + 1.6)), 2.0)
            if hit is not None:
                self.wish = (hit.position.x - x, hit.position.y - y)
        elif hypot(x, y) > ARENA:
            self.wish = (-x, -y)


def _direction(some: Random) -> tuple[float, float]:
    at = some.uniform(0.0, 2.0 * pi)
    return cos(at), sin(at)
