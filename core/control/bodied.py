"""A director's intent through the walking capsule: what a point answers, answered by a body that walls stop.

`stand` and `move` are those of the point with one memory more. The legs get what was measured: how far the body came
along its ground in this tick, not how far it was to go.
"""

from __future__ import annotations

from math import acos, cos, hypot, inf, radians, sin, sqrt

from mathutils import Vector

from ..space.angles import wrapped
from ..space.dampers import damp, kept_share
from ..space.rigid import Triple
from ..space.triples import plus
from ..world.probe import DOWN
from ..world.world import World
from .capsule import move as move_capsule
from .capsule import put
from .capsule_memory import STILL, CapsuleMemory, GroundState, Wish
from .config import ControlConfig
from .fields import driven_by
from .intent import Inputs, Intent, Place, Travel
from .movement import MovementConfig
from .point import HEIGHT_HALFLIFE, approach, lay_on_ground, slopes_after, stand, turn_towards, turning
from .pushing import can_push
from .sound_inputs import limited

STRAIGHT_IN = radians(20.0)
"""A wish that is so near to straight into a wall counts as no wish."""
FEELS, RADIUS = 0.2, 0.35
"""How far past its radius a body feels for a wall that it is about to walk into, metres, for one of this radius."""
FORESEES, THIN = 5.0, 0.5
"""A wall is foreseen from so many radii on, by a sphere of this share of the radius at the height of no step."""
STEPS_OUT = 0.1
LEANS, SETS_BACK = 0.28, 0.35
"""Who pushes sets its feet so much further back, in legs: it leans on what it pushes, and steps not into it. All of it
from so many legs before that on, the first of it from twice as many.
"""
LOOKS, FORESEEN = 2, 100.0
"""How often it is looked where a fall ends, and how far down, metres."""
STOPS_IN, STANDS = 0.06, 0.1
"""A heavy landing halves the run in so many seconds; slower than so many m/s it stands, for a 0.9 m leg."""
LEVEL = 1e-6
SEEN_WITHIN = 0.9
"""The visible body is off its capsule by so much of its highest step at most."""
STOPPED = 1e-9


def stand_bodied(
    place: Place, config: ControlConfig, movement: MovementConfig, world: World
) -> tuple[Travel, CapsuleMemory]:
    """A body standing at a place as a point would, or in the air where there is nothing to stand on."""
    travel = stand(place, config, world)
    x, y, z, _ = travel.place
    memory = put((x, y, z), movement, world)
    travel.aloft = memory.state != "ON_GROUND"
    return travel, memory


def move_bodied(
    travel: Travel,
    memory: CapsuleMemory,
    intent: Intent,
    config: ControlConfig,
    movement: MovementConfig,
    world: World,
    dt: float,
    added: Triple = STILL,
) -> Travel:
    """The body after one tick; `memory` goes on with it. `added` is what moves it besides, wind or a current."""
    if intent.jumped and intent.carried is not None:
        return _teleported(memory, intent.carried, config, movement, world)
    before, was, fell = memory.feet, memory.state, memory.velocity[2]
    memory.held = max(0.0, memory.held - dt)
    wish = _wish(memory, intent, config, movement, world, dt)._replace(added=added)
    move_capsule(memory, wish, movement, world, dt)
    start = travel.place.heading + memory.turn
    goal = intent.facing + memory.turn if intent.carried is None else intent.carried.heading
    heading, turn_rate = turn_towards(start, travel.turn_rate, goal, turning(config, intent), dt)
    moved = Travel(travel.place, turn_rate=turn_rate)
    moved.aloft = _is_aloft(travel, memory, was, movement, world)
    moved.lower = movement.height(crouched=False) - memory.shown
    if moved.aloft:
        _fly(moved, travel, memory, before, heading, config, dt)
        moved.velocity = plus(memory.velocity, added)
        moved.lands_in = lands_in(memory, movement, world)
        return moved
    _settle(moved, travel, memory, before, (heading, heading - start), (config, movement), world, dt)
    if was != "ON_GROUND" and travel.aloft:
        moved.impact = max(0.0, -fell)
        if moved.impact >= movement.heavy_landing:
            memory.held = movement.landing_hold
    moved.held = memory.held
    return moved


