"""Over a top: how far it goes on, where one lands behind it or stands on it, and whether there is room for the way."""

from __future__ import annotations

from math import hypot, inf, sqrt
from typing import NamedTuple

from ..space.curves import arch_over, arch_top
from ..space.rigid import Triple
from ..space.triples import plus, scaled
from ..space.vectors import triple
from .asking import Asker
from .sensing import Stance, SurroundingsConfig
from .topping import Top
from .world import Hit

SAMPLES, HALVINGS = 5, 2
"""Rays over a top until it is a platform, and between the last one on it and the first one past it."""
LANDS_BEHIND = 0.1
"""How far the body keeps from what it has vaulted, metres for a leg of 0.9 m."""
TRAILS = 0.1
"""A foot trails behind a run: it keeps so many seconds of it further from what it has vaulted, where there is room."""
CLEAR = 0.05
"""How far in from an edge a standing body is, and how much of a height is none, metres for a leg of 0.9 m."""
PADDED = 0.9
"""Room is asked for a body of this share of its radius: it comes as near to a wall as its radius."""
TOO_HIGH = "Its top is out of reach."
TOO_DEEP, NO_FLOOR = "It is too deep to vault.", "There is no floor to land on behind it."
NO_ROOM_OVER, NO_ROOM_BEHIND = "There is no room over it.", "There is no room to land behind it."
TOO_NARROW, NO_ROOM_ON_TOP = "Its top is too narrow to stand on.", "There is no room to stand on its top."
NO_ROOM_UP = "There is no room on the way up."


class Spot(NamedTuple):
    """A place to stand: the floor there, its normal, and what was met."""

    place: Triple
    normal: Triple
    hit: Hit


class Line(NamedTuple):
    """The body's line over an obstacle: where it begins, the face's level normal, how far off the face and its foot
    are.
    """

    begin: Triple
    normal: Triple
    gap: float
    foot: float


class Crossing(NamedTuple):
    """How far a top goes on (inf: further than can be vaulted), its far edge, how high it is at its highest, where one
    lands behind it or stands on it (None: not to be had), and why not.
    """

    depth: float
    far: Triple
    crest: float
    landing: Spot | None = None
    stand: Spot | None = None
    reason: str = ""


def cross(
    asker: Asker, stance: Stance, line: Line, top: Top, heights: tuple[float, float], config: SurroundingsConfig,
    *, vaults: bool,
) -> Crossing:  # fmt: skip
    """What there is over a top. `heights`: the top's over the feet, and the highest one that may be climbed."""
    height, reach = heights
    seen, wall = _walked(asker, line.normal, top, config, vaults=vaults and height <= config.hip_high)
    if vaults and height <= config.hip_high and seen.depth <= config.thin and wall > seen.depth:
        landing = _landing(asker, stance, line, seen, wall, config)
        if isinstance(landing, Spot):
            return seen._replace(landing=landing)
        seen = seen._replace(reason=landing)
    if height > reach:
        return seen._replace(reason=seen.reason or TOO_HIGH)
    stand = _stand(asker, stance, line, top, (seen.depth, wall), config)
    if isinstance(stand, Spot):
        return seen._replace(stand=stand, reason="")
    return seen._replace(reason=seen.reason or stand)


def _walked(
    asker: Asker, normal: Triple, top: Top, config: SurroundingsConfig, *, vaults: bool
) -> tuple[Crossing, float]:
    """Over the top until it drops away; and how far it is to a wall that stands on it."""
    ahead, drop = scaled(normal, -1.0), config.drops_away
    far = config.thin if vaults else min(config.thin, 1.5 * config.standing_depth)
    count = SAMPLES if vaults else 2
    low = plus(top.edge, (normal[0] * CLEAR, normal[1] * CLEAR, 0.5 * drop))
    met = asker.ray(low, ahead, far + CLEAR + (config.longest_landing if vaults else 0.0))
    wall = inf if met is None else max(0.0, met.distance - CLEAR)
    height = crest = top.edge[2]
    before, end = 0.0, inf
    for k in range(1, count + 1):
        way = far * k / count
        if way >= wall:
            break
        found = _height(asker, plus(top.edge, scaled(ahead, way)), height, drop)
        if found is None:
            end = way
            break
        before, height, crest = way, found, max(crest, found)
    if end < inf:
        for _ in range(HALVINGS):
            middle = 0.5 * (before + end)
            found = _height(asker, plus(top.edge, scaled(ahead, middle)), height, drop)
            before, end = (before, middle) if found is None else (middle, end)
    x, y, _ = plus(top.edge, scaled(ahead, min(end, far)))
    return Crossing(end, (x, y, height), crest), wall


