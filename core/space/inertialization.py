"""A cut carried: what was shown before goes on as an offset on what is shown after, and the offset dies out.

Nothing of the old motion is needed past the cut, only where it was and how fast it went. Two forms of dying out:

- the quintic of D. Bollo, "Inertialization: High-Performance Animation Transitions in Gears of War" (GDC 2018): ends
  at a given time, which is shortened where the offset closes in so fast that it would overshoot;
- the critically damped spring of D. Holden, "Spring-It-On" (2021): takes any speed as it is, and is never quite done.

Vectors and rotations are three numbers: a rotation's offset is its axis times its angle, the short way round. All
states are plain numbers, and exact for any time step: two halves are one whole.
"""

from __future__ import annotations

from math import atan2, cos, exp, hypot, sin, sqrt, tan
from typing import NamedTuple

from mathutils import Quaternion, Vector

from .dampers import LN2
from .vectors import cross, triple

Triple = tuple[float, float, float]
Row = tuple[float, ...]

# Below this angle (radians) the series of a rotation's logarithm is exact to a double's precision.
SMALL_ANGLE = 1e-4
# An offset that has fallen below this is over.
OVER = 1e-7


class Fade(NamedTuple):
    """A number that dies out along a quintic: what it and its speed were first, how long it takes, how long it has."""

    offset: float
    speed: float
    seconds: float
    elapsed: float = 0.0


class VectorFade(NamedTuple):
    """Three numbers that die out along one direction."""

    direction: Triple
    fade: Fade


class Carry(NamedTuple):
    """A row of numbers and what is left of its last cut, by springs.

    `shown` and `speeds` are what is seen, and how fast it goes. `offsets` and `offset_speeds` are empty where nothing
    is left. `source` is the new source's row in the tick of a cut, and empty else.
    """

    shown: Row
    speeds: Row
    offsets: Row = ()
    offset_speeds: Row = ()
    source: Row = ()


def fade(offset: float, speed: float, seconds: float) -> Fade:
    """Begin to die out from an offset that changes by `speed` a second, within `seconds` or sooner.

    One that grows at first turns round; there is nothing to carry where there is no offset, or no time for it.
    """
    if offset == 0.0 or seconds <= 0.0:
        return Fade(0.0, 0.0, 0.0)
    if offset * speed < 0.0:
        seconds = min(seconds, -5.0 * offset / speed)
    return Fade(offset, speed, seconds)


def faded(state: Fade, dt: float) -> Fade:
    """The same, `dt` seconds later."""
    return state._replace(elapsed=state.elapsed + dt)


