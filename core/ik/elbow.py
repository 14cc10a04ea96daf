"""Where an elbow points: an angle about the line from shoulder to hand, and its limits.

The angle is 0 where the elbow hangs: below an arm that reaches ahead, behind one that hangs, ahead of one that is
raised, below and behind one held out. It grows as the elbow is raised outwards. What is 0 for one line is carried to
all others by the smallest turn from an arm that reaches ahead, so that there is no line in an arm's reach at which it
is not known; the one that has none is behind and above the shoulder.
"""

from __future__ import annotations

import math

from mathutils import Quaternion, Vector

from ..space.curves import share_of, smoothstep
from ..space.vectors import cross
from .swing import TOLERANCE, aim

# A left arm that reaches ahead, a little down and out, and where its elbow is then; the body's axes.
AHEAD = Vector((0.3, -0.85, -0.43)).normalized().freeze()
HANGING = (Vector((0.0, 0.0, -1.0)) - AHEAD * -AHEAD.z).normalized().freeze()
# So far from the middle of its limits (radians) an elbow is on no side of them any more.
ASTRAY = math.radians(120.0)


def elbow_angle(shoulder: Vector, elbow: Vector, hand: Vector, carrier: Quaternion, side: float) -> float | None:
    """The angle of an elbow, radians; None for an arm that is straight or has no line.

    Places are model space, `carrier` is the turn of the chest from rest, `side` 1 for a left arm and -1 for a right.
    """
    line, upper = hand - shoulder, elbow - shoulder
    if line.length <= TOLERANCE * upper.length:
        return None
    line = line.normalized()
    off = upper - line * upper.dot(line)
    if off.length <= TOLERANCE * 10.0 * upper.length:
        return None
    ahead, hanging = (Vector((side * v.x, v.y, v.z)) for v in (AHEAD, HANGING))
    reference = carrier @ aim(ahead, carrier.inverted() @ line, Vector((1.0, 0.0, 0.0))) @ hanging
    return side * math.atan2(line.dot(cross(reference, off)), reference.dot(off))


def within(angle: float, low: float, high: float) -> float:
    """An angle brought between limits, the short way; one opposite to them goes to their middle, without a jump."""
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    off = math.remainder(angle - middle, math.tau)
    held = math.copysign(min(abs(off), half), off)
    return middle + held * (1.0 - smoothstep(share_of(abs(off), max(ASTRAY, half), math.pi)))
