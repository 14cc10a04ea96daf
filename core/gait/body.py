"""The body over its feet: rise and sink, tilt with the ground, lean, sway, and no further up than the legs reach."""

from __future__ import annotations

from math import atan, cos, dist, sqrt, tau

from mathutils import Quaternion, Vector

from ..control.intent import Travel
from ..space.curves import smoothstep
from ..space.dampers import kept_share, spring
from ..space.vectors import quadruple, triple
from .config import GaitConfig
from .foot import FootGeometry, rotation_at
from .memory import BodyMemory, FootMemory, GaitMemory
from .patterns import GRAVITY, Pattern
from .shape import BodyShape
from .stride import LIFT_OFF_BEND, TIGHTER, Stride, standing_drop, wave

# Past this share of a stance the heel may lift; from the second the leg is bent for its lift-off.
HEEL_FREE, BEND_FROM = 0.35, 0.6
FLAT_AT = 0.16
# An ankle bends the shin over the sole by about 46 degrees; then the heel comes up, within this share of the stance.
FLEXION, FLEXION_SHARE = 0.8, 0.2
HARD_EXTENSION, STRAIGHTEST = 0.991, 0.9945
ROLL_MARGIN = 0.2
TRAILING = 0.35
LEVEL_FROM, LEVEL_AT = 0.5, 0.85
TWIST, LIST = 0.07, 0.04
X, Y, Z = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0)), Vector((0.0, 0.0, 1.0))
LEAN_HALFLIFE, DROP_HALFLIFE, EFFORT_HALFLIFE = 0.2, 0.07, 0.15
# The body follows the lie of its feet within this share of a cycle.
TERRAIN_SHARE = 0.1


