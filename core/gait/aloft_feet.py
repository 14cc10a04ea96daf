"""Feet of a body in the air: on the ground as long as they reach it, then tucked, parted, and out for the landing."""

from __future__ import annotations

from math import hypot, pi, sin, tau
from typing import TYPE_CHECKING

from mathutils import Quaternion, Vector

from ..control.intent import Place, Travel
from ..ik.swing import soft_distance
from ..space.curves import smoothstep
from ..space.dampers import damp, kept_share, spring
from ..space.rigid import Triple
from ..space.triples import plus
from ..space.vectors import quadruple, triple
from ..world.probe import DOWN
from ..world.world import World
from .aloft_bearing import long_fall
from .foot import UP, rotation_at
from .frame import FrameOfBody
from .memory import Flight, FootMemory, GaitMemory
from .rolling import Known
from .walls import Walls, pushed_out
from .way import ball_on_way

if TYPE_CHECKING:
    from .body import BodyMotion

# Seconds for a 0.9 m leg: what a foot was when it left has half faded, how long it may push after the body has left.
FOOT_FADES, PITCH_FADES, TOE_FADES, PUSHES_FOR = 0.085, 0.08, 0.1, 0.22
# A foot that pushes rises over its ball up to this (radians) between these moments, and leaves where its leg is as
# straight as this share.
PUSHED, PUSHES_FROM, PUSHES_AT, LEAVES_AT = 1.0, 0.01, 0.11, 0.992
# No leg in the air is straighter, and it gets there softly (shares of its length).
STRAIGHTEST, SOFTNESS = 0.985, 0.04
# The heel is up by so much (radians) while a foot hangs, by so much more just after it has pushed.
HANGS, POINTS = 0.3, 0.45
# How far up and ahead of their places feet are, shares of the leg, in a jump from standing and in a running one. The
# leading foot and the other one, in flight and just before they land; front and hind feet, rising, falling, landing.
LEADS = (((0.2, 0.04), (0.46, 0.3)), ((0.0, 0.05), (0.0, 0.31)))
TRAILS = (((0.11, -0.05), (0.21, -0.47)), ((0.0, -0.05), (0.12, -0.27)))
FRONT = (((0.42, -0.08), (0.42, -0.08)), ((0.2, 0.3), (0.2, 0.42)), ((0.0, 0.14), (0.0, 0.3)))
HIND = (((-0.08, -0.3), (-0.08, -0.5)), ((0.34, 0.04), (0.34, 0.04)), ((0.06, 0.06), (0.28, 0.06)))
# The speed at which four legs rise or fall all the way, m/s for a 0.9 m leg; how far ahead one of a pair is.
TURNS_AT, ONE_AHEAD = 2.5, 0.05
# Many legs are drawn in and up by these shares.
DRAWN_IN, DRAWN_UP = 0.12, 0.22
# In a long fall legs tread the air so often a second, by this share of a leg.
TREADS, TREADS_BY = 1.4, 0.13
# A foot on an edge that the body falls from leaves where it is so much higher (shares of a leg) than under the body.
LEFT_AT = 0.16
# Up to this share of a leg over a foot in the air it is looked for what it would go into.
OVER = 0.5
# What is higher over a foot by this share of a leg is a wall; feet stay so far off it.
WALL, WALL_ROOM, FEW_PAIRS = 0.3, 0.02, 2
UPRIGHT = (0.0, 0.0, 1.0)
SOON = 0.02
# How far up and ahead a foot is, shares of a leg.
Spread = tuple[float, float]


