"""What the legs of a body ask of it: how far it has to sink for them to reach their feet, softly or at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import sqrt

from mathutils import Quaternion, Vector

from ..control.intent import Travel
from ..space.curves import smoothstep
from ..space.dampers import spring
from .change import PULLED_FROM
from .config import GaitConfig
from .foot import FootGeometry
from .frame import FrameOfBody
from .memory import BodyMemory, FootMemory, GaitMemory
from .patterns import Pattern
from .ride import moves_on
from .roll_off import runs
from .rolling import Known, pitch_now
from .shape import BodyShape
from .stride import TIGHTER

# Past this share of a stance the leg is bent for its lift-off.
BEND_FROM = 0.6
HARD_EXTENSION = 0.991
LACK = 1e-4
REACHES_FROM, REACHES_UNTIL = 0.5, 0.96


class BodyNeeds(ABC):
    """The part of a body's motion that answers for its legs."""

    shape: BodyShape
    config: GaitConfig
    feet: list[FootGeometry]
    arms: list[Vector]
    girdles: list[tuple[float, int]]
    wide_caps: list[float]
    drop_limit: float
    slack: float
    tempo: float
    two_legs: bool

    @abstractmethod
    def _sinks(self, body: BodyMemory, pattern: Pattern, phase: float) -> list[float]:
        """How far each girdle sinks at a phase: what moves the body says so."""

    @abstractmethod
    def tilted_hip(self, i: int, travel: Travel) -> Vector:
        """A hip of the rest pose where a body that lies along the ground has it."""

    def _needs(
        self,
        memory: GaitMemory,
        pattern: Pattern,
        frames: FrameOfBody,
        feet: list[Known],
        hips: list[Vector],
        caps: list[float],
        reaches: list[float],
        sinks: list[float],
    ) -> tuple[list[float], list[float]]:
        """How far each girdle must sink for its feet: softly ahead of time, and at once where a leg overstretches."""
        body, soft, reached = memory.body, [0.0] * len(sinks), []
        for i, foot in enumerate(memory.feet):
            girdle = self.shape.legs[i].order
            if foot.planted:
                foot.need = need = self._need(i, foot, pattern, hips[i], feet[i], reaches[i])
                if need > soft[girdle]:
                    soft[girdle] = need
                elif need <= 0.0:
                    reached.append(i)
                continue
            # A performer's body is where it has to be for the landing: what that lacks comes late.
            near = smoothstep((foot.progress - 0.3) / 0.6 if pattern.performed is None else 4.0 * foot.progress - 3.0)
            if near > 0.0:
                later = self._sinks(body, pattern, foot.timing[0])[girdle]
                hip = hips[i] + frames.point(foot.meets)
                if pattern.performed is not None:
                    phases = (memory.phase, foot.timing[0])
                    hip += moves_on(pattern.performed, body, phases, self.arms[i], self.shape.stature)
                hip.z += sinks[girdle] - later
                foot.need = self._need(i, foot, pattern, hip, frames.target(foot), reaches[i])
                soft[girdle] = max(soft[girdle], near * foot.need)
        return soft, self._overstretched(memory, pattern, feet, hips, caps, reached)

    def _overstretched(
        self,
        memory: GaitMemory,
        pattern: Pattern,
        feet: list[Known],
        hips: list[Vector],
        caps: list[float],
        reached: Sequence[int] = (),
    ) -> list[float]:
        """How far each girdle is above what the legs can stretch to at all; those that are known to have
        `reached` their feet with less need not be asked.

        A runner's body does not stoop after a leg that is thrown ahead in the air: it will come back under it. On more
        than two legs no body does, nor does a runner's after a foot that has just left: it is drawn along instead. In a
        limited stride on more than two legs it gives way until that begins.
        """
        over, springs = [0.0] * len(self.girdles), pattern.wave == "SPRING"
        for i, foot in enumerate(memory.feet):
            if i in reached:
                continue
            if not foot.planted:
                behind = -1.0 if runs(self.feet[i], pattern) else REACHES_FROM
                thrown = springs and behind < foot.progress < REACHES_UNTIL
                if thrown if self.two_legs else not foot.limited or foot.progress > PULLED_FROM:
                    continue
            leg = self.shape.legs[i]
            most = HARD_EXTENSION - self.slack - (TIGHTER if foot.limited else 0.0)
            most = caps[i] if caps[i] > most else most
            need = self._need(i, foot, pattern, hips[i], feet[i], most * leg.length, now=True)
            over[leg.order] = max(over[leg.order], need)
        return over

    def _sink_more(
        self, memory: GaitMemory, pattern: Pattern, feet: list[Known], hips: list[Vector], caps: list[float]
    ) -> bool:
        """Sink each girdle by what it still lacks where it lies now; False where that is nothing."""
        body = memory.body
        over = self._overstretched(memory, pattern, feet, hips, caps)
        if max(over) <= LACK * self.shape.stature:
            return False
        body.drops = tuple(min(drop + more, self.drop_limit) for drop, more in zip(body.drops, over, strict=True))
        return True

    def _sink_further(self, body: BodyMemory, soft: list[float], hard: list[float], halflife: float, dt: float) -> None:
        drops, speeds = [], []
        halflife, limit = halflife * self.tempo, self.drop_limit
        for k, before in enumerate(body.drops):
            drop, speed = spring(before, body.drop_speeds[k], min(soft[k], limit), halflife, dt)
            drops.append(max(drop, min(hard[k], limit), 0.0))
            speeds.append(speed)
        body.drops, body.drop_speeds = tuple(drops), tuple(speeds)

    def _need(
        self, i: int, foot: FootMemory, pattern: Pattern, hip: Vector, known: Known, reach: float, *, now: bool = False
    ) -> float:
        """How far the hip is above what the leg reaches; `now`: with a foot in the air where it is."""
        performed = pattern.performed.feet[i] if pattern.performed is not None else None
        pitch = pitch_now(self.feet[i], foot, pattern, hip, known, reach, performed, now=now)
        x, y, z = hip - self.feet[i].tip(*known, pitch)
        room = reach * reach - x * x - y * y
        return z - sqrt(room) if room > 0.0 else z

    def _reach(self, i: int, foot: FootMemory, cap: float, bend: float) -> float:
        """The distance from hip to tip that a leg may have: a planted one that walks has a `bend` for its lift-off."""
        if not foot.planted:
            return cap * self.shape.legs[i].length
        late = smoothstep((foot.phase / foot.timing[1] - BEND_FROM) / (1.0 - BEND_FROM))
        return (cap - bend * late) * self.shape.legs[i].length

    def short_of(
        self, i: int, ball: Vector, rotation: Quaternion, landing_pitch: float, sink: float, travel: Travel
    ) -> float:
        """How much lower than usual the hips must be for leg `i` to land there, in the landing body's model space."""
        hip = self.tilted_hip(i, travel)
        tip = self.feet[i].tip(ball, rotation, landing_pitch)
        reach = self.wide_caps[i] * self.shape.legs[i].length
        room = reach * reach - (hip.x - tip.x) ** 2 - (hip.y - tip.y) ** 2
        return hip.z - sink - tip.z - sqrt(max(room, 0.0))
