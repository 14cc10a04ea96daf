"""A chain moved as a whole: swung about its root, unfolded or curled evenly, turned about the line from root to tip.

Each of these keeps every segment's length and the root, and changes the shape no more than it must: an arc becomes a
flatter or a rounder arc. Points are plain floats, and relative to the root.
"""

from __future__ import annotations

from cmath import exp
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import atan2, cos, dist, hypot, pi, sin, sqrt
from typing import NamedTuple

from ..space.curves import share_of, smoothstep
from ..space.rigid import Triple, Turn, after, between, turned
from ..space.triples import NOTHING, dot, plus, product, scaled, square_to, unit
from .swing import OPPOSITE, TOLERANCE

Points = list[Triple]

HERE: Triple = (0.0, 0.0, 0.0)
# Twelve times the area between a chain and its chord, over its length squared, is the angle by which an arc bends.
FLAT, BENT = 0.02, 0.2
# A tip nearer to its root than this share of the length has no direction of its own.
CLOSED = 0.01
# A chain is curled in steps of this angle, up to two full circles more, until its tip comes near enough.
CURL, CURLS = pi / 2.0, 8
STEPS = 12


class Hints(NamedTuple):
    """Which way a straight chain bends: towards `first`; where it points along that, towards `second`."""

    first: Triple = (0.0, 0.0, 1.0)
    second: Triple = (0.0, -1.0, 0.0)


def toward(points: Points, lengths: Sequence[float], goal: Triple, share: float, hints: Hints, near: float) -> Points:
    """The chain with its tip brought a share of the way to `goal`: by distance, then by direction.

    points: relative to the root, which is the first. near: how exactly the distance is met, metres.
    """
    tip = points[-1]
    reach, wanted = hypot(*tip), hypot(*goal)
    whole = sum(lengths)
    line = direction_of(tip, goal, hints, whole)
    normal = bend_normal(points, line, hints, whole)
    distance = reach + share * (wanted - reach)
    if distance > reach + near:
        points = _unfolded(points, lengths, line, normal, distance, near)
    elif distance < reach - near:
        points = _curled(points, lengths, line, normal, distance, near)
    now = hypot(*points[-1])
    if wanted <= near or now <= NOTHING:
        return points
    return rotated(points, shared(swing(scaled(points[-1], 1.0 / now), scaled(goal, 1.0 / wanted), normal), share))


def straight(lengths: Sequence[float], line: Triple) -> Points:
    """A chain laid straight along a unit vector."""
    return [scaled(line, along) for along in accumulate(lengths, initial=0.0)]


def faced(points: Points, pole: Triple) -> Points:
    """The chain turned about the line from its root to its tip, so that it bulges to `pole` (relative to the root).

    Near that line a pole says nothing: within 17 degrees the turn fades out. Neither does it where the chain is
    straight.
    """
    tip = points[-1]
    reach, far = hypot(*tip), hypot(*pole)
    if reach <= NOTHING or far <= NOTHING:
        return points
    line = scaled(tip, 1.0 / reach)
    normal, wish = area(points), product(line, pole)
    wanted, have = hypot(*wish), hypot(*normal)
    normal = square_to(normal, line)
    across = hypot(*normal)
    if wanted <= NOTHING or across <= 1e-6 * reach * reach:
        return points
    angle = atan2(dot(line, product(normal, wish)), dot(normal, wish))
    angle *= smoothstep(share_of(min(wanted / far, across / have), 0.1, 0.3))
    return rotated(points, about(line, angle))


def area(points: Points) -> Triple:
    """The area between a chain and its chord as a vector: its normal is the axis about which an arc bends."""
    x = y = z = 0.0
    for (ax, ay, az), (bx, by, bz) in pairwise(points):
        x += ay * bz - az * by
        y += az * bx - ax * bz
        z += ax * by - ay * bx
    # From root over the joints to the tip a chain that bulges to p turns from p to the chord: line x p is its opposite.
    return -0.5 * x, -0.5 * y, -0.5 * z


