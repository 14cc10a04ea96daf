"""How far a body is from where its motion has it: tilt of the trunk, drop of the pelvis, speeds. Plain arithmetic.

Bodies and targets are seven numbers each in the order of the plan: the middle, then the turn (w, x, y, z), world space.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, atan2, hypot, sqrt
from typing import NamedTuple

from ..space.rigid import Triple, Turn, after, turned, undone
from ..space.triples import minus
from .hits import is_trunk
from .plan import RagdollPlan

Bodies = Sequence[float]
UP: Triple = (0.0, 0.0, 1.0)
NUMBERS = 7
"""How many numbers there are of a body."""
APART = 1e-6


class Off(NamedTuple):
    """How far a body is off its motion: the trunk's tilt (radians), how much lower the pelvis is and how far away in
    the plan (metres), and how fast the whole moves against it (m/s).
    """

    tilt: float
    drop: float
    away: float
    speed: float


def place_in(bodies: Bodies, i: int) -> Triple:
    """Where the middle of a body is."""
    at = NUMBERS * i
    return bodies[at], bodies[at + 1], bodies[at + 2]


def turn_in(bodies: Bodies, i: int) -> Turn:
    """The turn of a body."""
    at = NUMBERS * i + 3
    return bodies[at], bodies[at + 1], bodies[at + 2], bodies[at + 3]


def top_of_trunk(plan: RagdollPlan) -> int:
    """The trunk's last body: the chest where there is one; the first where the trunk is one body."""
    chest = plan.place_of("chest")
    if chest >= 0:
        return chest
    return max(i for i in range(len(plan.bodies)) if is_trunk(plan, i))


def tilt_of(bodies: Bodies, targets: Bodies, top: int) -> float:
    """How much further the trunk leans than its target: by its own turn, or by where its top is from the pelvis.

    A turn about the vertical is no tilt. Of a trunk whose top lies beside the pelvis the line between them has sunk,
    whatever way the top is turned.
    """
    turn = after(turn_in(bodies, top), undone(turn_in(targets, top)))
    own = acos(min(1.0, max(-1.0, turned(turn, UP)[2])))
    return max(own, abs(_rise(targets, top) - _rise(bodies, top)))


def _rise(bodies: Bodies, top: int) -> float:
    """How steeply the line from the pelvis to the trunk's top goes up, radians."""
    x, y, z = minus(place_in(bodies, top), place_in(bodies, 0))
    plan = hypot(x, y)
    return atan2(z, plan) if plan > APART or abs(z) > APART else 0.0


def drop_of(bodies: Bodies, targets: Bodies, held: Sequence[int] = (0,)) -> float:
    """How much lower the pelvis is than its target, or whatever else holds the trunk up (`held`): the most, metres."""
    return max(targets[NUMBERS * i + 2] - bodies[NUMBERS * i + 2] for i in held)


def away_of(bodies: Bodies, targets: Bodies) -> float:
    """How far the pelvis is from its target in the plan, metres."""
    return hypot(targets[0] - bodies[0], targets[1] - bodies[1])


def speed_between(plan: RagdollPlan, before: Bodies, now: Bodies, dt: float) -> float:
    """How fast all of it moves, m/s: the root of the mean square, by mass."""
    if dt <= 0.0 or len(before) != len(now):
        return 0.0
    # Added up one by one: `sum` adds in other ways from one Python to the next.
    total = 0.0
    for k, body in zip(range(0, len(now), NUMBERS), plan.bodies, strict=True):
        x, y, z = now[k] - before[k], now[k + 1] - before[k + 1], now[k + 2] - before[k + 2]
        total += body.mass * (x * x + y * y + z * z)
    return sqrt(total / plan.mass) / dt


def middle_of(plan: RagdollPlan, bodies: Bodies) -> Triple:
    """The centre of mass."""
    x = y = z = 0.0
    for k, body in zip(range(0, len(bodies), NUMBERS), plan.bodies, strict=True):
        mass = body.mass
        x += mass * bodies[k]
        y += mass * bodies[k + 1]
        z += mass * bodies[k + 2]
    return x / plan.mass, y / plan.mass, z / plan.mass
