"""Where a foot will stand: the place that the stride asks for, moved to what the ground offers there."""

from __future__ import annotations

from math import cos, hypot, sin, tan
from typing import Literal

from mathutils import Quaternion, Vector

from ..control.intent import Place
from ..space.vectors import triple
from ..world.probe import GroundProbe, find_ground
from ..world.world import Hit, World
from .config import GaitConfig
from .foot import UP, Foothold
from .shape import LegShape

# Where ground is missing, places closer to where the foot stands are tried: shares of the way.
RETREATS = (1.0, 0.75, 0.5, 0.25, 0.0)
UPRIGHT = (0.0, 0.0, 1.0)
LIMIT_LEG = 0.9
# Probes start this share of a leg over the foot: under a table the floor is found, under a step it is not.
START_SHARE = 0.9
# Heel and ball may differ from the slope under the ball by this share of the foot before it counts as an edge.
EDGE_SHARE = 0.2
# Toes, and a heel that has rolled, stay this share of a leg off a wall; what is lower than this share of the room that
# a heel needs is no wall to it.
WALL_ROOM, HEEL_LOW = 0.005, 0.3


class FootholdFinder:
    """Asks the ground for one character's feet; lengths of the settings scaled to its leg. Feet get onto all that their
    body gets onto: no step of up to `climbs` metres is too high.
    """

    def __init__(self, config: GaitConfig, leg_length: float, climbs: float = 0.0) -> None:
        scale = leg_length / LIMIT_LEG
        hip, step_up = START_SHARE * leg_length, max(config.step_up * scale, climbs)
        self.ground = GroundProbe(step_up, config.step_down * scale, config.walkable, 0.03 * scale, hip)
        self.tilt = config.sole_tilt
        self.edge = 0.035 * scale
        self.margin = 0.02 * scale

    def probe(self, world: World, x: float, y: float, z: float) -> Hit | None:
        """The ground under a foot that is expected at height z."""
        return find_ground(world, x, y, z, self.ground)

    def apart(self, one: Foothold, other: Foothold) -> bool:
        """True for footholds of which one is a step higher than the other."""
        return abs(one.z - other.z) > self.edge

    def find(
        self,
        world: World,
        leg: LegShape,
        place: Place,
        shift: tuple[float, float],
        slope: Vector,
        home: Foothold | None = None,
    ) -> Foothold:
        """The foothold for a leg when the body stands at `place`; `shift` (world x, y) moves it from its rest place.

        `slope` is the ground's expected rise per metre of world x and y (x, y, unused). Where no ground is in reach,
        places ever closer to `home` (where the foot stands now, else under the body) are tried, that one last; where
        there is none either, the foot keeps the expected height.
        """
        wanted = _under(leg, place, shift)
        if home is None or not home.grounded:
            home = self.floating(leg, place, (0.0, 0.0), slope)
        for share in RETREATS:
            x, y = wanted
            z = place.z + slope.x * (x - place.x) + slope.y * (y - place.y)
            heights = (z, place.z) if abs(z - place.z) > self.edge else (z,)
            if share < 1.0:
                x, y = home.x + (x - home.x) * share, home.y + (y - home.y) * share
                heights = (home.z + (z - home.z) * share, home.z)
            # Wide of the body the plane under it says little: the body's own height, or the foot's, comes second.
            for height in heights:
                hit = self.probe(world, x, y, height) or self._behind(world, leg, x, y, height, place.heading)
                if hit is not None:
                    hit = self._off_edge(world, leg, hit, place.heading)
                    ball, heel = self._ball_on_tread(world, leg, hit, place.heading)
                    ball, heel = self._off_wall(world, leg, ball, heel, place.heading)
                    return self.settle(world, leg, ball, heel, place.heading)
        return self.floating(leg, place, shift, slope)

    def floating(self, leg: LegShape, place: Place, shift: tuple[float, float], slope: Vector) -> Foothold:
        """The wanted place where there is no ground, at the height that it was expected at."""
        x, y = _under(leg, place, shift)
        z = place.z + slope.x * (x - place.x) + slope.y * (y - place.y)
        return Foothold(x, y, z, place.heading, UPRIGHT, None, False)

    def _behind(self, world: World, leg: LegShape, x: float, y: float, z: float, heading: float) -> Hit | None:
        """Ground a part of the foot's length behind a place that has none: the ball draws back from a table's edge."""
        if not leg.rolls:
            return None
        along = heading + leg.toe_out
        for share in (0.3, 0.6, 0.9):
            back = share * leg.foot_length
            hit = self.probe(world, x - sin(along) * back, y + cos(along) * back, z)
            if hit is not None:
                return hit
        return None

    def _off_edge(self, world: World, leg: LegShape, hit: Hit, heading: float) -> Hit:
        """The same ground a little further from an edge, where the ball would stand right beside one."""
        along = heading + leg.toe_out
        ahead = Vector((sin(along), -cos(along), 0.0)) * self.margin
        here = hit.position
        for way in (ahead, -ahead):
            beside = self.probe(world, here.x + way.x, here.y + way.y, here.z)
            expected = here.z + _slope_along(hit.normal, way)
            if beside is None or abs(beside.position.z - expected) > self.margin:
                other = self.probe(world, here.x - way.x, here.y - way.y, here.z)
                if other is not None and abs(other.position.z + _slope_along(hit.normal, way) - here.z) < self.margin:
                    return other
        return hit

    def _heel_behind(self, world: World, leg: LegShape, hit: Hit, ahead: Vector) -> Hit | None:
        """The ground under the heel of a foot whose ball is at `hit` and whose toes point `ahead`."""
        back = hit.position - ahead * leg.foot_length
        return self.probe(world, back.x, back.y, hit.position.z)

    def _ball_on_tread(self, world: World, leg: LegShape, hit: Hit, heading: float) -> tuple[Hit, Hit | None]:
        """The place for the ball: further back where it would hang over an edge that the heel stands on; and the
        ground under its heel.

        A foot rolls over its ball, so that is what has to stand. It moves by no more than the foot's own length.
        """
        if not leg.rolls:
            return hit, None
        along = heading + leg.toe_out
        ahead, here = Vector((sin(along), -cos(along), 0.0)), hit.position
        heel = self._heel_behind(world, leg, hit, ahead)
        if (
            heel is None
            or heel.position.z - here.z < self.edge + abs(_slope_along(hit.normal, ahead)) * leg.foot_length
        ):
            return hit, heel
        for share in (0.2, 0.4, 0.6, 0.8, 1.0):
            place = here - ahead * (share * leg.foot_length)
            found = self.probe(world, place.x, place.y, heel.position.z)
            if found is not None and abs(found.position.z - heel.position.z) < self.edge:
                found = self._off_edge(world, leg, found, heading)
                return found, self._heel_behind(world, leg, found, ahead)
        return hit, heel

    def _off_wall(
        self, world: World, leg: LegShape, ball: Hit, heel: Hit | None, heading: float
    ) -> tuple[Hit, Hit | None]:
        """The same places a little further from a riser or wall that toes would be in, or a heel that rolls; on top of
        it where that is nearer.
        """
        if not leg.rolls:
            return ball, heel
        along = heading + leg.toe_out
        ahead = Vector((sin(along), -cos(along), 0.0))
        room, way = leg.toe + WALL_ROOM * leg.length, 0.0
        close = _into_wall(world, ball, ahead, room, self.edge) if leg.toe > 0.0 else 0.0
        if close > 0.0:
            up = room - close + self.margin
            above = self.probe(world, *_beside(ball, ahead * up)) if up < close else None
            if above is not None and above.position.z > ball.position.z + self.edge:
                return above, self._heel_behind(world, leg, above, ahead)
            way = -close
        elif heel is not None:
            way = _into_wall(world, heel, -ahead, heel_room(leg), HEEL_LOW * heel_room(leg))
        moved = self.probe(world, *_beside(ball, ahead * way)) if way != 0.0 else None
        if moved is None or abs(moved.position.z - ball.position.z) > self.margin:
            return ball, heel
        return moved, self._heel_behind(world, leg, moved, ahead)

    def settle(self, world: World, leg: LegShape, hit: Hit, heel: Hit | None, heading: float) -> Foothold:
        """The foot laid on the ground around a touched place and the ground under its heel, its tilt limited."""
        if not leg.rolls:
            return _foothold(world, hit, hit.position.z, hit.position, heading, hit.normal)
        along = heading + leg.toe_out
        ahead, left = Vector((sin(along), -cos(along), 0.0)), Vector((cos(along), sin(along), 0.0))
        length, most = leg.foot_length, tan(self.tilt)
        support, z = hit, hit.position.z
        hangs: Literal["", "HEEL", "BALL"] = "HEEL"
        rise, side = _slope_along(hit.normal, ahead), _slope_along(hit.normal, left)
        if heel is not None:
            seen = (z - heel.position.z) / length
            if abs(seen - rise) * length <= max(self.edge, EDGE_SHARE * length):
                hangs = ""
                rise, side = seen, 0.5 * (side + _slope_along(heel.normal, left))
            elif seen < rise:
                # The heel stands on an edge that the ball hangs over.
                support, rise, side = heel, _slope_along(heel.normal, ahead), _slope_along(heel.normal, left)
                z = heel.position.z + rise * length
                hangs = "BALL"
        if abs(rise) > most:
            # A limited tilt leaves the lower end in the air, never the higher one in the ground.
            if rise < 0.0 and heel is not None:
                z += (-rise - most) * length
            rise = most if rise > 0.0 else -most
        side = min(max(side, -most), most)
        normal = (Vector((0.0, 0.0, 1.0)) - rise * ahead - side * left).normalized()
        return _foothold(world, support, z, hit.position, heading, normal)._replace(hangs=hangs)


