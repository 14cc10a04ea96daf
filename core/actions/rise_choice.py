"""By what a body gets up: the take that begins most like it lies, else the key poses for the side that is down.

How far a take is off is what is left between the body's points and the take's, on average, after the take was turned
about the vertical and moved over the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import radians
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..rig.edited_pose import EditedPose
from ..rig.rig import Leg, Rig
from ..space.inertialization import rotation_offset
from ..world.world import World
from .lying import Lie, trunk_turn
from .rise_config import RiseConfig, RiseStyle
from .rise_memory import Frame
from .rise_places import Sole, standing_place
from .rise_points import BodyPoints, Fit, fitted, places
from .rise_poses import Source

UP = Vector((0.0, 0.0, 1.0))
# Who enters a source later than at its first moment has to fit so much better for it (metres, for a 0.9 m leg).
LATER = 0.03
# A take whose trunk is turned by more than this (radians) from the body's lies on another side.
SAME_SIDE = radians(70.0)
DEPTH = 3.0


class Choice(NamedTuple):
    """A source, the time at which it is entered, how the body fits there, and what decides between two. `frame` is
    where the body will stand, `told` what is to be said of it.
    """

    source: int
    entered: float
    fit: Fit
    cost: float
    frame: Frame = Frame(0.0, 0.0, 0.0, 0.0)
    told: str = ""


class Chooser:
    """All sources of one rig. Immutable."""

    def __init__(
        self, rig: Rig, config: RiseConfig, points: BodyPoints, centre: Vector, sources: Sequence[Source]
    ) -> None:
        self.rig, self.config, self.points, self.centre, self.sources = rig, config, points, centre, tuple(sources)
        self.size = rig.leg_length / 0.9
        self.feet = [(leg.sole.ball.copy(), _sole(leg)) for leg in rig.legs]

    def chosen(self, lying: EditedPose, to_world: Matrix, lie: Lie, style: RiseStyle, world: World) -> Choice:
        """By what a body rises that lies so, and where."""
        pivot = to_world @ (lying.moved(self.rig.body) @ self.centre)
        pivot.z = dict(lie.floors).get("pelvis", pivot.z)
        flat = Vector(lie.normal).rotation_difference(UP)
        own = [flat @ (to_world @ place - pivot) for place in places(lying, self.points.compared)]
        best, told = self._taken(own, flat @ trunk_turn(self.rig, lying, to_world), style)
        if best is None:
            best = self._by_itself(own, lie, style)
        return best._replace(frame=self._frame(best.fit, pivot, flat, world), told=told)

    def _taken(self, own: Sequence[Vector], trunk: Quaternion, style: RiseStyle) -> tuple[Choice | None, str]:
        """The take that begins most like the body lies: one of the style, else any; none that is too far off.

        `trunk` is how the body's trunk is turned: a take that lies on another side is none, however near its points.
        """
        pose, found = EditedPose.rest(self.rig.skeleton), []
        for k, source in enumerate(self.sources):
            if source.is_take:
                choice = self._fit(pose, own, k, 0.0)
                turn = Quaternion(UP, choice.fit.turn) @ trunk_turn(self.rig, pose, Matrix())
                if angle(turn, trunk) <= SAME_SIDE:
                    found.append(choice)
        if not found:
            takes = any(source.is_take for source in self.sources)
            return None, "No get-up begins on that side: it gets up by itself." if takes else ""
        near = [choice for choice in found if choice.fit.distance <= self.config.fits * self.size]
        styled = [choice for choice in near if self.sources[choice.source].style == style] or near
        if styled:
            return min(styled, key=lambda choice: choice.cost), ""
        nearest = min(choice.fit.distance for choice in found)
        return None, f"No get-up begins as it lies (the nearest is {nearest:.2f} m off): it gets up by itself."

    def _by_itself(self, own: Sequence[Vector], lie: Lie, style: RiseStyle) -> Choice:
        """The key poses for how it lies, and when in them it begins."""
        pose = EditedPose.rest(self.rig.skeleton)
        keys = [(k, source) for k, source in enumerate(self.sources) if not source.is_take]
        kinds = [(k, source) for k, source in keys if source.lies == lie.lies] or keys
        styled = [(k, source) for k, source in kinds if source.style == style] or kinds
        found = [self._fit(pose, own, k, time) for k, source in styled for time in source.begins]
        return min(found, key=lambda choice: choice.cost)

    def _fit(self, pose: EditedPose, own: Sequence[Vector], k: int, time: float) -> Choice:
        source = self.sources[k]
        source.lay(pose, time)
        floor = Vector((0.0, 0.0, self.rig.floor))
        fit = fitted([place - floor for place in places(pose, self.points.compared)], own)
        later = LATER * self.size if time > source.begins[0] else 0.0
        # Of two that are alike the first.
        return Choice(k, time, fit, fit.distance + later + 1e-6 * k)

    def _frame(self, fit: Fit, pivot: Vector, flat: Quaternion, world: World) -> Frame:
        """Where the body will stand."""
        at = pivot + flat.inverted() @ Vector((fit.x, fit.y, 0.0))
        top = at.z + self.rig.leg_length
        height = world.height_below(at.x, at.y, top, DEPTH * self.rig.leg_length)
        frame = Frame(at.x, at.y, at.z if height is None else height, fit.turn)
        slope = flat.inverted() @ UP
        return standing_place(world, frame, self.rig.floor, self.feet, slope, self.rig.leg_length)


def _sole(leg: Leg) -> Sole:
    """How a foot reaches over its place as it stands."""
    along = leg.sole.toe - leg.sole.heel
    along.z = 0.0
    if leg.foot < 0 or along.length == 0.0:
        return Sole(Vector(), ())
    along = along.normalized()
    return Sole(along, [(end - leg.sole.ball).dot(along) for end in (leg.sole.heel, leg.sole.toe)])


def angle(a: Quaternion, b: Quaternion) -> float:
    """How far two rotations are apart (radians)."""
    return Vector(rotation_offset(a, b)).length
