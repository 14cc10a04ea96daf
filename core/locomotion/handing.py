"""The body between a state and the walking capsule: put on its way, handed back with its momentum, turned square."""

from __future__ import annotations

from dataclasses import replace
from math import hypot, inf, sqrt
from typing import NamedTuple

from mathutils import Vector

from ..control.bodied import move_bodied
from ..control.floor import rest_under
from ..control.intent import Place, Travel
from ..space.angles import heading_of, turn_between, wrapped
from ..space.curves import smoothstep
from ..space.rigid import Triple
from ..space.triples import minus, plus, scaled
from ..space.vectors import triple
from ..world.world import Anchor, Hit, World
from .holding import angle_between, turned_by
from .memory import ORIGIN, StateMemory, StateName
from .state import Step

LEFT_OVER = 1e-3
"""A rest of a tick that is shorter is not walked, seconds."""
STEADY = 1e-6
"""A turn that is less is none, radians."""
FINDS = 0.3
"""So far over its way's end the floor is looked for, metres, for a leg of 0.9 m."""


def walked(step: Step) -> Travel:
    """One tick by the walking capsule. What nothing else took is a jump."""
    memory, intent = step.memory, step.intent
    if intent.go_up:
        intent = intent._replace(jump=True)
    travel = move_bodied(
        step.travel, step.capsule, intent, step.control, step.movement, step.world, step.dt, step.added
    )
    crouched = step.capsule.height < step.movement.height(crouched=False)
    state: StateName = "AIRBORNE" if travel.aloft else "CROUCHED" if crouched else "GROUNDED"
    if memory.state != state:
        memory.enter(state)
    _remember(memory, step)
    return travel


def _remember(memory: StateMemory, step: Step) -> None:
    """A run that something stops is one for a moment still: who runs up to a wall goes over it as a runner does. Who
    stands has left all walls.
    """
    speed = hypot(*step.capsule.flat) if step.on_ground else 0.0
    if step.on_ground and memory.no_wall <= 0.0:
        # Its next jump is a take-off of its own.
        memory.wall_normal = ORIGIN
    memory.since_run += step.dt
    if speed >= memory.run or memory.since_run > step.config.machine.run_lasts:
        memory.run, memory.since_run = speed, 0.0


def placed(step: Step, feet: Triple, heading: float, lands_in: float = inf) -> Travel:
    """The body at a place of its way, as the states put it there: the capsule with it, and how fast it came. `lands_in`
    is when its feet are to be on the ground again, seconds.
    """
    capsule, dt = step.capsule, step.dt
    velocity = scaled(minus(feet, capsule.feet), 1.0 / dt) if dt > 0.0 else capsule.velocity
    capsule.feet, capsule.velocity, capsule.flat = feet, velocity, velocity[:2]
    capsule.state, capsule.support, capsule.risen = "IN_AIR", None, True
    capsule.rode, capsule.turn, capsule.aloft = (0.0, 0.0, 0.0), 0.0, capsule.aloft + dt
    before = step.travel.place.heading
    travel = Travel(Place(*feet, wrapped(heading)), velocity, ground=False)
    travel.turn_rate = turn_between(before, heading) / dt if dt > 0.0 else 0.0
    travel.aloft, travel.lands_in = True, lands_in
    travel.lower = step.movement.height(crouched=False) - capsule.shown
    return travel


def handed_back(step: Step, feet: Triple, velocity: Triple, left: float, falls: float = 0.0) -> Travel:
    """The body given back to the walking capsule at a place with a velocity, on the floor that is there; it walks what
    is left of the tick. `falls`: from how high it comes down there.
    """
    travel = _given_back(step, feet, velocity, left)
    if not travel.aloft:
        travel.impact = sqrt(2.0 * step.movement.gravity * falls)
    return travel


def _given_back(step: Step, feet: Triple, velocity: Triple, left: float) -> Travel:
    capsule = step.capsule
    facing = heading_of(-step.memory.normal[0], -step.memory.normal[1])
    travel = placed(step, feet, facing)
    rest = rest_under(step.world, feet, FINDS * step.movement.radius / 0.35, step.movement)
    capsule.velocity, capsule.flat = velocity, velocity[:2]
    if rest is not None and rest.normal is not None:
        capsule.stand(rest, step.world, step.movement.carrier_mass)
        capsule.aloft = 0.0
    capsule.take_off = hypot(*velocity[:2])
    step.memory.enter("GROUNDED")
    travel = replace(travel, place=travel.place._replace(z=capsule.feet[2]), velocity=velocity)
    if left < LEFT_OVER:
        travel.ground = capsule.state == "ON_GROUND"
        travel.aloft = not travel.ground
        return travel
    # With a wish it goes on with what it has; who steers takes that up in the next tick.
    intent = step.intent._replace(go_up=False, jump=False)
    if step.wish != (0.0, 0.0):
        intent = intent._replace(velocity=velocity[:2], at_once=True)
    return walked(replace(step, travel=travel, intent=intent, dt=left))


def square(memory: StateMemory, window: float) -> float:
    """The heading while the body turns square to what it goes over."""
    goal = heading_of(-memory.normal[0], -memory.normal[1])
    share = smoothstep(memory.time / window) if window > 0.0 else 1.0
    return memory.heading + turn_between(memory.heading, goal) * share


def came_aside(memory: StateMemory, window: float) -> float:
    """How much of its way aside it has made: the drift that it came with, until it is square."""
    share = min(1.0, memory.time / window) if window > 0.0 else 1.0
    return share * (2.0 - share)


class Carry(NamedTuple):
    """What has carried a way since it was found: a place of it `at` is `now` there, turned by so much about Z."""

    at: Triple = ORIGIN
    now: Triple = ORIGIN
    turn: float = 0.0

    def place(self, place: Triple) -> Triple:
        """A place of the way where it is now."""
        if self.turn == 0.0:
            return plus(place, minus(self.now, self.at))
        return plus(self.now, turned_by(minus(place, self.at), self.turn))

    def way(self, direction: Triple) -> Triple:
        """A direction as it is now."""
        return turned_by(direction, self.turn) if self.turn != 0.0 else direction


def anchored(hit: Hit, normal: Triple, world: World) -> Anchor | None:
    """What to hold on to of a surface that moves, with a level direction that tells how it turns; None for what
    stands.
    """
    return world.anchor(hit._replace(normal=Vector(normal))) if world.moves(hit.surface) else None


def carry_of(memory: StateMemory, world: World) -> Carry:
    """Where what the way was found on has gone since: nowhere if it stands, or is no more."""
    now = None if memory.anchor is None else world.locate(memory.anchor)
    if now is None:
        return Carry()
    turn = angle_between(memory.normal, triple(now.normal))
    return Carry(memory.anchor_at, triple(now.position), turn if abs(turn) > STEADY else 0.0)
