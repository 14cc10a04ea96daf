"""A body in the air: it pushes itself off, flies as a jump or a fall has it, and gets ready for the ground."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from mathutils import Quaternion, Vector

from ..control.intent import Travel
from ..space.angles import facing
from ..space.curves import share_of, smoothstep
from ..space.dampers import damp, kept_share, spring
from ..world.world import World
from .aloft_bearing import bearing_of_four, bearing_of_two, lean_of_two
from .aloft_feet import AloftFeet
from .bearing import bear
from .frame import split_velocity
from .give_way import wind_up
from .memory import Flight, GaitMemory
from .walls import Walls

if TYPE_CHECKING:
    from .body import BodyMotion

# All times are seconds, speeds metres a second, of a body with legs of 0.9 m.
# What the body was when it left the ground has half faded after so long, a lean, and all that is above the legs.
BODY_FADES, LEAN_FADES, BEARING_FADES, SPEED_FADES = 0.06, 0.12, 0.06, 0.1
# The speed ahead with which it jumps all as a runner does. Who rises slower than the second was not jumping.
RUNS_AT, LEAST_JUMP = 3.8, 0.8
# A flight that lasts less than the first is no flight, one that lasts the second all of one.
HOP, FLIGHT, FLIGHT_FADES = 0.18, 0.5, 0.04
# It gets ready for the ground from the first on until the second is left.
READY_FROM, READY_AT, READY_FADES = 0.4, 0.1, 0.02

# A wall ahead leaves no room for knees at so many legs, all of it at the second; it is seen for so long before.
CLOSE, ROOMY, ROOM_SEEN = 0.45, 0.9, 0.1


class AloftMotion:
    """Feet and body of one shape while it is in the air. Immutable: what changes is in a GaitMemory."""

    def __init__(self, motion: BodyMotion, walls: Walls) -> None:
        self.motion = motion
        self.shape = motion.shape
        self.feet = AloftFeet(motion, walls)

    def tick(self, memory: GaitMemory, travel: Travel, world: World, dt: float) -> None:
        """One tick in the air."""
        first = not memory.aloft
        memory.flight = flight = self._flight(memory, travel, world, dt, first=first)
        memory.aloft, memory.stepping, memory.rest = True, False, 0.0
        memory.speed = damp(memory.speed, hypot(*travel.velocity[:2]), SPEED_FADES * self.shape.tempo, dt)
        events = [("TAKE_OFF", "")] if first else []
        hips = self._body(memory, flight, travel, dt)
        self.feet.tick(memory, flight, travel, hips, world, events, dt, first=first)
        memory.events = tuple(events)

    def _flight(self, memory: GaitMemory, travel: Travel, world: World, dt: float, *, first: bool) -> Flight:
        before, tempo = memory.flight or Flight(), self.shape.tempo
        if first:
            ahead = max(0.0, split_velocity(travel)[0]) * hypot(*travel.velocity[:2])
            before = Flight(
                jump=travel.velocity[2] if travel.velocity[2] > LEAST_JUMP * tempo else 0.0,
                lead=self._lead(memory, travel),
                ahead=share_of(ahead, 0.2 * RUNS_AT * tempo, RUNS_AT * tempo),
            )
        elapsed = before.elapsed + dt
        lasts = smoothstep(share_of(elapsed + travel.lands_in, HOP * tempo, FLIGHT * tempo))
        lasts *= self._room(travel, world)
        near = 1.0 - smoothstep(share_of(travel.lands_in, READY_AT * tempo, READY_FROM * tempo))
        return before._replace(
            elapsed=elapsed,
            share=damp(before.share, lasts, FLIGHT_FADES * tempo, dt),
            near=damp(before.near, near, READY_FADES * tempo, dt),
        )

    def _room(self, travel: Travel, world: World) -> float:
        """How much room there is ahead for knees and arms, 0 to 1: at a wall that is over the hips they hang."""
        x, y, z, heading = travel.place
        size, ahead = self.shape.leg_length, Vector((*facing(heading), 0.0))
        soon = max(0.0, ahead.dot(Vector(travel.velocity))) * ROOM_SEEN * self.shape.tempo
        wall = self.feet.walls.before(world, travel.place, Vector((x, y, z + size)) + ahead * (ROOMY * size + soon))
        if wall is None:
            return 1.0
        return smoothstep(share_of(wall.distance - soon, CLOSE * size, ROOMY * size))

    def _lead(self, memory: GaitMemory, travel: Travel) -> int:
        """The leg that goes ahead: the one in the air while the other pushes, else the one that is further ahead."""
        turn = Quaternion((0.0, 0.0, 1.0), -travel.place.heading)
        x, y = travel.place[:2]
        front = [i for i, leg in enumerate(self.shape.legs) if leg.order == 0]
        free = [i for i in front if not memory.feet[i].planted] or front

        def back(i: int) -> float:
            ball = memory.feet[i].ball
            return (turn @ Vector((ball[0] - x, ball[1] - y, 0.0))).y

        return min(free, key=lambda i: (back(i), i))

    def _body(self, memory: GaitMemory, flight: Flight, travel: Travel, dt: float) -> list[Vector]:
        """Without what gait and ground did to it, bent and turned as the flight has it. Its hips, model space."""
        body, tempo, leg, arms = memory.body, self.shape.tempo, self.shape.leg_length, self.motion.config.flight_arms
        kept = kept_share(BODY_FADES * tempo, dt)
        was = (Vector(body.offset) + Vector((0.0, 0.0, body.squat)), Quaternion(body.rotation))
        for name in ("effort", "bob", "chest", "twist", "heave", "pitch", "roll", "bank"):
            setattr(body, name, getattr(body, name) * kept)
        body.heave_speed = body.pitch_speed = body.roll_speed = body.bank_speed = 0.0
        body.lower = self.motion.standing + (body.lower - self.motion.standing) * kept
        body.drops = tuple(drop * kept for drop in body.drops)
        body.drop_speeds = (0.0,) * len(body.drops)
        two = self.motion.two_legs
        bears = bearing_of_two(flight, travel, self.shape, arms) if two else bearing_of_four(flight, travel, tempo)
        bear(body, bears, BEARING_FADES * tempo, dt)
        lean = lean_of_two(flight, travel, self.shape) if two else 0.0
        body.lean, body.lean_speed = spring(body.lean, body.lean_speed, lean, LEAN_FADES * tempo, dt)
        if self.motion.trunk is not None:
            self.motion.trunk.hang(body, memory.phase, dt)
        wind_up(body, flight, travel.velocity[2], leg, tempo, dt)
        return self.motion.hover(body, was, kept)
