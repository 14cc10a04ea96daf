"""Three hundred bodies that lie, on flat ground, slopes up to 25 degrees and stairs, and what their getting up does:
the worst of each measure, and how many are over its limit.

Run as a script in the core's Python, with the tests' folder on the path:
    PYTHONPATH=tests python tests/benchmarks/rises.py [CHARACTER] [HOW MANY OF EACH]    limbs anyhow, made by hand
    PYTHONPATH=tests python tests/benchmarks/rises.py FILE [CHARACTER]                  as physics left them

FILE is what `fallen_poses.py` records. The latter also tells the seeds that are over a limit.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from math import pi, radians
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from support.extension import as_package

if TYPE_CHECKING:
    from support.lying import Lying
    from surefoot.core.actions.rising import Rising
    from surefoot.core.world.world import World

SIDES = ("PRONE", "SUPINE", "LEFT", "RIGHT")
LIMITS = {"lies": 0.005, "start": 1e-3, "turn": 15.0, "under": 0.005, "slide": 0.01, "seconds": 12.0, "side": 0.0}


def values_of(rise: Rising, body: Lying, world: World, sides: Collection[str]) -> dict[str, float]:
    """The measures of one body that gets up; any of the sides is right."""
    from support.rises import FPS, depth, fastest, filmed, slide, start_gap

    shots = filmed(rise, body, world)
    return {
        "lies": depth(rise, shots[:1], world),
        "start": start_gap(rise, body, shots[0]),
        "turn": fastest(rise, shots),
        "under": depth(rise, shots, world),
        "slide": slide(rise, shots),
        "seconds": (len(shots) - 1) / FPS,
        "side": float(shots[0].memory.lies not in sides),
    }


def by_hand(who: str, ground: str, count: int, rng: Random) -> Iterator[tuple[int, dict[str, float]]]:
    """The measures of so many bodies that are made by hand."""
    from support.lying import lying
    from support.rises import riser
    from surefoot.core.world.solids import Flat, Ramp, Stairs

    rise = riser(who)
    leg = rise.rig.leg_length
    for k in range(count):
        lies, slope = SIDES[k % 4], radians(rng.uniform(5.0, 25.0))
        world = {"flat": Flat(), "slope": Ramp(slope), "stairs": Stairs()}[ground]
        body = lying(
            rise.rig,
            lies,
            world,
            heading=rng.uniform(-pi, pi),
            at=(rng.uniform(-0.5, 0.5) * leg, rng.uniform(-4.0, -2.0) * leg),
            seed=k,
            off=radians(rng.uniform(-35.0, 35.0)),
        )
        yield k, values_of(rise, body, world, (lies,))


def by_physics(who: str, ground: str, path: Path) -> Iterator[tuple[int, dict[str, float]]]:
    """The measures of bodies that physics left lying, with the skin that they have."""
    from support.fallen_poses import lying_of, read, right_sides
    from support.ragdolls import our_plan, our_rig
    from surefoot.core.rise_presets import rising

    rig, plan = our_rig(who), our_plan(who)
    rise = rising(rig, skin=plan.skin)
    for pose in read(path):
        if (pose.who, pose.ground) == (who, ground):
            yield pose.seed, values_of(rise, lying_of(rig, plan, pose), pose.world, right_sides(rig, plan, pose))


def told(ground: str, bodies: Iterator[tuple[int, dict[str, float]]], *, seeds: bool) -> None:
    """A line for each measure."""
    all_of = list(bodies)
    for name, limit in LIMITS.items():
        over = [seed for seed, values in all_of if values[name] > limit]
        worst = max((values[name] for _, values in all_of), default=0.0)
        which = f"  {over}" if seeds and over else ""
        sys.stdout.write(f"{ground:7}{name:9}{worst:10.4f}{len(over):5d} of {len(all_of)} over {limit:g}{which}\n")
    sys.stdout.flush()


def _main() -> None:
    first, *rest = sys.argv[1:] or ["person"]
    rng = Random(5)
    for ground in ("flat", "slope", "stairs"):
        if Path(first).is_file():
            told(ground, by_physics(rest[0] if rest else "person", ground, Path(first)), seeds=True)
        else:
            told(ground, by_hand(first, ground, int(rest[0]) if rest else 100, rng), seeds=False)


if __name__ == "__main__":
    as_package()
    _main()