def _is_aloft(
    travel: Travel, memory: CapsuleMemory, was: GroundState, movement: MovementConfig, world: World
) -> bool:
    """Whether it shows that the body is in the air: not on a drop so small that it still counts as walking."""
    if memory.state == "ON_GROUND":
        return False
    if travel.aloft or memory.risen or memory.state == "ON_STEEP_GROUND":
        return True
    x, y, z = memory.feet
    # Rolling off an edge its feet have sunk already: the drop is told from the edge.
    top = min(max(z, memory.floor), z + movement.radius) if was == "ON_GROUND" else z
    return world.height_below(x, y, top + movement.radius, movement.radius + movement.floor_tier) is None


def added_to(memory: CapsuleMemory, inputs: Inputs) -> Triple:
    """What moves a body besides its own wish, m/s: what is set, and the force fields at its middle."""
    if not inputs.fields:
        return inputs.added
    x, y, z = memory.feet
    x, y, z = driven_by(inputs.fields, (x, y, z + 0.5 * memory.height))
    # A field may be of any strength, and has none to give that is no number.
    return plus(inputs.added, (limited(x), limited(y), limited(z)))


def _teleported(
    memory: CapsuleMemory, to: Place, config: ControlConfig, movement: MovementConfig, world: World
) -> Travel:
    travel, fresh = stand_bodied(to, config, movement, world)
    for name in CapsuleMemory.__slots__:
        setattr(memory, name, getattr(fresh, name))
    travel.jumped = True
    return travel


def _wish(
    memory: CapsuleMemory,
    intent: Intent,
    config: ControlConfig,
    movement: MovementConfig,
    world: World,
    dt: float,
) -> Wish:
    """What the director wants, as quickly as the body's limits let it; nothing where a wall is straight ahead."""
    if intent.carried is not None:
        # A place on a path: the step there, as far as nothing is in the way.
        x, y, _ = memory.feet
        velocity = ((intent.carried.x - x) / dt, (intent.carried.y - y) / dt) if dt > 0.0 else (0.0, 0.0)
    elif memory.state == "ON_GROUND" and not intent.at_once:
        velocity = approach(_turned(memory.flat, memory.turn), intent.velocity, config, dt)
    else:
        velocity = intent.velocity
    if memory.held > 0.0 and memory.state == "ON_GROUND":
        return Wish(_held_back(memory, config, dt), crouch=intent.crouch)
    if memory.state == "ON_GROUND" and _feel_ahead(memory, intent.velocity, config, movement, world):
        velocity = (0.0, 0.0)
    return Wish(velocity, intent.jump, intent.crouch, aim=intent.aim)


def _held_back(memory: CapsuleMemory, config: ControlConfig, dt: float) -> tuple[float, float]:
    """What a heavy landing leaves of the run."""
    kept = kept_share(STOPS_IN * config.scale**0.5, dt)
    vx, vy = _turned(memory.flat, memory.turn)
    return (vx * kept, vy * kept) if hypot(vx, vy) > STANDS * config.scale**0.5 else (0.0, 0.0)


def _turned(vector: tuple[float, float], turn: float) -> tuple[float, float]:
    c, s = cos(turn), sin(turn)
    return c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]


def _feel_ahead(
    memory: CapsuleMemory, velocity: tuple[float, float], config: ControlConfig, movement: MovementConfig, world: World
) -> bool:
    """Remember how far the body may go this way; True where a wall is near that lies straight across it.

    Along a wall that lies aslant it slides on: so far it may go towards that.
    """
    memory.room, memory.back, memory.slides = inf, 0.0, (0.0, 0.0)
    speed = hypot(*velocity)
    if speed <= STOPPED:
        return False
    x, y, z = memory.feet
    ahead = (velocity[0] / speed, velocity[1] / speed)
    low = z + min(movement.highest_step + movement.radius, memory.height - movement.radius)
    radius = THIN * movement.radius
    # A body on many legs is longer than its capsule is wide, and a step is longer than it stands.
    own = max(movement.radius, 0.5 * config.span + STEPS_OUT * config.leg) - radius + movement.padding
    hit = world.cast_sphere(Vector((x, y, low)), Vector((*ahead, 0.0)), own + FORESEES * movement.radius, radius)
    level = 0.0 if hit is None else hypot(hit.normal.x, hit.normal.y)
    if hit is None or hit.normal.z >= movement.upright or level <= LEVEL:
        return False
    if can_push(world.loose(hit.surface), movement):
        gap = max(0.0, hit.distance - own) / config.leg
        memory.back = LEANS * config.leg * min(1.0, max(0.0, 2.0 - gap / SETS_BACK))
        return False
    into = -(ahead[0] * hit.normal.x + ahead[1] * hit.normal.y) / level
    if into <= 0.0 or acos(min(1.0, into)) >= STRAIGHT_IN:
        memory.slides = (hit.normal.x / level, hit.normal.y / level)
        memory.room = max(0.0, hit.distance * into - (movement.radius - radius + movement.padding))
        return False
    memory.room = max(0.0, hit.distance - own)
    near = memory.room < FEELS * movement.radius / RADIUS
    memory.room = 0.0 if near else memory.room
    return near


