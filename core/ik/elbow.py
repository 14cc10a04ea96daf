"""Where an elbow points: an angle about the line from shoulder to hand, and its limits.

The angle is 0 where the elbow hangs: below an arm that reaches ahead, behind one that hangs, ahead of one that is
raised, below and behind one held out. It grows as the elbow is raised outwards. What is 0 for one line is carried to
all others by the smallest turn from an arm that reaches ahead, so that there is no line in an arm's reach at which it
is not known; the one that has none is behind and above the shoulder.

An elbow stays out of the trunk: beside it, or in front. Behind the trunk is no way out, since forearm and upper arm
would go through it; so an elbow that is within is raised until it is beside or in front.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..space.curves import share_of, smoothstep
from ..space.vectors import cross
from .swing import TOLERANCE, aim

# A left arm that reaches ahead, a little down and out, and where its elbow is then; the body's axes.
AHEAD = Vector((0.3, -0.85, -0.43)).normalized().freeze()
HANGING = (Vector((0.0, 0.0, -1.0)) - AHEAD * -AHEAD.z).normalized().freeze()
# So far from the middle of its limits (radians) an elbow is on no side of them any more.
ASTRAY = math.radians(120.0)
# How an elbow is held at ease, where a straight arm does not show it (radians).
NATURAL = math.radians(15.0)
# How wide and deep a trunk is that an elbow must not enter, as shares of the shoulder joint's distance from the middle;
# the elbow's own thickness is in them.
TRUNK_WIDTH, TRUNK_DEPTH = 1.1, 0.85
# Under this, where 1 is beside the trunk, an elbow is so far within that raising it is no help.
HOPELESS = 0.25
# From this down an elbow that is within is moved in full.
NEARLY = 0.85
# In so many steps it is looked for how far an elbow is to be raised, and so many times the step is halved.
STEPS, HALVINGS = 12, 8


class Trunk(NamedTuple):
    """The trunk beside one arm at rest, model space: its middle at the shoulders, half its width and half its depth."""

    middle: Vector
    width: float
    depth: float

    @classmethod
    def beside(cls, shoulder: Vector) -> Trunk:
        """The trunk of an arm that hangs at `shoulder` at rest."""
        size = abs(shoulder.x)
        return cls(Vector((0.0, shoulder.y, shoulder.z)), TRUNK_WIDTH * size, TRUNK_DEPTH * size)

    def outside(self, place: Vector, side: float) -> float:
        """How far out a place of the rest pose is: from 1 on it is beside the trunk or in front of it."""
        if self.width <= 0.0:
            return 1.0
        out = max(0.0, side * (place.x - self.middle.x)) / self.width
        ahead = max(0.0, self.middle.y - place.y) / self.depth
        return out * out + ahead * ahead + max(0.0, place.z - self.middle.z) / self.depth


def elbow_angle(joints: Sequence[Vector], carrier: Quaternion, side: float) -> float | None:
    """The angle of an arm's elbow, radians; None for one that is straight, has no elbow or no line.

    `joints` are shoulder, elbow and on to the hand, model space; `carrier` is the turn of the chest from rest, `side`
    1 for a left arm and -1 for a right one.
    """
    line, upper = joints[-1] - joints[0], joints[1] - joints[0]
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


def raised_clear(angle: float, high: float, outside: Callable[[float], float]) -> float:
    """The least angle from `angle` to `high` at which `outside` is 1, with no jump as what is outside changes.

    Where it is 1 nowhere, it is the angle at which it is most, less and less the farther that is from 1 and the less
    it helps: an elbow that cannot get out stays. One that is within by a hair stays too, and goes in full from NEARLY.
    """
    seen = [outside(angle)]
    if high <= angle or seen[0] >= 1.0:
        return angle
    step = (high - angle) / STEPS
    needed = smoothstep(share_of(1.0 - seen[0], 0.0, 1.0 - NEARLY))
    for k in range(1, STEPS + 1):
        seen.append(outside(angle + k * step))
        if seen[-1] >= 1.0:
            inside, beyond = angle + (k - 1) * step, angle + k * step
            for _ in range(HALVINGS):
                middle = 0.5 * (inside + beyond)
                inside, beyond = (inside, middle) if outside(middle) >= 1.0 else (middle, beyond)
            return angle + needed * (beyond - angle)
    most = max(seen)
    helps = min(smoothstep(share_of(most, HOPELESS, 1.0)), share_of(most, seen[0], 1.0))
    return angle + step * _peak(seen, seen.index(most)) * helps * needed


def _peak(seen: Sequence[float], best: int) -> float:
    """Where among its samples a curve is highest: amid its neighbours along a parabola, so that it does not step."""
    if best in (0, len(seen) - 1):
        return float(best)
    before, most, after = seen[best - 1 : best + 2]
    bow = before - 2.0 * most + after
    return best + (0.5 * (before - after) / bow if bow < 0.0 else 0.0)
