"""Grounds all around: a box to walk in or on, and a pipe to walk round in."""

from __future__ import annotations

from math import hypot, inf, sqrt

from .solid import Contact, Place, Ray, Solid


class Box(Solid):
    """The six faces of a box along the axes, from one corner to the opposite one: a room inside, a block outside."""

    def __init__(self, low: Place, high: Place) -> None:
        self.low, self.high = low, high
        # The axis that each face is square to, and where on it; the face's number is its place here.
        self._faces = [(axis, corner[axis]) for axis in range(3) for corner in (low, high)]

    def ray(self, ray: Ray) -> Contact | None:
        """The first face along the ray, from whichever side."""
        origin, direction = ray[:3], ray[3:6]
        best, best_face = ray.distance, -1
        for face, (axis, at) in enumerate(self._faces):
            if direction[axis] == 0.0:
                continue
            t = (at - origin[axis]) / direction[axis]
            if 0.0 <= t <= best and (t < best or best_face < 0) and self._on_face(face, origin, direction, t):
                best, best_face = t, face
        if best_face < 0:
            return None
        x, y, z = (o + d * best for o, d in zip(origin, direction, strict=True))
        axis, _ = self._faces[best_face]
        nx, ny, nz = (0.0 if k != axis else -1.0 if direction[axis] > 0.0 else 1.0 for k in range(3))
        return Contact(best, x, y, z, nx, ny, nz, 0, best_face)

    def _on_face(self, face: int, origin: tuple[float, ...], direction: tuple[float, ...], t: float) -> bool:
        axis, _ = self._faces[face]
        others = [k for k in range(3) if k != axis]
        return all(self.low[k] <= origin[k] + direction[k] * t <= self.high[k] for k in others)

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The closest place of all faces."""
        asked = (x, y, z)
        out = [axis for axis in range(3) if not self.low[axis] <= asked[axis] <= self.high[axis]]
        if out:
            return self._near_outside(asked, out[0], distance)
        best, best_face, best_place = distance, -1, asked
        for face, (axis, at) in enumerate(self._faces):
            place = [min(max(p, a), b) for p, a, b in zip(asked, self.low, self.high, strict=True)]
            place[axis] = at
            gap = sqrt(sum((p - q) ** 2 for p, q in zip(place, asked, strict=True)))
            if gap <= best and (gap < best or best_face < 0):
                best, best_face, best_place = gap, face, (place[0], place[1], place[2])
        if best_face < 0:
            return None
        if best > 0.0:
            normal = [(p - q) / best for p, q in zip(asked, best_place, strict=True)]
        else:
            normal = [0.0, 0.0, 0.0]
            normal[self._faces[best_face][0]] = 1.0
        return Contact(best, *best_place, normal[0], normal[1], normal[2], 0, best_face)

    def _near_outside(self, asked: Place, axis: int, distance: float) -> Contact | None:
        """The same from outside, past the face that is square to an axis: what is nearest is beside it on all axes."""
        (x, y, z), (ax, ay, az), (bx, by, bz) = asked, self.low, self.high
        px, py, pz = min(max(x, ax), bx), min(max(y, ay), by), min(max(z, az), bz)
        dx, dy, dz = x - px, y - py, z - pz
        gap = sqrt(dx * dx + dy * dy + dz * dz)
        if gap > distance:
            return None
        face = 2 * axis + (asked[axis] > self.high[axis])
        return Contact(gap, px, py, pz, dx / gap, dy / gap, dz / gap, 0, face)

    def height(self, x: float, y: float) -> float | None:
        """The top face."""
        inside = self.low[0] <= x <= self.high[0] and self.low[1] <= y <= self.high[1]
        return self.high[2] if inside else None


class Block(Box):
    """A box that is solid: who is inside of it is behind its faces."""

    def is_inside(self, x: float, y: float, z: float) -> bool:
        """True between all faces."""
        return all(a < p < b for a, p, b in zip(self.low, (x, y, z), self.high, strict=True))


class Pipe(Solid):
    """A round pipe along X, endless: its axis at y = 0 and so high that its lowest line is at z = 0."""

    def __init__(self, radius: float) -> None:
        self.radius = radius

    def ray(self, ray: Ray) -> Contact | None:
        """The first meeting with the wall, from inside or outside."""
        ox, oy, oz, dx, dy, dz, distance = ray
        z = oz - self.radius
        a, b, c = dy * dy + dz * dz, oy * dy + z * dz, oy * oy + z * z - self.radius * self.radius
        disc = b * b - a * c
        if a == 0.0 or disc < 0.0:
            return None
        root = sqrt(disc)
        ways = [t for t in ((-b - root) / a, (-b + root) / a) if 0.0 <= t <= distance]
        if not ways:
            return None
        t = min(ways)
        y, z = oy + dy * t, z + dz * t
        side = -1.0 if y * dy + z * dz > 0.0 else 1.0
        ny, nz = side * y / self.radius, side * z / self.radius
        return Contact(t, ox + dx * t, y, z + self.radius, 0.0, ny, nz, 0, 0)

    def near(self, x: float, y: float, z: float, distance: float) -> Contact | None:
        """The closest place, straight out from the axis."""
        z -= self.radius
        out = hypot(y, z)
        ey, ez = (y / out, z / out) if out > 0.0 else (0.0, -1.0)
        gap = abs(self.radius - out)
        if gap > min(distance, inf):
            return None
        side = -1.0 if out <= self.radius else 1.0
        return Contact(gap, x, ey * self.radius, ez * self.radius + self.radius, 0.0, side * ey, side * ez, 0, 0)

    def height(self, _x: float, y: float) -> float | None:
        """Its topmost line's height."""
        inside = self.radius * self.radius - y * y
        return self.radius + sqrt(inside) if inside >= 0.0 else None
