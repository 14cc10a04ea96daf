"""What a director is told and what it answers: Inputs in, Intent out, Travel after the body has moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

DirectorName = Literal["AHEAD", "PATH", "TARGET", "MOVER"]


class Place(NamedTuple):
    """A spot with a heading, world space: plain floats, since they add up. Heading 0 faces -Y, +90 degrees faces +X."""

    x: float
    y: float
    z: float
    heading: float


@dataclass(frozen=True, slots=True)
class PathLine:
    """A curve as the director follows it: points (metres, world), their arc lengths, and whether it closes."""

    points: tuple[tuple[float, float, float], ...]
    lengths: tuple[float, ...]
    closed: bool


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the scene says this tick. Interpolated by the caller between two whole frames; plain numbers only.

    `speed` is metres a second along the ground. `path`, `target`, `mover` are None where the director has none.
    `moved_to` is set in the tick in which a script teleports the character.
    """

    speed: float = 0.0
    path: PathLine | None = None
    target: Place | None = None
    mover: Place | None = None
    moved_to: Place | None = None


@dataclass(frozen=True, slots=True)
class Intent:
    """What the director wants this tick: a horizontal velocity (metres a second, world), a facing to turn to.

    `carried` is a place that the body must take as it is (a mover's own animation); None lets the body move itself.
    `jumped` says that the body was put elsewhere, so that feet are placed anew.
    """

    velocity: tuple[float, float]
    facing: float
    carried: Place | None = None
    jumped: bool = False


@dataclass(slots=True)
class Travel:
    """The body in the world: place, velocity along the ground (world), turn rate (radians a second).

    `slope` is the ground's rise per metre along the facing, `cross_slope` per metre to the left (+X at heading 0).
    `ground` is True while the ground under the body is known.
    """

    place: Place
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn_rate: float = 0.0
    slope: float = 0.0
    cross_slope: float = 0.0
    ground: bool = True
    jumped: bool = False
