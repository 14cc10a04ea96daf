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
from support.extension import as_package

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
DEEP, LEAST = 2e-3, 0.2
"""What counts as inside, a tenth of the room that is kept from walls; and the least share of the free way."""


def walks(first: int, count: int) -> dict[int, Walked]:
    """Walks by their seeds."""
    found: dict[int, Walked] = {}
    for group in range(first // SAME_FIELD, (first + count + SAME_FIELD - 1) // SAME_FIELD):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        things = field(group)
        world, judge = add_things(things), judge_of(things)
        for seed in range(group * SAME_FIELD, (group + 1) * SAME_FIELD):
            if first <= seed < first + count:
                found[seed] = walk(world, judge, seed, MOVEMENTS[group % len(MOVEMENTS)], Flat())
                if is_bad(found[seed]):
                    say(f"{seed}: {found[seed]}")
    return found


def is_bad(walked: Walked) -> bool:
    """True for a walk that ended inside of something, went through something, or hardly got about."""
    return walked.end > DEEP or bool(walked.inside) or walked.crossed > 0 or walked.share < LEAST


def say(line: str) -> None:
    """A line at once: a thousand walks take a while."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asked = [int(value) for value in sys.argv[1:]]
    found = walks(*(asked + [0, 1000][len(asked) :]))
    say(f"{len(found)} walks, {sum(map(is_bad, found.values()))} bad")
    say(f"deepest at the end {max(walked.end for walked in found.values()):.6f} m")
    say(f"deepest on the way {max(walked.worst for walked in found.values()):.6f} m")
    say(f"least share of the free way {min(walked.share for walked in found.values()):.3f}")
    say(f"ticks through a face {sum(walked.crossed for walked in found.values())}")
    os._exit(int(any(map(is_bad, found.values()))))
