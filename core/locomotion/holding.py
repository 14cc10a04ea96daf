"""The body at an edge: where it hangs, whether it has room there, what carries it, how it gets hold and lets go."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

from mathutils import Vector

from ..control.capsule_memory import LONG_AGO
from ..control.movement import LEG, MovementConfig
from ..space.angles import heading_of, turn_between
from ..space.rigid import Triple
from ..space.triples import dot, minus, plus, scaled
from ..space.vectors import triple
from ..world.edges import Edge, Feel, edge_near, room_along, squared
from ..world.world import World
from .hang_config import HangConfig
from .memory import StateMemory
from .room import is_free, overlap
from .state import Step

KEPT_BODY = 0.8
"""A body that hangs loses its hold where so much of its width has no room any more, as under a lift that comes."""
NEARLY = 0.97
"""On its way to a place it may touch a wall as deep as leaves this share of its width free."""
PUSHES = 5
"""So often it is looked again whether a body has room further out of the wall."""
LEADS_OUT = 0.4
"""What touches the body is a part of the wall if it pushes it out of that by at least this share."""
SPARE = 0.25
"""Pushed out, it keeps this share of its padding."""
ROUNDING = 1e-4
STILL: Triple = (0.0, 0.0, 0.0)
LAG, HOLD = 0, 1
"""What a hang's `way` holds: how far the body is off its place; how far that is out of the edge, and the wish that goes
on along the edge after a corner. A corner's own places follow.
"""


def scale_of(hang: HangConfig) -> float:
    """How large the body is, in bodies with legs of 0.9 m: the sized table says it."""
    return hang.leg / LEG


def feel_of(hang: HangConfig, movement: MovementConfig) -> Feel:
    """How a body of this size feels edges: from its own middle, with its own hands."""
    feel = Feel().sized(scale_of(hang))
    return feel._replace(out=movement.radius + movement.padding, step=hang.step, apart=0.5 * hang.hands)


def turned_by(v: Triple, angle: float) -> Triple:
    """A vector after a turn about Z."""
    c, s = cos(angle), sin(angle)
    return c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]


def angle_between(a: Triple, b: Triple) -> float:
    """The turn about Z from one level direction to another."""
    return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])


def heading_to(normal: Triple) -> float:
    """The heading of a body that faces a wall."""
    return heading_of(-normal[0], -normal[1])


def under(place: Triple, normal: Triple, out: float, hang: HangConfig) -> Triple:
    """The feet of a body that hangs from a place, its middle so far out of the wall."""
    x, y, z = plus(place, scaled(normal, out))
    return x, y, z - hang.below


def hang_from(world: World, edge: Edge, hang: HangConfig, movement: MovementConfig) -> Triple | None:
    """The feet of a body that hangs from an edge, as far out as what stands out under it asks for; None where it has no
    room there.
    """
    out = nearest = movement.radius + movement.padding
    height, radius = movement.height(crouched=False) - 2.0 * ROUNDING, movement.radius - ROUNDING
    for _ in range(PUSHES):
        x, y, z = feet = under(edge.place, edge.normal, out, hang)
        touch = overlap(world, (x, y, z + ROUNDING), height, radius)
        if touch is None:
            return feet
        leads = dot(touch.out, edge.normal)
        if leads < LEADS_OUT:
            return None
        out += touch.depth / leads + SPARE * movement.padding
        if out > nearest + hang.bulge:
            return None
    return None


def has_room(world: World, feet: Triple, movement: MovementConfig, share: float = 1.0) -> bool:
    """True where nothing touches the whole capsule, or one that is so much thinner."""
    x, y, z = feet
    thinner = (1.0 - share) * movement.radius + ROUNDING
    height = movement.height(crouched=False) - 2.0 * thinner
    return is_free(world, (x, y, z + thinner), height, movement.radius - thinner)


def way_is_free(world: World, places: tuple[Triple, ...], movement: MovementConfig) -> bool:
    """True where the body has room at every one of some places."""
    return all(has_room(world, place, movement) for place in places)


def hand_room(world: World, edge: Edge, feel: Feel) -> Edge:
    """The place on an edge nearest to one where both hands have hold: further in, or the middle of a narrow one."""
    left, _ = room_along(world, edge, feel.apart, feel)
    right, _ = room_along(world, edge, -feel.apart, feel)
    if min(left, right) >= feel.apart - ROUNDING:
        return edge
    if left < feel.apart and right < feel.apart:
        way = 0.5 * (left - right)
    elif left < feel.apart:
        way = -min(feel.apart - left, room_along(world, edge, -2.0 * feel.apart, feel)[0] - feel.apart)
    else:
        way = min(feel.apart - right, room_along(world, edge, 2.0 * feel.apart, feel)[0] - feel.apart)
    return room_along(world, edge, way, feel)[1] if abs(way) > ROUNDING else edge


def take_hold(
    memory: StateMemory, edge: Edge, feet: Triple, world: World, lag: Triple = STILL, kept: Triple = STILL
) -> None:
    """Remember an edge that the body hangs from, how far out of it, and how far the body still is off that place.
    `kept` are the way's second numbers before, whose wish goes on.
    """
    memory.normal, memory.edge = edge.normal, edge.place
    out = sqrt((feet[0] - edge.place[0]) ** 2 + (feet[1] - edge.place[1]) ** 2)
    memory.way = (lag, (out, kept[1], kept[2]))
    hold = edge.face._replace(normal=Vector(edge.normal))
    memory.anchor = world.anchor(hold) if world.moves(edge.face.surface) else None
    memory.anchor_at = minus(edge.place, triple(edge.face.position))


def hanging_feet(memory: StateMemory, hang: HangConfig) -> Triple:
    """Where the feet are of a body that hangs as it remembers, once it is there."""
    return under(memory.edge, memory.normal, memory.way[HOLD][0], hang)


def ride(memory: StateMemory, world: World) -> float | None:
    """Go where the edge has gone; the turn about Z. None where it is gone."""
    if memory.anchor is None:
        return 0.0
    now = world.locate(memory.anchor)
    if now is None:
        return None
    x, y, _ = now.normal
    length = sqrt(x * x + y * y)
    if length <= ROUNDING:
        return None
    normal = (x / length, y / length, 0.0)
    turn = angle_between(memory.normal, normal)
    memory.anchor_at = turned_by(memory.anchor_at, turn)
    memory.normal, memory.edge = normal, plus(triple(now.position), memory.anchor_at)
    return turn


def carried_at(memory: StateMemory, world: World) -> Triple:
    """The velocity of what the body holds on to."""
    now = None if memory.anchor is None else world.locate(memory.anchor)
    return STILL if now is None else triple(now.velocity)


def edge_again(memory: StateMemory, world: World, feel: Feel) -> Edge | None:
    """The edge that the body hangs from, felt anew."""
    edge = edge_near(world, memory.edge, memory.normal, feel)
    return None if edge is None else squared(world, edge, feel)


def released(step: Step, velocity: Triple) -> None:
    """Give the body back to the air with a velocity, as one that may not jump there."""
    capsule = step.capsule
    carried = carried_at(step.memory, step.world)
    capsule.velocity = plus(velocity, carried)
    capsule.flat = capsule.velocity[:2]
    capsule.take_off = sqrt(velocity[0] ** 2 + velocity[1] ** 2)
    capsule.state, capsule.support, capsule.risen, capsule.asked = "IN_AIR", None, True, LONG_AGO


def turned_to(start: float, goal: float, share: float) -> float:
    """A heading between two."""
    return start + turn_between(start, goal) * share