class AloftFeet:
    """The feet of one shape in the air. Immutable: what changes is in a GaitMemory."""

    def __init__(self, motion: BodyMotion, walls: Walls) -> None:
        self.motion = motion
        self.walls = walls
        self.shape = motion.shape

    def tick(
        self,
        memory: GaitMemory,
        flight: Flight,
        travel: Travel,
        hips: list[Vector],
        world: World,
        events: list[tuple[str, str]],
        dt: float,
        *,
        first: bool,
    ) -> None:
        """One tick of all feet; `hips` are where the legs hang now, model space."""
        frames = FrameOfBody(travel)
        place, turn = Vector(travel.place[:3]), Quaternion(UP, travel.place.heading)
        for i, foot in enumerate(memory.feet):
            at = place + turn @ self._goal(i, memory, flight, travel)
            if first and not foot.planted:
                self._leave(foot, at, _swings_at(foot, memory), travel, dt)
                foot.lift_rate = 0.0
            foot.elapsed = dt if first else foot.elapsed + dt
            if foot.planted:
                if self._pushes(i, foot, flight, frames, hips[i], dt):
                    continue
                self._leave(foot, at, (0.0, 0.0, 0.0), travel, dt)
                events.append(("LIFT_OFF", self.shape.legs[i].role))
            self._hang(i, foot, at, flight, travel, dt)
            self._reach(i, foot, frames, hips[i], turn)
            self._clear(i, foot, travel.place, world)

    def follow(self, memory: GaitMemory, travel: Travel) -> None:
        """Take the feet of a body that has just come down along to where it is now."""
        flight = memory.flight
        if flight is None:
            return
        place, turn = Vector(travel.place[:3]), Quaternion(UP, travel.place.heading)
        for i, foot in enumerate(memory.feet):
            if not foot.planted:
                foot.ball = triple(place + turn @ self._goal(i, memory, flight, travel) + Vector(foot.carry))

    def _pushes(self, i: int, foot: FootMemory, flight: Flight, frames: FrameOfBody, hip: Vector, dt: float) -> bool:
        """Keep a foot on the ground that the body rises or falls away from, its heel up; False where it has to go."""
        geometry, leg = self.motion.feet[i], self.shape.legs[i]
        # On four legs the front ones leave first.
        if self.shape.pairs > 1 and leg.order == 0 and flight.jump > 0.0:
            return False
        known: Known = frames.foot(foot)
        before, tempo = foot.pitch, self.shape.tempo
        if geometry.rolls:
            heels_up = PUSHED * smoothstep((flight.elapsed / tempo - PUSHES_FROM) / (PUSHES_AT - PUSHES_FROM))
            foot.pitch = max(foot.pitch, heels_up if flight.jump > 0.0 else 0.5 * heels_up)
        foot.lift_rate = (foot.pitch - before) / dt if dt > 0.0 else 0.0
        if flight.jump == 0.0 and known[0].z - leg.ball[2] > LEFT_AT * self.shape.leg_length:
            return False
        far = (geometry.tip(*known, foot.pitch) - hip).length
        return far < leg.cap(LEAVES_AT) * leg.length and flight.elapsed < PUSHES_FOR * tempo

    def _leave(self, foot: FootMemory, at: Vector, speed: Triple, travel: Travel, dt: float) -> None:
        """Let go of the ground or of a swing at a speed (world): from here on the foot goes by the body.

        The foot is where it was a tick ago.
        """
        foot.planted, foot.target, foot.frozen, foot.need, foot.progress = False, None, False, 0.0, 0.0
        foot.lift_pitch = foot.pitch
        x, y, z = foot.ball
        vx, vy, vz = travel.velocity
        foot.carry = (x - at.x + vx * dt, y - at.y + vy * dt, z - at.z + vz * dt)
        foot.carry_speed = (speed[0] - vx, speed[1] - vy, speed[2] - vz)
        foot.hold = foot.hold._replace(grounded=False, anchor=None)

    def _hang(self, i: int, foot: FootMemory, at: Vector, flight: Flight, travel: Travel, dt: float) -> None:
        tempo, heading = self.shape.tempo, travel.place.heading
        sprung = [
            spring(value, speed, 0.0, FOOT_FADES * tempo, dt)
            for value, speed in zip(foot.carry, foot.carry_speed, strict=True)
        ]
        (x, sx), (y, sy), (z, sz) = sprung
        foot.carry, foot.carry_speed = (x, y, z), (sx, sy, sz)
        foot.ball = (at.x + x, at.y + y, at.z + z)
        kept = kept_share(FOOT_FADES * tempo, dt)
        foot.rotation = quadruple(rotation_at(heading, UPRIGHT).slerp(Quaternion(foot.rotation), kept))
        goal = self._pitch(i, flight)
        foot.pitch, foot.lift_rate = spring(foot.pitch, foot.lift_rate, goal, PITCH_FADES * tempo, dt)
        foot.toe_pitch = damp(foot.toe_pitch, 0.7 * foot.pitch, TOE_FADES * tempo, dt)
        foot.hold = foot.hold._replace(heading=heading)

    def _reach(self, i: int, foot: FootMemory, frames: FrameOfBody, hip: Vector, turn: Quaternion) -> None:
        """Draw a foot along whose leg is straight."""
        geometry, leg = self.motion.feet[i], self.shape.legs[i]
        way = geometry.tip(*frames.foot(foot), foot.pitch) - hip
        far = way.length
        near = soft_distance(far, leg.cap(STRAIGHTEST) * leg.length, SOFTNESS)
        if near < far:
            foot.ball = triple(Vector(foot.ball) - turn @ (way * ((far - near) / far)))

    def _clear(self, i: int, foot: FootMemory, place: Place, world: World) -> None:
        """Lift a foot over what it would go into: the edge that it has left, a step that it flies over.

        What is much higher is no step to fly over but a wall to stay before; sprawling legs hang over it.
        """
        x, y, z = foot.ball
        size, lift, away = self.shape.leg_length, 0.0, (0.0, 0.0)
        few = self.shape.pairs <= FEW_PAIRS
        for dx, dy, dz in self._ends(i, foot):
            end = Vector((x + dx, y + dy, z + dz))
            wall = self.walls.before(world, place, end) if few else None
            if wall is None:
                hit = world.cast_ray(end + Vector((0.0, 0.0, OVER * size)), DOWN, OVER * size)
                lift = max(lift, hit.position.z - end.z) if hit is not None and not hit.back else lift
                continue
            high = self.walls.height_over(world, wall, OVER * size)
            drawn = smoothstep(high / (WALL * size))
            lift = max(lift, (1.0 - drawn) * min(high, WALL * size))
            out = pushed_out(wall, (end.x, end.y), WALL_ROOM * size)
            if hypot(*out) * drawn > hypot(*away):
                away = (out[0] * drawn, out[1] * drawn)
        if lift > 0.0 or away != (0.0, 0.0):
            self._move(foot, (*away, lift))

    def _move(self, foot: FootMemory, by: Triple) -> None:
        """Move a foot in the air (world); it goes no further the way that it was moved from."""
        vx, vy, vz = foot.carry_speed
        way = hypot(by[0], by[1])
        if way > 0.0:
            nx, ny = by[0] / way, by[1] / way
            back = min(0.0, vx * nx + vy * ny)
            vx, vy = vx - back * nx, vy - back * ny
        foot.ball, foot.carry = plus(foot.ball, by), plus(foot.carry, by)
        foot.carry_speed = (vx, vy, max(0.0, vz) if by[2] > 0.0 else vz)

    def _ends(self, i: int, foot: FootMemory) -> list[Vector]:
        """What of a foot may go into something: its ball, its heel, the tip of its toes, seen from its ball (world)."""
        here, geometry, toe = Vector((0.0, 0.0, 0.0)), self.motion.feet[i], self.shape.legs[i].toe
        if not geometry.rolls:
            return [here]
        turn = Quaternion(foot.rotation)
        ends = [here, geometry.heel_place(here, turn, foot.pitch)]
        if toe > 0.0:
            ends.append(turn @ (toe * (Quaternion(geometry.axis, foot.toe_pitch) @ geometry.forward)))
        return ends

    def _pitch(self, i: int, flight: Flight) -> float:
        """The heel of a foot that hangs: up, level in time for the ground."""
        points = POINTS * (1.0 - smoothstep(flight.elapsed / (0.35 * self.shape.tempo))) if flight.jump > 0.0 else 0.0
        trails = 0.5 * flight.ahead if i != flight.lead and self.motion.two_legs else 0.0
        hangs = (HANGS + points + trails) * (1.0 - flight.near)
        return flight.share * (hangs + 0.6 * trails * flight.near)

    def _goal(self, i: int, memory: GaitMemory, flight: Flight, travel: Travel) -> Vector:
        """Where the ball of a foot hangs, model space: lower while the body is behind its travel."""
        leg, size = self.shape.legs[i], self.shape.leg_length
        x, y, z = leg.ball
        z -= (1.0 - flight.near) * max(0.0, memory.body.squat)
        share = flight.share * self.motion.config.flight_legs
        if self.shape.pairs > 2:
            drawn = share * (1.0 - flight.near)
            return Vector((x * (1.0 - DRAWN_IN * drawn), y * (1.0 - DRAWN_IN * drawn), z + DRAWN_UP * size * drawn))
        up, ahead = self._of_two(i, flight, travel) if self.shape.pairs == 1 else self._of_four(i, flight, travel)
        return Vector((x, y - share * ahead * size, z + share * up * size))

    def _of_two(self, i: int, flight: Flight, travel: Travel) -> Spread:
        """One knee up and one leg behind in a running jump, both up a little from standing; where the ground is near,
        one foot ahead of the other by as much as it runs. In a long fall legs tread.
        """
        lead, tempo = i == flight.lead, self.shape.tempo
        flies, lands = (_between(*pair, flight.ahead) for pair in (LEADS if lead else TRAILS))
        up, ahead = _between(flies, lands, flight.near)
        long = long_fall(travel, tempo) * (1.0 - flight.near) * TREADS_BY
        treads = long * sin(tau * TREADS * flight.elapsed / tempo + (0.0 if lead else pi))
        return up + 0.5 * (long + treads), ahead + treads

    def _of_four(self, i: int, flight: Flight, travel: Travel) -> Spread:
        """Front feet tucked and hind feet stretched in the rise, then front feet out first and hind feet under."""
        rise = 0.5 + 0.5 * max(-1.0, min(1.0, travel.velocity[2] / (TURNS_AT * self.shape.tempo)))
        stages = (_between(*pair, flight.ahead) for pair in (FRONT if self.shape.legs[i].order == 0 else HIND))
        rises, falls, lands = stages
        up, ahead = _between(_between(falls, rises, rise), lands, flight.near)
        aside = ONE_AHEAD if i % 2 == flight.lead % 2 else -ONE_AHEAD
        return up, ahead + aside * (0.4 + flight.ahead)


def _between(first: Spread, second: Spread, share: float) -> Spread:
    return first[0] + (second[0] - first[0]) * share, first[1] + (second[1] - first[1]) * share


def _swings_at(foot: FootMemory, memory: GaitMemory) -> Triple:
    """How fast a foot swings on its way, metres a second, world."""
    if foot.target is None or memory.cycle <= 0.0:
        return (0.0, 0.0, 0.0)
    seconds = SOON * (1.0 - foot.lift_phase) * memory.cycle / memory.hurry
    soon = min(1.0, foot.progress + SOON)
    a, b = (ball_on_way(foot.hold, foot.target, s, foot.way) for s in (soon - SOON, soon))
    return ((b[0] - a[0]) / seconds, (b[1] - a[1]) / seconds, (b[2] - a[2]) / seconds)