def bend_normal(points: Points, line: Triple, hints: Hints, whole: float) -> Triple:
    """The unit normal of the plane that a chain bends in (line x bulge): its own; that of the hints if it is flat."""
    own = square_to(area(points), line)
    bend = 12.0 * hypot(*own) / (whole * whole)
    flat = 1.0 - smoothstep(share_of(bend, FLAT, BENT))
    first = product(line, hints.first)
    faint = 1.0 - smoothstep(share_of(hypot(*first), 0.1, 0.3))
    hinted = unit(plus(scaled(first, 1.0 - faint), scaled(product(line, hints.second), faint)), line)
    return unit(plus(scaled(unit(own, hinted), 1.0 - flat), scaled(hinted, flat)), hinted)


def direction_of(tip: Triple, goal: Triple, hints: Hints, whole: float) -> Triple:
    """The unit vector from root to tip; as the tip comes to the root that of the goal takes over."""
    reach, wanted = hypot(*tip), hypot(*goal)
    fade = max(0.0, CLOSED * whole - reach)
    if fade == 0.0:
        return scaled(tip, 1.0 / reach)
    other = scaled(goal, 1.0 / wanted) if wanted > NOTHING else product(hints.first, hints.second)
    return unit(plus(tip, scaled(other, fade)), other)


def _unfolded(
    points: Points, lengths: Sequence[float], line: Triple, normal: Triple, distance: float, near: float
) -> Points:
    """The chain with the angles of all its segments to `line` made smaller alike, until its tip is `distance` away.

    A segment that points straight back comes round by the side that the chain bulges to.
    """
    lx, ly, lz = line
    bulge = product(normal, line)
    parts: list[tuple[float, float, float, float, float]] = []
    ax, ay, az = points[0]
    for (bx, by, bz), length in zip(points[1:], lengths, strict=True):
        x, y, z = bx - ax, by - ay, bz - az
        ax, ay, az = bx, by, bz
        along = x * lx + y * ly + z * lz
        x, y, z = x - lx * along, y - ly * along, z - lz * along
        across = sqrt(x * x + y * y + z * z)
        if across > TOLERANCE * length:
            k = length / across
            parts.append((atan2(across, along), length, x * k, y * k, z * k))
        else:
            parts.append((atan2(across, along), length, *scaled(bulge, length)))

    def short_of(share: float) -> float:
        keep = 1.0 - share
        far = x = y = z = 0.0
        for angle, length, px, py, pz in parts:
            sine = sin(keep * angle)
            far += length * cos(keep * angle)
            x, y, z = x + px * sine, y + py * sine, z + pz * sine
        return sqrt(far * far + x * x + y * y + z * z) - distance

    keep = 1.0 - crossing(short_of, 0.0, short_of(0.0), 1.0, sum(lengths) - distance, near)
    x, y, z = HERE
    laid: Points = [HERE]
    for angle, length, px, py, pz in parts:
        sine, far = sin(keep * angle), length * cos(keep * angle)
        x, y, z = x + lx * far + px * sine, y + ly * far + py * sine, z + lz * far + pz * sine
        laid.append((x, y, z))
    return laid


def _curled(
    points: Points, lengths: Sequence[float], line: Triple, normal: Triple, distance: float, near: float
) -> Points:
    """The chain bent evenly along its length about `normal`, until its tip is `distance` away.

    A tangle that this brings no nearer is bent the other way round; one that stays away even so is laid as an arc, or
    folded over its longest segment.
    """
    even, plain = _evenly(lengths), straight(lengths, line)
    for shape, turns, way in ((points, even, 1.0), (points, even, -1.0), (plain, even, 1.0), (plain, (), 1.0)):
        arc = _Arc(shape, turns or _over_longest(lengths), line, normal)
        angle = arc.angle(distance, near, way)
        if angle is not None:
            return arc.bent(angle)
    return points


def _evenly(lengths: Sequence[float]) -> list[float]:
    """How far each segment's middle lies before or behind the chain's, a share of its length."""
    whole = sum(lengths)
    return [(end - 0.5 * length) / whole - 0.5 for end, length in zip(accumulate(lengths), lengths, strict=True)]


def _over_longest(lengths: Sequence[float]) -> list[float]:
    """What lies before the longest segment turns one way, what lies behind it the other."""
    longest = max(range(len(lengths)), key=lengths.__getitem__)
    return [float((k > longest) - (k < longest)) for k in range(len(lengths))]


