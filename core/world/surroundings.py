"""What is ahead of a body: the only place that asks about obstacles. Any mesh will do, nothing in it is marked.

One look goes from the face (rays at knee, hip and chest, from the middle and both shoulders) to its top (rays down past
the face, a second one further in where the rim is bevelled), over it (rays down until it drops away), and to the room
there is (capsules). It says what can be done with it, or why nothing can.

Which side of a face is its front is never asked: many meshes have some turned over. What is inside of something is told
by what lies on the way there: each ray begins where one before it came without meeting anything.
"""

from __future__ import annotations

from math import cos, hypot, inf
from typing import Literal, NamedTuple

from ..space.rigid import Triple
from ..space.triples import plus, scaled
from ..space.vectors import triple
from .asking import Asked, Asker
from .crossing import Crossing, Line, cross
from .sensing import Sensor, SensorName, Stance, SurroundingsConfig
from .topping import Top, find_top
from .world import Hit, World

Verdict = Literal["NOTHING", "STEP", "VAULT", "CLIMB", "EDGE", "LOW_BAR", "REFUSED"]
"""What can be done with what is ahead. STEP: walking takes it. EDGE: it has a top, which is no place to go to."""

TOO_TALL = "It is too tall."
NO_TOP = "It has no top to hold on to."
NO_WAY_UNDER = "There is no room under it."
SHOULDER = 0.6
"""So far to the sides the shoulders are, radii."""
LEAST_LEVEL = 0.3
"""A face is at least so steep: the level part of its normal."""
LEANS, LEANS_BY = 0.2, 1.2
"""A face whose normal points up by so much leans: what its higher rows meet further in is the same face, by at most so
many metres a metre."""
RAIL = 0.2
"""Half of what lies between two rows: a sphere of it meets a rail that rays go over and under, metres."""
UNDER_EDGE = (0.06, 0.2, 0.4)
"""So far under an edge that is held its face is looked for, one after the other, metres for a leg of 0.9 m: past a
rim, and no further than a beam is thick.
"""
BEFORE = 0.03
"""So far before a face the floor is looked for that leads up to it, metres for a leg of 0.9 m."""
DRIFT = 0.5
"""So far aside the line over an obstacle may be from where the body is, metres."""
PADDED = 0.9
"""Room is asked for a body of this share of its radius: it comes as near to a wall as its radius."""


class Face(NamedTuple):
    """A face square ahead: its place on the line that the body will take, its level normal, how far the body's middle
    is from it, the line's begin (the body's place moved aside), what was met there, and how far off its foot is: of a
    wall that leans that is nearer.
    """

    place: Triple
    normal: Triple
    gap: float
    begin: Triple
    hit: Hit
    foot: float


class Surroundings(NamedTuple):
    """What a look concluded, world space. Places are None where the look did not come so far.

    `height` is the top's over the feet; `depth` how far it goes on (inf: a platform). `asked` are the rays and capsules
    of the look, where they were to be kept; `rays` and `capsules` how many there were.
    """

    verdict: Verdict = "NOTHING"
    reason: str = ""
    sensor: SensorName = "WALK"
    face: Face | None = None
    top: Top | None = None
    crossing: Crossing | None = None
    height: float = 0.0
    asked: tuple[Asked, ...] = ()
    rays: int = 0
    capsules: int = 0

    @property
    def depth(self) -> float:
        """How far its top goes on, metres."""
        return 0.0 if self.crossing is None else self.crossing.depth


def look(
    world: World, stance: Stance, name: SensorName, config: SurroundingsConfig, *, keep: bool = False,
    held: float | None = None,
) -> Surroundings:  # fmt: skip
    """Look ahead with a sensor. `keep`: all that was asked is kept, to be drawn. `held`: how high over the feet an edge
    is that the hands hold: what is further under it, as the wall behind a beam, does not count.
    """
    asker = Asker(world, [] if keep else None)
    seen = _looked(asker, stance, name, config, held)
    asked = tuple(asker.kept or ())
    return seen._replace(sensor=name, asked=asked, rays=asker.rays, capsules=asker.capsules)


