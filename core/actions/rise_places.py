"""Where a hand or a foot is put down: on a floor that bears it, and so that all of it lies there.

On stairs a toe would be in the next riser, or fingers hang over an edge: the place is moved along the limb, or up or
down the slope, until its ends are not in anything, and rather lie where it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..space.rigid import Triple
from ..space.vectors import cross, triple
from ..world.world import World
from .rise_memory import Frame

UP = Vector((0.0, 0.0, 1.0))
# How far a floor is looked for over and under where a limb is, in legs.
OVER, UNDER = 0.5, 0.8
# A floor that is less upright bears no hand or foot.
BEARS = 0.5
# So much farther than its ends nothing may be in the way of a limb, and so far to both sides of it (in legs).
WIDER, ASIDE = 1.12, 0.045
# How far a place may be moved, in legs, the nearest first; a floor that is higher or lower by less is the same.
MOVES = (0.0, -0.03, 0.03, -0.06, 0.06, -0.09, 0.09, -0.12, 0.12, -0.15, 0.15, -0.18, 0.18, -0.21, 0.21, -0.24, 0.24)
SAME = 0.012
# What one of a limb's points that is in something costs, and one that hangs over an edge: in legs that it is moved.
BLOCKED, HANGS = 10.0, 0.02
# A floor that is less steep has no up and down (sine).
STEEP = 0.05


class Spot(NamedTuple):
    """A place of the frame in which a body rises, and the floor's normal there."""

    place: Triple
    normal: Triple


class Sole(NamedTuple):
    """A hand or a foot that is put down: where it points (model space), and how far it reaches along that, metres."""

    along: Vector
    ends: Sequence[float]


def spot_for(
    world: World, frame: Frame, base: float, own: Vector, sole: Sole, slope: Vector, leg: float
) -> Spot | None:
    """The floor for a limb at a place of the frame (model space, its floor at `base`), metres; None where none bears.

    `slope` is the normal of all of the floor about the body. Of places that bear the one is taken that keeps most of
    the limb out of everything and over the floor on which it lies, the nearest of these.
    """
    ways = [sole.along]
    uphill = Vector((-slope.x, -slope.y, 0.0))
    if uphill.length > STEEP:
        ways.append(uphill.normalized())
    best: tuple[float, Spot] | None = None
    for move in MOVES:
        for way in ways if move else ways[:1]:
            spot = _under(world, frame, base, own + way * (move * leg), leg)
            if spot is None:
                continue
            cost = abs(move) + _cost(world, frame, base, spot, sole, leg)
            if best is None or cost < best[0]:
                best = (cost, spot)
        if best is not None and best[0] <= abs(move):
            break
    return None if best is None else best[1]


def standing_place(
    world: World, frame: Frame, base: float, feet: Sequence[tuple[Vector, Sole]], slope: Vector, leg: float
) -> Frame:
    """A place near `frame` where a body stands with its feet out of everything, and each on one tread where it can be.

    `feet` are the places of its feet as it stands, model space. It is looked for up and down the slope.
    """
    uphill = Vector((-slope.x, -slope.y, 0.0))
    if uphill.length <= STEEP:
        return frame
    uphill = uphill.normalized() * leg
    best: tuple[float, Frame] | None = None
    for move in MOVES:
        x, y = frame.x + uphill.x * move, frame.y + uphill.y * move
        height = world.height_below(x, y, frame.z + OVER * leg, (OVER + UNDER) * leg)
        if height is None:
            continue
        moved, cost = frame._replace(x=x, y=y, z=height), abs(move)
        for own, sole in feet:
            spot = _under(world, moved, base, own, leg)
            cost += BLOCKED if spot is None else _cost(world, moved, base, spot, sole, leg)
        if best is None or cost < best[0]:
            best = (cost, moved)
        if best[0] <= abs(move):
            break
    return frame if best is None else best[1]


def _under(world: World, frame: Frame, base: float, own: Vector, leg: float) -> Spot | None:
    turn = Quaternion(UP, frame.heading)
    x, y, z = turn @ Vector((own.x, own.y, own.z - base))
    top = Vector((frame.x + x, frame.y + y, frame.z + z + OVER * leg))
    hit = world.cast_ray(top, -UP, (OVER + UNDER) * leg)
    if hit is None or hit.normal.z < BEARS:
        return None
    return Spot((own.x, own.y, hit.position.z - frame.z + base), triple(turn.inverted() @ hit.normal))


def _cost(world: World, frame: Frame, base: float, spot: Spot, sole: Sole, leg: float) -> float:
    """What of a limb that lies on a place is in something, or over an edge, as so much farther that it is moved."""
    if sole.along.length == 0.0:
        return 0.0
    place, normal, cost = Vector(spot.place), Vector(spot.normal), 0.0
    flat = sole.along - normal * sole.along.dot(normal)
    beside = cross(normal, flat) * (ASIDE * leg)
    for end in sole.ends:
        for side in (-1.0, 0.0, 1.0):
            at = place + flat * (end * WIDER) + beside * side
            other = _under(world, frame, base, at, leg)
            off = -leg if other is None else other.place[2] - at.z
            cost += BLOCKED if off > SAME * leg else HANGS if off < -SAME * leg else 0.0
    return cost
