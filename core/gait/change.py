"""From one gait to another in mid-stride: where in the new table the clock goes on.

Two tables seldom agree on when each leg lands. The clock is shifted once, so that the leg that is worst off has to
hurry or to wait as little as can be; legs in the air keep their old timing until they have landed.
"""

from __future__ import annotations

from .memory import FootMemory, GaitMemory
from .patterns import Pattern


def change_gait(memory: GaitMemory, pattern: Pattern) -> None:
    """Take up another gait: feet that stand get its timing, and the clock goes on where it suits all feet best."""
    wanted = [
        (_phase_in(foot, pattern.duty) + offset) % 1.0
        for foot, offset in zip(memory.feet, pattern.offsets, strict=True)
    ]
    middles = [(a + 0.5 * _apart(a, b)) % 1.0 for i, a in enumerate(wanted) for b in wanted[i:]]
    best = min(middles, key=lambda phase: (round(max(abs(_apart(phase, other)) for other in wanted), 9), phase))
    shift = best - memory.phase
    memory.gait = pattern.name
    memory.phase = best
    for foot, offset in zip(memory.feet, pattern.offsets, strict=True):
        if foot.planted:
            foot.timing = (offset, pattern.duty)
            foot.phase = (best - offset) % 1.0
        else:
            foot.timing = ((foot.timing[0] + shift) % 1.0, foot.timing[1])


def _phase_in(foot: FootMemory, duty: float) -> float:
    """The phase that a foot would have in a gait with this duty: as far through its stance, or its swing, as it is."""
    if foot.planted:
        return min(1.0, foot.phase / foot.timing[1]) * duty
    return duty + (1.0 - duty) * (foot.phase - foot.lift_phase) / (1.0 - foot.lift_phase)


def _apart(first: float, second: float) -> float:
    """The way from one phase to another, the short way around."""
    return (second - first + 0.5) % 1.0 - 0.5
