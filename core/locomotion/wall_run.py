"""Along a wall, feet on it: from a run in the air beside one, in an arc under a gravity of its own.

The body goes along the wall at the speed that it came with; the wall is felt again all the way, so that it may bend.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, cos, hypot, sin, sqrt

from mathutils import Vector

from ..control.bodied import move_bodied
from ..control.intent import Travel
from ..layers.request import Move
from ..space.angles import heading_of
from ..space.curves import smoothstep
from ..space.dampers import kept_share
from ..space.rigid import Triple
from ..space.triples import dot, minus, plus, scaled
from ..world.edges import left_along
from ..world.probe import DOWN
from ..world.world import Hit, World
from .config import ParkourConfig
from .handing import placed
from .hang_config import WallRunConfig
from .holding import NEARLY, ROUNDING, angle_between, has_room, released, scale_of, turned_by, turned_to
from .jump_off import jump_off
from .memory import StateMemory, StateName
from .room import overlap
from .state import Step
from .wall_steps import gone_in, running_contacts

UPRIGHT, STEEP = 0.2, 0.7
"""From the hips to the head a wall leans no more than this; a face of it points up or down no more than that."""
LEADS_OUT = 0.6
"""What touches the body is a part of the wall if it pushes it out of that by at least this share."""
EVENS, TURNS_ON = 0.15, 0.08
"""Half of what the wall comes nearer or goes back, and of what it turns, is taken up on so much way, metres for a leg
of 0.9 m.
"""
SAME_WALL = 0.7
"""Walls whose normals agree this well are the same one."""
LEADS_OFF = 0.17
"""A way that leads off the wall by more than this share is not along it."""
HOLDS_ON = 0.2
"""It keeps running while its wish leads along the wall by at least this share."""
PIECE = 0.1
"""The wall is felt again after at most so much, metres for a leg of 0.9 m."""
ASIDE = 0.25
"""The wall's direction is that between two places so far before and behind the body, metres for a leg of 0.9 m."""
EARTH = 9.81
"""The lift is that of a jump under this gravity, m/s2: under a stronger one who jumps as high takes off faster, and
would go far higher on the wall, where the run has a gravity of its own.
"""
TURNS_IN = 0.15
"""It is turned along the wall after so long, seconds."""


class WallRun:
    """WALL_RUNNING: `way` holds how far the body is off its line. `side`: -1 a wall to the right, 1 to the left."""

    name: StateName = "WALL_RUNNING"

    def starts(self, step: Step) -> bool:
        """In the air, fast, along a wall that is upright and near at hips and head, still holding the run."""
        config, capsule, memory = step.config.wall_run, step.capsule, step.memory
        vx, vy, vz = capsule.velocity
        speed = hypot(vx, vy)
        if step.on_ground or step.intent.crouch or speed < config.slowest or vz < -config.falling:
            return False
        x, y = step.wish
        if (x * vx + y * vy) / speed < cos(config.parallel) or not _is_off_ground(step):
            return False
        found = _wall_beside(step, (vx / speed, vy / speed))
        if found is None:
            return False
        normal, feet = found
        lift = _lift(step, normal)
        memory.begin(self.name)
        memory.normal, memory.speed, memory.heading = normal, speed, step.travel.place.heading
        left = left_along(normal)
        # Who faces a wall and runs to the left of that has it to the right.
        memory.side = -1.0 if left[0] * vx + left[1] * vy > 0.0 else 1.0
        memory.way = (minus(capsule.feet, feet), (lift, 0.0, 0.0))
        memory.height = step.capsule.feet[2]
        return True

    def goes(self, step: Step) -> Travel | None:
        """One tick along the wall; None where it is left."""
        memory, config = step.memory, step.config.wall_run
        along = along_wall(memory)
        if step.intent.go_up:
            return self._jumps(step, along)
        x, y = step.wish
        if step.intent.crouch or x * along[0] + y * along[1] < HOLDS_ON:
            _leave(step, along)
            return None
        over = max(0.0, memory.time - config.longest)
        time = max(0.0, step.dt - over)
        feet = _run(step, time)
        if feet is None:
            _leave(step, along)
            return None
        if over > 0.0:
            return self._ends(step, feet, over)
        return placed(step, feet, _heading(memory))

    def _ends(self, step: Step, feet: Triple, over: float) -> Travel:
        """The time is up within the tick: what is left of it is flown."""
        travel = placed(step, feet, _heading(step.memory))
        rest = replace(step, travel=travel, dt=over)
        _leave(rest, along_wall(step.memory))
        return move_bodied(travel, rest.capsule, rest.intent, rest.control, rest.movement, rest.world, over, rest.added)

    def _jumps(self, step: Step, along: Triple) -> Travel:
        memory, config = step.memory, step.config.wall_run
        nx, ny, _ = memory.normal
        x, y, _ = scaled(along, config.kept * memory.speed)
        out = (x + nx * config.jump_out, y + ny * config.jump_out)
        memory.no_wall, memory.wall_normal = config.no_wall, memory.normal
        velocity = (*out, config.jump_up * step.movement.take_off)
        return jump_off(step, velocity, heading_of(*out), config.turn, "WALL_JUMP")

    def move(self, memory: StateMemory, travel: Travel, config: ParkourConfig, world: World) -> Move:
        """Where in its stride it is, with the foot that stands on the wall."""
        contacts = running_contacts(memory, travel, along_wall(memory), config, world)
        variant = "LEFT" if memory.side > 0.0 else "RIGHT"
        return Move("WALL_RUN", memory.phase, variant, 0.0, memory.speed, contacts)


