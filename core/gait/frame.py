"""The world as a body sees it that stands in it upright, turned to its heading."""

from __future__ import annotations

from math import atan, cos, hypot, sin

from mathutils import Quaternion, Vector

from ..control.intent import Travel
from .foot import UP, rotation_at
from .memory import FootMemory
from .rolling import Known

# What goes along its facing by this share of its speed goes ahead.
AHEAD = 0.7
X, Y = Vector((1.0, 0.0, 0.0)), Vector((0.0, 1.0, 0.0))


class FrameOfBody:
    """World places as the body's model space sees them this tick."""

    __slots__ = ("place", "unturn")

    def __init__(self, travel: Travel) -> None:
        self.place = travel.place
        self.unturn = Quaternion(UP, -travel.place.heading)

    def point(self, world: tuple[float, float, float]) -> Vector:
        """A world place (plain floats) in model space."""
        (x, y, z), (px, py, pz, _) = world, self.place
        return self.unturn @ Vector((x - px, y - py, z - pz))

    def foot(self, foot: FootMemory) -> Known:
        """A foot's ball and rotation as it is now."""
        return self.point(foot.ball), self.unturn @ Quaternion(foot.rotation)

    def target(self, foot: FootMemory) -> Known:
        """The ball and rotation that a swinging foot will have when it lands."""
        target = foot.target or foot.hold
        return self.point((target.x, target.y, target.z)), self.unturn @ rotation_at(target.heading, target.normal)


def goes_ahead(travel: Travel) -> bool:
    """True for a body that goes the way that it faces, more or less."""
    (vx, vy, _), heading = travel.velocity, travel.place.heading
    return vx * sin(heading) - vy * cos(heading) > AHEAD * hypot(vx, vy)


def direction_of(travel: Travel) -> tuple[float, float]:
    """The unit direction of travel, world x and y (0, 0 standing)."""
    vx, vy, _ = travel.velocity
    speed = hypot(vx, vy)
    return (vx / speed, vy / speed) if speed > 1e-6 else (0.0, 0.0)


def slope_vector(travel: Travel) -> Vector:
    """The ground's rise per metre of world x and y."""
    c, s = cos(travel.place.heading), sin(travel.place.heading)
    return Vector((s * travel.slope + c * travel.cross_slope, -c * travel.slope + s * travel.cross_slope, 0.0))


def split_velocity(travel: Travel) -> tuple[float, float]:
    """The direction of travel as shares ahead and to the left of the facing (0, 0 standing)."""
    vx, vy, _ = travel.velocity
    speed = hypot(vx, vy)
    if speed < 1e-6:
        return 0.0, 0.0
    c, s = cos(travel.place.heading), sin(travel.place.heading)
    return (vx * s - vy * c) / speed, (vx * c + vy * s) / speed


def tilt_of(travel: Travel) -> Quaternion:
    """The rotation of a body that lies along the ground."""
    return Quaternion(Y, -atan(travel.cross_slope)) @ Quaternion(X, -atan(travel.slope))
