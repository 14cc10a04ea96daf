"""The walking capsule: a body with a shape that walls stop, stairs lift, floors carry and gravity takes.

On the ground it is led along the floor: what it wants is laid on the floor's slope, walls take away what goes into
them, and its height is where its lowest sphere comes to rest from above. Height is a function of the place alone, so
stairs are climbed alike at every rate. In the air it flies on a parabola that is exact for any step.

The ground states and what a body owes to each are those of Jolt's virtual character; the rules of walking follow it
where they say nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, hypot, sqrt
from typing import Literal, NamedTuple

from mathutils import Vector

from ..space.copying import copier
from ..space.dampers import LN2, damp
from ..space.triples import Triple, dot, minus, plus, scaled
from ..world.probe import DOWN
from ..world.world import Anchor, Hit, World
from .movement import MovementConfig
from .slide import STILL, Plane, slid
from .touching import EXACT, SQUARE, Touch, fits, floor_at, step_over, touches

GroundState = Literal["ON_GROUND", "ON_STEEP_GROUND", "NOT_SUPPORTED", "IN_AIR"]
UP: Triple = (0.0, 0.0, 1.0)
PASSES = 4
"""So often is looked again what is touched where a motion ends."""
LONGEST = 0.5
"""A motion is cut into parts of so many radii, so that nothing thin is jumped over."""
RECOVERS_IN = 1.0 / 60.0
"""The time that the share of recovery is for, seconds."""
TOUCHING = 1e-4
FALLING = 1e-3
"""A body on steep ground that falls no faster than this is held up by it, metres a second."""
SLACK = 0.05
NEWTON = 4
LEANING = 0.3
"""A touch whose normal is less upright is a wall's."""
SAME = 0.9999
STEEPEST = 1.2
"""How much higher ground may be than where it was left, in metres of way, before a step is looked for."""


class Wish(NamedTuple):
    """What a body wants in a tick: a velocity in the plan (world, m/s), a jump on the press, to be crouched."""

    velocity: tuple[float, float] = (0.0, 0.0)
    jump: bool = False
    crouch: bool = False


@dataclass(slots=True)
class CapsuleMemory:
    """The body between two ticks: plain numbers, world space.

    `feet` is its lowest point. `velocity` takes part in the motion of what it stands on. `normal` is the floor's;
    `support` the place on moving ground that carries it, `support_at` where that was. `floor` is the height of what it touched
    there. `height` is the capsule's, `shown` follows it. `aloft`: seconds since it stood; `asked`: seconds since a jump was asked for; `take_off`: the speed in
    the plan that it left the ground with; `risen`: it left it by a jump. `turn` is what the ground turned it by in the
    last tick.
    """

    feet: Triple
    height: float
    shown: float
    velocity: Triple = STILL
    state: GroundState = "IN_AIR"
    normal: Triple = UP
    floor: float = 0.0
    support: Anchor | None = None
    support_at: Triple = STILL
    aloft: float = 0.0
    asked: float = 1e9
    take_off: float = 0.0
    risen: bool = False
    turn: float = 0.0

    def copy(self) -> CapsuleMemory:
        """An independent copy."""
        return _copied(self)


_copied = copier(CapsuleMemory)


def put(feet: Triple, config: MovementConfig, world: World) -> CapsuleMemory:
    """A body put somewhere: standing where there is floor within a step over or under it, else in the air."""
    height = config.height(crouched=False)
    memory = CapsuleMemory(feet, height, height)
    rest = _rest(world, feet, config.step_up, config)
    if rest is not None and rest.normal is not None:
        _stand(memory, rest, world)
    return memory


def move(memory: CapsuleMemory, wish: Wish, config: MovementConfig, world: World, dt: float) -> None:
    """One tick of `dt` seconds. `world` is at the tick's end."""
    _take_shape(memory, wish, config, world, dt)
    ride = _ridden(memory, world)
    memory.asked = 0.0 if wish.jump else memory.asked + dt
    if _jumps(memory, config):
        _leave(memory, wish, config, ride, dt)
    if memory.state == "ON_GROUND":
        _walk(memory, wish, config, world, ride, dt)
    else:
        _fly(memory, wish, config, world, dt)
    memory.aloft = 0.0 if memory.state == "ON_GROUND" else memory.aloft + dt