def along_wall(memory: StateMemory) -> Triple:
    """The unit direction in which it runs."""
    return scaled(left_along(memory.normal), -memory.side)


def _lift(step: Step, normal: Triple) -> float:
    """How fast it rises at first: by its take-off, without one as it comes. A wall that it has left before, and not
    stood since, lifts it no second time.
    """
    config, movement, rises = step.config.wall_run, step.movement, step.capsule.velocity[2]
    lift = config.lift * movement.take_off * sqrt(EARTH / max(EARTH, movement.gravity))
    if not step.capsule.risen:
        return rises
    return min(lift, rises) if dot(normal, step.memory.wall_normal) > SAME_WALL else lift


def _heading(memory: StateMemory) -> float:
    x, y, _ = along_wall(memory)
    return turned_to(memory.heading, heading_of(x, y), smoothstep(memory.time / TURNS_IN))


def _is_off_ground(step: Step) -> bool:
    x, y, z = step.capsule.feet
    start = step.movement.radius
    far = start + step.config.wall_run.off_ground
    return step.world.cast_ray(Vector((x, y, z + start)), DOWN, far) is None


def _level(hit: Hit | None) -> Triple | None:
    """The level normal of a wall, None for what is none."""
    if hit is None or hit.back or abs(hit.normal.z) > STEEP:
        return None
    x, y, _ = hit.normal
    length = hypot(x, y)
    return x / length, y / length, 0.0


def _wall_beside(step: Step, ahead: tuple[float, float]) -> tuple[Triple, Triple] | None:
    """The nearer wall to run on: its normal, and where the feet are on the line along it."""
    config, world, memory = step.config.wall_run, step.world, step.memory
    reach = step.movement.radius + config.reach
    best: tuple[float, Triple, Triple] | None = None
    x, y, z = step.capsule.feet
    hips = Vector((x, y, z + config.hips))
    for side in ((-ahead[1], ahead[0], 0.0), (ahead[1], -ahead[0], 0.0)):
        seen = _level(world.cast_ray(hips, Vector(side), reach / cos(config.parallel)))
        felt = None if seen is None else _felt(step, step.capsule.feet, seen)
        if felt is None:
            continue
        away, normal = felt
        if not _leads_along(ahead, normal, config) or (best is not None and best[0] <= away):
            continue
        if memory.no_wall > 0.0 and dot(normal, memory.wall_normal) > SAME_WALL:
            continue
        line = away - step.movement.radius - step.movement.padding
        feet = _beside(step, plus(step.capsule.feet, scaled(normal, -line)), normal)
        if feet is not None:
            best = (away, normal, feet)
    return None if best is None else best[1:]


