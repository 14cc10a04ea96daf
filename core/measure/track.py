"""What is measured: places over frames, world space, metres. It may come from a bake, a mocap take or a formula."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..motion.planted import REFERENCE_LEG
from ..motion.spans import POINTS, Point

__all__ = ["POINTS", "REFERENCE_LEG", "FootTrack", "Point", "Track"]

# Between heel and ball a fall of more than this slope (27 degrees) may be an edge; metres below which it is noise.
EDGE_SLOPE, GROUND_NOISE = 0.5, 1e-5


@dataclass(frozen=True)
class FootTrack:
    """One foot over F frames.

    heel, ball: (F, 3), the sole's two ends (equal for a point foot). heel_ground, ball_ground: (F,), the ground's
    height under each, NaN where there is none. joints: (F, J, 3), from hip to tip. heel_local, ball_local: (F, 3),
    the same ends in the frame of ground that moves (z still up); there slide is measured. normals: (F, 3), for a foot
    that clings, the unit normal of the surface that it is on or nearest to: heights are along that then.
    """

    role: str
    heel: np.ndarray
    ball: np.ndarray
    heel_ground: np.ndarray
    ball_ground: np.ndarray
    joints: np.ndarray
    heel_local: np.ndarray | None = None
    ball_local: np.ndarray | None = None
    normals: np.ndarray | None = None

    def places(self, point: Point) -> np.ndarray:
        """A sole point's world places, (F, 3)."""
        return self.heel if point == "heel" else self.ball

    def ground(self, point: Point) -> np.ndarray:
        """The ground's height under a sole point, (F,)."""
        return self.heel_ground if point == "heel" else self.ball_ground

    def clearance(self, point: Point) -> np.ndarray:
        """A sole point's height over the ground under it, (F,), NaN where there is none."""
        return self._along_normal(self.places(point)) - self.ground(point)

    def beyond_edge(self, point: Point) -> np.ndarray:
        """True where a sole point hangs beyond the edge of what the other one stands on, (F,).

        The ground under it is lower than under the other, by more than half of what they are apart, and the foot
        does not follow it down: more than half of the fall is air. Two points cannot tell this from a foot that
        is lifted off a slope of 27 degrees or more.
        """
        other: Point = "ball" if point == "heel" else "heel"
        fall = self.ground(other) - self.ground(point)
        apart = np.linalg.norm(self._flat(self.heel - self.ball), axis=-1)
        return (fall > np.maximum(EDGE_SLOPE * apart, GROUND_NOISE)) & (self.clearance(point) > 0.5 * fall)

    def ground_places(self, point: Point) -> np.ndarray:
        """Where a sole point stands on the ground, (F, 3), in the ground's own frame where that is known.

        A point over no ground or beyond an edge stays where it is: it is not on what lies below.
        """
        local = self.heel_local if point == "heel" else self.ball_local
        places = np.array(self.places(point) if local is None else local, dtype=np.float64)
        over = np.where(self.beyond_edge(point), 0.0, np.nan_to_num(self.clearance(point)))
        if self.normals is None:
            places[:, 2] -= over
            return places
        return places - over[:, None] * self.normals

    def _along_normal(self, places: np.ndarray) -> np.ndarray:
        return places[:, 2] if self.normals is None else np.einsum("fi,fi->f", places, self.normals)

    def _flat(self, ways: np.ndarray) -> np.ndarray:
        """What of ways (F, 3) goes along the surface."""
        if self.normals is None:
            return ways[:, :2]
        return ways - self._along_normal(ways)[:, None] * self.normals


@dataclass(frozen=True)
class Track:
    """A character over F frames. frames: (F,), rising by one; body: (F, 3); heading: (F,), 0 faces -Y, radians."""

    fps: float
    frames: np.ndarray
    feet: tuple[FootTrack, ...]
    body: np.ndarray
    heading: np.ndarray
    leg_length: float

    def __post_init__(self) -> None:
        """Refuse arrays of different lengths before a number comes out of them."""
        count = len(self.frames)
        arrays = {"body": self.body, "heading": self.heading}
        for foot in self.feet:
            for name in ("heel", "ball", "heel_ground", "ball_ground", "joints", "heel_local", "ball_local", "normals"):
                if getattr(foot, name) is not None:
                    arrays[f"{foot.role} {name}"] = getattr(foot, name)
        for name, array in arrays.items():
            if len(array) != count:
                raise ValueError(f"{name} has {len(array)} rows for {count} frames; sample it at every frame.")
        if count > 1 and not np.allclose(np.diff(self.frames), 1.0):
            raise ValueError("The frames must rise by one; sample every frame of the range.")

    @property
    def scale(self) -> float:
        """The leg over the one that limits are stated for."""
        return self.leg_length / REFERENCE_LEG
