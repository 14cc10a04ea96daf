"""The feet of a body that runs on a wall: each stands where it came down while the body passes over it.

Steps go by the way on the body's arc, up and along, so that a foot is never further off than a leg is long.
"""

from __future__ import annotations

from math import hypot, pi, sin

from mathutils import Vector

from ..control.intent import Travel
from ..layers.request import Contact
from ..space.curves import smoothstep
from ..space.rigid import Triple
from ..space.triples import plus, scaled
from ..space.vectors import triple
from ..world.world import World
from .config import ParkourConfig
from .hang_config import WallRunConfig
from .holding import scale_of
from .memory import StateMemory

STANDS = 0.3
"""The share of its round in which a foot stands on the wall."""
FADES = 0.1
"""The share of its stand over which it goes."""
REACHES, LANDS, COMES = 0.14, 0.12, 0.2
"""The shares of its round over which it comes, before its stand and in it; and how long after the catch none stands
yet, seconds for a leg of 0.9 m.
"""
UP = 0.04
"""How high over the lowest point of the body a foot is that it passes over, metres for a leg of 0.9 m: where the leg
reaches the wall.
"""
ROUNDS = 3
"""So often the time for a part of the arc is made better."""
FAR = 1.2
"""The wall is looked for so far from the middle of the body, metres for a leg of 0.9 m."""


def running_contacts(
    memory: StateMemory, travel: Travel, along: Triple, config: ParkourConfig, world: World
) -> tuple[Contact, ...]:
    """The foot that stands on the wall; the one at the wall's side comes first in a round."""
    run, scale = config.wall_run, scale_of(config.hang)
    first, second = ("foot.L", "foot.R") if memory.side > 0.0 else ("foot.R", "foot.L")
    contacts = []
    for limb, at in ((first, memory.phase), (second, (memory.phase + 0.5) % 1.0)):
        # One that comes to the wall is on its way there for a while before it stands.
        phase = at - 1.0 if at >= 1.0 - REACHES else at
        if phase >= STANDS or memory.speed <= 0.0:
            continue
        place = _passes(memory, travel, along, phase, run)
        found = _on_wall(memory, plus(place, (0.0, 0.0, UP * scale)), FAR * scale, world)
        if found is not None:
            came = smoothstep((phase + REACHES) / (REACHES + LANDS)) * smoothstep(memory.time / (COMES * scale**0.5))
            left = min(1.0, (STANDS - phase) / (FADES * STANDS))
            contacts.append(Contact(limb, found[0], found[1], came * sin(0.5 * pi * left), along))
    return tuple(contacts)


def gone_in(speed: float, rise: float, gravity: float, time: float) -> float:
    """How far a body goes on its arc in a time (negative: went before): `speed` along the wall, `rise` upward now."""
    middle, end = rise - 0.5 * gravity * time, rise - gravity * time
    return (hypot(speed, rise) + 4.0 * hypot(speed, middle) + hypot(speed, end)) * time / 6.0


def _time_for(speed: float, rise: float, gravity: float, way: float) -> float:
    """How long it takes for so much of its arc."""
    time = way / hypot(speed, rise)
    for _ in range(ROUNDS):
        gone = gone_in(speed, rise, gravity, time)
        time = time * way / gone if gone != 0.0 else time
    return time


def _passes(memory: StateMemory, travel: Travel, along: Triple, phase: float, config: WallRunConfig) -> Triple:
    """Where the body passes over a foot that stands: at the middle of its stand, before or behind where it is now."""
    rise = memory.way[1][0]
    way = (0.5 * STANDS - phase) * config.stride
    time = _time_for(memory.speed, rise, config.gravity, way)
    x, y, z = plus((travel.place.x, travel.place.y, travel.place.z), scaled(along, memory.speed * time))
    return x, y, z + (rise - 0.5 * config.gravity * time) * time


def _on_wall(memory: StateMemory, place: Triple, far: float, world: World) -> tuple[Triple, Triple] | None:
    hit = world.cast_ray(Vector(place), Vector(scaled(memory.normal, -1.0)), far)
    return None if hit is None or hit.back else (triple(hit.position), triple(hit.normal))