def fade_now(state: Fade) -> tuple[float, float]:
    """The offset that is left, and its speed."""
    offset, speed, length, time = state
    if time >= length:
        return 0.0, 0.0
    # Over the unit of time: start, speed and bend (half the acceleration) of a quintic that ends at rest in zero.
    s, v = time / length, speed * length
    away = 1.0 if offset > 0.0 else -1.0
    bend = 0.5 * away * max(0.0, away * (-8.0 * v - 20.0 * offset))
    c3 = -(3.0 * bend + 6.0 * v + 10.0 * offset)
    c4 = 3.0 * bend + 8.0 * v + 15.0 * offset
    c5 = -(bend + 3.0 * v + 6.0 * offset)
    value = offset + s * (v + s * (bend + s * (c3 + s * (c4 + s * c5))))
    rate = v + s * (2.0 * bend + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
    return value, rate / length


def fade_vector(offset: Triple, velocity: Triple, seconds: float) -> VectorFade:
    """Let three numbers die out along their own direction. Speed across it is lost: where that shows, take springs."""
    length = hypot(*offset)
    if length == 0.0:
        return VectorFade((0.0, 0.0, 0.0), fade(0.0, 0.0, seconds))
    x, y, z = offset[0] / length, offset[1] / length, offset[2] / length
    speed = x * velocity[0] + y * velocity[1] + z * velocity[2]
    return VectorFade((x, y, z), fade(length, speed, seconds))


def vector_faded(state: VectorFade, dt: float) -> VectorFade:
    """The same, `dt` seconds later."""
    return VectorFade(state.direction, faded(state.fade, dt))


def vector_now(state: VectorFade) -> Triple:
    """The three numbers that are left."""
    left = fade_now(state.fade)[0]
    x, y, z = state.direction
    return x * left, y * left, z * left


def sprung(offsets: Row, speeds: Row, halflife: float, dt: float) -> tuple[Row, Row]:
    """Any number of offsets and their speeds after `dt` seconds on critically damped springs that pull to zero."""
    if halflife <= 0.0:
        none = (0.0,) * len(offsets)
        return none, none
    rate = 2.0 * LN2 / halflife
    kept = exp(-rate * dt)
    drives = [speed + offset * rate for offset, speed in zip(offsets, speeds, strict=True)]
    later = tuple([kept * (offset + drive * dt) for offset, drive in zip(offsets, drives, strict=True)])
    pull = rate * dt
    return later, tuple([kept * (speed - drive * pull) for speed, drive in zip(speeds, drives, strict=True)])


def carried_on(carry: Carry | None, source: Row, halflife: float, dt: float, *, cut: bool = False) -> Carry:
    """A row of numbers one tick on. `cut`: the source is another one from this tick on.

    In the tick of a cut the row goes on as it went; how fast the new source goes is known one tick later, and from then
    on the difference in place and speed dies out.
    """
    if carry is None or dt <= 0.0:
        return Carry(source, (0.0,) * len(source))
    if cut:
        shown = tuple([value + speed * dt for value, speed in zip(carry.shown, carry.speeds, strict=True)])
        return Carry(shown, carry.speeds, source=source)
    offsets, rates = carry.offsets, carry.offset_speeds
    if carry.source:
        offsets = tuple([value - now for value, now in zip(carry.shown, carry.source, strict=True)])
        rates = tuple([v - (new - old) / dt for v, new, old in zip(carry.speeds, source, carry.source, strict=True)])
    shown = source
    if offsets:
        offsets, rates = sprung(offsets, rates, halflife, dt)
        if max(map(abs, offsets)) < OVER and max(map(abs, rates)) < OVER:
            offsets = rates = ()
        else:
            shown = tuple([value + offset for value, offset in zip(source, offsets, strict=True)])
    per = 1.0 / dt
    speeds = tuple([(value - before) * per for value, before in zip(shown, carry.shown, strict=True)])
    return Carry(shown, speeds, offsets, rates)


def rotation_offset(before: Quaternion, after: Quaternion) -> Triple:
    """The turn that has to follow `after` to be where `before` is: axis times angle (radians), the short way round."""
    turn = before @ after.conjugated()
    w, x, y, z = turn
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    length = sqrt(x * x + y * y + z * z)
    scale = 2.0 if length < SMALL_ANGLE else 2.0 * atan2(length, w) / length
    return x * scale, y * scale, z * scale


def with_offset(rotation: Quaternion, offset: Triple) -> Quaternion:
    """A rotation followed by an offset's turn."""
    x, y, z = offset
    angle = sqrt(x * x + y * y + z * z)
    share = 0.5 if angle < SMALL_ANGLE else sin(0.5 * angle) / angle
    return Quaternion((cos(0.5 * angle), x * share, y * share, z * share)) @ rotation


def rotation_cut(
    before: Quaternion, spin_before: Triple, after: Quaternion, spin_after: Triple
) -> tuple[Triple, Triple]:
    """The offset that carries one rotation into another, and how fast it changes, for `fade_vector` or `sprung`.

    Spins are angular velocities (radians a second) in the space that the rotations turn into.
    """
    offset = rotation_offset(before, after)
    spin = Vector(spin_before) - with_offset(Quaternion(), offset) @ Vector(spin_after)
    return offset, rate_of_turn(offset, triple(spin))


def rate_of_turn(offset: Triple, spin: Triple) -> Triple:
    """How fast axis times angle changes while the turn that they stand for spins with this angular velocity."""
    turn, axis = Vector(offset), Vector(spin)
    angle = turn.length
    share = 1.0 / 12.0 if angle < 0.01 else 1.0 / (angle * angle) - 0.5 / (angle * tan(0.5 * angle))
    across = cross(turn, axis)
    return triple(axis - 0.5 * across + share * cross(turn, across))
