"""Long chains with limits in their joints, by cyclic coordinate descent: each joint in turn brings the tip to the goal.

Source: L.-C. T. Wang, C. C. Chen, "A combined optimization method for solving the inverse kinematics problem of
mechanical manipulators" (1991). A sweep goes from the last joint to the first; of all that lies beyond a joint only the
tip has to be known there, so that a sweep costs no more than the chain is long. After each turn the joint is brought
back within its limit. A joint turns no more than so far in a sweep, or those near the tip would do all the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, dist, hypot, isfinite, pi, sin
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..space.angles import wrapped
from ..space.rigid import Triple
from ..space.triples import minus, plus
from .chain import (
    BOUNDS,
    HINTS,
    STUCK,
    Bounds,
    Effort,
    bounded,
    degenerate,
    reported,
    triples,
    unlocked,
)
from .chain_shape import Hints, Points, apart, toward
from .swing import OPPOSITE, TOLERANCE, Reach, aim

EFFORT = Effort(iterations=24)
# Radians that a joint turns at most in one sweep.
STRIDE = 0.35
# Sweeps without progress after which a chain within limits has come as near as it can.
PATIENCE = 3
SIDE = Vector((1.0, 0.0, 0.0)).freeze()
ALONG = Vector((0.0, 1.0, 0.0)).freeze()


class Cone(NamedTuple):
    """How far a joint leans from its rest in any direction, and how far it turns about its own segment; radians."""

    swing: float = pi
    twist: float = pi


class Hinge(NamedTuple):
    """A joint that turns about one axis, in rest space, between two angles from rest; radians."""

    axis: tuple[float, float, float]
    low: float = -pi
    high: float = pi


Limit = Cone | Hinge | None
"""What a joint allows; None is all."""


class Hung(NamedTuple):
    """How the segments of a chain are turned from rest now, and what carries the first one."""

    turns: Sequence[Quaternion]
    carrier: Quaternion

    @classmethod
    def from_rest(cls, rest: Sequence[Sequence[float]], now: Sequence[Sequence[float]]) -> Hung:
        """From joints at rest and now: no segment turns more than it must."""
        before, after = triples(rest), triples(now)
        still = [Quaternion()] * (len(before) - 1)
        finite = all(isfinite(number) for point in (*before, *after) for number in point)
        return cls(carried(still, before, after) if finite else still, Quaternion())


class CcdSolve(NamedTuple):
    """As ChainSolve, with the rotation of each segment from rest."""

    points: tuple[Triple, ...]
    reach: Reach
    error: float
    iterations: int
    turns: tuple[Quaternion, ...]


def solve_ccd(
    points: Sequence[Sequence[float]],
    target: Sequence[float],
    effort: Effort = EFFORT,
    limits: Sequence[Limit] = (),
    *,
    hung: Hung | None = None,
    bounds: Bounds = BOUNDS,
    keep: float = 1.0,
    hints: Hints = HINTS,
) -> CcdSolve:
    """Bring the last of `points` to `target` within the joints' limits; as `solve_fabrik` in all else.

    limits: one a segment, for the joint that it turns about; none at all leaves every joint free. hung: how segments
    are turned from rest now; not given, now is their rest. keep: as far as no limit is met, a chain that goes as a
    whole needs no sweep.
    """
    start, goal = triples(points), triples([target])[0]
    turns, carrier = hung or Hung.from_rest(start, start)
    unsound = degenerate(start, goal)
    if unsound:
        return CcdSolve(*unsound, tuple(turns))
    root, lengths = start[0], apart(start)
    local: Points = [minus(point, root) for point in start]
    aimed = bounded(local, lengths, minus(goal, root), bounds)
    share = max(keep, unlocked(local, lengths, aimed))
    chain = _Chain(local, turns, limits, carrier)
    chain.lay(carried(turns, local, toward(local, lengths, aimed, share, hints, effort.tolerance)))
    used = chain.approach(Vector(aimed), effort)
    best, places = chain.turns, chain.places()
    if dist(places[-1], aimed) > effort.tolerance:
        # What is left is closed by the chain as a whole, as far as the limits have it.
        chain.lay(carried(best, places, toward(places, lengths, aimed, 1.0, hints, effort.tolerance)))
        if dist(chain.places()[-1], aimed) < dist(places[-1], aimed):
            best, places = chain.turns, chain.places()
    return CcdSolve(*reported([plus(point, root) for point in places], goal, lengths, effort, used), tuple(best))


def carried(turns: Sequence[Quaternion], before: Sequence[Triple], after: Sequence[Triple]) -> list[Quaternion]:
    """Rotations of segments whose joints were `before` and are `after`: each turns with the one above, then as little
    as it must."""
    along = Quaternion()
    found = []
    was_at, now_at = list(map(Vector, before)), list(map(Vector, after))
    for turn, (a, b), (c, d) in zip(turns, pairwise(was_at), pairwise(now_at), strict=True):
        was, now = along @ (b - a), d - c
        if was.length > TOLERANCE * TOLERANCE and now.length > TOLERANCE * TOLERANCE:
            was.normalize()
            now.normalize()
            side = SIDE if was.dot(now) > OPPOSITE else along @ turn @ SIDE
            along = aim(was, now, side) @ along
            along.normalize()
        found.append(along @ turn)
    return found


def within(turn: Quaternion, limit: Limit, along: Vector) -> Quaternion:
    """A joint's rotation from rest, brought back within its limit. along: its segment at rest, length 1."""
    if limit is None:
        return turn
    if isinstance(limit, Hinge):
        axis = Vector(limit.axis).normalized()
        angle = wrapped(2.0 * atan2(turn.x * axis.x + turn.y * axis.y + turn.z * axis.z, turn.w))
        return _about(axis, min(max(angle, limit.low), limit.high))
    angle = twist_of(turn, along)
    lean = turn @ _about(along, -angle)
    return _no_more(lean, limit.swing) @ _about(along, min(max(angle, -limit.twist), limit.twist))