def _take_shape(memory: CapsuleMemory, wish: Wish, config: MovementConfig, world: World, dt: float) -> None:
    """Crouch at once, stand up as soon as there is room; what is seen follows."""
    wanted = config.height(crouched=wish.crouch)
    if wanted < memory.height or (wanted > memory.height and fits(world, memory.feet, wanted, config.radius)):
        memory.height = wanted
    memory.shown = damp(memory.shown, memory.height, LN2 / config.crouch_rate, dt)


def _ridden(memory: CapsuleMemory, world: World) -> Triple:
    """How far moving ground has carried the body in this tick."""
    memory.turn = 0.0
    support = memory.support
    now = world.locate(support) if support is not None and world.moves(support.surface) else None
    if support is None or now is None:
        return STILL
    memory.turn = world.turn_of(support.surface)
    x, y, z = now.position
    was, memory.support_at = memory.support_at, (x, y, z)
    return x - was[0], y - was[1], z - was[2]


def _jumps(memory: CapsuleMemory, config: MovementConfig) -> bool:
    """On the press, or where it was asked for just before landing; from the ground, or where it has just walked off."""
    if config.take_off <= 0.0 or memory.asked > config.buffer or memory.height < config.height(crouched=False):
        return False
    walked_off = not memory.risen and memory.state != "ON_STEEP_GROUND" and memory.aloft <= config.coyote
    return memory.state == "ON_GROUND" or walked_off


def _leave(memory: CapsuleMemory, wish: Wish, config: MovementConfig, ride: Triple, dt: float) -> None:
    """Jump: the run is aimed at the wish once more, and what carried the body is left with its velocity."""
    carried = scaled(ride, 1.0 / dt) if dt > 0.0 else STILL
    memory.velocity = plus((wish.velocity[0], wish.velocity[1], config.take_off), carried)
    memory.take_off = hypot(*wish.velocity)
    memory.state, memory.support, memory.risen, memory.asked = "IN_AIR", None, True, 1e9


def _walk(
    memory: CapsuleMemory, wish: Wish, config: MovementConfig, world: World, ride: Triple, dt: float
) -> None:
    """Along the floor; off its end, into the air."""
    nx, ny, nz = memory.normal
    wx, wy = wish.velocity
    rise = -(wx * nx + wy * ny) / nz
    speed = hypot(wx, wy)
    share = speed / sqrt(speed * speed + rise * rise) if speed > 0.0 else 0.0
    way = (ride[0] + wx * share * dt, ride[1] + wy * share * dt, ride[2] + rise * share * dt)
    parts = max(1, ceil(hypot(way[0], way[1]) / (LONGEST * config.radius)))
    start = memory.feet
    for _ in range(parts):
        if not _walked(memory, scaled(way, 1.0 / parts), config, world, dt / parts):
            break
    went = tuple((a - b) / dt for a, b in zip(memory.feet, start, strict=True)) if dt > 0.0 else STILL
    memory.velocity = (went[0], went[1], ride[2] / dt if dt > 0.0 else 0.0)
    if memory.state != "ON_GROUND":
        memory.take_off, memory.risen = hypot(went[0], went[1]), False


def _walked(memory: CapsuleMemory, way: Triple, config: MovementConfig, world: World, dt: float) -> bool:
    """A part of the way along the floor; False where the floor ends."""
    feet = memory.feet
    plan = _past_walls(memory, way, config, world, dt)
    to = plus(feet, (plan[0], plan[1], way[2]))
    still = plan[0] == plan[1] == 0.0
    if still and (way[2] == 0.0 or memory.support is not None):
        # Riding, the same place of the ground is kept: rounding then cancels instead of adding up.
        memory.feet, memory.floor = to, memory.floor + way[2]
        return True
    rest = _rest(world, to, STEEPEST * hypot(plan[0], plan[1]) + abs(way[2]) + SLACK, config)
    # Rolling over an edge its feet sink already: how far the floor lies below is told from the edge.
    if rest is not None and rest.hit.position.z < memory.floor + min(way[2], 0.0) - config.stick - EXACT:
        rest = None
    if rest is None or rest.normal is None:
        memory.feet, memory.support = to, None
        memory.state = "IN_AIR" if rest is None else "ON_STEEP_GROUND"
        return False
    if rest.feet[2] > feet[2] + SQUARE and not _head_is_free(world, rest.feet, memory.height, config.radius):
        return True
    _stand(memory, rest, world)
    return True


def _head_is_free(world: World, feet: Triple, height: float, radius: float) -> bool:
    """True where the capsule's top has nothing over it."""
    x, y, z = feet
    hit = world.nearest(Vector((x, y, z + height - radius)), radius)
    return hit is None or hit.position.z <= z + height - radius


