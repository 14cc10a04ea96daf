"""What a capsule touches, and what of it can be stood on, from a world's four questions alone.

The capsule is seen as spheres up its axis. What is nearest to one of them is asked for once more from where the axis
comes nearest to that, until it does not change: so edges between two spheres are met where they are, too.
"""

from __future__ import annotations

from math import ceil, hypot, sqrt
from typing import NamedTuple

from mathutils import Vector

from ..space.rigid import Triple
from ..space.vectors import triple
from ..world.probe import DOWN
from ..world.world import Hit, World
from .movement import MovementConfig

SPACING = 1.1
"""Spheres stand no further apart than so many radii."""
LOOKS = 3
"""So often is asked for what is nearest, each time from nearer."""
INTO = (0.005, 0.05, 0.15)
"""How far behind a touched edge its top is looked for, metres: at once, past a rounded rim, past a bevel."""
ABOVE = 0.05
"""A face is looked for from so far over a touch, metres."""
LEVEL = 0.01
"""What lies this much under a touch is not what was touched."""
SQUARE = 1e-6
EXACT = 1e-4
"""A step is as high as the limit to so much, metres: places are of single precision."""


class Touch(NamedTuple):
    """A surface near a capsule: unit normal from it to the capsule, the room between (negative: how deep it is in), the
    touched place, and what was asked for it.
    """

    normal: Triple
    gap: float
    place: Triple
    hit: Hit


def touches(
    world: World, feet: Triple, height: float, radius: float, reach: float, lift: float = 0.0, *, buried: bool = False
) -> list[Touch]:
    """What is within `reach` of a capsule whose lowest point is at `feet`. `lift` leaves out so much of its bottom.

    `buried`: it stands in something, so that the way out is through the faces that it sees from behind. Else both sides
    of a face are solid: sheets are walls, too.
    """
    x, y, z = feet
    low, high = z + radius + lift, max(z + radius + lift, z + height - radius)
    found: list[Touch] = []
    _add(found, world, (x, y, low), (low, high), (radius, reach, 0.0), buried=buried)
    length = high - low
    if length <= 0.0:
        return found
    count = ceil(length / (SPACING * radius))
    apart = length / count
    first = low + apart
    if world.nearest(Vector((x, y, 0.5 * (first + high))), 0.5 * (high - first) + hypot(radius + reach, apart)) is None:
        return found
    around = False
    for k in range(1, count + 1):
        around |= _add(found, world, (x, y, low + apart * k), (low, high), (radius, reach, apart), buried=buried)
    if around:
        # Where there is one thing there may be others that it hides.
        half = 0.5 * apart
        for k in range(count):
            _add(found, world, (x, y, low + apart * k + half), (low, high), (radius, reach, half), buried=buried)
    return found


def _add(
    found: list[Touch], world: World, centre: Triple, axis: tuple[float, float], size: tuple[float, float, float],
    *, buried: bool,
) -> bool:  # fmt: skip
    """Add what is nearest to one sphere, if it is within reach of the capsule; `size`: its radius, the reach, and how
    far from the next one it is. True where there is anything as near as that.
    """
    radius, reach, apart = size
    x, y, at = centre
    hit = world.nearest(Vector(centre), hypot(radius + reach, apart))
    if hit is None:
        return False
    for look in range(LOOKS):
        px, py, pz = hit.position
        level = min(max(pz, axis[0]), axis[1])
        dx, dy, dz = x - px, y - py, level - pz
        away = sqrt(dx * dx + dy * dy + dz * dz)
        if look == LOOKS - 1 or abs(level - at) <= EXACT or away > radius + reach:
            break
        nearer, at = world.nearest(Vector((x, y, level)), away + SQUARE), level
        hit = nearer or hit
    if away <= SQUARE:
        normal, gap = triple(hit.normal), -radius
    elif buried and hit.back:
        normal, gap = (-dx / away, -dy / away, -dz / away), -away - radius
    else:
        normal, gap = (dx / away, dy / away, dz / away), away - radius
    if gap <= reach:
        found.append(Touch(normal, gap, (px, py, pz), hit))
    return True


def floor_at(world: World, normal: Triple, place: Triple, config: MovementConfig) -> Triple | None:
    """The normal of the floor that was touched, None where it is too steep to stand on. On an edge it is that of the
    face that leads up to it.
    """
    nx, ny, nz = normal
    if nz <= 0.0:
        return None
    level = hypot(nx, ny)
    for into in INTO if level > SQUARE else (0.0,):
        share = into / level if level > SQUARE else 0.0
        start = Vector((place[0] - nx * share, place[1] - ny * share, place[2] + ABOVE))
        hit = world.cast_ray(start, DOWN, 2.0 * ABOVE)
        if hit is None or hit.back or hit.position.z < place[2] - LEVEL:
            break
        if hit.normal.z >= config.upright:
            return triple(hit.normal)
        if level <= SQUARE or nz >= config.upright:
            return None
    else:
        return None
    return normal if nz >= config.upright else None


def step_over(world: World, touch: Touch, feet: Triple, config: MovementConfig) -> bool:
    """True where what was touched ends in a floor that is no higher than a step over the feet."""
    nx, ny, _ = touch.normal
    level = hypot(nx, ny)
    top = feet[2] + config.highest_step + EXACT
    if level <= SQUARE or touch.place[2] > top:
        return False
    for into in (*INTO, config.radius):
        x, y = touch.place[0] - nx / level * into, touch.place[1] - ny / level * into
        hit = world.cast_ray(Vector((x, y, top + LEVEL)), DOWN, config.highest_step + 2.0 * LEVEL)
        if hit is None or hit.back or hit.position.z < touch.place[2] - LEVEL:
            return False
        if hit.normal.z >= config.upright:
            return hit.position.z <= top
    return False


def fits(world: World, feet: Triple, height: float, radius: float) -> bool:
    """True where nothing is above the lowest sphere that the capsule would touch."""
    x, y, z = feet
    low = min(z + 2.0 * radius, z + height - radius)
    return world.capsule_fits(Vector((x, y, low)), Vector((x, y, z + height - radius)), radius)


AROUND = tuple(map(Vector, ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0))))
LEVEL_WAYS = (
    *AROUND[:4],
    *(Vector((x, y, 0.0)).normalized() for x, y in ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0))),
)
FAR = 1000.0
"""How far one looks to tell whether a place is inside of something, metres."""
ROOMY = 7.0
"""What is wider than so many radii all ways, and closed, is a room and not a wall."""


def is_inside(world: World, place: Triple, far: float) -> bool:
    """True within something solid: whichever way one looks from there, the first face is seen from behind."""
    hits = [world.cast_ray(Vector(place), way, far) for way in AROUND]
    return all(hit is not None and hit.back for hit in hits)


def is_buried(world: World, place: Triple, radius: float) -> bool:
    """True within something solid that a body is to come out of. A closed mesh that it has room to walk about in is a
    room, whichever side its faces show.
    """
    if not is_inside(world, place, FAR):
        return False
    hits = [world.cast_ray(Vector(place), way, FAR) for way in LEVEL_WAYS]
    ways = [FAR if hit is None else hit.distance for hit in hits]
    return any(one + other < ROOMY * radius for one, other in zip(ways[::2], ways[1::2], strict=True))
