"""The top of what is ahead: where its edge is, and whether a body stands on what is behind it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from ..space.rigid import Triple
from ..space.triples import plus, scaled
from ..space.vectors import triple
from .asking import Asker
from .probe import DOWN
from .sensing import Sensor, Stance
from .world import Hit

RIM, BEVEL = 0.04, 0.25
"""How far past the face its top is looked for: at once, and past a bevelled rim, metres for a leg of 0.9 m."""
THIN = 0.05
"""A sphere of this radius finds the top of what is thinner than the rim, metres."""
OVER = 0.05
"""So far over the highest top in reach a ray begins, and so far under a ceiling, metres."""
LOWER = 0.06
"""A top is at most this much under the place where the face was met, metres."""
SLOPE = 1e-3
UPWARD = -DOWN


class Top(NamedTuple):
    """The edge of a top on the body's line, the floor's normal there, how far behind the face the edge is, whether it
    was found by a sphere alone (it is thinner than a hand), and what was met.
    """

    edge: Triple
    normal: Triple
    behind: float
    thin: bool
    hit: Hit


def find_top(
    asker: Asker, stance: Stance, begin: Triple, face: tuple[Triple, Triple, float], sensor: Sensor,
    free: tuple[float, ...],
) -> Top | Literal["TALL", "NONE"]:  # fmt: skip
    """The top behind a face (its place, level normal, and how far off it is), or why there is none."""
    place, normal, gap = face
    size = stance.size
    start = _start(asker, stance, begin, face, sensor, free)
    if start is None:
        return "TALL"
    top, room = start
    bottom = place[2] - LOWER * size
    x, y, _ = _at(begin, normal, gap + RIM * size)
    hit = asker.down(x, y, top, bottom)
    if hit is None:
        return _thin(asker, _at(begin, normal, gap + 0.5 * RIM * size), (top, bottom), normal, begin, gap)
    if hit.normal.z >= stance.upright:
        return _edge(begin, normal, gap, 0.0, hit)
    return _bevelled(asker, stance, begin, face, (top, bottom, room), hit)


def _bevelled(
    asker: Asker, stance: Stance, begin: Triple, face: tuple[Triple, Triple, float],
    room: tuple[float, float, float], rim: Hit,
) -> Top | Literal["NONE"]:  # fmt: skip
    """The top behind a rim that is too steep to stand on."""
    _, normal, gap = face
    top, bottom, free = room
    size = stance.size
    x, y, _ = _at(begin, normal, gap + BEVEL * size)
    hit = asker.down(x, y, top, bottom) if free >= gap + BEVEL * size else None
    if hit is None or hit.normal.z < stance.upright:
        return "NONE"
    # The rim's slope, gone up to the height of the top, says where the top begins.
    rise = (rim.normal.x * normal[0] + rim.normal.y * normal[1]) / max(rim.normal.z, SLOPE)
    behind = RIM * size + (hit.position.z - rim.position.z) / max(rise, SLOPE)
    return _edge(begin, normal, gap, min(max(behind, 0.0), BEVEL * size), hit)


def _at(begin: Triple, normal: Triple, way: float) -> Triple:
    return plus(begin, scaled(normal, -way))


def _edge(begin: Triple, normal: Triple, gap: float, behind: float, hit: Hit, *, thin: bool = False) -> Top:
    x, y, _ = _at(begin, normal, gap + behind)
    # The top's slope from where it was met to its edge.
    slope = 0.0
    if hit.normal.z > SLOPE and not thin:
        dx, dy = hit.position.x - x, hit.position.y - y
        slope = (hit.normal.x * dx + hit.normal.y * dy) / hit.normal.z
    return Top((x, y, hit.position.z + slope), triple(hit.normal), behind, thin, hit)


def _thin(
    asker: Asker, at: Triple, heights: tuple[float, float], normal: Triple, begin: Triple, gap: float
) -> Top | Literal["NONE"]:
    """The top of a sheet, a rail or a panel that is thinner than the rim."""
    hit = asker.down(at[0], at[1], heights[0], heights[1], THIN)
    if hit is None or hit.position.z < heights[1]:
        return "NONE"
    return _edge(begin, normal, gap, 0.0, hit._replace(normal=UPWARD), thin=True)


def _start(
    asker: Asker, stance: Stance, begin: Triple, face: tuple[Triple, Triple, float], sensor: Sensor,
    free: tuple[float, ...],
) -> tuple[float, float] | None:  # fmt: skip
    """From how high rays go down, and how far ahead they may; None where the obstacle goes on up there."""
    place, normal, gap = face
    size = stance.size
    x, y, z = begin
    middle = z + 0.5 * stance.standing
    highest = z + sensor.reach + OVER * size
    over = asker.ray((x, y, middle), (0.0, 0.0, 1.0), highest - middle)
    if over is not None:
        highest = over.position.z - OVER * size
    needed, wanted = gap + RIM * size + 0.01, gap + BEVEL * size + 0.01
    # From the lowest row that sees over it: what is further up is something else, as over a window's sill.
    heights = [*(z + row for row in free if place[2] < z + row < highest)][:1]
    for height in (*heights, highest) if highest > place[2] else heights:
        hit = asker.ray((x, y, height), scaled(normal, -1.0), wanted)
        room = wanted if hit is None else hit.distance
        if room > needed:
            return height, room
    return None
