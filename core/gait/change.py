"""From one gait to another in mid-stride: where in the new table the clock goes on.

Two tables seldom agree on when each leg lands. The clock is shifted once, so that the leg that is worst off is as
near to its place in the new table as can be; what is left of its way there it makes up while it stands, a little each
step. Legs in the air keep their old timing until they have landed.
"""

from __future__ import annotations

from .memory import FootMemory, GaitMemory
from .patterns import Pattern

# By this share a stance is longer or shorter than its gait's while the foot makes up for a change of gait.
CATCH_UP = 0.35


def change_gait(memory: GaitMemory, pattern: Pattern) -> None:
    """Take up another gait: each foot is as far through its stance as before; the clock goes on where it suits all."""
    wanted = [
        (_phase_in(foot, pattern.stance(i)) + offset) % 1.0
        for i, (foot, offset) in enumerate(zip(memory.feet, pattern.offsets, strict=True))
    ]
    middles = [(a + 0.5 * _apart(a, b)) % 1.0 for i, a in enumerate(wanted) for b in wanted[i:]]
    best = min(middles, key=lambda phase: (round(max(abs(_apart(phase, other)) for other in wanted), 9), phase))
    shift = best - memory.phase
    memory.gait = pattern.name
    memory.phase = best
    for i, foot in enumerate(memory.feet):
        if foot.planted:
            foot.phase = _phase_in(foot, pattern.stance(i))
            foot.timing = ((best - foot.phase) % 1.0, pattern.stance(i))
        else:
            foot.timing = ((foot.timing[0] + shift) % 1.0, foot.timing[1])


def caught_up(offset: float, wanted: float, advance: float) -> float:
    """A standing foot's landing phase after a tick in which the clock went on by `advance`: nearer to `wanted`."""
    left = _apart(offset, wanted)
    most = CATCH_UP * advance
    return wanted if abs(left) <= most else (offset + (most if left > 0.0 else -most)) % 1.0


def _phase_in(foot: FootMemory, duty: float) -> float:
    """The phase that a foot would have in a gait with this duty: as far through its stance, or its swing, as it is."""
    if foot.planted:
        return min(1.0, foot.phase / foot.timing[1]) * duty
    return duty + (1.0 - duty) * (foot.phase - foot.lift_phase) / (1.0 - foot.lift_phase)


def _apart(first: float, second: float) -> float:
    """The way from one phase to another, the short way around."""
    return (second - first + 0.5) % 1.0 - 0.5
