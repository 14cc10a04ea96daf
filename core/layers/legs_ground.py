"""What the layer that puts feet on the ground asks of the world: a plane under the body, and the ground under a sole.

All in model space, upright: x to the left, -y ahead, z up.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, tan
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..world.probe import GroundProbe, find_ground, slope_under
from ..world.world import Hit
from .layer import Moment
from .legs_memory import Flat

UP = Vector((0.0, 0.0, 1.0))
# Heel and ball stand on one slope if the way from ground to ground is within so much of what both normals say.
SAME_SLOPE = 0.35
# Times ahead, seconds, at which a foot on its way looks for what it has to get over.
AHEAD = (0.03, 0.06, 0.09, 0.12)

# A foot over an edge has at least this share of its sole on what it stands on; a step is so high, in soles.
RIM, RIM_STEP = 0.95, 0.4

Slope = tuple[float, float]
"""The ground's rise per metre along x and y."""


class Plane(NamedTuple):
    """The ground under the body as a whole: height at the model's origin, and rise per metre along x and y."""

    height: float
    slope: Slope = (0.0, 0.0)

    def at(self, x: float, y: float) -> float:
        """Its height at a place."""
        return self.height + self.slope[0] * x + self.slope[1] * y


class Sight(NamedTuple):
    """What all feet share at a frame.

    `inward` turns the world's axes to the model's. `floor` is the height in model space that the pose stands on,
    `dt` 0 where all is as if it had always been so. `bounds` are metres along and across the travel,
    `uphill` is how far feet in the air go up the slope from where the pose has them (world).
    """

    moment: Moment
    inward: Matrix
    plane: Plane
    floor: float
    scale: float
    probe: GroundProbe
    dt: float
    airborne: bool
    landed: bool
    most_tilt: float
    release: float
    bounds: Flat
    hold: bool
    uphill: Flat


class Under(NamedTuple):
    """The ground under one end of a sole: its height, its own slope, and the hit (None: none that can be walked on)."""

    height: float
    slope: Slope
    hit: Hit | None


def probe_of(scale: float) -> GroundProbe:
    """What counts as ground for a leg of `scale` times 0.9 m."""
    return GroundProbe(0.35 * scale, 0.5 * scale, radius=0.03 * scale)


def plane_under(moment: Moment, floor: float, length: float, probe: GroundProbe) -> Plane:
    """The plane through the ground around the body, level at `floor` where there is none."""
    x, y, z, heading, _ = moment.ground
    fit = slope_under(moment.world, (x, y, z + floor, heading), length, probe)
    if fit is None:
        return Plane(floor)
    return Plane(fit.height - z, (fit.cross_slope, -fit.slope))


def ground_under(moment: Moment, plane: Plane, place: Vector, expected: float, probe: GroundProbe) -> Under:
    """The ground under a place, near the expected height; the plane where none can be walked on: a wall, a pit."""
    point = moment.to_world @ Vector((place.x, place.y, expected))
    hit = find_ground(moment.world, point.x, point.y, point.z, probe)
    if hit is None or hit.back:
        return Under(plane.at(place.x, place.y), plane.slope, None)
    normal = moment.to_model.to_3x3() @ hit.normal
    height = hit.position.z - moment.ground.z
    return Under(height, (-normal.x / normal.z, -normal.y / normal.z), hit)


def highest_ahead(
    moment: Moment,
    plane: Plane,
    place: Vector,
    velocity: Vector,
    probe: GroundProbe,
    climb: float,
    times: Sequence[float] = AHEAD,
) -> float:
    """How high a foot on its way must keep by now, that climbs at most `climb` m/s; very low where nothing is ahead.

    `place` is where its ground is now; it goes on with its velocity (model space), and the ground is expected to go on
    as the plane does.
    """
    rise = plane.slope[0] * velocity.x + plane.slope[1] * velocity.y
    highest = -1.0e9
    for time in times:
        expected = place.z + rise * time
        point = moment.to_world @ Vector((place.x + velocity.x * time, place.y + velocity.y * time, expected))
        reach = probe.up_reach + probe.down_reach
        height = moment.world.height_below(point.x, point.y, point.z + probe.up_reach, reach)
        if height is not None:
            highest = max(highest, height - moment.ground.z - max(climb, rise) * time)
    return highest


def slope_of_sole(heel: Vector, ball: Vector, under: tuple[Under, Under], *, on_heel: bool) -> Slope:
    """How the ground lies under a sole: along it from ground to ground, across it by the normals.

    Where heel and ball are over an edge, it is how the ground lies under the one that stands.
    """
    first, second = under
    if first.hit is None or second.hit is None:
        return (second if first.hit is None else first).slope
    run = hypot(ball.x - heel.x, ball.y - heel.y)
    mean = (0.5 * (first.slope[0] + second.slope[0]), 0.5 * (first.slope[1] + second.slope[1]))
    if run < 0.5 * (ball - heel).length:
        return mean
    ux, uy = (ball.x - heel.x) / run, (ball.y - heel.y) / run
    along = (second.height - first.height) / run
    own = [ux * gx + uy * gy for gx, gy in (first.slope, second.slope)]
    if not min(own) - SAME_SLOPE <= along <= max(own) + SAME_SLOPE:
        return (first if on_heel else second).slope
    across = ux * mean[1] - uy * mean[0]
    return along * ux - across * uy, along * uy + across * ux


def beyond_rim(moment: Moment, ends: tuple[Vector, Vector], under: tuple[Under, Under], *, on_heel: bool) -> Vector:
    """How far a foot must go along itself so that it does not stand on its last bit, model space; 0 where it need not.

    `ends` are heel and ball on their grounds. Over the edge of a step one end stands, and the other one hangs over
    what is lower.
    """
    stands, hangs = (0, 1) if on_heel else (1, 0)
    sole = ends[hangs] - ends[stands]
    sole.z = 0.0
    low, high = under[hangs].height, under[stands].height
    slope = under[stands].slope
    if sole.length < 1e-6 or high + slope[0] * sole.x + slope[1] * sole.y - low < RIM_STEP * sole.length:
        return Vector()
    inside, outside = 0.0, 1.0
    for _ in range(5):
        middle = 0.5 * (inside + outside)
        expected = high + middle * (slope[0] * sole.x + slope[1] * sole.y)
        point = moment.to_world @ Vector((*(ends[stands] + sole * middle).xy, expected + 0.1 * sole.length))
        drop = moment.world.height_below(point.x, point.y, point.z, 0.3 * sole.length)
        inside, outside = (inside, middle) if drop is None else (middle, outside)
    return -sole * max(0.0, RIM - inside)


def limited(slope: Slope, angle: float) -> Slope:
    """A slope held under an angle."""
    rise, most = hypot(*slope), tan(angle)
    return slope if rise <= most else (slope[0] * most / rise, slope[1] * most / rise)


def towards(slope: Slope, goal: Slope, step: float) -> Slope:
    """A slope after it has gone to another by at most `step`."""
    dx, dy = goal[0] - slope[0], goal[1] - slope[1]
    way = hypot(dx, dy)
    return goal if way <= step else (slope[0] + dx * step / way, slope[1] + dy * step / way)


def laid_on(slope: Slope) -> Quaternion:
    """The turn that lays something level on a slope, without turning it about the upright."""
    if slope == (0.0, 0.0):
        return Quaternion()
    return UP.rotation_difference(Vector((-slope[0], -slope[1], 1.0)).normalized())
