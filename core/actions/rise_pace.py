"""How fast a body gets up from moment to moment, and how long it holds on, by a look ahead at its whole rise.

No bone turns faster than it may: where key poses, or hands on their way to their places, ask for more, all goes slower.
What is planted and would be torn off its place is let go before that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import expm1, inf, log
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..rig.edited_pose import EditedPose
from .lying import trunk_goes_up
from .rise_bridges import jumps, merged
from .rise_choice import angle
from .rise_holds import LEAST
from .rise_memory import PACED, Bridge, RiseMemory, led
from .rise_shown import Shown

# No bone turns faster, radians a second in the world: 14.3 degrees a frame at 24 of them. A take may have to.
FASTEST, FASTER = 6.0, 1.25
# The last steps are over so long after the source, seconds for a 0.9 m leg.
AFTER = 0.12
# What is planted is off its place by at most so many legs (5 mm for a person); so often it is looked again.
OFF, TIMES = 0.0055, 3
# So often the pace is slowed, a little more than it has to, and what jumps is bridged.
SLOWED, SAFE, BRIDGED = 10, 0.95, 3
# In frames at 30 a second a bone turns by at most so much a second (12 degrees a frame); it never goes slower than so.
MOST, SLOWEST = 6.2, 0.04
LONGEST = 900
# Who turns by more from one moment to the next is turned over, radians.
SUDDENLY = 1.5
# The bridge over something that is turned over takes longer than this, seconds.
TURNED_OVER = 0.17
# What was too fast is looked at again from so many frames before to so many after.
ABOUT = 2.0

Span = tuple[float, float]
"""From one time to another, seconds after a rise began."""


class _Look(NamedTuple):
    """A look ahead: how far the fastest bone turns from one moment to the next, and when something planted (by its
    place among all) is off its place first, and from moment to moment the bridges over limbs that jump.
    """

    turns: list[float]
    torn: dict[int, float]
    jumps: list[list[Bridge]]


class Pacer:
    """The rises of one rig. Immutable."""

    def __init__(self, shown: Shown) -> None:
        self.shown, self.rig, self.upright = shown, shown.rig, trunk_goes_up(shown.rig)
        self.turned = (self.rig.body, *self.rig.skeleton.below[self.rig.body])

    def done(self, memory: RiseMemory) -> bool:
        """True once the body stands."""
        return memory.clock >= memory.seconds + AFTER * self.shown.tempo

    def pace(self, memory: RiseMemory, longest: float | None) -> None:
        """Let go in time, and set the pace; it takes at most so many seconds longer (None: as long as it has to)."""
        least = LEAST * self.shown.tempo
        look = self._look(memory)
        for _ in range(TIMES):
            if not look.torn:
                break
            holds, since = list(memory.holds), inf
            for k, time in look.torn.items():
                holds[k] = let_go = holds[k]._replace(end=max(holds[k].start, time - 2.0 * PACED), lasts=False)
                # What is planted for too short a time after the body is led in is not planted at all.
                stays = let_go.end - max(let_go.start, memory.led) >= least
                since = min(since, let_go.end if stays else -inf)
            memory.holds = tuple(holds)
            look = self._look(memory, look, since)
        memory.holds = tuple(each for each in memory.holds if each.lasts or each.end - each.start >= least)
        found = [each for some in look.jumps for each in some]
        ends: dict[float, EditedPose] = {}
        for _ in range(BRIDGED):
            if found:
                rest = EditedPose.rest(self.rig.skeleton)
                bridges = merged((*memory.bridges, *self._free(memory, found)))
                memory.bridges = tuple(self._brought_up(memory, each, rest, ends) for each in bridges)
                for each in memory.bridges:
                    self._look_again(memory, look.turns, (each.start, each.end), ends)
            memory.pace = _paced(look.turns, FASTEST)
            found = self._slowed(memory, ends) if longest is None and memory.pace else []
            if not found:
                break
        fastest = FASTEST
        while longest is not None and memory.pace and _longer(memory.pace) > max(0.0, longest):
            fastest *= FASTER
            memory.pace = _paced(look.turns, fastest)

    def _slowed(self, memory: RiseMemory, ends: dict[float, EditedPose]) -> list[Bridge]:
        """Slow the pace where a bone is still too fast in the frames as they will be seen; what jumps there."""
        fast, found = self._slow(memory, [(0.0, inf)], ends)
        for _ in range(SLOWED - 1):
            if found or not fast:
                break
            # What was slow enough stays so: it is looked at again only about what was too fast.
            fast, found = self._slow(memory, fast, ends)
        return found

    def _slow(
        self, memory: RiseMemory, spans: Sequence[Span], ends: dict[float, EditedPose]
    ) -> tuple[list[Span], list[Bridge]]:
        """Slow the pace once within spans of time; about when a bone was too fast, and the bridges over what jumps."""
        pace, fast, found = list(memory.pace), list[Span](), list[Bridge]()
        for start, end in spans:
            for at, ahead, last, pose, turn in self._seen(memory, start, end, ends):
                if turn <= MOST * PACED:
                    continue
                found += self._jumps(ahead, (at, ahead.time), (last, pose))
                for k in range(max(0, int(at / PACED)), min(int(ahead.time / PACED) + 2, len(pace))):
                    pace[k] = min(pace[k], max(SLOWEST, memory.pace[k] * SAFE * MOST * PACED / turn))
                about = max(0.0, at - ABOUT * PACED), ahead.time + ABOUT * PACED
                if fast and about[0] <= fast[-1][1]:
                    about = fast.pop()[0], about[1]
                fast.append(about)
        memory.pace = tuple(pace)
        return fast, found

    def _seen(
        self, memory: RiseMemory, start: float, end: float, ends: dict[float, EditedPose]
    ) -> Iterator[tuple[float, RiseMemory, EditedPose, EditedPose, float]]:
        """The frames from one time to another as they will be seen, each with the one before: that one's time, what is
        remembered, both poses, and by how much the fastest bone turns in between (radians).
        """
        ahead, rest = self.shown.then(memory, start), EditedPose.rest(self.rig.skeleton)
        last, before, at = None, list[Quaternion](), start
        for _ in range(LONGEST):
            if self.done(ahead) or at > end:
                return
            pose = self.shown.pose(ahead, rest, ends)
            now = [pose.turn(i) for i in self.turned]
            if last is not None:
                yield at, ahead, last, pose, max(angle(b, a) for a, b in zip(before, now, strict=True))
            last, before, at = pose, now, ahead.time
            advance(ahead, goes_on(memory.pace, ahead.time, PACED))

    def _jumps(
        self, memory: RiseMemory, times: tuple[float, float], poses: tuple[EditedPose, EditedPose]
    ) -> list[Bridge]:
        """The bridges over limbs that jump between two poses.

        Over a plane a body whose legs push it up has few: of those only what is turned over is bridged.
        """
        rest = EditedPose.rest(self.rig.skeleton)
        found = jumps(lambda time: self.shown.at(memory, time, rest), times, poses, self.shown.chains)
        if memory.floor.grid or self.upright:
            return found
        return [each for each in found if each.end - each.start > TURNED_OVER]

    def _look(self, memory: RiseMemory, known: _Look | None = None, since: float = -inf) -> _Look:
        """Look ahead; of what is `known` all holds that is before the source's time from which on it is another."""
        ahead, before = memory.copy(), list[Quaternion]()
        turns: list[float] = []
        torn: dict[int, float] = {}
        found: list[list[Bridge]] = []
        last: EditedPose | None = None
        rest, moment = EditedPose.rest(self.rig.skeleton), 0
        while known is not None and ahead.clock < since - 2.0 * PACED and moment < len(known.turns):
            moment += 1
            advance(ahead, PACED)
        if known is not None:
            turns, found = known.turns[:moment], known.jumps[:moment]
        while not self.done(ahead) and len(turns) < LONGEST:
            pose = self.shown.pose(ahead, rest)
            now = [pose.turn(i) for i in self.turned]
            if last is not None:
                turns.append(max(angle(b, a) for a, b in zip(before, now, strict=True)))
                both = (ahead.time - PACED, ahead.time), (last, pose)
                found.append([] if memory.bridges else self._jumps(ahead, *both))
            before, last = now, pose
            self._torn(ahead, pose, torn)
            advance(ahead, PACED)
        return _Look(turns, torn, found)

    def _look_again(
        self, memory: RiseMemory, turns: list[float], span: Span, ends: dict[float, EditedPose]
    ) -> None:
        """Measure anew how far the fastest bone turns from one time to another, from moment to moment."""
        start, end = span
        first, last = max(0, int(start / PACED) - 1), min(len(turns), int(end / PACED) + 2)
        rest, before = EditedPose.rest(self.rig.skeleton), list[Quaternion]()
        for k in range(first, last + 1):
            pose = self.shown.pose(self.shown.then(memory, k * PACED), rest, ends)
            now = [pose.turn(i) for i in self.turned]
            if before:
                turns[k - 1] = max(angle(b, a) for a, b in zip(before, now, strict=True))
            before = now

    def _brought_up(
        self, memory: RiseMemory, each: Bridge, rest: EditedPose, ends: dict[float, EditedPose]
    ) -> Bridge:
        """A bridge with its limb kept over the floor: by a lift that is found before, or over a plane without one where
        that turns no bone suddenly.
        """
        if memory.floor.grid or each.limb not in self.shown.limbs.known:
            return self.shown.lifted(memory, each, rest, ends)
        own = self._suddenly(memory, each, rest, ends)
        if own < SUDDENLY:
            return each
        lifted = self.shown.lifted(memory, each, rest, ends)
        return lifted if self._suddenly(memory, lifted, rest, ends) <= own else each

    def _suddenly(self, memory: RiseMemory, each: Bridge, rest: EditedPose, ends: dict[float, EditedPose]) -> float:
        """How far a bone turns at most from one moment to the next on a bridge alone, radians."""
        alone, most, before = replace(memory, bridges=(each,)), 0.0, list[Quaternion]()
        for k in range(int(each.start / PACED), int(each.end / PACED) + 2):
            pose = self.shown.pose(self.shown.then(alone, k * PACED), rest, ends)
            now = [pose.turn(i) for i in self.turned]
            if before:
                most = max(most, *(angle(b, a) for a, b in zip(before, now, strict=True)))
            before = now
        return most

    def _free(self, memory: RiseMemory, bridges: Sequence[Bridge]) -> tuple[Bridge, ...]:
        """Bridges without the parts in which their limb is planted, none longer than the rise."""
        found, over = [], _when(memory, memory.seconds + AFTER * self.shown.tempo)
        for each in bridges:
            start, end = max(each.start, 0.0), min(each.end, over)
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


def goes_on(pace: Sequence[float], time: float, seconds: float) -> float:
    """How far a rise that is at a time gets in so many seconds at its pace: the same in one step or in many.

    Between two moments the pace is a straight line over the rise's own time t: dt/ds = r + k t, in closed form.
    """
    if not pace:
        return seconds
    at, left, last = time, seconds, len(pace) - 1
    while left > 0.0:
        moment = int(at / PACED + 1e-9)
        now = rate(pace, at)
        if moment >= last:
            return at + now * left - time
        end = (moment + 1) * PACED
        slope = (pace[moment + 1] - now) / (end - at)
        steep = abs(slope) * left > 1e-9
        takes = log(pace[moment + 1] / now) / slope if steep else (end - at) / now
        if takes > left:
            return at + (now * expm1(slope * left) / slope if steep else now * left) - time
        at, left = end, left - takes
    return at - time


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