def foreseen(memory: CapsuleMemory, here: Place, place: Place) -> Place:
    """Where a body is going to be that would be at a place if nothing were in its way."""
    x, y = place.x - here.x, place.y - here.y
    way, (nx, ny) = hypot(x, y), memory.slides
    over = -(x * nx + y * ny) - memory.room
    if way > 0.0 and over > 0.0 and memory.slides != (0.0, 0.0):
        x, y = x + over * nx, y + over * ny
        share = hypot(x, y) / way
        return Place(here.x + x, here.y + y, here.z + (place.z - here.z) * share, place.heading)
    if memory.slides != (0.0, 0.0):
        return place
    if way == 0.0 or (way <= memory.room and memory.back == 0.0):
        return place
    share = min(memory.room, way - memory.back) / way
    return Place(here.x + x * share, here.y + y * share, here.z + (place.z - here.z) * share, place.heading)


def _fly(
    moved: Travel, travel: Travel, memory: CapsuleMemory, before: tuple[float, float, float], heading: float,
    config: ControlConfig, dt: float,
) -> None:  # fmt: skip
    """In the air: where the capsule is. What the visible height was off it on the ground fades."""
    x, y, z = memory.feet
    height = damp(travel.place.z + z - before[2], z, HEIGHT_HALFLIFE * config.scale**0.5, dt)
    moved.place = Place(x, y, height, wrapped(heading))
    moved.velocity = memory.velocity
    moved.ground = False


def lands_in(memory: CapsuleMemory, movement: MovementConfig, world: World) -> float:
    """In how many seconds a body comes down on the parabola that it is on, inf where no ground is.

    The ground at the end is where the fall to the ground here, and then to that there, would lead.
    """
    (x, y, z), (vx, vy, vz), gravity = memory.feet, memory.velocity, movement.gravity
    if gravity <= 0.0:
        return inf
    rises = vz * vz / (2.0 * gravity) if vz > 0.0 else 0.0
    seconds = vz / gravity if vz > 0.0 else 0.0
    for _ in range(LOOKS):
        start = Vector((x + vx * seconds, y + vy * seconds, z + rises + movement.radius))
        hit = world.cast_ray(start, DOWN, FORESEEN)
        if hit is None:
            return inf
        seconds = (vz + sqrt(max(0.0, vz * vz + 2.0 * gravity * (z - hit.position.z)))) / gravity
    return seconds


def _settle(
    moved: Travel, travel: Travel, memory: CapsuleMemory, before: tuple[float, float, float],
    turned: tuple[float, float], limits: tuple[ControlConfig, MovementConfig], world: World, dt: float,
) -> None:  # fmt: skip
    """On the ground: lie on what is under the body, and go as fast as it came along."""
    (heading, turn), (config, movement) = turned, limits
    x, y, z = memory.feet
    moved.slope, moved.cross_slope = slopes_after(travel, turn)
    went = ((x - before[0] - memory.rode[0]) / dt, (y - before[1] - memory.rode[1]) / dt) if dt > 0.0 else (0.0, 0.0)
    # What is seen lags behind by less than a step: from further off the floor would not be found again.
    most = SEEN_WITHIN * movement.highest_step
    shown = min(max(travel.place.z + z - before[2], z - most), z + most)
    at = (x, y, shown, wrapped(heading))
    lay_on_ground(moved, at, went, config, world, dt, movement.highest_step)
    moved.ground = True