def twist_of(turn: Quaternion, along: Vector) -> float:
    """How far a rotation turns about a unit vector, before it leans it; radians.

    Turned half around across the vector, it has no such turn of its own: 0.
    """
    part = turn.x * along.x + turn.y * along.y + turn.z * along.z
    return wrapped(2.0 * atan2(part, turn.w)) if hypot(part, turn.w) > TOLERANCE else 0.0


def _about(axis: Vector, angle: float) -> Quaternion:
    sine = sin(0.5 * angle)
    return Quaternion((cos(0.5 * angle), axis.x * sine, axis.y * sine, axis.z * sine))


def _no_more(turn: Quaternion, most: float) -> Quaternion:
    """A turn, or as much of it as is allowed."""
    w, x, y, z = turn if turn.w >= 0.0 else -turn
    sine = hypot(x, y, z)
    if 2.0 * atan2(sine, w) <= most or sine == 0.0:
        return turn
    k = sin(0.5 * most) / sine
    return Quaternion((cos(0.5 * most), x * k, y * k, z * k))


class _Chain:
    """Segments that hang on each other: places relative to the root, rotations from rest, and limits."""

    def __init__(
        self, places: Points, turns: Sequence[Quaternion], limits: Sequence[Limit], carrier: Quaternion
    ) -> None:
        steps = [Vector(minus(b, a)) for a, b in pairwise(places)]
        self.segments = [turn.inverted() @ step for turn, step in zip(turns, steps, strict=True)]
        self.along = [s.normalized() if s.length > TOLERANCE * TOLERANCE else ALONG for s in self.segments]
        self.limits = list(limits) or [None] * len(steps)
        self.carrier = carrier
        self.turns = list(turns)
        self.joints: list[Vector] = []
        own = [above.inverted() @ turn for above, turn in pairwise((carrier, *turns))]
        # A joint in a cone keeps the twist that it came with, unless the axis of a hinge hangs on it.
        self.twists = [
            min(max(twist_of(turn, along), -limit.twist), limit.twist)
            if isinstance(limit, Cone) and not isinstance(after, Hinge)
            else None
            for turn, along, limit, after in zip(own, self.along, self.limits, (*self.limits[1:], None), strict=True)
        ]

    def lay(self, turns: Sequence[Quaternion]) -> None:
        """Take these rotations, as far as the limits allow."""
        locals_ = [above.inverted() @ turn for above, turn in pairwise((self.carrier, *turns))]
        checked = zip(locals_, self.limits, self.along, strict=True)
        self._hang([within(turn, limit, along) for turn, limit, along in checked])

    def approach(self, goal: Vector, effort: Effort) -> int:
        """Sweep until the tip is near enough or comes no nearer; the best is kept. Returns the number of sweeps."""
        best, error, idle = self.turns, (self.joints[-1] - goal).length, 0
        joints = self.joints
        used = 0
        while used < effort.iterations and error > effort.tolerance and idle < PATIENCE:
            self._hang(self._swept(goal))
            used += 1
            left = (self.joints[-1] - goal).length
            idle = 0 if left < STUCK * error else idle + 1
            if left < error:
                best, joints, error = self.turns, self.joints, left
        self.turns, self.joints = best, joints
        return used

    def places(self) -> Points:
        """The joints as plain floats."""
        return [joint.to_tuple() for joint in self.joints]

    def _swept(self, goal: Vector) -> list[Quaternion]:
        """The joints' own rotations after a sweep from the last one to the first."""
        joints, turns = self.joints, self.turns
        tip = joints[-1]
        found = []
        for j in range(len(turns) - 1, -1, -1):
            joint, turn = joints[j], turns[j]
            above = (turns[j - 1] if j else self.carrier).inverted()
            arm, wish = tip - joint, goal - joint
            if min(arm.length, wish.length) > TOLERANCE * TOLERANCE:
                turn = _no_more(aim(arm.normalized(), wish.normalized(), turn @ SIDE), STRIDE) @ turn
            local = within(above @ turn, self.limits[j], self.along[j])
            found.append(local)
            tip = joint + above.inverted() @ local @ turns[j].inverted() @ arm
        return found[::-1]

    def _hang(self, locals_: Sequence[Quaternion]) -> None:
        """Lay the segments by their joints' own rotations, those in cones by where their segments point alone.

        The twist that sweeps bring into a chain would add up from frame to frame, until its limits stop the tip.
        """
        found, turn = self.carrier, self.carrier
        place = Vector()
        self.turns, self.joints = [], [place]
        for j, local in enumerate(locals_):
            found = (found @ local).normalized()
            twist, limit, along = self.twists[j], self.limits[j], self.along[j]
            if isinstance(limit, Cone) and twist is not None:
                lean = aim(along, (turn.inverted() @ found @ along).normalized(), SIDE)
                turn = turn @ _no_more(lean, limit.swing) @ _about(along, twist)
            else:
                turn = turn @ local
            turn.normalize()
            place = place + turn @ self.segments[j]
            self.turns.append(turn)
            self.joints.append(place)
