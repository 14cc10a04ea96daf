"""Nothing under the floor: the trunk is lifted, limbs are raised, elbows swung out.

All of it follows from the pose and the floor alone, without a memory, and grows from nothing: where a pose moves
evenly, what is kept over the floor does too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import acos, atan2, hypot, inf, tau
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..ik.posed import bring_tip
from ..layers.moves_limbs import Limbs
from ..rig.edited_pose import EditedPose
from ..rig.rig import Rig
from ..space.curves import share_of, smoothstep
from ..space.vectors import cross
from .rise_floor import Floor
from .rise_points import BodyPoints, Point

UP = Vector((0.0, 0.0, 1.0))
# A middle of a limb that stands off its line by less than this share of the leg is not swung.
LEAST = 0.02
OVER = 1e-5
# A hand on its edge (sine of how its wrist's axis lies) is not laid flat, but raised. Where the back of a hand faces
# down by more than the first number (sine) it is laid on that, by less than the second on its palm.
# It turns by at most so many times what it is raised by for its length.
FLAT, PALM_UP, STEEP, ACROSS = 0.15, (-0.6, -0.2), 2.0, Vector((-1.0, 0.0, 0.0))
# A knee is raised by turning the leg as far as that points aside (sine of how far from straight down), and with the
# whole body from there on.
ASIDE = (0.35, 0.7)
# Where a knee that points straight down goes, and an elbow, beside out to its side, and by how much of its length.
FORWARD, BACK, OUT, RATHER = Vector((0.0, -1.0, 0.0)), Vector((0.0, 0.7, 0.0)), Vector((0.6, 0.0, 0.0)), 0.35
TIMES = 3
# So often what hangs is turned towards where all of it is over the floor, each time by so much at most, radians.
BENDS, MOST_BEND = 12, 0.5
# From this share of being planted on, up to all of it, an end is no longer raised.
FIRM = 0.8
# By no more than this share of the leg a planted end is raised.
LITTLE = 0.03


Run = tuple[int, list[tuple[Vector, float, int]], tuple[Vector, float, float]]
"""Points that go with one bone: of each where it is, how far over the floor, its place among all; a ball around."""


class Kept(NamedTuple):
    """What limbs are kept over at one moment: a floor, and those of the ends of limbs that have one of their own; how
    far each point may lie under it yet (metres); how much the end of each limb is planted (0 to 1).
    """

    floor: Floor
    floors: Mapping[str, Floor]
    spare: Sequence[float]
    held: Mapping[str, float]

    def under(self, role: str) -> Floor:
        """The floor under the end of a limb."""
        return self.floors.get(role, self.floor)


class FloorKeeper:
    """One rig over a floor. Immutable."""

    def __init__(self, rig: Rig, limbs: Limbs, points: BodyPoints) -> None:
        self.rig, self.limbs, self.points = rig, limbs, points
        every = points.every()
        self.places = {id(point): k for k, point in enumerate(every)}
        self.every = every
        parents = {role: rig.skeleton.bones[known.limb.bones[0]].parent for role, known in limbs.known.items()}
        self.all_ends = {role: (*points.ends[role], *points.skins[role]) for role in points.ends}
        self.above = {role: parent if parent >= 0 else rig.body for role, parent in parents.items()}
        told = (points.trunk, *points.middles.values(), *points.ends.values(), *self.all_ends.values())
        self.runs = {id(some): _runs(some, self.places) for some in told}

    def spare(self, pose: EditedPose, floor: Floor) -> tuple[float, ...]:
        """How far each point lies under where it is kept (0: it does not)."""
        return tuple(max(0.0, self._need(pose, floor, point, 0.0)) for point in self.every)

    def _need(self, pose: EditedPose, floor: Floor, point: Point, spare: float) -> float:
        at = pose.moved(point.bone) @ point.at
        return floor.height(at.x, at.y) + self.rig.floor + point.radius - spare - at.z

    def _most(self, pose: EditedPose, floor: Floor, points: Sequence[Point], spare: Sequence[float]) -> float:
        """How far the deepest of points (of the trunk, a limb's middles or its end) has to come up; 0: none has."""
        most = least = -self.rig.floor
        for bone, run, (middle, far, thick) in self.runs[id(points)]:
            moved = pose.moved(bone)
            down, level = _under(floor, moved)
            if floor.grid:
                x, y, _ = moved @ middle
                level += floor.over if floor.is_near_plane(x, y, far) else inf
            # Most bones are well over the floor: no point of theirs has to be asked.
            if level + down.dot(middle) + far * down.length + thick <= most:
                continue
            if floor.grid:
                most = _most_over_grid(floor, moved, (down, level), run, spare, most)
                continue
            for at, radius, k in run:
                left = level + down.dot(at) + radius - spare[k]
                most = left if left > most else most
        return most - least

    def lift(self, pose: EditedPose, floor: Floor, spare: Sequence[float]) -> None:
        """Bring the trunk up, with all that hangs on it."""
        up = self._most(pose, floor, self.points.trunk, spare)
        if up > 0.0:
            self.limbs.shift(pose, UP * up)

    def keep(self, pose: EditedPose, over: Kept) -> None:
        """Bring the limbs up. One that is planted keeps its end where it is, by how much it is held."""
        for _ in range(TIMES):
            # What is at the root of a limb turned with that.
            left = self._most(pose, over.floor, self.points.trunk, over.spare)
            for role in self.points.ends:
                held = over.held.get(role, 0.0)
                left = max(left, self._limb(pose, over.floor, over.under(role), over.spare, role, held))
            if left <= OVER:
                return
            # A knee over a foot that is planted takes the body with it.
            self.limbs.shift(pose, UP * left)
            for role, share in over.held.items():
                self._raise(pose, role, -left * share)

    def finish(self, pose: EditedPose, over: Kept) -> None:
        """Bring the ends of limbs up by the little that is left, once toes lie as they do.

        What is planted deep in something, as a foot on a stair may be, stays: it would leave its place.
        """
        for role, ends in self.points.ends.items():
            firm = over.held.get(role, 0.0) >= FIRM
            points = ends if firm and not self.limbs.known[role].is_hand else self.all_ends[role]
            own = over.under(role)
            up = self._most(pose, own, points, over.spare)
            if up > OVER and (not firm or up < LITTLE * self.rig.leg_length):
                self._raise(pose, role, up)
                left = self._most(pose, own, points, over.spare)
                if left > OVER and not firm:
                    # A leg that is folded as far as it goes comes up as a whole.
                    self._turn_up(pose, over.floor, role, left, -1)

    def keep_one(self, pose: EditedPose, floor: Floor, spare: Sequence[float], role: str) -> None:
        """Bring one limb up that is not planted."""
        self._limb(pose, floor, floor, spare, role, 0.0)

    def need_of(self, pose: EditedPose, floor: Floor, own: Floor, spare: Sequence[float], role: str) -> float:
        """How far the deepest of one limb has to come up, its end over a floor of its `own`, metres."""
        middle = self._most(pose, floor, self.points.middles[role], spare)
        return max(middle, self._most(pose, own, self.all_ends[role], spare))

    def _loose(self, role: str, held: float) -> float:
        """How much the end of a limb may be raised that is planted so much: all of a hand, less of a foot."""
        return 1.0 if self.limbs.known[role].is_hand else 1.0 - smoothstep(share_of(held, FIRM, 1.0))

    def _limb(
        self, pose: EditedPose, floor: Floor, own: Floor, spare: Sequence[float], role: str, held: float
    ) -> float:
        """One limb over the floor, its end over a floor of its `own`; how far its middle is left under it."""
        known = self.limbs.known[role]
        middles, firm = self.points.middles[role], smoothstep(share_of(held, FIRM, 1.0))
        share = self._loose(role, held)
        for _ in range(TIMES):
            need = self._most(pose, floor, middles, spare)
            if need > OVER and firm < 1.0:
                self._turn_up(pose, floor, role, (1.0 - firm) * need)
            if role in self.points.palms:
                self._flatten(pose, own, spare, role)
            up = self._most(pose, own, self.all_ends[role], spare) * share
            if up > OVER:
                self._raise(pose, role, up)
            elif need <= OVER:
                break
        need = self._most(pose, floor, middles, spare)
        if need > OVER and known.is_hand:
            self._swing(pose, floor, role, need)
        return max(0.0, self._most(pose, floor, middles, spare))

    def _flatten(self, pose: EditedPose, floor: Floor, spare: Sequence[float], role: str) -> None:
        """Turn a hand about its palm out of the floor, as far as it lies flat then."""
        known = self.limbs.known[role]
        place = known.place(pose)
        needs = [(self._need(pose, floor, p, spare[self.places[id(p)]]), p) for p in self.points.ends[role]]
        need, point = max(needs, key=lambda pair: pair[0])
        if need <= 0.0:
            return
        normal, own = floor.normal, pose.turn(known.end)
        way = pose.moved(point.bone) @ point.at - place
        up = min(need * normal.z, -way.dot(normal))
        lies = own @ known.touch.lying.inverted()
        # About the wrist's own axis, the back of the hand first: one that points straight down has no other.
        axis, back = lies @ ACROSS, (lies @ UP).dot(normal)
        most = hypot(way.dot(normal), cross(axis, way).dot(normal))
        much = smoothstep(share_of(most, FLAT * way.length, 3.0 * FLAT * way.length))
        if up <= 0.0 or much <= 0.0:
            return
        most = STEEP * up / way.length
        ways = [max(-most, min(most, angle)) for angle in _raised_both(axis, way, up, normal)]
        side = smoothstep(share_of(back, *PALM_UP))
        turn = Quaternion(axis, much * (side * ways[0] + (1.0 - side) * ways[1])) @ own
        bring_tip(pose, known.limb, place - turn @ (known.touch.point - known.root))
        pose.set_turn(known.end, turn)

    def _raise(self, pose: EditedPose, role: str, up: float) -> None:
        """Bring the end of a limb up, hand or foot turned as they are."""
        known = self.limbs.known[role]
        turn = pose.turn(known.end)
        bring_tip(pose, known.limb, known.limb.tip_of(pose) + UP * up)
        if known.touch.bone >= 0 and not known.detached:
            pose.set_turn(known.end, turn)

    def _turn_up(self, pose: EditedPose, floor: Floor, role: str, up: float, joint: int = 1) -> None:
        """Turn a whole limb about its root so that a joint of it comes up by so much, or as far as it is level.

        It goes up the way that it points; one that points straight down goes ahead and out to its own side.
        """
        known = self.limbs.known[role]
        joints = known.limb.joints(pose)
        way = joints[joint] - joints[0]
        normal = floor.normal
        up = min(up * normal.z, -way.dot(normal))
        ahead = BACK if known.is_hand else FORWARD
        rather = pose.moved(self.above[role]).to_quaternion() @ (ahead + OUT * known.limb.side)
        to = way + rather * (RATHER * way.length)
        axis = cross(to, normal)
        if up <= 0.0 or axis.length < 1e-6:
            return
        axis = axis.normalized()
        if not known.is_hand and joint == 1:
            flat = way - normal * way.dot(normal)
            up *= smoothstep(share_of(flat.length / way.length, *ASIDE))
        pose.turn_by(known.limb.bones[0], Quaternion(axis, _raised(axis, way, up, normal)))

    def _swing(self, pose: EditedPose, floor: Floor, role: str, need: float) -> None:
        """Turn a limb about the line from its root to its end so that its middle comes up by so much, or all it can."""
        known = self.limbs.known[role]
        joints = known.limb.joints(pose)
        line = joints[-1] - joints[0]
        if line.length <= 0.0:
            return
        line = line.normalized()
        arm = joints[1] - joints[0]
        arm -= line * arm.dot(line)
        if arm.length < LEAST * self.rig.leg_length:
            return
        normal = floor.normal
        angle = _raised(line, arm, need * normal.z, normal)
        turn = pose.turn(known.end)
        bring_tip(pose, known.limb, known.limb.tip_of(pose), swing=angle)
        if known.touch.bone >= 0 and not known.detached:
            pose.set_turn(known.end, turn)

    def bend(self, pose: EditedPose, floor: Floor, spare: Sequence[float]) -> None:
        """Turn what only hangs on the body out of the floor, from the trunk outward."""
        for points in self.points.hanging:
            for _ in range(BENDS):
                needs = [self._need(pose, floor, p, spare[self.places[id(p)]]) for p in points]
                if max(needs) <= OVER:
                    break
                bend_up(pose, points, needs, floor.normal)


def _runs(points: Sequence[Point], places: Mapping[int, int]) -> list[Run]:
    """Points by the bones that they go with."""
    groups = [(bone, list(run)) for bone, run in groupby(points, key=lambda point: point.bone)]
    return [(bone, [(p.at, p.radius, places[id(p)]) for p in run], _ball_around(run)) for bone, run in groups]


def _ball_around(points: Sequence[Point]) -> tuple[Vector, float, float]:
    """A ball that holds points, its middle and radius, and how far at most one is kept over the floor, metres."""
    middle = sum((point.at for point in points), Vector()) / len(points)
    far, thick = max((point.at - middle).length for point in points), max(point.radius for point in points)
    # Single precision: what only just touches counts.
    return middle, far * (1.0 + 1e-5) + 1e-6, thick


def _under(floor: Floor, moved: Matrix) -> tuple[Vector, float]:
    """How far points of a moved bone are under a floor's plane: what they are multiplied with, and added to."""
    level, a, b = floor.plane
    x, y, z = moved.translation
    return Vector((a, b, -1.0)) @ moved.to_3x3(), level + a * x + b * y - z


def _most_over_grid(
    floor: Floor,
    moved: Matrix,
    highest: tuple[Vector, float],
    run: Sequence[tuple[Vector, float, int]],
    spare: Sequence[float],
    most: float,
) -> float:
    """How far points of a moved bone have to come up over a grid, `most` at least. `highest` is as from `_under`, of a
    plane that the grid is nowhere over: most points that are over that are not asked.
    """
    down, level = highest
    for at, radius, k in run:
        if level + down.dot(at) + radius <= most:
            continue
        x, y, z = moved @ at
        left = floor.height(x, y) - z + radius - spare[k]
        most = left if left > most else most
    return most


def bend_up(pose: EditedPose, points: Sequence[Point], needs: Sequence[float], normal: Vector) -> None:
    """Turn a bone about its head towards where its points come up by what they need (metres, least squares)."""
    head, moved = pose.head(points[0].bone), pose.moved(points[0].bone)
    turn, square = Vector(), 0.0
    for point, need in zip(points, needs, strict=True):
        if need > 0.0:
            across = cross(moved @ point.at - head, normal)
            turn += across * need
            square += across.length_squared
    angle = min(turn.length / square, MOST_BEND) if square > 0.0 else 0.0
    if angle > 0.0:
        pose.turn_by(points[0].bone, Quaternion(turn.normalized(), angle))


def _raised(axis: Vector, way: Vector, up: float, normal: Vector) -> float:
    """The least turn about an axis (radians) that brings the end of a way so far up along a normal, or all it can."""
    a, b = way.dot(normal), cross(axis, way).dot(normal)
    most = hypot(a, b)
    top = atan2(b, a)
    return top if a + up >= most else top - (1.0 if top >= 0.0 else -1.0) * acos((a + up) / most)


def _raised_both(axis: Vector, way: Vector, up: float, normal: Vector) -> tuple[float, float]:
    """The turns about an axis, forward and backward (radians, the second is negative), that bring the end of a way so
    far up along a normal, or all they can.
    """
    a, b = way.dot(normal), cross(axis, way).dot(normal)
    most = hypot(a, b)
    top, left = atan2(b, a), acos(max(-1.0, min(1.0, (a + up) / most)))
    return (top % tau) - left, -((-top % tau) - left)
