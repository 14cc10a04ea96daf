"""Walls with edges for tests, in front of a body at the origin that faces -Y, and turned with the whole world."""

from __future__ import annotations

from math import cos, pi, sin, tan

from surefoot.core.world.compound import Moving, Placement, Union
from surefoot.core.world.extruded import Flat
from surefoot.core.world.rings import Ring
from surefoot.core.world.rooms import Block
from surefoot.core.world.solid import Solid

TOP = 3.8
"""An edge that a jump of a person brings into reach."""
FACE = -1.0
"""Where the wall's face is, along Y."""


REACH = 2.4
"""How far a rough wall goes to both sides."""


class Turned(Moving):
    """A solid that stands turned about Z, without moving."""

    def __init__(self, solid: Solid, angle: float, place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        super().__init__(solid, lambda _: (*place, angle))

    def moves(self, _surface: int) -> bool:
        return False


def block(
    left: float, right: float, top: float = TOP, face: float = FACE, depth: float = 4.0, low: float = 0.0
) -> Block:
    """A wall whose face is seen from `right` to `left` (the body's left is +X)."""
    return Block((right, face - depth, low), (left, face, top))


def wall(top: float = TOP) -> Block:
    """A wide, deep wall."""
    return block(6.0, -6.0, top)


def thin(top: float = TOP) -> Block:
    """A wall that nobody can stand on."""
    return block(6.0, -6.0, top, depth=0.1)


def yard(*solids: Solid, angle: float = 0.0) -> Solid:
    """The solids on a floor, turned with it."""
    return Union(Flat(), *(Turned(solid, angle) if angle else solid for solid in solids))


def carried(solid: Solid, placement: Placement) -> Moving:
    """A wall that moves."""
    return Moving(solid, placement)


def column(radius: float, top: float = TOP) -> Ring:
    """A round pillar with its face in front of the body."""
    return Ring(0.0, FACE - radius, 0.0, radius, (0.0, top))


def bowl(radius: float, top: float = TOP) -> Ring:
    """A round yard with its wall in front of the body, which is inside."""
    return Ring(0.0, FACE + radius, radius, radius + 1.0, (0.0, top))


def faceted(radius: float, sides: int, top: float = TOP) -> Union:
    """A column of flat faces, one of them in front of the body. Sides are even."""
    half = radius * tan(pi / sides)
    plate = Block((-half, -radius, 0.0), (half, radius, top))
    return Union(*(Turned(plate, 2.0 * pi * k / sides, (0.0, FACE - radius, 0.0)) for k in range(sides // 2)))


def rough(seed: int = 7, top: float = TOP, width: float = 0.3, uneven: float = 0.02) -> Union:
    """A wall of stones that stand out and up a little, each as it comes."""
    stones, state = [], seed
    count = int(2.0 * REACH / width)
    for k in range(count):
        state = (state * 1103515245 + 12345) % 2147483648
        out = uneven * (2.0 * state / 2147483648 - 1.0)
        state = (state * 1103515245 + 12345) % 2147483648
        up = uneven * (2.0 * state / 2147483648 - 1.0)
        x = -REACH + k * width
        stones.append(block(x + width, x, top + up, FACE + out))
    return Union(*stones)


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """A direction or place of the plan after a turn."""
    return cos(angle) * x - sin(angle) * y, sin(angle) * x + cos(angle) * y
