"""From one edge to the next: to the side over a gap, or up to one above.

Where it lands is found before it begins, and that the body has room there and on its way. It goes evenly along the
ground and on a parabola in height, as a function of time alone.
"""

from __future__ import annotations

from math import ceil, cos, dist, sqrt
from typing import NamedTuple

from mathutils import Vector

from ..control.intent import Travel
from ..layers.request import Contact, Move
from ..space.curves import hermite, share_of, smoothstep
from ..space.rigid import Triple
from ..space.triples import dot, minus, plus, scaled
from ..world.edges import LEVEL_TOP, Edge, alike, edge_near, edges_over, left_along, moved_along, room_along, squared
from ..world.probe import DOWN
from ..world.world import World
from .config import ParkourConfig
from .grips import feel_of_config, hands_at
from .handing import placed
from .hang_config import HangConfig, LeapConfig
from .holding import (
    HOLD,
    edge_again,
    feel_of,
    hand_room,
    hang_from,
    hanging_feet,
    heading_to,
    released,
    ride,
    scale_of,
    take_hold,
    turned_to,
    under,
    way_is_free,
)
from .memory import StateMemory, StateName
from .state import Step

PITCH = 0.1
"""So far apart the tops along a wall are felt for, metres."""
INSETS = (0.06, 0.2, 0.38)
"""How far behind the wall's face, metres: edges may be set back."""
NO_STEP = 1.3
"""An edge above is at least so many steps of a shimmy higher."""
APART = 0.7
"""The way is looked along at places at most so many radii apart."""
FADES = 0.15
"""In this first share the hands leave the old edge."""
UPWARD = "UP"
PASSES = 0.4
"""In this share of a leap it passes what it leaves, and at its end what it comes to."""
SWINGS_IN, JUST = 0.5, 1e-3
"""From this share on the body is shown as it comes to rest under its edge; by so little more how fast it goes there is
told.
"""
STRAIGHT: Triple = (0.0, 0.0, 0.0)
START, EDGE, FACE, OUT = 0, 1, 2, 3


class Target(NamedTuple):
    """Where a leap ends."""

    edge: Edge
    feet: Triple


class Leap:
    """LEAPING: its way are the feet's start, the edge and normal there, and how far out of the new edge it hangs."""

    name: StateName = "LEAPING"

    def starts(self, _step: Step) -> bool:
        """Only from a hang, which begins it."""
        return False

    def goes(self, step: Step) -> Travel | None:
        """On its arc; at its end it hangs."""
        memory, hang, leap = step.memory, step.config.hang, step.config.leap
        if ride(memory, step.world) is None:
            _misses(step)
            return None
        heading = turned_to(memory.heading, heading_to(memory.normal), smoothstep(memory.progress))
        if memory.time < memory.lasts:
            return placed(step, feet_at(memory, memory.progress, leap, hang), heading)
        return _arrived(step, memory.time - memory.lasts)

    def move(self, memory: StateMemory, _travel: Travel, config: ParkourConfig, world: World) -> Move:
        """The hands leave the old edge at once, and reach for the new one at the end."""
        contacts = leaping_contacts(memory, config, world)
        return Move("LEAP", memory.progress, memory.step, memory.height, 0.0, contacts, swung_in(memory, config))


def leaping_contacts(memory: StateMemory, config: ParkourConfig, world: World) -> tuple[Contact, ...]:
    """Hands on the edges at both ends of a leap."""
    done, feel = memory.progress, feel_of_config(config.hang)
    leaves = 1.0 - smoothstep(done / FADES)
    if leaves > 0.0:
        return hands_at(world, memory.way[EDGE], memory.way[FACE], feel, leaves)
    reaches = 1.0 - config.leap.hands
    if done < reaches:
        return ()
    weight = smoothstep((done - reaches) / (1.0 - reaches)) if reaches < 1.0 else 1.0
    return hands_at(world, memory.edge, memory.normal, feel, weight)


def swung_in(memory: StateMemory, config: ParkourConfig) -> Triple:
    """How far off its arc a body is shown that comes to its edge: it goes on from the arc as fast as it went there, and
    is at rest when it hangs.
    """
    if memory.progress <= SWINGS_IN:
        return STRAIGHT
    here, start, before, end = (
        feet_at(memory, share, config.leap, config.hang)
        for share in (memory.progress, SWINGS_IN, SWINGS_IN - JUST, 1.0)
    )
    left = 1.0 - SWINGS_IN
    goes = scaled(minus(start, before), left / JUST)
    share = (memory.progress - SWINGS_IN) / left
    x, y, z = (hermite(a, v, b, 0.0, share) - now for a, v, b, now in zip(start, goes, end, here, strict=True))
    return x, y, z


def feet_at(memory: StateMemory, share: float, leap: LeapConfig, hang: HangConfig) -> Triple:
    """The feet on the arc, to where the edge is now."""
    end = under(memory.edge, memory.normal, memory.way[OUT][0], hang)
    return on_arc(memory.way[START], end, share, leap.over, _aside(memory.step, memory.way[FACE]))


def on_arc(start: Triple, end: Triple, share: float, over: float, out: Triple = STRAIGHT) -> Triple:
    """A place on a leap's way: even in the plan, on the parabola in height that goes so far over the higher end.

    With the normal `out` of the wall it goes out of that early and into it late, past the corners of what it leaves and
    of what it comes to.
    """
    rise = max(start[2], end[2]) + over
    up, down = sqrt(rise - start[2]), sqrt(rise - end[2])
    top = up / (up + down) if up + down > 0.0 else 0.5
    gone = (share - top) / top if top > 0.0 else share
    way = minus(end, start)
    comes = dot(way, out)
    moved = share_of(share, 0.0, 1.0 - PASSES) if comes > 0.0 else share_of(share, PASSES, 1.0)
    along = scaled(minus(way, scaled(out, comes)), share)
    x, y, _ = plus(start, plus(along, scaled(out, comes * smoothstep(moved))))
    return x, y, rise - (rise - start[2]) * gone * gone


