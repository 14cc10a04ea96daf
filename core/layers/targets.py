"""A target as a layer sees it: where it is for the body, and how much of what it seems to do is its own."""

from __future__ import annotations

from typing import NamedTuple

from mathutils import Vector

from ..control.intent import Spot
from .layer import Moment

Triple = tuple[float, float, float]


class Sight(NamedTuple):
    """A target in model space, and where it would be now had it stayed in the scene, or beside the body."""

    place: Vector
    in_scene: Vector | None = None
    beside: Vector | None = None


class SeenPlace(NamedTuple):
    """Where a target was at the frame before: in the scene, and in model space. Plain floats."""

    spot: Triple
    place: Triple


def place_in_model(place: Triple, moment: Moment) -> Vector:
    """A place of the scene as the body sees it: subtracted in double precision, for places far from the origin."""
    ground = moment.ground
    off = Vector((place[0] - ground.x, place[1] - ground.y, place[2] - ground.z))
    return moment.to_model.to_quaternion() @ off


def sight_of(spot: Spot, seen: SeenPlace | None, moment: Moment) -> Sight:
    """A spot of the scene, with where it was at the frame before."""
    place = place_in_model(spot[:3], moment)
    if seen is None:
        return Sight(place)
    stayed = seen.spot == spot[:3]
    return Sight(place, place if stayed else place_in_model(seen.spot, moment), Vector(seen.place))


def seen_at(spot: Spot, sight: Sight) -> SeenPlace:
    """What a memory keeps of a target."""
    return SeenPlace(spot[:3], sight.place.to_tuple())
