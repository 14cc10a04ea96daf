"""From the air to the ground: feet stand where they come down, and those still in the air swing on into a stride."""

from __future__ import annotations

from math import cos, hypot, sin

from mathutils import Vector

from ..control.intent import Place, Travel
from ..world.world import World
from .foot import Foothold
from .footsteps import FootholdFinder
from .give_way import hardness
from .memory import Flight, GaitMemory, planted_foot
from .patterns import Pattern
from .roll_off import runs
from .shape import BodyShape
from .step import Step
from .stepping import Stepper
from .swing import keep_on, pitch_before
from .way import along

# A foot that is no further than this share of a leg off its ground is down.
DOWN = 0.05
# Who stands has feet that are flat but for this, radians: others come down first.
FLAT = 0.15
# One that comes late is down after so many seconds, for a 0.9 m leg.
LATE = 0.12
# No foot comes down further than this share of a leg from its place at rest.
WIDEST = 0.45
# What a body's landing was is forgotten after so many seconds, for a 0.9 m leg.
FORGOTTEN = 1.6


class Landing:
    """Brings one shape's feet to the ground. Immutable."""

    def __init__(self, shape: BodyShape, finder: FootholdFinder, stepper: Stepper) -> None:
        self.shape = shape
        self.finder = finder
        self.stepper = stepper

    def land(
        self, memory: GaitMemory, travel: Travel, pattern: Pattern, slope: Vector, world: World, *, walks: bool
    ) -> None:
        """The feet of a body that has just come down, in a gait that it goes on in if it `walks`."""
        flew = memory.flight or Flight()
        lead = flew.lead
        memory.flight = Flight(lead=lead, ahead=flew.ahead, hard=hardness(travel.impact, self.shape.tempo))
        memory.aloft, memory.phase = False, pattern.offsets[lead] if walks else memory.phase
        soon = min(0.4, LATE * self.shape.tempo / memory.cycle)
        for i in range(len(memory.feet)):
            stands = memory.feet[i].planted and memory.feet[i].hold.grounded
            hold = memory.feet[i].hold if stands else self._under(memory, i, travel, slope, world)
            phase = (memory.phase - pattern.offsets[i]) % 1.0
            flat = walks or abs(memory.feet[i].pitch) < FLAT
            down = stands or (flat and abs(memory.feet[i].ball[2] - hold.z) < DOWN * self.shape.leg_length)
            if down and (not walks or phase < pattern.stance(i)):
                self._stand(memory, i, hold, pattern, phase)
            elif walks and phase >= pattern.stance(i):
                self._swing(memory, i, hold, pattern, phase)
            else:
                self._swing(memory, i, hold, pattern, 1.0 - soon)

    def join(self, memory: GaitMemory, step: Step) -> None:
        """Send the feet that are still in the air on their way into the stride that was planned for them."""
        for i, foot in enumerate(memory.feet):
            if foot.planted:
                continue
            before = foot.ball
            foot.target = self.stepper.aim(i, foot, step)
            foot.progress = (foot.phase - foot.lift_phase) / (1.0 - foot.lift_phase)
            share = min(0.8, along(foot.progress, foot.way.leave, foot.way.arrive))
            # It came from where the way that it is on now begins.
            x, y = ((own - share * to) / (1.0 - share) for own, to in zip(before, foot.target[:2], strict=False))
            foot.hold = foot.hold._replace(x=x, y=y)
            runner = runs(self.stepper.body.feet[i], step.pattern)
            landing = self.stepper.landing_pitch(i, foot.target, step)
            foot.lift_pitch = pitch_before(foot.pitch, foot.progress, landing, runner=runner)
            self.stepper.measure_way(i, foot, step)
            keep_on(foot, before)

    def _under(self, memory: GaitMemory, i: int, travel: Travel, slope: Vector, world: World) -> Foothold:
        """The ground under a foot, not too far from its place under the body."""
        (x, y, z, heading), leg, ball = travel.place, self.shape.legs[i], memory.feet[i].ball
        c, s = cos(heading), sin(heading)
        dx = ball[0] - (x + c * leg.ball[0] - s * leg.ball[1])
        dy = ball[1] - (y + s * leg.ball[0] + c * leg.ball[1])
        far = hypot(dx, dy)
        share = min(1.0, WIDEST * self.shape.leg_length / far) if far > 0.0 else 1.0
        place = Place(x, y, z, heading)
        shift = self.stepper.walls.shift(world, leg, place, place, (dx * share, dy * share), slope)
        return self.finder.find(world, leg, place, shift, slope)

    def _stand(self, memory: GaitMemory, i: int, hold: Foothold, pattern: Pattern, phase: float) -> None:
        before = memory.feet[i]
        timing = ((memory.phase - phase) % 1.0, pattern.stance(i))
        foot = memory.feet[i] = planted_foot(hold, timing, phase)
        foot.steps, foot.pitch, foot.lift_pitch, foot.rotation = before.steps, before.pitch, before.pitch, foot.rotation
        foot.toe_pitch = min(before.toe_pitch, 0.0)

    def _swing(self, memory: GaitMemory, i: int, hold: Foothold, pattern: Pattern, phase: float) -> None:
        foot, duty = memory.feet[i], pattern.stance(i)
        foot.timing, foot.phase = ((memory.phase - phase) % 1.0, duty), phase
        # Half of a swing that is late lies behind it.
        foot.lift_phase = duty if phase < 0.5 * (1.0 + duty) else 2.0 * phase - 1.0
        foot.hold, foot.target, foot.carry_speed = hold, hold, ()
        foot.lift_pitch, foot.lift_rate, foot.flick, foot.stretched = foot.pitch, 0.0, 0.0, False
        foot.progress = (phase - foot.lift_phase) / (1.0 - foot.lift_phase)


def forget(memory: GaitMemory, held: float, tempo: float, dt: float) -> None:
    """One tick on the ground after a landing: in time it is forgotten."""
    flight = memory.flight
    if flight is None:
        return
    elapsed = 0.0 if held > 0.0 else flight.elapsed + dt
    memory.flight = flight._replace(elapsed=elapsed) if elapsed < FORGOTTEN * tempo else None
