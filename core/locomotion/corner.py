"""Around the corner of a ledge: outside, where the wall turns away, or inside, where another one comes to meet it.

A top that goes on higher or lower than a step is an end, not a corner. The way is known, and free, before it begins: it
is a function of the time alone. `way` of the memory holds, behind what every hang holds, where the two faces meet, the
place on the new edge, the new normal; then numbers: how far out of it the body hangs, 1 for an outside corner (-1
inside), at which pace it begins, and how much further out it goes around what is rough.
"""

from __future__ import annotations

from math import pi, sin, sqrt
from typing import Literal, NamedTuple

from mathutils import Vector

from ..space.angles import turn_between
from ..space.curves import hermite
from ..space.rigid import Triple
from ..space.triples import dot, minus, plus, scaled, unit
from ..world.edges import Edge, Feel, alike, edge_near, left_along, room_along, squared
from ..world.world import Hit, World
from .hang_config import HangConfig
from .holding import (
    HOLD,
    LAG,
    angle_between,
    feel_of,
    hang_from,
    heading_to,
    scale_of,
    turned_by,
    under,
    way_is_free,
)
from .memory import StateMemory
from .state import Step

TURNS = 0.25
"""The face that goes on points this far along the way, at least (cosine): else the wall goes on straight."""
INSETS = (0.2, 0.08)
"""How far behind the face the wall's end is looked for, metres: past a rounded corner, or on a thin wall."""
BEYOND = 0.5
"""How far past the end that ray begins, metres."""
SPARE = 0.05
"""The nearer hand is so far from the corner afterwards, metres."""
FURTHER = (0.0, 0.05, 0.1, 0.15)
"""So much further out, metres, a way around a rough corner is tried."""
SHARES = tuple(0.1 * k for k in range(1, 10))
"""Where it is looked whether the way is free."""
LOOSE = 0.15
"""The new edge is within so much of where two flat faces would have it, metres."""
GOES_OUTSIDE, GOES_INSIDE = (0.22, 0.6), (0.69, 0.75)
"""Where in their round hands may be when a corner is begun: who leads goes over the corner in one with its own step, or
has gone on already, where both edges are beside the body.
"""
Begun = Literal["", "WAITS", "GOES"]
KINK, NEXT, FACE, OUT, WIDE = 2, 3, 4, 5, 6


class Found(NamedTuple):
    """A corner: where the faces meet, the place to hang from behind it, and the feet there."""

    kink: Triple
    edge: Edge
    feet: Triple


def goes_around(step: Step, side: float, steps: float) -> Begun:
    """Begin the way around a corner that is next to the body on this side, once its hands are where they may: until
    then they go on in their round, by so many `steps` of it in this tick. "" where there is no corner.
    """
    memory, hang = step.memory, step.config.hang
    found = _inside(step, side)
    outside = found is None
    if found is None:
        found = _outside(step, side)
    if found is None:
        return ""
    x, y, _ = minus(found.feet, found.edge.place)
    kept = memory.way[HOLD] if any(memory.way[HOLD][1:]) else (memory.way[HOLD][0], *step.wish)
    before, out = memory.way, (sqrt(x * x + y * y), 1.0 if outside else -1.0, 0.0)
    memory.side = side
    for further in FURTHER if outside else FURTHER[:1]:
        wide = (further * scale_of(hang), 0.0, 0.0)
        memory.way = (before[LAG], kept, found.kink, found.edge.place, found.edge.normal, out, wide)
        middle = tuple(body_at(memory, share, hang) for share in SHARES)
        if way_is_free(step.world, middle, step.movement):
            low, high = GOES_OUTSIDE if outside else GOES_INSIDE
            if not low <= memory.phase <= high:
                # In their own time they come to where they may.
                memory.way = before
                memory.phase += min(steps, (low - memory.phase) % 1.0)
                memory.phase -= float(memory.phase >= 1.0)
                return "WAITS"
            memory.way = (*memory.way[:OUT], (out[0], out[1], _pace(memory, hang)), wide)
            memory.step, memory.time, memory.lasts = "CORNER", 0.0, hang.corner
            return "GOES"
    memory.way = before
    return ""


