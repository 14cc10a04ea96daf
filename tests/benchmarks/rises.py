"""Three hundred bodies that lie anyhow, on flat ground, slopes up to 25 degrees and stairs, and what their getting up
does: the worst of each measure, and how many are over its limit.

Run as a script in the core's Python, with the tests' folder on the path:
    PYTHONPATH=tests python tests/benchmarks/rises.py [CHARACTER] [HOW MANY OF EACH]
"""

from __future__ import annotations

import sys
from math import pi, radians
from random import Random

from support.extension import as_package

SIDES = ("PRONE", "SUPINE", "LEFT", "RIGHT")
LIMITS = {"start": 1e-3, "turn": 15.0, "under": 0.005, "slide": 0.01, "seconds": 12.0, "side": 0.0}


def measured(who: str, ground: str, count: int, rng: Random) -> dict[str, tuple[float, int]]:
    """Of each measure the worst of so many bodies, and how many are over its limit."""
    from support.lying import lying
    from support.rises import FPS, depth, fastest, filmed, riser, slide, start_gap
    from surefoot.core.world.solids import Flat, Ramp, Stairs

    rise, found = riser(who), dict.fromkeys(LIMITS, (0.0, 0))
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
        shots = filmed(rise, body, world)
        values = {
            "start": start_gap(rise, body, shots[0]),
            "turn": fastest(rise, shots),
            "under": depth(rise, shots, world),
            "slide": slide(rise, shots),
            "seconds": (len(shots) - 1) / FPS,
            "side": float(shots[0].memory.lies != lies),
        }
        for name, value in values.items():
            worst, over = found[name]
            found[name] = (max(worst, value), over + (value > LIMITS[name]))
    return found


def _main() -> None:
    who = sys.argv[1] if len(sys.argv) > 1 else "person"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    rng = Random(5)
    for ground in ("flat", "slope", "stairs"):
        for name, (worst, over) in measured(who, ground, count, rng).items():
            sys.stdout.write(f"{ground:7}{name:9}{worst:10.4f}{over:5d} of {count} over {LIMITS[name]:g}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    as_package()
    _main()
