"""One foot's part in a tick: it stands, lifts in its window, aims, swings, lands; and what all feet of a tick share."""

from __future__ import annotations

from math import cos, dist, hypot, sin

from mathutils import Quaternion, Vector

from ..control.intent import Place, Travel
from ..space.angles import turn_between
from ..space.vectors import quadruple
from ..world.world import World
from .body import BodyMotion
from .config import GaitConfig
from .foot import Foothold, rotation_at
from .footsteps import FootholdFinder, carried
from .frame import slope_vector
from .memory import FootMemory, GaitMemory
from .reach import COURSE, heel_strike, toe_strike
from .roll_off import runs
from .shape import BodyShape
from .step import Step, direction_at, together
from .style import StyleConfig, print_of
from .swing import keep_on, swing_foot, way_now
from .walls import Walls
from .way import OnWay, Way, way_over

FROZEN_FROM = 0.65
# But for a body that will be so many legs from where it was to meet its foot; it stays from this share on all the same.
OFF_COURSE, STAYS_FROM = 0.2, 0.93
# A foot lifts in this first share of its swing time, or waits for the next cycle: none is rushed.
LIFT_WINDOW = 0.35
LIFT_EARLY_AT = 0.9945
# A foot that stands longer to make up for a change of gait leaves when the pelvis would sink for it by this share of a
# leg, or when it has rolled up to this share of its gait's heel lift, at its present rate, in so many ticks.
ASKS_IN_CHANGE, ROLLED_UP, ROLLS_ON = 0.005, 0.6, 2.0
AIM_STEP = 0.001
# Steps of a body that stands are lower by this share.
SETTLING_HEIGHT = 0.55
# A foothold that asks the pelvis to sink by more than this share of a leg is taken nearer to the body, in these shares.
ASKS_AT_MOST, ASKS_TOO_MUCH = 0.03, 0.1
NEARER = (0.7, 0.4, 0.1)
GIVE_UP = 0.35
# Where more pairs of legs than this carry a body, one may stay behind its place by this share of it.
FEW_PAIRS, LEFT_BEHIND = 2, 0.15
# A foothold that moved by more than this share of a leg gets its arc measured anew.
WAY_STEP = 0.05
# An aim that moves by less than this share of a leg changes no tread.
KEEP_TREAD = 0.06
# What is a curve to a body, and no turn on the spot, has a radius of so many legs; it moves no foot by more of its leg.
TIGHTEST, MOST_CURVED, CUT_IN = 1.5, 0.2, 0.35
# A foot is lifted by no more than this share of its leg over the way between its footholds.
MOST_ARC = 0.28
# Feet of a body that goes sideways on two legs stay the first share of a leg off its middle, at most the second more.
LEAST_APART, MOST_APART = 0.07, 0.2