def _past_walls(
    memory: CapsuleMemory, way: Triple, config: MovementConfig, world: World, dt: float
) -> tuple[float, float]:
    """What walls leave of a way in the plan. What can be stepped onto is no wall."""
    feet, wish = memory.feet, (way[0], way[1], 0.0)
    planes: list[Plane] = []
    plan: Triple = wish
    for _ in range(PASSES):
        at = plus(feet, (plan[0], plan[1], way[2]))
        more = [
            _wall(touch, plan, config, dt)
            for touch in touches(world, at, memory.height, config.radius, config.padding, config.padding)
            if _blocks(touch, at, feet, config, world)
        ]
        if all(dot(plane.normal, plan) >= plane.least - SQUARE for plane in more):
            break
        planes += more
        plan = slid(wish, planes)
    return plan[0], plan[1]


def _blocks(touch: Touch, at: Triple, feet: Triple, config: MovementConfig, world: World) -> bool:
    nx, ny, nz = touch.normal
    if nz >= config.upright or hypot(nx, ny) <= SQUARE or touch.gap > config.padding:
        return False
    if touch.gap > -config.radius and step_over(world, touch, feet, config):
        return False
    return nz <= 0.0 or floor_at(world, touch.normal, touch.place, config) is None or touch.place[2] > at[2] + config.step_up


def _wall(touch: Touch, plan: Triple, config: MovementConfig, dt: float) -> Plane:
    """What a touched wall allows in the plan: to come as near as the padding; and out of it, as quickly as it recovers."""
    nx, ny, _ = touch.normal
    level = hypot(nx, ny)
    normal = (nx / level, ny / level, 0.0)
    room = (touch.gap - config.padding) / level
    inside = -touch.gap / level
    # The room was found where the plan ends, so it is told from there.
    least = dot(normal, plan) - room
    if inside > 0.0 and least > 0.0:
        least = min(least, _recovered(inside + config.padding, config, dt))
    return Plane(normal, least)


def _recovered(depth: float, config: MovementConfig, dt: float) -> float:
    """How far out of something the body comes in a tick."""
    return float(depth * (1.0 - (1.0 - config.recovery) ** (dt / RECOVERS_IN)))


class Rest(NamedTuple):
    """Where the body comes to rest from above: its feet, the floor's normal (None: too steep to stand), the touch."""

    feet: Triple
    normal: Triple | None
    hit: Hit


def _rest(world: World, feet: Triple, up: float, config: MovementConfig) -> Rest | None:
    """Where the lowest sphere comes to rest under a place; None where that is further down than it sticks to floors."""
    return _rest_on_slope(world, feet, up, config) or _rest_from_above(world, feet, up, config)


def _rest_on_slope(world: World, feet: Triple, up: float, config: MovementConfig) -> Rest | None:
    """The same, quickly, where the sphere touches the floor about where its middle is over it: nearly everywhere."""
    x, y, z = feet
    radius = config.radius
    under = world.cast_ray(Vector((x, y, z + radius + up)), DOWN, up + radius + config.stick)
    if under is None or under.back or under.normal.z < config.upright:
        return None
    height = under.position.z + radius * (1.0 / under.normal.z - 1.0)
    for _ in range(NEWTON):
        near = world.nearest(Vector((x, y, height + radius)), radius + SLACK)
        if near is None:
            return None
        px, py, pz = near.position
        nx, ny, nz = (x - px) / near.distance, (y - py) / near.distance, (height + radius - pz) / near.distance
        gap = near.distance - radius
        if near.back or (nz < LEANING and gap < -TOUCHING):
            return None
        if nz < LEANING:
            # Only a wall is as near: the floor's plane says it all.
            return Rest((x, y, height), tuple(under.normal), under)
        if abs(gap) <= TOUCHING:
            flat = nx * under.normal.x + ny * under.normal.y + nz * under.normal.z > SAME
            normal = tuple(under.normal) if flat else floor_at(world, (nx, ny, nz), (px, py, pz), config)
            return Rest((x, y, height), normal, near)
        height -= gap / nz
    return None


