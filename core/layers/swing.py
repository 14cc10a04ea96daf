"""One bone that swings about a direction: its lean in closed form, how far it may lean, and how that turns the bone.

All directions are world space. The lean is a rotation vector (axis times angle, radians) from the direction where the
bone would rest to where it points, so that frequency and decay are the same for small and for wide swings.
"""

from __future__ import annotations

from math import atan2, exp, log, sqrt
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..space.oscillator import Step
from ..space.vectors import cross

STILL = Vector((0.0, 0.0, 0.0)).freeze()
# Beyond this a lean has no side that is nearer: it goes no farther.
_WIDEST = 2.8
# Up to this share of its limit a lean shows as it is; from there on it closes in on the limit.
_FREE = 0.6
# The most of the way to the limit that is told apart on the way back.
_NEAREST = 0.995


class Swing(NamedTuple):
    """What is remembered of a bone: where the pose has it, where it would rest, and the lean from there.

    `rate` is how fast it turns, `turning` how fast the pose turned it (radians a second); `along` is where it points.
    """

    posed: Vector
    goal: Vector
    lean: Vector
    rate: Vector
    turning: Vector
    along: Vector


def turn_vector(a: Vector, b: Vector) -> Vector:
    """The shortest turn from one unit vector to another as axis times angle; none for opposite ones."""
    axis = cross(a, b)
    square = axis.length_squared
    cosine = a.dot(b)
    if square < 0.02 and cosine > 0.0:
        # asin(s) / s to the fourth order: right to 1e-6 here, and without a division by what may be nothing.
        return axis * (1.0 + square * (1.0 / 6.0 + square * 0.075))
    sine = sqrt(square)
    return axis * (atan2(sine, cosine) / sine) if sine > 0.0 else STILL


def swung(
    swing: Swing, posed: Vector, goal: Vector, push: Vector, felt: float, motion: tuple[Step, float]
) -> tuple[Vector, Vector, Vector]:
    """Lean, rate and turning one frame on, while pose and place of rest went to `posed` and `goal`, evenly.

    `push` is what the bone's joint leaves behind, over the bone's lever (1 / s): its change of speed, the other way.
    `felt` from 0 to 1 is how much of the pose's turns is felt; the rest carries the bone along. `motion` is the
    oscillator's step with its seconds.
    """
    (keep, gain, back, slow), dt = motion
    turn = swing.goal.rotation_difference(goal)
    shift = turn_vector(swing.goal, goal) / dt
    turning = shift if goal is posed and swing.goal is swing.posed else turn_vector(swing.posed, posed) / dt
    # Where it swings relative to the place of rest, which goes along at an even rate.
    rate = turn @ swing.rate - shift
    if felt < 1.0:
        carried = (turning - swing.turning) * (1.0 - felt)
        rate += carried - goal * carried.dot(goal)
    if push is not STILL:
        kick = cross(swing.along, push)
        rate += kick - goal * kick.dot(goal)
    lean = turn @ swing.lean
    lean, rate = lean * keep + rate * gain, lean * back + rate * slow
    if lean.length_squared > _WIDEST * _WIDEST:
        lean = lean * (_WIDEST / lean.length)
        rate = rate - lean * (max(rate.dot(lean), 0.0) / (_WIDEST * _WIDEST))
    return lean, rate + shift, turning


def eased(angle: float, limit: float) -> float:
    """An angle as it shows under a limit: itself up to a share of it, then ever nearer to the limit, without a kink."""
    free = _FREE * limit
    room = limit - free
    return angle if angle <= free else limit - room * exp((free - angle) / room)


def uneased(angle: float, limit: float) -> float:
    """The angle that shows as this one."""
    free = _FREE * limit
    room = limit - free
    return angle if angle <= free else free - room * log(max(1.0 - (angle - free) / room, 1.0 - _NEAREST))


def bend(lean: Vector, goal: Vector, posed: Vector, limit: float) -> Vector:
    """The turn (axis times angle) from where the pose has a bone to where it points, within its limit."""
    turn = lean if goal is posed else turn_vector(posed, Quaternion(lean) @ goal)
    square = turn.length_squared
    if square > (_FREE * limit) ** 2:
        angle = sqrt(square)
        return turn * (eased(angle, limit) / angle)
    return turn


def stopped(swing: Swing, away: Vector, limit: float) -> Swing:
    """A bone that something keeps where it points; `away` (square to that) leads out, and it goes in no more."""
    posed, goal, _, rate, turning, along = swing
    turn = turn_vector(posed, along)
    angle = turn.length
    free = uneased(min(angle, limit), limit)
    if free > angle > 0.0:
        turn = turn * (free / angle)
    lean = turn if goal is posed else turn_vector(goal, Quaternion(turn) @ posed)
    speed = cross(rate, along).dot(away)
    if speed < 0.0:
        rate = rate - cross(along, away) * speed
        rate = rate - goal * rate.dot(goal)
    return Swing(posed, goal, lean, rate, turning, along)
