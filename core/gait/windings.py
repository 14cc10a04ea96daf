"""The serpenoid curve, on which a body without legs winds: its heading is a sine of the way along it.

Source: S. Hirose, "Biologically Inspired Robots: Snake-Like Locomotors and Manipulators" (1993).
"""

from __future__ import annotations

from bisect import bisect_right
from math import cos, pi, sin

SAMPLES = 64


class Windings:
    """One winding: how far it is beside its middle line, by how far along that line."""

    def __init__(self, angle: float, wave: float) -> None:
        """`angle` is the most that it turns off the middle line, `wave` a winding's length along the body, metres."""
        xs, ys = [0.0], [0.0]
        for k in range(SAMPLES):
            turn = angle * cos(2.0 * pi * (k + 0.5) / SAMPLES)
            xs.append(xs[-1] + cos(turn) * wave / SAMPLES)
            ys.append(ys[-1] + sin(turn) * wave / SAMPLES)
        self.period = xs[-1]
        self._xs, self._ys = xs, ys

    def beside(self, phase: float) -> float:
        """Metres to the left."""
        x = phase % 1.0 * self.period
        k = min(bisect_right(self._xs, x), SAMPLES) - 1
        share = (x - self._xs[k]) / (self._xs[k + 1] - self._xs[k])
        return self._ys[k] + share * (self._ys[k + 1] - self._ys[k])