def body_at(memory: StateMemory, share: float, hang: HangConfig) -> Triple:
    """The feet when a share of the way is done: along the first face, around the corner, along the next."""
    kink, following, face = memory.way[KINK], memory.way[NEXT], memory.way[FACE]
    out, after, outside = memory.way[HOLD][0], memory.way[OUT][0], memory.way[OUT][1] > 0.0
    x, y, z = plus(memory.edge, scaled(minus(following, memory.edge), share))
    if not outside:
        start, end = under(memory.edge, memory.normal, out, hang), under(following, face, after, hang)
        return plus(start, scaled(minus(end, start), share))
    along = scaled(left_along(memory.normal), memory.side)
    angle = angle_between(memory.normal, face)
    before, behind = dot(minus(kink, memory.edge), along), _level_length(minus(following, kink))
    arc = abs(angle) * 0.5 * (out + after)
    gone = share * (before + arc + behind)
    wide = memory.way[WIDE][0] * sin(pi * share)
    out, after = out + wide, after + wide
    if gone < before:
        x, y, _ = plus(memory.edge, plus(scaled(along, gone), scaled(memory.normal, out)))
    elif gone < before + arc:
        part = (gone - before) / arc
        x, y, _ = plus(kink, scaled(turned_by(memory.normal, angle * part), out + (after - out) * part))
    else:
        onward = scaled(_onward(memory), gone - before - arc)
        x, y, _ = plus(kink, plus(onward, scaled(face, after)))
    return x, y, z - hang.below


def heading_at(memory: StateMemory, share: float) -> float:
    """How the body faces then."""
    start = heading_to(memory.normal)
    return start + turn_between(start, heading_to(memory.way[FACE])) * share


def normal_at(memory: StateMemory, share: float) -> Triple:
    """Which way out of the wall is for the body then: it turns evenly from the one face to the other."""
    return turned_by(memory.normal, angle_between(memory.normal, memory.way[FACE]) * share)


def hand_at(memory: StateMemory, share: float, offset: float) -> Triple:
    """A place on the two edges, `offset` metres on along the way from where the body is."""
    kink, following = memory.way[KINK], memory.way[NEXT]
    along = scaled(left_along(memory.normal), memory.side)
    before, behind = dot(minus(kink, memory.edge), along), _level_length(minus(following, kink))
    gone = share * (before + behind) - before + offset
    way = along if gone < 0.0 else _onward(memory)
    x, y, _ = plus(kink, scaled(way, gone))
    return x, y, memory.edge[2] + (following[2] - memory.edge[2]) * share


def eased(memory: StateMemory) -> float:
    """How much of the way is done: it begins and ends as fast as it goes along the edge before and after."""
    pace = memory.way[OUT][2]
    return hermite(0.0, pace, 1.0, pace, memory.progress)


def _pace(memory: StateMemory, hang: HangConfig) -> float:
    """The share of the way in the time of a corner that is gone at the speed along an edge."""
    kink, following = memory.way[KINK], memory.way[NEXT]
    length = _level_length(minus(kink, memory.edge)) + _level_length(minus(following, kink))
    if memory.way[OUT][1] > 0.0:
        turn = abs(angle_between(memory.normal, memory.way[FACE]))
        length += turn * 0.5 * (memory.way[HOLD][0] + memory.way[OUT][0])
    return min(1.0, hang.shimmy * hang.corner / length) if length > 0.0 else 1.0


def next_edge(memory: StateMemory, world: World, feel: Feel) -> Edge | None:
    """The edge behind the corner, felt anew when the body is there."""
    edge = edge_near(world, memory.way[NEXT], memory.way[FACE], feel)
    return None if edge is None else squared(world, edge, feel)


def _onward(memory: StateMemory) -> Triple:
    """The level unit direction from where the faces meet to the new place."""
    x, y, _ = minus(memory.way[NEXT], memory.way[KINK])
    return unit((x, y, 0.0), scaled(left_along(memory.way[FACE]), memory.side))


def _level_length(v: Triple) -> float:
    return sqrt(v[0] * v[0] + v[1] * v[1])


def _level_normal(hit: Hit) -> Triple | None:
    x, y, _ = hit.normal
    length = sqrt(x * x + y * y)
    return (x / length, y / length, 0.0) if length > 0.5 else None


def _meeting(a: Triple, along: Triple, b: Triple, normal: Triple) -> Triple:
    """Where a level line meets a wall, at the line's height."""
    way = dot(minus(b, a), normal) / dot(along, normal)
    return plus(a, scaled(along, way))


