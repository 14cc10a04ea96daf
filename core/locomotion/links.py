"""Moves as links from place to place: where walking ends, what a vault, a climb, a slide, a drop or a jump would reach.

Obstacles are asked of area awareness itself, from where the body would stand: a link is what the press would do there.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, sqrt
from typing import TYPE_CHECKING, Literal, NamedTuple

from mathutils import Vector

from ..control.movement import MovementConfig
from ..space.rigid import Triple
from ..space.vectors import triple
from ..world.cells import Cells
from ..world.sensing import Stance
from ..world.surroundings import PADDED, Face, Surroundings, look
from .slide import slide_way

if TYPE_CHECKING:
    from .config import ParkourConfig

LegKind = Literal["WALK", "VAULT", "CLIMB", "GRAB", "HANG", "SLIDE", "DROP", "JUMP"]
"""How a leg of a way is gone. GRAB: by a jump at a wall, climbed from the air; HANG: from an edge that it hangs on."""
NEAR_APEX = 0.1
"""A top is grabbed that is at least so far under what the hands reach at the top of a jump, metres for a 0.9 m leg."""
EASY = 0.85
"""A gap is jumped that needs no more than this share of the body's speed."""
ARC = (0.2, 0.4, 0.6, 0.8)
"""Shares of a jump at which room for the body is asked."""
LIES = 0.35
"""A wall ends a slide that stands so high over its floor, of the height of a body that slides."""
BESIDE = 0.1
"""So far past an edge, more than its radius, a body comes down that lets itself down there, metres for a 0.9 m leg."""


class Link(NamedTuple):
    """A move from a place to another."""

    kind: LegKind
    end: Triple
    cost: float


@dataclass(frozen=True, slots=True)
class Mover:
    """Who moves: its shape, what its states can do (`config`, with the numbers of all), how fast it can be on the
    ground; `reads` is whether it vaults, climbs and hangs at all.
    """

    movement: MovementConfig
    config: ParkourConfig
    speed: float
    reads: bool

    @property
    def size(self) -> float:
        """Against a person with legs of 0.9 m."""
        return self.movement.radius / MovementConfig().radius

    @property
    def apex(self) -> float:
        """How high it jumps."""
        return self.movement.take_off**2 / (2.0 * self.movement.gravity) if self.movement.gravity > 0.0 else 0.0

    def flight(self, rise: float) -> float:
        """How long a jump takes to come down at a height over where it began; 0 where it does not come so high."""
        gravity, up = self.movement.gravity, self.movement.take_off
        under = up * up - 2.0 * gravity * rise
        return (up + sqrt(under)) / gravity if gravity > 0.0 and under >= 0.0 and up > 0.0 else 0.0

    def stance(self, feet: Triple, ahead: tuple[float, float], velocity: tuple[float, float] = (0.0, 0.0)) -> Stance:
        """It as one who looks."""
        movement = self.movement
        return Stance(
            feet, ahead, velocity, self.config.machine.window, movement.radius, movement.height(crouched=False),
            max(self.config.slide.height, 2.0 * movement.radius), movement.upright, movement.highest_step,
        )  # fmt: skip


def links_from(cells: Cells, mover: Mover, place: Triple, ahead: tuple[float, float]) -> list[Link]:
    """What there is in a direction in which no walking leads on."""
    x, y, z = place
    reach = cells.size + mover.movement.radius
    chest = Vector((x, y, z + mover.movement.highest_step + 0.1 * mover.size))
    wall = cells.world.cast_ray(chest, Vector((*ahead, 0.0)), reach + cells.size)
    found = [] if not mover.reads else _over(cells, mover, place, ahead)
    if wall is None and not found:
        found = [*_down(cells, mover, place, ahead), *_across(cells, mover, place, ahead)]
    return found


