"""Five seconds of falls in physics: how much of that time they take to be computed."""

from __future__ import annotations

import time

FPS, SECONDS = 24.0, 5.0
MOST = 0.2
"""The share of its own time that a person's fall may take: a second for five."""


def bench_falls() -> dict[str, float]:
    """A person and a dog, let go of, and shoved again and again; processor time, so that others do not count."""
    from support.fall_runs import FLOOR, Stage, ours
    from surefoot.addon.physics_colliders import Colliders
    from surefoot.addon.physics_run import PhysicsRun
    from surefoot.core.fall_presets import falls

    found: dict[str, float] = {}
    for who in ("person", "dog"):
        plan = ours(who)[1]
        stage = Stage(*ours(who), FPS)
        now = stage.bodies(stage.memory)
        for title in ("limp", "shoved"):
            begun = time.process_time()
            with PhysicsRun(plan, falls("USUAL").active, FPS, colliders=Colliders((FLOOR,))) as run:
                run.begin(now, now, 1.0 / FPS)
                run.machine.gets_up, run.limp = False, title == "limp"
                for n in range(round(SECONDS * FPS)):
                    hits = [(0, (0.0, 1.0, 0.0))] if title == "shoved" and n % 20 == 0 else []
                    run.frame(now, now, hits)
            share = (time.process_time() - begun) / SECONDS
            found[f"{who} {title}, share of its own time (a person at most {MOST})"] = share
    return found