def _inside(step: Step, side: float) -> Found | None:
    """A wall that comes to meet the body, with a top at the same height."""
    memory, hang, movement, world = step.memory, step.config.hang, step.movement, step.world
    feel, scale = feel_of(hang, movement), scale_of(hang)
    along = scaled(left_along(memory.normal), side)
    x, y, z = plus(memory.edge, scaled(memory.normal, feel.out))
    start = Vector((x, y, z - hang.step - feel.below))
    hit = world.cast_ray(start, Vector(along), feel.out + feel.apart + BEYOND * scale)
    face = None if hit is None or hit.back else _level_normal(hit)
    if hit is None or face is None or -dot(face, along) < TURNS:
        return None
    x, y, _ = hit.position
    kink = _meeting(memory.edge, along, (x, y, memory.edge[2]), face)
    onward = scaled(left_along(face), side)
    apart = feel.out * (1.0 - dot(face, memory.normal)) / max(TURNS, dot(onward, memory.normal))
    spot = plus(kink, scaled(onward, max(apart, feel.apart + SPARE * scale)))
    return _found(step, kink, spot, face)


def _outside(step: Step, side: float) -> Found | None:
    """The wall's end, with a face that leads on around it."""
    memory, hang, world = step.memory, step.config.hang, step.world
    feel, scale = feel_of(hang, step.movement), scale_of(hang)
    edge = edge_near(world, memory.edge, memory.normal, feel)
    if edge is None:
        return None
    _, last = room_along(world, edge, side * 2.0 * feel.apart, feel)
    along = scaled(left_along(memory.normal), side)
    for inset in INSETS:
        x, y, z = plus(last.place, plus(scaled(along, BEYOND * scale), scaled(memory.normal, -inset * scale)))
        hit = world.cast_ray(
            Vector((x, y, z - feel.below)), Vector(scaled(along, -1.0)), BEYOND * scale + 2.0 * feel.apart
        )
        face = None if hit is None or hit.back else _level_normal(hit)
        if hit is None or face is None or dot(face, along) < TURNS:
            continue
        x, y, _ = hit.position
        kink = _meeting(memory.edge, along, (x, y, memory.edge[2]), face)
        spot = _on_end(step, kink, face, side)
        found = None if spot is None else _found(step, kink, spot, face)
        if found is not None:
            return found
    return None


def _on_end(step: Step, kink: Triple, face: Triple, side: float) -> Triple | None:
    """Where on the face behind a corner both hands have room; None on one that is too narrow."""
    hang = step.config.hang
    feel, scale = feel_of(hang, step.movement), scale_of(hang)
    onward = scaled(left_along(face), side)
    near = 0.5 * hang.narrowest
    loose = feel._replace(give=LOOSE * scale)
    edge = edge_near(step.world, plus(kink, scaled(onward, near)), face, loose)
    if edge is None or not alike(edge.normal, face):
        return None
    wide, _ = room_along(step.world, edge, side * (2.0 * (feel.apart + SPARE * scale) - near), feel)
    if near + wide < hang.narrowest:
        return None
    return plus(kink, scaled(onward, min(feel.apart + SPARE * scale, 0.5 * (near + wide))))


def _found(step: Step, kink: Triple, spot: Triple, face: Triple) -> Found | None:
    """The edge at a spot behind a corner, if the body has room to hang from it."""
    hang, world = step.config.hang, step.world
    feel = feel_of(hang, step.movement)
    edge = edge_near(world, spot, face, feel._replace(give=LOOSE * scale_of(hang)))
    if edge is None or not alike(edge.normal, face):
        return None
    edge = squared(world, edge, feel)
    feet = hang_from(world, edge, hang, step.movement)
    return None if feet is None else Found(kink, edge, feet)


def carried(memory: StateMemory, before: Triple, normal: Triple) -> None:
    """Move the way with the edge: `before` and `normal` are where that was."""
    turn = angle_between(normal, memory.normal)
    kink, following = (
        plus(memory.edge, turned_by(minus(place, before), turn)) for place in (memory.way[KINK], memory.way[NEXT])
    )
    memory.way = (*memory.way[:KINK], kink, following, turned_by(memory.way[FACE], turn), *memory.way[OUT:])
