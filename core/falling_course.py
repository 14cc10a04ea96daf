"""Where a body goes that was hit: what its director wants, bent by what physics, or a blow, makes of it.

A course stands between director and body for one tick: it tells the director where the body would be but for the hit,
bends the intent, and foresees for the feet where the body will be.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, exp, hypot, sin, sqrt
from typing import NamedTuple, Protocol

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

Directed = Callable[[Travel, float], Place]
STILL: Plan = (0.0, 0.0)
SETTLED = 0.02
"""A push slower than this (m/s) is caught."""
ON_COURSE, EASES = 1e-4, 4.0
"""So near (metres) it is back on its course; the last of the way there it goes at so many times what is left of it."""
FEELS = 0.03
"""Seconds in which half of a change of speed that physics shows is believed."""


class Limits(NamedTuple):
    """What holds for all ticks: of the travel, of steps that catch, and the rate at which these lose speed (1/s)."""

    control: ControlConfig
    catching: CatchConfig
    rate: float


class Told(NamedTuple):
    """What a row tells: the travel's place, the centre of mass in the plan, how far the pelvis is turned about the
    vertical against its motion (radians), and the speed of the hit that is still to be caught.
    """

    place: Triple
    middle: Plan
    turned: float
    pushed: Plan


class Course(Protocol):
    """One tick between director and body. `physical`: the body is where physics has it, whatever is in its way.
    `waits`: a clip that is played does not go on meanwhile.
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

    `told` is None where there is nothing new, and it goes on as it does.
    """

    physical = True

    def __init__(self, fall: FallMemory, travel: Travel, limits: Limits, told: Told | None, *, waits: bool) -> None:
        self.fall, self.travel, self.told, self.waits = fall, travel, told, waits
        self.config, self.catching, self.rate = limits
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
            x, y, z = self.told.place
            fall.velocity = self._measured(self.told)
            fall.seen, fall.since = self.told.middle, 0.0
            heading += self.told.turned * (1.0 - kept_share(self.catching.turns_with, dt))
        goal = intent.facing if intent.carried is None else intent.carried.heading
        heading, _ = turn_towards(heading, travel.turn_rate, goal, self.config, dt)
        if intent.carried is not None and not intent.rides:
            fall.off = (x - intent.carried.x, y - intent.carried.y)
        to = Place(x, y, z, wrapped(heading))
        return Intent(fall.velocity, to.heading, carried=to, reason=intent.reason, event=intent.event)

    def _measured(self, told: Told) -> Plan:
        """How fast it goes, by where its middle was and is; at first as it went, and as fast as it was hit."""
        fall, (vx, vy, _) = self.fall, self.travel.velocity
        if not fall.seen:
            return vx + told.pushed[0], vy + told.pushed[1]
        share, (ox, oy) = (1.0 - kept_share(FEELS, fall.since)) / fall.since, fall.velocity
        x = told.middle[0] - fall.seen[0] - ox * fall.since
        y = told.middle[1] - fall.seen[1] - oy * fall.since
        return ox + x * share, oy + y * share

    def foreseen(self, travel: Travel, seconds: float, _directed: Directed) -> Place:
        """Where it comes to rest, or to the speed that it wants, over the feet that catch it."""
        x, y, z, heading = travel.place
        dx, dy = way_after(self.fall.velocity, self.wanted, self.rate, seconds)
        return Place(x + dx, y + dy, z + _rise(travel, dx, dy), heading)

    def steps(self, gait: ProceduralGait, memory: GaitMemory, name: str) -> str:
        """In the gait of the speed that it wants, quicker the faster it is beyond that."""
        quick = quickened(self.fall.velocity, self.wanted, gait.shape.tempo, self.catching)
        return _quicken(gait, memory, name, self.wanted, quick)


class Beside:
    """A body that physics has not: pushed by a hit that only steps catch, or off its course after one."""

    physical = waits = False

    def __init__(self, fall: FallMemory, travel: Travel, limits: Limits) -> None:
        self.fall, self.travel = fall, travel
        self.config, self.catching, self.rate = limits
        self.tempo = sqrt(limits.control.scale)
        self.own, self.pushed = STILL, fall.push

    def seen(self, travel: Travel) -> Travel:
        """The body where its director would have it."""
        return seen_beside(self.fall, travel)

    def bend(self, intent: Intent, dt: float) -> Intent:
        """As its director wants, and the push on top of that; back on its course when that is over."""
        fall, push = self.fall, self.fall.push
        kept = exp(-self.rate * dt)
        fall.push = (push[0] * kept, push[1] * kept) if hypot(*push) * kept > SETTLED else STILL
        if intent.carried is None or self.travel.aloft:
            fall.off, fall.adrift = STILL, False
            if self.travel.aloft:
                fall.push = fall.velocity = STILL
                return intent
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
        # What has gone on without it is run after.
        hurries = 1.0 + away / self.config.leg
        speed = min(self.catching.back_on_course * self.tempo * hurries, EASES * away)
        return -x / away * speed, -y / away * speed

    def foreseen(self, travel: Travel, seconds: float, directed: Directed) -> Place:
        """Where the push brings it; without one, where its director would have it, as far beside as it then is."""
        if self.pushed == STILL:
            return self._beside(directed(self.seen(travel), seconds), seconds)
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
