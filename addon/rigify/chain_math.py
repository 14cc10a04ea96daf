"""The IK of Rigify's mechanism bones in closed form: what Blender's solver arrives at with rigid bones.

A knee here is a hinge about its own X that stands at an angle to the thigh; the root turns freely, and a pole sets
the turn about the line from root to tip (`up` of the root points to the pole's side of that line).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, atan2, copysign, cos, hypot, sin

from mathutils import Matrix, Quaternion, Vector

LEAST = 1e-9
# The turn of a bending chain is followed in so many steps; at one step it is off by the hinge's tilt squared.
SWING_STEPS = 4


def hinge_turn(y: float, z: float, reach: float, side: float) -> float:
    """The turn t with y cos t + z sin t = reach, on one side (+1, -1) of its extreme; the extreme if out of reach."""
    size = max(hypot(y, z), LEAST)
    return atan2(z, y) - side * acos(min(max(reach / size, -1.0), 1.0))


def side_of_rest(y: float, z: float) -> float:
    """The side for which `hinge_turn` answers 0 at rest."""
    return copysign(1.0, atan2(z, y))


def frame_towards(direction: Vector, up: Vector) -> Matrix:
    """A rotation whose axes are the direction, the normal of the plane with `up`, and the third."""
    along = direction.normalized()
    normal = along.cross(up)
    if normal.length < LEAST:
        normal = along.orthogonal()
    normal.normalize()
    return Matrix((along, normal, along.cross(normal))).transposed()


@dataclass(frozen=True, slots=True)
class PoledChain:
    """Two bones to a target, turned to a pole. joint, fold: the second bone's place and axes in the first's, at rest.

    `length` is the second bone's, `pole_angle` the constraint's. Blender turns the chain to the pole before it bends
    it, while the fold is still that of rest, and never after: in bending, the first bone swings but does not spin
    about the line to the tip. (Told by the pole afterwards, a fold in which that line passes the first bone's own
    `up` would have no answer.)
    """

    joint: Vector
    fold: Matrix
    length: float
    pole_angle: float

    @classmethod
    def of(cls, first: Matrix, second: Matrix, length: float, pole_angle: float) -> PoledChain:
        """From the two bones' rest matrices."""
        local = first.inverted() @ second
        return cls(local.to_translation(), local.to_3x3(), length, pole_angle)

    @property
    def up(self) -> Vector:
        """The first bone's own direction that turns to the pole."""
        return Vector((cos(self.pole_angle), 0.0, sin(self.pole_angle)))

    def _tip(self, turn: float) -> Vector:
        """The chain's end in the first bone's space with the hinge turned from rest."""
        return self.joint + self.fold @ Vector((0.0, self.length * cos(turn), self.length * sin(turn)))

    def _swing(self, distance: float) -> Quaternion:
        """What bending from rest to a root-tip distance adds to the first bone's turn, in its own space."""
        lever = self.fold.transposed() @ self.joint
        reach = (distance**2 - self.joint.length_squared - self.length**2) / (2.0 * self.length)
        turn = hinge_turn(lever.y, lever.z, reach, side_of_rest(lever.y, lever.z))
        swing, before = Quaternion(), self._tip(0.0)
        for step in range(1, SWING_STEPS + 1):
            tip = self._tip(turn * step / SWING_STEPS)
            swing = swing @ tip.rotation_difference(before)
            before = tip
        return swing

    def root_matrix(self, root: Vector, target: Vector, pole: Vector) -> Matrix:
        """The first bone's matrix that the solver gives for a target and a pole."""
        line = target - root
        turned = frame_towards(line, pole - root) @ frame_towards(self._tip(0.0), self.up).transposed()
        return placed_at(turned.to_quaternion() @ self._swing(line.length), root)

    def pole_for(self, first: Matrix, knee: Vector, tip: Vector, distance: float) -> Vector:
        """A pole `distance` beyond the knee for which the solver turns the first bone as this matrix is turned."""
        root = first.to_translation()
        line = tip - root
        along = line.normalized()
        up = first.to_quaternion() @ self._swing(line.length).inverted() @ self.up
        up -= along * up.dot(along)
        if up.length < LEAST:
            up = along.orthogonal()
        up.normalize()
        reached = knee - root
        share = reached.dot(along)
        return root + along * share + up * ((reached - along * share).length + distance)


@dataclass(frozen=True, slots=True)
class FollowingChain:
    """A hinge and a free bone without a pole: the lower two bones of a paw. Rest places in the carrier's frame."""

    seat: Matrix
    second: Matrix
    first_length: float
    second_length: float
    side: float

    @classmethod
    def of(cls, carrier: Matrix, bones: tuple[Matrix, Matrix], lengths: tuple[float, float]) -> FollowingChain:
        """From the rest matrices of the carrier and the two bones."""
        seat = carrier.inverted() @ bones[0]
        second = bones[0].inverted() @ bones[1]
        tip = second @ Vector((0.0, lengths[1], 0.0))
        return cls(seat, second, lengths[0], lengths[1], side_of_rest(tip.y, tip.z))

    def last_matrix(self, carrier: Matrix, target: Vector) -> Matrix:
        """The free bone's matrix when its end is at the target."""
        base = carrier @ self.seat
        local = base.inverted() @ target
        joint = self.first_length
        reach = (local.length_squared + joint**2 - self.second_length**2) / (2.0 * joint)
        turn = hinge_turn(local.y, local.z, reach, self.side)
        placed = base @ Matrix.Rotation(turn, 4, "X") @ self.second
        head = placed.to_translation()
        swing = placed.col[1].to_3d().rotation_difference(target - head)
        return placed_at(swing @ placed.to_quaternion(), head)


def tracked(matrix: Matrix, axis: Vector, target: Vector, influence: float) -> Matrix:
    """What Damped Track makes of a bone: its own axis turned the shortest way towards a place, as far as it acts."""
    head = matrix.to_translation()
    now = matrix.to_quaternion()
    full = (now @ axis).rotation_difference(target - head) @ now
    return placed_at(now.slerp(full, influence), head)


def placed_at(turn: Quaternion, place: Vector) -> Matrix:
    """A rigid matrix."""
    matrix = turn.to_matrix().to_4x4()
    matrix.translation = place
    return matrix
