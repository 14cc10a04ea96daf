"""Limbs of a move kept out of what is solid: an end that is inside is brought out, a knee or an elbow swung out.

Key poses know nothing of the level. What of them is inside of something comes out by the nearest way; a limb that holds
on to a surface gives by no more than it may miss it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import acos, copysign, pi
from typing import NamedTuple

from mathutils import Matrix, Quaternion, Vector

from ..ik.posed import bring_tip
from ..rig.edited_pose import EditedPose
from ..rig.pose import Ground
from ..rig.rig import Rig
from ..space.dampers import spring
from ..space.vectors import cross, triple
from ..world.world import World
from .moves_limbs import Limbs, TouchingLimb
from .moves_memory import NONE, NOWHERE, Cleared, MovesMemory

UP = Vector((0.0, 0.0, 1.0))
# What is inside by more than this share of the leg is in something else than what it goes over.
DEEPEST = 0.35
# A limb that holds gives by this share of the leg: 2 cm for a person.
GIVES = 0.022
# A knee or an elbow is swung out by at most so much (radians).
SWINGS = 1.3
# A limb is half out of the way after so long, seconds for a 0.9 m leg.
EASES = 0.03
# What moves a limb by less (metres, radians) moves it not; a middle that no turn brings out (shares of the leg) stays.
OVER, LEAST = 1e-5, 0.03
# A way out that leads so much upward comes out of a floor.
UPRIGHT = 0.7
# So often an end is brought out: what is out of one face may be in the next.
TIMES = 3
# How thick limbs are, from the line between their joints outward: upper and lower half of arms, of legs, and the trunk;
# shares of the leg.
ARM, LEG, TRUNK = (0.055, 0.05), (0.066, 0.052), 0.115
# So near before something a limb begins to give, shares of the leg: so it comes out of the way without a jolt.
SOFT, SOFT_END = 0.06, 0.02
# Where along the lower half of a limb it is looked whether it is free, and along the upper one.
LOWER, UPPER = (0.3, 0.65), (0.65,)
# Which side a middle is swung to that points straight into a wall: where it points by more than this (sine), else out.
SIDED = 0.35
# What lags may be in something by so much, shares of the leg.
SPARE = 0.013
# A wall so far from the hips is in the way of a body on the ground, shares of the leg.
NEARBY = 0.75


class Place(NamedTuple):
    """Where and when a pose is. Without a `world` nothing is in the way, and what was gives way. `walls` alone are in
    the way of a body that leaves a floor or comes down on it; on a `floor` a body lies with its skin. What is in
    by less than `spare` (metres) may stay, and nothing gives early.
    """

    ground: Ground
    world: World | None
    dt: float
    walls: bool = False
    floor: bool = False
    spare: float = 0.0


class Clear:
    """The limbs of one rig. Immutable: what changes is in a memory's rows, one a limb that is out of its way."""

    def __init__(self, rig: Rig, limbs: Limbs) -> None:
        self.limbs, self.size = limbs, rig.leg_length
        self.halflife = EASES * (rig.leg_length / 0.9) ** 0.5
        unrest = rig.skeleton.unrest
        self._points = {}
        for role, limb in limbs.known.items():
            ends = [(limb.end, limb.root), (limb.end, limb.touch.point)]
            if limb.is_hand and limb.touch.bone >= 0:
                ends.append((limb.end, Vector((0.0, rig.skeleton.bones[limb.end].length, 0.0))))
            self._points[role] = (*ends, *((bone, unrest[bone] @ point) for bone, point in limb.sole))
        hips = [leg.hip for leg in rig.legs]
        self._hips = sum(hips, Vector()) / len(hips) if hips else rig.skeleton.bones[rig.body].head
        self._trunk = (rig.body, *rig.spine, *((rig.head,) if rig.head >= 0 else ()))

    def is_near(self, pose: EditedPose, ground: Ground, world: World) -> bool:
        """True where something is so near to the hips of a body on the ground that limbs may come into it."""
        hips = world_of(ground) @ (pose.moved(self.limbs.body) @ self._hips)
        return world.nearest(hips, NEARBY * self.size) is not None

    def shift(self, pose: EditedPose, memory: MovesMemory, place: Place) -> None:
        """Bring the trunk out of what is solid, with all that hangs on it, in its own time."""
        at, out = world_of(place.ground), Vector()
        if place.world is not None:
            thick, soft = TRUNK * self.size, SOFT * self.size
            points = [pose.moved(self.limbs.body) @ self._hips, *(pose.head(i) for i in self._trunk)]
            ways = [self._way(at @ point, place, thick, soft) for point in points]
            out = max(ways, key=lambda way: way.length)
        was = next((row for row in memory.cleared if row.limb == ""), NOWHERE)
        row = self._eased(was, out, 0.0, place.dt)
        rest = tuple(row for row in memory.cleared if row.limb)
        memory.cleared = rest if row is None else (row, *rest)
        if row is not None:
            self.limbs.shift(pose, at.to_quaternion().inverted() @ Vector(row.out))

    def keep(self, pose: EditedPose, memory: MovesMemory, place: Place, held: Mapping[str, float]) -> None:
        """Bring all limbs out of what is solid, in their own time; `held` is how much each has hold of something."""
        at = world_of(place.ground)
        back = at.to_quaternion().inverted()
        before = {row.limb: row for row in memory.cleared}
        rows = [row for row in memory.cleared if not row.limb]
        for role, limb in self.limbs.known.items():
            was, out, swing, holds = before.get(role, NOWHERE), Vector(), 0.0, held.get(role, 0.0)
            if self._meets(pose, limb, at, place):
                kept = pose.held()
                out = self._out(pose, role, at, place, holds)
                swing = self._swing(pose, limb, at, place, was.swing)
                pose.take(kept, {*limb.limb.bones, limb.end})
            row = self._eased(was._replace(limb=role), out, swing, place.dt)
            if row is not None:
                out, most = Vector(row.out), self._most(holds)
                self.limbs.push(pose, role, back @ (out * (most / out.length) if out.length > most else out))
                if row.swing:
                    self._turn(pose, limb, row.swing)
                rows.append(row)
        memory.cleared = tuple(rows)

    def guard(self, pose: EditedPose, memory: MovesMemory, place: Place, held: Mapping[str, float]) -> None:
        """Bring out at once what is deeper in something than it may ever be, as a limb that lags may be."""
        at, tight = world_of(place.ground), place._replace(spare=SPARE * self.size)
        before = {row.limb: row.swing for row in memory.cleared}
        for role, limb in self.limbs.known.items():
            if self._meets(pose, limb, at, tight):
                self._out(pose, role, at, tight, held.get(role, 0.0))
                swing = self._swing(pose, limb, at, tight, before.get(role, 0.0))
                if swing:
                    self._turn(pose, limb, swing)

    def _meets(self, pose: EditedPose, limb: TouchingLimb, at: Matrix, place: Place) -> bool:
        """False for a limb that nothing is near to."""
        if place.world is None:
            return False
        joints = [*limb.limb.joints(pose), limb.place(pose), *(pose.moved(bone) @ point for bone, point in limb.sole)]
        centre = (joints[0] + joints[-1]) * 0.5
        reach = max((joint - centre).length for joint in joints) + (LEG[0] + SOFT + 0.1) * self.size
        return place.world.nearest(at @ centre, reach) is not None

    @staticmethod
    def _turn(pose: EditedPose, limb: TouchingLimb, swing: float) -> None:
        """Turn a limb about the line from its root to its end; hand or foot stay as they are."""
        turn = pose.turn(limb.end)
        bring_tip(pose, limb.limb, limb.limb.tip_of(pose), swing=swing)
        if limb.touch.bone >= 0 and not limb.detached:
            pose.set_turn(limb.end, turn)

    def _most(self, held: float) -> float:
        """How far a limb's end gives way, metres, by how much it holds."""
        return self.size * (DEEPEST + (GIVES - DEEPEST) * held)

    def _eased(self, was: Cleared, out: Vector, swing: float, dt: float) -> Cleared | None:
        """A limb on its way out of something, or back; None where it is on its own way."""
        if dt <= 0.0:
            row = Cleared(was.limb, triple(out), NONE, swing, 0.0)
        else:
            pairs = [spring(a, v, b, self.halflife, dt) for a, v, b in zip(was.out, was.speed, out, strict=True)]
            (x, u), (y, v), (z, w) = pairs
            gap = out - Vector((x, y, z))
            if gap.length > GIVES * self.size and gap.dot(out) > 0.0:
                # So deep it does not stay, however quickly it came.
                x, y, z = out - gap * (GIVES * self.size / gap.length)
            turned, turns = spring(was.swing, was.swing_speed, swing, self.halflife, dt)
            row = Cleared(was.limb, (x, y, z), (u, v, w), turned, turns)
        return row if max(*map(abs, row.out), abs(row.swing)) > OVER else None

    def _out(self, pose: EditedPose, role: str, at: Matrix, place: Place, held: float) -> Vector:
        """The way out for a limb's end, along the world's axes; the pose is left with it out."""
        back, limb = at.to_quaternion().inverted(), self.limbs.known[role]
        soft = SOFT_END * self.size * (1.0 - held)
        thick, lower = (ARM if limb.is_hand else LEG)[1] * self.size, SOFT * self.size
        most, whole = self._most(held), Vector()
        for _ in range(TIMES):
            joints = limb.limb.joints(pose)
            root, ends = at @ joints[0], [pose.model(bone) @ point for bone, point in self._points[role]]
            ways = [self._way(at @ end, place, 0.0, soft, root) for end in ends]
            if held < 0.5:
                ways += [self._way(at @ joints[-2].lerp(joints[-1], u), place, thick, lower, root) for u in LOWER]
            deepest = max(ways, key=lambda way: way.length)
            if deepest.length <= OVER:
                break
            whole += deepest
            self.limbs.push(pose, role, back @ deepest)
        return whole * (most / whole.length) if whole.length > most else whole

    def _way(self, point: Vector, place: Place, thick: float, soft: float, root: Vector | None = None) -> Vector:
        """From a point that is nearer to something than it is `thick`, or inside, to where it is free; within `soft`
        before that it begins to give. What has its `root` outside goes back the way that it came in.
        """
        if place.world is None:
            return Vector()
        hit = place.world.nearest(point, DEEPEST * self.size)
        if root is not None and (hit is None or hit.back):
            way = point - root
            entry = place.world.cast_ray(root, way.normalized(), way.length) if way.length > OVER else None
            if entry is not None and not entry.back:
                depth = (entry.position - point).dot(entry.normal)
                hit = entry._replace(position=point + entry.normal * depth, back=True) if depth > 0.0 else hit
        if hit is None:
            return Vector()
        out = hit.position - point if hit.back else point - hit.position
        gap = out.length
        way = out / gap if gap > OVER else hit.normal
        if way.z > UPRIGHT:
            if place.walls:
                return Vector()
            thick, soft = (0.0, 0.0) if place.floor else (thick, soft)
        free = (-gap if hit.back else gap) - thick + place.spare
        if place.spare:
            return way * max(0.0, -free)
        if free >= soft:
            return Vector()
        return way * (-free if free <= -soft else (soft - free) ** 2 / (4.0 * soft))

    def _swing(self, pose: EditedPose, limb: TouchingLimb, at: Matrix, place: Place, was: float) -> float:
        """How far a limb is turned about the line from its root to its end so that its middle is out (radians)."""
        joints = limb.limb.joints(pose)
        line = joints[-1] - joints[0]
        if len(joints) != 3 or line.length <= 0.0:
            return 0.0
        line = line.normalized()
        arm = joints[1] - joints[0]
        arm -= line * arm.dot(line)
        upper, lower = (thick * self.size for thick in (ARM if limb.is_hand else LEG))
        soft = SOFT * self.size
        root = at @ joints[0]
        ways = [self._way(at @ joints[1], place, max(upper, lower), soft, root)]
        ways += [self._way(at @ joints[0].lerp(joints[1], u), place, upper, soft, root) / u for u in UPPER]
        out = at.to_quaternion().inverted() @ max(ways, key=lambda way: way.length)
        if out.length <= OVER or arm.length < LEAST * self.size:
            return 0.0
        return _turned_out(line, arm, out, was, limb.limb.side)


def _turned_out(line: Vector, arm: Vector, out: Vector, was: float, side: float) -> float:
    """The turn about a line that brings the end of an arm, which stands off that line, so far out (radians)."""
    across = out - line * out.dot(line)
    if across.length < UPRIGHT * out.length:
        return 0.0
    full = arm.length * across.length / out.length
    into = arm.dot(out) / out.length
    angle = acos(max(-1.0, min(1.0, into / full)))
    wanted = acos(max(-1.0, min(1.0, (into + out.length) / full)))
    round_ = cross(line, arm)
    leads = round_.dot(across) / (arm.length * across.length)
    toward = copysign(1.0, leads)
    if abs(leads) < SIDED and into < 0.0:
        # It points straight in: out to its own side, and not to and fro.
        toward = copysign(1.0, was) if was else copysign(1.0, round_.x * side)
    turn = angle - wanted if toward * leads >= 0.0 else 2.0 * pi - angle - wanted
    return toward * min(SWINGS, turn)


def world_of(ground: Ground) -> Matrix:
    """Where model space stands in the world."""
    return Matrix.Translation(ground[:3]) @ Quaternion(UP, ground.heading).to_matrix().to_4x4()
