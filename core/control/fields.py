"""Force fields that move a body: wind, force and vortex, in closed form after Blender's own definition of them.

Of the field's settings those count that say a strength for a place: direction, falloff, limits of distance. Noise, air
flow and absorption do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import acos, degrees, hypot, inf
from typing import Literal, NamedTuple

from ..space.rigid import Triple
from ..space.triples import dot, minus, plus, product, scaled

FieldKind = Literal["WIND", "FORCE", "VORTEX"]
FieldFalloff = Literal["SPHERE", "TUBE", "CONE"]
STILL: Triple = (0.0, 0.0, 0.0)
NEAR = 1e-9


class Falloff(NamedTuple):
    """How a strength falls with a distance: by `power` from `least` on, nothing beyond `most`."""

    power: float = 0.0
    least: float | None = None
    most: float = inf

    def at(self, distance: float) -> float:
        """The share that is left."""
        if distance > self.most:
            return 0.0
        if self.least is not None and distance < self.least:
            return 1.0
        return float((1.0 + distance - (self.least or 0.0)) ** -self.power)


class ForceField(NamedTuple):
    """A field at a moment: where it is and points (unit Z axis), world, metres; `strength` as metres a second.

    `plane`: it comes from its XY plane, not from its middle. `side`: only before (1) or behind (-1) that plane, 0:
    both. `inverse_square`: as gravity between masses. `radial` falls with the distance from the Z axis, in degrees
    for a cone.
    """

    kind: FieldKind
    place: Triple
    axis: Triple
    strength: float
    plane: bool = False
    side: int = 0
    shape: FieldFalloff = "SPHERE"
    along: Falloff = Falloff()
    radial: Falloff = Falloff()
    inverse_square: bool = False


def driven_by(fields: Sequence[ForceField], place: Triple) -> Triple:
    """What all fields together add to the velocity of a body at a place, m/s."""
    total = STILL
    for field in fields:
        total = plus(total, _of_one(field, place))
    return total


def _of_one(field: ForceField, place: Triple) -> Triple:
    away = minus(place, field.place)
    height = dot(away, field.axis)
    source = scaled(field.axis, height) if field.plane else away
    distance = hypot(*source)
    strength = field.strength * _share(field, away, height, distance)
    if field.kind == "WIND":
        return scaled(field.axis, strength)
    if field.kind == "VORTEX":
        return scaled(_unit(product(field.axis, away)), strength * distance)
    if field.inverse_square:
        strength = strength / (distance * distance) if distance > NEAR else 0.0
    return scaled(_unit(source), strength)


def _unit(vector: Triple) -> Triple:
    length = hypot(*vector)
    return scaled(vector, 1.0 / length) if length > NEAR else STILL


def _share(field: ForceField, away: Triple, height: float, distance: float) -> float:
    """What falloff and limits leave of the strength at a place."""
    if field.side * height < 0.0:
        return 0.0
    if field.shape == "SPHERE":
        return field.along.at(distance)
    share = field.along.at(abs(height))
    if field.shape == "TUBE":
        return share * field.radial.at(hypot(*minus(away, scaled(field.axis, height))))
    length = hypot(*away)
    angle = degrees(acos(min(1.0, max(-1.0, height / length)))) if length > NEAR else 0.0
    return share * field.radial.at(angle)


def fields_between(
    before: tuple[ForceField, ...], after: tuple[ForceField, ...], share: float
) -> tuple[ForceField, ...]:
    """The fields at a share of the way from one frame to the next: places, directions and strengths go over."""
    if share >= 1.0 or before == after or len(before) != len(after):
        return after
    return tuple(_between(a, b, share) for a, b in zip(before, after, strict=True))


def _between(a: ForceField, b: ForceField, share: float) -> ForceField:
    place = plus(a.place, scaled(minus(b.place, a.place), share))
    axis = _unit(plus(a.axis, scaled(minus(b.axis, a.axis), share)))
    return b._replace(place=place, axis=axis, strength=a.strength + (b.strength - a.strength) * share)