def _rest_from_above(world: World, feet: Triple, up: float, config: MovementConfig) -> Rest | None:
    """The same for edges, steps and what is between them: let down from a place that is at most `up` over the last one;
    where that is inside of something, from as high as a step and the ceiling allow.
    """
    x, y, z = feet
    radius = config.radius
    for rise in (min(up, config.step_up), config.step_up, None):
        height = _headroom(world, feet, config) if rise is None else rise
        start = Vector((x, y, z + radius + height))
        hit = world.cast_sphere(start, DOWN, height + config.stick, radius)
        if hit is None:
            return None
        if hit.distance > TOUCHING:
            break
    else:
        return None
    px, py, pz = hit.position
    at = (x, y, z + height - hit.distance)
    away = (x - px, y - py, at[2] + radius - pz)
    normal = floor_at(world, scaled(away, 1.0 / radius), (px, py, pz), config)
    return Rest(at, normal, hit)


def _headroom(world: World, feet: Triple, config: MovementConfig) -> float:
    """How far up the lowest sphere may go, at most a step."""
    x, y, z = feet
    start = Vector((x, y, z + config.radius + config.padding))
    hit = world.cast_sphere(start, -DOWN, config.step_up, config.radius)
    return config.step_up if hit is None else max(0.0, hit.distance + config.padding - TOUCHING)


def _stand(memory: CapsuleMemory, rest: Rest, world: World) -> None:
    memory.feet, memory.state = rest.feet, "ON_GROUND"
    memory.normal = rest.normal or UP
    hit = rest.hit
    memory.floor = hit.position.z
    memory.risen = False
    memory.support = world.anchor(hit) if world.moves(hit.surface) else None
    memory.support_at = tuple(hit.position)


def _fly(memory: CapsuleMemory, wish: Wish, config: MovementConfig, world: World, dt: float) -> None:
    """On a parabola, against what is in the way; landed where floor stops it."""
    velocity = _steered(memory, wish, config, dt)
    fall = -config.gravity * dt
    way = (velocity[0] * dt, velocity[1] * dt, (velocity[2] + 0.5 * fall) * dt)
    velocity = (velocity[0], velocity[1], velocity[2] + fall)
    parts = max(1, ceil(sqrt(dot(way, way)) / (LONGEST * config.radius)))
    part = scaled(way, 1.0 / parts)
    for _ in range(parts):
        moved, met = _flown(memory, part, config, world, dt / parts)
        memory.feet = plus(memory.feet, moved)
        velocity = slid(velocity, [Plane(touch.normal, dot(touch.normal, tuple(touch.hit.velocity))) for touch in met])
        memory.velocity = velocity
        _find_ground(memory, met, config, world)
        if memory.state == "ON_GROUND":
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
        near = touches(world, at, memory.height, config.radius, TOUCHING)
        more = [_face(touch, moved, config, dt) for touch in near]
        seen += [(touch, moved) for touch in near]
        if all(dot(plane.normal, moved) >= plane.least - SQUARE for plane in more):
            break
        planes += more
        moved = slid(way, planes)
    # One sphere tells only what is nearest to it: what another look met may be touched still.
    return moved, [touch for touch, then in seen if touch.gap + dot(touch.normal, minus(moved, then)) <= TOUCHING]


def _face(touch: Touch, moved: Triple, config: MovementConfig, dt: float) -> Plane:
    """What a touched face allows a body in the air: to come up to it, and out of it as quickly as it recovers."""
    least = dot(touch.normal, moved) - touch.gap
    if least > 0.0:
        least = min(least, _recovered(-touch.gap, config, dt))
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
    if memory.state == "ON_STEEP_GROUND":
        dx, dy, _ = slid((dx, dy, 0.0), [_upright_wall(memory.normal)])
    return vx + dx, vy + dy, vz


def _upright_wall(normal: Triple) -> Plane:
    level = hypot(normal[0], normal[1])
    return Plane((normal[0] / level, normal[1] / level, 0.0), 0.0)


def _find_ground(memory: CapsuleMemory, met: list[Touch], config: MovementConfig, world: World) -> None:
    """The ground state by what is touched."""
    memory.state = "NOT_SUPPORTED" if met else "IN_AIR"
    for touch in sorted(met, key=lambda touch: -touch.normal[2]):
        rising = memory.velocity[2] - touch.hit.velocity.z > FALLING
        if touch.normal[2] <= SQUARE or rising or touch.place[2] > memory.feet[2] + config.radius:
            continue
        normal = floor_at(world, touch.normal, touch.place, config)
        if normal is not None:
            _stand(memory, Rest(memory.feet, normal, touch.hit), world)
            return
        held = memory.velocity[2] - touch.hit.velocity.z > -FALLING
        memory.state, memory.normal = "ON_STEEP_GROUND", touch.normal
        if held and sum(other.normal[2] > SQUARE for other in met) > 1:
            _stand(memory, Rest(memory.feet, UP, touch.hit), world)
            return
