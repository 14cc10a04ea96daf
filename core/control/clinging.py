"""The body as a point that clings: over floors, walls and ceilings, with a frame whose up follows the surface.

The frame is moved along with the body such that everything that plans in it sees the surface around the body unrolled:
place and heading go on as on a floor, whatever the surface does. What stands elsewhere (feet) is told how the frame has
moved. The frame's up is the mean normal around the body, so it turns over a corner while the body passes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, dist, hypot, radians, sin

from mathutils import Quaternion, Vector

from ..space.angles import facing, wrapped
from ..space.dampers import kept_share
from ..space.rigid import NO_TURN, Frame, Triple, after, between, turned
from ..space.vectors import triple
from ..world.crawl import Feeler, Trail, crawl, highest, mean_normal, touched
from ..world.probe import DOWN
from ..world.turned import Turned
from ..world.world import Anchor, Hit, World
from .config import ControlConfig
from .intent import Intent, Place, Travel
from .point import approach, stand, turn_towards

UP: Triple = (0.0, 0.0, 1.0)
# Shares of a leg, or of half the span where that is more: how far around it a body feels the surface.
AROUND, AROUND_PIECES = 1.3, 5
RISE, DEPTH = 0.15, 0.3
# Trails out of the body, radians from its heading; none is square to it: along an edge that the body passes, it would
# change at once.
TRAILS = tuple(radians(angle) for angle in (0.0, 40.0, 140.0, 180.0, 220.0, 320.0))
# Half of a change of the normal around the body is taken up within this share of its reach, or in as long as it would
# take to go there at so many legs a second.
TAKEN_UP, SLOWEST = 0.04, 0.5
# A frame that would move by less than so many metres, or turn by less than so many radians, stays as it is.
STILL = 1e-6
# Faces that differ by less than this in the cosine are one to a leg.
ONE_FACE = 0.98
NO_SURFACE = "There is no surface in reach: put it near a floor, a wall or a ceiling, or see which meshes are chosen."
NO_WAY_ON = "The surface ends here, and no other face goes on from it: turn it, or close the gap."


@dataclass(slots=True)
class Grip:
    """What a body remembers of the surface that it clings to: its frame, and the normal right under it (scene).

    `sticks_out` is how far the surface near the body is over the frame's plane, metres.
    """

    frame: Frame
    normal: Triple
    support: Anchor | None = None
    sticks_out: float = 0.0
    reason: str = ""

    def copy(self) -> Grip:
        """An independent copy: everything in it is immutable."""
        return Grip(self.frame, self.normal, self.support, self.sticks_out, self.reason)


class Unrolled(Turned):
    """The world in the frame of a body that clings: x and y count along the surface from the body's place."""

    def __init__(self, world: World, grip: Grip, place: Place, feeler: Feeler) -> None:
        super().__init__(world, Quaternion(grip.frame.turn), Vector(grip.frame.origin))
        self.grip, self.place, self.feeler = grip, place, feeler

    def at(self, x: float, y: float) -> tuple[Hit | None, bool]:
        """What is met after crawling from the body to a place of its unrolled surroundings, in this frame; and whether
        the way there was all on one face, to which the body is upright.
        """
        trail = self._trail_to(x, y)
        up = Vector(turned(self.grip.frame.turn, UP))
        flat = all(piece.normal.dot(up) > ONE_FACE for piece in trail.pieces)
        return self._seen(touched(self.world, trail, self.feeler)), flat

    def body_at(self, place: Place) -> tuple[Vector, Quaternion, float]:
        """Where a body is, and how it is turned, that has gone on to a place of the unrolled surroundings (this frame),
        and how far the surface sticks out there.
        """
        grip = self.grip
        trail = self._trail_to(place.x, place.y)
        around = AROUND_PIECES * self.feeler.step
        ahead = (
            trail.direction if trail.length > 0.0 else Vector(_laid(grip, (sin(place.heading), -cos(place.heading))))
        )
        trails = star(self.world, (trail.position, trail.normal, ahead), self.feeler, around)
        up, normal = mean_normal(trails, around), Vector(grip.normal)
        turn = trail.normal.rotation_difference(up) @ normal.rotation_difference(trail.normal)
        turn = turn @ Vector(turned(grip.frame.turn, UP)).rotation_difference(normal) @ self.rotation
        sticks_out = highest(trails, trail.position, up, around)
        return self.from_scene(trail.position), self._back @ turn @ Quaternion(UP, place.heading), sticks_out

    def _trail_to(self, x: float, y: float) -> Trail:
        here = self.place
        way = (x - here.x, y - here.y)
        return _out(self.world, self.grip, self.grip.frame.to_scene(here[:3]), way, hypot(*way), self.feeler)