def _over(cells: Cells, mover: Mover, place: Triple, ahead: tuple[float, float]) -> list[Link]:
    """Over what is ahead, or onto it."""
    numbers = mover.config.autopilot
    seen = look(cells.world, mover.stance(place, ahead), "SPRINT", mover.config.surroundings)
    crossing = seen.crossing
    if seen.verdict == "VAULT" and crossing is not None and crossing.landing is not None:
        end = crossing.landing.place
        return [Link("VAULT", end, numbers.vault_costs + _way(place, end))]
    if seen.verdict == "CLIMB" and crossing is not None and crossing.stand is not None:
        end = crossing.stand.place
        return [Link("CLIMB", end, numbers.climb_costs * seen.height + _way(place, end))]
    if seen.verdict == "LOW_BAR" and seen.face is not None:
        return _under(cells, mover, place, seen.face)
    return _grabbed(cells, mover, place, seen) if seen.verdict in {"REFUSED", "EDGE"} else []


def _under(cells: Cells, mover: Mover, place: Triple, face: Face) -> list[Link]:
    """Under a bar, to the first place behind it where it can stand up: with floor, and room for a body that slides, as
    far as the slide may lead, or to a wall that ends it.
    """
    if mover.speed < mover.config.slide.starts_from:
        return []
    (nx, ny, _), (x, y, _) = face.normal, face.place
    here, end = Vector((x + nx * face.gap, y + ny * face.gap, place[2])), None
    pace, count = 0.5 * cells.size, round(slide_way(mover.config.slide, mover.speed) / (0.5 * cells.size))
    for k in range(count):
        there = _slid_on(cells, mover, here, Vector((x - nx * k * pace, y - ny * k * pace)))
        if there is None:
            return []
        if there is here:
            break
        here = there
        if end is None and k * pace > mover.movement.radius and cells.fits(triple(here)):
            end = triple(here)
    return [] if end is None else [Link("SLIDE", end, mover.config.autopilot.slide_costs + _way(place, end))]


def _slid_on(cells: Cells, mover: Mover, here: Vector, at: Vector) -> Vector | None:
    """The floor at a spot of the plan that a body slides on to, `here` where a wall keeps it, None where it falls or
    is stuck.
    """
    radius, low = PADDED * mover.movement.radius, max(mover.config.slide.height, 2.0 * mover.movement.radius)
    way = Vector((at.x - here.x, at.y - here.y, 0.0))
    lying = here + Vector((0.0, 0.0, LIES * low))
    if cells.world.cast_ray(lying, way.normalized(), way.length + radius) is not None:
        return here
    floor = cells.floor(at.x, at.y, here.z + LIES * low, here.z - mover.movement.stick)
    if floor is None:
        return None
    high = floor.position.z + low - radius
    fits = cells.world.capsule_fits(
        Vector((at.x, at.y, min(floor.position.z + 2.0 * radius, high))), Vector((at.x, at.y, high)), radius
    )
    return Vector((at.x, at.y, floor.position.z)) if fits else None


def _grabbed(cells: Cells, mover: Mover, place: Triple, seen: Surroundings) -> list[Link]:
    """Onto what is too high to be climbed from the ground: by a jump at it."""
    config, face, radius = mover.config, seen.face, mover.movement.radius
    apex, margin = mover.apex, NEAR_APEX * mover.size
    if face is None or apex <= 0.0:
        return []
    highest = place[2] + apex + config.surroundings.hang_reach - margin
    lowest = place[2] + config.surroundings.sprint_reach
    inward = radius + BESIDE * mover.size
    x, y = face.place[0] - face.normal[0] * inward, face.place[1] - face.normal[1] * inward
    end = cells.stands(x, y, highest, lowest)
    if end is None or not _rises(cells, mover, place, end[2]):
        return []
    height = end[2] - place[2]
    hangs = height > apex + config.surroundings.climb_reach - margin
    if hangs and height - apex < config.hang.lowest:
        return []
    cost = config.autopilot.grab_costs + config.autopilot.climb_costs * height + _way(place, end)
    return [Link("HANG" if hangs else "GRAB", end, cost)]


def _rises(cells: Cells, mover: Mover, place: Triple, top: float) -> bool:
    """True where nothing is over a body that jumps up at a wall, nor over the edge that it comes to."""
    x, y, z = place
    radius, height = 0.9 * mover.movement.radius, mover.movement.height(crouched=False)
    low = z + mover.movement.highest_step + radius
    high = max(low, min(z + mover.apex, top) + height - radius)
    return cells.world.capsule_fits(Vector((x, y, low)), Vector((x, y, high)), radius)


