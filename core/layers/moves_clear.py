"""Limbs of a move kept out of what is solid: an end that is inside is brought out, a knee or an elbow swung out.

Key poses know nothing of the level. What of them is inside of something comes out by the nearest way; a limb that holds
on to a surface gives by no more than it may miss it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import asin, copysign
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
SWINGS = 1.0
# A limb is half out of the way after so long, seconds for a 0.9 m leg.
EASES = 0.03
# What moves a limb by less (metres, radians) moves it not; a middle that no turn brings out (shares of the leg) stays.
OVER, LEAST = 1e-5, 0.05
# A way out that leads so much upward comes out of a floor.
UPRIGHT = 0.7
# So often an end is brought out: what is out of one face may be in the next.
TIMES = 2


class Place(NamedTuple):
    """Where and when a pose is. Without a `world` nothing is in the way, and what was gives way. `walls` alone are in
    the way of a body that leaves a floor or comes down on it.
    """

    ground: Ground
    world: World | None
    dt: float
    walls: bool = False


class Clear:
    """The limbs of one rig. Immutable: what changes is in a memory's rows, one a limb that is out of its way."""

    def __init__(self, rig: Rig, limbs: Limbs) -> None:
        self.limbs, self.size = limbs, rig.leg_length
        self.halflife = EASES * (rig.leg_length / 0.9) ** 0.5
        unrest = rig.skeleton.unrest
        self._points = {}
        for role, limb in limbs.known.items():
            ends = [(limb.end, limb.root), (limb.end, limb.touch.point)]
            self._points[role] = (*ends, *((bone, unrest[bone] @ point) for bone, point in limb.sole))

    def keep(self, pose: EditedPose, memory: MovesMemory, place: Place, held: Mapping[str, float]) -> None:
        """Bring all limbs out of what is solid, in their own time; `held` is how much each has hold of something."""
        ground, world, dt = place.ground, place.world, place.dt
        at = Matrix.Translation(ground[:3]) @ Quaternion(UP, ground.heading).to_matrix().to_4x4()
        back = Quaternion(UP, -ground.heading)
        before = {row.limb: row for row in memory.cleared}
        rows = []
        for role, limb in self.limbs.known.items():
            was, kept = before.get(role, NOWHERE), pose.held()
            out = Vector() if world is None else self._out(pose, role, at, place, held.get(role, 0.0))
            row = self._eased(was._replace(limb=role), out, self._swing(pose, limb, at, place), dt)
            pose.take(kept, {*limb.limb.bones, limb.end})
            if row is not None:
                out, most = Vector(row.out), self._most(held.get(role, 0.0))
                self.limbs.push(pose, role, back @ (out * (most / out.length) if out.length > most else out))
                if row.swing:
                    self._turn(pose, limb, row.swing)
                rows.append(row)
        memory.cleared = tuple(rows)

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
        back = at.to_quaternion().inverted()
        most, whole = self._most(held), Vector()
        for _ in range(TIMES):
            deepest = Vector()
            for bone, point in self._points[role]:
                out = self._way(at @ (pose.model(bone) @ point), place)
                if out.length > deepest.length:
                    deepest = out
            if deepest.length <= 0.0:
                break
            whole += deepest
            self.limbs.push(pose, role, back @ deepest)
        return whole * (most / whole.length) if whole.length > most else whole

    def _way(self, point: Vector, place: Place) -> Vector:
        """From a point inside of something to the nearest place outside; nothing where it is outside."""
        hit = None if place.world is None else place.world.nearest(point, DEEPEST * self.size)
        if hit is None or not hit.back:
            return Vector()
        out = hit.position - point
        return Vector() if place.walls and out.z > UPRIGHT * out.length else out

    def _swing(self, pose: EditedPose, limb: TouchingLimb, at: Matrix, place: Place) -> float:
        """How far a limb is turned about the line from its root to its end so that its middle is out (radians)."""
        joints = limb.limb.joints(pose)
        if len(joints) != 3 or place.world is None:
            return 0.0
        out = at.to_quaternion().inverted() @ self._way(at @ joints[1], place)
        line = joints[2] - joints[0]
        if out.length <= 0.0 or line.length <= 0.0:
            return 0.0
        line = line.normalized()
        arm = joints[1] - joints[0]
        arm -= line * arm.dot(line)
        ahead = cross(line, arm).dot(out) / out.length
        if abs(ahead) < LEAST * self.size:
            return 0.0
        return copysign(min(SWINGS, asin(min(1.0, out.length / abs(ahead)))), ahead)
