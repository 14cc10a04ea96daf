"""How fast a body gets up from moment to moment, and how long it holds on, by a look ahead at its whole rise.

No bone turns faster than it may: where key poses, or hands on their way to their places, ask for more, all goes slower.
What is planted and would be torn off its place is let go before that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from .rise_choice import angle
from .rise_memory import PACED, RiseMemory
from .rise_shown import Shown

# No bone turns faster, radians a second in the world: 11.7 degrees a frame at 24 of them. A take may have to.
FASTEST, FASTER = 4.9, 1.25
# The last steps are over so long after the source, seconds for a 0.9 m leg.
AFTER = 0.12
# What is planted is off its place by at most so many legs (5 mm for a person); so often it is looked again.
OFF, TIMES = 0.0055, 3
# In frames at 30 a second a bone turns by at most so much a second (14 degrees a frame); it never goes slower than so.
MOST, SLOWEST = 7.3, 0.08
LONGEST = 900


class _Look(NamedTuple):
    """A look ahead: how far the fastest bone turns from one moment to the next, and when something planted (by its
    place among all) is off its place first.
    """

    turns: list[float]
    torn: dict[int, float]


class Pacer:
    """The rises of one rig. Immutable."""

    def __init__(self, shown: Shown) -> None:
        self.shown, self.rig = shown, shown.rig
        self.turned = (self.rig.body, *self.rig.skeleton.below[self.rig.body])

    def done(self, memory: RiseMemory) -> bool:
        """True once the body stands."""
        return memory.clock >= memory.seconds + AFTER * self.shown.tempo

    def pace(self, memory: RiseMemory, longest: float | None) -> None:
        """Let go in time, and set the pace; it takes at most so many seconds longer (None: as long as it has to)."""
        look = self._look(memory)
        for _ in range(TIMES):
            if not look.torn:
                break
            holds = list(memory.holds)
            for k, time in look.torn.items():
                holds[k] = holds[k]._replace(end=max(holds[k].start, time - 2.0 * PACED), lasts=False)
            memory.holds = tuple(holds)
            look = self._look(memory)
        fastest = FASTEST
        memory.pace = _paced(look.turns, fastest)
        if longest is None and memory.pace:
            self._slow(memory)
        while longest is not None and memory.pace and _longer(memory.pace) > max(0.0, longest):
            fastest *= FASTER
            memory.pace = _paced(look.turns, fastest)

    def _slow(self, memory: RiseMemory) -> None:
        """Slow the pace where a bone is still too fast in the frames as they will be seen."""
        ahead, before, pace = memory.copy(), list[Quaternion](), list(memory.pace)
        frames, last = 0, 0.0
        while not self.done(ahead) and frames < LONGEST:
            pose = self.shown.pose(ahead, EditedPose.rest(self.rig.skeleton))
            now = [pose.turn(i) for i in self.turned]
            turn = max((angle(b, a) for a, b in zip(before, now, strict=True)), default=0.0) if before else 0.0
            if turn > MOST * PACED:
                first, end = int(last / PACED), int(ahead.time / PACED) + 2
                for k in range(max(0, first), min(end, len(pace))):
                    pace[k] = min(pace[k], max(SLOWEST, memory.pace[k] * MOST * PACED / turn))
            before, last = now, ahead.time
            advance(ahead, PACED * rate(memory.pace, ahead.time))
            frames += 1
        memory.pace = tuple(pace)

    def _look(self, memory: RiseMemory) -> _Look:
        ahead, before = memory.copy(), list[Quaternion]()
        turns: list[float] = []
        torn: dict[int, float] = {}
        while not self.done(ahead) and len(turns) < LONGEST:
            pose = self.shown.pose(ahead, EditedPose.rest(self.rig.skeleton))
            now = [pose.turn(i) for i in self.turned]
            if before:
                turns.append(max(angle(b, a) for a, b in zip(before, now, strict=True)))
            before = now
            self._torn(ahead, pose, torn)
            advance(ahead, PACED)
        return _Look(turns, torn)

    def _torn(self, memory: RiseMemory, pose: EditedPose, torn: dict[int, float]) -> None:
        holds, moment = self.shown.holds, self.shown.moment(memory, 1.0)
        for k, planted in enumerate(memory.holds):
            steps = planted.lasts and memory.clock >= moment.steps
            if k in torn or steps or holds.share(planted, moment, memory.led) < 1.0:
                continue
            off = (holds.contact(pose, planted.limb) - Vector(planted.place)).length
            if off > OFF * self.rig.leg_length:
                torn[k] = memory.clock


def advance(memory: RiseMemory, seconds: float) -> None:
    """A rise so much later: the clock of the source begins slowly while the body is led in."""
    before, memory.time = memory.time, memory.time + seconds
    memory.clock += _led(memory.time, memory.blend) - _led(before, memory.blend)


def rate(pace: Sequence[float], time: float) -> float:
    """How fast it goes at a time: between two moments by both."""
    if not pace:
        return 1.0
    u = min(time / PACED, len(pace) - 1.0)
    k = max(0, min(int(u), len(pace) - 2))
    return pace[k] + (pace[min(k + 1, len(pace) - 1)] - pace[k]) * (u - k)


def _led(time: float, blend: float) -> float:
    """How far the source's clock has come: slowly while the body is led in, then as time does."""
    if time >= blend:
        return time - 0.5 * blend
    u = max(0.0, time / blend)
    return blend * (u * u * u - 0.5 * u * u * u * u)


def _paced(turns: Sequence[float], fastest: float) -> tuple[float, ...]:
    """How fast all goes, by moments: as slow as the fastest bone about each asks for. Empty: as fast as time does."""
    rates = [min(1.0, fastest * PACED / turn) if turn > 0.0 else 1.0 for turn in turns]
    if not rates or min(rates) >= 1.0:
        return ()
    return tuple(min(rates[max(0, k - 2) : k + 2]) for k in range(len(rates) + 1))


def _longer(pace: Sequence[float]) -> float:
    """By how much all takes longer, seconds."""
    return sum(PACED * (1.0 / value - 1.0) for value in pace)
