"""What becomes of bodies that are shoved, let go of and thrown, over many seeds.

    python tests/benchmarks/falls.py shoves [SEEDS [WHO [FPS]]]      in an environment with Blender
    python tests/benchmarks/falls.py starts [SEEDS]

`shoves`: 1 m/s standing and walking (it stays up, its pelvis goes 8 cm and more, it steps), 4 m/s (it falls), 1 m/s
without assist and steps (it falls), limp (it comes to rest), and how well it follows its motion when nothing hits it.
`starts`: any pose, up to 1.5 m high, up to 4 m/s, on flat ground and on slopes of triangles up to 25 degrees.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from math import degrees, dist
from pathlib import Path

import bpy
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support.extension import as_extension

as_extension()
from support.fall_runs import FLOOR, Fallen, Stage, ours, shoved  # noqa: E402
from support.ragdoll_plans import person  # noqa: E402
from support.ragdoll_runs import a_slope, below, let_go, slope, thrown  # noqa: E402
from support.rigify_rigs import generated_rig  # noqa: E402
from surefoot.addon.physics_colliders import Colliders  # noqa: E402
from surefoot.addon.physics_run import PhysicsRun  # noqa: E402
from surefoot.addon.ragdoll_plan import built_of  # noqa: E402
from surefoot.addon.setup import setup  # noqa: E402
from surefoot.core.fall_presets import falls  # noqa: E402
from surefoot.core.ragdoll.limits import pose_angles  # noqa: E402
from surefoot.core.ragdoll.plan import RagdollPlan  # noqa: E402
from surefoot.core.rig.rig import Rig  # noqa: E402

WHO = ("person", "rigify", "dog", "horse", "spider")
WALKS = {"person": 1.4, "rigify": 1.4, "dog": 1.0, "horse": 1.5, "spider": 0.4}
RATES = (24.0, 30.0, 60.0)
BEGUN = time.perf_counter()


def who_is(name: str) -> tuple[Rig, RagdollPlan]:
    """A character and its solids."""
    if name != "rigify":
        return ours(name)
    obj = generated_rig("human")
    setup(obj)
    built = built_of(obj)
    return built.reading.rig, built.plan


def shoves(seeds: int, name: str, fps: float) -> None:
    """All outcomes of one character at one rate, a line each."""
    rig, plan = who_is(name)
    head = plan.place_of("head")
    weak = replace(falls("USUAL").active, assist_force=0.0, assist_torque=0.0)

    def alone(seed: int) -> Fallen:
        stage = Stage(rig, plan, fps, heading=0.7 * seed)
        return stage.hit({0: [(0, (1.0, 0.0, 0.0))]}, config=weak, steps=False)

    for title, going in (("standing", 0.0), ("walking", WALKS[name])):
        runs = _runs(seeds, lambda seed, going=going: shoved(rig, plan, 1.0, seed, fps, going))
        up = sum(run.stays_up(head) for run in runs)
        moved = [run.moved for run in runs]
        steps = [run.steps for run in runs]
        told = f"up {up}, pelvis {min(moved):.2f}-{max(moved):.2f} m, steps {min(steps)}-{max(steps)}"
        say(f"{name} {fps:.0f} fps {title}, 1 m/s: of {seeds} {told}")
        runs = _runs(seeds, lambda seed, going=going: shoved(rig, plan, 4.0, seed, fps, going, 1.6))
        say(f"{name} {fps:.0f} fps {title}, 4 m/s: of {seeds} fell {sum(run.has('fell') for run in runs)}")
    runs = _runs(seeds, alone)
    say(f"{name} {fps:.0f} fps, 1 m/s without assist and steps: of {len(runs)} fell {sum(r.has('fell') for r in runs)}")
    angle, far = followed(rig, plan, fps, WALKS[name])
    say(f"{name} {fps:.0f} fps follows: joints p95 {angle:.2f} deg, places p95 {far[0]:.4f} m, worst {far[1]:.4f} m")


def followed(rig: Rig, plan: RagdollPlan, fps: float, going: float) -> tuple[float, tuple[float, float]]:
    """How far a body that nothing hits is off its walk: joints' angles (degrees, p95), places (metres, p95, worst)."""
    stage = Stage(rig, plan, fps, speed=going, warm=2.0)
    now, angles, places = stage.bodies(stage.memory), [], []
    with PhysicsRun(plan, falls("USUAL").active, fps, colliders=Colliders((FLOOR,))) as run:
        run.begin(stage.before, now, 1.0 / fps)
        for _ in range(round(3.0 * fps)):
            stage.on(stage.memory, None, None)
            then = stage.bodies(stage.memory)
            row, now = run.frame(now, then), then
            places += [dist(row.bodies[k : k + 3], then[k : k + 3]) for k in range(0, len(then), 7)]
            pairs = zip(pose_angles(plan, row.bodies), pose_angles(plan, then), strict=True)
            angles += [degrees(abs(a - b)) for one, other in pairs if one for a, b in zip(one, other, strict=True)]
    return float(np.percentile(angles, 95)), (float(np.percentile(places, 95)), max(places))


def starts(seeds: int) -> None:
    """Thrown in any pose, onto flat ground and onto slopes."""
    plan = person()
    for title, angle_of in (("flat", lambda _: 0.0), ("slopes of triangles", a_slope)):
        quick, gaps, through = [], [], 0
        for seed in range(seeds):
            now, velocity = thrown(plan, seed, angle_of(seed))
            ground = {"ground": slope(angle_of(seed))} if title != "flat" else {}
            let = let_go(plan, now, velocity=velocity, **ground)
            quick.append(let.quickest)
            gaps.append(let.gap)
            through += below(let.rows[-1].bodies, angle_of(seed)) > 0
        over = sum(speed > 15.0 for speed in quick)
        told = f"quickest {max(quick):.1f} m/s, over 15 m/s {over}, gaps p95 {np.percentile(gaps, 95):.4f}"
        say(f"{title}: of {seeds} {told}, widest {max(gaps):.4f} m, through {through}")


def _runs(seeds: int, run: Callable[[int], Fallen]) -> list[Fallen]:
    return [run(seed) for seed in range(seeds)]


def say(line: str) -> None:
    """A line at once, with the time that has gone."""
    sys.stdout.write(f"{line}   ({time.perf_counter() - BEGUN:.0f} s)\n")
    sys.stdout.flush()


def main() -> None:
    """As the command line says."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    extension = as_extension()
    extension.register()
    kind, *rest = sys.argv[1:] or ["shoves"]
    if kind == "starts":
        starts(int(rest[0]) if rest else 200)
    else:
        seeds = int(rest[0]) if rest else 50
        for name in rest[1:2] or WHO:
            for fps in [float(rest[2])] if rest[2:] else RATES:
                shoves(seeds, name, fps)
    extension.unregister()
    sys.stdout.flush()
    # Blender 4.5 hangs as it ends with what was registered.
    os._exit(0)


if __name__ == "__main__":
    main()