def _foothold(world: World, support: Hit, z: float, at: Vector, heading: float, normal: Vector) -> Foothold:
    """A foothold whose ball is at (at.x, at.y, z), held by the surface of `support`."""
    offset = (at.x - support.position.x, at.y - support.position.y, z - support.position.z)
    return Foothold(at.x, at.y, z, heading, triple(normal), world.anchor(support), True, offset, triple(support.normal))


def heel_room(leg: LegShape) -> float:
    """How far behind where it stands a heel gets while the foot rolls over a pivot that is higher than the heel, and a
    little more.
    """
    behind, height = hypot(leg.pivot[0] - leg.heel[0], leg.pivot[1] - leg.heel[1]), leg.pivot[2] - leg.heel[2]
    return hypot(behind, height) - behind + WALL_ROOM * leg.length


def _beside(hit: Hit, way: Vector) -> tuple[float, float, float]:
    """A place a level way from a touched one."""
    return hit.position.x + way.x, hit.position.y + way.y, hit.position.z


def _into_wall(world: World, at: Hit, way: Vector, room: float, height: float) -> float:
    """How much of the room along a level way from a touched place is taken by what is higher than `height`, metres."""
    along = (way + Vector((0.0, 0.0, _slope_along(at.normal, way)))).normalized()
    wall = world.cast_ray(at.position + Vector((0.0, 0.0, height)), along, room)
    return 0.0 if wall is None else room - wall.distance


