"""The capsule on the ground: along the floor, along walls, onto steps, off edges."""

from __future__ import annotations

from math import ceil, hypot, inf, sqrt
from typing import NamedTuple

from ..space.rigid import Triple
from ..space.triples import dot, plus, scaled
from ..space.vectors import triple
from ..world.world import World
from .capsule_memory import ENTERS, LONGEST, PASSES, STILL, UP, CapsuleMemory, Wish, recovered
from .floor import SLACK, Rest, rest_under
from .movement import MovementConfig
from .slide import Plane, slid
from .touching import EXACT, SQUARE, Touch, floor_at, step_over, touches

FLAT = 1e-3
"""A ceiling that leans less (sine) leaves the way out from under it to chance: it leads nowhere."""
LEANING, HURRY = 0.2, 0.25
"""From under one that leans less than this the body comes out by so much of its radius at once."""
TRIES = (1.0, 0.5, 0.0)
"""What is left of a way that has no room: past what is in the way, half of that, nothing."""
STEEPEST = 1.2
"""How much higher ground may be than where it was left, in metres of way, before a step is looked for."""


def walk(memory: CapsuleMemory, wish: Wish, config: MovementConfig, world: World, ride: Triple, dt: float) -> None:
    """Along the floor; off its end, into the air."""
    ahead, share = _along(memory.normal, wish.velocity)
    driven = scaled(_along(memory.normal, wish.added[:2])[0], dt)
    way = plus(plus(ride, scaled(ahead, dt)), driven)
    parts = max(1, ceil(hypot(way[0], way[1]) / (LONGEST * config.radius)))
    start = memory.feet
    for _ in range(parts):
        if not _walked(memory, scaled(way, 1.0 / parts), config, world, dt / parts):
            break
    x, y = (memory.feet[0] - start[0], memory.feet[1] - start[1])
    rate = 1.0 / dt if dt > 0.0 else 0.0
    went, wished = hypot(x, y), hypot(way[0], way[1])
    if went > wished:
        # Being pushed out of something is no speed.
        x, y = x * wished / went, y * wished / went
    if driven != STILL:
        x, y = _without((x, y), way, driven)
    memory.velocity = (x * rate, y * rate, ride[2] * rate)
    # Laid flat again by the slope that the wish was laid on, so that what is measured does not feed on itself.
    stretch = rate / share if share > 0.0 else rate
    memory.flat = ((x - ride[0]) * stretch, (y - ride[1]) * stretch)
    if memory.state != "ON_GROUND":
        memory.take_off, memory.risen = hypot(x, y) * rate, False


def _along(normal: Triple, velocity: tuple[float, float]) -> tuple[Triple, float]:
    """A velocity in the plan laid on the floor, as long as it was; and the share of it that is left in the plan."""
    (nx, ny, nz), (vx, vy) = normal, velocity
    rise = -(vx * nx + vy * ny) / nz
    speed = hypot(vx, vy)
    share = speed / sqrt(speed * speed + rise * rise) if speed > 0.0 else 0.0
    return (vx * share, vy * share, rise * share), share


def _without(went: tuple[float, float], way: Triple, driven: Triple) -> tuple[float, float]:
    """What a body went by itself: without what drove it, as far as that had its way."""
    x, y = driven[:2]
    square = x * x + y * y
    own = (way[0] - x, way[1] - y)
    had = ((went[0] - own[0]) * x + (went[1] - own[1]) * y) / square if square > 0.0 else 0.0
    had = min(1.0, max(0.0, had))
    return went[0] - x * had, went[1] - y * had


def _walked(memory: CapsuleMemory, way: Triple, config: MovementConfig, world: World, dt: float) -> bool:
    """A part of the way along the floor; False where the floor ends."""
    buried = memory.buried
    plan, crowded = _past_walls(memory, way, config, world, dt)
    if plan[0] == plan[1] == 0.0 and (way[2] == 0.0 or memory.support is not None) and not memory.loose:
        # Riding, the same place of the ground is kept: rounding then cancels instead of adding up.
        memory.feet, memory.floor = plus(memory.feet, (plan[0], plan[1], way[2])), memory.floor + way[2]
        return True
    step = _step(memory, (*plan, way[2]), config, world)
    if (crowded or step.normal is not None) and not buried:
        step = _with_room(memory, (*plan, way[2]), step, config, world)
    if step.rest is None or step.rest.normal is None:
        memory.feet, memory.support = step.feet, None
        memory.state = "IN_AIR" if step.rest is None else "ON_STEEP_GROUND"
        return False
    memory.stand(step.rest, world, config.carrier_mass)
    return True


class _Step(NamedTuple):
    """Where a part of the way leads: the feet, the floor there, the normal of what leaves no room to let it down."""

    feet: Triple
    rest: Rest | None
    normal: Triple | None = None