def _leads_along(ahead: tuple[float, float], normal: Triple, config: WallRunConfig) -> bool:
    into = -(ahead[0] * normal[0] + ahead[1] * normal[1])
    return -LEADS_OFF <= into <= sin(config.parallel)


def _felt(step: Step, feet: Triple, normal: Triple, *, begun: bool = False) -> tuple[float, Triple] | None:
    """How far from the middle the wall is at the hips, and its normal, if it is there at the head too and upright.
    Once it has `begun` the hips will do: a head over the top of the wall ends no run.

    Its direction is that between two places before and behind the body, so that it turns evenly over flat faces.
    """
    config, world = step.config.wall_run, step.world
    into, aside = Vector(scaled(normal, -1.0)), ASIDE * scale_of(step.config.hang)
    reach = step.movement.radius + config.reach
    x, y, z = feet
    hips = world.cast_ray(Vector((x, y, z + config.hips)), into, reach)
    head = world.cast_ray(Vector((x, y, z + config.head)), into, reach)
    if hips is None or _level(hips) is None:
        return None
    if head is None or _level(head) is None:
        if not begun:
            return None
    elif abs(head.distance - hips.distance) > UPRIGHT * (config.head - config.hips):
        return None
    along = scaled(left_along(normal), aside)
    ends = []
    for side in (1.0, -1.0):
        x, y, z = plus(feet, scaled(along, side))
        hit = world.cast_ray(Vector((x, y, z + config.hips)), into, reach + aside)
        if hit is None or _level(hit) is None:
            return hips.distance, normal
        ends.append(hit.position)
    x, y = ends[0].x - ends[1].x, ends[0].y - ends[1].y
    length = hypot(x, y)
    return hips.distance, (-y / length, x / length, 0.0)


def _beside(step: Step, feet: Triple, normal: Triple) -> Triple | None:
    """The feet, as far out of the wall as what stands out of it asks for; None where there is no room."""
    movement = step.movement
    touch = overlap(step.world, feet, movement.height(crouched=False), movement.radius)
    if touch is None:
        return feet
    leads = dot(touch.out, normal)
    if leads < LEADS_OUT or touch.depth > movement.radius:
        return None
    feet = plus(feet, scaled(normal, touch.depth / leads + ROUNDING))
    return feet if has_room(step.world, feet, movement, NEARLY) else None


def _run(step: Step, time: float) -> Triple | None:
    """The feet after a time on the wall; None where that has ended."""
    memory, config, movement = step.memory, step.config.wall_run, step.movement
    lag, (lift, _, _) = memory.way[0], memory.way[1]
    line = minus(step.capsule.feet, lag)
    way, scale = memory.speed * time, scale_of(step.config.hang)
    count = max(1, ceil(way / (PIECE * scale)))
    nearer, turns = (1.0 - kept_share(within * scale, way / count) for within in (EVENS, TURNS_ON))
    for _ in range(count):
        line = plus(line, scaled(along_wall(memory), way / count))
        felt = _felt(step, line, memory.normal, begun=True)
        if felt is None or dot(felt[1], memory.normal) < cos(config.bend):
            return None
        away, normal = felt
        memory.normal = turned_by(memory.normal, turns * angle_between(memory.normal, normal))
        line = plus(line, scaled(memory.normal, (movement.radius + movement.padding - away) * nearer))
    kept = kept_share(config.snap, time)
    lag = (lag[0] * kept, lag[1] * kept, 0.0)
    memory.phase = (memory.phase + gone_in(memory.speed, lift, config.gravity, time) / config.stride) % 1.0
    # A parabola is exact for any step.
    rise = (lift - 0.5 * config.gravity * time) * time
    memory.way = (lag, (lift - config.gravity * time, 0.0, 0.0))
    return _beside(step, plus(line, (lag[0], lag[1], rise)), memory.normal)


def _leave(step: Step, along: Triple) -> None:
    """Give the body its momentum back; the wall does not take it again at once."""
    memory = step.memory
    x, y, _ = scaled(along, memory.speed)
    released(step, (x, y, memory.way[1][0]))
    memory.no_wall, memory.wall_normal = step.config.wall_run.no_wall, memory.normal
    memory.begin("AIRBORNE")


WALL_RUN = WallRun()