class BodyMotion:
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
        self.spread = sum(y * y for y, _ in self.girdles)
        middle = (sum(leg.ball[0] for leg in shape.legs) / count, sum(leg.ball[1] for leg in shape.legs) / count)
        self.stands = [(leg.ball[0] - middle[0], leg.ball[1] - middle[1]) for leg in shape.legs]
        self.stand_spread = (sum(x * x for x, _ in self.stands), sum(y * y for _, y in self.stands))
        self.two_legs = shape.pairs == 1
        self.tempo = shape.tempo

    def _pairs(self) -> list[list[int]]:
        legs = self.shape.legs
        return [[i for i, leg in enumerate(legs) if leg.order == k] for k in range(self.shape.pairs)]

    def start(self) -> BodyMemory:
        """The body standing still."""
        drop, count = standing_drop(self.shape, STRAIGHTEST), len(self.girdles)
        body = BodyMemory(drops=(drop,) * count, drop_speeds=(0.0,) * count)
        self._place(body, Vector((0.0, 0.0, -drop)), 0.0, Quaternion())
        return body

    def _place(self, body: BodyMemory, offset: Vector, pitch: float, turn: Quaternion) -> None:
        """Put a pose of the body into its memory; `turn` is its yaw and roll."""
        body.offset = triple(offset)
        body.rotation = quadruple(turn @ Quaternion(X, pitch))

    def hips_now(self, body: BodyMemory) -> list[Vector]:
        """The hips in model space, moved by the body's pose."""
        rotation, shift = Quaternion(body.rotation), self.centre + Vector(body.offset)
        return [shift + rotation @ arm for arm in self.arms]

    def tick(
        self, memory: GaitMemory, travel: Travel, stride: Stride, pattern: Pattern, effort: float, dt: float
    ) -> None:
        """Move the body, then roll its planted feet to stay in reach. `effort` is 0 standing, 1 walking."""
        body = memory.body
        self._springs(memory, travel, pattern, stride, effort, dt)
        phase = memory.phase - pattern.offsets[0]
        swing = body.effort * min(1.0, stride.travel / (0.6 * self.shape.leg_length))
        over = cos(tau * (phase - pattern.duty / 2.0)) * swing
        sway = pattern.sway * self.config.sway * self.shape.leg_length * over
        body.twist = -TWIST * cos(tau * phase) * swing if self.two_legs else 0.0
        roll = body.roll + body.bank - (LIST * over if self.two_legs else 0.0)
        rise = 0.0
        if not self.two_legs:
            rise = body.heave - travel.slope * self.centre.y + travel.cross_slope * self.centre.x
        sinks = self._sinks(body, pattern, memory.phase)
        turn = Quaternion(Z, body.twist) @ Quaternion(Y, roll)
        self._lay(body, sinks, sway, rise, turn)
        # Where the feet are does not change any more in this tick, only their pitch does.
        frames = FrameOfBody(travel)
        feet, caps = [frames.foot(foot) for foot in memory.feet], self.caps(memory)
        reaches = [self._reach(i, foot, caps[i], body.effort) for i, foot in enumerate(memory.feet)]
        soft, hard = self._needs(memory, pattern, frames, feet, caps, reaches, sinks)
        self._sink_further(body, soft, hard, dt)
        self._lay(body, [s + d for s, d in zip(sinks, body.drops, strict=True)], sway, rise, turn)
        hips = self.hips_now(body)
        for i, foot in enumerate(memory.feet):
            if foot.planted:
                self._roll_foot(i, foot, pattern, hips[i], feet[i], reaches[i], dt)
            elif self.feet[i].rolls:
                self._trail_foot(i, foot, pattern, hips[i], feet[i], caps[i])

    def caps(self, memory: GaitMemory) -> list[float]:
        """The extension that each leg keeps to: the stride's; standing still, a leg may be as straight as at rest."""
        walking = self.tight_caps if memory.limited else self.wide_caps
        still, rests = 1.0 - memory.body.effort, self.rest_extensions
        return [cap + (rests[i] - cap) * still if rests[i] > cap else cap for i, cap in enumerate(walking)]

    def _lay(self, body: BodyMemory, sinks: list[float], sway: float, rise: float, turn: Quaternion) -> None:
        """Place the body so that each girdle sinks by its own number, as far as a rigid body can; `turn`: yaw, roll."""
        heave = sum(sinks) / len(sinks)
        tip = 0.0
        if self.spread > 1e-9:
            tip = -atan(sum(y * s for (y, _), s in zip(self.girdles, sinks, strict=True)) / self.spread)
        self._place(body, Vector((sway, 0.0, rise - heave)), body.pitch + body.lean + tip, turn)

    def _springs(
        self, memory: GaitMemory, travel: Travel, pattern: Pattern, stride: Stride, effort: float, dt: float
    ) -> None:
        body, config = memory.body, self.config
        kept = kept_share(EFFORT_HALFLIFE * self.tempo, dt)
        bob, lower = stride.bob * effort, stride.lower if effort > 0.0 else self.standing
        body.effort = effort + (body.effort - effort) * kept
        body.bob = bob + (body.bob - bob) * kept
        body.lower = lower + (body.lower - lower) * kept
        if not self.two_legs:
            heave, slope, cross = self._support(memory, travel)
            soon = TERRAIN_SHARE * stride.cycle
            body.heave, body.heave_speed = spring(body.heave, body.heave_speed, heave, soon, dt)
            body.pitch, body.pitch_speed = spring(body.pitch, body.pitch_speed, -atan(slope), soon, dt)
            body.roll, body.roll_speed = spring(body.roll, body.roll_speed, -atan(cross), soon, dt)
        share = config.lean * (0.35 if self.two_legs else 0.1)
        lean = share * memory.push / GRAVITY + config.lean * pattern.lean * body.effort
        bank = share * memory.speed * travel.turn_rate / GRAVITY
        body.lean, body.lean_speed = spring(body.lean, body.lean_speed, lean, LEAN_HALFLIFE * self.tempo, dt)
        body.bank, body.bank_speed = spring(body.bank, body.bank_speed, bank, LEAN_HALFLIFE * self.tempo, dt)

    def _support(self, memory: GaitMemory, travel: Travel) -> tuple[float, float, float]:
        """How the feet stand off the plane of the travel: rise in the middle, and the slopes along and across of both.

        A foot in the air counts by where it goes, more and more. Feet ahead of or behind their places on a slope are
        no reason to rock: only their distance from the plane counts.
        """
        frames = FrameOfBody(travel)
        rises = []
        for foot in memory.feet:
            x, y, z = frames.point(foot.hold[:3])
            rise = z - travel.slope * -y - travel.cross_slope * x
            if foot.target is not None:
                x, y, z = frames.point(foot.target[:3])
                rise += ((z - travel.slope * -y - travel.cross_slope * x) - rise) * smoothstep(foot.progress)
            rises.append(rise)
        mean = sum(rises) / len(rises)
        along = sum(r * -y for r, (_, y) in zip(rises, self.stands, strict=True)) / max(self.stand_spread[1], 1e-6)
        across = sum(r * x for r, (x, _) in zip(rises, self.stands, strict=True)) / max(self.stand_spread[0], 1e-6)
        return mean, travel.slope + along, travel.cross_slope + across

    def _sinks(self, body: BodyMemory, pattern: Pattern, phase: float) -> list[float]:
        """How far each girdle sinks at a phase."""
        return [body.lower + body.bob * wave(pattern, phase - pattern.offsets[i]) for _, i in self.girdles]

    def _needs(
        self,
        memory: GaitMemory,
        pattern: Pattern,
        frames: FrameOfBody,
        feet: list[tuple[Vector, Quaternion]],
        caps: list[float],
        reaches: list[float],
        sinks: list[float],
    ) -> tuple[list[float], list[float]]:
        """How far each girdle must sink for its feet: softly ahead of time, and at once where a leg overstretches."""
        body = memory.body
        hips = self.hips_now(body)
        soft, hard = [0.0] * len(sinks), [0.0] * len(sinks)
        most = HARD_EXTENSION - TIGHTER if memory.limited else HARD_EXTENSION
        for i, foot in enumerate(memory.feet):
            girdle = self.shape.legs[i].order
            now = feet[i]
            must = max(most, caps[i]) * self.shape.legs[i].length
            hard[girdle] = max(hard[girdle], self._need(i, foot, pattern, hips[i], now, must, now=True))
            if foot.planted:
                foot.need = self._need(i, foot, pattern, hips[i], now, reaches[i])
                soft[girdle] = max(soft[girdle], foot.need)
                continue
            near = smoothstep((foot.progress - 0.3) / 0.6)
            if near > 0.0:
                later = self._sinks(body, pattern, foot.timing[0])[girdle]
                hip = hips[i] + frames.point(foot.meets)
                hip.z += sinks[girdle] - later
                foot.need = self._need(i, foot, pattern, hip, frames.target(foot), reaches[i])
                soft[girdle] = max(soft[girdle], near * foot.need)
        return soft, hard

    def _sink_further(self, body: BodyMemory, soft: list[float], hard: list[float], dt: float) -> None:
        drops, speeds = [], []
        halflife, limit = DROP_HALFLIFE * self.tempo, self.drop_limit
        for k, before in enumerate(body.drops):
            drop, speed = spring(before, body.drop_speeds[k], min(soft[k], limit), halflife, dt)
            drops.append(max(drop, min(hard[k], limit), 0.0))
            speeds.append(speed)
        body.drops, body.drop_speeds = tuple(drops), tuple(speeds)

    def _need(
        self,
        i: int,
        foot: FootMemory,
        pattern: Pattern,
        hip: Vector,
        known: tuple[Vector, Quaternion],
        reach: float,
        *,
        now: bool = False,
    ) -> float:
        """How far the hip is above what the leg reaches; `now`: with a foot in the air where it is."""
        geometry, (ball, rotation) = self.feet[i], known
        share = foot.phase / foot.timing[1] if foot.planted else 0.0
        pitch = foot.pitch if now and not foot.planted else min(foot.pitch, 0.0)
        trails = now and not foot.planted and foot.progress < TRAILING
        if (share > HEEL_FREE or trails) and geometry.rolls:
            most = pattern.heel_lift + (ROLL_MARGIN if trails else 0.0)
            pitch = max(pitch, geometry.pitch_to_reach(hip, ball, rotation, reach, most))
        tip = geometry.tip(ball, rotation, pitch)
        room = reach * reach - (hip.x - tip.x) ** 2 - (hip.y - tip.y) ** 2
        return hip.z - tip.z - sqrt(max(room, 0.0))

    def _reach(self, i: int, foot: FootMemory, cap: float, effort: float) -> float:
        """The distance from hip to tip that a leg may have: a planted one that walks bends for its lift-off."""
        if not foot.planted:
            return cap * self.shape.legs[i].length
        late = smoothstep((foot.phase / foot.timing[1] - BEND_FROM) / (1.0 - BEND_FROM))
        return (cap - LIFT_OFF_BEND * effort * late) * self.shape.legs[i].length

    def tilted_hip(self, i: int, travel: Travel) -> Vector:
        """A hip of the rest pose where a body that lies along the ground has it: on two legs a body stays upright."""
        if self.two_legs:
            return self.hips[i].copy()
        return self._hip_at(i, travel, _tilt(travel))

    def _hip_at(self, i: int, travel: Travel, tilt: Quaternion) -> Vector:
        rise = travel.cross_slope * self.centre.x - travel.slope * self.centre.y
        return self.centre + Vector((0.0, 0.0, rise)) + tilt @ self.arms[i]

    def tilt_shift(self, i: int, travel: Travel) -> tuple[float, float]:
        """How far a body that lies along a slope moves a foot's place, model x and y.

        A foot stays under its hip, but what it stands out to the side is measured along the slope.
        """
        if self.two_legs:
            return 0.0, 0.0
        leg, tilt = self.shape.legs[i], _tilt(travel)
        out = Vector((leg.ball[0] - leg.hip[0], leg.ball[1] - leg.hip[1], 0.0))
        moved = self._hip_at(i, travel, tilt) - self.hips[i] + tilt @ out - out
        return moved.x, moved.y

    def short_of(
        self, i: int, ball: Vector, rotation: Quaternion, landing_pitch: float, sink: float, travel: Travel
    ) -> float:
        """How much lower than usual the hips must be for leg `i` to land there, in the landing body's model space."""
        hip = self.tilted_hip(i, travel)
        tip = self.feet[i].tip(ball, rotation, landing_pitch)
        reach = self.wide_caps[i] * self.shape.legs[i].length
        room = reach * reach - (hip.x - tip.x) ** 2 - (hip.y - tip.y) ** 2
        return hip.z - sink - tip.z - sqrt(max(room, 0.0))

    def _roll_foot(
        self,
        i: int,
        foot: FootMemory,
        pattern: Pattern,
        hip: Vector,
        known: tuple[Vector, Quaternion],
        reach: float,
        dt: float,
    ) -> None:
        """The pitch of a planted foot: down from its heel, flat, then up over the ball as far as the leg asks."""
        geometry, length = self.feet[i], self.shape.legs[i].length
        ball, rotation = known
        share = foot.phase / foot.timing[1]
        before = foot.pitch
        if geometry.rolls:
            landed = foot.lift_pitch * (1.0 - smoothstep(share / FLAT_AT)) if foot.lift_pitch < 0.0 else 0.0
            if share > HEEL_FREE:
                most = pattern.heel_lift + ROLL_MARGIN
                # A ball that hangs over an edge is nothing to roll over.
                free = foot.hold.hangs != "BALL"
                flexed = geometry.pitch_to_flex(hip, ball, rotation, FLEXION, most) if free else 0.0
                landed = max(
                    geometry.pitch_to_reach(hip, ball, rotation, reach, most),
                    flexed * smoothstep((share - HEEL_FREE) / FLEXION_SHARE),
                )
            foot.pitch = landed
        foot.lift_rate = (foot.pitch - before) / dt if dt > 0.0 else 0.0
        foot.toe_pitch = min(foot.pitch, 0.0)
        foot.extension = (geometry.tip(ball, rotation, foot.pitch) - hip).length / length

    def _trail_foot(
        self, i: int, foot: FootMemory, pattern: Pattern, hip: Vector, known: tuple[Vector, Quaternion], cap: float
    ) -> None:
        """A foot in the air: its heel is as high as the leg behind the body and the ankle ask; in time it is level."""
        geometry, most = self.feet[i], pattern.heel_lift + ROLL_MARGIN
        if foot.progress < TRAILING:
            reach = (cap - LIFT_OFF_BEND) * self.shape.legs[i].length
            foot.pitch = max(foot.pitch, geometry.pitch_to_reach(hip, *known, reach, most))
        left = 1.0 - smoothstep((foot.progress - LEVEL_FROM) / (LEVEL_AT - LEVEL_FROM))
        if foot.hold.hangs == "BALL":
            left *= smoothstep(foot.progress / TRAILING)
        flexed = geometry.pitch_to_flex(hip, *known, FLEXION, most) if left > 0.0 else 0.0
        foot.pitch += left * max(0.0, flexed - max(foot.pitch, 0.0))


def _tilt(travel: Travel) -> Quaternion:
    """The rotation of a body that lies along the ground."""
    return Quaternion(Y, -atan(travel.cross_slope)) @ Quaternion(X, -atan(travel.slope))


class FrameOfBody:
    """World places as the body's model space sees them this tick."""

    __slots__ = ("place", "unturn")

    def __init__(self, travel: Travel) -> None:
        self.place = travel.place
        self.unturn = Quaternion(Z, -travel.place.heading)

    def point(self, world: tuple[float, float, float]) -> Vector:
        """A world place (plain floats) in model space."""
        (x, y, z), (px, py, pz, _) = world, self.place
        return self.unturn @ Vector((x - px, y - py, z - pz))

    def foot(self, foot: FootMemory) -> tuple[Vector, Quaternion]:
        """A foot's ball and rotation as it is now."""
        return self.point(foot.ball), self.unturn @ Quaternion(foot.rotation)

    def target(self, foot: FootMemory) -> tuple[Vector, Quaternion]:
        """The ball and rotation that a swinging foot will have when it lands."""
        target = foot.target or foot.hold
        return self.point((target.x, target.y, target.z)), self.unturn @ rotation_at(target.heading, target.normal)
