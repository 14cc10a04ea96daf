"""The feet of a body that runs on a wall: each stands where it came down while the body passes over it."""

from __future__ import annotations

from math import pi, sin

from mathutils import Vector

from ..control.intent import Travel
from ..layers.request import Contact
from ..space.rigid import Triple
from ..space.triples import plus, scaled
from ..space.vectors import triple
from ..world.world import World
from .config import ParkourConfig
from .hang_config import WallRunConfig
from .holding import scale_of
from .memory import StateMemory

STANDS = 0.4
"""The share of its round in which a foot stands on the wall."""
FADES = 0.1
"""The share of its stand over which it comes, and goes."""
UP = 0.25
"""How high over the lowest point of the body a foot comes down, metres for a leg of 0.9 m."""
FAR = 1.2
"""The wall is looked for so far from the middle of the body, metres for a leg of 0.9 m."""


def running_contacts(
    memory: StateMemory, travel: Travel, along: Triple, config: ParkourConfig, world: World
) -> tuple[Contact, ...]:
    """The foot that stands on the wall; the one at the wall's side comes first in a round."""
    run, scale = config.wall_run, scale_of(config.hang)
    first, second = ("foot.L", "foot.R") if memory.side > 0.0 else ("foot.R", "foot.L")
    contacts = []
    for limb, phase in ((first, memory.phase), (second, (memory.phase + 0.5) % 1.0)):
        if phase >= STANDS or memory.speed <= 0.0:
            continue
        place = _came_down(memory, travel, along, phase, run)
        found = _on_wall(memory, plus(place, (0.0, 0.0, UP * scale)), FAR * scale, world)
        if found is not None:
            share = phase / STANDS
            edge = min(share, 1.0 - share) / FADES
            weight = 1.0 if edge >= 1.0 else sin(0.5 * pi * edge)
            contacts.append(Contact(limb, found[0], found[1], weight, along))
    return tuple(contacts)


def _came_down(memory: StateMemory, travel: Travel, along: Triple, phase: float, config: WallRunConfig) -> Triple:
    """Where a foot came down, seen from where the body is now: it passes over it at the middle of its stand."""
    ahead = (0.5 * STANDS - phase) * config.stride
    ago = phase * config.stride / memory.speed
    x, y, z = plus((travel.place.x, travel.place.y, travel.place.z), scaled(along, ahead))
    # The parabola, back in time.
    fell = memory.way[1][0] * ago + 0.5 * config.gravity * ago * ago
    return x, y, z - fell


def _on_wall(memory: StateMemory, place: Triple, far: float, world: World) -> tuple[Triple, Triple] | None:
    hit = world.cast_ray(Vector(place), Vector(scaled(memory.normal, -1.0)), far)
    return None if hit is None or hit.back else (triple(hit.position), triple(hit.normal))