class Stepper:
    """Takes the feet of one body through their steps."""

    def __init__(
        self, shape: BodyShape, config: GaitConfig, finder: FootholdFinder, body: BodyMotion, style: StyleConfig,
        walls: Walls = Walls(),  # noqa: B008 immutable
    ) -> None:  # fmt: skip
        self.shape = shape
        self.config = config
        self.finder = finder
        self.body = body
        self.style = style
        self.walls = walls
        # What hind feet cut in by and front feet do not, metres squared: the same for both, so that the middle is kept.
        self.cut = CUT_IN * sum(leg.ball[1] ** 2 for leg in shape.legs) / len(shape.legs) if shape.pairs == 2 else 0.0

    def offset_of(self, i: int, foot: FootMemory, travel: Travel, world: World) -> float:
        """How far a standing foot is from its place under the body, in leg lengths (a turned foot counts too)."""
        place, leg = travel.place, self.shape.legs[i]
        ball, (c, s) = leg.ball, (cos(place.heading), sin(place.heading))
        shift = self.place_shift(i, place.heading, travel)
        tx, ty = self.walls.shift(world, leg, place, place, shift, slope_vector(travel))
        dx = place.x + c * ball[0] - s * ball[1] + tx - foot.hold.x
        dy = place.y + s * ball[0] + c * ball[1] + ty - foot.hold.y
        return hypot(dx, dy) / self.shape.leg_length + 0.2 * abs(sin((place.heading - foot.hold.heading) / 2.0))

    def place_shift(self, i: int, heading: float, travel: Travel, forward: float = 0.0) -> tuple[float, float]:
        """How far a slope that the body lies along, and a curve that it goes along, move a foot's place (world x, y),
        `forward` of where it is at rest.

        A body is straight and a curve is not: legs ahead of its middle or behind it stand on the curve that the middle
        follows, ahead^2 / 2R further in than under their hips. On four legs hind feet cut in by some more, and front
        feet by as much less.
        """
        x, y = self.body.tilt_shift(i, travel)
        speed = hypot(travel.velocity[0], travel.velocity[1])
        if travel.turn_rate and speed > 0.0:
            tightest, most = 1.0 / (TIGHTEST * self.shape.stature), MOST_CURVED * self.shape.legs[i].length
            curvature = min(tightest, max(-tightest, travel.turn_rate / speed))
            behind = self.shape.legs[i].ball[1]
            inward = 0.5 * curvature * ((behind - forward) ** 2 + (self.cut if behind > 0.0 else -self.cut))
            x += min(most, max(-most, inward))
        c, s = cos(heading), sin(heading)
        return c * x - s * y, s * x + c * y

    def step(self, memory: GaitMemory, i: int, foot: FootMemory, step: Step, events: list[tuple[str, str]]) -> None:
        """Take one foot through the tick: hold it, lift it in its window, swing it, set it down."""
        offset, duty = foot.timing
        foot.elapsed += step.dt
        before, foot.phase = foot.phase, (memory.phase - offset) % 1.0
        hold = carried(step.world, foot.hold)
        if hold is not foot.hold:
            foot.hold = hold
            if foot.planted:
                self._stand_on(foot)
        if foot.target is not None:
            foot.target = carried(step.world, foot.target)
        if foot.planted:
            # Where strides take few ticks the window may fall between two: its beginning was passed all the same.
            window = before < duty <= foot.phase or duty <= foot.phase < duty + LIFT_WINDOW * (1.0 - duty)
            early = self._overstretched(memory, i, foot, step)
            if (
                memory.stepping
                and (window or early)
                and (step.walking or self._wants_home(memory, i, foot, step))
            ):
                # A foot that lifts in time left when its phase passed the end of its stance, not when this tick came;
                # one that caught up with a new gait's table past it left as the tick began.
                left_at = max(before, duty) if window else foot.phase
                foot.elapsed = (foot.phase - left_at) * memory.cycle / memory.hurry
                self._lift(i, foot, left_at, step)
                self._swing(i, foot, step)
                events.append(("LIFT_OFF", self.shape.legs[i].role))
            return
        if foot.phase < before - 0.5:
            foot.elapsed = foot.phase * memory.cycle / memory.hurry
            self._land(i, foot, step)
            events.append(("LANDING", self.shape.legs[i].role))
            return
        self._swing(i, foot, step)

    def _wants_home(self, memory: GaitMemory, i: int, foot: FootMemory, step: Step) -> bool:
        most = min(0.5 * self.config.resettle, together(memory, self.config.resettle))
        return self.offset_of(i, foot, step.travel, step.world) > most

    def _overstretched(self, memory: GaitMemory, i: int, foot: FootMemory, step: Step) -> bool:
        """True for a leg that cannot follow any more, where other feet carry the body (or it flies): at once, where it
        stands longer to make up for a change of gait.

        Past its window it waits all the same: there is no time left to swing in.
        """
        if not 0.5 * foot.timing[1] <= foot.phase < foot.timing[1]:
            return False
        others = sum(other.planted for other in memory.feet) - 1
        least = max(1, len(memory.feet) // 2 - 1)
        if not foot.stretched:
            strained = foot.extension > LIFT_EARLY_AT or foot.need > ASKS_TOO_MUCH * self.shape.stature
            return strained and others >= least
        soon = foot.pitch + ROLLS_ON * step.dt * max(0.0, foot.lift_rate)
        spent = foot.need > ASKS_IN_CHANGE * self.shape.stature or soon > ROLLED_UP * step.pattern.heel_lift
        (vx, vy, _), left = step.travel.velocity, step.stride.travel - step.stride.landing[i]
        left += 0.0 if self.shape.pairs <= FEW_PAIRS else LEFT_BEHIND * self.shape.stature
        spent = spent or self._behind(i, foot, step) + hypot(vx, vy) * step.dt > left
        return spent and (others >= least or step.pattern.wave == "SPRING")

    def _behind(self, i: int, foot: FootMemory, step: Step) -> float:
        """How far a standing foot is behind its place under the body, along the travel, metres."""
        place, ball, (dx, dy) = step.travel.place, self.shape.legs[i].ball, step.direction
        c, s = cos(place.heading), sin(place.heading)
        x, y = place.x + c * ball[0] - s * ball[1], place.y + s * ball[0] + c * ball[1]
        return (x - foot.hold.x) * dx + (y - foot.hold.y) * dy

    def _stand_on(self, foot: FootMemory) -> None:
        hold = foot.hold
        foot.ball = (hold.x, hold.y, hold.z)
        foot.rotation = quadruple(rotation_at(hold.heading, hold.normal))

    def _lift(self, i: int, foot: FootMemory, left_at: float, step: Step) -> None:
        foot.planted = foot.frozen = foot.stretched = False
        foot.steps += 1
        foot.limited = step.stride.limited
        if self.body.feet[i].shinned:
            # Its heel rose on from the last tick until it left; a hoof, that has none to speak of, would spin.
            foot.pitch += max(0.0, foot.lift_rate) * max(0.0, step.dt - foot.elapsed)
        foot.lift_phase, foot.lift_pitch, foot.progress = left_at, foot.pitch, 0.0
        foot.lift_rate *= (1.0 - left_at) * step.stride.cycle / step.hurry
        foot.carry = (0.0, 0.0, 0.0)
        foot.target = self.aim(i, foot, step)
        self.measure_way(i, foot, step)
        # What it is bent back in the air is its gait's when it leaves; over an edge it would reach into the tread.
        foot.flick = step.pattern.flick if foot.way.edge <= 0.0 else 0.0

    def _land(self, i: int, foot: FootMemory, step: Step) -> None:
        if foot.target is not None:
            foot.hold = foot.target
        on_toes = self.landing_pitch(i, foot.hold, step) > 0.0
        foot.target = None
        foot.planted, foot.progress = True, 0.0
        foot.lift_pitch = foot.pitch if on_toes else min(foot.pitch, 0.0)
        foot.toe_pitch = min(foot.lift_pitch, 0.0)
        self._stand_on(foot)

    def _swing(self, i: int, foot: FootMemory, step: Step) -> None:
        foot.progress = (foot.phase - foot.lift_phase) / (1.0 - foot.lift_phase)
        if foot.target is None:
            raise ValueError(f"{self.shape.legs[i].role} swings without a target.")
        astray = foot.frozen and self._off_course(i, foot, foot.target, step)
        last, foot.frozen = not foot.frozen or astray, foot.frozen or foot.progress >= FROZEN_FROM
        if last:
            known = foot.target if foot.frozen and not astray else None
            target = known or self.aim(i, foot, step)
            moved = dist(target[:3], foot.measured_at)
            if target is not foot.target or (foot.frozen and moved > 0.0):
                before, foot.target = way_now(foot), target
                # The last aim is measured exactly: a heel may be close to an edge.
                if moved > (0.0 if foot.frozen else WAY_STEP * self.shape.leg_length):
                    self.measure_way(i, foot, step, before)
                keep_on(foot, before)
        target = foot.target
        landing = self.landing_pitch(i, target, step)
        swing_foot(
            foot,
            rotation_at(target.heading, target.normal),
            rotation_at(foot.hold.heading, foot.hold.normal),
            landing,
            runs=runs(self.body.feet[i], step.pattern),
        )

    def _off_course(self, i: int, foot: FootMemory, target: Foothold, step: Step) -> bool:
        """True for a foot of a body with a shape that was stopped: it could not reach any more where the foot goes."""
        if not self.walls.step or foot.progress > STAYS_FROM:
            return False
        there = step.predict((1.0 - foot.phase) * step.stride.cycle / step.hurry)
        if hypot(there.x - foot.meets[0], there.y - foot.meets[1]) < OFF_COURSE * self.shape.stature:
            return False
        return self._asks(i, target, there, step) > ASKS_TOO_MUCH * self.shape.stature

    def aim(self, i: int, foot: FootMemory, step: Step) -> Foothold:
        """The foothold that this swing ends on, asked of the ground again only when its wanted place moved."""
        leg, stride = self.shape.legs[i], step.stride
        if leg.role in step.given:
            foot.meets = step.predict((1.0 - foot.phase) * stride.cycle / step.hurry)[:3]
            return step.given[leg.role]
        cycle = stride.cycle / step.hurry
        place = step.predict((1.0 - foot.phase + 0.5 * foot.timing[1]) * cycle)
        forward, aside = self._middle(i, step)
        dx, dy = direction_at(place, step)
        aimed = (place.x + dx * forward - dy * aside, place.y + dy * forward + dx * aside)
        known, off = foot.target, hypot(aimed[0] - foot.aimed_at[0], aimed[1] - foot.aimed_at[1])
        if known is not None and (dx, dy) == (0.0, 0.0):
            # On the spot the body's place says nothing of where a turn takes the foot.
            off += abs(turn_between(known.heading, place.heading)) * hypot(leg.ball[0], leg.ball[1])
        if known is not None and off < AIM_STEP * self.shape.stature:
            return known
        meets = step.predict((1.0 - foot.phase) * cycle)
        foot.meets = meets[:3]
        tx, ty = self.place_shift(i, place.heading, step.travel, forward)
        out = self._aside(i, place, step)
        tx, ty = tx + out * cos(place.heading), ty + out * sin(place.heading)
        px, py = print_of(self.style, foot.steps, i)
        px, py = px * self.shape.leg_length, py * self.shape.leg_length
        shift = (dx * forward - dy * (aside + px) + dx * py + tx, dy * forward + dx * (aside + px) + dy * py + ty)
        found = self._foothold(i, foot, place, shift, meets, step)
        if known is not None and off < KEEP_TREAD * self.shape.leg_length and self.finder.apart(known, found):
            # At an edge the least change of aim changes the tread: the one that was chosen stays.
            return known
        foot.aimed_at = aimed
        return found

    def _aside(self, i: int, place: Place, step: Step) -> float:
        """How far a foot stands further out (model x) of a body that goes sideways on two legs: they would cross."""
        if self.shape.pairs > 1 or not step.walking:
            return 0.0
        dx, dy = direction_at(place, step)
        across = abs(dx * cos(place.heading) + dy * sin(place.heading))
        whole = max(hypot(*step.travel.velocity[:2]) * step.stride.cycle, step.stride.travel / step.pattern.duty)
        x, leg_length = self.shape.legs[i].ball[0], self.shape.leg_length
        apart = min(MOST_APART * leg_length, 0.25 * across * whole - abs(x) + LEAST_APART * leg_length)
        return max(0.0, apart) if x > 0.0 else -max(0.0, apart)

    def _middle(self, i: int, step: Step) -> tuple[float, float]:
        """Where the middle of a stance lies from the foot's place at rest: metres along the travel and to its left."""
        if not step.walking:
            return 0.0, 0.0
        stride, performed = step.stride, step.pattern.performed
        if performed is None:
            return (stride.landing[i] - 0.5 * stride.travel * step.pattern.part(i)) / step.hurry, 0.0
        leg_length = self.shape.stature
        share = min(1.0, performed.share(stride.travel / (step.pattern.duty * leg_length)))
        foot = performed.feet[i]
        return foot.ahead * share * leg_length, foot.aside * share * leg_length

    def _foothold(
        self, i: int, foot: FootMemory, place: Place, shift: tuple[float, float], meets: Place, step: Step
    ) -> Foothold:
        """The ground that a leg lands on when the body stands at `place`, if the body that `meets` it can reach it."""
        leg = self.shape.legs[i]
        shift = self.walls.shift(step.world, leg, step.travel.place, place, shift, step.slope)
        found = self.finder.find(step.world, leg, place, shift, step.slope, foot.hold)
        if not step.walking:
            out_of_reach = self.walls.step and self._asks(i, found, place, step) > GIVE_UP * self.shape.stature
            return self.finder.floating(leg, place, shift, step.slope) if out_of_reach else found
        # The body is met where the plane of the travel and the ground below it are, halfway between the two.
        hit = self.finder.probe(step.world, meets.x, meets.y, meets.z)
        if hit is not None:
            meets = Place(meets.x, meets.y, 0.5 * (meets.z + hit.position.z), meets.heading)
        asks = self._asks(i, found, meets, step)
        if asks > GIVE_UP * self.shape.stature:
            # The ground that there is is out of the leg's reach: over a pit the foot keeps its height and goes on.
            return self.finder.floating(leg, place, shift, step.slope)
        return self._nearer(i, (found, asks), foot.hold, place, meets, step)

    def _nearer(
        self, i: int, best: tuple[Foothold, float], home: Foothold, place: Place, meets: Place, step: Step
    ) -> Foothold:
        """The best foothold so far (with what it asks), or one nearer to the body where that is too much."""
        leg, stride = self.shape.legs[i], step.stride
        dx, dy = direction_at(place, step)
        for share in NEARER:
            if best[1] <= ASKS_AT_MOST * self.shape.stature:
                break
            ahead = (share * stride.landing[i] - 0.5 * stride.travel * step.pattern.part(i)) / step.hurry
            tx, ty = self.place_shift(i, place.heading, step.travel, ahead)
            out = self._aside(i, place, step)
            shift = (dx * ahead + tx + out * cos(place.heading), dy * ahead + ty + out * sin(place.heading))
            shift = self.walls.shift(step.world, leg, step.travel.place, place, shift, step.slope)
            other = self.finder.find(step.world, leg, place, shift, step.slope, home)
            asks = self._asks(i, other, meets, step)
            if asks < best[1]:
                best = other, asks
        return best[0]

    def _asks(self, i: int, foothold: Foothold, meets: Place, step: Step) -> float:
        """How far the pelvis must sink for a foothold when the body meets it."""
        unturn = Quaternion((0.0, 0.0, 1.0), -meets.heading)
        ball = unturn @ Vector((foothold.x - meets.x, foothold.y - meets.y, foothold.z - meets.z))
        rotation = unturn @ rotation_at(foothold.heading, foothold.normal)
        sink = step.stride.lower + step.stride.bob + (step.stride.chest if self.shape.legs[i].order == 0 else 0.0)
        return self.body.short_of(i, ball, rotation, self.landing_pitch(i, foothold, step), sink, step.travel)

    def landing_pitch(self, i: int, foothold: Foothold, step: Step) -> float:
        """The pitch that a foot lands with, on its heel, less in a short stride; flat where the heel hangs."""
        if foothold.hangs == "HEEL":
            return 0.0
        performed = step.pattern.performed
        if performed is not None:
            stride = step.stride.travel / (step.pattern.duty * self.shape.stature)
            return performed.feet[i].landing_pitch * min(1.0, performed.share(stride))
        share = min(1.0, step.stride.travel / (0.5 * self.shape.leg_length))
        heading, (dx, dy) = step.travel.place.heading, step.direction
        ahead = dx * sin(heading) - dy * cos(heading)
        if ahead < COURSE and step.direction != (0.0, 0.0):
            return toe_strike(self.shape.legs[i]) * share if ahead < -COURSE else 0.0
        return -heel_strike(self.shape.legs[i], step.pattern) * share

    def measure_way(self, i: int, foot: FootMemory, step: Step, at: tuple[float, float, float] | None = None) -> None:
        """Choose the foot's way to its target; `at`: where it is now, if it is on another one."""
        least = self.config.step_height or step.pattern.step_height * self.shape.leg_length
        if not step.walking:
            least *= SETTLING_HEIGHT
        target, leg = foot.target, self.shape.legs[i]
        if target is not None:
            along = target.heading + leg.toe_out
            length = leg.foot_length if leg.rolls else 0.0
            sole = (-sin(along) * length, cos(along) * length)
            now = OnWay(foot.way, foot.progress, at) if at is not None else None
            # A walker's foot is high when its toe has just left and comes down on a straight leg, the more so with a
            # calf that pushes it off; a runner's leg swings through high and folded.
            early = (2 if self.body.feet[i].shinned else 1) if leg.rolls and step.pattern.wave == "PENDULUM" else 0
            foot.way = way_over(step.world, foot.hold, target, least, MOST_ARC * leg.length, sole, now, early)
            performed = step.pattern.performed
            if performed is not None and step.walking and foot.way[:4] == Way(least)[:4]:
                foot.way = Way(least, shape=performed.feet[i].shape)
            foot.measured_at = target[:3]
