"""What hands and feet touch of a body at an edge: hands on the rim, shoulder-width apart, feet on the wall under it.

Along the edge they go one after the other: who leads moves in one half of the round, who follows in the other, and the
one that holds stays where it is. Feet go with the hand of the other side. Where a pillar is narrower than the hands are
apart they come nearer; where there is no wall under an edge the feet dangle.
"""

from __future__ import annotations

from math import cos, pi, sin

from mathutils import Vector

from ..control.movement import MovementConfig
from ..layers.request import Contact
from ..space.curves import smoothstep
from ..space.rigid import Triple
from ..space.triples import plus, scaled
from ..space.vectors import triple
from ..world.edges import Edge, Feel, edge_near, moved_along
from ..world.world import World
from .config import ParkourConfig
from .corner import hand_at, normal_at
from .hang_config import HangConfig
from .holding import feel_of, scale_of
from .memory import StateMemory

UP: Triple = (0.0, 0.0, 1.0)
NEARER = (1.0, 0.75, 0.5, 0.25, 0.1)
"""Shares of half the way between the hands at which a hand looks for the edge."""
HALVES = 4
"""Between two of those it is halved so often."""
FEET_APART, FEET_UNDER = 0.14, {"foot.L": 1.6, "foot.R": 1.7}
"""How far from the middle each foot stands on the wall, and how far under the edge: one knee is drawn up, metres."""
STANDS_IN = 0.38
"""So long after it came to hang a body's feet stand on the wall, seconds for a 0.9 m leg."""
LIFT, FOOT_LIFT, LEAVES = 0.05, 0.03, 0.5
"""How far a hand comes off the edge on its way, and a foot off the wall, metres; and how much of its hold it leaves: it
goes along there.
"""
SIDES = (("hand.L", "foot.L", 1.0), ("hand.R", "foot.R", -1.0))


def along_round(phase: float, *, leads: bool) -> tuple[float, float]:
    """Where a limb is in a round, in strides ahead of its place under the body, and how much it is lifted (0 to 1)."""
    phase = phase if leads else (phase + 0.5) % 1.0
    if phase >= 0.5:
        return 0.25 - (phase - 0.5), 0.0
    share = 2.0 * phase
    return -0.25 + 0.5 * smoothstep(share), sin(pi * share)


def hands_at(world: World, place: Triple, normal: Triple, feel: Feel, weight: float = 1.0) -> tuple[Contact, ...]:
    """Both hands on an edge, at rest."""
    return tuple(
        hand
        for limb, _, side in SIDES
        if (hand := _hand(world, limb, place, normal, side * feel.apart, feel, weight)) is not None
    )


def hanging_contacts(memory: StateMemory, config: ParkourConfig, world: World, weight: float) -> tuple[Contact, ...]:
    """Hands and feet of a body that hangs, or goes along its edge."""
    hang = config.hang
    feel, scale = feel_of_config(hang), scale_of(hang)
    share = smoothstep(abs(memory.speed) / hang.shimmy)
    stood = smoothstep(max(0.0, memory.time - memory.lasts) / (STANDS_IN * scale**0.5))
    contacts: list[Contact] = []
    for limb, foot, side in SIDES:
        leads = side == memory.side
        ahead, lifted = along_round(memory.phase, leads=leads)
        aside = side * feel.apart + memory.side * ahead * hang.stride * share
        hand = _hand(world, limb, memory.edge, memory.normal, aside, feel, weight * (1.0 - LEAVES * share * lifted))
        if hand is not None:
            up = LIFT * scale * share * lifted
            contacts.append(hand._replace(place=plus(hand.place, (0.0, 0.0, up))))
        ahead, lifted = along_round(memory.phase, leads=not leads)
        aside = side * FEET_APART * scale + memory.side * ahead * hang.stride * share
        stands = foot_at(world, foot, memory.edge, memory.normal, (aside, FEET_UNDER[foot] * scale), feel)
        if stands is not None:
            off = scaled(stands.normal, FOOT_LIFT * scale * share * lifted)
            held = weight * stood * (1.0 - LEAVES * share * lifted)
            contacts.append(stands._replace(place=plus(stands.place, off), weight=held))
    return tuple(contacts)


def corner_contacts(memory: StateMemory, config: ParkourConfig) -> tuple[Contact, ...]:
    """Both hands on the two edges, on the way around their corner; the feet leave the wall.

    They begin and end at rest, each as far ahead as it was in its round; in between both hold.
    """
    hang, done = config.hang, memory.progress
    feel, share, rounds = feel_of_config(hang), smoothstep(done), cos(pi * done) ** 2
    into = scaled(normal_at(memory, share), -1.0)
    contacts = []
    for limb, _, side in SIDES:
        ahead, lifted = along_round(memory.phase, leads=side == memory.side)
        place = hand_at(memory, share, side * memory.side * feel.apart + rounds * ahead * hang.stride)
        place = plus(place, (0.0, 0.0, LIFT * scale_of(hang) * rounds * lifted))
        contacts.append(Contact(limb, place, UP, 1.0 - LEAVES * rounds * lifted, into))
    return tuple(contacts)


def foot_at(
    world: World, limb: str, edge: Triple, normal: Triple, where: tuple[float, float], feel: Feel
) -> Contact | None:
    """A foot on the wall, so far aside and under an edge; None where there is no wall."""
    aside, down = where
    x, y, z = plus(moved_along(edge, normal, aside), scaled(normal, feel.out))
    hit = world.cast_ray(Vector((x, y, z - down)), Vector(scaled(normal, -1.0)), feel.out + feel.give)
    if hit is None or hit.back:
        return None
    return Contact(limb, triple(hit.position), triple(hit.normal), 1.0, UP)


def feel_of_config(hang: HangConfig) -> Feel:
    """How hands feel the edge at a frame, when nothing but the settings tells how large the body is."""
    return feel_of(hang, MovementConfig().sized(0.9 * scale_of(hang)))


def _hand(
    world: World, limb: str, place: Triple, normal: Triple, aside: float, feel: Feel, weight: float
) -> Contact | None:
    """A hand on the rim, as far aside as it is to be, or as the edge lets it."""
    far = NEARER[0]
    edge = _edge_aside(world, place, normal, far * aside, feel)
    for share in NEARER[1:]:
        if edge is not None:
            break
        edge = _edge_aside(world, place, normal, share * aside, feel)
        if edge is None:
            far = share
            continue
        # It comes nearer evenly where the edge ends.
        near = share
        for _ in range(HALVES):
            middle = 0.5 * (near + far)
            found = _edge_aside(world, place, normal, middle * aside, feel)
            near, far, edge = (near, middle, edge) if found is None else (middle, far, found)
    if edge is None:
        return None
    return Contact(limb, edge.place, triple(edge.top.normal), weight, scaled(edge.normal, -1.0))


def _edge_aside(world: World, place: Triple, normal: Triple, aside: float, feel: Feel) -> Edge | None:
    return edge_near(world, moved_along(place, normal, aside), normal, feel)


def side_name(memory: StateMemory) -> str:
    """Which way along the edge."""
    return "LEFT" if memory.side > 0.0 else "RIGHT"
