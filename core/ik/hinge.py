"""Two-segment limbs with a hinge in the middle, solved in closed form: one atan2, one acos, no iteration.

The hinge turns the lower segment about an axis that is fixed in the upper one. With a the upper segment, b the
lower, h the axis, and b turned by t about h:

    |tip - root|^2 = |a|^2 + |b|^2 + 2 (a.h)(b.h) + 2 (A cos t + B sin t)

with A the product of both parts square to h, and B = a . (h x b). So t = atan2(B, A) + flexion, where the cosine of
the flexion follows from the distance. This holds for any axis, also one that is not square to the limb. Flexion 0
is the farthest reach; a positive turn about the axis flexes, so the bend side is the axis's sign and nothing else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from mathutils import Quaternion, Vector

from ..space.vectors import cross
from .swing import TOLERANCE, Reach, aim, soft_distance, twist

# A rest bend under 3 degrees is noise of the modelling, not a hinge.
MIN_REST_BEND = math.radians(3.0)
MAX_FLEXION = math.radians(170.0)


@dataclass(frozen=True, slots=True)
class RestHinge:
    """The hinge axis in the root bone's basis, a unit vector; a positive turn about it flexes the limb."""

    axis: Vector

    @classmethod
    def from_rest(cls, root: Vector, mid: Vector, tip: Vector, root_basis: Quaternion) -> RestHinge | None:
        """The hinge of a bent rest pose, model space; None where it bends by less than 3 degrees."""
        axis = bend_axis(mid - root, tip - mid)
        return None if axis is None else cls(root_basis.inverted() @ axis)

    @classmethod
    def from_local_axis(cls, axis: Vector) -> RestHinge:
        """A hinge named outright in the root bone's basis."""
        if axis.length < TOLERANCE:
            raise ValueError("A hinge axis of no length was given; give the direction about which the limb flexes.")
        return cls(axis.normalized())

    @classmethod
    def from_role(cls, line: Vector, bend: Vector, root_basis: Quaternion) -> RestHinge:
        """The hinge of a limb whose rest is too straight to tell: its middle joint moves towards `bend`.

        `line` runs from root to tip. Both are model space; for a knee `bend` is the facing, for an elbow its
        opposite, for an insect's knee it is up.
        """
        return cls(root_basis.inverted() @ role_axis(line, bend))


def bend_axis(upper: Vector, lower: Vector, least: float = MIN_REST_BEND) -> Vector | None:
    """The unit axis about which `lower` is bent from `upper`; None under the `least` bend (radians)."""
    across = cross(upper, lower)
    if math.atan2(across.length, upper.dot(lower)) < least or across.length_squared == 0.0:
        return None
    return across.normalized()


def role_axis(line: Vector, bend: Vector) -> Vector:
    """The unit axis square to `line` whose positive turn moves a limb's middle joint towards `bend`.

    A `bend` along the line says nothing: then the first of up, back and left that is not along it is taken.
    """
    direction = line.normalized() if line.length_squared > 0.0 else Vector((0.0, 0.0, -1.0))
    for wish in (bend, Vector((0.0, 0.0, 1.0)), Vector((0.0, 1.0, 0.0))):
        axis = cross(wish, direction)
        if axis.length > 0.1 * wish.length > 0.0:
            return axis.normalized()
    return Vector((1.0, 0.0, 0.0))