def _down(cells: Cells, mover: Mover, place: Triple, ahead: tuple[float, float]) -> list[Link]:
    """Down an edge: walked off, to the first floor past it that is lower."""
    x, y, z = place
    deepest = mover.config.autopilot.deepest
    edge: float | None = None
    for k in range(1, 7):
        way = k * 0.5 * cells.size
        hit = cells.world.cast_ray(
            Vector((x + ahead[0] * way, y + ahead[1] * way, z + 0.1 * mover.size)), Vector((0.0, 0.0, -1.0)),
            deepest + 0.1 * mover.size,
        )  # fmt: skip
        if hit is None or hit.position.z < z - mover.movement.stick:
            edge = way
            break
    if edge is None:
        return []
    out = edge + mover.movement.radius + BESIDE * mover.size
    at = x + ahead[0] * out, y + ahead[1] * out
    end = cells.stands(*at, z - 0.5 * mover.movement.stick, z - deepest)
    if end is None or not _clear_above(cells, mover, end, z):
        return []
    return [Link("DROP", end, mover.config.autopilot.drop_costs + 0.5 * (z - end[2]) + _way(place, end))]


def _clear_above(cells: Cells, mover: Mover, end: Triple, level: float) -> bool:
    x, y, z = end
    radius, height = 0.9 * mover.movement.radius, mover.movement.height(crouched=False)
    low = z + mover.movement.highest_step + radius
    return cells.world.capsule_fits(Vector((x, y, low)), Vector((x, y, max(low, level + height - radius))), radius)


def _across(cells: Cells, mover: Mover, place: Triple, ahead: tuple[float, float]) -> list[Link]:
    """Over a gap: to the nearest floor past it that a jump reaches, with room on its whole way."""
    x, y, z = place
    speed, deepest = EASY * mover.speed, mover.config.autopilot.deepest
    farthest = speed * mover.flight(-deepest)
    gap, way = False, cells.size
    while way <= farthest:
        at = x + ahead[0] * way, y + ahead[1] * way
        found = cells.stands(*at, z + 0.8 * mover.apex, z - deepest)
        if found is None or found[2] < z - mover.movement.stick:
            gap = True
        if found is not None and gap and way > 2.0 * cells.size and found[2] > z - 0.5 * deepest:
            end = _landed(cells, mover, place, ahead, way, found)
            if end is not None:
                return [Link("JUMP", end, mover.config.autopilot.jump_costs + way)]
        way += cells.size
    return []


def _landed(
    cells: Cells, mover: Mover, place: Triple, ahead: tuple[float, float], way: float, found: Triple
) -> Triple | None:
    """Where a jump ends that comes down on a floor: a little in from its edge, if it comes so far, and has room."""
    x, y, z = place
    further = way + 0.5 * cells.size
    inner = cells.stands(x + ahead[0] * further, y + ahead[1] * further, found[2] + 0.3, found[2] - 0.3)
    end, far = (found, way) if inner is None else (inner, further)
    time = mover.flight(end[2] - z)
    if time <= 0.0 or far / time > EASY * mover.speed:
        return None
    up, gravity = mover.movement.take_off, mover.movement.gravity
    for share in ARC:
        t = share * time
        spot = (x + ahead[0] * far * share, y + ahead[1] * far * share, z + up * t - 0.5 * gravity * t * t)
        if not _has_room(cells, mover, spot):
            return None
    return end


def _has_room(cells: Cells, mover: Mover, feet: Triple) -> bool:
    x, y, z = feet
    radius, height = 0.9 * mover.movement.radius, mover.movement.height(crouched=False)
    return cells.world.capsule_fits(
        Vector((x, y, z + radius + 0.05 * mover.size)), Vector((x, y, z + height - radius)), radius
    )


def _way(a: Triple, b: Triple) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def landing(seen: Surroundings) -> Triple | None:
    """Where what was seen would end: behind a vault, or on a top."""
    if seen.crossing is None:
        return None
    spot = seen.crossing.landing if seen.verdict == "VAULT" else seen.crossing.stand
    return None if spot is None else triple(Vector(spot.place))
