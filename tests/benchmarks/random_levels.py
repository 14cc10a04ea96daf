"""Two hundred random levels, each with a goal that the autopilot is sent to, judged from its pose.

    python tests/benchmarks/random_levels.py [FIRST [COUNT [EVERY]]]      in an environment with Blender

Every so manieth pose is judged. Prints each level that is not as it should be, and the numbers of all.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from support.extension import as_package

as_package()
from support.grid import rig_of  # noqa: E402
from support.judged_run import DEEP, UNHELD, Verdict, run  # noqa: E402
from support.obstacle_field import judge_of  # noqa: E402
from support.random_levels import level  # noqa: E402
from support.random_walk import add_things  # noqa: E402


def verdict(seed: int, every: int) -> Verdict:
    """One level in an empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    built = level(seed)
    return run(rig_of("person"), add_things(built.things), judge_of(built.things), built, poses=every)


def is_bad(one: Verdict) -> bool:
    """True where anything is not as it should be."""
    return one.deep > DEEP or one.hung > UNHELD or one.inside or (one.reachable and not one.reached)


def say(line: str) -> None:
    """A line at once: all of them take a while."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(first: int = 0, count: int = 200, every: int = 2) -> int:
    """All of them; 1 where fewer goals than nine in ten were reached, or anything else is not as it should be."""
    found: dict[int, Verdict] = {}
    for seed in range(first, first + count):
        found[seed] = one = verdict(seed, every)
        if is_bad(one):
            say(f"{seed}: {one}")
    can = [one for one in found.values() if one.reachable]
    high = [one for one in can if not one.walkable]
    say(f"{len(found)} levels, {len(can)} goals reachable, of them {len(high)} not by walking")
    say(f"reached {sum(one.reached for one in can)} of {len(can)}, by moves {sum(one.reached for one in high)}")
    worst = max(one.deep for one in found.values())
    say(f"deeper than {DEEP} m: {sum(one.deep > DEEP for one in found.values())}, worst {worst:.3f}")
    say(f"level and unheld longest {max(one.hung for one in found.values()):.2f} s")
    say(f"ended inside: {sum(one.inside for one in found.values())}")
    say(f"moves: {dict(Counter(name for one in found.values() for name in one.moves))}")
    return int(any(map(is_bad, found.values())))


if __name__ == "__main__":
    os._exit(main(*(int(value) for value in sys.argv[1:])))
