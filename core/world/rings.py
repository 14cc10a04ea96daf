"""Round walls: a column, or a ring of wall around a round yard, upright, with a level top."""

from __future__ import annotations

from math import hypot, inf, sqrt

from .solid import Contact, Ray, Solid

ROUNDING = 1e-12


class Ring(Solid):
    """Solid between two radii about an upright axis at (x, y), from one height to another; a column where `inner` is 0.

    Faces: 0 the outer wall, 1 the inner wall, 2 the top, 3 the bottom.
    """

    def __init__(self, x: float, y: float, inner: float, outer: float, heights: tuple[float, float]) -> None:
        self.x, self.y, self.inner, self.outer = x, y, inner, outer
        self.low, self.high = heights

    def ray(self, ray: Ray) -> Contact | None:
        """The first of its faces along the ray."""
        best: Contact | None = None
        for found in (*self._walls(ray), *self._flats(ray)):
            if found.distance <= ray.distance and (best is None or found.distance < best.distance):
                best = found
        return best

    def _walls(self, ray: Ray) -> list[Contact]:
        ox, oy, oz, dx, dy, dz, _ = ray
        ox, oy = ox - self.x, oy - self.y
        a, b = dx * dx + dy * dy, ox * dx + oy * dy
        found = []
        for face, radius in ((0, self.outer), (1, self.inner)):
            square = b * b - a * (ox * ox + oy * oy - radius * radius)
            if a <= ROUNDING or radius <= 0.0 or square < 0.0:
                continue
            for t in ((-b - sqrt(square)) / a, (-b + sqrt(square)) / a):
                z = oz + dz * t
                if t >= 0.0 and self.low <= z <= self.high:
                    px, py = ox + dx * t, oy + dy * t
                    side = -1.0 if px * dx + py * dy > 0.0 else 1.0
                    nx, ny = side * px / radius, side * py / radius
                    found.append(Contact(t, px + self.x, py + self.y, z, nx, ny, 0.0, 0, face))
        return found

    def _flats(self, ray: Ray) -> list[Contact]:
        ox, oy, oz, dx, dy, dz, _ = ray
        found = []
        for face, level in ((2, self.high), (3, self.low)):
            t = (level - oz) / dz if dz != 0.0 else -1.0
            x, y = ox + dx * t, oy + dy * t
            if t >= 0.0 and self.inner <= hypot(x - self.x, y - self.y) <= self.outer:
                found.append(Contact(t, x, y, level, 0.0, 0.0, -1.0 if dz > 0.0 else 1.0, 0, face))
        return found

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The closest place of all faces."""
        px, py = x - self.x, y - self.y
        out = hypot(px, py)
        ex, ey = (px / out, py / out) if out > 0.0 else (1.0, 0.0)
        ring = min(max(out, self.inner), self.outer)
        level = min(max(z, self.low), self.high)
        places = [(self.outer, level, 0), (ring, self.high, 2), (ring, self.low, 3)]
        if self.inner > 0.0:
            places.append((self.inner, level, 1))
        gap, radius, height, face = min((hypot(r - out, h - z), r, h, f) for r, h, f in places)
        if gap > min(distance, inf):
            return None
        if gap > 0.0:
            away, up = (out - radius) / gap, (z - height) / gap
        else:
            away, up = ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))[face]
        at = (self.x + ex * radius, self.y + ey * radius, height)
        return Contact(gap, *at, ex * away, ey * away, up, 0, face)

    def height(self, x: float, y: float) -> float | None:
        """The top."""
        return self.high if self.inner <= hypot(x - self.x, y - self.y) <= self.outer else None

    def is_inside(self, x: float, y: float, z: float) -> bool:
        """True between all faces."""
        return self.inner < hypot(x - self.x, y - self.y) < self.outer and self.low < z < self.high
