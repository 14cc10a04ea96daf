"""How fast a body gets up from moment to moment, and how long it holds on, by a look ahead at its whole rise.

No bone turns faster than it may: where key poses, or hands on their way to their places, ask for more, all goes slower.
What is planted and would be torn off its place is let go before that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from .rise_bridges import jumps, merged
from .rise_choice import angle
from .rise_holds import LEAST
from .rise_memory import PACED, Bridge, RiseMemory, led
from .rise_shown import Shown

# No bone turns faster, radians a second in the world: 14.8 degrees a frame at 24 of them. A take may have to.
FASTEST, FASTER = 6.2, 1.25
# The last steps are over so long after the source, seconds for a 0.9 m leg.
AFTER = 0.12
# What is planted is off its place by at most so many legs (5 mm for a person); so often it is looked again.
OFF, TIMES = 0.0055, 3
# So often the pace is slowed, a little more than it has to, and what jumps is bridged.
SLOWED, SAFE, BRIDGED = 4, 0.95, 3
# In frames at 30 a second a bone turns by at most so much a second (14 degrees a frame); it never goes slower than so.
MOST, SLOWEST = 7.0, 0.08
LONGEST = 900


class _Look(NamedTuple):
    """A look ahead: how far the fastest bone turns from one moment to the next, and when something planted (by its
    place among all) is off its place first, and the bridges over limbs that jump.
    """

    turns: list[float]
    torn: dict[int, float]
    jumps: list[Bridge]


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
        least = LEAST * self.shown.tempo
        memory.holds = tuple(each for each in memory.holds if each.lasts or each.end - each.start >= least)
        found = look.jumps
        for _ in range(BRIDGED):
            if found:
                memory.bridges = merged((*memory.bridges, *self._free(memory, found)))
                look = self._look(memory)
            memory.pace = _paced(look.turns, FASTEST)
            found = self._slowed(memory) if longest is None and memory.pace else []
            if not found:
                break
        fastest = FASTEST
        while longest is not None and memory.pace and _longer(memory.pace) > max(0.0, longest):
            fastest *= FASTER
            memory.pace = _paced(look.turns, fastest)

    def _slowed(self, memory: RiseMemory) -> list[Bridge]:
        """Slow the pace where a bone is still too fast in the frames as they will be seen; what jumps there."""
        found: list[Bridge] = []
        for _ in range(SLOWED):
            slowed, found = self._slow(memory)
            if found or not slowed:
                break
        return found

    def _slow(self, memory: RiseMemory) -> tuple[bool, list[Bridge]]:
        """Slow the pace once; whether a bone was too fast, and the bridges over what jumps."""
        ahead, pace, rest = memory.copy(), list(memory.pace), EditedPose.rest(self.rig.skeleton)
        before, found, slowed = list[Quaternion](), list[Bridge](), False
        last: EditedPose | None = None
        frames, at = 0, 0.0
        while not self.done(ahead) and frames < LONGEST:
            pose = self.shown.pose(ahead, rest)
            now = [pose.turn(i) for i in self.turned]
            turn = max((angle(b, a) for a, b in zip(before, now, strict=True)), default=0.0) if before else 0.0
            if turn > MOST * PACED and last is not None:
                slowed = True
                found += self._jumps(ahead, (at, ahead.time), (last, pose))
                for k in range(max(0, int(at / PACED)), min(int(ahead.time / PACED) + 2, len(pace))):
                    pace[k] = min(pace[k], max(SLOWEST, memory.pace[k] * SAFE * MOST * PACED / turn))
            before, last, at = now, pose, ahead.time
            advance(ahead, PACED * rate(memory.pace, ahead.time))
            frames += 1
        memory.pace = tuple(pace)
        return slowed, found

    def _jumps(
        self, memory: RiseMemory, times: tuple[float, float], poses: tuple[EditedPose, EditedPose]
    ) -> list[Bridge]:
        """The bridges over limbs that jump between two poses."""
        rest = EditedPose.rest(self.rig.skeleton)
        return jumps(lambda time: self.shown.at(memory, time, rest), times, poses, self.shown.chains)

    def _look(self, memory: RiseMemory) -> _Look:
        ahead, before = memory.copy(), list[Quaternion]()
        turns: list[float] = []
        torn: dict[int, float] = {}
        found: list[Bridge] = []
        last: EditedPose | None = None
        rest = EditedPose.rest(self.rig.skeleton)
        while not self.done(ahead) and len(turns) < LONGEST:
            pose = self.shown.pose(ahead, rest)
            now = [pose.turn(i) for i in self.turned]
            if before:
                turns.append(max(angle(b, a) for a, b in zip(before, now, strict=True)))
            if last is not None and not memory.bridges:
                found += self._jumps(ahead, (ahead.time - PACED, ahead.time), (last, pose))
            before, last = now, pose
            self._torn(ahead, pose, torn)
            advance(ahead, PACED)
        return _Look(turns, torn, found)

    def _free(self, memory: RiseMemory, bridges: Sequence[Bridge]) -> tuple[Bridge, ...]:
        """Bridges without the parts in which their limb is planted."""
        found = []
        for each in bridges:
            start, end = max(each.start, 0.0), each.end
            middle = 0.5 * (start + end)
            for planted in memory.holds:
                if planted.limb == each.limb:
                    down, up = (_when(memory, clock) for clock in (max(planted.start, memory.led), planted.end))
                    end = min(end, down) if down >= middle else end
                    start = max(start, up) if up <= middle and not planted.lasts else start
                    if down < middle < up or planted.lasts and down < middle:
                        start = end = middle
            if end - start > PACED:
                found.append(Bridge(each.limb, start, end))
        return tuple(found)

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
    memory.clock += led(memory.time, memory.blend) - led(before, memory.blend)


def rate(pace: Sequence[float], time: float) -> float:
    """How fast it goes at a time: between two moments by both."""
    if not pace:
        return 1.0
    u = min(time / PACED, len(pace) - 1.0)
    k = max(0, min(int(u), len(pace) - 2))
    return pace[k] + (pace[min(k + 1, len(pace) - 1)] - pace[k]) * (u - k)


def _when(memory: RiseMemory, clock: float) -> float:
    """How long ago a rise began when its source is at a time, after it is led in."""
    return clock - memory.entered + 0.5 * memory.blend


def _paced(turns: Sequence[float], fastest: float) -> tuple[float, ...]:
    """How fast all goes, by moments: as slow as the fastest bone about each asks for. Empty: as fast as time does."""
    rates = [min(1.0, fastest * PACED / turn) if turn > 0.0 else 1.0 for turn in turns]
    if not rates or min(rates) >= 1.0:
        return ()
    return tuple(min(rates[max(0, k - 2) : k + 2]) for k in range(len(rates) + 1))


def _longer(pace: Sequence[float]) -> float:
    """By how much all takes longer, seconds."""
    return sum(PACED * (1.0 / value - 1.0) for value in pace)
