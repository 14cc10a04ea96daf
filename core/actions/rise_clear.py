"""Nothing under the floor: the trunk is lifted, limbs are raised, elbows swung out.

All of it follows from the pose and the floor alone, without a memory, and grows from nothing: where a pose moves
evenly, what is kept over the floor does too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import acos, atan2, hypot

from mathutils import Quaternion, Vector

from ..ik.posed import bring_tip
from ..layers.moves_limbs import Limbs
from ..layers.moves_touching import Goal
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
# Where a knee that points straight down goes, and an elbow, beside out to its side, and by how much of its length.
FORWARD, BACK, OUT, RATHER = Vector((0.0, -1.0, 0.0)), Vector((0.0, 0.7, 0.0)), Vector((0.6, 0.0, 0.0)), 0.35
TIMES = 2
# From this share of being planted on, up to all of it, an end is no longer raised.
FIRM = 0.8


class FloorKeeper:
    """One rig over a floor. Immutable."""

    def __init__(self, rig: Rig, limbs: Limbs, points: BodyPoints) -> None:
        self.rig, self.limbs, self.points = rig, limbs, points
        every = points.every()
        self.places = {id(point): k for k, point in enumerate(every)}
        self.every = every
        parents = {role: rig.skeleton.bones[known.limb.bones[0]].parent for role, known in limbs.known.items()}
        self.above = {role: parent if parent >= 0 else rig.body for role, parent in parents.items()}

    def spare(self, pose: EditedPose, floor: Floor) -> tuple[float, ...]:
        """How far each point lies under where it is kept (0: it does not)."""
        return tuple(max(0.0, self._need(pose, floor, point, 0.0)) for point in self.every)

    def _need(self, pose: EditedPose, floor: Floor, point: Point, spare: float) -> float:
        at = pose.moved(point.bone) @ point.at
        return floor.height(at.x, at.y) + self.rig.floor + point.radius - spare - at.z

    def _most(self, pose: EditedPose, floor: Floor, points: Sequence[Point], spare: Sequence[float]) -> float:
        """How far the deepest of points has to come up."""
        left = (self._need(pose, floor, p, spare[self.places[id(p)]]) for p in points)
        return max(left, default=0.0)

    def lift(self, pose: EditedPose, floor: Floor, spare: Sequence[float]) -> None:
        """Bring the trunk up, with all that hangs on it."""
        up = self._most(pose, floor, self.points.trunk, spare)
        if up > 0.0:
            self.limbs.shift(pose, UP * up)

    def keep(self, pose: EditedPose, floor: Floor, spare: Sequence[float], goals: Sequence[Goal]) -> None:
        """Bring the limbs up. One that is planted keeps its end where it is, as far as it is."""
        held = {goal.limb: goal.share for goal in goals}
        self._hands(pose, floor, spare)
        for _ in range(TIMES):
            left = 0.0
            for role in self.points.ends:
                left = max(left, self._limb(pose, floor, spare, role, held.get(role, 0.0)))
            if left <= OVER:
                break
            # A knee over a foot that is planted takes the body with it.
            self.limbs.shift(pose, UP * left)
            self.limbs.bring(pose, goals)

    def _hands(self, pose: EditedPose, floor: Floor, spare: Sequence[float]) -> None:
        """Turn hands about their palm out of the floor, as far as they lie flat then."""
        for role, known in self.limbs.known.items():
            if role not in self.points.palms:
                continue
            point = min(self.points.ends[role], key=lambda point: (pose.moved(point.bone) @ point.at).z)
            place, low = known.place(pose), pose.moved(point.bone) @ point.at
            way = low - place
            up = min(self._need(pose, floor, point, spare[self.places[id(point)]]), -way.z)
            axis = cross(way, UP)
            if up <= 0.0 or axis.length < 1e-6:
                continue
            axis = axis.normalized()
            turn = Quaternion(axis, _raised(axis, way, up)) @ pose.turn(known.end)
            bring_tip(pose, known.limb, place - turn @ (known.touch.point - known.root))
            pose.set_turn(known.end, turn)

    def _limb(self, pose: EditedPose, floor: Floor, spare: Sequence[float], role: str, held: float) -> float:
        """One limb over the floor; how far its middle is left under it."""
        middles = self.points.middles[role]
        need = self._most(pose, floor, middles, spare)
        firm = smoothstep(share_of(held, FIRM, 1.0))
        if need > 0.0 and firm < 1.0:
            self._turn_up(pose, role, (1.0 - firm) * need)
        up = self._most(pose, floor, self.points.ends[role], spare) * (1.0 - firm)
        if up > 0.0:
            self._raise(pose, role, up)
        need = self._most(pose, floor, middles, spare)
        if need > OVER and self.limbs.known[role].is_hand:
            self._swing(pose, role, need)
        return max(0.0, self._most(pose, floor, middles, spare))

    def _raise(self, pose: EditedPose, role: str, up: float) -> None:
        """Bring the end of a limb up, hand or foot turned as they are."""
        known = self.limbs.known[role]
        turn = pose.turn(known.end)
        bring_tip(pose, known.limb, known.limb.tip_of(pose) + UP * up)
        if known.touch.bone >= 0 and not known.detached:
            pose.set_turn(known.end, turn)

    def _turn_up(self, pose: EditedPose, role: str, up: float) -> None:
        """Turn a whole limb about its root so that its middle comes up by so much, or as far as it is level.

        It goes up the way that it points; one that points straight down goes ahead and out to its own side.
        """
        known = self.limbs.known[role]
        joints = known.limb.joints(pose)
        way = joints[1] - joints[0]
        up = min(up, -way.z)
        ahead = BACK if known.is_hand else FORWARD
        rather = pose.moved(self.above[role]).to_quaternion() @ (ahead + OUT * known.limb.side)
        to = Vector((way.x, way.y, 0.0)) + Vector((rather.x, rather.y, 0.0)) * (RATHER * way.length)
        if up <= 0.0 or to.length < 1e-6:
            return
        axis = cross(to, UP).normalized()
        pose.turn_by(known.limb.bones[0], Quaternion(axis, _raised(axis, way, up)))

    def _swing(self, pose: EditedPose, role: str, need: float) -> None:
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
        angle = _raised(line, arm, need)
        turn = pose.turn(known.end)
        bring_tip(pose, known.limb, known.limb.tip_of(pose), swing=angle)
        if known.touch.bone >= 0 and not known.detached:
            pose.set_turn(known.end, turn)


def _raised(axis: Vector, way: Vector, up: float) -> float:
    """The least turn about an axis (radians) that brings the end of a way so far up, or as far as it comes."""
    a, b = way.z, cross(axis, way).z
    most = hypot(a, b)
    top = atan2(b, a)
    return top if a + up >= most else top - (1.0 if top >= 0.0 else -1.0) * acos((a + up) / most)


def left_of(spare: Sequence[float], share: float) -> tuple[float, ...]:
    """What is left of how points lay under where they are kept, when so much of the way is done."""
    rest = max(0.0, 1.0 - share)
    return tuple(value * rest for value in spare)


def heights(pose: EditedPose, floor: Floor, points: Mapping[str, Sequence[Point]], base: float) -> dict[str, float]:
    """How high the lowest of each part's points is over the floor, metres."""
    found = {}
    for role, rows in points.items():
        places = [pose.moved(point.bone) @ point.at for point in rows]
        found[role] = min(at.z - base - floor.height(at.x, at.y) for at in places)
    return found
