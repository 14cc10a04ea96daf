"""Long chains on bare points by FABRIK: tails, necks, tentacles, trunks, creatures drawn from primitives.

Source: A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the Inverse Kinematics problem" (2011). FABRIK
lets the tip lead: joints near it bend most, and a chain that is straight towards its goal never bends at all. So a
chain first goes a share of the way as a whole, and what the sweeps leave over is closed as a whole too: the answer is
met within few sweeps, and changes as smoothly as what it is asked for.

Points are three floats each, lengths metres. The chain starts from the shape that it has: that of the animation, or of
the frame before.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, hypot, inf, isfinite, sqrt
from typing import NamedTuple

from ..space.rigid import Triple
from ..space.triples import NOTHING, minus, plus, product, scaled, unit
from .chain_shape import HERE, Hints, Points, apart, faced, straight, toward
from .swing import TOLERANCE, Reach, soft_distance

# A sweep that leaves more than this share of the error makes no progress.
STUCK = 0.999
# Nearer to its full length than this share a chain is straight.
STRAIGHT = 1e-9
# Joints nearer to the line to the goal than this share of the length are on it; such a chain goes a share as a whole.
LOCKED, UNLOCK = 1e-3, 0.5
UP: Triple = (0.0, 0.0, 1.0)


class Effort(NamedTuple):
    """How hard a solver tries: sweeps at most, and how near to its goal (metres) the tip is there."""

    iterations: int = 3
    tolerance: float = 1e-4


class Bounds(NamedTuple):
    """How near to its root and how far from it a tip may be, shares of the chain's length.

    `softness` is the last share of the way out over which it eases into the outer limit, so that a chain that runs out
    of length does not snap straight; 0 leaves it out.
    """

    inner: float = 0.0
    outer: float = 1.0
    softness: float = 0.0


class ChainSolve(NamedTuple):
    """The joints, root first, and the report: verdict, the tip's distance from what was asked (metres), sweeps used."""

    points: tuple[Triple, ...]
    reach: Reach
    error: float
    iterations: int


BOUNDS = Bounds()
EFFORT = Effort()
HINTS = Hints()


def solve_fabrik(
    points: Sequence[Sequence[float]],
    target: Sequence[float],
    effort: Effort = EFFORT,
    pole: Sequence[float] | None = None,
    *,
    bounds: Bounds = BOUNDS,
    keep: float = 0.5,
    hints: Hints = HINTS,
) -> ChainSolve:
    """Bring the last of `points` to `target`; the first stays where it is, and segments keep their lengths.

    pole: a point that the chain bulges to. keep: the share of the way that the chain goes as a whole before the tip
    leads the rest; 0 is plain FABRIK, 1 keeps the shape. hints: which way a straight chain bends. A target out of
    bounds is met as near as the bounds allow (CLAMPED); a chain without length, and numbers that are none, give back
    the points (DEGENERATE).
    """
    start, goal = triples(points), triples([target])[0]
    unsound = degenerate(start, goal)
    if unsound:
        return unsound
    root, lengths = start[0], apart(start)
    solved: Points = [minus(point, root) for point in start]
    aimed = bounded(solved, lengths, minus(goal, root), bounds)
    used = 0
    if hypot(*aimed) >= sum(lengths) * (1.0 - STRAIGHT):
        solved = straight(lengths, unit(aimed, UP))
    else:
        share = max(keep, unlocked(solved, lengths, aimed))
        solved = toward(solved, lengths, aimed, share, hints, effort.tolerance)
        solved, used = swept(solved, lengths, aimed, effort)
        if dist(solved[-1], aimed) > effort.tolerance:
            solved = toward(solved, lengths, aimed, 1.0, hints, effort.tolerance)
    if pole is not None and all(map(isfinite, pole)):
        solved = faced(solved, minus(triples([pole])[0], root))
    return reported([plus(point, root) for point in solved], goal, lengths, effort, used)


def swept(points: Points, lengths: Sequence[float], goal: Triple, effort: Effort) -> tuple[Points, int]:
    """The sweeps of FABRIK: from the tip, set on its goal, to the root and back, each joint drawn along its segment.

    Stops where the tip is near enough or comes no nearer. Points are relative to the root. Returns the joints and the
    number of sweeps.
    """
    error = dist(points[-1], goal)
    back = lengths[::-1]
    for used in range(effort.iterations):
        if error <= effort.tolerance:
            return points, used
        drawn = _drawn(_drawn(points[::-1], back, goal)[::-1], lengths, HERE)
        left = dist(drawn[-1], goal)
        if left >= STUCK * error:
            return points, used + 1
        points, error = drawn, left
    return points, effort.iterations


def _drawn(points: Points, lengths: Sequence[float], start: Triple) -> Points:
    """A chain with its first joint put at `start`, and each further one drawn after it."""
    x, y, z = start
    drawn = [start]
    for i, length in enumerate(lengths):
        ax, ay, az = points[i + 1]
        ax, ay, az = ax - x, ay - y, az - z
        apart_now = sqrt(ax * ax + ay * ay + az * az)
        if apart_now <= NOTHING:
            # Two joints in one place have no direction: the segment keeps the one that it had.
            ax, ay, az = unit(minus(points[i + 1], points[i]), UP)
            apart_now = 1.0
        k = length / apart_now
        x, y, z = x + ax * k, y + ay * k, z + az * k
        drawn.append((x, y, z))
    return drawn


def bounded(points: Points, lengths: Sequence[float], goal: Triple, bounds: Bounds) -> Triple:
    """Where the tip is to go: the goal, or the nearest place along its line that bounds and lengths allow.

    points: relative to the root, as is the goal. One longest segment keeps the tip away from the root.
    """
    whole, distance = sum(lengths), hypot(*goal)
    least = max(bounds.inner * whole, 2.0 * max(lengths) - whole)
    most = max(bounds.outer * whole, least)
    allowed = max(soft_distance(distance, most, bounds.softness), least)
    if allowed == distance:
        return goal
    line = scaled(goal, 1.0 / distance) if distance > NOTHING else unit(points[-1], UP)
    return scaled(line, allowed)


def unlocked(points: Points, lengths: Sequence[float], goal: Triple) -> float:
    """The share that a chain has to go as a whole lest it stay on the line through its goal, where sweeps end."""
    line = unit(goal, UP)
    aside = max(hypot(*product(line, point)) for point in points)
    return UNLOCK if aside <= LOCKED * sum(lengths) else 0.0


def reported(
    points: Sequence[Triple], target: Triple, lengths: Sequence[float], effort: Effort, used: int
) -> ChainSolve:
    """A solve with its report."""
    error = dist(points[-1], target)
    near = max(effort.tolerance, TOLERANCE * sum(lengths))
    return ChainSolve(tuple(points), Reach.EXACT if error <= near else Reach.CLAMPED, error, used)


def degenerate(points: Sequence[Triple], target: Triple) -> ChainSolve | None:
    """The answer for what has no solve: fewer than two points, no length, numbers that are none; None for all else."""
    numbers = [number for point in (*points, target) for number in point]
    sound = all(map(isfinite, numbers))
    if sound and len(points) > 1 and sum(apart(points)) > NOTHING:
        return None
    error = dist(points[-1], target) if sound and points else inf
    return ChainSolve(tuple(points), Reach.DEGENERATE, error, 0)


def triples(points: Sequence[Sequence[float]]) -> Points:
    """Points as plain floats."""
    return [(float(x), float(y), float(z)) for x, y, z in points]
