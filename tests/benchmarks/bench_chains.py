"""Long chains: what one solve takes, in microseconds and in rays.

A chain of 30 bones by FABRIK may take 600 rays. Targets are of two kinds: anywhere within nine tenths of the length,
each from the same start; and a target that goes on a little from frame to frame, from the frame before.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence

from support.bench_stage import hills, one_ray, walker, without_skins
from support.chains_of_points import curled, targets

BONES = 30
TARGETS = 400
Points = Sequence[Sequence[float]]


def microseconds(solve: Callable[[Points, Sequence[float]], object], cases: Sequence[tuple[Points, Points]]) -> float:
    """The median time of one solve over starts and targets."""
    clock, times = time.perf_counter_ns, []
    for start, target in cases:
        began = clock()
        solve(start, target)
        times.append(clock() - began)
    return statistics.median(times) / 1000.0


def going_on() -> list[Points]:
    """Targets that go along a curve, a centimetre a frame for a chain of a metre."""
    path = []
    for k in range(TARGETS):
        angle = 0.015 * k
        share = 0.6 + 0.3 * math.sin(0.7 * angle)
        path.append((share * math.sin(angle), share * math.cos(angle), 0.3 * share * math.sin(2.0 * angle)))
    return path


def bench_a_chain_of_thirty_bones() -> dict[str, float]:
    """On bare points and on bones; free and within limits."""
    from mathutils import Vector
    from support.tails import hooked, tailed
    from surefoot.core.ik.ccd import Cone, Hung, solve_ccd
    from surefoot.core.ik.chain import Effort, solve_fabrik
    from surefoot.core.ik.chain_bones import BoneChain, lay_bones, solve_bones
    from surefoot.core.rig.edited_pose import EditedPose

    hills()
    rig = walker("person")
    without_skins()
    ray = one_ray(rig)
    start = curled(BONES, 1.5)
    limits = [Cone(math.pi, 0.5), *[Cone(0.5, 0.3)] * (BONES - 1)]
    anywhere = [(start, target) for target in targets(seed=1, count=TARGETS)]
    path = going_on()
    warm, bent = [start], []
    hung, points = Hung.from_rest(start, start), start
    for target in path:
        warm.append(solve_fabrik(warm[-1], target).points)
        bent.append((points, hung))
        points, *_, turns = solve_ccd(points, target, limits=limits, hung=hung)
        hung = Hung(turns, hung.carrier)
    frames = iter(bent)

    chain, pose = BoneChain(tuple(range(1, BONES + 1)), Effort()), EditedPose.rest(tailed(hooked(BONES)))
    root = pose.head(1)

    def on_bones(_: Points, target: Sequence[float]) -> None:
        lay_bones(pose, chain.bones, solve_bones(pose, chain, root + Vector(target)).turns)

    def within_limits(points: Points, target: Sequence[float]) -> None:
        solve_ccd(points, target, limits=limits, hung=next(frames)[1])

    times = {
        "FABRIK, anywhere": microseconds(solve_fabrik, anywhere),
        "FABRIK, from the frame before": microseconds(solve_fabrik, list(zip(warm[:-1], path, strict=True))),
        "CCD within limits, from the frame before": microseconds(
            within_limits, [(begun, target) for (begun, _), target in zip(bent, path, strict=True)]
        ),
        "FABRIK on bones": microseconds(on_bones, [(start, target) for target in path]),
    }
    found = {"one ray, us": ray}
    for what, took in times.items():
        found[f"{what}, us"] = took
        found[f"{what}, rays"] = took / ray
    return found