def _under(leg: LegShape, place: Place, shift: tuple[float, float]) -> tuple[float, float]:
    """World x, y of a foot's rest place under a body at `place`, moved by `shift`."""
    c, s = cos(place.heading), sin(place.heading)
    x, y = leg.ball[0], leg.ball[1]
    return place.x + c * x - s * y + shift[0], place.y + s * x + c * y + shift[1]


def _slope_along(normal: Vector, direction: Vector) -> float:
    """The rise per metre of ground with this normal along a horizontal unit direction."""
    return -(normal.x * direction.x + normal.y * direction.y) / max(normal.z, 1e-6)


def carried(world: World, foothold: Foothold) -> Foothold:
    """A foothold where its ground is now: moved, turned and tilted with the surface that it is anchored to."""
    anchor = foothold.anchor
    if anchor is None or not world.moves(anchor.surface):
        return foothold
    hit = world.locate(anchor)
    if hit is None:
        return foothold._replace(anchor=None, grounded=False)
    turn = world.turn_of(anchor.surface)
    c, s = cos(turn), sin(turn)
    ox, oy, oz = foothold.offset
    offset = (c * ox - s * oy, s * ox + c * oy, oz)
    before = Quaternion(UP, turn) @ Vector(foothold.under)
    normal = before.rotation_difference(hit.normal) @ (Quaternion(UP, turn) @ Vector(foothold.normal))
    return foothold._replace(
        x=hit.position.x + offset[0],
        y=hit.position.y + offset[1],
        z=hit.position.z + offset[2],
        heading=foothold.heading + turn,
        normal=triple(normal),
        offset=offset,
        under=triple(hit.normal),
    )
