"""A person made by hand, dropped, thrown and let go in physics, and what is measured of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import cos, degrees, dist, radians, sin, sqrt, tan
from random import Random

import numpy as np
from support.ragdoll_plans import joint_angles, posed, random_pose, standing, widest_gap
from surefoot.addon.physics_colliders import Colliders, Solid
from surefoot.addon.physics_run import PhysicsRun
from surefoot.core.control.fall_row import FallRow
from surefoot.core.ragdoll.config import ActiveConfig
from surefoot.core.ragdoll.plan import RagdollPlan
from surefoot.core.space.rigid import Frame

LIES = replace(ActiveConfig(), get_up_delay=600.0)
"""The usual numbers, of one that stays where it falls."""
FLAT = Solid(0, "STILL", "BOX", (0.0, 0.0, -1.0), (1.0, 0.0, 0.0, 0.0), size=(400.0, 400.0, 2.0), is_ground=True)
SIDE, CELLS = 30.0, 60


@dataclass
class Let:
    """What was measured: rows of all frames; the quickest body (m/s), the widest gap (m), the knee that is bent back
    farthest (degrees), and when the last body moved at 0.2 m/s.
    """

    rows: list[FallRow] = field(default_factory=list)
    quickest: float = 0.0
    gap: float = 0.0
    knee: float = 180.0
    settled: float = 0.0


def let_go(
    plan: RagdollPlan,
    now: tuple[float, ...],
    *,
    ground: Solid = FLAT,
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    fps: float = 24.0,
    seconds: float = 5.0,
) -> Let:
    """Limp from a pose that comes with a velocity."""
    told = Let()
    knees = [i for i, body in enumerate(plan.bodies) if body.role.startswith("shin")]
    with PhysicsRun(plan, LIES, fps, colliders=Colliders((ground,))) as run:
        run.begin(came_from(now, velocity, 1.0 / fps), now, 1.0 / fps)
        run.limp, last = True, now
        for n in range(round(seconds * fps)):
            row = run.frame(now, now)
            told.rows.append(row)
            quick = max(dist(row.bodies[k : k + 3], last[k : k + 3]) for k in range(0, len(last), 7)) * fps
            told.quickest, last = max(told.quickest, quick), row.bodies
            told.settled = n / fps if quick >= 0.2 else told.settled
            told.gap = max(told.gap, widest_gap(plan, row.bodies))
            told.knee = min(told.knee, *(degrees(joint_angles(plan, row.bodies, i)[0]) for i in knees))
    return told


def came_from(bodies: tuple[float, ...], velocity: tuple[float, float, float], dt: float) -> tuple[float, ...]:
    """Where bodies were that come with one velocity."""
    return tuple(n - velocity[k % 7] * dt if k % 7 < 3 else n for k, n in enumerate(bodies))


def slope(angle: float) -> Solid:
    """A rough mesh that rises towards +Y by an angle, radians."""
    line = np.linspace(-SIDE / 2.0, SIDE / 2.0, CELLS + 1)
    x, y = np.meshgrid(line, line, indexing="ij")
    places = np.stack((x, y, y * tan(angle)), axis=-1).reshape(-1, 3)
    number = np.arange((CELLS + 1) ** 2).reshape(CELLS + 1, CELLS + 1)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    corners = np.concatenate([np.stack([n.ravel() for n in three], axis=1) for three in ((a, b, c), (a, c, d))])
    turn = (1.0, 0.0, 0.0, 0.0)
    return Solid(0, "STILL", "MESH", (0.0, 0.0, 0.0), turn, places=places, corners=corners, is_ground=True)


def thrown(plan: RagdollPlan, seed: int, angle: float) -> tuple[tuple[float, ...], tuple[float, float, float]]:
    """Any pose, turned anyhow, up to 1.5 m over a slope, and a velocity of up to 4 m/s."""
    rng = Random(seed)
    angles = random_pose(plan, rng, 0.9)
    turn = unit([rng.gauss(0.0, 1.0) for _ in range(4)])
    bodies = posed(plan, Frame((0.0, 0.0, 0.0), (turn[0], turn[1], turn[2], turn[3])), angles)
    lift = rng.uniform(0.02, 1.5) - lowest_over(plan, bodies, angle)
    x, y, z = (rng.uniform(0.0, 4.0) * n for n in unit([rng.gauss(0.0, 1.0) for _ in range(3)]))
    return tuple(n + lift if k % 7 == 2 else n for k, n in enumerate(bodies)), (x, y, z)


def unit(numbers: list[float]) -> list[float]:
    """A vector of length 1."""
    length = sqrt(sum(n * n for n in numbers))
    return [n / length for n in numbers]


def lowest_over(plan: RagdollPlan, bodies: tuple[float, ...], angle: float) -> float:
    """How far over a slope the lowest body's sphere is."""
    sizes = [0.5 * max(body.size) for body in plan.bodies]
    over = (bodies[7 * i + 2] - bodies[7 * i + 1] * tan(angle) - size for i, size in enumerate(sizes))
    return min(over)


def below(bodies: tuple[float, ...], angle: float) -> int:
    """How many bodies' middles are under a slope."""
    return sum(bodies[k + 2] * cos(angle) - bodies[k + 1] * sin(angle) < -0.01 for k in range(0, len(bodies), 7))


def a_slope(seed: int) -> float:
    """An angle up to 25 degrees."""
    return radians(25.0) * Random(seed + 1000).random()


def at_ease(plan: RagdollPlan, height: float = 0.0) -> tuple[float, ...]:
    """Standing, so high over the floor."""
    return standing(plan, heading=0.4, place=(0.0, 0.0, height))