def _aside(variant: str, normal: Triple) -> Triple:
    """The wall's normal for a leap along it; up the wall it goes straight: it swings around nothing over its head."""
    return STRAIGHT if variant == UPWARD else normal


def leaps(step: Step, target: Target | None, variant: str) -> Travel | None:
    """Begin a leap and make the tick's part of it; None where there is nothing to leap to."""
    if target is None:
        return None
    memory, world = step.memory, step.world
    edge, normal, start = memory.edge, memory.normal, step.capsule.feet
    rest = memory.edge[2] - target.edge.place[2]
    memory.begin("LEAPING", step.config.leap.lasts)
    take_hold(memory, target.edge, target.feet, world)
    memory.way = (start, edge, normal, memory.way[HOLD])
    memory.step, memory.height, memory.heading, memory.speed = variant, -rest, step.travel.place.heading, 0.0
    memory.time = step.dt
    return LEAP.goes(step)


def _arrived(step: Step, left: float) -> Travel | None:
    """Hang from the new edge."""
    memory, hang = step.memory, step.config.hang
    edge = edge_again(memory, step.world, feel_of(hang, step.movement))
    feet = None if edge is None else hang_from(step.world, edge, hang, step.movement)
    if edge is None or feet is None:
        _misses(step)
        return None
    memory.begin("HANGING")
    take_hold(memory, edge, feet, step.world)
    memory.time, memory.speed, memory.side, memory.held = left, 0.0, 0.0, False
    return placed(step, hanging_feet(memory, hang), heading_to(memory.normal))


def _misses(step: Step) -> None:
    """The edge is gone: it flies on."""
    released(step, step.capsule.velocity)
    step.memory.no_grab = step.config.hang.no_grab
    step.memory.begin("AIRBORNE")


def leads_sideways(step: Step) -> float:
    """The side to which a wish leads along the wall (1 left, -1 right), 0 where it leads elsewhere."""
    x, y = step.wish
    share = dot((x, y, 0.0), left_along(step.memory.normal))
    if abs(share) < cos(step.config.leap.sideways) or share == 0.0:
        return 0.0
    return 1.0 if share > 0.0 else -1.0


def edge_above(step: Step) -> Target | None:
    """The next edge up the same wall, that the body has room under and a free way to."""
    memory, hang, leap, world = step.memory, step.config.hang, step.config.leap, step.world
    feel = feel_of(hang, step.movement)
    low, high = memory.edge[2] + NO_STEP * hang.step, memory.edge[2] + leap.higher
    if high <= low:
        return None
    for edge in edges_over(world, memory.edge, memory.normal, (low, high), feel._replace(give=leap.give)):
        if alike(edge.normal, memory.normal):
            target = _target(step, hand_room(world, edge, feel), STRAIGHT)
            if target is not None:
                return target
    return None


def edge_beside(step: Step, side: float) -> Target | None:
    """The nearest edge to a side that going along this one does not lead to."""
    hang, leap, world = step.config.hang, step.config.leap, step.world
    feel = feel_of(hang, step.movement)
    here = edge_again(step.memory, world, feel)
    if here is None:
        return None
    covered, _ = room_along(world, here, side * leap.far, feel)
    pitch = PITCH * scale_of(hang)
    gone = covered
    while gone < leap.far:
        gone += pitch
        edge = _edge_at(step, here, side * min(gone, leap.far))
        if edge is None:
            continue
        before, _ = room_along(world, edge, -side * pitch, feel)
        behind, _ = room_along(world, edge, side * 4.0 * step.movement.radius, feel)
        inset = min(2.0 * step.movement.radius, 0.5 * (before + behind))
        way = inset - before
        beside = room_along(world, edge, side * way, feel)[1] if abs(way) > 1e-3 else edge
        target = _target(step, beside, step.memory.normal)
        if target is not None:
            return target
        gone += behind
    return None


def _edge_at(step: Step, here: Edge, way: float) -> Edge | None:
    """An edge that a leap may go to, so far along the wall."""
    hang, leap, world = step.config.hang, step.config.leap, step.world
    feel, scale = feel_of(hang, step.movement), scale_of(hang)
    spot = moved_along(here.place, here.normal, way)
    for inset in INSETS:
        x, y, z = minus(spot, scaled(here.normal, inset * scale))
        top = world.cast_ray(Vector((x, y, z + leap.higher)), DOWN, leap.higher + leap.lower)
        if top is None or top.back or top.normal.z < LEVEL_TOP:
            continue
        edge = edge_near(world, (spot[0], spot[1], top.position.z), here.normal, feel._replace(give=leap.give))
        if edge is not None and alike(edge.normal, here.normal):
            return edge
    return None


def _target(step: Step, edge: Edge, out: Triple) -> Target | None:
    """An edge as a target, if the body has room on its way (`out`: see the arc) and there."""
    hang, leap, world, movement = step.config.hang, step.config.leap, step.world, step.movement
    edge = squared(world, edge, feel_of(hang, movement))
    feet = hang_from(world, edge, hang, movement)
    if feet is None:
        return None
    count = ceil((dist(step.capsule.feet, feet) + 2.0 * leap.over) / (APART * movement.radius))
    arc = tuple(on_arc(step.capsule.feet, feet, (k + 1) / count, leap.over, out) for k in range(count))
    return Target(edge, feet) if way_is_free(world, arc, movement) else None


LEAP = Leap()