def _looked(
    asker: Asker, stance: Stance, name: SensorName, config: SurroundingsConfig, held: float | None
) -> Surroundings:
    """Face, top, what is over it; and under it, where it cannot be gone over."""
    sensor, air = config.sensor(name), name == "AIR"
    if held is None:
        rows = _rows(asker, stance, sensor, config, air=air)
    else:
        rows = _under_edge(asker, stance, sensor, config, held)
    met = _nearest(asker, rows, stance, sensor, config)
    face = None if met is None else _squared(asker, stance, sensor, met, config)
    if face is None:
        return Surroundings()
    top = find_top(asker, stance, face.begin, (face.place, face.normal, face.gap), sensor, _free_rows(rows))
    if isinstance(top, str):
        seen = Surroundings("REFUSED", TOO_TALL if top == "TALL" else NO_TOP, face=face)
    else:
        seen = _over(asker, stance, face, top, name, config)
    if air or seen.verdict in {"STEP", "VAULT", "CLIMB"}:
        return seen
    return _or_under(asker, stance, rows, face, seen, config)


def _over(
    asker: Asker, stance: Stance, face: Face, top: Top, name: SensorName, config: SurroundingsConfig
) -> Surroundings:
    """What can be done with a top."""
    air = name == "AIR"
    height = top.edge[2] - stance.feet[2]
    seen = Surroundings("EDGE", face=face, top=top, height=height)
    if height <= stance.step:
        return seen._replace(verdict="STEP")
    if not air and _is_stair(asker, stance, face, top):
        return seen._replace(verdict="STEP")
    reach = config.climb_reach if air else config.sensor(name).reach
    line = Line(face.begin, face.normal, face.gap, face.foot)
    crossing = cross(asker, stance, line, top, (height, reach), config, vaults=not air)
    seen = seen._replace(crossing=crossing, reason=crossing.reason)
    if crossing.landing is not None:
        return seen._replace(verdict="VAULT")
    return seen if crossing.stand is None else seen._replace(verdict="CLIMB")


def _is_stair(asker: Asker, stance: Stance, face: Face, top: Top) -> bool:
    """True where the floor before it has come up to it by a step: a flight of stairs is walked."""
    if face.gap <= stance.radius:
        return False
    x, y, _ = plus(face.begin, scaled(face.normal, BEFORE * stance.size - face.foot))
    bottom = top.edge[2] - stance.step
    before = asker.down(x, y, face.place[2], bottom) if face.place[2] > bottom else None
    return before is not None and before.normal.z >= stance.upright


class Met(NamedTuple):
    """What one ray of a row met: how far ahead, how high over the feet the row is, from how far to the left."""

    along: float
    row: float
    aside: float
    hit: Hit | None


def _rows(asker: Asker, stance: Stance, sensor: Sensor, config: SurroundingsConfig, *, air: bool) -> list[Met]:
    """The rows of rays, from the knee up; higher ones only where the lower ones met nothing."""
    low, high = sensor.rows[:3], sensor.rows[3:]
    met = [_ray(asker, stance, sensor, row, aside) for row in low for aside in _across(stance)]
    if not air and not any(_counts(one, stance, config) for one in met):
        met += [_ray(asker, stance, sensor, row, 0.0, RAIL * stance.size) for row in low]
    for row in high:
        if any(_counts(one, stance, config) for one in met):
            break
        # From the air edges of slabs and beams count, that have no wall under them.
        thick = RAIL * stance.size if air else 0.0
        met += [_ray(asker, stance, sensor, row, aside, 0.0 if aside else thick) for aside in _across(stance)]
    return met


def _under_edge(asker: Asker, stance: Stance, sensor: Sensor, config: SurroundingsConfig, held: float) -> list[Met]:
    """The highest row under an edge that meets its face."""
    for under in UNDER_EDGE:
        row = held - under * stance.size
        met = [_ray(asker, stance, sensor, row, aside) for aside in _across(stance)]
        if any(_counts(one, stance, config) for one in met):
            return met
    return []


def _across(stance: Stance) -> tuple[float, float, float]:
    return 0.0, SHOULDER * stance.radius, -SHOULDER * stance.radius


def _ray(asker: Asker, stance: Stance, sensor: Sensor, row: float, aside: float, radius: float = 0.0) -> Met:
    (x, y, z), (ax, ay) = stance.feet, stance.ahead
    hit = asker.ray((x - ay * aside, y + ax * aside, z + row), (ax, ay, 0.0), sensor.ahead - radius, radius)
    along = inf if hit is None else (hit.position.x - x) * ax + (hit.position.y - y) * ay
    return Met(along, row, aside, hit)


def _counts(met: Met, stance: Stance, config: SurroundingsConfig) -> bool:
    """True for a face that is steep, and square enough to the way."""
    hit = met.hit
    if hit is None or hit.normal.z >= stance.upright:
        return False
    level = hypot(hit.normal.x, hit.normal.y)
    if level < LEAST_LEVEL:
        # A thin bar met from below or above by a sphere.
        return True
    return -(hit.normal.x * stance.ahead[0] + hit.normal.y * stance.ahead[1]) >= cos(config.square) * level


