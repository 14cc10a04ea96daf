"""Procedural gait for any number of legs: each foot stands in the world until its turn, then swings to its next place.

The body moves as a point with a heading; the gait plans the footsteps. One phase is the clock of all feet: a strained
foot may lift early but lands on time, and strain speeds the whole clock. Footholds follow Raibert (1986): a foot lands
so that the body is over the middle of its stance half a stance later.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot

from mathutils import Vector

from ..control.intent import Place, Travel
from ..space.curves import share_of
from ..space.dampers import damp
from ..world.world import World
from .aloft import AloftMotion
from .body import BodyMotion
from .change import carry_manner, caught_up, change_gait, settle_manner
from .config import GaitConfig
from .first_foot import first_side
from .foot import Foothold
from .footsteps import FootholdFinder
from .frame import direction_of, slope_vector, split_velocity
from .landing import Landing, forget
from .longest import longest_sideways, longest_turning, low_share
from .memory import GaitMemory, planted_foot
from .patterns import GRAVITY, AutoGait, Pattern, Side, froude
from .reach import course_of
from .shape import BodyShape
from .step import Predict, Step, together
from .stepping import Stepper
from .stride import Stride, StridePlanner
from .style import AS_SHIPPED, StyleConfig, beat
from .trunk import shift_clock
from .walls import Walls

# Stance shares change with speed in steps this fine; tables of reach are kept in coarser ones.
DUTY_STEPS, DUTY_TABLES = 1000, 50
MOST_HURRY = 1.25
# A pelvis that sinks by this share of a leg for its feet runs the clock at its fastest; that of a body on two legs may
# sink by a little without any hurry.
STRAINED_FROM, EASY_SINK = 0.05, 0.015
STILL_FROUDE = 1e-4
# Strides stay short on rough ground: it is half forgotten after so many cycles, or each rock would change the beat.
SMOOTH_AGAIN = 2.0
# The beat quickens at once where reach is short, and has half calmed after this share of a cycle.
CALMER = 0.5
# From this acceleration on (m/s2), steps are planned for the mean speed over this share of a cycle ahead.
SPEEDING_UP, AHEAD = 0.05, 0.8
# A body goes backward from this share of its speed on; a curve decides on the lead from this share of gravity on.
GOING, CURVED = 0.3, 0.03
# A body that brakes by so much (m/s2) eases out of its gait in its last seconds before it stands.
BRAKES = 0.3
# Before its first step a body shifts its weight, and goes by no more than this share of a leg.
LEAD_WAY = 0.03
# Seconds for a 0.9 m leg.
STOPS_IN, LEAD = 0.3, 0.13
# Who lands goes on if it will have gone anywhere by then.
GOES_ON = 0.25
SPEED_HALFLIFE, PUSH_HALFLIFE, HURRY_HALFLIFE = 0.05, 0.1, 0.05


class ProceduralGait:
    """Plans one body's footsteps. Immutable: what changes is in a GaitMemory."""

    def __init__(
        self,
        shape: BodyShape,
        config: GaitConfig,
        patterns: dict[str, Pattern],
        auto: AutoGait,
        style: StyleConfig = AS_SHIPPED,
        walls: Walls = Walls(),  # noqa: B008 immutable
    ) -> None:
        if not shape.legs:
            raise ValueError("A gait needs legs; this body has none.")
        self.shape = shape
        self.config = config
        self.patterns = patterns
        self.auto = auto
        self.style = style
        self.body = BodyMotion(shape, config)
        self.aloft = AloftMotion(self.body, walls)
        self.finder = FootholdFinder(config, shape.stature, walls.step)
        self.walls = walls
        self.stepper = Stepper(shape, config, self.finder, self.body, style, walls)
        self.landing = Landing(shape, self.finder, self.stepper)
        # Gaits at a speed and their planners, made when they are first wanted.
        self._paced: dict[tuple[str, int, Side, bool], Pattern] = {}
        self._planners: dict[tuple[str, int], StridePlanner] = {}
        self.turn_radius = sum(hypot(leg.ball[0], leg.ball[1]) for leg in shape.legs) / len(shape.legs)

    def pattern_at(self, name: str, froude_number: float, lead: Side = "", *, back: bool = False) -> Pattern:
        """The gait `name` with the stance share that it has at this Froude number, its lead, and its way of going."""
        pattern = self.patterns[name]
        if pattern.duty_fast == pattern.duty and not pattern.lead and not back:
            return pattern
        steps = round(pattern.duty_at(froude_number) * DUTY_STEPS)
        key = (name, steps, lead if pattern.lead else "", back)
        paced = self._paced.get(key)
        if paced is None:
            paced = pattern.led_by(lead).with_duty(steps / DUTY_STEPS)
            paced = self._paced[key] = paced.backward() if back else paced
        return paced

    def pattern_of(self, memory: GaitMemory) -> Pattern:
        """The gait that this memory walks, at its speed."""
        number = froude(memory.speed, self.shape.leg_length)
        return self.pattern_at(memory.gait, number, memory.lead, back=memory.back)

    def planner_of(self, pattern: Pattern) -> StridePlanner:
        """The strides of a gait; those of stance shares that hardly differ come from the same tables."""
        key = (pattern.name, round(pattern.duty * DUTY_TABLES))
        planner = self._planners.get(key)
        if planner is None:
            tabled = pattern.with_duty(key[1] / DUTY_TABLES) if pattern.duty_fast != pattern.duty else pattern
            planner = self._planners[key] = StridePlanner(
                self.shape, tabled, self.config.extension, self.config.bob, self.config.spine
            )
        return planner

    def from_origin(self, place: Place) -> Place:
        """Where the travel is while the body stands with its origin at `place`: there."""
        return place

    def start(self, travel: Travel, world: World, gait: str = "AUTO") -> GaitMemory:
        """Standing at a place with all feet on the ground, ready to lift the first foot."""
        name = self._choose(gait, 0.0, "")
        pattern = self.pattern_at(name, 0.0)
        memory = GaitMemory(
            gait=name,
            phase=self._ready_phase(pattern),
            cycle=pattern.cycle(0.0, self.shape.stature),
            speed=0.0,
            push=0.0,
            hurry=1.0,
            stepping=False,
            body=self.body.start(self.style.seed if self.style.variation else 0),
        )
        self.stand(memory, travel, world)
        return memory

    def stand(self, memory: GaitMemory, travel: Travel, world: World) -> None:
        """Put all feet at their rest places under the body, planted."""
        pattern = self.pattern_of(memory)
        slope = slope_vector(travel)
        memory.feet = []
        for i, leg in enumerate(self.shape.legs):
            shift = self.stepper.place_shift(i, travel.place.heading, travel)
            shift = self.walls.shift(world, leg, travel.place, travel.place, shift, slope)
            hold = self.finder.find(world, leg, travel.place, shift, slope)
            timing = (pattern.offsets[i], pattern.stance(i))
            memory.feet.append(planted_foot(hold, timing, (memory.phase - timing[0]) % 1.0))
        self.body.settle(memory, travel, pattern)

    def tick(
        self,
        memory: GaitMemory,
        travel: Travel,
        predict: Predict,
        world: World,
        dt: float,
        gait: str = "AUTO",
        given: Mapping[str, Foothold] | None = None,
    ) -> None:
        """One tick: clock, feet, body. `predict` says where the body will be in so many seconds.

        Down is -Z of the frame that travel, footholds and world share: a body on a wall brings a world that is turned
        for it. `given` names footholds by leg role; a foot that swings goes there instead of asking the ground.
        """
        if travel.aloft:
            self.aloft.tick(memory, travel, world, dt)
            return
        events: list[tuple[str, str]] = []
        landed = self._landed(memory, travel, predict, world, gait, events, dt)
        if travel.jumped:
            memory.body = self.body.start(self.style.seed if self.style.variation else 0)
            self.stand(memory, travel, world)
            events.append(("JUMP", ""))
        speed = hypot(*travel.velocity)
        moving = hypot(speed, travel.turn_rate * self.turn_radius)
        self._feel(memory, speed, dt)
        name = self._choose(gait, froude(memory.speed, self.shape.leg_length), memory.gait)
        changed, before, phase, beat = name != memory.gait, memory.gait, memory.phase, memory.hurry / memory.cycle
        self._lead_and_way(memory, self.patterns[name], travel, anew=changed)
        number = froude(memory.speed, self.shape.leg_length)
        pattern = self.pattern_at(name, number, memory.lead, back=memory.back)
        stride = self._plan(memory, travel, predict, pattern, speed, moving, dt)
        if changed:
            change_gait(memory, pattern, stride.cycle)
            shift_clock(memory.body, memory.phase - phase)
            events.append(("GAIT", name))
            if self.body.two_legs:
                carry_manner(memory, self.patterns[before], phase, beat, pattern, stride.cycle)
        settle_manner(memory, self.shape.tempo, dt)
        slope = slope_vector(travel)
        self._feel_ground(memory, travel.place, slope, dt)
        walking = froude(moving, self.shape.leg_length) > STILL_FROUDE
        self._clock(memory, stride, pattern, walking, travel, predict, world, dt)
        direction = direction_of(travel)
        step = Step(travel, predict, world, stride, pattern, walking, dt, memory.hurry, given or {}, slope, direction)
        if landed:
            self.landing.join(memory, step)
        for i, foot in enumerate(memory.feet):
            self.stepper.step(memory, i, foot, step, events)
        self.body.tick(memory, travel, stride, pattern, self._effort(memory, walking), dt, cut=changed)
        self._strain(memory, dt)
        memory.events = tuple(events)

    def _landed(
        self,
        memory: GaitMemory,
        travel: Travel,
        predict: Predict,
        world: World,
        gait: str,
        events: list[tuple[str, str]],
        dt: float,
    ) -> bool:
        """Put down the feet of a body that has just come down (True), in the gait that it goes on in, if it does."""
        if not memory.aloft:
            forget(memory, travel.held, self.shape.tempo, dt)
            return False
        soon, place = GOES_ON * self.shape.tempo, travel.place
        there = predict(soon)
        speed = min(hypot(*travel.velocity), hypot(there.x - place.x, there.y - place.y) / soon)
        walks = froude(speed, self.shape.leg_length) > STILL_FROUDE and travel.held <= 0.0
        memory.gait = self._choose(gait, froude(memory.speed, self.shape.leg_length), memory.gait)
        self.aloft.feet.follow(memory, travel)
        self.landing.land(memory, travel, self.pattern_of(memory), slope_vector(travel), world, walks=walks)
        events.append(("LAND", ""))
        return True

    def _lead_and_way(self, memory: GaitMemory, pattern: Pattern, travel: Travel, *, anew: bool) -> None:
        """Which side leads, and whether it goes backward. A lead changes while no foot but front ones is down.

        That is the flight that ends a stride, or where there is none the last beat before the next one.
        """
        if pattern.back:
            ahead = split_velocity(travel)[0]
            memory.back = ahead < (-GOING if not memory.back else GOING)
        if not pattern.lead:
            return
        wanted: Side = memory.lead or pattern.lead
        leaning = memory.speed * travel.turn_rate / GRAVITY
        if self.config.lead != "AUTO":
            wanted = "LEFT" if self.config.lead == "LEFT" else "RIGHT"
        elif abs(leaning) > CURVED:
            wanted = "LEFT" if leaning > 0.0 else "RIGHT"
        over = all(leg.order == 0 or not foot.planted for leg, foot in zip(self.shape.legs, memory.feet, strict=True))
        if anew or over or not memory.lead:
            memory.lead = wanted

    def _plan(
        self,
        memory: GaitMemory,
        travel: Travel,
        predict: Predict,
        pattern: Pattern,
        speed: float,
        moving: float,
        dt: float,
    ) -> Stride:
        """The stride of this tick: for the speed that is coming, in a beat that quickens at once where reach is short
        and calms slowly.
        """
        ahead, across = split_velocity(travel)
        own = pattern.cycle(memory.speed, self.shape.stature)
        soon = self._soon(memory, travel.place, predict)
        asked = max(soon, moving) if speed < 1e-6 else soon
        return self.planner_of(pattern).plan(
            asked,
            (travel.slope * ahead + travel.cross_slope * across) if speed > 1e-6 else 0.0,
            course=course_of(ahead, speed),
            rough=memory.rough,
            hanging=memory.hanging,
            longest=low_share(memory, travel, self.shape)
            * min(
                max(memory.cycle, damp(memory.cycle, own, CALMER * memory.cycle, dt)),
                longest_turning(travel, pattern, self.shape),
                longest_sideways(abs(across) * asked, pattern, self.shape),
            ),
            cross=travel.cross_slope * ahead - travel.slope * across,
            pace=(own if asked == memory.speed else pattern.cycle(asked, self.shape.stature), pattern.duty),
        )

    def _choose(self, gait: str, froude_number: float, current: str) -> str:
        if gait in self.patterns:
            return gait
        return self.auto.choose(froude_number, current)

    def _ready_phase(self, pattern: Pattern) -> float:
        # Uneven walkers do not all begin with the same foot.
        first = self.style.seed % len(self.shape.legs) if self.style.variation > 0.0 else 0
        return (pattern.offsets[first] + pattern.stance(first)) % 1.0

    def _soon(self, memory: GaitMemory, place: Place, predict: Predict) -> float:
        """The speed that the next steps are for: a body that gathers speed would leave long slow ones behind."""
        if memory.push < SPEEDING_UP:
            return memory.speed
        ahead = AHEAD * memory.cycle
        there = predict(ahead)
        return max(memory.speed, hypot(there.x - place.x, there.y - place.y) / ahead)

    def _feel(self, memory: GaitMemory, speed: float, dt: float) -> None:
        """Smooth the speed that strides are planned for, and feel the push along the facing."""
        before = memory.speed
        memory.speed = damp(before, speed, SPEED_HALFLIFE * self.shape.tempo, dt)
        push = (memory.speed - before) / dt if dt > 0.0 else 0.0
        memory.push = damp(memory.push, push, PUSH_HALFLIFE * self.shape.tempo, dt)

    def _feel_ground(self, memory: GaitMemory, place: Place, slope: Vector, dt: float) -> None:
        """Remember how far footholds are off the plane of the travel, and that a ball hangs: it fades in strides."""
        worst = hangs = 0.0
        (x, y, z, _), (slope_x, slope_y, _) = place, slope
        for foot in memory.feet:
            hold = foot.target or foot.hold
            hangs = 1.0 if hold.hangs == "BALL" else hangs
            plane = z + slope_x * (hold.x - x) + slope_y * (hold.y - y)
            worst = max(worst, abs(hold.z - plane))
        soon = SMOOTH_AGAIN * memory.cycle
        memory.rough = max(worst, damp(memory.rough, worst, soon, dt))
        memory.hanging = max(hangs, damp(memory.hanging, hangs, soon, dt))

    def _clock(
        self, memory: GaitMemory, stride: Stride, pattern: Pattern, walking: bool, travel: Travel, predict: Predict,
        world: World, dt: float,
    ) -> None:  # fmt: skip
        """Advance the one phase of all feet; it stands while nobody needs a step."""
        resting = all(foot.planted for foot in memory.feet)
        displaced = not walking and resting and self._displaced(memory, travel, world)
        stepping = walking or not resting or displaced
        if stepping and not memory.stepping and resting:
            first = self._next_lift(memory, pattern, travel, predict)
            # Not so early that the other foot would have to land first.
            room = min([stood for o in pattern.offsets if (stood := (first - o) % 1.0) > 0.0], default=0.0)
            lead = self._lead(travel, predict) / stride.cycle
            memory.phase = (first - min(lead, 0.9 * room)) % 1.0
        advance = dt * memory.hurry * beat(self.style, memory.strides, memory.phase) / stride.cycle if stepping else 0.0
        for i, (foot, offset) in enumerate(zip(memory.feet, pattern.offsets, strict=True)):
            if foot.planted:
                timed = caught_up(foot.timing[0], offset, advance) if memory.stepping else offset
                foot.stretched = foot.stretched or timed != foot.timing[0]
                foot.timing = (timed, pattern.stance(i))
                foot.phase = (memory.phase - timed) % 1.0
        memory.rest = 0.0 if walking else memory.rest + dt
        memory.stepping = stepping
        memory.cycle = stride.cycle
        memory.strides += memory.phase + advance >= 1.0
        memory.phase = (memory.phase + advance) % 1.0

    def _effort(self, memory: GaitMemory, walking: bool) -> float:
        """How much of its gait a body is in: 1 walking, 0 standing, and less and less just before it stops."""
        if not walking:
            return 0.0
        if memory.push >= -BRAKES:
            return 1.0
        return share_of(-memory.speed / memory.push, 0.0, STOPS_IN * self.shape.tempo)

    def _next_lift(self, memory: GaitMemory, pattern: Pattern, travel: Travel, predict: Predict) -> float:
        """The phase at which the next foot in turn would lift: the clock resumes there. On two legs one begins with the
        foot that the other would have to cross.
        """
        waits = [((o + pattern.stance(i) - memory.phase) % 1.0, i) for i, o in enumerate(pattern.offsets)]
        side = first_side(memory, travel, predict, self.shape.stature) if self.body.two_legs else ""
        if side:
            waits = [(wait, i) for wait, i in waits if self.shape.legs[i].side == side[0]] or waits
        return (memory.phase + min(waits)[0]) % 1.0

    def _lead(self, travel: Travel, predict: Predict) -> float:
        """For how long (s) a body on two legs shifts its weight before it lifts its first foot: it may not go far."""
        if not self.body.two_legs:
            return 0.0
        longest, place = LEAD * self.shape.tempo, travel.place
        there = predict(longest)
        gone = hypot(there.x - place.x, there.y - place.y)
        return longest * min(1.0, LEAD_WAY * self.shape.stature / gone) if gone > 0.0 else longest

    def _displaced(self, memory: GaitMemory, travel: Travel, world: World) -> bool:
        """True while a foot is too far from its place: a body that has just stopped brings its feet together, one that
        stands leaves them where they are.
        """
        most = together(memory, self.config.resettle)
        return any(self.stepper.offset_of(i, foot, travel, world) > most for i, foot in enumerate(memory.feet))

    def _strain(self, memory: GaitMemory, dt: float) -> None:
        """What feet ask of the pelvis beyond the gait's own rise and sink speeds the whole clock, never one foot."""
        asked = max(memory.body.drops) / self.shape.stature
        easy = EASY_SINK if self.body.two_legs else 0.0
        share = share_of(asked, easy, easy + STRAINED_FROM)
        memory.hurry = damp(memory.hurry, 1.0 + (MOST_HURRY - 1.0) * share, HURRY_HALFLIFE * self.shape.tempo, dt)
