"""Records bodies that physics has thrown onto flat ground, slopes and stairs, as they lie: what getting up begins from.

    python tests/benchmarks/fallen_poses.py FILE [EACH [WHO ...]]      in an environment with Blender

Each is let go of in any pose, turned anyhow, up to 1.5 m (for a person's height) over the ground, at up to 4 m/s, and
kept as it lies when the state machine would get it up. `rises.py` measures how they get up.
"""

from __future__ import annotations

import sys
from math import radians
from pathlib import Path
from random import Random

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support.extension import as_extension

as_extension()
from support.fallen_poses import FallenPose, ground_of, written  # noqa: E402
from support.ragdoll_plans import posed, random_pose  # noqa: E402
from support.ragdoll_runs import came_from, unit  # noqa: E402
from support.ragdolls import our_plan  # noqa: E402
from surefoot.addon.physics_bodies import extent  # noqa: E402
from surefoot.addon.physics_colliders import Colliders, Solid  # noqa: E402
from surefoot.addon.physics_run import PhysicsRun  # noqa: E402
from surefoot.core.fall_presets import falls  # noqa: E402
from surefoot.core.ragdoll.plan import RagdollPlan  # noqa: E402
from surefoot.core.space.rigid import Frame  # noqa: E402
from surefoot.core.world.extruded import Extruded  # noqa: E402

FPS, LONGEST = 24.0, 12.0
GROUNDS = ("flat", "slope", "stairs")
HALF, CELL = 12.0, 0.5


def mesh_of(ground: Extruded) -> Solid:
    """A ground as users have theirs, triangles half a metre wide."""
    across = np.arange(-HALF, HALF + CELL, CELL)
    places: list[tuple[float, float, float]] = []
    corners: list[tuple[int, int, int]] = []
    ax, ay = ground.along
    for s0, z0, s1, z1 in ground.pieces:
        low, high = max(s0, -HALF), min(s1, HALF)
        if low > high:
            continue
        count = max(1, round((high - low) / CELL))
        for k in range(count):
            ends = [low + (high - low) * n / count for n in (k, k + 1)]
            heights = [z0, z1] if s1 == s0 else [z0 + (z1 - z0) * (s - s0) / (s1 - s0) for s in ends]
            first = len(places)
            for s, z in zip(ends, heights, strict=True):
                places += [(s * ax - c * ay, s * ay + c * ax, z) for c in across.tolist()]
            row = len(across)
            for i in range(first, first + row - 1):
                corners += [(i, i + row, i + row + 1), (i, i + row + 1, i + 1)]
    return _upward(np.array(places), np.array(corners), np.array((-ax, -ay, 1.0)))


def _upward(places: np.ndarray, corners: np.ndarray, up: np.ndarray) -> Solid:
    """All faces so that one who comes from above, or down the stairs, sees their fronts."""
    faces = places[corners]
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    turned = normals @ up < 0.0
    corners[turned] = corners[turned][:, ::-1]
    turn = (1.0, 0.0, 0.0, 0.0)
    return Solid(0, "STILL", "MESH", (0.0, 0.0, 0.0), turn, places=places, corners=corners, is_ground=True)


def fallen(who: str, kind: str, seed: int) -> FallenPose | None:
    """One body that is thrown, as it comes to lie; None for one that does not within twelve seconds."""
    rng, plan = Random(f"{who} {kind} {seed}"), our_plan(who)
    angle = radians(rng.uniform(5.0, 25.0)) if kind == "slope" else 0.0
    ground, size = ground_of(kind, angle), extent(plan) / 1.75
    turn = unit([rng.gauss(0.0, 1.0) for _ in range(4)])
    start = Frame((rng.uniform(-0.5, 0.5), rng.uniform(-3.5, -1.5), 0.0), (turn[0], turn[1], turn[2], turn[3]))
    bodies = posed(plan, start, random_pose(plan, rng, 0.9))
    lift = rng.uniform(0.02, 1.5) * size - lowest(plan, bodies, ground)
    now = tuple(n + lift if k % 7 == 2 else n for k, n in enumerate(bodies))
    x, y, z = (rng.uniform(0.0, 4.0) * n for n in unit([rng.gauss(0.0, 1.0) for _ in range(3)]))
    with PhysicsRun(plan, falls("USUAL").active, FPS, colliders=Colliders((mesh_of(ground),))) as run:
        run.begin(came_from(now, (x, y, z), 1.0 / FPS), now, 1.0 / FPS)
        run.limp = True
        for _ in range(round(LONGEST * FPS)):
            row = run.frame(now, now)
            if not row.bodies:
                return FallenPose(who, kind, angle, seed, bodies)
            bodies = row.bodies
    return None


def lowest(plan: RagdollPlan, bodies: tuple[float, ...], ground: Extruded) -> float:
    """How far over the ground the lowest body's sphere is."""
    return min(
        bodies[7 * i + 2] - 0.5 * max(body.size) - (ground.height(bodies[7 * i], bodies[7 * i + 1]) or 0.0)
        for i, body in enumerate(plan.bodies)
    )


def main() -> None:
    """As the command line says."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    extension = as_extension()
    extension.register()
    path, each, names = sys.argv[1], int((sys.argv[2:] or ["100"])[0]), sys.argv[3:] or ["person"]
    with Path(path).open("w", encoding="utf-8") as file:
        for who in names:
            for kind in GROUNDS:
                poses = [fallen(who, kind, seed) for seed in range(each)]
                lie = [pose for pose in poses if pose is not None]
                file.writelines(f"{written(pose)}\n" for pose in lie)
                file.flush()
                sys.stdout.write(f"{who} {kind}: {len(lie)} of {each} lie\n")
                sys.stdout.flush()
    extension.unregister()


if __name__ == "__main__":
    main()
