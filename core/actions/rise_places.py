"""Where a hand or a foot is put down: on a floor that bears it, and so that all of it lies there.

On stairs a toe would be in the next riser, or fingers hang over an edge: the place is moved along the limb until its
ends are not in anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..space.rigid import Triple
from ..space.vectors import triple
from ..world.world import World
from .rise_memory import Frame

UP = Vector((0.0, 0.0, 1.0))
# How far a floor is looked for over and under where a limb is, in legs.
OVER, UNDER = 0.5, 0.8
# A floor that is less upright bears no hand or foot.
BEARS = 0.5
# So much farther than its ends nothing may be in the way of a limb.
WIDER = 1.12
# How far along the limb a place may be moved, in legs, the nearest first; a floor that is higher by less is the same.
MOVES, SAME = (0.0, -0.04, 0.04, -0.08, 0.08, -0.12, 0.12, -0.16, 0.16, -0.2, 0.2), 0.012


class Spot(NamedTuple):
    """A place of the frame in which a body rises, and the floor's normal there."""

    place: Triple
    normal: Triple


def spot_for(
    world: World, frame: Frame, base: float, own: Vector, along: Vector, ends: Sequence[float], leg: float
) -> Spot | None:
    """The floor for a limb at a place of the frame (model space, its floor at `base`), metres; None where none bears.

    `ends` are how far it reaches from there along a direction. Where no place keeps them out of everything, the
    first that bears is taken.
    """
    first: Spot | None = None
    for move in MOVES:
        spot = _under(world, frame, base, own + along * (move * leg), leg)
        if spot is None:
            continue
        first = first or spot
        if along.length == 0.0 or not ends or _is_free(world, frame, base, spot, along, ends, leg):
            return spot
    return first


def _under(world: World, frame: Frame, base: float, own: Vector, leg: float) -> Spot | None:
    turn = Quaternion(UP, frame.heading)
    x, y, z = turn @ Vector((own.x, own.y, own.z - base))
    top = Vector((frame.x + x, frame.y + y, frame.z + z + OVER * leg))
    hit = world.cast_ray(top, -UP, (OVER + UNDER) * leg)
    if hit is None or hit.normal.z < BEARS:
        return None
    return Spot((own.x, own.y, hit.position.z - frame.z + base), triple(turn.inverted() @ hit.normal))


def _is_free(
    world: World, frame: Frame, base: float, spot: Spot, along: Vector, ends: Sequence[float], leg: float
) -> bool:
    """Whether the floor under the ends of a limb is not higher than the plane on which it lies."""
    place, normal = Vector(spot.place), Vector(spot.normal)
    flat = along - normal * along.dot(normal)
    for end in ends:
        at = place + flat * (end * WIDER)
        other = _under(world, frame, base, at, leg)
        if other is not None and other.place[2] > at.z + SAME * leg:
            return False
    return True