def _height(asker: Asker, place: Triple, height: float, drop: float) -> float | None:
    """The top's height at a place, None where it has dropped away."""
    hit = asker.down(place[0], place[1], height + drop, height - drop)
    return None if hit is None else hit.position.z


def _landing(
    asker: Asker, stance: Stance, line: Line, seen: Crossing, wall: float, config: SurroundingsConfig
) -> Spot | str:
    """Where a vault comes down: as far behind as it began before, a run at least so far that no foot is left over the
    top, or close behind where that has no room.
    """
    near = stance.radius + LANDS_BEHIND * stance.size
    run = near + TRAILS * sqrt(stance.size) * hypot(*stance.velocity)
    # Lying level, from a width before the top to its far edge: there it is as high as it comes.
    radius = PADDED * stance.radius
    level = seen.crest + config.clears + max(config.tucked - radius, radius)
    x, y, _ = plus(seen.far, scaled(line.normal, seen.depth + stance.radius))
    reason = NO_ROOM_OVER
    if not asker.passes((x, y, level), (seen.far[0], seen.far[1], level), radius):
        return reason
    for way in dict.fromkeys((min(max(line.gap, run), config.longest_landing), near)):
        if wall <= seen.depth + way:
            # What is behind a wall may have room, but no way leads there.
            reason = NO_ROOM_BEHIND
            continue
        x, y, _ = plus(seen.far, scaled(line.normal, -way))
        hit = asker.down(x, y, seen.crest, stance.feet[2] - config.landing_drop)
        if hit is None or hit.normal.z < stance.upright:
            reason = NO_FLOOR
            continue
        place = triple(hit.position)
        if not asker.fits(place, stance.standing, radius):
            reason = NO_ROOM_BEHIND
        elif not _arch_is_free(asker, stance, line, seen, (way, place[2]), config):
            reason = NO_ROOM_OVER
        else:
            return Spot(place, triple(hit.normal), hit)
    return reason


def _arch_is_free(
    asker: Asker, stance: Stance, line: Line, seen: Crossing, landing: tuple[float, float], config: SurroundingsConfig
) -> bool:
    """True where the parabola of the vault, which may be higher than it must be over the edges, has room at its top."""
    (way, floor), height = landing, seen.crest + config.clears
    ends = (stance.feet[2], floor)
    edges = ((line.gap, height), (line.gap + seen.depth, height))
    top = arch_top(ends, arch_over(line.gap + seen.depth + way, ends, edges))
    if top <= height + CLEAR * stance.size:
        return True
    radius = PADDED * stance.radius
    level = top + max(config.tucked - radius, radius)
    x, y, _ = plus(seen.far, scaled(line.normal, seen.depth))
    return asker.sweeps((x, y, level), (seen.far[0], seen.far[1], level), radius)


def _way_up(stance: Stance, line: Line, top: Top, config: SurroundingsConfig) -> tuple[Triple, Triple]:
    """The middles of the lowest and the highest sphere of a body on its way up, from the wall's foot to its edge."""
    off, radius = stance.radius + CLEAR * stance.size, stance.radius
    x, y, _ = plus(line.begin, scaled(line.normal, -max(0.0, line.foot - off)))
    high = plus(top.edge, scaled(line.normal, off + top.behind))
    level = high[2] + max(config.tucked - radius, radius)
    return (x, y, min(stance.feet[2] + 2.0 * radius, level)), (high[0], high[1], level)


def _stand(
    asker: Asker, stance: Stance, line: Line, top: Top, room: tuple[float, float], config: SurroundingsConfig
) -> Spot | str:
    """Where a climb ends: as near to the edge as the body is wide, on what is deep enough."""
    depth, wall = room
    if depth < config.standing_depth or top.thin:
        return TOO_NARROW
    way = min(stance.radius + CLEAR * stance.size, 0.5 * depth, wall - stance.radius)
    if way < 0.5 * config.standing_depth:
        return NO_ROOM_ON_TOP
    x, y, z = plus(top.edge, scaled(line.normal, -way))
    hit = asker.down(x, y, z + config.drops_away, z - config.drops_away)
    if hit is None or hit.normal.z < stance.upright:
        return TOO_NARROW
    if not asker.fits(triple(hit.position), stance.standing, PADDED * stance.radius):
        return NO_ROOM_ON_TOP
    if not asker.sweeps(*_way_up(stance, line, top, config), PADDED * stance.radius):
        return NO_ROOM_UP
    return Spot(triple(hit.position), triple(hit.normal), hit)