class _Arc:
    """A chain that bends in a plane: there a segment is a complex number, and its height over the plane stays.

    turns: how far each segment turns for an angle of 1.
    """

    def __init__(self, points: Points, turns: Sequence[float], line: Triple, normal: Triple) -> None:
        side = product(line, normal)
        self.axes = line, side, normal
        (lx, ly, lz), (sx, sy, sz), (nx, ny, nz) = self.axes
        self.heights: list[float] = []
        self.parts: list[tuple[complex, complex]] = []
        ax, ay, az = points[0]
        for (bx, by, bz), turn in zip(points[1:], turns, strict=True):
            x, y, z = bx - ax, by - ay, bz - az
            self.parts.append((complex(x * lx + y * ly + z * lz, x * sx + y * sy + z * sz), complex(0.0, turn)))
            self.heights.append(x * nx + y * ny + z * nz)
            ax, ay, az = bx, by, bz
        self.height = sum(self.heights)

    def reach(self, angle: float) -> float:
        """How far the tip is from the root when the chain is bent by an angle more."""
        end = sum([part * exp(turn * angle) for part, turn in self.parts])
        return hypot(end.real, end.imag, self.height)

    def angle(self, distance: float, near: float, way: float) -> float | None:
        """The least angle, signed as `way`, at which the tip is `distance` away; None if it never comes there."""
        low, over = 0.0, self.reach(0.0) - distance
        for k in range(1, CURLS + 1):
            high = way * CURL * k
            under = self.reach(high) - distance
            if under <= 0.0:
                return crossing(lambda at: self.reach(at) - distance, low, over, high, under, near)
            low, over = high, under
        return None

    def bent(self, angle: float) -> Points:
        """The joints, bent by an angle more."""
        (lx, ly, lz), (sx, sy, sz), (nx, ny, nz) = self.axes
        laid: Points = [HERE]
        at, up = 0j, 0.0
        for (part, turn), rise in zip(self.parts, self.heights, strict=True):
            at += part * exp(turn * angle)
            up += rise
            a, b = at.real, at.imag
            laid.append((lx * a + sx * b + nx * up, ly * a + sy * b + ny * up, lz * a + sz * b + nz * up))
        return laid


def crossing(
    of: Callable[[float], float], low: float, at_low: float, high: float, at_high: float, near: float
) -> float:
    """Where a function is within `near` of zero between two places with opposite signs: a bracketed secant (Illinois).

    A fixed number of steps at most, the same every time.
    """
    last = 0
    at = low
    for _ in range(STEPS):
        if at_high == at_low:
            break
        at = (low * at_high - high * at_low) / (at_high - at_low)
        value = of(at)
        if abs(value) <= 0.1 * near:
            break
        if (value > 0.0) == (at_high > 0.0):
            high, at_high = at, value
            at_low *= 0.5 if last > 0 else 1.0
            last = 1
        else:
            low, at_low = at, value
            at_high *= 0.5 if last < 0 else 1.0
            last = -1
    return at


def rotated(points: Points, turn: Turn) -> Points:
    """Points after a turn about the root."""
    ax, ay, az = turned(turn, (1.0, 0.0, 0.0))
    bx, by, bz = turned(turn, (0.0, 1.0, 0.0))
    cx, cy, cz = turned(turn, (0.0, 0.0, 1.0))
    return [(ax * x + bx * y + cx * z, ay * x + by * y + cy * z, az * x + bz * y + cz * z) for x, y, z in points]


def swing(start: Triple, end: Triple, side: Triple) -> Turn:
    """The smallest turn from one unit vector to another; opposite ones turn about `side`."""
    if dot(start, end) > OPPOSITE:
        return between(start, end)
    axis = unit(square_to(side, start), start)
    half: Turn = (0.0, *axis)
    return after(between(turned(half, start), end), half)


def shared(turn: Turn, share: float) -> Turn:
    """A share of a turn, the short way."""
    if share >= 1.0:
        return turn
    w, x, y, z = turn
    sine = hypot(x, y, z)
    if sine <= NOTHING:
        return turn
    return about((x / sine, y / sine, z / sine), 2.0 * share * atan2(sine, w))


def about(axis: Triple, angle: float) -> Turn:
    """The turn by an angle about a unit vector."""
    sine = sin(0.5 * angle)
    return cos(0.5 * angle), axis[0] * sine, axis[1] * sine, axis[2] * sine


def apart(points: Sequence[Triple]) -> list[float]:
    """The lengths of a chain's segments."""
    return [dist(a, b) for a, b in pairwise(points)]
