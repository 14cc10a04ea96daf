"""The body over its feet: rise and sink, tilt with the ground, lean, sway, and no further up than the legs reach."""

from __future__ import annotations

from math import asin, atan, cos, dist, inf, sin, tau
from operator import mul

from mathutils import Quaternion, Vector

from ..control.intent import Travel
from ..space.dampers import kept_share, spring
from ..space.inertialization import Carry, carried_on
from ..space.vectors import quadruple, triple
from .bearing import bear, bearing_of, on_ground
from .body_needs import HARD_EXTENSION, LACK, REACHES_FROM, BodyNeeds
from .change import draw_along, hold_back
from .config import GaitConfig
from .foot import FootGeometry
from .frame import FrameOfBody, goes_ahead, tilt_of
from .give_way import Legs, give_way, room_to_fold
from .head_hold import HeadMotion
from .idle import Idle, IdleMotion, head_start
from .manner import LIST_AT
from .memory import BodyMemory, GaitMemory
from .patterns import GRAVITY, Pattern, froude
from .reach import standing_drop
from .ride import ride, sink
from .roll_off import CATCHES_UP, FASTEST, RollOff, roll_off, runs
from .rolling import Known, flick_foot, fold_foot, roll_as_performed, roll_foot, trail_foot
from .shape import BodyShape, Point
from .stride import LIFT_OFF_BEND, TIGHTER, Stride, pair_wave
from .support import lie_of_feet
from .trunk import Bent, TrunkMotion, lean_over_feet

STRAIGHTEST = 0.9945
# What a bent trunk is planned with is right to second order: its legs keep this share of their length for the rest.
TRUNK_SLACK = 0.004
# A performer's legs are as straight as legs can be, and what they lack is made up for soon.
PERFORMED_EXTENSION, RIDE_HALFLIFE = 0.9942, 0.035
HARD_PASSES, SETTLES = 2, 4
# Metres, and rise per metre, that are none.
LEVEL = 1e-6
X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))
LEAN_HALFLIFE, DROP_HALFLIFE, EFFORT_HALFLIFE, REST_HALFLIFE = 0.2, 0.07, 0.15, 0.08
# What the body's waves were in a gait dies out within a few of these after a change to another one.
CARRY_HALFLIFE = 0.08
BEARING_HALFLIFE = 0.1
# A back bends by this angle (radians) for a crouch of a leg's length.
CROUCHES = 1.6
# The body follows the lie of its feet within this share of a cycle.
TERRAIN_SHARE = 0.1