@lru_cache(maxsize=64)
def feeler_of(leg: float, span: float) -> tuple[Feeler, float]:
    """How a body of this size feels, and how far around it."""
    size = max(leg, 0.5 * span)
    return Feeler(AROUND * size / AROUND_PIECES, RISE * leg, DEPTH * leg), AROUND * size


def take_hold(place: Place, config: ControlConfig, world: World) -> tuple[Travel, Grip]:
    """The body clinging to the ground under a place, to what is nearest to it where that is too far, or else to it."""
    feeler, around = feeler_of(config.leg, config.span)
    over = Vector((place.x, place.y, place.z + feeler.rise))
    hit = world.cast_ray(over, DOWN, feeler.rise + around) or world.nearest(Vector(place[:3]), around)
    if hit is None:
        standing = stand(place, config, world)
        over.z = standing.place.z + around
        hit = world.cast_ray(over, DOWN, 2.0 * around) if standing.ground else None
    if hit is None:
        travel = Travel(place, ground=False)
        return travel, Grip(Frame((0.0, 0.0, 0.0), NO_TURN), UP, reason=NO_SURFACE)
    normal = triple(hit.normal)
    frame = Frame(triple(hit.position), between(UP, normal))
    travel = Travel(Place(0.0, 0.0, 0.0, place.heading))
    grip = Grip(frame, normal, world.anchor(hit))
    here = triple(hit.position)
    _follow(grip, travel.place, here, _feel_around(grip, travel.place, here, world, (feeler, around), 0.0))
    return travel, grip


def cling(
    travel: Travel, grip: Grip, intent: Intent, config: ControlConfig, world: World, dt: float
) -> tuple[Travel, Grip]:
    """Body and grip after one tick; the intent is in the grip's frame."""
    felt = feeler_of(config.leg, config.span)
    feeler, around = felt
    place = travel.place
    heading, turn_rate = turn_towards(place.heading, travel.turn_rate, intent.facing, config, dt)
    c, s = cos(heading - place.heading), sin(heading - place.heading)
    vx, vy, _ = travel.velocity
    vx, vy = approach((c * vx - s * vy, s * vx + c * vy), intent.velocity, config, dt)
    here, grip = _ridden(grip, place, world)
    moved = Travel(place, turn_rate=turn_rate)
    way = hypot(vx, vy) * dt
    if way > 0.0:
        trail = _out(world, grip, here, (vx, vy), way, feeler)
        share = min(1.0, trail.length / way)
        grip.reason = NO_WAY_ON if share < 0.999 else ""
        hit = touched(world, trail, feeler)
        if hit is not None:
            here = _end(here, (vx * dt, vy * dt), grip, trail, hit)
            grip.normal, grip.support = triple(hit.normal), world.anchor(hit)
        vx, vy = vx * share, vy * share
    moved.velocity = (vx, vy, 0.0)
    moved.place = Place(place.x + vx * dt, place.y + vy * dt, 0.0, wrapped(heading))
    kept = kept_share(TAKEN_UP * around, max(way, SLOWEST * config.leg * dt))
    _follow(grip, moved.place, here, _feel_around(grip, moved.place, here, world, felt, kept))
    return moved, grip


