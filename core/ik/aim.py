"""A turn shared by a chain of bones, so that its last one faces where it is wanted.

Directions are told by yaw and pitch in a frame that faces -Y with Z up: yaw to the left (+X), pitch up, radians. A turn
from one to another keeps the roll that the pose has about its line of sight, as a neck does that yaws about the body's
upright and pitches about the ears (Fick's order); near straight up or down, where yaw means nothing, it is the smallest
turn instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import acos, asin, atan2, cos, hypot, sin
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..space.curves import share_of, smoothstep
from .swing import aim

UP = Vector((0.0, 0.0, 1.0))
ACROSS = Vector((1.0, 0.0, 0.0))
# Cosines of pitch under which yaw says nothing, and over which it says all (80 and 65 degrees).
STEEP, PLAIN = 0.17, 0.42
# Directions are tried so often, until they agree (radians); a step is never relaxed to less than this.
ROUNDS, AGREED, SMALLEST = 12, 3e-4, 0.1


class Angles(NamedTuple):
    """A direction: yaw to the left, pitch up, radians."""

    yaw: float
    pitch: float


def angles_of(direction: Vector) -> Angles:
    """Yaw and pitch of a direction of any length but zero."""
    x, y, z = direction
    return Angles(atan2(x, -y) if x or y else 0.0, atan2(z, hypot(x, y)))


def direction_of(angles: Angles) -> Vector:
    """The unit vector with this yaw and pitch."""
    across = cos(angles.pitch)
    return Vector((across * sin(angles.yaw), -across * cos(angles.yaw), sin(angles.pitch)))


def between(start: Angles, end: Angles) -> float:
    """The angle between two directions, radians."""
    half = sin(0.5 * (end.pitch - start.pitch)) ** 2
    half += cos(start.pitch) * cos(end.pitch) * sin(0.5 * (end.yaw - start.yaw)) ** 2
    return 2.0 * asin(min(1.0, half**0.5))


class Facing:
    """What faces `start` in a frame, to be turned to face elsewhere. Frame and turns are of the same space."""

    __slots__ = ("_plain", "_undo", "frame", "start")

    def __init__(self, frame: Quaternion, start: Angles) -> None:
        self.frame = frame
        self.start = start
        self._plain = cos(start.pitch)
        self._undo = (frame @ _gimbal(start)).inverted()

    def turn(self, end: Angles) -> Quaternion:
        """The turn that makes it face `end`."""
        turn = self.frame @ _gimbal(end) @ self._undo
        if self._plain < PLAIN:
            least = aim(self.frame @ direction_of(self.start), self.frame @ direction_of(end), self.frame @ UP)
            turn = least.slerp(turn, smoothstep(share_of(self._plain, STEEP, PLAIN)))
        return turn if turn.w >= 0.0 else -turn


def nodding(facing: Facing, end: Angles, parts: Sequence[float], nods: Sequence[float]) -> list[Quaternion]:
    """What each bone of a chain turns by where yaw and pitch are shared apart: `parts` of the yaw, `nods` of the pitch.

    A nod may be more than the whole: a long neck that is laid down while the head is raised against it.
    """
    (yaw, pitch), (to, up) = facing.start, end
    return [
        facing.turn(Angles(yaw + (to - yaw) * part, pitch + (up - pitch) * nod))
        for part, nod in zip(parts, nods, strict=True)
    ]


def better(tried: Angles, found: Angles, before: tuple[Angles, Angles] | None) -> Angles:
    """The next direction to try where looking in `tried` moves the eye so that the target is seen in `found`.

    `before` is what was tried and found last: with it each angle goes by the secant instead of to what was found, which
    near targets would swing about.
    """
    if before is None:
        return found
    return Angles(*(_secant(*numbers) for numbers in zip(tried, found, *before, strict=True)))


def _secant(tried: float, found: float, tried_before: float, found_before: float) -> float:
    step = tried - tried_before
    slope = (found - found_before) / step if abs(step) > 1e-9 else 0.0
    return tried + (found - tried) / (1.0 - min(0.5, max(-3.0, slope)))


def settle(found: Callable[[Vector], Vector], tried: Vector) -> tuple[Vector, float]:
    """The direction in which one finds what one tries, and how far they are apart at last, radians.

    Where a target is seen depends on where a turn towards it takes the eye. Steps towards what was found are relaxed as
    they swing about (Aitken's method for vectors, Irons and Tuck 1969).
    """
    share, before, best = 1.0, None, (tried, 4.0)
    for _ in range(ROUNDS):
        way = found(tried) - tried
        off = way.length
        if off < best[1]:
            best = tried, off
        if off < AGREED:
            break
        if before is not None:
            change = way - before
            share = min(1.0, max(SMALLEST, -share * before.dot(change) / max(change.length_squared, 1e-12)))
        before = way
        following = tried + share * way
        if following.length < SMALLEST:
            break
        tried = following.normalized()
    return best


def _gimbal(angles: Angles) -> Quaternion:
    """Yaw about the upright, then pitch about the line through the ears."""
    yaw, pitch = 0.5 * angles.yaw, -0.5 * angles.pitch
    a, b, c, d = cos(yaw), sin(yaw), cos(pitch), sin(pitch)
    return Quaternion((a * c, a * d, b * d, b * c))


def level(turn: Quaternion, most: float) -> Quaternion:
    """A frame brought upright by the smallest turn, but by no more than `most`; from upside down about its X."""
    up = turn @ UP
    lean = acos(min(1.0, max(-1.0, up.z)))
    if lean < 1e-6:
        return turn
    upright = aim(up, UP, turn @ ACROSS)
    if lean > most:
        upright = Quaternion().slerp(upright, most / lean)
    return upright @ turn


class TurnedChain:
    """A chain's joints, and the point at its end that looks or aims."""

    __slots__ = ("end", "first", "steps")

    def __init__(self, joints: Sequence[Vector], end: Vector) -> None:
        places = (*joints, end)
        self.first = joints[0]
        self.end = end
        self.steps = [b - a for a, b in zip(places, places[1:], strict=False)]

    def moved_end(self, turns: Sequence[Quaternion]) -> Vector:
        """Where the point at the end of the chain goes as its bones turn: what looks or aims moves along."""
        place = self.first.copy()
        for turn, step in zip(turns, self.steps, strict=True):
            place += turn @ step
        return place


def shared(turn: Quaternion, parts: Sequence[float]) -> list[Quaternion]:
    """What each bone of a chain turns by: bone `k` the share `parts[k]` of the whole, 1 at the end.

    Parts count from the first bone up: what a bone turns against the one before it is the difference of theirs.
    """
    still = Quaternion()
    return [turn if part >= 1.0 else still.slerp(turn, part) for part in parts]


def summed(shares: Sequence[float]) -> tuple[float, ...]:
    """Parts of the whole from each bone's own share: counted up, 1 at the end, evenly where no share is anything."""
    whole = sum(shares)
    if whole <= 0.0:
        shares, whole = [1.0] * len(shares), float(len(shares))
    parts, so_far = [], 0.0
    for share in shares:
        so_far += share
        parts.append(so_far / whole)
    return (*parts[:-1], 1.0)