class BodyMotion(BodyNeeds):
    """Works out the body's place each tick; everything that is constant is measured once."""

    def __init__(self, shape: BodyShape, config: GaitConfig) -> None:
        self.shape = shape
        self.config = config
        self.feet = [FootGeometry(leg) for leg in shape.legs]
        self.hips = [Vector(leg.hip) for leg in shape.legs]
        self.standing = standing_drop(shape, STRAIGHTEST)
        self.rest_extensions = [min(dist(leg.hip, leg.tip) / leg.length, STRAIGHTEST) for leg in shape.legs]
        self.wide_caps = [leg.cap(config.extension) for leg in shape.legs]
        self.tight_caps = [leg.cap(config.extension - TIGHTER) for leg in shape.legs]
        self.drop_limit = config.pelvis_drop * shape.leg_length / 0.9
        count = len(shape.legs)
        self.centre = sum(self.hips, Vector()) / count
        self.arms = [hip - self.centre for hip in self.hips]
        self.girdles = [
            (sum(self.hips[i].y for i in pair) / len(pair) - self.centre.y, pair[0]) for pair in self._pairs()
        ]
        self.levers = [y for y, _ in self.girdles]
        self.spread = sum(y * y for y in self.levers)
        middle = (sum(leg.ball[0] for leg in shape.legs) / count, sum(leg.ball[1] for leg in shape.legs) / count)
        self.stands = [(leg.ball[0] - middle[0], leg.ball[1] - middle[1]) for leg in shape.legs]
        self.stand_spread = (sum(x * x for x, _ in self.stands), sum(y * y for _, y in self.stands))
        self.sides = [1.0 if leg.side == "L" else -1.0 for leg in shape.legs]
        self.two_legs = shape.pairs == 1
        self.tempo = shape.tempo
        self.folds = Legs(shape.leg_length, min(map(room_to_fold, shape.legs)), shape.tempo, config.landing_give)
        self.slack = TRUNK_SLACK if shape.spine is not None else 0.0
        self.blades = [(i, leg.blade) for i, leg in enumerate(shape.legs) if leg.blade is not None]
        self.head = HeadMotion(shape.neck, shape.tempo) if shape.neck is not None and config.head_bob > 0.0 else None
        self.idle = IdleMotion(shape, config)
        self.trunk = TrunkMotion(shape, shape.spine, config) if shape.spine is not None else None

    def _pairs(self) -> list[list[int]]:
        legs = self.shape.legs
        return [[i for i, leg in enumerate(legs) if leg.order == k] for k in range(self.shape.pairs)]

    def start(self, seed: int = 0) -> BodyMemory:
        """The body standing still. Each seed breathes at a time of its own."""
        drop, count = standing_drop(self.shape, STRAIGHTEST), len(self.girdles)
        body = BodyMemory(drops=(drop,) * count, drop_speeds=(0.0,) * count, time=head_start(seed))
        self._place(body, Vector((0.0, 0.0, -drop)), 0.0, Quaternion(), self.arms, [])
        return body

    def settle(self, memory: GaitMemory, travel: Travel, pattern: Pattern) -> None:
        """Let a body that has just been put on its feet lie as they do, and as low as its legs reach."""
        body, frames = memory.body, FrameOfBody(travel)
        lie = (0.0, 0.0, 0.0) if self.two_legs else self._support(memory, travel)
        feet, caps = [frames.foot(foot) for foot in memory.feet], self.caps(memory, pattern)
        hips = [self.centre + Vector(body.offset) + arm for arm in self.arms]
        ways = (geometry.tip(*known, 0.0) - hip for geometry, known, hip in zip(self.feet, feet, hips, strict=True))
        reaches = [(STRAIGHTEST + LACK) * leg.length for leg in self.shape.legs]
        if max(map(abs, lie)) < LEVEL and all(way.length <= most for way, most in zip(ways, reaches, strict=True)):
            return
        body.heave, body.pitch, body.roll = lie[0], -atan(lie[1]), -atan(lie[2])
        shift, turn = self._shift(body, travel, 0.0, None), Quaternion(Y, body.roll)
        for again in range(SETTLES, -1, -1):
            hips = self._lay(body, list(body.drops), shift, turn, self.arms, feet)
            if not again or not self._sink_more(memory, pattern, feet, hips, caps):
                break
        reaches = [self._reach(i, foot, caps[i], 0.0) for i, foot in enumerate(memory.feet)]
        self._place_feet(memory, pattern, hips, feet, (reaches, caps), 0.0, travel, 0.0)

    def hover(self, body: BodyMemory, was: tuple[Vector, Quaternion], kept: float) -> list[Vector]:
        """Place a body that no foot carries; of where it was but for its squat, so much is kept. Its hips."""
        turn = Quaternion(Z, body.twist) @ Quaternion(Y, body.roll)
        rotation = turn @ Quaternion(X, body.pitch + body.lean + bearing_of(body).pitch)
        offset = Vector((0.0, 0.0, -(body.lower + max(body.drops)))).lerp(was[0], kept)
        offset.z -= body.squat
        rotation = rotation.slerp(was[1], kept)
        body.offset, body.rotation = triple(offset), quadruple(rotation)
        return [self.centre + offset + rotation @ arm for arm in self.arms]

    def _place(
        self, body: BodyMemory, offset: Vector, pitch: float, turn: Quaternion, arms: list[Vector], feet: list[Known]
    ) -> list[Vector]:
        """Put a pose of the body into its memory; `turn` is its yaw and roll. Its hips over `feet`, model space."""
        rotation = turn @ Quaternion(X, pitch)
        body.offset, body.rotation = triple(offset), quadruple(rotation)
        shift = self.centre + offset
        hips = [shift + rotation @ arm for arm in arms]
        if self.blades and feet and self.shape.spine is not None:
            chest = rotation @ Quaternion(X, (1.0 - self.shape.spine.pitch) * Bent(*body.bent).flex)
            for i, blade in self.blades:
                hips[i] += chest @ blade.shift(blade.turn(hips[i], feet[i][0]))
        return hips

    def tick(
        self,
        memory: GaitMemory,
        travel: Travel,
        stride: Stride,
        pattern: Pattern,
        effort: float,
        dt: float,
        *,
        cut: bool = False,
    ) -> None:
        """Move the body, then roll its planted feet to stay in reach.

        `effort` is 0 standing, 1 walking; `cut` says that the gait has just changed.
        """
        body = memory.body
        self._springs(memory, travel, pattern, stride, effort, dt, cut=cut)
        arms = self._bend(memory, travel, pattern, stride, dt)
        if self.head is not None:
            self.head.tick(memory, travel, pattern, dt)
        swing = body.effort * min(1.0, stride.travel / (0.6 * self.shape.leg_length))
        body.carry = carry = self._waves(memory, pattern, swing, dt, cut=cut)
        sway, body.twist, lists, *sinks = carry.shown
        self.idle.tick(body, dt, rests=effort == 0.0 and not memory.stepping)
        idle = self.idle.now(body) if body.calm > 0.0 else None
        if idle is not None:
            body.twist += idle.twist
            lists += idle.lists
            sinks = [sink + more for sink, more in zip(sinks, idle.sinks, strict=True)]
        roll = body.roll + body.bank - lists
        shift = self._shift(body, travel, sway, idle)
        turn = Quaternion(Z, body.twist) @ Quaternion(Y, roll)
        if pattern.performed is not None:
            body.stride = pattern.performed.share(stride.travel / (pattern.duty * self.shape.stature))
            turn, beside = ride(pattern.performed, body, memory.phase, self.shape.stature, self.config.sway)
            shift = (beside[0], beside[1], shift[2])
        # Where the feet are does not change any more in this tick, only their pitch does.
        frames = FrameOfBody(travel)
        feet, caps = [frames.foot(foot) for foot in memory.feet], self.caps(memory, pattern)
        if not self.two_legs:
            lean_over_feet(memory, self.shape, [ball for ball, _ in feet], dt)
        hips, laid = self._lay(body, sinks, shift, turn, arms, feet), sinks
        if carry.offsets and self.two_legs:
            self._hold_back(memory, travel.place.heading, feet, hips)
        bend = LIFT_OFF_BEND * body.effort if pattern.performed is None else 0.0
        reaches = [self._reach(i, foot, caps[i], bend) for i, foot in enumerate(memory.feet)]
        soft, hard = self._needs(memory, pattern, frames, feet, hips, caps, reaches, sinks)
        self._sink_further(body, soft, hard, DROP_HALFLIFE if pattern.performed is None else RIDE_HALFLIFE, dt)
        for again in range(HARD_PASSES, -1, -1):
            sunk = [s + d for s, d in zip(sinks, body.drops, strict=True)]
            if sunk != laid:
                hips, laid = self._lay(body, sunk, shift, turn, arms, feet), sunk
            # A body that tips to lower one girdle moves both along: what that takes of the reach is found afterwards.
            if not again or self.two_legs or max(hard) <= 0.0 or not self._sink_more(memory, pattern, feet, hips, caps):
                break
        push = swing if goes_ahead(travel) else 0.0
        self._place_feet(memory, pattern, hips, feet, (reaches, caps), push, travel, dt)

    def _place_feet(
        self,
        memory: GaitMemory,
        pattern: Pattern,
        hips: list[Vector],
        feet: list[Known],
        limits: tuple[list[float], list[float]],
        push: float,
        travel: Travel,
        dt: float,
    ) -> None:
        """Roll planted feet, trail and bend those in the air; `limits`: the reaches of their legs and the caps."""
        still = LIFT_OFF_BEND * (1.0 - memory.body.effort)
        for i, foot in enumerate(memory.feet):
            # Paws and hooves have no ankle that turns them.
            quickest = FASTEST / self.tempo if self.feet[i].shinned else inf
            if foot.planted:
                if pattern.performed is None:
                    coming = RollOff(push, quickest=quickest)
                    if runs(self.feet[i], pattern):
                        sinks = (self._sinks(memory.body, pattern, at) for at in (memory.phase, sum(foot.timing)))
                        now, then = (sink[self.shape.legs[i].order] for sink in sinks)
                        coming = roll_off(foot, memory, hips[i], now - then, travel, self.tempo, push)
                    both = limits[0][i], limits[1][i] * self.shape.legs[i].length
                    roll_foot(self.feet[i], foot, pattern, hips[i], feet[i], both, coming, dt)
                else:
                    performed = pattern.performed.feet[i]
                    roll_as_performed(self.feet[i], foot, performed, hips[i], feet[i], limits[0][i], dt)
                continue
            runner = runs(self.feet[i], pattern)
            if self.feet[i].rolls:
                quickest = CATCHES_UP / self.tempo if runner else quickest
                cap = limits[1][i] + still
                trail_foot(self.feet[i], foot, pattern, hips[i], feet[i], cap, quickest, runner=runner)
                if foot.flick > 0.0 and foot.way.shape is None:
                    flick_foot(foot)
                fold_foot(self.feet[i], foot, hips[i], feet[i])
            if not self.two_legs or (runner and foot.progress < REACHES_FROM):
                most = HARD_EXTENSION - self.slack - (TIGHTER if foot.limited else 0.0)
                draw_along(self.feet[i], foot, hips[i], feet[i], most * self.shape.legs[i].length, travel.place.heading)

    def _bend(self, memory: GaitMemory, travel: Travel, pattern: Pattern, stride: Stride, dt: float) -> list[Vector]:
        """Bend the trunk, where there is one; where each hip is then, seen from the middle of all."""
        if self.trunk is None:
            return self.arms
        backs = self.trunk.tick(memory, travel, pattern, stride.travel, dt)
        return [Vector((x, y + back, z)) for (x, y, z), back in zip(self.arms, backs, strict=True)]

    def _shift(self, body: BodyMemory, travel: Travel, sway: float, idle: Idle | None) -> Point:
        """How far the body is off its rest place but for its sinking, model space."""
        rise = 0.0
        if not self.two_legs:
            rise = body.heave - travel.slope * self.centre.y + travel.cross_slope * self.centre.x
        return (sway, 0.0, rise) if idle is None else (sway + idle.sideways, -idle.ahead, rise)

    def _waves(self, memory: GaitMemory, pattern: Pattern, swing: float, dt: float, *, cut: bool) -> Carry:
        """The waves of the gait now (sway, twist, list, sinks of the girdles), with what is left of another."""
        body, phase = memory.body, memory.phase - pattern.offsets[0]
        over = pattern.over(memory.phase, self.sides) * swing
        sway = pattern.sway * self.config.sway * self.shape.leg_length * over
        twist = lists = 0.0
        if self.two_legs:
            manner = pattern.manner
            share = manner.share(froude(memory.speed, self.shape.leg_length)) * swing
            twist = -manner.pelvis_yaw * share * cos(tau * phase)
            lists = manner.pelvis_list * share * cos(tau * (phase - LIST_AT))
        waves = (sway, twist, lists, *self._sinks(body, pattern, memory.phase))
        return carried_on(body.carry, waves, CARRY_HALFLIFE * self.tempo, dt, cut=cut)

    def _hold_back(self, memory: GaitMemory, heading: float, feet: list[Known], hips: list[Vector]) -> None:
        """Let feet in the air wait that are too far ahead of a body which has just changed its gait."""
        for i, foot in enumerate(memory.feet):
            if not foot.planted:
                leg = self.shape.legs[i]
                most = HARD_EXTENSION - TIGHTER if foot.limited else HARD_EXTENSION
                hip = hips[i] - Vector((0.0, 0.0, memory.body.drops[leg.order]))
                feet[i] = hold_back(self.feet[i], foot, feet[i], hip, most * leg.length, heading)

    def caps(self, memory: GaitMemory, pattern: Pattern) -> list[float]:
        """The extension that each leg keeps to: the stride's; standing still, a leg may be as straight as at rest, and
        a performer's as straight as a leg can be.
        """
        if pattern.performed is not None and self.two_legs:
            return [PERFORMED_EXTENSION] * len(memory.feet)
        still, rests = 1.0 - memory.body.effort, self.rest_extensions
        caps = [self.tight_caps[i] if foot.limited else self.wide_caps[i] for i, foot in enumerate(memory.feet)]
        return [cap + (rests[i] - cap) * still if rests[i] > cap else cap for i, cap in enumerate(caps)]

    def _lay(
        self,
        body: BodyMemory,
        sinks: list[float],
        shift: Point,
        turn: Quaternion,
        arms: list[Vector],
        feet: list[Known],
    ) -> list[Vector]:
        """Place the body, shifted, so that each girdle sinks by its own number, as far as a rigid body can; its hips
        there.
        """
        heave, pitch = sum(sinks) / len(sinks), body.pitch + body.lean
        if body.bearing:
            pitch += bearing_of(body).pitch
        if self.spread > 1e-9:
            # A girdle at y is y * sin(pitch) up: on a slope the same sink takes a larger turn than on level ground.
            sunk = sum(map(mul, self.levers, sinks)) / self.spread
            pitch = asin(min(1.0, max(-1.0, sin(pitch) - sunk)))
        x, y = body.weight[:2] or (0.0, 0.0)
        return self._place(body, Vector((shift[0] + x, shift[1] + y, shift[2] - heave)), pitch, turn, arms, feet)

    def _springs(
        self,
        memory: GaitMemory,
        travel: Travel,
        pattern: Pattern,
        stride: Stride,
        effort: float,
        dt: float,
        *,
        cut: bool,
    ) -> None:
        body, config = memory.body, self.config
        kept = kept_share((EFFORT_HALFLIFE if effort > 0.0 else REST_HALFLIFE) * self.tempo, dt)
        bob, lower = stride.bob * effort, stride.lower if effort > 0.0 else self.standing
        if cut:
            # The carry of the waves takes care of it.
            body.bob, body.lower, body.chest = bob * body.effort, lower, stride.chest * effort
        give_way(memory, travel, self.folds, dt)
        bear(body, on_ground(memory, travel, self.shape), BEARING_HALFLIFE * self.tempo, dt)
        body.effort = effort + (body.effort - effort) * kept
        body.bob = bob + (body.bob - bob) * kept
        body.lower = lower + (body.lower - lower) * kept
        body.chest = stride.chest * effort + (body.chest - stride.chest * effort) * kept
        if not self.two_legs:
            heave, slope, cross = self._support(memory, travel)
            soon = TERRAIN_SHARE * stride.cycle
            body.heave, body.heave_speed = spring(body.heave, body.heave_speed, heave, soon, dt)
            body.pitch, body.pitch_speed = spring(body.pitch, body.pitch_speed, -atan(slope), soon, dt)
            body.roll, body.roll_speed = spring(body.roll, body.roll_speed, -atan(cross), soon, dt)
        share = config.lean * (0.35 if self.two_legs else 0.1)
        lean = share * memory.push / GRAVITY + config.lean * pattern.lean * body.effort
        if self.two_legs:
            lean += CROUCHES * self.shape.erect**2 * body.squat / self.shape.leg_length
        bank = share * memory.speed * travel.turn_rate / GRAVITY
        body.lean, body.lean_speed = spring(body.lean, body.lean_speed, lean, LEAN_HALFLIFE * self.tempo, dt)
        body.bank, body.bank_speed = spring(body.bank, body.bank_speed, bank, LEAN_HALFLIFE * self.tempo, dt)

    def _support(self, memory: GaitMemory, travel: Travel) -> tuple[float, float, float]:
        return lie_of_feet(memory, travel, self.stands, self.stand_spread)

    def _sinks(self, body: BodyMemory, pattern: Pattern, phase: float) -> list[float]:
        """How far each girdle sinks at a phase."""
        if pattern.performed is not None:
            leg_length, bob = self.shape.stature, self.config.bob
            return [sink(pattern.performed, body, phase, leg_length, bob, self.standing)] * len(self.girdles)
        lower = body.lower + body.squat
        sinks = [lower + body.bob * pair_wave(pattern, i, phase) for _, i in self.girdles]
        sinks[0] += body.chest
        return sinks

    def tilted_hip(self, i: int, travel: Travel) -> Vector:
        """A hip of the rest pose where a body that lies along the ground has it: on two legs a body stays upright."""
        if self.two_legs:
            return self.hips[i].copy()
        return self._hip_at(i, travel, tilt_of(travel))

    def _hip_at(self, i: int, travel: Travel, tilt: Quaternion) -> Vector:
        rise = travel.cross_slope * self.centre.x - travel.slope * self.centre.y
        return self.centre + Vector((0.0, 0.0, rise)) + tilt @ self.arms[i]

    def tilt_shift(self, i: int, travel: Travel) -> tuple[float, float]:
        """How far a body that lies along a slope moves a foot's place, model x and y.

        A foot stays under its hip, but what it stands out to the side is measured along the slope.
        """
        if self.two_legs:
            return 0.0, 0.0
        leg, tilt = self.shape.legs[i], tilt_of(travel)
        out = Vector((leg.ball[0] - leg.hip[0], leg.ball[1] - leg.hip[1], 0.0))
        moved = self._hip_at(i, travel, tilt) - self.hips[i] + tilt @ out - out
        return moved.x, moved.y
