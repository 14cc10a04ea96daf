"""Where a foot's parts are when it stands, rolls or swings: one small piece of geometry for planner and pose."""

from __future__ import annotations

from math import acos, asin, atan2, cos, dist, hypot, pi, sin
from typing import Literal, NamedTuple

from mathutils import Quaternion, Vector

from ..space.vectors import cross
from ..world.world import Anchor
from .shape import LegShape

UP = Vector((0.0, 0.0, 1.0))
BISECTIONS = 10
EASED_LEAN, WORST_ROLL = 0.1, 0.15
# A foot of this share of the leg, ankle to toes, is a raptor's third segment: no ankle of it is on the ground.
LONG_FOOT = 0.3
# A heel that is less than so many times as far behind the toe joint as that is high is a paw's: no calf pushes it up.
LEAST_LEVER = 1.5
# A calf pushes the ankle up by no more than this share of the leg over where it is in a flat foot, hardly further than
# to where it is highest: a foot that is long would fold the leg over it.
PUSHED_UP, PAST_CREST = 0.1, 0.25


class Foothold(NamedTuple):
    """Where a foot stands: the ball of the sole (world, plain floats), the foot's heading, the ground's normal.

    `heading` is the body's heading that the foot was placed with; its own toe-out is added by its rest pose.
    `anchor` keeps the place in moving ground's own frame; the ball is `offset` (world) from the anchored place, and
    `under` is the surface's own normal there. `grounded` is False where no ground was found; `hangs` names an
    end that is in the air over an edge that the other stands on: nothing to land on or to roll over.
    """

    x: float
    y: float
    z: float
    heading: float
    normal: tuple[float, float, float]
    anchor: Anchor | None
    grounded: bool
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    under: tuple[float, float, float] = (0.0, 0.0, 1.0)
    hangs: Literal["", "HEEL", "BALL"] = ""


def rotation_at(heading: float, normal: tuple[float, float, float]) -> Quaternion:
    """The turn from the rest pose to a foot of this heading that lies on ground with this normal."""
    yaw = Quaternion(UP, heading)
    if normal[2] > 0.999999:
        return yaw
    return UP.rotation_difference(Vector(normal)) @ yaw


def roll_axis(leg: LegShape) -> Vector:
    """The axis across the foot at rest about which a positive angle lifts the heel."""
    return Vector((cos(leg.toe_out), sin(leg.toe_out), 0.0))


