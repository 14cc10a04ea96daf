"""A sole point as seen from the ground that it is over: what moving ground did to it is taken off, frame by frame."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from mathutils import Vector

from ..core.world.world import Anchor, World

ABOVE, REACH = 0.05, 0.3
UP = np.array((0.0, 0.0, 1.0))


class GroundFrame:
    """One point's way in the frame of the ground below it, which shifts, bends and turns; up stays up.

    Metres, world axes as at the first frame. Ask once a frame, in order: what the ground under the point's last place
    did since then is no motion of the point. Over still ground, and over none, the way is the world's own.
    """

    def __init__(self) -> None:
        self._place = np.zeros(3)
        self._last: np.ndarray | None = None
        self._anchor: Anchor | None = None
        self._turn = 0.0
        self._height = 0.0
        self._up = UP

    def local(self, point: np.ndarray, world: World, up: np.ndarray | None = None) -> np.ndarray:
        """The point (3,), world, at this frame of the world; answers where it is on the ground (3,). `up` (3,) is the
        normal of the surface that it is on, where that is no floor.
        """
        if self._last is None:
            self._place = np.array(point, dtype=np.float64)
        else:
            step = _turned(point - self._carried(world), -self._turn)
            self._place = self._place + step
        self._last = np.array(point, dtype=np.float64)
        self._up = UP if up is None else np.array(up)
        hit = world.cast_ray(Vector(point + ABOVE * self._up), Vector(-self._up), ABOVE + REACH)
        moving = hit is not None and world.moves(hit.surface)
        self._anchor = world.anchor(hit) if hit is not None and moving else None
        self._height = float(self._up @ (point - np.array(hit.position))) if hit is not None else 0.0
        return self._place

    def _carried(self, world: World) -> np.ndarray:
        """Where the last place would be now, had it stayed on its ground."""
        hit = world.locate(self._anchor) if self._anchor is not None else None
        if hit is None or self._anchor is None:
            return self._last
        self._turn += world.turn_of(self._anchor.surface)
        return np.array(hit.position, dtype=np.float64) + self._height * self._up


def _turned(step: np.ndarray, angle: float) -> np.ndarray:
    """A step turned about Z."""
    s, c = sin(angle), cos(angle)
    return np.array([c * step[0] - s * step[1], s * step[0] + c * step[1], step[2]])
