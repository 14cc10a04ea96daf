"""Procedural gait for any number of legs: each foot stands in the world until its turn, then swings to its next place.

The body moves as a point with a heading; the gait plans the footsteps. One phase is the clock of all feet: a strained
foot may lift early but lands on time, and strain speeds the whole clock. Footholds follow Raibert (1986): a foot lands
so that the body is over the middle of its stance half a stance later.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, hypot, sin

from mathutils import Quaternion, Vector

from ..control.intent import Place, Travel
from ..space.dampers import damp
from ..world.world import World
from .body import BodyMotion
from .config import GaitConfig
from .foot import Foothold, rotation_at
from .footsteps import FootholdFinder, carried
from .memory import FootMemory, GaitMemory
from .patterns import AutoGait, Pattern, froude
from .shape import BodyShape
from .stride import Stride, StridePlanner, heel_strike
from .swing import arc_over, swing_foot

Predict = Callable[[float], Place]

MOST_HURRY = 1.25
FROZEN_FROM = 0.65
LIFT_WINDOW = 0.35
STRAINED_FROM, LIFT_EARLY_AT = 0.05, 0.9945
AIM_STEP = 0.001
# A foothold that asks the pelvis to sink by more than this share of a leg is taken nearer to the body, in these shares.
ASKS_AT_MOST, ASKS_TOO_MUCH = 0.03, 0.07
NEARER = (0.7, 0.4, 0.1)
# A foothold that moved by more than this share of a leg gets its arc measured anew.
ARC_STEP = 0.05
STILL_FROUDE = 1e-4


class ProceduralGait:
    """Plans one body's footsteps. Immutable: what changes is in a GaitMemory."""

    def __init__(self, shape: BodyShape, config: GaitConfig, patterns: dict[str, Pattern], auto: AutoGait) -> None:
        if not shape.legs:
            raise ValueError("A gait needs legs; this body has none.")
        self.shape = shape
        self.config = config
        self.patterns = patterns
        self.auto = auto
        self.body = BodyMotion(shape, config)
        self.finder = FootholdFinder(config, shape.stature)
        self.planners = {
            name: StridePlanner(shape, pattern, config.extension, config.bob) for name, pattern in patterns.items()
        }
        self.turn_radius = sum(hypot(leg.ball[0], leg.ball[1]) for leg in shape.legs) / len(shape.legs)

    def start(self, travel: Travel, world: World, gait: str = "AUTO") -> GaitMemory:
        """Standing at a place with all feet on the ground, ready to lift the first foot."""
        name = self._choose(gait, 0.0, "")
        pattern = self.patterns[name]
        memory = GaitMemory(
            gait=name, phase=self._ready_phase(pattern), cycle=pattern.cycle(0.0, self.shape.leg_length),
            speed=0.0, push=0.0, hurry=1.0, stepping=False, limited=False, body=self.body.start(),
        )
        self.stand(memory, travel, world)
        return memory

    def stand(self, memory: GaitMemory, travel: Travel, world: World) -> None:
        """Put all feet at their rest places under the body, planted."""
        pattern = self.patterns[memory.gait]
        slope = _slope_vector(travel)
        memory.feet = []
        for i, leg in enumerate(self.shape.legs):
            hold = self.finder.find(world, leg, travel.place, (0.0, 0.0), slope)
            timing = (pattern.offsets[i], pattern.duty)
            memory.feet.append(
                FootMemory(
                    hold=hold, target=None, planted=True, timing=timing, phase=(memory.phase - timing[0]) % 1.0,
                    lift_phase=0.0, lift_pitch=0.0, lift_rate=0.0, progress=0.0, arc=0.0, edge=0.0, aimed_at=(hold.x, hold.y),
                    measured_at=(hold.x, hold.y),
                    ball=(hold.x, hold.y, hold.z), rotation=tuple(rotation_at(hold.heading, hold.normal)),
                    pitch=0.0, toe_pitch=0.0,
                )
            )

    def tick(
        self, memory: GaitMemory, travel: Travel, predict: Predict, world: World, dt: float, gait: str = "AUTO"
    ) -> Stride:
        """One tick: clock, feet, body. `predict` says where the body will be in so many seconds."""
        events: list[tuple[str, str]] = []
        if travel.jumped:
            memory.body = self.body.start()
            self.stand(memory, travel, world)
            events.append(("JUMP", ""))
        speed = hypot(*travel.velocity)
        moving = hypot(speed, travel.turn_rate * self.turn_radius)
        self._feel(memory, travel, dt)
        name = self._choose(gait, froude(memory.speed, self.shape.leg_length), memory.gait)
        if name != memory.gait:
            memory.gait = name
            events.append(("GAIT", name))
        pattern = self.patterns[name]
        ahead, across = _split_velocity(travel)
        stride = self.planners[name].plan(
            max(memory.speed, moving if speed < 1e-6 else 0.0),
            (travel.slope * ahead + travel.cross_slope * across) if speed > 1e-6 else 0.0,
            forward=ahead > 0.7 or speed < 1e-6,
        )
        walking = froude(moving, self.shape.leg_length) > STILL_FROUDE
        self._clock(memory, stride, pattern, walking, travel, dt)
        step = Step(travel, predict, world, stride, pattern, walking, dt, memory.hurry)
        for i, foot in enumerate(memory.feet):
            self._step_foot(memory, i, foot, step, events)
        self.body.tick(memory, travel, stride, pattern, 1.0 if walking else 0.0, dt)
        self._strain(memory, dt)
        memory.limited = stride.limited
        memory.events = tuple(events)
        return stride

    def _choose(self, gait: str, froude_number: float, current: str) -> str:
        if gait in self.patterns:
            return gait
        return self.auto.choose(froude_number, current)

    def _ready_phase(self, pattern: Pattern) -> float:
        return (pattern.offsets[0] + pattern.duty) % 1.0

    def _feel(self, memory: GaitMemory, travel: Travel, dt: float) -> None:
        """Smooth the speed that strides are planned for, and feel the push along the facing."""
        speed = hypot(*travel.velocity)
        before = memory.speed
        memory.speed = damp(before, speed, 0.05, dt)
        push = (memory.speed - before) / dt if dt > 0.0 else 0.0
        memory.push = damp(memory.push, push, 0.1, dt)

    def _clock(
        self, memory: GaitMemory, stride: Stride, pattern: Pattern, walking: bool, travel: Travel, dt: float
    ) -> None:
        """Advance the one phase of all feet; it stands while nobody needs a step."""
        resting = all(foot.planted for foot in memory.feet)
        displaced = not walking and resting and self._displaced(memory, travel)
        stepping = walking or not resting or displaced
        if stepping and not memory.stepping and resting:
            memory.phase = self._next_lift(memory, pattern)
        memory.stepping = stepping
        memory.cycle = stride.cycle
        for i, foot in enumerate(memory.feet):
            if foot.planted:
                foot.timing = (pattern.offsets[i], pattern.duty)
                foot.phase = (memory.phase - foot.timing[0]) % 1.0
        if stepping:
            memory.phase = (memory.phase + dt * memory.hurry / stride.cycle) % 1.0

    def _next_lift(self, memory: GaitMemory, pattern: Pattern) -> float:
        """The phase at which the next foot in turn would lift: the clock resumes there."""
        waits = [((o + pattern.duty - memory.phase) % 1.0, i) for i, o in enumerate(pattern.offsets)]
        return (memory.phase + min(waits)[0]) % 1.0

    def _displaced(self, memory: GaitMemory, travel: Travel) -> bool:
        return any(self._offset_of(i, foot, travel) > self.config.resettle for i, foot in enumerate(memory.feet))

    def _offset_of(self, i: int, foot: FootMemory, travel: Travel) -> float:
        """How far a standing foot is from its place under the body, in leg lengths (a turned foot counts too)."""
        place, ball = travel.place, self.shape.legs[i].ball
        c, s = cos(place.heading), sin(place.heading)
        dx = place.x + c * ball[0] - s * ball[1] - foot.hold.x
        dy = place.y + s * ball[0] + c * ball[1] - foot.hold.y
        return hypot(dx, dy) / self.shape.leg_length + 0.2 * abs(sin((place.heading - foot.hold.heading) / 2.0))

    def _step_foot(
        self, memory: GaitMemory, i: int, foot: FootMemory, step: Step, events: list[tuple[str, str]]
    ) -> None:
        offset, duty = foot.timing
        foot.elapsed += step.dt
        before, foot.phase = foot.phase, (memory.phase - offset) % 1.0
        if foot.planted:
            foot.hold = carried(step.world, foot.hold)
            self._stand_on(foot)
            window = duty <= foot.phase < duty + LIFT_WINDOW * (1.0 - duty)
            early = self._overstretched(memory, i, foot)
            if memory.stepping and (window or early) and (step.walking or self._wants_home(i, foot, step.travel)):
                foot.elapsed = min((foot.phase - duty) * memory.cycle / memory.hurry, step.dt) if window else 0.0
                self._lift(i, foot, step)
                events.append(("LIFT_OFF", self.shape.legs[i].role))
            return
        if foot.phase < before - 0.5:
            foot.elapsed = foot.phase * memory.cycle / memory.hurry
            self._land(foot)
            events.append(("LANDING", self.shape.legs[i].role))
            return
        self._swing(memory, i, foot, step)

    def _wants_home(self, i: int, foot: FootMemory, travel: Travel) -> bool:
        return self._offset_of(i, foot, travel) > 0.5 * self.config.resettle

    def _overstretched(self, memory: GaitMemory, i: int, foot: FootMemory) -> bool:
        """True for a leg that cannot follow any more, where other feet carry the body."""
        strained = foot.extension > LIFT_EARLY_AT or foot.need > ASKS_TOO_MUCH * self.shape.leg_length
        if not strained or foot.phase < 0.5 * foot.timing[1]:
            return False
        others = sum(other.planted for other in memory.feet) - 1
        return others >= max(1, len(memory.feet) // 2 - 1)

    def _stand_on(self, foot: FootMemory) -> None:
        hold = foot.hold
        foot.ball = (hold.x, hold.y, hold.z)
        foot.rotation = tuple(rotation_at(hold.heading, hold.normal))

    def _lift(self, i: int, foot: FootMemory, step: Step) -> None:
        foot.planted = foot.frozen = False
        foot.lift_phase, foot.lift_pitch, foot.progress = foot.phase, foot.pitch, 0.0
        foot.target = self._aim(i, foot, step)
        self._measure_arc(i, foot, step)

    def _land(self, foot: FootMemory) -> None:
        if foot.target is not None:
            foot.hold = foot.target
        foot.target = None
        foot.planted, foot.progress = True, 0.0
        foot.lift_pitch = min(foot.pitch, 0.0)
        foot.toe_pitch = foot.lift_pitch
        self._stand_on(foot)

    def _swing(self, memory: GaitMemory, i: int, foot: FootMemory, step: Step) -> None:
        foot.progress = (foot.phase - foot.lift_phase) / (1.0 - foot.lift_phase)
        if foot.target is None:
            raise ValueError(f"{self.shape.legs[i].role} swings without a target.")
        foot.frozen = foot.frozen or foot.progress >= FROZEN_FROM
        if foot.frozen:
            foot.target = carried(step.world, foot.target)
        else:
            target = self._aim(i, foot, step)
            if target is not foot.target:
                foot.target = target
                moved = hypot(target.x - foot.measured_at[0], target.y - foot.measured_at[1])
                if moved > ARC_STEP * self.shape.leg_length:
                    self._measure_arc(i, foot, step)
        target = foot.target
        landing = self._landing_pitch(i, step)
        duration = (1.0 - foot.lift_phase) * step.stride.cycle / memory.hurry
        swing_foot(
            foot, rotation_at(target.heading, target.normal), rotation_at(foot.hold.heading, foot.hold.normal),
            landing, duration,
        )

    def _aim(self, i: int, foot: FootMemory, step: Step) -> Foothold:
        """The foothold that this swing ends on, asked of the ground again only when its wanted place moved."""
        leg, stride = self.shape.legs[i], step.stride
        cycle = stride.cycle / step.hurry
        place = step.predict((1.0 - foot.phase + 0.5 * foot.timing[1]) * cycle)
        forward = (stride.landing[i] - 0.5 * stride.travel) / step.hurry if step.walking else 0.0
        dx, dy = step.direction
        aimed = (place.x + dx * forward, place.y + dy * forward)
        known = foot.target
        if known is not None and hypot(aimed[0] - foot.aimed_at[0], aimed[1] - foot.aimed_at[1]) < AIM_STEP:
            return known
        foot.aimed_at = aimed
        meets = step.predict((1.0 - foot.phase) * cycle)
        foot.meets = meets[:3]
        found = self.finder.find(step.world, leg, place, (dx * forward, dy * forward), step.slope)
        if not step.walking:
            return found
        best = found, self._asks(i, found, meets, step)
        for share in NEARER:
            if best[1] <= ASKS_AT_MOST * self.shape.leg_length:
                break
            nearer = (share * stride.landing[i] - 0.5 * stride.travel) / step.hurry
            other = self.finder.find(step.world, leg, place, (dx * nearer, dy * nearer), step.slope)
            asks = self._asks(i, other, meets, step)
            if asks < best[1]:
                best = other, asks
        return best[0]

    def _asks(self, i: int, foothold: Foothold, meets: Place, step: Step) -> float:
        """How far the pelvis must sink for a foothold when the body meets it."""
        hit = self.finder.probe(step.world, meets.x, meets.y, meets.z)
        height = meets.z if hit is None else 0.5 * (meets.z + hit.position.z)
        unturn = Quaternion((0.0, 0.0, 1.0), -meets.heading)
        ball = unturn @ Vector((foothold.x - meets.x, foothold.y - meets.y, foothold.z - height))
        rotation = unturn @ rotation_at(foothold.heading, foothold.normal)
        sink = step.stride.lower + step.stride.bob
        return self.body.short_of(i, ball, rotation, self._landing_pitch(i, step), sink)

    def _landing_pitch(self, i: int, step: Step) -> float:
        """The pitch that a foot lands with, on its heel, less in a short stride."""
        share = min(1.0, step.stride.travel / (0.5 * self.shape.leg_length))
        return -heel_strike(self.shape.legs[i], step.pattern) * share

    def _measure_arc(self, i: int, foot: FootMemory, step: Step) -> None:
        least = self.config.step_height or step.pattern.step_height * self.shape.leg_length
        target, leg = foot.target, self.shape.legs[i]
        if target is not None:
            along = target.heading + leg.toe_out
            length = leg.foot_length if leg.rolls else 0.0
            sole = (-sin(along) * length, cos(along) * length)
            foot.arc, foot.edge = arc_over(step.world, foot.hold, target, least, sole)
            foot.measured_at = (target.x, target.y)

    def _strain(self, memory: GaitMemory, dt: float) -> None:
        """What the feet ask of the pelvis beyond the gait's own rise and sink speeds the whole clock, never one foot."""
        asked = max(memory.body.drops) / self.shape.leg_length
        share = min(1.0, asked / STRAINED_FROM)
        memory.hurry = damp(memory.hurry, 1.0 + (MOST_HURRY - 1.0) * share, 0.05, dt)


class Step:
    """What all feet of one tick share."""

    __slots__ = ("direction", "dt", "hurry", "pattern", "predict", "slope", "stride", "travel", "walking", "world")

    def __init__(
        self, travel: Travel, predict: Predict, world: World, stride: Stride, pattern: Pattern, walking: bool, dt: float,
        hurry: float,
    ) -> None:
        self.travel, self.predict, self.world = travel, predict, world
        self.stride, self.pattern, self.walking, self.dt, self.hurry = stride, pattern, walking, dt, hurry
        self.slope = _slope_vector(travel)
        speed = hypot(travel.velocity[0], travel.velocity[1])
        self.direction = (travel.velocity[0] / speed, travel.velocity[1] / speed) if speed > 1e-6 else (0.0, 0.0)


def _slope_vector(travel: Travel) -> Vector:
    """The ground's rise per metre of world x and y."""
    c, s = cos(travel.place.heading), sin(travel.place.heading)
    return Vector((s * travel.slope + c * travel.cross_slope, -c * travel.slope + s * travel.cross_slope, 0.0))


def _split_velocity(travel: Travel) -> tuple[float, float]:
    """The direction of travel as shares ahead and to the left of the facing (0, 0 standing)."""
    vx, vy, _ = travel.velocity
    speed = hypot(vx, vy)
    if speed < 1e-6:
        return 0.0, 0.0
    c, s = cos(travel.place.heading), sin(travel.place.heading)
    return (vx * s - vy * c) / speed, (vx * c + vy * s) / speed


