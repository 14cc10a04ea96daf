"""Where a body goes that was hit: what its director wants, bent by what physics, or a blow, makes of it.

A course stands between director and body for one tick: it tells the director where the body would be but for the hit,
bends the intent, and foresees for the feet where the body will be.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, exp, hypot, sin, sqrt
from typing import Protocol

from .control.config import ControlConfig
from .control.intent import Intent, Place, Travel
from .control.point import approach, turn_towards
from .falling_memory import FallMemory
from .gait.gait import ProceduralGait
from .gait.memory import GaitMemory
from .gait.patterns import froude
from .ragdoll.catch import CatchConfig, Plan, quickened, speed_after, way_after
from .space.angles import wrapped
from .space.dampers import kept_share
from .space.rigid import Triple

Directed = Callable[[Travel], Place]
STILL: Plan = (0.0, 0.0)
SETTLED = 0.02
"""A push slower than this (m/s) is caught."""
ON_COURSE, EASES = 1e-4, 4.0
"""So near (metres) it is back on its course; the last of the way there it goes at so many times what is left of it."""
FEELS = 0.03
"""Seconds in which half of a change of speed that physics shows is believed."""


class Course(Protocol):
    """One tick between director and body. `physical`: the body is where physics has it, whatever is in its way; `waits`:
    a clip that is played does not go on meanwhile.
    """

    physical: bool
    waits: bool

    def seen(self, travel: Travel) -> Travel:
        """The body as its director is to see it."""

    def bend(self, intent: Intent, dt: float) -> Intent:
        """What the body does instead of what the director wants."""

    def foreseen(self, travel: Travel, seconds: float, directed: Directed) -> Place:
        """Where the body will be; `directed` says where its director would have a body by then."""

    def steps(self, gait: ProceduralGait, memory: GaitMemory, name: str) -> str:
        """The gait that it steps in, for the one that is asked for; its clock is quickened."""


def seen_beside(fall: FallMemory, travel: Travel) -> Travel:
    """The body where its director would have it."""
    if fall.off == STILL:
        return travel
    x, y, z, heading = travel.place
    place = Place(x - fall.off[0], y - fall.off[1], z, heading)
    return Travel(place, travel.velocity, travel.turn_rate, travel.slope, travel.cross_slope, travel.ground)


class Caught:
    """A body that physics has: over the ground it goes along under its pelvis, and its steps catch it.

    `told` is the travel's place as physics has it now, and the centre of mass in the plan; None where there is nothing
    new, and it goes on as it does. `pushed` is the speed of the hit that began it, `turned` how far physics has turned
    it against its motion.
    """

    physical = True

    def __init__(
        self, fall: FallMemory, travel: Travel, config: ControlConfig, catching: CatchConfig, rate: float,
        told: tuple[Triple, Plan] | None, pushed: Plan, turned: float, *, waits: bool,
    ) -> None:  # fmt: skip
        self.fall, self.travel, self.config, self.catching, self.rate = fall, travel, config, catching, rate
        self.waits = waits
        self.told, self.pushed, self.turned = told, pushed, turned
        self.wanted = STILL

    def seen(self, travel: Travel) -> Travel:
        """The body where its director would have it."""
        return seen_beside(self.fall, travel)

    def bend(self, intent: Intent, dt: float) -> Intent:
        """To where physics has it; what its director wants is the speed that it comes back to."""
        fall, travel = self.fall, self.travel
        self.wanted = intent.velocity
        fall.since += dt
        x, y, z, heading = travel.place
        if self.told is None:
            dx, dy = way_after(fall.velocity, self.wanted, self.rate, dt)
            fall.velocity = speed_after(fall.velocity, self.wanted, self.rate, dt)
            x, y = x + dx, y + dy
        else:
            (x, y, z), middle = self.told
            fall.velocity = self._measured(middle)
            fall.seen, fall.since = middle, 0.0
            heading += self.turned * (1.0 - kept_share(self.catching.turns_with, dt))
        goal = intent.facing if intent.carried is None else intent.carried.heading
        heading, _ = turn_towards(heading, travel.turn_rate, goal, self.config, dt)
        if intent.carried is not None and not intent.rides:
            fall.off = (x - intent.carried.x, y - intent.carried.y)
        to = Place(x, y, z, wrapped(heading))
        return Intent(fall.velocity, to.heading, carried=to, reason=intent.reason, event=intent.event)

    def _measured(self, middle: Plan) -> Plan:
        """How fast it goes, by where its middle was and is; at first as it went, and as fast as it was hit."""
        fall, (vx, vy, _) = self.fall, self.travel.velocity
        if not fall.seen:
            return vx + self.pushed[0], vy + self.pushed[1]
        share, (ox, oy) = (1.0 - kept_share(FEELS, fall.since)) / fall.since, fall.velocity
        x, y = middle[0] - fall.seen[0] - ox * fall.since, middle[1] - fall.seen[1] - oy * fall.since
        return ox + x * share, oy + y * share

    def foreseen(self, travel: Travel, seconds: float, _directed: Directed) -> Place:
        """Where it comes to rest, or to the speed that it wants, over the feet that catch it."""
        x, y, z, heading = travel.place
        dx, dy = way_after(self.fall.velocity, self.wanted, self.rate, seconds)
        return Place(x + dx, y + dy, z + _rise(travel, dx, dy), heading)

    def steps(self, gait: ProceduralGait, memory: GaitMemory, name: str) -> str:
        """In the gait of the speed that it wants, quicker the faster it is beyond that."""
        return _quicken(gait, memory, name, self.wanted, quickened(self.fall.velocity, self.wanted, gait.shape.tempo, self.catching))


class Beside:
    """A body that physics has not: pushed by a hit that only steps catch, or off its course after one."""

    physical = waits = False

    def __init__(
        self, fall: FallMemory, travel: Travel, config: ControlConfig, catching: CatchConfig, rate: float
    ) -> None:
        self.fall, self.travel, self.config, self.catching, self.rate = fall, travel, config, catching, rate
        self.tempo = sqrt(config.scale)
        self.own, self.pushed = STILL, fall.push

    def seen(self, travel: Travel) -> Travel:
        """The body where its director would have it."""
        return seen_beside(self.fall, travel)

    def bend(self, intent: Intent, dt: float) -> Intent:
        """As its director wants, and the push on top of that; back on its course when that is over."""
        fall, push = self.fall, self.fall.push
        kept = exp(-self.rate * dt)
        fall.push = (push[0] * kept, push[1] * kept) if hypot(*push) * kept > SETTLED else STILL
        if intent.carried is None:
            fall.off, fall.adrift = STILL, False
            if push == STILL and fall.push == STILL:
                return intent
            vx, vy = self.travel.velocity[0] - fall.velocity[0], self.travel.velocity[1] - fall.velocity[1]
            self.own = approach((vx, vy), intent.velocity, self.config, dt)
            fall.velocity = fall.push
            velocity = (self.own[0] + fall.push[0], self.own[1] + fall.push[1])
            return intent._replace(velocity=velocity, at_once=True)
        self.own, fall.velocity = intent.velocity, STILL
        if intent.rides:
            fall.off, fall.adrift = STILL, False
            return intent
        if fall.adrift:
            x, y = self.travel.place[:2]
            fall.off, fall.adrift = (x - intent.carried.x, y - intent.carried.y), False
        vx, vy = fall.push if fall.push != STILL else self._back()
        fall.off = (fall.off[0] + vx * dt, fall.off[1] + vy * dt)
        if fall.push == STILL and hypot(*fall.off) < ON_COURSE * self.config.scale:
            fall.off = STILL
        to = intent.carried._replace(x=intent.carried.x + fall.off[0], y=intent.carried.y + fall.off[1])
        velocity = (intent.velocity[0] + vx, intent.velocity[1] + vy)
        return intent._replace(carried=to, velocity=velocity, jumped=False)

    def _back(self) -> Plan:
        """The speed with which it comes back to where its director carries it."""
        x, y = self.fall.off
        away = hypot(x, y)
        if away <= 0.0:
            return STILL
        speed = min(self.catching.back_on_course * self.tempo, EASES * away)
        return -x / away * speed, -y / away * speed

    def foreseen(self, travel: Travel, seconds: float, directed: Directed) -> Place:
        """Where the push brings it; without one, where its director would have it, as far beside as it then is."""
        if self.pushed == STILL:
            return self._beside(directed(self.seen(travel)), seconds)
        x, y, z, heading = travel.place
        push = self.fall.push
        velocity = (self.own[0] + push[0], self.own[1] + push[1])
        dx, dy = way_after(velocity, self.own, self.rate, seconds)
        return Place(x + dx, y + dy, z + _rise(travel, dx, dy), heading)

    def _beside(self, place: Place, seconds: float) -> Place:
        """A place of the director's, as far off as it will be by then."""
        vx, vy = self._back()
        away, way = hypot(*self.fall.off), hypot(vx, vy) * seconds
        left = max(0.0, 1.0 - way / away) if away > 0.0 else 0.0
        return place._replace(x=place.x + self.fall.off[0] * left, y=place.y + self.fall.off[1] * left)

    def steps(self, gait: ProceduralGait, memory: GaitMemory, name: str) -> str:
        """In the gait of the speed that it wants, quicker as long as it is pushed."""
        if self.pushed == STILL:
            return name
        return _quicken(gait, memory, name, self.own, quickened(self.fall.push, STILL, gait.shape.tempo, self.catching))


def _quicken(gait: ProceduralGait, memory: GaitMemory, name: str, wanted: Plan, quick: float) -> str:
    """Run the clock so quick at least; by itself no push makes a walker run, what it wants does."""
    memory.hurry = max(memory.hurry, quick)
    if name in gait.patterns:
        return name
    return gait.auto.choose(froude(hypot(*wanted), gait.shape.leg_length), memory.gait)


def _rise(travel: Travel, dx: float, dy: float) -> float:
    """How much higher the ground's plane is so far from the body."""
    c, s = cos(travel.place.heading), sin(travel.place.heading)
    return travel.slope * (dx * s - dy * c) + travel.cross_slope * (dx * c + dy * s)