class FootGeometry:
    """A leg's foot at rest as offsets from the ball of its sole, for quick use each tick."""

    __slots__ = (
        "along", "aside", "axis", "flat_tip", "forward", "heel", "length", "pivot", "pushed", "rolls", "shinned",
        "shortest", "square", "tip_from_heel", "tip_from_pivot", "upright",
    )  # fmt: skip

    def __init__(self, leg: LegShape) -> None:
        ball = Vector(leg.ball)
        self.axis = roll_axis(leg)
        self.rolls = leg.rolls
        self.forward = Vector((self.axis.y, -self.axis.x, 0.0))
        plantigrade = leg.rolls and leg.stance == "PLANTIGRADE"
        # A heel turns about the toe joint: it has to lie well behind it, or it slides as far as it rises.
        lever = (Vector(leg.pivot) - Vector(leg.heel)).dot(self.forward) >= LEAST_LEVER * (leg.pivot[2] - leg.heel[2])
        self.shinned = plantigrade and lever and dist(leg.tip, leg.pivot) < LONG_FOOT * leg.length
        self.length, self.shortest = leg.length, leg.shortest
        self.heel = Vector(leg.heel) - ball
        self.pivot = Vector(leg.pivot) - ball
        self.tip_from_pivot = Vector(leg.tip) - Vector(leg.pivot)
        self.tip_from_heel = Vector(leg.tip) - Vector(leg.heel)
        self.flat_tip = self.pivot + self.tip_from_pivot
        # Parts of the arm from pivot to tip for `pitch_to_reach`: along the roll axis, upright to it, square to both.
        self.along = self.tip_from_pivot.dot(self.axis) * self.axis
        self.upright = self.tip_from_pivot - self.along
        self.aside = cross(self.axis, self.upright)
        self.square = self.tip_from_pivot.length_squared
        self.pushed = self._pushed_up()

    def _pushed_up(self) -> float:
        """The roll to which a calf pushes the heel, whatever the gait's own."""
        behind, up = -self.tip_from_pivot.dot(self.forward), self.tip_from_pivot.z
        flat, arm = atan2(up, behind), hypot(behind, up)
        height = up + PUSHED_UP * self.length
        return pi / 2.0 + PAST_CREST - flat if height >= arm else asin(height / arm) - flat

    def tip(self, ball: Vector, rotation: Quaternion, pitch: float) -> Vector:
        """The last joint of the leg for a flat foot at `ball` with `rotation`, rolled by `pitch` (heel up positive)."""
        if pitch == 0.0:
            return ball + rotation @ self.flat_tip
        if pitch > 0.0 or not self.rolls:
            return ball + rotation @ (self.pivot + Quaternion(self.axis, pitch) @ self.tip_from_pivot)
        return ball + rotation @ (self.heel + Quaternion(self.axis, pitch) @ self.tip_from_heel)

    def heel_place(self, ball: Vector, rotation: Quaternion, pitch: float) -> Vector:
        """The heel of the sole in the same foot."""
        if pitch <= 0.0 or not self.rolls:
            return ball + rotation @ self.heel
        return ball + rotation @ (self.pivot + Quaternion(self.axis, pitch) @ (self.heel - self.pivot))

    def ball_place(self, ball: Vector, rotation: Quaternion, pitch: float) -> Vector:
        """The ball of the sole in the same foot: lifted only while the foot stands on its heel."""
        if pitch >= 0.0 or not self.rolls:
            return ball
        return ball + rotation @ (self.heel - Quaternion(self.axis, pitch) @ self.heel)

    def pitch_to_reach(self, hip: Vector, ball: Vector, rotation: Quaternion, reach: float, limit: float) -> float:
        """The least roll over the pivot (0 to `limit`) that brings the leg's tip within `reach` of the hip.

        The distance squared is a + b cos(t) + c sin(t) in the angle t, so that the answer is closed.
        """
        if not self.rolls:
            return 0.0
        a, b, c = self._distance(hip, ball, rotation)
        excess = reach * reach - a
        if b <= excess:
            return 0.0
        amplitude, phase = hypot(b, c), atan2(c, b)
        if amplitude < 1e-12:
            return 0.0
        if excess <= -amplitude:
            best = (phase + pi) % (2.0 * pi)
            return min(best, limit)
        turn = acos(max(-1.0, min(1.0, excess / amplitude)))
        first = (phase + turn) % (2.0 * pi)
        return min(first, limit)

    def _distance(self, hip: Vector, ball: Vector, rotation: Quaternion) -> tuple[float, float, float]:
        """a, b, c of the leg's tip rolled by t: its distance from the hip squared is a + b cos(t) + c sin(t)."""
        to_hip = rotation.inverted() @ (ball + rotation @ self.pivot - hip)
        a = to_hip.length_squared + self.square + 2.0 * to_hip.dot(self.along)
        return a, 2.0 * to_hip.dot(self.upright), 2.0 * to_hip.dot(self.aside)

    def pitch_to_fold(self, hip: Vector, ball: Vector, rotation: Quaternion, pitch: float) -> float:
        """The greatest roll up to `pitch` that leaves the leg's tip as far from the hip as a folded leg has it; flat
        where none does.
        """
        a, b, c = self._distance(hip, ball, rotation)
        wanted = self.shortest * self.shortest - a
        if b * cos(pitch) + c * sin(pitch) >= wanted:
            return pitch
        if b <= wanted:
            return 0.0
        return min(pitch, atan2(c, b) + acos(wanted / hypot(b, c)))

    def pitch_to_flex(self, hip: Vector, ball: Vector, rotation: Quaternion, flexion: float, limit: float) -> float:
        """The roll over the pivot (0 to `limit`) with which the shin leans over the foot by at most about `flexion`.

        Thigh and shin count as equally long. Only a foot with a heel under a shin has an answer but 0. A little roll
        may add to the lean before more takes it away: so the answer would jump, and it is eased in over EASED_LEAN.
        """
        if not self.shinned:
            return 0.0
        flat = self._lean(hip, ball, rotation, 0.0)
        if flat <= flexion - EASED_LEAN:
            return 0.0
        worst = max(flat, self._lean(hip, ball, rotation, WORST_ROLL))
        if worst <= flexion:
            return 0.0
        low, high = 0.0 if flat > flexion else WORST_ROLL, limit
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            if self._lean(hip, ball, rotation, middle) > flexion:
                low = middle
            else:
                high = middle
        return high * min(1.0, (worst - flexion) / EASED_LEAN)

    def _lean(self, hip: Vector, ball: Vector, rotation: Quaternion, pitch: float) -> float:
        """How far the shin leans forward from square over the sole, radians; the knee is before the line to the hip."""
        way = rotation.inverted() @ (hip - self.tip(ball, rotation, pitch))
        line = atan2(way.dot(self.forward), way.z)
        return line + acos(min(1.0, way.length / self.length)) - pitch