class HingeSpan(NamedTuple):
    """How far a hinged limb's tip is from its root, as a function of its flexion: d^2 = offset + swing cos(flexion).

    `straight` is the turn from the measured segments to flexion 0 (radians).
    """

    offset: float
    swing: float
    straight: float

    @classmethod
    def measure(cls, upper: Vector, lower: Vector, axis: Vector) -> HingeSpan:
        """The span of two segments about a unit axis (all in one space)."""
        along = upper.dot(axis) * lower.dot(axis)
        cosine = upper.dot(lower) - along
        sine = upper.dot(cross(axis, lower))
        offset = upper.length_squared + lower.length_squared + 2.0 * along
        return cls(offset, 2.0 * math.hypot(cosine, sine), math.atan2(sine, cosine))

    @property
    def bends(self) -> bool:
        """False where the hinge moves nothing: a segment without length, or one along the axis."""
        return self.swing > TOLERANCE * self.offset

    def distance(self, flexion: float) -> float:
        """The distance from root to tip at a flexion."""
        return math.sqrt(max(0.0, self.offset + self.swing * math.cos(flexion)))

    def flexion(self, distance: float) -> float:
        """The flexion, 0 to pi, that gives a distance, or the nearest to it; 0 for a limb that no hinge shortens."""
        if not self.bends:
            return 0.0
        cosine = (distance * distance - self.offset) / self.swing
        return math.acos(min(1.0, max(-1.0, cosine)))


class LimbPose(NamedTuple):
    """A limb as it stands, model space. `root_basis` is the root bone's rotation."""

    root: Vector
    mid: Vector
    tip: Vector
    root_basis: Quaternion


@dataclass(frozen=True, slots=True)
class LimbLimits:
    """Least and greatest flexion (radians, 0 straightest); `softness` is the last share of the reach that eases."""

    least: float = 0.0
    greatest: float = MAX_FLEXION
    softness: float = 0.0


@dataclass(frozen=True, slots=True)
class LimbSolve:
    """Turn the lower part by `hinge_turn` about `hinge_axis` at the middle joint, then all by `root_swing` at the root.

    The axis is model space, as the limb stood before the solve.
    """

    root_swing: Quaternion
    hinge_axis: Vector
    hinge_turn: float
    reach: Reach

    def tip_after(self, pose: LimbPose) -> Vector:
        """Where the tip will be, model space."""
        lower = Quaternion(self.hinge_axis, self.hinge_turn) @ (pose.tip - pose.mid)
        return pose.root + self.root_swing @ (pose.mid - pose.root + lower)


FREE = LimbLimits()


def solve_limb(pose: LimbPose, hinge: RestHinge, goal: Vector) -> LimbSolve:
    """The turns that bring the tip to `goal` (model space), with a hinge that folds up to 170 degrees."""
    return solve_limb_with(pose, hinge, goal, FREE)


def solve_limb_with(
    pose: LimbPose, hinge: RestHinge, goal: Vector, limits: LimbLimits, mid_direction: Vector | None = None
) -> LimbSolve:
    """The turns that bring the tip to `goal` within limits, the bend side kept.

    `mid_direction` (model space) turns the limb's plane so that the middle joint heads there; without it the plane
    is the one in which the limb hangs. It is applied before the limb swings to its goal, so a goal that lines up
    with it does not flip the limb.
    """
    axis = pose.root_basis @ hinge.axis
    upper, lower = pose.mid - pose.root, pose.tip - pose.mid
    total = upper.length + lower.length
    span = HingeSpan.measure(upper, lower, axis)
    to_goal = goal - pose.root
    distance = to_goal.length
    flexion = span.flexion(soft_distance(distance, span.distance(limits.least), limits.softness))
    flexion = min(limits.greatest, max(limits.least, flexion))
    turn = span.straight + flexion
    end = upper + Quaternion(axis, turn) @ lower
    if not span.bends:
        reach = Reach.DEGENERATE
    else:
        exact = abs(span.distance(flexion) - distance) <= TOLERANCE * total
        reach = Reach.EXACT if exact else Reach.CLAMPED
    line = pose.tip - pose.root
    if line.length <= TOLERANCE * total:
        line = end
    if min(line.length, end.length) <= TOLERANCE * total or distance <= TOLERANCE * total:
        return LimbSolve(Quaternion(), axis, turn, Reach.DEGENERATE)
    line = line.normalized()
    swing = aim(line, to_goal / distance, axis)
    if mid_direction is not None:
        turned = twist(line, cross(line, axis), mid_direction)
        swing = swing if turned is None else swing @ turned
    swing = swing @ aim(end.normalized(), line, axis)
    return LimbSolve(swing, axis, turn, reach)
