"""The floor that a clip's feet stand on, learned from its clean contacts: no two rigs have it at the same height.

The same joint angles put another rig's sole a centimetre or two over its floor, or under it. The whole pose is then set
down by so much, so that no knee changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TypeVar

from ..space.dampers import kept_share
from .legs_feet import PosedFoot
from .legs_memory import Flat, FootMemory, LegsMemory

T = TypeVar("T")

# Metres, metres a second and seconds for a 0.9 m leg: the most that is learned, and what counts as a clean contact.
MOST_FLOOR, STILL, LONG_ENOUGH = 0.10, 0.3, 0.15
# A contact that lasts longer than this is told before it ends.
TOLD_AFTER = 0.5
# The first contacts count evenly, every later one as much as this.
LATER = 0.25
# A foot that is this much higher than the lowest one (metres, for a 0.9 m leg) does not stand on the floor.
HIGHER = 0.03
HALFLIFE = 0.3


def learn_floor(
    memory: LegsMemory, feet: Sequence[PosedFoot], speeds: Sequence[Flat | None], floor: float, scale: float, dt: float
) -> None:
    """Go on by a frame: how high heel and ball of each foot are over the rig's `floor` when they stand still.

    `speeds` are None for a foot that is known to be in the air; one that is still there while another one is clearly
    lower does not stand either. The clip's floor is under the lower end of each foot, in the mean of all. It takes
    effect in time: nothing jumps.
    """
    lows = [min(foot.heel.z, foot.ball.z) for foot in feet]
    for foot, own, low, told in zip(feet, memory.feet, lows, speeds, strict=True):
        both = told if low <= min(lows) + HIGHER * scale else None
        for k, end in enumerate((foot.heel, foot.ball)):
            _watch(own, k, end.z - floor, both is not None and both[k] <= STILL * sqrt(scale), scale, dt)
    known = [min(foot.level) for foot in memory.feet if min(foot.samples) > 0]
    learned = sum(known) / len(known) if known else memory.floor
    memory.floor = learned + (memory.floor - learned) * kept_share(HALFLIFE, dt)


def _watch(memory: FootMemory, k: int, lift: float, still: bool, scale: float, dt: float) -> None:
    """One end of a sole for one frame: the mean of its height while it stands, told when it leaves or stands long."""
    stands = still and abs(lift) <= MOST_FLOOR * scale
    stood, mean = memory.stood[k], memory.lift[k]
    if stands:
        mean, stood = (mean * stood + lift * dt) / (stood + dt), stood + dt
    if stood > 0.0 and (not stands or stood >= TOLD_AFTER):
        if stood >= LONG_ENOUGH:
            count = memory.samples[k] + 1
            level = memory.level[k] + (mean - memory.level[k]) * max(LATER, 1.0 / count)
            memory.samples, memory.level = _with(memory.samples, k, count), _with(memory.level, k, level)
        stood = mean = 0.0
    memory.stood, memory.lift = _with(memory.stood, k, stood), _with(memory.lift, k, mean)


def _with(pair: tuple[T, T], k: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if k == 0 else (pair[0], value)
