"""A thousand random walks of 20 seconds among obstacles: none ends inside of anything, all get about.

    python tests/benchmarks/random_walks.py [FIRST [COUNT]]      in an environment with Blender

Every four walks share a field; one walk each is at 24, 30, 60 and 120 ticks a second, and the movement presets take
turns. Prints the walks that fail, and the worst numbers.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support.extension import as_package  # noqa: E402 - found through the line above

as_package()
from support.obstacle_field import field, judge_of  # noqa: E402
from support.random_walk import Walked, add_things, walk  # noqa: E402
from surefoot.core.control.movement import MovementConfig  # noqa: E402
from surefoot.core.world.extruded import Flat  # noqa: E402

SAME_FIELD = 4
MOVEMENTS = (
    MovementConfig(),
    MovementConfig(gravity=24.0, jump_speed=5.5),
    MovementConfig(gravity=9.81, jump_height=0.45),
)
DEEP, LEAST = 1e-3, 0.2


def walks(first: int, count: int) -> dict[int, Walked]:
    """Walks by their seeds."""
    found: dict[int, Walked] = {}
    for group in range(first // SAME_FIELD, (first + count + SAME_FIELD - 1) // SAME_FIELD):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        things = field(group)
        world, judge = add_things(things), judge_of(things)
        for seed in range(group * SAME_FIELD, (group + 1) * SAME_FIELD):
            if first <= seed < first + count:
                print(seed, end="\r", flush=True) if sys.stdout.isatty() else None
                found[seed] = walk(world, judge, seed, MOVEMENTS[group % len(MOVEMENTS)], Flat())
                if is_bad(found[seed]):
                    print(seed, found[seed], flush=True)
    return found


def is_bad(walked: Walked) -> bool:
    """True for a walk that ended inside of something, went through something, or hardly got about."""
    return walked.end > DEEP or bool(walked.inside) or walked.crossed > 0 or walked.share < LEAST


if __name__ == "__main__":
    first, count = (int(value) for value in (*sys.argv[1:], "0", "1000")[:2]) if len(sys.argv) < 2 else (
        int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)  # fmt: skip
    found = walks(first, count)
    print(f"{len(found)} walks, {sum(map(is_bad, found.values()))} bad")
    print(f"deepest at the end {max(walked.end for walked in found.values()):.6f} m")
    print(f"deepest on the way {max(walked.worst for walked in found.values()):.6f} m")
    print(f"least share of the free way {min(walked.share for walked in found.values()):.3f}")
    print(f"ticks through a face {sum(walked.crossed for walked in found.values())}")
    sys.stdout.flush()
    os._exit(1 if any(map(is_bad, found.values())) else 0)
