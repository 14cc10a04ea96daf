"""Where a mouth comes by a move of the body and turns along its chain, all about the axis across the body."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

from mathutils import Vector


@dataclass(slots=True)
class Move:
    """What of a body is moved: metres back and down (at its pivot), radians that it tips ahead; and what each bone of
    the chain to the mouth turns by, radians down.
    """

    back: float
    sink: float
    pitch: float
    turns: list[float]


@dataclass(frozen=True, slots=True)
class MouthLine:
    """The joints of a pose from the body to the mouth, and what the body tips about; model space.

    `joints` has one place more than the chain has bones: the last is the mouth. A chain of no bones has two: the body
    carries its mouth.
    """

    pivot: Vector
    joints: tuple[Vector, ...]

    def moved(self, move: Move) -> tuple[float, float]:
        """Where a move takes the mouth: along y and up."""
        y, z = _turned(self.joints[0] - self.pivot, move.pitch)
        y, z = y + self.pivot.y + move.back, z + self.pivot.z - move.sink
        turns = move.turns or [move.pitch]
        for begin, end, turn in zip(self.joints, self.joints[1:], turns, strict=False):
            dy, dz = _turned(end - begin, turn)
            y, z = y + dy, z + dz
        return y, z


def _turned(line: Vector, angle: float) -> tuple[float, float]:
    """A line's parts along y and up after a turn down by an angle."""
    c, s = cos(angle), sin(angle)
    return line.y * c - line.z * s, line.y * s + line.z * c
