"""The capsule in the air and on what is too steep to stand on: a parabola, exact for any step, and what stops it."""

from __future__ import annotations

from math import ceil, hypot, sqrt

from ..space.rigid import Triple
from ..space.triples import dot, minus, plus, scaled
from ..space.vectors import triple
from ..world.world import World
from .capsule_memory import ENTERS, LONGEST, PASSES, STILL, TOUCHING, UP, CapsuleMemory, Wish, recovered
from .floor import Rest
from .movement import MovementConfig
from .slide import Plane, slid
from .touching import SQUARE, Touch, floor_at, touches

TRIES = (1.0, 0.5, 0.25)
FALLING = 1e-3
"""A body on steep ground that falls no faster than this is held up by it, metres a second."""


def fly(memory: CapsuleMemory, wish: Wish, config: MovementConfig, world: World, dt: float) -> None:
    """On a parabola, against what is in the way; landed where floor stops it."""
    velocity = _steered(memory, wish, config, dt)
    fall = -config.gravity * dt
    # What drives the body moves it and is none of its own speed: it is gone with the wind, not thrown by it.
    way = plus((velocity[0] * dt, velocity[1] * dt, (velocity[2] + 0.5 * fall) * dt), scaled(wish.added, dt))
    velocity = (velocity[0], velocity[1], velocity[2] + fall)
    parts = max(1, ceil(sqrt(dot(way, way)) / (LONGEST * config.radius)))
    part = scaled(way, 1.0 / parts)
    for _ in range(parts):
        moved, met = _flown(memory, part, config, world, dt / parts)
        memory.feet = plus(memory.feet, moved)
        velocity = slid(velocity, [Plane(touch.normal, dot(touch.normal, triple(touch.hit.velocity))) for touch in met])
        memory.velocity = velocity
        _find_ground(memory, met, config, world)
        if memory.state == "ON_GROUND":
            memory.flat = velocity[:2]
            return
        part = slid(part, [Plane(touch.normal, 0.0) for touch in met])


def _flown(
    memory: CapsuleMemory, way: Triple, config: MovementConfig, world: World, dt: float
) -> tuple[Triple, list[Touch]]:
    """What is free of a part of the flight, and all that is touched at its end."""
    planes: list[Plane] = []
    seen: list[tuple[Touch, Triple]] = []
    moved = way
    for _ in range(PASSES):
        at = plus(memory.feet, moved)
        near = touches(world, at, memory.height, config.radius, memory.reach(TOUCHING), buried=memory.buried)
        memory.buried = memory.buried and any(touch.hit.back for touch in near)
        near = [touch for touch in near if touch.gap <= TOUCHING]
        more = [_face(touch, moved, config, dt) for touch in near]
        seen += [(touch, moved) for touch in near]
        if all(dot(plane.normal, moved) >= plane.least - SQUARE for plane in more):
            break
        planes += more
        moved = slid(way, planes)
    else:
        moved, stopped_by = _with_room(memory, moved, config, world)
        seen += [(touch._replace(gap=0.0), moved) for touch in stopped_by]
    # One sphere tells only what is nearest to it: what another look met may be touched still.
    return moved, [touch for touch, then in seen if touch.gap + dot(touch.normal, minus(moved, then)) <= TOUCHING]


def _near(memory: CapsuleMemory, moved: Triple, config: MovementConfig, world: World) -> list[Touch]:
    at = plus(memory.feet, moved)
    return touches(world, at, memory.height, config.radius, TOUCHING, buried=memory.buried)


def _with_room(
    memory: CapsuleMemory, moved: Triple, config: MovementConfig, world: World
) -> tuple[Triple, list[Touch]]:
    """As much of a motion as enters nothing further, where too much is touched for all of it to be kept out of; and
    what stops the rest.
    """
    depth = -min((touch.gap for touch in _near(memory, STILL, config, world)), default=0.0)
    stopped_by: list[Touch] = []
    for share in TRIES:
        part = scaled(moved, share)
        near = _near(memory, part, config, world)
        entered = [touch for touch in near if -touch.gap > max(depth, ENTERS)]
        if not entered:
            return part, stopped_by
        stopped_by = entered
    return STILL, stopped_by


def _face(touch: Touch, moved: Triple, config: MovementConfig, dt: float) -> Plane:
    """What a touched face allows a body in the air: to come up to it, and out of it as quickly as it recovers."""
    least = dot(touch.normal, moved) - touch.gap
    if least > 0.0:
        least = min(least, recovered(-touch.gap, config.recovery, dt))
    return Plane(touch.normal, least)


def _steered(memory: CapsuleMemory, wish: Wish, config: MovementConfig, dt: float) -> Triple:
    """The velocity with what the air lets a wish change of it, up to the speed of the take-off."""
    vx, vy, vz = memory.velocity
    speed = hypot(*wish.velocity)
    if speed <= 0.0:
        return memory.velocity
    most = max(config.air_speed, memory.take_off)
    goal = min(speed, most) / speed
    dx, dy = wish.velocity[0] * goal - vx, wish.velocity[1] * goal - vy
    change = hypot(dx, dy)
    share = min(1.0, config.air_control * dt / change) if change > 0.0 else 0.0
    dx, dy = dx * share, dy * share
    nx, ny, _ = memory.normal
    level = hypot(nx, ny)
    # On the very ridge between two steep faces there is no way up to hold it back from.
    if memory.state == "ON_STEEP_GROUND" and level > SQUARE:
        dx, dy, _ = slid((dx, dy, 0.0), [Plane((nx / level, ny / level, 0.0), 0.0)])
    return vx + dx, vy + dy, vz


def _find_ground(memory: CapsuleMemory, met: list[Touch], config: MovementConfig, world: World) -> None:
    """The ground state by what is touched."""
    memory.state = "NOT_SUPPORTED" if met else "IN_AIR"
    for touch in sorted(met, key=lambda touch: -touch.normal[2]):
        rising = memory.velocity[2] - touch.hit.velocity.z > FALLING
        if touch.normal[2] <= SQUARE or rising or touch.place[2] > memory.feet[2] + config.radius:
            continue
        normal = floor_at(world, touch.normal, touch.place, config)
        if normal is not None:
            memory.stand(Rest(memory.feet, normal, touch.hit), world, config.carrier_mass)
            return
        held = memory.velocity[2] - touch.hit.velocity.z > -FALLING
        memory.state, memory.normal = "ON_STEEP_GROUND", touch.normal
        if held and sum(other.normal[2] > SQUARE for other in met) > 1:
            memory.stand(Rest(memory.feet, UP, touch.hit), world, config.carrier_mass)
            return