def _step(memory: CapsuleMemory, way: Triple, config: MovementConfig, world: World) -> _Step:
    to = plus(memory.feet, way)
    rest = rest_under(world, to, STEEPEST * hypot(way[0], way[1]) + abs(way[2]) + SLACK, config)
    if rest is None:
        return _Step(to, None)
    if not rest.free:
        return _Step(to, None, triple(rest.hit.normal))
    # Rolling over an edge its feet sink already: how far the floor lies below is told from the edge.
    if rest.hit.position.z < memory.floor + min(way[2], 0.0) - config.stick - EXACT:
        return _Step(to, None)
    return _Step(rest.feet if rest.normal is not None else to, rest)


def _with_room(
    memory: CapsuleMemory, way: Triple, step: _Step, config: MovementConfig, world: World
) -> _Step:
    """The step, if nothing is entered by it; else past what is in the way, half of that, or none."""
    depth = -_deepest(memory, memory.feet, config, world)[0]
    for share in TRIES:
        normal = step.normal
        if normal is None:
            gap, normal = _deepest(memory, step.feet, config, world)
            if -gap <= max(depth, ENTERS):
                return step
        x, y = _aside(way, normal)
        way = (x * share, y * share, way[2])
        step = _step(memory, way, config, world)
    return step


def _deepest(memory: CapsuleMemory, feet: Triple, config: MovementConfig, world: World) -> tuple[float, Triple]:
    """The gap to what the body is in most at a place, and the normal of that."""
    near = touches(world, feet, memory.height, config.radius, 0.0, buried=memory.buried)
    return min(((touch.gap, touch.normal) for touch in near), default=(inf, UP))


def _aside(way: Triple, normal: Triple) -> tuple[float, float]:
    """A way in the plan without what goes into a surface."""
    nx, ny, _ = normal
    level = hypot(nx, ny)
    if level <= SQUARE:
        return 0.0, 0.0
    into = min(0.0, (way[0] * nx + way[1] * ny) / level)
    return way[0] - into * nx / level, way[1] - into * ny / level


def _past_walls(
    memory: CapsuleMemory, way: Triple, config: MovementConfig, world: World, dt: float
) -> tuple[tuple[float, float], bool]:
    """What walls leave of a way in the plan, and whether anything but floor was near. What can be stepped onto is no
    wall.
    """
    feet, wish = memory.feet, (way[0], way[1], 0.0)
    planes: list[Plane] = []
    plan: Triple = wish
    deepest, crowded = 0.0, False
    for _ in range(PASSES):
        at = plus(feet, (plan[0], plan[1], way[2]))
        near = touches(
            world, at, memory.height, config.radius, memory.reach(config.padding), config.padding, buried=memory.buried
        )
        memory.buried = memory.buried and any(touch.hit.back for touch in near)
        crowded = crowded or len(near) > 1 or any(touch.normal[2] < config.upright for touch in near)
        more = [_wall(touch, plan, config, dt) for touch in near if _blocks(touch, at, feet, config, world)]
        if all(dot(plane.normal, plan) >= plane.least - SQUARE for plane in more):
            break
        planes += more
        plan = slid(wish, planes)
        deepest = min(deepest, *(touch.gap for touch in near))
    # Keeping off a wall is no way to get faster; coming out of one is.
    wished, length = hypot(wish[0], wish[1]), hypot(plan[0], plan[1])
    share = wished / length if deepest >= 0.0 and length > wished > 0.0 else 1.0
    return (plan[0] * share, plan[1] * share), crowded


def _blocks(touch: Touch, at: Triple, feet: Triple, config: MovementConfig, world: World) -> bool:
    nx, ny, nz = touch.normal
    if nz >= config.upright or hypot(nx, ny) <= FLAT or touch.gap > config.padding:
        return False
    if touch.gap > -config.radius and step_over(world, touch, feet, config):
        return False
    too_high = touch.place[2] > at[2] + config.highest_step
    return nz <= 0.0 or too_high or floor_at(world, touch.normal, touch.place, config) is None


def _wall(touch: Touch, plan: Triple, config: MovementConfig, dt: float) -> Plane:
    """What a touched wall allows in the plan: to come as near as the padding, out of that as quickly as it recovers."""
    nx, ny, _ = touch.normal
    level = hypot(nx, ny)
    normal = (nx / level, ny / level, 0.0)
    # The room was found where the plan ends; what is allowed is told from where it begins.
    out = (config.padding - touch.gap) / level
    if level < LEANING:
        # Out from under a low ceiling it is a long way: no further at once than it can be seen to go.
        out = min(out, HURRY * config.radius)
    least = dot(normal, plan) + out
    return Plane(normal, recovered(least, config.recovery, dt) if least > 0.0 else least)
