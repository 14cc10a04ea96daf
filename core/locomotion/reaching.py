"""Hands that go up in the air before an edge: whoever flies at one reaches for it before it has it."""

from __future__ import annotations

from math import hypot

from mathutils import Vector

from ..control.intent import Travel
from ..layers.request import Move
from ..space.angles import facing
from ..space.triples import dot, minus
from ..world.edges import edges_over
from ..world.world import World
from .config import ParkourConfig
from .grips import feel_of_config, hands_at
from .holding import scale_of
from .memory import StateMemory

FROM = 0.06
"""So long after its take-off it begins to reach, seconds: until then the feet push."""
NEAR = 0.9
"""An edge is reached for from so far before it, metres for a leg of 0.9 m."""
RISES = 0.6
"""It may be so much higher than what hands get hold of: the body rises yet."""
INTO = 0.7
"""It flies into the wall by at least this share."""


def reaches(memory: StateMemory, travel: Travel, config: ParkourConfig, world: World) -> Move | None:
    """The pose of a body in the air that an edge is ahead of; None where there is none."""
    if memory.state != "AIRBORNE" or memory.no_grab > 0.0 or memory.time < FROM:
        return None
    hang, feel = config.hang, feel_of_config(config.hang)
    scale, (x, y) = scale_of(hang), facing(travel.place.heading)
    feet = (travel.place.x, travel.place.y, travel.place.z)
    heights = (feet[2] + hang.lowest, feet[2] + config.surroundings.hang_reach + RISES * scale)
    middle, half = 0.5 * (heights[0] + heights[1]), 0.5 * (heights[1] - heights[0])
    if world.nearest(Vector((feet[0], feet[1], middle)), hypot(NEAR * scale, half)) is None:
        return None
    ahead = feel._replace(give=NEAR * scale)
    for seen in edges_over(world, feet, (-x, -y, 0.0), heights, ahead):
        if -dot((x, y, 0.0), seen.normal) > INTO and dot(minus(feet, seen.place), seen.normal) < NEAR * scale:
            hands = hands_at(world, seen.place, seen.normal, feel)
            return Move("PULL_IN", 0.0, "", seen.place[2] - feet[2], 0.0, hands)
    return None
