"""Grounds whose height changes along one heading only: a profile of straight pieces, endless to both sides.

All casts are closed forms in the plane of the profile: `s` metres along the heading, `z` up.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import cos, hypot, inf, sin, sqrt, tan

from .solid import Contact, Ray, Solid

FAR = 1.0e5
"""How far the end pieces of a profile go, metres."""

Piece = tuple[float, float, float, float]
"""One straight piece of a profile: (s, z) of its near and far end, in order along the heading."""


class Extruded(Solid):
    """Straight pieces along a heading (radians; 0 leads to -Y); missing pieces are gaps, upright ones risers."""

    def __init__(self, pieces: list[Piece], heading: float = 0.0) -> None:
        self.along = (sin(heading), -cos(heading))
        self.pieces = pieces
        self._level = [(i, p) for i, p in enumerate(pieces) if p[2] > p[0]]
        self._starts = [p[0] for _, p in self._level]
        self._nears = [p[0] for p in pieces]
        self._fars = [p[2] for p in pieces]

    def height(self, x: float, y: float) -> float | None:
        """The ground's height, the upper one at a riser."""
        s = x * self.along[0] + y * self.along[1]
        tops = [z for _, z in self._levels_at(s)]
        return max(tops) if tops else None

    def _levels_at(self, s: float) -> list[tuple[int, float]]:
        """(piece, height) of the pieces over `s`: one, or two where they meet."""
        found = []
        k = bisect_right(self._starts, s) - 1
        for j in (k, k - 1):
            if j >= 0:
                i, (s0, z0, s1, z1) = self._level[j]
                if s <= s1:
                    found.append((i, z0 + (z1 - z0) * (s - s0) / (s1 - s0)))
        return found

    def _between(self, low: float, high: float) -> range:
        """The pieces that reach into a stretch of the profile."""
        return range(bisect_left(self._fars, low), bisect_right(self._nears, high))

    def _contact(self, t: float, ray: Ray, n: Normal, face: int) -> Contact:
        ax, ay = self.along
        ox, oy, oz, dx, dy, dz, _ = ray
        return Contact(t, ox + dx * t, oy + dy * t, oz + dz * t, n[0] * ax, n[0] * ay, n[1], 0, face)

    def ray(self, ray: Ray) -> Contact | None:
        """The first piece along the ray."""
        ox, oy, oz, dx, dy, dz, distance = ray
        ax, ay = self.along
        s = ox * ax + oy * ay
        ds = dx * ax + dy * ay
        if ds == 0.0:
            return self._upright_ray(s, ray)
        end = s + ds * min(distance, FAR)
        best, best_i = distance, -1
        for i in self._between(min(s, end), max(s, end)):
            t = _crossing(self.pieces[i], s, oz, ds, dz)
            if 0.0 <= t <= best and (t < best or best_i < 0):
                best, best_i = t, i
        if best_i < 0:
            return None
        normal = _normal_towards(self.pieces[best_i], s, oz, -ds, -dz)
        return self._contact(best, ray, normal, best_i)

    def _upright_ray(self, s: float, ray: Ray) -> Contact | None:
        dz, oz, distance = ray.dz, ray.oz, ray.distance
        if dz == 0.0:
            return None
        best, best_i = distance, -1
        for i, z in self._levels_at(s):
            t = (z - oz) / dz
            if 0.0 <= t <= best and (t < best or best_i < 0):
                best, best_i = t, i
        if best_i < 0:
            return None
        return self._contact(best, ray, _normal_towards(self.pieces[best_i], s, oz, 0.0, -dz), best_i)

    def sphere(self, ray: Ray, radius: float) -> Contact | None:
        """The first touch of a sphere: a disc that sweeps past pieces and corners in the plane of the profile."""
        ox, oy, oz, dx, dy, dz, distance = ray
        touched = self.near(ox, oy, oz, radius)
        if touched is not None:
            return touched._replace(distance=0.0)
        ax, ay = self.along
        s, ds = ox * ax + oy * ay, dx * ax + dy * ay
        end = s + ds * min(distance, FAR)
        best, best_i, normal = distance, -1, (0.0, 1.0)
        for i in self._between(min(s, end) - radius, max(s, end) + radius):
            t, n = _disc_touch(self.pieces[i], s, oz, ds, dz, radius)
            if t <= best and (t < best or best_i < 0):
                best, best_i, normal = t, i, n
        if best_i < 0:
            return None
        centre = self._contact(best, ray, normal, best_i)
        return centre._replace(
            x=centre.x - radius * centre.nx, y=centre.y - radius * centre.ny, z=centre.z - radius * centre.nz
        )

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The closest place of the profile, straight across."""
        ax, ay = self.along
        s = x * ax + y * ay
        best, best_i, at = distance, -1, (0.0, 0.0)
        for i in self._between(s - min(distance, FAR), s + min(distance, FAR)):
            place = _closest(self.pieces[i], s, z)
            gap = hypot(place[0] - s, place[1] - z)
            if gap <= best and (gap < best or best_i < 0):
                best, best_i, at = gap, i, place
        if best_i < 0:
            return None
        if best > 0.0:
            n = ((s - at[0]) / best, (z - at[1]) / best)
        else:
            n = _normal_towards(self.pieces[best_i], s, z, 0.0, 1.0)
        shift = at[0] - s
        return Contact(best, x + shift * ax, y + shift * ay, at[1], n[0] * ax, n[0] * ay, n[1], 0, best_i)


Normal = tuple[float, float]


def _normal_towards(piece: Piece, s: float, z: float, to_s: float, to_z: float) -> Normal:
    """The piece's unit normal on the side of (s, z); for a place on the piece, on the side of `to`."""
    s0, z0, s1, z1 = piece
    length = hypot(s1 - s0, z1 - z0)
    n = (-(z1 - z0) / length, (s1 - s0) / length)
    side = (s - s0) * n[0] + (z - z0) * n[1]
    if side == 0.0:
        side = to_s * n[0] + to_z * n[1]
    return n if side >= 0.0 else (-n[0], -n[1])


