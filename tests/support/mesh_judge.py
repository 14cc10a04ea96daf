"""Whether a capsule is inside of triangles, told exactly and without asking the code that moves it.

Distances are those of a segment (the capsule's axis) to each triangle in closed form (Ericson, Real-Time Collision
Detection, 5.1); what is enclosed by a closed mesh is told by its winding number (van Oosterom and Strackee 1983). World
space, metres, double precision.
"""

from __future__ import annotations

import numpy as np

Triple = tuple[float, float, float]
TINY = 1e-12
ENCLOSED = 0.5
"""A winding number of more than this is that of a place within."""


class Judge:
    """Triangles (n, 3, 3), and which of them belong to closed meshes, told apart by `owners` (n,), -1 for open ones."""

    def __init__(self, triangles: np.ndarray, owners: np.ndarray) -> None:
        self.triangles, self.owners = triangles, owners
        self._low, self._high = triangles.min(axis=1), triangles.max(axis=1)

    def part(self, low: np.ndarray, high: np.ndarray) -> Judge:
        """The judge of what is within a box, which is quicker."""
        within = ~((self._low > high) | (self._high < low)).any(axis=1)
        return Judge(self.triangles[within], self.owners[within])

    def depth(self, feet: Triple, height: float, radius: float) -> float:
        """How deep the nearest triangle is in an upright capsule, metres; negative where none touches it."""
        low = np.array(feet) + (0.0, 0.0, radius)
        high = np.array(feet) + (0.0, 0.0, height - radius)
        near = self._near(low, high, 2.0 * radius)
        return radius - float(_segment_distances(low, high, near).min()) if len(near) else -radius

    def is_enclosed(self, place: Triple) -> bool:
        """True where some closed mesh goes round a place."""
        closed = self.owners >= 0
        if not closed.any():
            return False
        angles = _solid_angles(self.triangles[closed] - np.array(place))
        return bool((np.bincount(self.owners[closed], weights=angles) / (4.0 * np.pi) > ENCLOSED).any())

    def is_crossed(self, start: Triple, end: Triple) -> bool:
        """True where the straight way from one place to another goes through a triangle."""
        a, b = np.array(start), np.array(end)
        near = self._near(np.minimum(a, b), np.maximum(a, b), TINY)
        return bool(len(near)) and bool(_pierced(a, b, near).any())

    def _near(self, low: np.ndarray, high: np.ndarray, reach: float) -> np.ndarray:
        apart = (self._low > high + reach) | (self._high < low - reach)
        return self.triangles[~apart.any(axis=1)]


def _segment_distances(low: np.ndarray, high: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n,) distances of a segment to triangles: 0 where it pierces one, else from its ends or between edges."""
    found = np.minimum(_point_distances(low, triangles), _point_distances(high, triangles))
    for k in range(3):
        found = np.minimum(found, _edge_distances(low, high, triangles[:, k], triangles[:, (k + 1) % 3]))
    return np.where(_pierced(low, high, triangles), 0.0, found)


def _point_distances(place: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n,) distances of a place to triangles' planes where it is over them, else infinite: edges are told apart."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    over = size > TINY
    for start, end in ((a, b), (b, c), (c, a)):
        over &= np.einsum("ij,ij->i", np.cross(end - start, place - start), normal) >= 0.0
    height = np.abs(np.einsum("ij,ij->i", place - a, normal)) / np.maximum(size, TINY)
    return np.where(over, height, np.inf)


def _edge_distances(low: np.ndarray, high: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """(n,) distances of one segment to others: the nearest of both lines, kept within both."""
    d1, d2, r = high - low, end - start, low - start
    a, e = float(d1 @ d1), np.einsum("ij,ij->i", d2, d2)
    b, c, f = d2 @ d1, r @ d1, np.einsum("ij,ij->i", d2, r)
    between = a * e - b * b
    s = np.clip(np.where(between > TINY, (b * f - c * e) / np.where(between > TINY, between, 1.0), 0.0), 0.0, 1.0)
    t = np.clip((b * s + f) / np.maximum(e, TINY), 0.0, 1.0)
    s = np.clip((b * t - c) / max(a, TINY), 0.0, 1.0)
    t = np.clip((b * s + f) / np.maximum(e, TINY), 0.0, 1.0)
    apart = r + s[:, None] * d1 - t[:, None] * d2
    return np.linalg.norm(apart, axis=1)


def _pierced(start: np.ndarray, end: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n,) whether a segment goes through each triangle (Möller and Trumbore 1997)."""
    a = triangles[:, 0]
    u, v, way = triangles[:, 1] - a, triangles[:, 2] - a, end - start
    p = np.cross(way, v)
    size = np.einsum("ij,ij->i", u, p)
    flat = np.abs(size) < TINY
    inverse = 1.0 / np.where(flat, 1.0, size)
    r = start - a
    q = np.cross(r, u)
    s = np.einsum("ij,ij->i", r, p) * inverse
    t = (q @ way) * inverse
    at = np.einsum("ij,ij->i", v, q) * inverse
    return ~flat & (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0) & (at >= 0.0) & (at <= 1.0)


def _solid_angles(triangles: np.ndarray) -> np.ndarray:
    """(n,) signed solid angles of triangles seen from the origin."""
    size = np.linalg.norm(triangles, axis=2)
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    volume = np.einsum("ij,ij->i", a, np.cross(b, c))
    flat = (
        size.prod(axis=1)
        + np.einsum("ij,ij->i", a, b) * size[:, 2]
        + np.einsum("ij,ij->i", b, c) * size[:, 0]
        + np.einsum("ij,ij->i", c, a) * size[:, 1]
    )
    return 2.0 * np.arctan2(volume, flat)
