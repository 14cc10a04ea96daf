"""The IK of Rigify's mechanism bones in closed form: what Blender's solver arrives at with rigid bones.

A knee here is a hinge about its own X that stands at an angle to the thigh; the root turns freely. A pole sets the
turn about the line from root to tip once, with the chain folded as at rest (`up` of the root points to the pole's
side of that line); see `PoledChain` for what bending adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, atan2, copysign, cos, hypot, sin, sqrt

from mathutils import Matrix, Quaternion, Vector

LEAST = 1e-9
AXIS = Vector((1.0, 0.0, 0.0))
# A hinge that is off the root by less than this share of the chain stands square to it: bending spins nothing.
SQUARE = 1e-6
# A knee that is off the line from root to tip by this share of the chain says where the chain folds to.
BENT = 0.06
# Places in an interval of length 1 and their weights.
GAUSS = ((0.5 - sqrt(0.15), 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.5 + sqrt(0.15), 5.0 / 18.0))


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
    """Two bones to a target, turned to a pole.

    Blender turns the chain to the pole before it bends it, while the fold is still that of rest, and never after: in
    bending, the first bone swings but does not spin about the line to the tip. (Turned to the pole afterwards, a fold
    in which that line passes the first bone's own `up` would have no answer, and one on either side of it would be
    flipped.)

    joint, fold: the second bone's place and axes in the first's space at rest; X of the fold is the hinge. lever: the
    hinge seen from the root, in the fold's axes. `up` is the first bone's own direction that turns to the pole,
    `length` the second bone's. aim, bend: the rest's frame of tip and `up`, and of tip and hinge, as `frame_towards`
    has them, the one inverted, both in the first bone's space.
    """

    joint: Vector
    fold: Matrix
    lever: Vector
    up: Vector
    length: float
    aim: Matrix
    bend: Matrix

    @classmethod
    def of(cls, first: Matrix, second: Matrix, length: float, pole_angle: float) -> PoledChain:
        """From the two bones' rest matrices, the second's length, and the constraint's pole angle."""
        local = first.inverted() @ second
        joint, fold = local.to_translation(), local.to_3x3()
        lever = fold.transposed() @ joint
        up = Vector((cos(pole_angle), 0.0, sin(pole_angle)))
        tip = lever + Vector((0.0, length, 0.0))
        aim = frame_towards(fold @ tip, up).transposed()
        return cls(joint, fold, lever, up, length, aim, fold @ frame_towards(tip, AXIS))

    def _swing(self, distance: float) -> Matrix:
        """What bending from rest to a root-tip distance adds to the first bone's turn (3, 3), in its own space."""
        lever = self.lever
        reach = (distance**2 - self.joint.length_squared - self.length**2) / (2.0 * self.length)
        turn = hinge_turn(lever.y, lever.z, reach, side_of_rest(lever.y, lever.z))
        tip = Vector((lever.x, lever.y + self.length * cos(turn), lever.z + self.length * sin(turn)))
        bent = self.fold @ frame_towards(tip, AXIS)
        if abs(lever.x) > SQUARE * self.length:
            bent = bent @ Matrix.Rotation(-self._spin(turn), 3, "X")
        return self.bend @ bent.transposed()

    def _spin(self, turn: float) -> float:
        """How far the tip, seen from the root, has turned about the line to it when the hinge has turned.

        It is the integral of sin(latitude) over the longitude about the hinge's axis (three-point Gauss).
        """
        x, along, across = self.lever
        total = 0.0
        for share, weight in GAUSS:
            y, z = self.length * cos(share * turn), self.length * sin(share * turn)
            size = (along + y) ** 2 + (across + z) ** 2
            total += weight * ((along + y) * y + (across + z) * z) / max(size * sqrt(x * x + size), LEAST)
        return x * total * turn

    def root_matrix(self, root: Vector, target: Vector, pole: Vector) -> Matrix:
        """The first bone's matrix that the solver gives for a target and a pole."""
        line = target - root
        matrix = (frame_towards(line, pole - root) @ self.aim @ self._swing(line.length)).to_4x4()
        matrix.translation = root
        return matrix

    def pole_for(
        self, first: Matrix, knee: Vector, tip: Vector, distance: float, turn: float | None = None
    ) -> Vector:
        """A pole `distance` beyond the knee for which the solver gives this fold.

        Where the fold is about the hinge, that also turns the first bone as its matrix is turned. Where it is not (a
        motion of another skeleton), the knee counts; near straight, where a knee points nowhere, the turn does.
        turn: what `fold_turn` is to be, where somebody knows better than this one pose.
        """
        root = first.to_translation()
        along = (tip - root).normalized()
        out = self._out(knee - root, along)
        if turn is None:
            turn, share = self.fold_turn(first, knee, tip)
            turn *= share
        up = Quaternion(along, turn) @ self._up(first, tip)
        return root + along * (knee - root).dot(along) + up * (out.length + distance)

    def fold_turn(self, first: Matrix, knee: Vector, tip: Vector) -> tuple[float, float]:
        """How far about the line to the tip the solver has to be turned from the first bone's own turn to bring the
        knee to its place, radians; and how much the knee says about that, 0 (straight) to 1.
        """
        root = first.to_translation()
        along = (tip - root).normalized()
        out = self._out(knee - root, along)
        bent = min(out.length / (BENT * (self.joint.length + self.length)), 1.0)
        if bent <= 0.0:
            return 0.0, 0.0
        solved = self.root_matrix(root, tip, root + self._up(first, tip)) @ self.joint - root
        solved = self._out(solved, along)
        return atan2(along.dot(solved.cross(out)), solved.dot(out)), bent * bent * (3.0 - 2.0 * bent)

    def _up(self, first: Matrix, tip: Vector) -> Vector:
        """To which side of the line to the tip the pole is for which the solver turns the first bone like this."""
        line = tip - first.to_translation()
        along = line.normalized()
        up = self._out(first.to_3x3() @ (self._swing(line.length).transposed() @ self.up), along)
        if up.length < LEAST:
            up = along.orthogonal()
        return up.normalized()

    @staticmethod
    def _out(vector: Vector, along: Vector) -> Vector:
        """What of a vector is square to a line."""
        return vector - along * vector.dot(along)


@dataclass(frozen=True, slots=True)
class FollowingChain:
    """A hinge and a free bone without a pole: the lower two bones of a paw. Rest places in the carrier's frame.

    The free bone's own axis is locked in IK (`lock_ik_y`): else its turn about itself would depend on the way on which
    the solver came to the target (0.01 to 0.03 radians in a deep fold); locked, the bone turns the shortest way.
    """

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