def _crossing(piece: Piece, s: float, z: float, ds: float, dz: float) -> float:
    """The way along a ray to a piece; infinite where it passes by."""
    s0, z0, s1, z1 = piece
    es, ez = s1 - s0, z1 - z0
    across = ds * ez - dz * es
    if across == 0.0:
        return inf
    t = ((s0 - s) * ez - (z0 - z) * es) / across
    share = ((s0 - s) * dz - (z0 - z) * ds) / across
    return t if t >= 0.0 and 0.0 <= share <= 1.0 else inf


def _disc_touch(piece: Piece, s: float, z: float, ds: float, dz: float, radius: float) -> tuple[float, Normal]:
    """The way of a disc's centre until it touches a piece, with the normal there; infinite where it passes by."""
    s0, z0, s1, z1 = piece
    n = _normal_towards(piece, s, z, -ds, -dz)
    shifted = (s0 + n[0] * radius, z0 + n[1] * radius, s1 + n[0] * radius, z1 + n[1] * radius)
    t = _crossing(shifted, s, z, ds, dz)
    if t < inf:
        return t, n
    corners = [(_corner_touch(cs - s, cz - z, ds, dz, radius), cs, cz) for cs, cz in ((s0, z0), (s1, z1))]
    t, cs, cz = min(corners)
    if t == inf:
        return inf, n
    return t, ((s + ds * t - cs) / radius, (z + dz * t - cz) / radius)


def _corner_touch(s: float, z: float, ds: float, dz: float, radius: float) -> float:
    """The way of a disc's centre until it touches a corner at (s, z) from it; infinite where it passes by."""
    a = ds * ds + dz * dz
    b = s * ds + z * dz
    disc = b * b - a * (s * s + z * z - radius * radius)
    if a == 0.0 or disc < 0.0 or b < 0.0:
        return inf
    return max(0.0, (b - sqrt(disc)) / a)


def _closest(piece: Piece, s: float, z: float) -> tuple[float, float]:
    s0, z0, s1, z1 = piece
    es, ez = s1 - s0, z1 - z0
    share = ((s - s0) * es + (z - z0) * ez) / (es * es + ez * ez)
    share = min(1.0, max(0.0, share))
    return s0 + es * share, z0 + ez * share


class Flat(Extruded):
    """A level plane."""

    def __init__(self, height: float = 0.0) -> None:
        super().__init__([(-FAR, height, FAR, height)])


class Ramp(Extruded):
    """An inclined plane: up by `angle` (radians) along `heading`; level before `start` and after `length`, if given."""

    def __init__(self, angle: float, heading: float = 0.0, start: float | None = None, length: float = inf) -> None:
        rise = tan(angle)
        if start is None:
            pieces: list[Piece] = [(-FAR, -FAR * rise, FAR, FAR * rise)]
        elif length == inf:
            pieces = [(-FAR, 0.0, start, 0.0), (start, 0.0, FAR, (FAR - start) * rise)]
        else:
            end, top = start + length, length * rise
            pieces = [(-FAR, 0.0, start, 0.0), (start, 0.0, end, top), (end, top, FAR, top)]
        super().__init__(pieces, heading)


class Stairs(Extruded):
    """`count` steps of `rise` (negative: down) and `tread` from `start` metres along `heading`, level before and after.

    With a `landing` (metres) the flight ends in a level stretch of that length, and the same flight leads back.
    """

    def __init__(
        self,
        rise: float = 0.17,
        tread: float = 0.30,
        count: int = 10,
        heading: float = 0.0,
        start: float = 1.0,
        landing: float = 0.0,
    ) -> None:
        pieces: list[Piece] = [(-FAR, 0.0, start, 0.0)]
        steps = [(rise, tread)] * (count - 1)
        if landing > 0.0:
            steps += [(rise, landing)] + [(-rise, tread)] * (count - 1) + [(-rise, inf)]
        else:
            steps += [(rise, inf)]
        for up, run in steps:
            _, _, s, z = pieces[-1]
            pieces.append((s, z, s, z + up))
            pieces.append((s, z + up, min(s + run, FAR), z + up))
        super().__init__(pieces, heading)


class Gap(Extruded):
    """A level plane with a bottomless gap of `width` metres across `heading`, from `start` metres on."""

    def __init__(self, width: float, heading: float = 0.0, start: float = 1.0, height: float = 0.0) -> None:
        super().__init__([(-FAR, height, start, height), (start + width, height, FAR, height)], heading)