def _end(here: Triple, way: tuple[float, float], grip: Grip, trail: Trail, hit: Hit) -> Triple:
    """The place at the end of a trail: on one face counted on in full precision."""
    position, normal = triple(hit.position), triple(hit.normal)
    if len(trail.pieces) > 1 or dist(normal, grip.normal) > STILL:
        return position
    dx, dy, dz = _laid(grip, (way[0], way[1]))
    x, y, z = here[0] + dx, here[1] + dy, here[2] + dz
    off = sum((p - q) * n for p, q, n in zip(position, (x, y, z), normal, strict=True))
    if abs(off) > STILL:
        x, y, z = x + off * normal[0], y + off * normal[1], z + off * normal[2]
    return x, y, z


def _laid(grip: Grip, way: tuple[float, float]) -> Triple:
    """A way in the frame's plane, laid on the face under the body (scene)."""
    turn = grip.frame.turn
    return turned(between(turned(turn, UP), grip.normal), turned(turn, (way[0], way[1], 0.0)))


def _out(world: World, grip: Grip, here: Triple, way: tuple[float, float], length: float, feeler: Feeler) -> Trail:
    """The trail from the body's place on the surface in a direction of its frame."""
    if length <= 0.0:
        return Trail(Vector(here), Vector(grip.normal), Vector((1.0, 0.0, 0.0)), 0.0, [], [])
    direction = Vector(_laid(grip, way)).normalized()
    return crawl(world, Vector(here), Vector(grip.normal), direction, length, feeler)


def star(world: World, start: tuple[Vector, Vector, Vector], feeler: Feeler, length: float) -> list[Trail]:
    """Trails to all sides of a place; `start` is the place, its normal and the direction of the first."""
    place, normal, ahead = start
    turns = [Quaternion(normal, angle) for angle in TRAILS]
    return [crawl(world, place, normal, turn @ ahead, length, feeler) for turn in turns]


def _feel_around(
    grip: Grip, place: Place, here: Triple, world: World, feeler: tuple[Feeler, float], kept: float
) -> Triple:
    """The up for the surface around a body: a share of the old one is `kept`."""
    step, around = feeler
    ahead = Vector(_laid(grip, facing(place.heading)))
    trails = star(world, (Vector(here), Vector(grip.normal), ahead), step, around)
    up = mean_normal(trails, around).lerp(Vector(turned(grip.frame.turn, UP)), kept).normalized()
    grip.sticks_out = highest(trails, Vector(here), up, around)
    return triple(up)


def _follow(grip: Grip, place: Place, here: Triple, up: Triple) -> None:
    """Move the frame so that `place` in it is `here` in the scene, and its up is `up`."""
    frame = grip.frame
    was = turned(frame.turn, UP)
    turn = frame.turn if dist(was, up) < STILL else after(between(was, up), frame.turn)
    if turn is frame.turn and dist(frame.to_scene(place[:3]), here) < STILL:
        return
    x, y, z = turned(turn, place[:3])
    grip.frame = Frame((here[0] - x, here[1] - y, here[2] - z), turn)


def _ridden(grip: Grip, place: Place, world: World) -> tuple[Triple, Grip]:
    """Where the surface has carried the body since the last tick, and its grip there (a copy)."""
    grip = grip.copy()
    support = grip.support
    now = world.locate(support) if support is not None and world.moves(support.surface) else None
    if support is None or now is None:
        return grip.frame.to_scene(place[:3]), grip
    half = 0.5 * world.turn_of(support.surface)
    grip.normal = triple(now.normal)
    grip.frame = grip.frame._replace(turn=after((cos(half), 0.0, 0.0, sin(half)), grip.frame.turn))
    here = triple(now.position)
    _follow(grip, place, here, turned(grip.frame.turn, UP))
    return here, grip