def _nearest(
    asker: Asker, rows: list[Met], stance: Stance, sensor: Sensor, config: SurroundingsConfig
) -> tuple[Met, float] | None:
    """The nearest face, of one that leans as high up as it goes; and how much further off that is."""
    counted = [met for met in rows if _counts(met, stance, config)]
    if not counted:
        return None
    best = min(counted, key=lambda met: met.along)
    nearest = best.along
    if best.hit is None or best.hit.normal.z <= LEANS:
        return best, 0.0
    # Of a face that leans the higher rows are further in, perhaps further than the sensor looks.
    for row in sensor.rows:
        further = LEANS_BY * (row - best.row)
        if further <= 0.0:
            continue
        met = _ray(asker, stance, sensor._replace(ahead=best.along + further), row, best.aside)
        if not _counts(met, stance, config):
            break
        best = met
    return best, best.along - nearest


def _level(hit: Hit, instead: tuple[float, float]) -> Triple:
    """The level normal of what was met, or square to the way where it has none."""
    level = hypot(hit.normal.x, hit.normal.y)
    if level < LEAST_LEVEL:
        return -instead[0], -instead[1], 0.0
    return hit.normal.x / level, hit.normal.y / level, 0.0


def _squared(
    asker: Asker, stance: Stance, sensor: Sensor, nearest: tuple[Met, float], config: SurroundingsConfig
) -> Face | None:
    """The face where the body comes to it, square: aside by what it drifts until it has turned."""
    met, leans = nearest
    assert met.hit is not None
    x, y, z = stance.feet
    nx, ny, _ = normal = _level(met.hit, stance.ahead)
    across = (-ny, nx)
    drift = 0.5 * stance.window * (stance.velocity[0] * across[0] + stance.velocity[1] * across[1])
    drift = min(max(drift, -DRIFT), DRIFT)
    at = met.hit.position
    beside = (at.x - x) * across[0] + (at.y - y) * across[1]
    for aside, radius in ((drift, 0.0), (0.0, 0.0), (beside, 0.0), (beside, 0.25 * RAIL * stance.size)):
        begin = (x + across[0] * aside, y + across[1] * aside, z)
        from_here = plus(begin, (0.0, 0.0, at.z - z))
        hit = asker.ray(from_here, scaled(normal, -1.0), sensor.ahead + stance.radius, radius)
        if hit is None:
            continue
        true = _level(hit, (-nx, -ny))
        if true[0] * nx + true[1] * ny < cos(config.square):
            continue
        gap = (begin[0] - hit.position.x) * nx + (begin[1] - hit.position.y) * ny
        # From here on all is along the wall's own normal there, which on a curved one is another.
        gap, begin = _along(begin, triple(hit.position), true, gap)
        place = (begin[0] - true[0] * gap, begin[1] - true[1] * gap, hit.position.z)
        return Face(place, true, gap, begin, hit, max(0.0, gap - leans))
    return None


def _along(begin: Triple, place: Triple, normal: Triple, gap: float) -> tuple[float, Triple]:
    """The same line along another normal: as far from the place, straight out of it."""
    x, y, _ = place
    return gap, (x + normal[0] * gap, y + normal[1] * gap, begin[2])


def _free_rows(rows: list[Met]) -> tuple[float, ...]:
    """Rows through which the middle saw nothing, from the lowest on: what is over a face may be a window."""
    return tuple(met.row for met in rows if met.aside == 0.0 and met.hit is None)


def _or_under(
    asker: Asker, stance: Stance, rows: list[Met], face: Face, seen: Surroundings, config: SurroundingsConfig
) -> Surroundings:
    """Under it, where nothing is at the knee and the hip."""
    x, y, _ = face.place
    z, (nx, ny, _) = stance.feet[2], face.normal
    low = [met.hit for met in rows if met.hit is not None and met.row < config.chest and _counts(met, stance, config)]
    if any(hit.position.z < z + config.hip for hit in low):
        return seen
    under = ((x, y, z), (x - nx * 2.0 * stance.radius, y - ny * 2.0 * stance.radius, z))
    if all(asker.fits(place, stance.low, PADDED * stance.radius) for place in under):
        return seen._replace(verdict="LOW_BAR", reason="")
    return seen._replace(reason=seen.reason or NO_WAY_UNDER)
