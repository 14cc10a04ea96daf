"""Grounds whose height changes in both directions: smooth hills, random blocks, a plane with a hole."""

from __future__ import annotations

from math import cos, floor, hypot, inf, pi, sin, sqrt
from random import Random

from .solid import Contact, Ray, Solid

NEAR = 0.3
"""Metres from a hill within which the place straight below leads to the closest one."""


class Hills(Solid):
    """z = height + amplitude cos(kx) cos(ky), k = 2 pi / wavelength: crests and hollows, steepest slope k amplitude."""

    def __init__(self, amplitude: float = 0.3, wavelength: float = 4.0, height: float = 0.0) -> None:
        self.amplitude = amplitude
        self.wave = 2.0 * pi / wavelength
        self.level = height
        self.steepest = abs(amplitude) * self.wave

    def height(self, x: float, y: float) -> float:
        """The ground's height."""
        return self.level + self.amplitude * cos(self.wave * x) * cos(self.wave * y)

    def gradient(self, x: float, y: float) -> tuple[float, float]:
        """The rise per metre along X and Y."""
        k, a = self.wave, self.amplitude * self.wave
        return -a * sin(k * x) * cos(k * y), -a * cos(k * x) * sin(k * y)

    def _contact(self, distance: float, x: float, y: float, z: float, side: float) -> Contact:
        gx, gy = self.gradient(x, y)
        scale = (1.0 if side >= 0.0 else -1.0) / sqrt(gx * gx + gy * gy + 1.0)
        return Contact(distance, x, y, z, -gx * scale, -gy * scale, scale, 0, 0)

    def ray(self, ray: Ray) -> Contact | None:
        """An upright ray in closed form; any other advances by what the steepest slope allows, so it skips no crest."""
        ox, oy, oz, dx, dy, dz, distance = ray
        over = oz - self.height(ox, oy)
        if dx == 0.0 and dy == 0.0:
            t = -over / dz
            return self._contact(t, ox, oy, oz + dz * t, -dz) if 0.0 <= t <= distance else None
        closing = abs(dz) + self.steepest * hypot(dx, dy)
        side, t = over if over else -dz, 0.0
        beyond = abs(self.amplitude) + abs(oz - self.level)
        reach = min(distance, 2.0 * beyond / abs(dz)) if dz else distance
        while t <= reach and t < 1.0e4:
            x, y, z = ox + dx * t, oy + dy * t, oz + dz * t
            gap = abs(z - self.height(x, y))
            if gap < 1e-9:
                return self._contact(t, x, y, self.height(x, y), side)
            t += gap / closing
        return None

    def sphere(self, ray: Ray, radius: float) -> Contact | None:
        """The first touch of a sphere: by what the steepest slope allows while far off, then by the clearance."""
        ox, oy, oz, dx, dy, dz, distance = ray
        way = 0.0
        while way <= distance:
            x, y, z = ox + dx * way, oy + dy * way, oz + dz * way
            least = abs(z - self.height(x, y)) / sqrt(1.0 + self.steepest**2) - radius
            if least < NEAR:
                found = super().sphere(Ray(x, y, z, dx, dy, dz, distance - way), radius)
                return None if found is None else found._replace(distance=found.distance + way)
            way += least
        return None

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The foot of the perpendicular, by projecting on the tangent plane until it stays."""
        u, v = self._near_start(x, y, z)
        for _ in range(60):
            gx, gy = self.gradient(u, v)
            over = z - self.height(u, v)
            # What is left of the way to the asker, in x and y, after its part along the normal is taken off.
            lift = (over - (x - u) * gx - (y - v) * gy) / (1.0 + gx * gx + gy * gy)
            du, dv = (x - u) + lift * gx, (y - v) + lift * gy
            u, v = u + 0.7 * du, v + 0.7 * dv
            if abs(du) + abs(dv) < 1e-10:
                break
        w = self.height(u, v)
        gap = sqrt((x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2)
        return self._contact(gap, u, v, w, z - w) if gap <= distance else None

    def _near_start(self, x: float, y: float, z: float) -> tuple[float, float]:
        """Where to begin: below the asker, or, from further off, the closest of a raster of places around."""
        over = abs(z - self.height(x, y))
        if over < NEAR:
            return x, y
        step = pi / (8.0 * self.wave)
        count = min(32, floor(over / step) + 1)
        places = [(x + step * i, y + step * j) for i in range(-count, count + 1) for j in range(-count, count + 1)]
        return min(places, key=lambda p: (p[0] - x) ** 2 + (p[1] - y) ** 2 + (z - self.height(*p)) ** 2)


class Blocks(Solid):
    """An endless pavement of square blocks, `size` metres wide, each as high as its seed says between low and high."""

    def __init__(self, seed: int, size: float = 0.5, low: float = 0.0, high: float = 0.2) -> None:
        self.seed, self.size, self.low, self.high = seed, size, low, high
        self._tops: dict[tuple[int, int], float] = {}

    def top(self, i: int, j: int) -> float:
        """The height of the block that covers [i, i+1) x [j, j+1) sizes."""
        known = self._tops.get((i, j))
        if known is None:
            known = Random(f"{self.seed} {i} {j}").uniform(self.low, self.high)
            self._tops[i, j] = known
        return known

    def height(self, x: float, y: float) -> float:
        """The height of the block there."""
        return self.top(floor(x / self.size), floor(y / self.size))

    def _face(self, i: int, j: int) -> int:
        return ((i & 0x3FFF) << 14) | (j & 0x3FFF)

    def ray(self, ray: Ray) -> Contact | None:
        """From block to block along the ray: each one's top, then the riser to the next."""
        ox, oy, oz, dx, dy, dz, distance = ray
        i, j = floor(ox / self.size), floor(oy / self.size)
        t = 0.0
        while t <= distance and t < 1.0e4:
            top = self.top(i, j)
            tx, ty = self._leave(ox, dx, i), self._leave(oy, dy, j)
            out = min(tx, ty, distance)
            across = (top - oz) / dz if dz else inf
            if t <= across <= out:
                side = 1.0 if dz < 0.0 else -1.0
                return Contact(across, ox + dx * across, oy + dy * across, top, 0.0, 0.0, side, 0, self._face(i, j))
            if out >= distance:
                return None
            here = (i, j)
            step_x = tx <= ty
            if step_x:
                i += 1 if dx > 0.0 else -1
            else:
                j += 1 if dy > 0.0 else -1
            z = oz + dz * out
            other = self.top(i, j)
            if min(top, other) <= z <= max(top, other):
                higher = (i, j) if other > top else here
                nx = (-1.0 if dx > 0.0 else 1.0) if step_x else 0.0
                ny = 0.0 if step_x else (-1.0 if dy > 0.0 else 1.0)
                return Contact(out, ox + dx * out, oy + dy * out, z, nx, ny, 0.0, 0, self._face(*higher))
            t = out
        return None

    def _leave(self, o: float, d: float, i: int) -> float:
        if d == 0.0:
            return inf
        return ((i + (1 if d > 0.0 else 0)) * self.size - o) / d

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The closest top or riser of the blocks in reach."""
        size = self.size
        reach = min(distance, abs(z - self.height(x, y)))
        best, at, face = inf, (x, y, z), 0
        for i in range(floor((x - reach) / size), floor((x + reach) / size) + 1):
            for j in range(floor((y - reach) / size), floor((y + reach) / size) + 1):
                for place in self._places(i, j, x, y, z):
                    gap = sqrt((place[0] - x) ** 2 + (place[1] - y) ** 2 + (place[2] - z) ** 2)
                    if gap < best:
                        best, at, face = gap, place, self._face(i, j)
        if best > distance:
            return None
        normal = (0.0, 0.0, 1.0)
        if best > 0.0:
            normal = ((x - at[0]) / best, (y - at[1]) / best, (z - at[2]) / best)
        return Contact(best, *at, *normal, 0, face)

    def _places(self, i: int, j: int, x: float, y: float, z: float) -> list[tuple[float, float, float]]:
        """The closest places of one block: on its top and on the risers at its low-X and low-Y side."""
        size, top = self.size, self.top(i, j)
        u = min(max(x, i * size), (i + 1) * size)
        v = min(max(y, j * size), (j + 1) * size)
        west, south = self.top(i - 1, j), self.top(i, j - 1)
        return [
            (u, v, top),
            (i * size, v, min(max(z, min(top, west)), max(top, west))),
            (u, j * size, min(max(z, min(top, south)), max(top, south))),
        ]


class Hole(Solid):
    """A level plane with a bottomless rectangular hole: centre (x, y), width along X, length along Y."""

    def __init__(self, x: float, y: float, width: float, length: float, height: float = 0.0) -> None:
        self.x, self.y, self.level = x, y, height
        self.half = (width / 2.0, length / 2.0)

    def _over_hole(self, x: float, y: float) -> bool:
        return abs(x - self.x) < self.half[0] and abs(y - self.y) < self.half[1]

    def height(self, x: float, y: float) -> float | None:
        """The plane's height, None over the hole."""
        return None if self._over_hole(x, y) else self.level

    def ray(self, ray: Ray) -> Contact | None:
        """The plane, unless the ray passes through the hole."""
        ox, oy, oz, dx, dy, dz, distance = ray
        if dz == 0.0:
            return None
        t = (self.level - oz) / dz
        x, y = ox + dx * t, oy + dy * t
        if not 0.0 <= t <= distance or self._over_hole(x, y):
            return None
        return Contact(t, x, y, self.level, 0.0, 0.0, 1.0 if dz < 0.0 else -1.0, 0, 0)

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """Straight down on the plane; over the hole, its nearest edge."""
        u, v = x, y
        if self._over_hole(x, y):
            to_x, to_y = self.half[0] - abs(x - self.x), self.half[1] - abs(y - self.y)
            if to_x <= to_y:
                u = self.x + (self.half[0] if x >= self.x else -self.half[0])
            else:
                v = self.y + (self.half[1] if y >= self.y else -self.half[1])
        gap = sqrt((x - u) ** 2 + (y - v) ** 2 + (z - self.level) ** 2)
        if gap > distance:
            return None
        normal = ((x - u) / gap, (y - v) / gap, (z - self.level) / gap) if gap > 0.0 else (0.0, 0.0, 1.0)
        return Contact(gap, u, v, self.level, *normal, 0, 0)
