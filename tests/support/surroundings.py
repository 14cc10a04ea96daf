"""A person who looks at things: where they stand, what is built before them."""

from __future__ import annotations

from math import cos, pi, sin

from surefoot.core.space.angles import facing
from surefoot.core.world.compound import Moving, Union
from surefoot.core.world.extruded import Extruded, Flat
from surefoot.core.world.rooms import Block
from surefoot.core.world.sensing import SensorName, Stance, SurroundingsConfig
from surefoot.core.world.surroundings import Surroundings, look
from surefoot.core.world.world import World

CONFIG = SurroundingsConfig()
FACE = 0.6
"""How far before the person things begin, metres."""


def stance(
    feet: tuple[float, float, float] = (0.0, 0.0, 0.0), heading: float = 0.0, velocity: tuple[float, float] = (0.0, 0.0)
) -> Stance:
    """A person of the usual size, facing -Y at heading 0."""
    return Stance(feet, facing(heading), velocity, 0.2, 0.35, 1.8, 0.75, cos(pi / 4.0) - 1e-6, 0.55)


def box(height: float, depth: float = 4.0, *, width: float = 4.0, low: float = -1.0, gap: float = FACE) -> Block:
    """A box square ahead: its top so high, so far through."""
    return Block((-0.5 * width, -gap - depth, low), (0.5 * width, -gap, height))


def turned(solid: Block, heading: float) -> Moving:
    """The same, turned about the person's place."""
    return Moving(solid, lambda _: (0.0, 0.0, 0.0, heading))


def on_floor(*solids: World) -> Union:
    """On level ground."""
    return Union(Flat(), *solids)


def profile(*points: tuple[float, float]) -> Extruded:
    """Ground of a profile along -Y: (how far ahead, how high), one after the other, with a level run-up."""
    line = [(-5.0, 0.0), (0.0, 0.0), *points]
    pieces = [(*a, *b) if a[0] <= b[0] else (*b, *a) for a, b in zip(line, line[1:], strict=False)]
    return Extruded(pieces)


def seen(
    world: World, name: SensorName = "WALK", *, config: SurroundingsConfig = CONFIG, keep: bool = False,
    feet: tuple[float, float, float] = (0.0, 0.0, 0.0), heading: float = 0.0,
    velocity: tuple[float, float] = (0.0, 0.0),
) -> Surroundings:  # fmt: skip
    """What the person concludes."""
    return look(world, stance(feet, heading, velocity), name, config, keep=keep)


def around(heading: float, way: float, aside: float = 0.0) -> tuple[float, float]:
    """A place so far ahead, and to the left, of somebody at the origin."""
    return sin(heading) * way + cos(heading) * aside, -cos(heading) * way + sin(heading) * aside
