"""What hands and feet touch of a body at an edge: hands on the rim, shoulder-width apart, feet on the wall under it.

Along the edge they go one after the other: who leads moves in one half of the round, who follows in the other, and the
one that holds stays where it is. Feet go with the hand of the other side. Where a pillar is narrower than the hands are
apart they come nearer; where there is no wall under an edge the feet dangle.
"""

from __future__ import annotations

from math import pi, sin

from mathutils import Vector

from ..control.movement import MovementConfig
from ..layers.request import Contact
from ..space.curves import smoothstep
from ..space.rigid import Triple
from ..space.triples import plus, scaled
from ..space.vectors import triple
from ..world.edges import Feel, edge_near, moved_along
from ..world.world import World
from .config import ParkourConfig
from .corner import eased, hand_at
from .hang_config import HangConfig
from .holding import feel_of, scale_of
from .memory import StateMemory

UP: Triple = (0.0, 0.0, 1.0)
NEARER = (1.0, 0.75, 0.5, 0.25, 0.1)
"""Shares of half the way between the hands at which a hand looks for the edge."""
FEET_APART, FEET_UNDER = 0.14, {"foot.L": 1.68, "foot.R": 1.8}
"""How far from the middle each foot stands on the wall, and how far under the edge: one knee is drawn up, metres."""
LIFT, LEAVES = 0.05, 0.5
"""How far a hand comes off the edge on its way, metres, and how much of its hold it leaves: it goes along the edge."""
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
    share = min(1.0, abs(memory.speed) / hang.shimmy)
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
            contacts.append(stands._replace(weight=weight * (1.0 - share * lifted)))
    return tuple(contacts)


def corner_contacts(memory: StateMemory, config: ParkourConfig) -> tuple[Contact, ...]:
    """Both hands on the two edges, on the way around their corner; the feet leave the wall."""
    feel, share = feel_of_config(config.hang), eased(memory)
    contacts = []
    for limb, _, side in SIDES:
        place = hand_at(memory, share, side * memory.side * feel.apart)
        into = memory.normal if share < 0.5 else memory.way[4]
        contacts.append(Contact(limb, place, UP, 1.0, scaled(into, -1.0)))
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
    for share in NEARER:
        edge = edge_near(world, moved_along(place, normal, share * aside), normal, feel)
        if edge is not None:
            return Contact(limb, edge.place, triple(edge.top.normal), weight, scaled(edge.normal, -1.0))
    return None


def side_name(memory: StateMemory) -> str:
    """Which way along the edge."""
    return "LEFT" if memory.side > 0.0 else "RIGHT"
