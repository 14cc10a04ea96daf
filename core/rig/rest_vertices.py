"""A character's skin at rest, as far as rig reading looks at it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

# A vertex belongs to a bone that moves it at least by this share.
LEAST_WEIGHT = 0.3


@dataclass(frozen=True)
class RestVertices:
    """Skin at rest: one row for each vertex and bone that moves it. points (n, 3) model space; bones, weights (n,)."""

    points: np.ndarray
    bones: np.ndarray
    weights: np.ndarray

    def of(self, bones: Iterable[int]) -> np.ndarray:
        """The points that these bones move, (m, 3)."""
        chosen = np.isin(self.bones, np.fromiter(bones, dtype=np.int64)) & (self.weights >= LEAST_WEIGHT)
        return self.points[chosen]

    def turned(self, yaw: float) -> RestVertices:
        """The same vertices after a turn about +Z."""
        c, s = np.cos(yaw), np.sin(yaw)
        turn = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
        return RestVertices(self.points @ turn.T, self.bones, self.weights)
